"""The outbox: in order per chat, never lost, never repeated in silence."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.storage import outbox
from bot.storage.outbox import AMBIGUOUS_PAUSE, OutboxRow, OutboxState
from memory.database import Database
from tests.databases import new_database

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOT = 42
BOLD = {"type": "bold", "offset": 0, "length": 2}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path / "t.db")
    yield database
    database.close()


def change(database: Database, act: Any) -> Any:
    with database.write() as uow:
        result = act(uow)
        uow.commit()
    return result


def add(database: Database, key: str, *texts: str, chat: int = 7, thread: int = 0, reply_to: int | None = None) -> int:
    chunks = [(text, [BOLD]) for text in texts]
    return int(change(database, lambda uow: outbox.add(uow, BOT, key, chat, thread, chunks, reply_to, NOW)))


def due(database: Database, now: datetime = NOW, bot_id: int = BOT) -> list[OutboxRow]:
    with database.read() as uow:
        return outbox.next_due(uow, bot_id, now)


def texts(rows: list[OutboxRow]) -> list[str]:
    return [row.text for row in rows]


def counts(database: Database) -> dict[OutboxState, int]:
    with database.read() as uow:
        return outbox.counts(uow)


def sending(database: Database) -> OutboxRow:
    """Begin the one row that is due."""
    [row] = due(database)
    begun = change(database, lambda uow: outbox.mark_sending(uow, row.id))
    assert begun is not None
    return begun


def test_an_answer_becomes_rows_of_which_the_first_replies(database: Database) -> None:
    assert add(database, "t", "one", "two", thread=3, reply_to=99) == 2
    first = sending(database)
    assert (first.seq, first.text, first.thread_id, first.reply_to, first.entities) == (0, "one", 3, 99, (BOLD,))
    change(database, lambda uow: outbox.mark_sent(uow, first.id, 1, NOW))
    assert [(row.seq, row.text, row.reply_to) for row in due(database)] == [(1, "two", None)]


def test_the_same_turn_is_queued_once(database: Database) -> None:
    add(database, "t", "one")
    assert add(database, "t", "other", "and more") == 0
    assert counts(database) == {OutboxState.PENDING: 1}


def test_blank_chunks_are_left_out(database: Database) -> None:
    assert add(database, "t", " \n", "one", "", "two") == 2
    assert [row.seq for row in due(database)] == [0]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\ud800b", "a\ufffdb"),
        ("\udc00", "\ufffd"),
        ("end\ud83d", "end\ufffd"),
        ("\ud83d\ude00", "😀"),
        ("nul\x00\u202e", "nul\x00\u202e"),
    ],
)
def test_text_that_nothing_can_carry_is_made_well_formed(database: Database, text: str, kept: str) -> None:
    add(database, "t", text)
    assert texts(due(database)) == [kept]


@given(text=st.text(st.characters(exclude_categories=()), max_size=30))
def test_making_text_well_formed_keeps_its_utf16_length(text: str) -> None:
    after = outbox.well_formed(text)
    assert len(after.encode("utf-16-le")) == len(text.encode("utf-16-le", "surrogatepass"))
    after.encode("utf-8")  # would raise


def test_only_the_first_row_of_a_chat_is_due(database: Database) -> None:
    add(database, "a", "a1", "a2", chat=1)
    add(database, "b", "b1", chat=2)
    add(database, "c", "c1", chat=1)
    assert texts(due(database)) == ["a1", "b1"]


def test_a_row_under_way_holds_back_its_chat_alone(database: Database) -> None:
    add(database, "a", "a1", "a2", chat=1)
    sending(database)
    add(database, "b", "b1", chat=2)
    assert texts(due(database)) == ["b1"]


def test_a_waiting_row_holds_back_its_chat_and_names_the_time(database: Database) -> None:
    add(database, "a", "a1", "a2")
    row = sending(database)
    later = NOW + timedelta(seconds=30)
    change(database, lambda uow: outbox.mark_pending(uow, row.id, later, "too many requests"))
    assert due(database) == []
    with database.read() as uow:
        assert outbox.next_wake(uow, BOT, NOW) == later
        assert outbox.next_wake(uow, BOT, later) is None
    assert texts(due(database, later)) == ["a1"]


def test_hastening_lets_waiting_rows_go_at_once(database: Database) -> None:
    add(database, "a", "a1")
    row = sending(database)
    change(database, lambda uow: outbox.mark_pending(uow, row.id, NOW + timedelta(hours=3)))
    assert change(database, lambda uow: outbox.hasten(uow, BOT, NOW)) == 1
    assert texts(due(database)) == ["a1"]


def test_another_bots_rows_are_not_due(database: Database) -> None:
    add(database, "a", "a1")
    assert due(database, bot_id=43) == []


def test_a_row_is_begun_once(database: Database) -> None:
    add(database, "a", "a1")
    row = sending(database)
    assert row.attempts == 1
    assert change(database, lambda uow: outbox.mark_sending(uow, row.id)) is None


def test_beginning_reads_the_row_afresh(database: Database) -> None:
    """Between finding a row and sending it, its words may have been forgotten."""
    add(database, "a", "secret")
    [row] = due(database)
    change(database, lambda uow: uow.connection.exec_driver_sql("UPDATE outbox SET text = '[forgotten]'"))
    begun = change(database, lambda uow: outbox.mark_sending(uow, row.id))
    assert begun.text == "[forgotten]"


def test_a_row_that_a_crash_left_in_mid_air_goes_again_and_says_so(database: Database) -> None:
    add(database, "a", "a1", "a2")
    sending(database)
    assert change(database, lambda uow: outbox.recover(uow, NOW)) == 1
    assert [(row.text, row.repeat) for row in due(database)] == [("a1", True)]


def test_recovery_leaves_other_rows_as_they_are(database: Database) -> None:
    add(database, "a", "a1")
    assert change(database, lambda uow: outbox.recover(uow, NOW)) == 0
    assert [row.repeat for row in due(database)] == [False]


def test_an_ambiguous_row_goes_once_more_and_then_fails(database: Database) -> None:
    add(database, "a", "a1")
    row = sending(database)
    assert change(database, lambda uow: outbox.mark_ambiguous(uow, row.id, "ReadTimeout", NOW)) is True
    assert due(database) == []
    [again] = due(database, NOW + AMBIGUOUS_PAUSE)
    assert again.repeat
    change(database, lambda uow: outbox.mark_sending(uow, row.id))
    assert change(database, lambda uow: outbox.mark_ambiguous(uow, row.id, "ReadTimeout", NOW)) is False
    assert counts(database) == {OutboxState.FAILED: 1}


def test_failing_a_turn_takes_the_rest_of_it_and_no_other(database: Database) -> None:
    add(database, "a", "a1", "a2", "a3")
    add(database, "b", "b1")
    first = sending(database)
    change(database, lambda uow: outbox.mark_sent(uow, first.id, 1, NOW))
    second = sending(database)
    assert change(database, lambda uow: outbox.fail_turn(uow, second, "blocked \ud800")) == 2
    assert texts(due(database)) == ["b1"]
    assert counts(database)[OutboxState.SENT] == 1


def test_what_was_refused_is_taken_off_a_row_and_the_row_goes_again(database: Database) -> None:
    add(database, "a", "a1", "a2", thread=5, reply_to=9)
    row = sending(database)
    change(database, lambda uow: outbox.send_plain(uow, row))
    row = sending(database)
    assert (row.entities, row.reply_to, row.thread_id) == ((), 9, 5)
    change(database, lambda uow: outbox.send_without_reply(uow, row))
    row = sending(database)
    assert (row.reply_to, row.thread_id) == (None, 5)
    change(database, lambda uow: outbox.send_to_root(uow, row))
    row = sending(database)
    assert row.thread_id == 0
    change(database, lambda uow: outbox.mark_sent(uow, row.id, 1, NOW))
    assert sending(database).thread_id == 0


def test_a_migrated_group_takes_its_waiting_rows_along(database: Database) -> None:
    add(database, "a", "a1", "a2", chat=-5, reply_to=9)
    add(database, "b", "b1", chat=-5)
    add(database, "c", "c1", chat=6)
    [row, _] = due(database)
    assert change(database, lambda uow: outbox.migrate(uow, row, -100)) == 3
    assert [(row.text, row.chat_id, row.reply_to) for row in due(database)] == [("a1", -100, None), ("c1", 6, None)]


def test_trimming_takes_old_rows_that_are_over(database: Database) -> None:
    add(database, "a", "a1")
    add(database, "b", "b1")
    row = sending(database)
    change(database, lambda uow: outbox.mark_sent(uow, row.id, 1, NOW))
    for before, count in ((NOW, 0), (NOW + timedelta(seconds=1), 1)):
        assert change(database, lambda uow, before=before: outbox.old(uow, before)) == count
        assert change(database, lambda uow, before=before: outbox.trim(uow, before)) == count
    assert counts(database) == {OutboxState.PENDING: 1}
