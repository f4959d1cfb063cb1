"""A change of standing that a rule asks for: first a value that can be shown, then a write that is journaled."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import select

from memory import store, verdicts
from memory.domain import Actor, Memory
from memory.entries import Cause
from memory.rows import COLUMNS, memory_from_row
from memory.steps import Engine
from memory.tables import memories
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
    done = [move.memory.id for move in _still_as_read(uow, moves) if _carry_out(uow, engine, move, now)]
    verdicts.carry_over(uow, done)
    return len(done)


def _still_as_read(uow: UnitOfWork, moves: Iterable[Move]) -> list[Move]:
    """Leave out what was used, repeated or changed meanwhile: the next pass decides again."""
    wanted = list(moves)
    rows = uow.connection.execute(select(*COLUMNS).where(memories.c.id.in_([move.memory.id for move in wanted])))
    held = set(map(memory_from_row, rows))
    return [move for move in wanted if move.memory in held]


def _carry_out(uow: UnitOfWork, engine: Engine, move: Move, now: datetime) -> bool:
    cause = Cause(move.operation, Actor.MAINTENANCE, move.reason)
    try:
        store.change(uow, move.memory, now=now, cause=cause, index=engine.index, **move.fields)
    except store.StaleMemory:  # an earlier move of the same batch was about it too
        return False
    return True
