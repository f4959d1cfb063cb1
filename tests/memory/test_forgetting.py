"""What a person wishes forgotten is gone from everything memory keeps, and is not learned again."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from memory import forgetting, journal, maintenance, store, tombstones, transcript
from memory.attachments import sources_of
from memory.database import Database
from memory.domain import GLOBAL, Actor, AgentSlug, Conversation, Memory, Message, Origin, Role, Status, chat_scope
from memory.entries import Cause
from memory.reflection.operations import Outcome, Reason
from memory.tables import memory_versions, operations
from memory.unit_of_work import UnitOfWork
from tests.databases import new_database
from tests.memory.samples import AGENT, CHAT, DIGEST, ELSEWHERE, HERE, NOW, Sink, keep, said, vector

EX = "My ex is called Leontine Dray."
CAT = "My cat is called Biscuit."
UPDATE = Cause("UPDATE", Actor.REFLECTION, "ok", actor_id=CHAT)


def say(uow: UnitOfWork, text: str, key: str, **fields: Any) -> Message:
    return transcript.add(uow, **said(text, key, **fields))


def purge(uow: UnitOfWork, memory: Memory, about: str = "Leontine Dray", **options: Any) -> forgetting.Purged:
    return forgetting.purge(uow, AGENT, memory, about=about, now=NOW, **options)


def history(uow: UnitOfWork, conversation: Conversation | None = None) -> list[str]:
    return [m.text for m in transcript.recent(uow, AGENT, conversation or Conversation(CHAT), 99)]


def everything(uow: UnitOfWork) -> str:
    """Give every value of every table, so that no column is overlooked."""
    names = [row[0] for row in uow.connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")]
    tables = [name for name in names if name != "sqlite_sequence"]
    return "\n".join(
        repr(tuple(row)) for name in tables for row in uow.connection.exec_driver_sql(f"SELECT * FROM {name}")
    )


def two_facts(uow: UnitOfWork, index: Sink | None = None) -> tuple[Memory, Memory]:
    """Two statements, each said, answered, and remembered with its evidence."""
    ex, cat = say(uow, EX, "k1"), say(uow, CAT, "k2")
    say(uow, "Noted. Leontine is your ex.", "k1", role=Role.ASSISTANT)
    say(uow, "Noted: Biscuit.", "k2", role=Role.ASSISTANT)
    return (
        keep(
            uow, EX, sources=((ex.id, 0, len(EX)),), triggers=("Leontine",), vector=vector(), digest=DIGEST, index=index
        ),
        keep(uow, CAT, sources=((cat.id, 0, len(CAT)),)),
    )


# --- finding


def test_a_mark_an_id_and_the_exact_text_name_one_memory(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    mark = forgetting.mark(ex)
    for about in (mark, f"#{mark.upper()}", ex.id, ex.id.lower(), "my ex is called LEONTINE DRAY"):
        assert forgetting.candidates(uow, AGENT, HERE, about) == (ex,)


@pytest.mark.parametrize("about", ["Leontine Dray", "leontine", "my ex", "Dray, Leontine", "Leontine's ex"])
def test_all_the_words_name_what_holds_them(uow: UnitOfWork, about: str) -> None:
    ex, _ = two_facts(uow)
    assert forgetting.candidates(uow, AGENT, HERE, about) == (ex,)


def test_some_of_the_words_name_the_best_that_fit(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    assert forgetting.candidates(uow, AGENT, HERE, "everything about Leontine please") == (ex,)


@pytest.mark.parametrize("about", ["", "  ", "?", "is", "Zanzibar", '"; DROP', "NEAR(", "\x00", "a" * 5000])
def test_what_names_nothing_finds_nothing(uow: UnitOfWork, about: str) -> None:
    two_facts(uow)
    assert forgetting.candidates(uow, AGENT, HERE, about) == ()


def test_other_chats_are_never_found_and_no_status_hides(uow: UnitOfWork) -> None:
    keep(uow, EX, ELSEWHERE)
    shared = keep(uow, EX, GLOBAL, status=Status.ARCHIVED)
    hidden = keep(uow, EX, status=Status.SUPERSEDED)
    assert set(forgetting.candidates(uow, AGENT, HERE, "Leontine")) == {shared, hidden}


def test_a_statement_and_its_literal_twin_are_one_candidate(uow: UnitOfWork) -> None:
    keep(uow, EX, status=Status.SUPERSEDED)
    active = keep(uow, EX)
    keep(uow, EX, status=Status.QUARANTINED)
    assert forgetting.candidates(uow, AGENT, HERE, "Leontine") == (active,)


def test_a_former_text_is_found_too(uow: UnitOfWork) -> None:
    memory = store.change(uow, keep(uow, EX), now=NOW, cause=UPDATE, text="My ex is called Xenia.").memory
    assert forgetting.candidates(uow, AGENT, HERE, "Leontine Dray") == (memory,)


# --- purging


def test_the_words_are_gone_from_every_table_and_what_else_was_said_stays(uow: UnitOfWork) -> None:
    ex, cat = two_facts(uow)
    store.change(uow, ex, now=NOW, cause=UPDATE, text="My former partner is Leontine Dray.")
    refused = Cause("ADD", Actor.REFLECTION, "unsupported: Leontine", verdict=Outcome.REJECT)
    proposed = {"text": "Leontine is allergic."}
    journal.refuse(uow, refused, agent=AGENT, scope=HERE, at=NOW, reason=Reason.UNSUPPORTED, proposed=proposed)
    (found,) = forgetting.candidates(uow, AGENT, HERE, "Leontine Dray")
    purged = purge(uow, found)
    assert (purged.memories, purged.messages) == ((ex.id,), 2)
    assert "leontine" not in everything(uow).lower()
    assert "dray" not in everything(uow).lower()
    assert history(uow) == ["[forgotten]", CAT, "Noted. [forgotten]", "Noted: Biscuit."]
    assert store.visible(uow, AGENT, HERE) == (cat,)
    assert purged.wording.strike("/forget Leontine Dray") == "[forgotten]"


def test_the_vector_leaves_the_index(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        ex, _ = two_facts(uow, sink)
        uow.commit()
    assert len(sink.held) == 1
    with database.write() as uow:
        purge(uow, ex, index=sink)
        uow.commit()
    assert sink.held == {}


def test_the_words_are_in_no_byte_of_the_file_after_a_vacuum(tmp_path: Any) -> None:
    path = tmp_path / "bytes.db"
    database = new_database(path)
    with database.write() as uow:
        for number in range(40):
            keep(uow, f"filler number {number}")
        ex, _ = two_facts(uow)
        uow.commit()
    with database.write() as uow:
        purge(uow, ex)
        uow.commit()
    maintenance.vacuum(path)
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    database.close()
    assert b"biscuit" in data.lower()
    assert b"leontin" not in data.lower()


def test_literal_twins_of_any_status_go_along(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    keep(uow, EX, status=Status.QUARANTINED)
    purge(uow, ex)
    assert forgetting.candidates(uow, AGENT, HERE, "Leontine") == ()


def test_a_mark_instead_of_words_forgets_the_same(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    purge(uow, ex, about=forgetting.mark(ex))
    assert "Leontine" not in everything(uow)


def test_topics_quotes_and_passed_on_words_are_searched_too(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    say(uow, "Dray called again", "t", conversation=Conversation(CHAT, 5))
    say(uow, "who?", "q", reply_author="Anna", reply_text=EX)
    say(uow, "hello", "f", origin=Origin.FORWARDED, speaker="Leontine Dray")
    purge(uow, ex)
    assert history(uow, Conversation(CHAT, 5)) == ["[forgotten]"]
    assert "Leontine" not in everything(uow)


def test_other_chats_keep_their_words(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    other = Conversation(-8)
    say(uow, EX, "o", conversation=other)
    theirs = keep(uow, EX, ELSEWHERE)
    purge(uow, ex)
    assert history(uow, other) == [EX]
    assert store.get(uow, AGENT, ELSEWHERE, theirs.id) == theirs
    assert not forgetting.is_tombstoned(uow, AGENT, ELSEWHERE, EX)


def test_a_name_that_another_memory_holds_stays_where_it_means_something_else(uow: UnitOfWork) -> None:
    keep(uow, "Leontine teaches Anna to sing.")
    ex, _ = two_facts(uow)
    say(uow, "Leontine sings well.", "s")
    purge(uow, ex, about="my ex")
    assert history(uow)[-1] == "Leontine sings well."


def test_evidence_in_other_words_is_struck_by_its_span(uow: UnitOfWork) -> None:
    message = say(uow, "Tea please. She and I split in May. Bye.", "k")
    memory = keep(uow, "Anna is single again.", sources=((message.id, 12, 36),))
    purge(uow, memory, about=forgetting.mark(memory))
    assert history(uow) == ["Tea please. [forgotten] Bye."]


def test_a_global_memory_is_purged_where_it_was_said(uow: UnitOfWork) -> None:
    message = say(uow, EX, "k")
    memory = keep(uow, EX, GLOBAL, sources=((message.id, 0, 30),))
    purge(uow, memory)
    assert "Leontine" not in everything(uow)
    assert forgetting.is_tombstoned(uow, AGENT, HERE, EX)


def test_nothing_forgotten_comes_back_by_undo(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    written = store.change(uow, ex, now=NOW, cause=UPDATE, importance=9)
    purge(uow, written.memory)
    assert isinstance(journal.undo(uow, written.operation_id, now=NOW, by=CHAT), journal.CannotUndo)
    operation = journal.last_undoable(uow, AGENT, HERE, None, since=NOW - timedelta(days=1))
    assert operation is not None
    undone = journal.undo(uow, operation, now=NOW, by=CHAT)
    assert isinstance(undone, journal.Undone)
    assert "Biscuit" in undone.summary


def test_the_last_change_before_what_was_forgotten_can_be_taken_back(uow: UnitOfWork) -> None:
    """A purge leaves nothing to restore, and must not stand in the way for ever."""
    ex, pet = two_facts(uow)
    store.change(uow, pet, now=NOW, cause=UPDATE, importance=9)
    written = store.change(uow, ex, now=NOW, cause=UPDATE, importance=9)
    purge(uow, written.memory)
    operation = journal.last_undoable(uow, AGENT, HERE, None, since=NOW - timedelta(days=1))
    assert operation is not None
    assert isinstance(journal.undo(uow, operation, now=NOW, by=CHAT), journal.Undone)


def test_a_text_that_was_taken_back_leaves_the_journal_too(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    for text in ("Striped zebras everywhere.", "Zebras and lions."):
        written = store.change(uow, ex, now=NOW, cause=UPDATE, text=text)
        ex = written.memory
        operation = written.operation_id
    for _ in range(2):
        undone = journal.undo(uow, operation, now=NOW, by=CHAT)
        assert isinstance(undone, journal.Undone)
        assert undone.memory is not None
        operation = journal.last_undoable(uow, AGENT, HERE, None, since=NOW - timedelta(days=1)) or operation
        ex = undone.memory
    purge(uow, ex)
    assert "zebra" not in everything(uow).lower()


def test_a_wish_leaves_its_line_in_the_journal_without_the_words(uow: UnitOfWork) -> None:
    ex, _ = two_facts(uow)
    purge(uow, ex, by=CHAT)
    line = journal.of_memory(uow, AGENT, HERE, ex.id)[-1]
    assert (line.operation, line.actor, line.actor_id, line.after) == (
        "FORGET",
        Actor.PERSON,
        CHAT,
        {"forgotten": True},
    )


def test_former_texts_of_what_stays_lose_the_words(uow: UnitOfWork) -> None:
    moved = keep(uow, "Anna lives with Leontine Dray.")
    store.change(uow, moved, now=NOW, cause=UPDATE, text="Anna lives alone.")
    ex, _ = two_facts(uow)
    purge(uow, ex)
    assert uow.connection.execute(select(memory_versions)).all() == []
    assert "Leontine" not in everything(uow)


def test_words_that_never_became_a_memory_can_be_erased(uow: UnitOfWork) -> None:
    say(uow, f"{EX} {CAT}", "k")
    say(uow, EX, "o", conversation=Conversation(-8))
    assert forgetting.purge_words(uow, AGENT, CHAT, "Leontine Dray", now=NOW).messages == 1
    assert history(uow) == [f"[forgotten] {CAT}"]
    assert history(uow, Conversation(-8)) == [EX]
    assert journal.last_forgotten(uow, AGENT) == NOW
    later = NOW + timedelta(days=1)
    assert forgetting.purge_words(uow, AGENT, CHAT, "the", now=later).messages == 0
    assert journal.last_forgotten(uow, AGENT) == NOW


# --- tombstones


def test_a_tombstone_stands_for_the_text_in_any_spelling_where_it_was_forgotten(uow: UnitOfWork) -> None:
    assert not forgetting.is_tombstoned(uow, AGENT, HERE, EX)
    ex, _ = two_facts(uow)
    purge(uow, ex)
    assert forgetting.is_tombstoned(uow, AGENT, HERE, "  my EX is called leontine dray!")
    assert not forgetting.is_tombstoned(uow, AGENT, HERE, CAT)
    assert not forgetting.is_tombstoned(uow, AgentSlug("other"), HERE, EX)
    tombstones.move_scope(uow, AGENT, HERE, ELSEWHERE)
    assert forgetting.is_tombstoned(uow, AGENT, ELSEWHERE, EX)
    assert not forgetting.is_tombstoned(uow, AGENT, HERE, EX)
    tombstones.lift(uow, AGENT, ELSEWHERE, EX)
    assert not forgetting.is_tombstoned(uow, AGENT, ELSEWHERE, EX)


def test_a_tombstone_tells_nothing_and_two_databases_hash_differently(uow: UnitOfWork, tmp_path: Any) -> None:
    tombstones.set_up(uow, AGENT, HERE, EX, NOW)
    other = new_database(tmp_path / "other.db")
    with other.write() as second:
        tombstones.set_up(second, AGENT, HERE, EX, NOW)
        digests = [u.connection.exec_driver_sql("SELECT digest FROM tombstones").scalar_one() for u in (uow, second)]
    other.close()
    assert digests[0] != digests[1]


def test_a_wish_in_a_large_chat_is_done_in_moderate_time(uow: UnitOfWork) -> None:
    """A year of talk: the search must not read every sentence closely."""
    ex, _ = two_facts(uow)
    rows = ({"a": AGENT, "k": f"bulk{n}", "t": f"I had soup number {n} for lunch. It was fine."} for n in range(5000))
    sql = (
        "INSERT INTO messages (agent_slug, chat_id, role, speaker, origin, text, sent_at, turn_key) "
        f"VALUES (:a, {CHAT}, 'user', 'Anna', 'own', :t, '2026-01-01 00:00:00', :k)"
    )
    uow.connection.exec_driver_sql(sql, list(rows))
    assert purge(uow, ex).messages == 2


def test_global_scope_of_operations_is_cleared_with_the_chats(uow: UnitOfWork) -> None:
    message = say(uow, EX, "k")
    memory = keep(uow, EX, GLOBAL, sources=((message.id, 0, 30),))
    refused = Cause("ADD", Actor.REFLECTION, "duplicate", verdict=Outcome.REJECT)
    scope = chat_scope(CHAT)
    journal.refuse(uow, refused, agent=AGENT, scope=scope, at=NOW, reason=Reason.DUPLICATE, proposed={"text": EX})
    purge(uow, memory)
    assert all("Leontine" not in str(row) for row in uow.connection.execute(select(operations)))
    assert sources_of(uow, memory.id) == ()
