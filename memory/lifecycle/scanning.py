"""Going through memories page by page: a cheap query proposes rows, the exact rule decides."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import Select

from memory.domain import Memory
from memory.lifecycle.moves import Move
from memory.rows import by_pk
from memory.steps import Engine
from memory.tables import memories
from memory.unit_of_work import UnitOfWork

Page = tuple[tuple[Move, ...], int | None]
"""The moves due among some rows, and the row number to go on after; None when all were looked at."""


def page(
    uow: UnitOfWork,
    engine: Engine,
    proposed: Select[Any],
    limit: int,
    after: int,
    rule: Callable[[Sequence[Memory]], Iterable[Move]],
) -> Page:
    """Give what ``rule`` makes of the next ``limit`` rows that ``proposed`` (row numbers) gives after row ``after``."""
    m = memories.c
    query = proposed.where(m.agent_slug == engine.agent, m.pk > after).order_by(m.pk).limit(limit)
    pks = list(uow.connection.scalars(query))
    found = by_pk(uow.connection, pks)
    moves = tuple(rule([found[pk] for pk in pks]))
    return moves, pks[-1] if len(pks) == limit else None
