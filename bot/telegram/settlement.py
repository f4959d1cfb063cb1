"""What the outbox does about each outcome of a send: one function, one transaction, no network."""

from datetime import datetime, timedelta

from bot.storage import outbox
from bot.storage.outbox import OutboxRow
from bot.telegram.outcomes import (
    Ambiguous,
    BadEntities,
    Gone,
    Migrated,
    NotSent,
    Outcome,
    Refused,
    ReplyGone,
    RetryLater,
    Sent,
    TopicGone,
)
from memory.unit_of_work import UnitOfWork

RETRY_SLACK_S = 0.5
"""Telegram rounds its seconds down: coming back on the dot is too early."""

_NOTICE = "/refused/"


def settle(uow: UnitOfWork, row: OutboxRow, outcome: Outcome, now: datetime) -> None:
    """Store what became of the row, and what is to happen to it and to the rest of its answer.

    What can be mended (formatting, topic, reply, chat id) goes back to be sent the other way; each way is tried once,
    since the row no longer has what was refused. A chunk that cannot be sent is announced in the chat; what follows
    it is sent all the same.
    """
    match outcome:
        case Sent(message_id):
            outbox.mark_sent(uow, row.id, message_id, now)
        case RetryLater(seconds):
            outbox.mark_pending(uow, row.id, now + timedelta(seconds=seconds + RETRY_SLACK_S), "too many requests")
        case NotSent(reason):
            outbox.mark_pending(uow, row.id, None, reason)
        case Ambiguous(reason):
            outbox.mark_ambiguous(uow, row.id, reason, now)
        case Gone(reason):
            outbox.fail_turn(uow, row, f"chat unreachable: {reason}")
        case _:
            _mend(uow, row, outcome, now)


def _mend(
    uow: UnitOfWork,
    row: OutboxRow,
    outcome: Migrated | TopicGone | ReplyGone | BadEntities | Refused,
    now: datetime,
) -> None:
    match outcome:
        case Migrated(new_chat_id) if new_chat_id != row.chat_id:
            outbox.migrate(uow, row, new_chat_id)
        case TopicGone() if row.thread_id:
            outbox.send_to_root(uow, row)
        case ReplyGone() if row.reply_to is not None:
            outbox.send_without_reply(uow, row)
        case BadEntities() if row.entities:
            outbox.send_plain(uow, row)
        case _:
            _give_up(uow, row, _sentence(outcome), now)


def _give_up(uow: UnitOfWork, row: OutboxRow, why: str, now: datetime) -> None:
    """Fail the row and tell the person; a notice that is refused itself is not announced again."""
    outbox.mark_failed(uow, row.id, why)
    if _NOTICE in row.turn_key:
        return
    words = f"Telegram refused part {row.seq + 1} of my answer, so it is missing here: {why}"
    key = f"{row.turn_key}{_NOTICE}{row.seq}"
    outbox.add(uow, row.bot_id, key, row.chat_id, row.thread_id, [(words, [])], None, now)


def _sentence(outcome: Outcome) -> str:
    return outcome.text[:200] if isinstance(outcome, Refused) else type(outcome).__name__
