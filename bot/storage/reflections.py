"""The durable queue of reflections: what is still to be thought about, conversation by conversation.

A row says "reflect on this conversation up to that message". What piled up in a conversation is one job: the newest
row covers the older ones, since reflection goes on from where the last one ended.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, insert, select, update

from bot.storage.tables import reflections
from memory.domain import Conversation
from memory.unit_of_work import UnitOfWork

TAKE_UP_AFTER = timedelta(days=1)
"""A failed reflection is tried once more a day: a model that was away for the weekend is back on Monday."""
GIVE_UP_AFTER = 12
"""Tries in all; then the job stays failed, where ``tidemark status`` shows it."""


class State(StrEnum):
    """Where a reflection stands."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """Everything that is pending in one conversation. ``attempts`` is that of the row that was tried least."""

    conversation: Conversation
    up_to: int
    turn_keys: tuple[str, ...]  # oldest first
    attempts: int


def enqueue(uow: UnitOfWork, turn_key: str, conversation: Conversation, up_to: int, now: datetime) -> None:
    """Ask for a reflection on ``conversation`` up to message ``up_to``; the same turn asks once."""
    if uow.connection.execute(select(reflections.c.id).where(reflections.c.turn_key == turn_key)).first() is None:
        values = {
            "turn_key": turn_key,
            "chat_id": conversation.chat_id,
            "thread_id": conversation.thread_id,
            "up_to": up_to,
            "state": State.PENDING,
            "attempts": 0,
            "created_at": now,
        }
        uow.connection.execute(insert(reflections), values)


def due(uow: UnitOfWork, now: datetime) -> tuple[Job, ...]:
    """Give the jobs that may be taken up now, the longest waiting first.

    Something new in a conversation takes along what waits there for its next try.
    """
    r = reflections.c
    piles: dict[Conversation, list[Row[Any]]] = {}
    for row in uow.connection.execute(select(reflections).where(r.state == State.PENDING).order_by(r.id)):
        piles.setdefault(Conversation(row.chat_id, row.thread_id), []).append(row)
    ready = (rows for rows in piles.values() if any(row.not_before is None or row.not_before <= now for row in rows))
    return tuple(_job(rows) for rows in ready)


def next_due(uow: UnitOfWork) -> datetime | None:
    """Give when the next postponed reflection may be tried; None when none waits for a time."""
    waiting = and_(reflections.c.state == State.PENDING, reflections.c.not_before.is_not(None))
    earliest: datetime | None = uow.connection.scalar(select(func.min(reflections.c.not_before)).where(waiting))
    return earliest


def done(uow: UnitOfWork, job: Job, covered: int, now: datetime) -> None:
    """Close everything in the job's conversation that reaches no further than message ``covered``."""
    here = and_(_in(job.conversation), reflections.c.state != State.DONE, reflections.c.up_to <= covered)
    values = {"state": State.DONE, "done_at": now, "error": None, "not_before": None}
    uow.connection.execute(update(reflections).where(here).values(values))


def retry(uow: UnitOfWork, job: Job, not_before: datetime, error: str) -> None:
    """Count a failed try and wait until ``not_before``. ``error`` holds no words of a message."""
    values = {"attempts": reflections.c.attempts + 1, "not_before": not_before, "error": error}
    uow.connection.execute(update(reflections).where(_of(job)).values(values))


def failed(uow: UnitOfWork, job: Job, error: str, now: datetime) -> None:
    """Set the job aside after its last try; it is kept and shows in the status."""
    values = {
        "state": State.FAILED,
        "attempts": reflections.c.attempts + 1,
        "error": error,
        "not_before": None,
        "done_at": now,
    }
    uow.connection.execute(update(reflections).where(_of(job)).values(values))


def take_up_failed(uow: UnitOfWork, now: datetime) -> int:
    """Give failed jobs that rested for a day another try; give how many rows that are. There is a bound."""
    again = update(reflections).where(_rested(now)).values(state=State.PENDING, not_before=None, done_at=None)
    return uow.connection.execute(again).rowcount


def rested(uow: UnitOfWork, now: datetime) -> int:
    """Count the rows that `take_up_failed` would give another try; only reads."""
    return uow.connection.execute(select(func.count()).select_from(reflections).where(_rested(now))).scalar_one()


def counts(uow: UnitOfWork) -> dict[State, int]:
    """Count the rows by state."""
    query = select(reflections.c.state, func.count()).group_by(reflections.c.state)
    return {State(state): count for state, count in uow.connection.execute(query)}


def trim(uow: UnitOfWork, before: datetime, limit: int = 500) -> int:
    """Take out rows done before ``before``, at most ``limit`` at a time; give how many."""
    over = select(reflections.c.id).where(_over(before)).limit(limit)
    return uow.connection.execute(delete(reflections).where(reflections.c.id.in_(over))).rowcount


def old(uow: UnitOfWork, before: datetime) -> int:
    """Count the rows that `trim` would take out in the end; only reads."""
    return uow.connection.execute(select(func.count()).select_from(reflections).where(_over(before))).scalar_one()


def move_chat(uow: UnitOfWork, old_chat: int, new_chat: int) -> None:
    """Take the queue of a chat along to its new number."""
    uow.connection.execute(update(reflections).where(reflections.c.chat_id == old_chat).values(chat_id=new_chat))


def _rested(now: datetime) -> ColumnElement[bool]:
    r = reflections.c
    return and_(r.state == State.FAILED, r.attempts < GIVE_UP_AFTER, r.done_at <= now - TAKE_UP_AFTER)


def _over(before: datetime) -> ColumnElement[bool]:
    return and_(reflections.c.state == State.DONE, reflections.c.done_at < before)


def _job(rows: Sequence[Row[Any]]) -> Job:
    return Job(
        conversation=Conversation(rows[0].chat_id, rows[0].thread_id),
        up_to=max(row.up_to for row in rows),
        turn_keys=tuple(row.turn_key for row in rows),
        attempts=min(row.attempts for row in rows),
    )


def _in(conversation: Conversation) -> ColumnElement[bool]:
    return and_(reflections.c.chat_id == conversation.chat_id, reflections.c.thread_id == conversation.thread_id)


def _of(job: Job) -> ColumnElement[bool]:
    return and_(reflections.c.turn_key.in_(job.turn_keys), reflections.c.state == State.PENDING)
