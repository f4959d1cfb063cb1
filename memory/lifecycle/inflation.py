"""The guard against models that call everything important."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from sqlalchemy import select

from memory import policy
from memory.domain import AgentSlug, Layer, Memory, Scope, Status
from memory.lifecycle.decay import LASTING
from memory.lifecycle.moves import FADE, Move
from memory.lifecycle.scanning import Page, page
from memory.steps import BATCH, Engine
from memory.tables import memories
from memory.unit_of_work import UnitOfWork


class Recent(NamedTuple):
    """How the latest additions of a scope were rated, the raw ratings (1-10), since when they came and in how many days."""

    ratings: Sequence[int]
    since: datetime
    days: float


def guarded(rated: int, recent: Sequence[int], days: float = 1.0) -> int:
    """Give the importance (1-10) of an addition rated ``rated`` among the ``recent`` ratings of its scope, the raw ones.

    ``days`` is in how many they came. Where more than a fifth of those are 7 or more, and these came at more than one a day,
    it is the rank among them: the share that lies below, ties counting half, read off the distribution of a model that rates
    with measure.
    """
    important = sum(one >= policy.INFLATED_IMPORTANCE for one in recent)
    sane = max(policy.INFLATED_SHARE * len(recent), policy.INFLATED_A_DAY * days)
    if len(recent) < policy.INFLATION_LEAST or important <= sane:
        return rated
    below = sum(one < rated for one in recent) + sum(one == rated for one in recent) / 2
    return min(rated, bisect_left(policy.SANE_SHARES, below / len(recent)) + 1)


def recent_additions(uow: UnitOfWork, agent: AgentSlug, scope: Scope) -> Recent:
    """Give the latest additions of exactly this scope, newest first."""
    given = (agent, scope, policy.INFLATION_AMONG)
    found = uow.connection.exec_driver_sql(_RECENT, given)  # two hundred rows at every addition and in every pass
    rows = [(rated, datetime.fromisoformat(at).replace(tzinfo=UTC)) for rated, at in found]
    if not rows:
        return Recent((), datetime.max.replace(tzinfo=UTC), 1.0)
    gaps = (later - earlier for (_, later), (_, earlier) in pairwise(rows))
    took = sum((min(max(gap, timedelta()), _PAUSE) for gap in gaps), timedelta())
    return Recent(tuple(rated for rated, _ in rows), rows[-1][1], max(1.0, took / timedelta(days=1)))


_RECENT = """
SELECT rated, created_at FROM memories WHERE agent_slug = ? AND scope = ? AND rated IS NOT NULL ORDER BY pk DESC LIMIT ?
"""
_PAUSE = timedelta(days=7)
"""What a gap between two additions counts at most: nobody was there to say anything, or a clock was wrong."""


def due(
    uow: UnitOfWork,
    engine: Engine,
    *,
    now: datetime,  # noqa: ARG001  every rule is told
    limit: int = BATCH,
    after: int = 0,
) -> Page:
    """Give the latest additions that are rated too high among what was added since: the first ones had no company.

    Only while nobody came back to one: what was said again or used shows its worth by that.
    """
    m = memories.c
    alone = (m.mentions == 0, m.uses == 0, m.accessed_at <= m.created_at)
    unproved = (m.layer != Layer.CORE, m.rated.is_not(None), m.pinned.is_(False), *alone)
    query = select(m.pk).where(m.status == Status.ACTIVE, m.importance > 1, m.kind.not_in(LASTING), *unproved)
    return page(uow, engine, query, limit, after, lambda found: _moves(uow, engine, found))


def _moves(uow: UnitOfWork, engine: Engine, found: Sequence[Memory]) -> list[Move]:
    recent = {scope: recent_additions(uow, engine.agent, scope) for scope in {memory.scope for memory in found}}
    moves = (_move(memory, recent[memory.scope]) for memory in found)
    return [move for move in moves if move is not None]


def _move(memory: Memory, recent: Recent) -> Move | None:
    """Rate a memory anew, while it is among those it is measured by; what settled by its rating alone goes back."""
    if memory.rated is None or memory.created_at < recent.since:
        return None
    among = guarded(memory.rated, recent.ratings, recent.days)
    if among >= memory.importance:
        return None
    back = {"layer": Layer.BUFFER} if among < policy.LASTING_IMPORTANCE else {}
    return Move(memory, FADE, "rated high like most of its time", {"importance": among, **back})
