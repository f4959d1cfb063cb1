"""The inbox: nothing is stored twice, nothing is confirmed that is not stored."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.storage import inbox
from bot.storage.inbox import InboxState
from bot.storage.tables import inbox as inbox_table
from bot.storage.tables import settings as settings_table
from memory.database import Database
from tests.databases import new_database

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOT = 42


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path / "t.db")
    yield database
    database.close()


def update(number: int, chat_id: int = 7, text: str = "hi") -> dict[str, Any]:
    return {"update_id": number, "message": {"message_id": number, "chat": {"id": chat_id}, "text": text}}


def lane_of(payload: dict[str, Any]) -> tuple[int | None, int]:
    return payload["message"]["chat"]["id"], payload["message"].get("message_thread_id", 0)


def accept(database: Database, *updates: Any, now: datetime = NOW, bot_id: int = BOT) -> list[inbox.InboxRow]:
    with database.write() as uow:
        rows = inbox.accept(uow, bot_id, updates, lane_of, now)
        uow.commit()
    return rows


def offset(database: Database, now: datetime = NOW, bot_id: int = BOT) -> int | None:
    with database.read() as uow:
        return inbox.offset(uow, bot_id, now)


def unfinished(database: Database, bot_id: int = BOT) -> list[inbox.InboxRow]:
    with database.read() as uow:
        return inbox.unfinished(uow, bot_id)


def change(database: Database, act: Any) -> Any:
    with database.write() as uow:
        result = act(uow)
        uow.commit()
    return result


def test_a_batch_and_its_offset_are_stored_together(database: Database) -> None:
    rows = accept(database, update(5), update(6, chat_id=-8))
    assert [(row.update_id, row.chat_id, row.thread_id, row.state) for row in rows] == [
        (5, 7, 0, InboxState.NEW),
        (6, -8, 0, InboxState.NEW),
    ]
    assert offset(database) == 7


def test_without_commit_neither_rows_nor_offset_are_there(database: Database) -> None:
    with database.write() as uow:
        inbox.accept(uow, BOT, [update(5)], lane_of, NOW)
    assert offset(database) is None
    assert unfinished(database) == []


def test_an_update_that_is_here_already_gives_no_row(database: Database) -> None:
    accept(database, update(5))
    assert [row.update_id for row in accept(database, update(5), update(6), update(6))] == [6]
    assert offset(database) == 7


def test_a_batch_out_of_order_is_handed_over_in_the_order_of_its_numbers(database: Database) -> None:
    assert [row.update_id for row in accept(database, update(9), update(3), update(6))] == [3, 6, 9]
    assert [row.update_id for row in unfinished(database)] == [3, 6, 9]


def test_the_offset_never_moves_back_for_a_late_update(database: Database) -> None:
    accept(database, update(10))
    assert [row.update_id for row in accept(database, update(4))] == [4]
    assert offset(database) == 11


def test_an_empty_batch_changes_nothing(database: Database) -> None:
    assert accept(database) == []
    assert offset(database) is None


@pytest.mark.parametrize("junk", ["text", None, [], {}, {"update_id": "5"}, {"update_id": True}, {"update_id": 2**70}])
def test_what_is_no_update_is_left_out_and_does_not_hold_up_the_rest(database: Database, junk: Any) -> None:
    assert [row.update_id for row in accept(database, junk, update(5))] == [5]


@pytest.mark.parametrize("kind", ["poll", "message", "something_new_in_2031"])
def test_an_update_of_unknown_shape_is_kept_without_a_lane(database: Database, kind: str) -> None:
    [row] = accept(database, {"update_id": 5, kind: "no object at all"})
    assert (row.chat_id, row.thread_id) == (None, 0)
    assert row.payload[kind] == "no object at all"


def test_a_lane_that_no_integer_column_holds_is_no_lane(database: Database) -> None:
    [row] = accept(database, update(5, chat_id=2**80))
    assert row.chat_id is None


def test_hostile_text_comes_back_as_it_came(database: Database) -> None:
    text = "\x00 \ud800 \udfff\u202e 👩‍👩‍👧 " + "ж" * 100_000
    accept(database, update(5, text=text))
    assert unfinished(database)[0].payload["message"]["text"] == text


def test_the_offset_of_one_bot_is_not_another_bots(database: Database) -> None:
    """A new token with the old offset would make the bot deaf."""
    accept(database, update(1000))
    assert offset(database, bot_id=43) is None
    assert [row.update_id for row in accept(database, update(1000), bot_id=43)] == [1000]
    assert [row.bot_id for row in unfinished(database, bot_id=43)] == [43]


def test_after_six_idle_days_the_offset_is_left_out(database: Database) -> None:
    accept(database, update(1000))
    assert offset(database, NOW + timedelta(days=6)) == 1001
    assert offset(database, NOW + timedelta(days=6, seconds=1)) is None


def test_a_clock_set_back_does_not_make_the_offset_old(database: Database) -> None:
    accept(database, update(1000))
    assert offset(database, NOW - timedelta(days=400)) == 1001


def test_after_an_idle_week_the_numbering_may_begin_below(database: Database) -> None:
    accept(database, update(1000))
    later = NOW + timedelta(days=8)
    assert [row.update_id for row in accept(database, update(3), now=later)] == [3]
    assert offset(database, later) == 4


@pytest.mark.parametrize("end", ["finish", "park"])
def test_a_new_numbering_that_meets_an_old_number_loses_nothing(database: Database, end: str) -> None:
    [row] = accept(database, update(1000, text="old"))
    if end == "park":
        change(database, lambda uow: inbox.park(uow, row.id, "KeyError", NOW))
    else:
        change(database, lambda uow: inbox.finish(uow, row.id, NOW))
    [new] = accept(database, update(1000, text="new"), now=NOW + timedelta(days=8))
    assert new.payload["message"]["text"] == "new"


def test_a_duplicate_within_days_stays_a_duplicate_when_done(database: Database) -> None:
    [row] = accept(database, update(1000))
    change(database, lambda uow: inbox.finish(uow, row.id, NOW))
    assert accept(database, update(1000), now=NOW + timedelta(days=1)) == []


def test_beginning_counts_the_tries(database: Database) -> None:
    [row] = accept(database, update(5))
    assert [change(database, lambda uow: inbox.begin(uow, row.id, NOW)) for _ in range(3)] == [1, 2, 3]
    assert unfinished(database)[0].state is InboxState.WORKING
    assert unfinished(database)[0].attempts == 3


def test_a_finished_row_is_not_begun_again(database: Database) -> None:
    [row] = accept(database, update(5))
    change(database, lambda uow: inbox.finish(uow, row.id, NOW))
    assert change(database, lambda uow: inbox.begin(uow, row.id, NOW)) == 0
    assert unfinished(database) == []
    assert change(database, lambda uow: inbox.begin(uow, 999, NOW)) == 0


def test_finishing_twice_keeps_the_first_time(database: Database) -> None:
    [row] = accept(database, update(5))
    change(database, lambda uow: inbox.finish(uow, row.id, NOW))
    change(database, lambda uow: inbox.finish(uow, row.id, NOW + timedelta(days=9)))
    assert change(database, lambda uow: inbox.trim(uow, NOW + timedelta(days=1))) == 1


def test_a_dismissed_row_is_done_without_its_words_and_still_known(database: Database) -> None:
    (row,) = accept(database, update(7))
    change(database, lambda uow: inbox.dismiss(uow, row.id, NOW))
    assert change(database, lambda uow: inbox.begin(uow, row.id, NOW)) == 0
    assert accept(database, update(7)) == []
    with database.read() as uow:
        assert uow.connection.execute(select(inbox_table.c.payload, inbox_table.c.done_at)).all() == [({}, NOW)]


def test_a_parked_row_is_not_taken_up_again(database: Database) -> None:
    [row] = accept(database, update(5))
    change(database, lambda uow: inbox.park(uow, row.id, "KeyError \ud800", NOW))
    assert unfinished(database) == []
    assert change(database, inbox.counts) == {InboxState.PARKED: 1}


def test_trimming_takes_old_done_rows_and_nothing_else(database: Database) -> None:
    rows = accept(database, *(update(number) for number in range(1, 6)))
    change(database, lambda uow: inbox.finish(uow, rows[0].id, NOW - timedelta(days=3)))
    change(database, lambda uow: inbox.finish(uow, rows[1].id, NOW - timedelta(days=1)))
    change(database, lambda uow: inbox.park(uow, rows[2].id, "KeyError", NOW - timedelta(days=3)))
    change(database, lambda uow: inbox.park(uow, rows[3].id, "KeyError", NOW - timedelta(days=9)))
    assert change(database, lambda uow: inbox.old(uow, NOW - timedelta(days=2))) == 2
    assert change(database, lambda uow: inbox.trim(uow, NOW - timedelta(days=2))) == 2
    assert change(database, inbox.counts) == {InboxState.DONE: 1, InboxState.PARKED: 1, InboxState.NEW: 1}


def test_the_last_poll_is_recorded_as_one_setting(database: Database) -> None:
    change(database, lambda uow: inbox.record_poll(uow, NOW - timedelta(minutes=1)))
    change(database, lambda uow: inbox.record_poll(uow, NOW))
    with database.read() as uow:
        stored = uow.connection.execute(select(settings_table.c.key, settings_table.c.value)).all()
    assert [tuple(row) for row in stored] == [(inbox.POLL_KEY, NOW.isoformat())]


@settings(max_examples=25, deadline=None)
@given(batches=st.lists(st.lists(st.integers(0, 12), max_size=5), max_size=6))
def test_every_number_gives_exactly_one_row_however_it_comes(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[int]]
) -> None:
    database = new_database(tmp_path_factory.mktemp("inbox") / "t.db")
    given_rows = [row.update_id for batch in batches for row in accept(database, *map(update, batch))]
    numbers = {number for batch in batches for number in batch}
    assert sorted(given_rows) == sorted(numbers)
    assert offset(database) == (max(numbers) + 1 if numbers else None)
    database.close()
