"""What the outbox does about each outcome."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.storage import outbox
from bot.storage import tables as t
from bot.storage.outbox import OutboxRow
from bot.telegram.outcomes import (
    Ambiguous,
    BadEntities,
    Gone,
    GoneReason,
    Migrated,
    NotSent,
    Outcome,
    Refused,
    ReplyGone,
    RetryLater,
    Sent,
    TopicGone,
)
from bot.telegram.settlement import settle
from memory.database import Database
from tests.databases import new_database

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOLD = {"type": "bold", "offset": 0, "length": 2}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path / "t.db")
    with database.write() as uow:
        outbox.add(uow, 42, "t", -7, 5, [("one", [BOLD]), ("two", [BOLD])], 9, NOW)
        uow.commit()
    yield database
    database.close()


def attempt(database: Database, outcome: Outcome, now: datetime = NOW) -> OutboxRow:
    """Send the row that is due, with this outcome; give it as it was sent."""
    with database.write() as uow:
        [due] = outbox.next_due(uow, 42, now)
        row = outbox.mark_sending(uow, due.id)
        assert row is not None
        settle(uow, row, outcome, now)
        uow.commit()
    return row


def stored(database: Database) -> list[tuple[str, str, str | None]]:
    with database.read() as uow:
        rows = uow.connection.execute(select(t.outbox).order_by(t.outbox.c.id))
        return [(row.text, row.state, row.error) for row in rows]


def due(database: Database, now: datetime = NOW) -> list[str]:
    with database.read() as uow:
        return [row.text for row in outbox.next_due(uow, 42, now)]


def test_a_sent_row_is_over_and_its_number_kept(database: Database) -> None:
    attempt(database, Sent(77))
    assert stored(database)[0] == ("one", "sent", None)
    assert due(database) == ["two"]


def test_too_many_requests_waits_as_long_as_asked_and_a_little(database: Database) -> None:
    attempt(database, RetryLater(30))
    assert due(database, NOW + timedelta(seconds=30)) == []
    assert due(database, NOW + timedelta(seconds=30.5)) == ["one"]


def test_what_was_not_sent_may_go_at_once(database: Database) -> None:
    attempt(database, NotSent("ConnectError"))
    assert due(database) == ["one"]


def test_what_may_have_arrived_goes_once_more(database: Database) -> None:
    attempt(database, Ambiguous("ReadTimeout"))
    later = NOW + timedelta(seconds=5)
    assert attempt(database, Ambiguous("ReadTimeout"), later).repeat
    assert stored(database)[0] == ("one", "failed", "ReadTimeout")
    assert due(database, later) == ["two"]  # the rest is not lost with it


@pytest.mark.parametrize("reason", list(GoneReason))
def test_an_unreachable_chat_ends_the_answer(database: Database, reason: GoneReason) -> None:
    attempt(database, Gone(reason))
    assert [(state, error) for _, state, error in stored(database)] == [("failed", f"chat unreachable: {reason}")] * 2


def test_a_migrated_chat_takes_the_answer_along(database: Database) -> None:
    attempt(database, Migrated(-100))
    row = attempt(database, Sent(1))
    assert (row.chat_id, row.thread_id, row.reply_to) == (-100, 0, None)


def test_bad_formatting_is_left_out_once(database: Database) -> None:
    attempt(database, BadEntities())
    assert attempt(database, BadEntities()).entities == ()
    assert stored(database)[0] == ("one", "failed", "BadEntities")


def test_a_topic_that_is_gone_is_left_once(database: Database) -> None:
    attempt(database, TopicGone())
    assert attempt(database, TopicGone()).thread_id == 0
    assert stored(database)[0] == ("one", "failed", "TopicGone")


def test_a_message_that_cannot_be_answered_is_left_unanswered_once(database: Database) -> None:
    attempt(database, ReplyGone())
    assert attempt(database, ReplyGone()).reply_to is None
    assert stored(database)[0] == ("one", "failed", "ReplyGone")


def test_a_chat_that_migrates_to_itself_is_given_up(database: Database) -> None:
    attempt(database, Migrated(-7))
    assert stored(database)[0][1] == "failed"


def test_a_refused_part_is_announced_and_the_rest_is_sent(database: Database) -> None:
    attempt(database, Refused("Message is too long"))
    assert stored(database)[0] == ("one", "failed", "Message is too long")
    assert attempt(database, Sent(1)).text == "two"
    notice = attempt(database, Sent(2))
    assert notice.text == "Telegram refused part 1 of my answer, so it is missing here: Message is too long"
    assert (notice.chat_id, notice.thread_id, notice.entities) == (-7, 5, ())


def test_a_refused_notice_is_not_announced_again(database: Database) -> None:
    attempt(database, Refused("no"))
    attempt(database, Sent(1))
    attempt(database, Refused("no"))
    assert due(database) == []
    assert len(stored(database)) == 3
