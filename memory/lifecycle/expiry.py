"""Dated matters leave with their date: by the calendar, however little was lived meanwhile."""

from datetime import UTC, datetime, time

from sqlalchemy import select

from memory.domain import Layer, Memory, Status
from memory.lifecycle.moves import EXPIRE, Move
from memory.lifecycle.scanning import Page, page
from memory.steps import BATCH, Engine
from memory.tables import memories
from memory.unit_of_work import UnitOfWork


def is_over(memory: Memory, now: datetime) -> bool:
    """Say whether the matter ended before today (UTC)."""
    today = datetime.combine(now.astimezone(UTC).date(), time.min, UTC)
    return memory.expires_at is not None and memory.expires_at < today


def due(uow: UnitOfWork, engine: Engine, *, now: datetime, limit: int = BATCH, after: int = 0) -> Page:
    """Give the dated matters to archive, the day (UTC) after they are over; pinned ones stay.

    What settled into the core goes back to working on the way: the archive holds nothing of the core.
    """
    m = memories.c
    over = select(m.pk).where(m.status == Status.ACTIVE, m.pinned.is_(False), m.expires_at < now)
    return page(uow, engine, over, limit, after, lambda found: [_expired(one) for one in found if is_over(one, now)])


def _expired(memory: Memory) -> Move:
    layer = Layer.WORKING if memory.layer is Layer.CORE else memory.layer
    return Move(memory, EXPIRE, "the matter is over", {"status": Status.ARCHIVED, "layer": layer})
