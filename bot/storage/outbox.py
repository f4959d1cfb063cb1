"""What goes out, kept until it has left: never lost, and never silently twice.

A row is "pending" until it is marked "sending" in a transaction of its own, right before the call; so a row found
"sending" at start is one whose fate nobody knows. It is sent again, marked as a possible repeat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, delete, func, insert, or_, select, update

from bot.storage.tables import outbox
from memory.unit_of_work import UnitOfWork

AMBIGUOUS_PAUSE = timedelta(seconds=3)
"""How long a row whose send ended without an answer waits before its one repeat."""


class OutboxState(StrEnum):
    """Where a chunk of an answer stands."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


_UNSENT = (OutboxState.PENDING, OutboxState.SENDING)


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One chunk of an answer. ``repeat`` says that it may have arrived already; offsets count UTF-16 units."""

    id: int
    bot_id: int
    turn_key: str
    seq: int
    chat_id: int
    thread_id: int
    reply_to: int | None
    text: str
    entities: tuple[dict[str, Any], ...]
    state: OutboxState
    attempts: int
    repeat: bool
    not_before: datetime | None


def add(
    uow: UnitOfWork,
    bot_id: int,
    turn_key: str,
    chat_id: int,
    thread_id: int,
    chunks: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
    reply_to: int | None,
    now: datetime,
) -> int:
    """Queue an answer; give the number of rows added. A turn that is here already adds nothing.

    Blank chunks are left out, since Telegram refuses them. Only the first chunk answers ``reply_to``.
    """
    if uow.connection.execute(select(outbox.c.id).where(outbox.c.turn_key == turn_key).limit(1)).first():
        return 0
    shown = [(text, entities) for text, entities in chunks if text.strip()]
    rows = [
        {
            "bot_id": bot_id,
            "turn_key": turn_key,
            "seq": seq,
            "chat_id": chat_id,
            "thread_id": thread_id,
            "reply_to": reply_to if seq == 0 else None,
            "text": well_formed(text),
            "entities": [dict(entity) for entity in entities],
            "state": OutboxState.PENDING,
            "created_at": now,
        }
        for seq, (text, entities) in enumerate(shown)
    ]
    if rows:
        uow.connection.execute(insert(outbox), rows)
    return len(rows)


def well_formed(text: str) -> str:
    """Put U+FFFD for lone surrogates, which neither SQLite nor HTTP can carry; the UTF-16 length stays."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def recover(uow: UnitOfWork, now: datetime) -> int:
    """Take up rows that a crash left in mid-air, as possible repeats; give how many."""
    again = {"state": OutboxState.PENDING, "repeat": True, "not_before": now}
    return uow.connection.execute(update(outbox).where(outbox.c.state == OutboxState.SENDING).values(again)).rowcount


def next_due(uow: UnitOfWork, bot_id: int, now: datetime) -> list[OutboxRow]:
    """Give, for every chat, the row that must leave next, where it may leave now; oldest first.

    What follows in a chat waits for its first row, so that an answer arrives in order.
    """
    due = _is_head(bot_id) & or_(outbox.c.not_before.is_(None), outbox.c.not_before <= now)
    return [_row(found) for found in uow.connection.execute(select(outbox).where(due).order_by(outbox.c.id))]


def next_wake(uow: UnitOfWork, bot_id: int, now: datetime) -> datetime | None:
    """Give the earliest time, after ``now``, at which a row that is not due yet becomes due."""
    later = _is_head(bot_id) & (outbox.c.not_before > now)
    found = uow.connection.execute(
        select(outbox.c.not_before).where(later).order_by(outbox.c.not_before).limit(1)
    ).first()
    return None if found is None else found.not_before


def hasten(uow: UnitOfWork, bot_id: int, now: datetime) -> int:
    """Let every waiting row go now: for when the clock was set back and "not before" means nothing any more."""
    late = (outbox.c.bot_id == bot_id) & (outbox.c.state == OutboxState.PENDING) & (outbox.c.not_before > now)
    return uow.connection.execute(update(outbox).where(late).values(not_before=now)).rowcount


def mark_sending(uow: UnitOfWork, row_id: int) -> OutboxRow | None:
    """Note that the row is about to be sent; give it as it is now, or None where it is not pending any more."""
    change = (
        update(outbox)
        .where(outbox.c.id == row_id, outbox.c.state == OutboxState.PENDING)
        .values(state=OutboxState.SENDING, attempts=outbox.c.attempts + 1)
        .returning(*outbox.c)
    )
    found = uow.connection.execute(change).one_or_none()
    return None if found is None else _row(found)


def mark_sent(uow: UnitOfWork, row_id: int, sent_id: int | None, now: datetime) -> None:
    """Note that Telegram took the row; ``sent_id`` is its message id there."""
    _change(uow, row_id, state=OutboxState.SENT, sent_id=sent_id, sent_at=now, error=None)


def mark_pending(uow: UnitOfWork, row_id: int, not_before: datetime | None, error: str | None = None) -> None:
    """Put back a row that was provably not sent."""
    _change(uow, row_id, state=OutboxState.PENDING, not_before=not_before, error=error)


def mark_ambiguous(uow: UnitOfWork, row_id: int, error: str, now: datetime) -> bool:
    """Note that nobody knows whether the row arrived; say whether it goes once more. The second time it fails."""
    query = select(outbox.c.repeat).where(outbox.c.id == row_id)
    if uow.connection.execute(query).scalar():
        mark_failed(uow, row_id, error)
        return False
    _change(uow, row_id, state=OutboxState.PENDING, repeat=True, not_before=now + AMBIGUOUS_PAUSE, error=error)
    return True


def mark_failed(uow: UnitOfWork, row_id: int, error: str) -> None:
    """Give the row up. ``error`` says why and holds no words of the message."""
    _change(uow, row_id, state=OutboxState.FAILED, error=well_formed(error))


def fail_turn(uow: UnitOfWork, row: OutboxRow, error: str) -> int:
    """Give up the row and what follows it in its answer; give how many rows."""
    rest = _rest_of_turn(row)
    failed = {"state": OutboxState.FAILED, "error": well_formed(error)}
    return uow.connection.execute(update(outbox).where(rest).values(failed)).rowcount


def send_plain(uow: UnitOfWork, row: OutboxRow) -> None:
    """Put the row back without its entities."""
    _change(uow, row.id, state=OutboxState.PENDING, entities=[])


def send_without_reply(uow: UnitOfWork, row: OutboxRow) -> None:
    """Put the row back as a message that answers none."""
    _change(uow, row.id, state=OutboxState.PENDING, reply_to=None)


def send_to_root(uow: UnitOfWork, row: OutboxRow) -> None:
    """Put the row back, and send it and the rest of its answer to the chat itself, not to the topic."""
    root = {"state": OutboxState.PENDING, "thread_id": 0, "reply_to": None}
    uow.connection.execute(update(outbox).where(_rest_of_turn(row)).values(root))


def migrate(uow: UnitOfWork, row: OutboxRow, new_chat_id: int) -> int:
    """Put the row back and move all that waits for its chat to the chat's new id; give how many rows.

    Message ids do not survive a migration: an old one may name another message in the new chat.
    """
    waiting = (outbox.c.bot_id == row.bot_id) & (outbox.c.chat_id == row.chat_id) & outbox.c.state.in_(_UNSENT)
    moved = {"state": OutboxState.PENDING, "chat_id": new_chat_id, "thread_id": 0, "reply_to": None}
    return uow.connection.execute(update(outbox).where(waiting).values(moved)).rowcount


def trim(uow: UnitOfWork, before: datetime) -> int:
    """Delete what was queued before ``before`` and has left or failed; give how many rows."""
    return uow.connection.execute(delete(outbox).where(_over(before))).rowcount


def old(uow: UnitOfWork, before: datetime) -> int:
    """Count the rows that `trim` would delete; only reads."""
    return uow.connection.execute(select(func.count()).select_from(outbox).where(_over(before))).scalar_one()


def counts(uow: UnitOfWork) -> dict[OutboxState, int]:
    """Give the number of rows in each state that has any."""
    query = select(outbox.c.state, func.count()).group_by(outbox.c.state)
    return {OutboxState(state): number for state, number in uow.connection.execute(query)}


def _over(before: datetime) -> ColumnElement[bool]:
    return outbox.c.state.in_((OutboxState.SENT, OutboxState.FAILED)) & (outbox.c.created_at < before)


def _is_head(bot_id: int) -> ColumnElement[bool]:
    return (outbox.c.state == OutboxState.PENDING) & (outbox.c.id.in_(_heads(bot_id)))


def _heads(bot_id: int) -> Select[tuple[int]]:
    """Select the first unsent row of every chat; one that is being sent holds back what follows."""
    unsent = (outbox.c.bot_id == bot_id) & outbox.c.state.in_(_UNSENT)
    return select(func.min(outbox.c.id)).where(unsent).group_by(outbox.c.chat_id)


def _rest_of_turn(row: OutboxRow) -> ColumnElement[bool]:
    """Select the row and what follows it: what precedes it has left or failed."""
    return (outbox.c.turn_key == row.turn_key) & outbox.c.state.in_(_UNSENT)


def _change(uow: UnitOfWork, row_id: int, **values: Any) -> None:
    uow.connection.execute(update(outbox).where(outbox.c.id == row_id).values(values))


def _row(found: Row[Any]) -> OutboxRow:
    return OutboxRow(
        id=found.id,
        bot_id=found.bot_id,
        turn_key=found.turn_key,
        seq=found.seq,
        chat_id=found.chat_id,
        thread_id=found.thread_id,
        reply_to=found.reply_to,
        text=found.text,
        entities=tuple(found.entities),
        state=OutboxState(found.state),
        attempts=found.attempts,
        repeat=found.repeat,
        not_before=found.not_before,
    )
