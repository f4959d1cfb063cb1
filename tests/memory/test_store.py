"""The one write path: row, full text, vector and journal change together, in one scope."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from sqlalchemy import select

from memory import journal, store
from memory.analysis import analyse
from memory.attachments import sources_of
from memory.database import Database
from memory.domain import GLOBAL, Actor, AgentSlug, MemoryId, Source, Status
from memory.entries import MOVE, Cause
from memory.statements import normalise
from memory.tables import memories, memory_triggers, memory_versions, operations
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CAUSE, DIGEST, ELSEWHERE, HERE, NOW, Sink, keep, new, vector

UPDATE = Cause("UPDATE", Actor.REFLECTION, "ok")
LATER = NOW + timedelta(hours=3)


def indexed(uow: UnitOfWork) -> dict[int, tuple[str, str]]:
    rows = uow.connection.exec_driver_sql("SELECT rowid, scope, terms FROM memories_fts")
    return {row[0]: (row[1], row[2]) for row in rows}


def pk_of(uow: UnitOfWork, memory_id: MemoryId) -> int:
    return int(uow.connection.scalar(select(memories.c.pk).where(memories.c.id == memory_id)) or 0)


def test_a_stored_statement_is_read_back_as_it_was_resolved(uow: UnitOfWork) -> None:
    memory = keep(uow, "  Anna's tea is Assam. ", importance=7, expires_at=LATER)
    assert memory == store.get(uow, AGENT, HERE, memory.id)
    assert (memory.text, memory.importance, memory.revision) == ("Anna's tea is Assam.", 7, 1)
    assert memory.created_at == memory.updated_at == memory.accessed_at == memory.valid_from == NOW
    assert (memory.mentions, memory.uses, memory.pinned, memory.expires_at) == (0, 0, False, LATER)


def test_sources_and_triggers_stand_beside_it(uow: UnitOfWork) -> None:
    memory = keep(
        uow,
        "Run the tests first.",
        sources=((4, 2, 9), (4, 0, 5), (5, 1, 2)),
        triggers=("deploying", "deploying"),
        tools=("git",),
    )
    assert sources_of(uow, memory.id) == (Source(4, 0, 9), Source(5, 1, 2))
    rows = uow.connection.execute(select(memory_triggers.c["phrase", "terms", "what"])).all()
    assert {tuple(row) for row in rows} == {
        ("deploying", " ".join(analyse("deploying")), "phrase"),
        ("git", " ".join(analyse("git")), "tool"),
    }


@pytest.mark.parametrize("text", ["", "   ", "x" * 601, "\n\t"])
def test_what_is_no_memory_is_refused(uow: UnitOfWork, text: str) -> None:
    with pytest.raises(ValueError, match="1 to 600"):
        keep(uow, text)


@pytest.mark.parametrize(
    "text",
    [
        "a\x00b",
        "lone \ud83d surrogate",
        "\u202eright to left",
        "𝔘𝔫𝔦",
        "x" * 600,
        "'; DROP TABLE memories; --",
        '"*" NEAR(',
    ],
)
def test_any_text_is_stored_found_and_changed_without_harm(uow: UnitOfWork, text: str) -> None:
    memory = keep(uow, text)
    assert "\x00" not in memory.text
    memory.text.encode("utf-8")
    assert store.find_text(uow, AGENT, HERE, normalise(memory.text))
    changed = store.change(uow, memory, now=LATER, cause=UPDATE, text=text[:300] + " !").memory
    assert changed.revision == 2


@pytest.mark.parametrize(
    "bad",
    [
        np.array([np.nan, 0, 0], np.float32),
        np.array([3, 0, 0], np.float32),
        np.zeros(3, np.float32),
        np.ones((2, 2), np.float32),
    ],
)
def test_a_vector_that_is_none_is_refused(uow: UnitOfWork, bad: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"vector|length"):
        keep(uow, "Anna sings.", vector=bad, digest=DIGEST)


def test_a_vector_of_another_length_than_the_index_is_refused_before_anything_is_written(uow: UnitOfWork) -> None:
    with pytest.raises(ValueError, match="dimensions"):
        keep(uow, "Anna sings.", vector=vector(1, 0), digest=DIGEST, index=Sink())


def test_a_vector_without_its_models_digest_is_refused(uow: UnitOfWork) -> None:
    with pytest.raises(ValueError, match="digest"):
        keep(uow, "Anna sings.", vector=vector())


def test_the_index_learns_of_a_vector_when_it_is_durable_and_not_before(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        keep(uow, "Anna sings.", vector=vector(), digest=DIGEST, index=sink)
        assert sink.held == {}
    assert sink.held == {}
    with database.write() as uow:
        keep(uow, "Anna sings.", vector=vector(), digest=DIGEST, index=sink)
        uow.commit()
    assert len(sink.held) == 1


def test_a_vector_of_another_model_never_reaches_the_index(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        memory = keep(uow, "Anna sings.", vector=vector(1, 0), digest="other", index=sink)
        store.change(uow, memory, now=NOW, cause=UPDATE, index=sink, scope=ELSEWHERE)
        uow.commit()
    assert sink.held == {}


def test_a_new_text_leaves_the_old_one_as_a_version_and_is_indexed_anew(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        memory = keep(uow, "Anna lives in Milan.", vector=vector(), digest=DIGEST, index=sink)
        changed = store.change(
            uow, memory, now=LATER, cause=UPDATE, index=sink, text="Anna lives in Berlin.", valid_from=LATER
        ).memory
        version = uow.connection.execute(select(memory_versions)).one()
        assert indexed(uow)[pk_of(uow, memory.id)][1] == " ".join(analyse("Anna lives in Berlin."))
        uow.commit()
    assert (changed.revision, changed.updated_at, changed.embedding_model) == (2, LATER, None)
    assert (version.text, version.revision, version.valid_from, version.valid_to) == (
        "Anna lives in Milan.",
        1,
        NOW,
        LATER,
    )
    assert sink.held == {}


def test_a_new_text_may_bring_its_vector(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        memory = keep(uow, "Anna lives in Milan.", vector=vector(), digest=DIGEST, index=sink)
        changed = store.change(
            uow, memory, now=LATER, cause=UPDATE, index=sink, text="Berlin now.", vector=vector(0, 1, 0), digest=DIGEST
        ).memory
        uow.commit()
    assert changed.embedding_model == DIGEST
    assert [list(held) for held in sink.held.values()] == [[0, 1, 0]]


def test_a_change_without_a_new_text_keeps_the_vector_and_writes_no_version(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.", vector=vector(), digest=DIGEST)
    changed = store.change(uow, memory, now=LATER, cause=UPDATE, importance=9).memory
    assert (changed.importance, changed.embedding_model) == (9, DIGEST)
    assert uow.connection.execute(select(memory_versions)).all() == []


def test_a_change_names_the_revision_it_saw(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.")
    store.change(uow, memory, now=LATER, cause=UPDATE, importance=9)
    with pytest.raises(store.StaleMemory):
        store.change(uow, memory, now=LATER, cause=UPDATE, importance=2)


def test_a_change_happens_in_the_memorys_own_scope_and_assistant_only(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.")
    for forged in (replace(memory, scope=ELSEWHERE), replace(memory, agent_slug=AgentSlug("other"))):
        with pytest.raises(store.StaleMemory):
            store.change(uow, forged, now=LATER, cause=UPDATE, importance=2)


@pytest.mark.parametrize("field", ["id", "agent_slug", "revision", "created_at", "embedding_model"])
def test_some_fields_never_change(uow: UnitOfWork, field: str) -> None:
    with pytest.raises(ValueError, match="never change"):
        store.change(uow, keep(uow, "Anna sings."), now=LATER, cause=UPDATE, **{field: None})


def test_every_write_has_its_line_in_the_journal_with_the_state_before_and_after(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.", sources=((3, 0, 4),))
    store.change(uow, memory, now=LATER, cause=UPDATE, text="Anna dances.")
    added, updated = journal.of_memory(uow, AGENT, HERE, memory.id)
    assert (added.operation, added.before, added.actor, added.actor_id) == ("ADD", None, Actor.REFLECTION, 7)
    assert added.after == updated.before
    assert added.after is not None
    assert added.after["memory"]["text"] == "Anna sings."
    assert added.after["sources"] == [[3, 0, 4]]
    assert updated.after is not None
    assert updated.after["memory"]["revision"] == 2
    assert updated.at == LATER
    assert "embedding" not in added.after["memory"]


def test_a_use_counts_once_a_day_and_leaves_the_revision_alone(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.")
    assert store.use(uow, memory, now=LATER, cause=CAUSE) is not None
    assert store.use(uow, memory, now=LATER + timedelta(hours=1), cause=CAUSE) is None
    again = store.use(uow, memory, now=LATER + timedelta(days=1), cause=CAUSE)
    assert again is not None
    assert (again.memory.uses, again.memory.accessed_at, again.memory.revision) == (2, LATER + timedelta(days=1), 1)


def test_a_use_never_turns_the_clock_back(uow: UnitOfWork) -> None:
    used = store.use(uow, keep(uow, "Anna sings."), now=NOW - timedelta(days=3), cause=CAUSE)
    assert used is not None
    assert used.memory.accessed_at == NOW


def test_reading_sees_the_own_scope_and_global_and_nothing_else(uow: UnitOfWork) -> None:
    here, there, everywhere = keep(uow, "here"), keep(uow, "there", ELSEWHERE), keep(uow, "all", GLOBAL)
    other = keep(uow, "other assistant", agent=AgentSlug("other"))
    ids = [there.id, everywhere.id, here.id, other.id]
    assert store.by_ids(uow, AGENT, HERE, [*ids, here.id]) == (everywhere, here)
    assert store.visible(uow, AGENT, HERE, (Status.ACTIVE,)) == (everywhere, here)
    assert store.visible(uow, AGENT, GLOBAL) == (everywhere,)
    assert store.get(uow, AGENT, HERE, there.id) is None
    assert store.with_scores(uow, AGENT, HERE, [(pk_of(uow, i), 0.5) for i in ids]) == ((everywhere, 0.5), (here, 0.5))
    assert store.find_text(uow, AGENT, HERE, normalise("all")) == ()


def test_visible_pages_newest_first_by_status(uow: UnitOfWork) -> None:
    for number in range(5):
        keep(
            uow,
            f"fact {number}",
            now=NOW + timedelta(minutes=number),
            status=Status.ARCHIVED if number == 2 else Status.ACTIVE,
        )
    page = store.visible(uow, AGENT, HERE, limit=2, offset=1)
    assert [memory.text for memory in page] == ["fact 3", "fact 1"]
    assert store.tally(uow, AGENT) == {Status.ACTIVE: 4, Status.ARCHIVED: 1}


def test_a_chat_moves_with_row_full_text_vector_and_journal(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        mine = keep(uow, "table seventeen", vector=vector(), digest=DIGEST, index=sink)
        keep(uow, "Fontaine suite", ELSEWHERE, vector=vector(), digest=DIGEST, index=sink)
        uow.commit()
    target = HERE.replace("7", "-1007")
    with database.write() as uow:
        cause = Cause(MOVE, Actor.MAINTENANCE, "the group has a new number")
        assert store.move_scope(uow, AGENT, HERE, target, now=LATER, cause=cause, index=sink) == 1
        assert store.move_scope(uow, AGENT, HERE, target, now=LATER, cause=cause, index=sink) == 0
        moved = store.visible(uow, AGENT, target)
        assert [memory.id for memory in moved] == [mine.id]
        assert {scope for scope, _ in indexed(uow).values()} == {f"{AGENT}|{target}", f"{AGENT}|{ELSEWHERE}"}
        assert journal.of_memory(uow, AGENT, target, mine.id)[-1].operation == MOVE
        uow.commit()
    assert {scope for scope, _ in sink.held} == {target, ELSEWHERE}


def test_erasing_takes_everything_beside_it_along(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        memory = keep(
            uow, "Anna sings.", sources=((1, 0, 3),), triggers=("song",), vector=vector(), digest=DIGEST, index=sink
        )
        memory = store.change(uow, memory, now=LATER, cause=UPDATE, text="Anna hums.", mentioned=True).memory
        store.erase(uow, memory, index=sink)
        assert indexed(uow) == {}
        for table in ("memories", "memory_sources", "memory_triggers", "memory_versions", "memory_days"):
            assert uow.connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() == 0, table
        uow.commit()
    assert sink.held == {}


def test_missing_vectors_are_found_and_filled_without_a_line_in_the_journal(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        memory = keep(uow, "Anna sings.")
        keep(uow, "embedded", vector=vector(), digest=DIGEST)
        keep(uow, "of another model", vector=vector(1, 0), digest="old")
        lines = len(uow.connection.execute(select(operations)).all())
        assert {m.text for m in store.without_vector(uow, AGENT, DIGEST, 10)} == {"Anna sings.", "of another model"}
        assert len(store.without_vector(uow, AGENT, DIGEST, 1)) == 1
        assert store.set_vector(uow, memory, vector(), DIGEST, index=sink)
        assert len(uow.connection.execute(select(operations)).all()) == lines
        uow.commit()
    assert len(sink.held) == 1


def test_a_vector_for_a_text_that_changed_meanwhile_is_not_stored(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.")
    store.change(uow, memory, now=LATER, cause=UPDATE, text="Anna hums.")
    assert not store.set_vector(uow, memory, vector(), DIGEST)


def test_ids_of_the_journal_grow_even_when_the_clock_steps_back(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.", now=NOW)
    store.change(uow, memory, now=NOW - timedelta(days=400), cause=UPDATE, importance=6)
    first, second = journal.of_memory(uow, AGENT, HERE, memory.id)
    assert (first.operation, second.operation) == ("ADD", "UPDATE")
    assert second.id > first.id


def test_leaving_without_commit_leaves_nothing(database: Database) -> None:
    with database.write() as uow:
        keep(uow, "Anna sings.")
    with database.read() as uow:
        assert store.visible(uow, AGENT, HERE) == ()
        assert indexed(uow) == {}
        assert uow.connection.execute(select(operations)).all() == []


def test_statements_are_kept_apart_by_subject_of_the_new(uow: UnitOfWork) -> None:
    """The store itself finds literal equals; whose they are is for `rules.about_the_same`."""
    keep(uow, "lives in Rome", subject="Bob")
    assert [m.subject for m in store.find_text(uow, AGENT, HERE, normalise(new("Lives in Rome!").text))] == ["Bob"]
