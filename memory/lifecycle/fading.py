"""The way down: out of the core when contradicted or long unused, and importance that falls with disuse."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import and_, exists, or_, select

from memory import policy
from memory.domain import Layer, Memory, Status
from memory.lifecycle.contradiction import contradicted
from memory.lifecycle.decay import LASTING
from memory.lifecycle.moves import DEMOTE, FADE, Move
from memory.lifecycle.scanning import Page, page
from memory.lived import DAY_HOURS, Ages
from memory.steps import BATCH, Engine
from memory.tables import memories, memory_verdicts
from memory.unit_of_work import UnitOfWork
from memory.verdicts import CONTRADICTS

CONTRADICTED = "contradicted"
UNUSED = f"unused for {policy.CORE_IDLE_DAYS} lived days"


def out_of_core(memory: Memory, idle_hours: float, *, against: bool) -> str | None:
    """Give why a memory leaves the core for working, or None; pinned ones stay."""
    if memory.pinned or memory.layer is not Layer.CORE:
        return None
    if against:
        return CONTRADICTED
    return UNUSED if idle_hours >= policy.CORE_IDLE_DAYS * DAY_HOURS else None


def points_lost(memory: Memory, unweighed_hours: float) -> int:
    """Give by how much importance falls for ``unweighed_hours`` (lived) of disuse: a point for every 60 days, to 1 at the least."""
    if memory.pinned or memory.layer is Layer.CORE or memory.kind in LASTING:
        return 0
    return min(int(unweighed_hours // _PERIOD_HOURS), memory.importance - 1)


def due(uow: UnitOfWork, engine: Engine, *, now: datetime, limit: int = BATCH, after: int = 0) -> Page:
    """Give what leaves the core, and whose importance falls."""
    m, v = memories.c, memory_verdicts.c
    disputed = exists().where(v.verdict == CONTRADICTS, or_(v.one == m.id, v.other == m.id))
    unused = m.accessed_at <= now - timedelta(days=policy.CORE_IDLE_DAYS)
    core = and_(m.layer == Layer.CORE, or_(unused, disputed))
    weighed = now - timedelta(days=policy.FADING_DAYS)
    below = and_(
        m.layer != Layer.CORE,
        m.importance > 1,
        m.kind.not_in(LASTING),
        m.accessed_at <= weighed,
        or_(m.weighed_at.is_(None), m.weighed_at <= weighed),
    )
    query = select(m.pk).where(m.status == Status.ACTIVE, m.pinned.is_(False), or_(core, below))
    return page(uow, engine, query, limit, after, lambda found: judged(uow, engine, found, now))


def judged(uow: UnitOfWork, engine: Engine, found: Sequence[Memory], now: datetime) -> list[Move]:
    """Give what is due for these active memories, as they are given."""
    ages = Ages(uow, engine.agent, now)
    against = contradicted(uow, [memory for memory in found if memory.layer is Layer.CORE])
    moves = (_demoted(memory, ages, now, memory.id in against) or _fallen(memory, ages) for memory in found)
    return [move for move in moves if move is not None]


def _demoted(memory: Memory, ages: Ages, now: datetime, against: bool) -> Move | None:
    """Let a memory leave the core; disuse costs importance from when it had to, not from when that was noticed."""
    why = out_of_core(memory, ages.idle(memory), against=against)
    if why is None:
        return None
    left = now if against else ages.after(memory.scope, memory.accessed_at, policy.CORE_IDLE_DAYS * DAY_HOURS)
    below = replace(memory, layer=Layer.WORKING, weighed_at=left)
    fallen = _fallen(below, ages)
    return Move(memory, DEMOTE, why, {"layer": Layer.WORKING, "weighed_at": left, **(fallen.fields if fallen else {})})


def _fallen(memory: Memory, ages: Ages) -> Move | None:
    """Let importance fall, and note until when disuse was counted: the rest of a period counts on, whenever the next pass is."""
    since = _weighed_until(memory)
    lost = points_lost(memory, ages.since(memory.scope, since))
    if lost < 1:
        return None
    until = ages.after(memory.scope, since, lost * _PERIOD_HOURS)
    why = f"unused for {lost * policy.FADING_DAYS} lived days"
    return Move(memory, FADE, why, {"importance": memory.importance - lost, "weighed_at": until})


def _weighed_until(memory: Memory) -> datetime:
    return memory.accessed_at if memory.weighed_at is None else max(memory.accessed_at, memory.weighed_at)


_PERIOD_HOURS = policy.FADING_DAYS * DAY_HOURS
