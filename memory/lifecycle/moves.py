"""A change of standing that a rule asks for: first a value that can be shown, then a write that is journaled."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory import store
from memory.domain import Actor, Memory
from memory.entries import Cause
from memory.steps import Engine
from memory.unit_of_work import UnitOfWork

EXPIRE, PROMOTE, DEMOTE, FADE, ARCHIVE = "EXPIRE", "PROMOTE", "DEMOTE", "FADE", "ARCHIVE"
QUARANTINE, DROP = "QUARANTINE", "DROP"
"""The journal's verbs for what the rules ask for."""


@dataclass(frozen=True, slots=True)
class Move:
    """What is due for a memory as it was read. ``operation`` is the journal's verb, ``reason`` plain words."""

    memory: Memory
    operation: str
    reason: str
    fields: Mapping[str, Any] = field(default_factory=dict)


def carry_out(uow: UnitOfWork, engine: Engine, moves: Iterable[Move], *, now: datetime) -> int:
    """Make each move and journal it; give how many. A memory that changed since it was read stays as it is."""
    return sum(_carry_out(uow, engine, move, now) for move in moves)


def _carry_out(uow: UnitOfWork, engine: Engine, move: Move, now: datetime) -> bool:
    held = store.get(uow, engine.agent, move.memory.scope, move.memory.id)
    if held != move.memory:  # used, repeated or changed meanwhile: the next pass decides again
        return False
    cause = Cause(move.operation, Actor.MAINTENANCE, move.reason)
    store.change(uow, held, now=now, cause=cause, index=engine.index, **move.fields)
    return True
