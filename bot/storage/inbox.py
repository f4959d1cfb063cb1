"""What came in, kept until it is dealt with: updates are stored before Telegram is told to forget them.

A row is "new" until somebody begins it, "working" while it is dealt with, and "done" or "parked" at the end. Rows
that are new or working when the process starts are the ones a crash interrupted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from bot.storage import kv
from bot.storage.tables import inbox
from memory.unit_of_work import UnitOfWork

NUMBERING_KEPT = timedelta(days=6)
"""Telegram numbers updates anew after an idle week; a day earlier the old offset is no longer trusted."""

POLL_KEY = "poll:last"
"""The setting that holds when Telegram last answered a poll, to about ten seconds (ISO time)."""

PARKED_KEPT = timedelta(days=5)
"""How much longer than a done row a parked one stays, so that its owner can look into it."""

_MAX_INTEGER = 2**63 - 1


class InboxState(StrEnum):
    """Where an update stands."""

    NEW = "new"
    WORKING = "working"
    DONE = "done"
    PARKED = "parked"


_UNFINISHED = (InboxState.NEW, InboxState.WORKING)
_OVER = (InboxState.DONE, InboxState.PARKED)

LaneOf = Callable[[dict[str, Any]], tuple[int | None, int]]
"""Tells the (chat, topic) of a raw update; (None, 0) for an update without a chat."""


@dataclass(frozen=True, slots=True)
class InboxRow:
    """One update as Telegram sent it. ``chat_id`` and ``thread_id`` are its lane."""

    id: int
    bot_id: int
    update_id: int
    chat_id: int | None
    thread_id: int
    payload: dict[str, Any]
    state: InboxState
    attempts: int
    received_at: datetime


def accept(
    uow: UnitOfWork, bot_id: int, updates: Sequence[dict[str, Any]], lane_of: LaneOf, now: datetime
) -> list[InboxRow]:
    """Store a batch and move the offset past it, in the caller's one transaction.

    Gives the rows that are new, by update id; an update that is here already gives none. The offset never moves
    back, except where Telegram's numbering may have begun anew.
    """
    batch = sorted((u for u in updates if is_update(u)), key=lambda u: int(u["update_id"]))
    if not batch:
        return []
    _make_room(uow, bot_id, [u["update_id"] for u in batch], now)
    rows = [row for u in batch if (row := _insert(uow, bot_id, u, lane_of, now)) is not None]
    _move_offset(uow, bot_id, batch[-1]["update_id"] + 1, now)
    return rows


def is_update(value: object) -> bool:
    """Say whether ``value`` is something that can be stored and confirmed: an object with a number of its own."""
    if not isinstance(value, dict):
        return False
    number = value.get("update_id")
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < _MAX_INTEGER


def offset(uow: UnitOfWork, bot_id: int, now: datetime) -> int | None:
    """Give the id of the first update wanted; None before the first one and after six idle days."""
    stored = kv.get(uow, _offset_key(bot_id))
    if stored is None or _is_stale(stored, now):
        return None
    return int(stored["offset"])


def unfinished(uow: UnitOfWork, bot_id: int) -> list[InboxRow]:
    """Give what is neither done nor parked, in the order it came."""
    query = select(inbox).where(inbox.c.bot_id == bot_id, inbox.c.state.in_(_UNFINISHED)).order_by(inbox.c.id)
    return [_row(found) for found in uow.connection.execute(query)]


def begin(uow: UnitOfWork, row_id: int, now: datetime) -> int:  # noqa: ARG001  # every change of state takes the time
    """Note that the row is being dealt with; give the number of tries, this one included.

    Gives 0, and changes nothing, where there is nothing to do: the row is done, parked or gone.
    """
    change = (
        update(inbox)
        .where(inbox.c.id == row_id, inbox.c.state.in_(_UNFINISHED))
        .values(state=InboxState.WORKING, attempts=inbox.c.attempts + 1)
        .returning(inbox.c.attempts)
    )
    return uow.connection.execute(change).scalar() or 0


def finish(uow: UnitOfWork, row_id: int, now: datetime) -> None:
    """Note that the row is dealt with. Doing it twice changes nothing."""
    done = {"state": InboxState.DONE, "done_at": now, "error": None}
    uow.connection.execute(update(inbox).where(inbox.c.id == row_id, inbox.c.state != InboxState.DONE).values(done))


def dismiss(uow: UnitOfWork, row_id: int, now: datetime) -> None:
    """Finish a row whose words are not to be kept: what stays is its number, by which a repetition is known."""
    finish(uow, row_id, now)
    uow.connection.execute(update(inbox).where(inbox.c.id == row_id).values(payload={}))


def park(uow: UnitOfWork, row_id: int, error: str, now: datetime) -> None:
    """Set the row aside for good. ``error`` names what went wrong and holds no words of a message."""
    parked = {"state": InboxState.PARKED, "done_at": now, "error": error.encode("utf-8", "replace").decode()}
    uow.connection.execute(update(inbox).where(inbox.c.id == row_id).values(parked))


def trim(uow: UnitOfWork, before: datetime) -> int:
    """Delete what was done before ``before``, and what was parked well before that; give how many rows."""
    return uow.connection.execute(delete(inbox).where(_over(before))).rowcount


def old(uow: UnitOfWork, before: datetime) -> int:
    """Count the rows that `trim` would delete; only reads."""
    return uow.connection.execute(select(func.count()).select_from(inbox).where(_over(before))).scalar_one()


def counts(uow: UnitOfWork) -> dict[InboxState, int]:
    """Give the number of rows in each state that has any."""
    query = select(inbox.c.state, func.count()).group_by(inbox.c.state)
    return {InboxState(state): number for state, number in uow.connection.execute(query)}


def record_poll(uow: UnitOfWork, now: datetime) -> None:
    """Note that a poll was answered; the health check reads it."""
    kv.put(uow, POLL_KEY, now.isoformat(), now)


def _over(before: datetime) -> ColumnElement[bool]:
    return or_(
        (inbox.c.state == InboxState.DONE) & (inbox.c.done_at < before),
        (inbox.c.state == InboxState.PARKED) & (inbox.c.done_at < before - PARKED_KEPT),
    )


def _make_room(uow: UnitOfWork, bot_id: int, update_ids: Sequence[int], now: datetime) -> None:
    """Forget finished rows that only share their number with an update of a new numbering."""
    namesakes = (
        (inbox.c.bot_id == bot_id)
        & inbox.c.update_id.in_(update_ids)
        & inbox.c.state.in_(_OVER)
        & (inbox.c.received_at < now - NUMBERING_KEPT)
    )
    uow.connection.execute(delete(inbox).where(namesakes))


def _insert(uow: UnitOfWork, bot_id: int, payload: dict[str, Any], lane_of: LaneOf, now: datetime) -> InboxRow | None:
    chat_id, thread_id = _lane(payload, lane_of)
    values = {
        "bot_id": bot_id,
        "update_id": payload["update_id"],
        "chat_id": chat_id,
        "thread_id": thread_id,
        "payload": payload,
        "state": InboxState.NEW,
        "received_at": now,
    }
    statement = insert(inbox).values(values).on_conflict_do_nothing(index_elements=["bot_id", "update_id"])
    found = uow.connection.execute(statement.returning(*inbox.c)).one_or_none()
    return None if found is None else _row(found)


def _lane(payload: dict[str, Any], lane_of: LaneOf) -> tuple[int | None, int]:
    """Ask for the lane; an update of a shape nobody foresaw is kept all the same, in the lane without a chat."""
    try:
        chat_id, thread_id = lane_of(payload)
    except (LookupError, TypeError, ValueError, AttributeError):
        return None, 0
    if max(abs(chat_id or 0), abs(thread_id)) > _MAX_INTEGER:
        return None, 0
    return chat_id, thread_id


def _move_offset(uow: UnitOfWork, bot_id: int, wanted: int, now: datetime) -> None:
    current = offset(uow, bot_id, now)
    moved = wanted if current is None else max(wanted, current)
    kv.put(uow, _offset_key(bot_id), {"offset": moved, "at": now.isoformat()}, now)


def _offset_key(bot_id: int) -> str:
    """Name the setting; by bot, since another bot's offset would make this one deaf."""
    return f"offset:{bot_id}"


def _is_stale(stored: Mapping[str, Any], now: datetime) -> bool:
    return now - datetime.fromisoformat(stored["at"]) > NUMBERING_KEPT


def _row(found: Row[Any]) -> InboxRow:
    return InboxRow(
        id=found.id,
        bot_id=found.bot_id,
        update_id=found.update_id,
        chat_id=found.chat_id,
        thread_id=found.thread_id,
        payload=found.payload,
        state=InboxState(found.state),
        attempts=found.attempts,
        received_at=found.received_at,
    )
