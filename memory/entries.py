"""How a line of the journal is written. Reading it and undoing by it: `journal`."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType

from sqlalchemy import func, insert, select
from ulid import ULID

from memory.cleaning import clean
from memory.domain import Actor, AgentSlug, MemoryId, Scope
from memory.reflection.operations import Outcome
from memory.tables import operations
from memory.unit_of_work import UnitOfWork

OperationId = NewType("OperationId", str)
"""ULID text; a later entry has the greater id, even when the clock steps back."""

USE = "USE"
"""A reply relied on the memory: weight, not content; nobody undoes it and it stands in no undo's way."""
MOVE = "MOVE"
"""The memory changed its scope."""
UNDO = "UNDO"
"""A former change was taken back."""
RESTORE = "RESTORE"
"""What it was merged with was forgotten, so it stands by itself again; nothing to go back to is left."""
FORGET = "FORGET"
"""A person's wish: the words are gone, this line stays without them."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Who changes a memory, and why. ``operation`` is the journal's verb: ADD, UPDATE, DELETE, EXPIRE and so on."""

    operation: str
    actor: Actor
    reason: str
    actor_id: int | None = None  # the person whose words or wish it is
    turn_key: str | None = None
    verdict: Outcome = Outcome.ACCEPT


def record(
    uow: UnitOfWork,
    cause: Cause,
    *,
    agent: AgentSlug,
    scope: Scope,
    at: datetime,
    memory_id: MemoryId | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> OperationId:
    """Write one entry and give its id. ``before`` and ``after`` are snapshots, None where there is no such state."""
    last = uow.connection.scalar(select(func.max(operations.c.id)))
    entry_id = _next_id(last, at)
    values = {
        "id": entry_id,
        "agent_slug": agent,
        "scope": scope,
        "memory_id": memory_id,
        "operation": cause.operation,
        "verdict": cause.verdict.value,
        "reason": clean(cause.reason),
        "actor": cause.actor.value,
        "actor_id": cause.actor_id,
        "turn_key": cause.turn_key,
        "at": at,
    }
    states = {name: dict(state) for name, state in (("before", before), ("after", after)) if state is not None}
    uow.connection.execute(insert(operations), values | states)
    return entry_id


def _next_id(last: str | None, at: datetime) -> OperationId:
    fresh = str(ULID.from_datetime(at))
    if last is None or fresh > last:
        return OperationId(fresh)
    return OperationId(str(ULID.from_int(int(ULID.from_str(last)) + 1)))
