"""The guard against models that call everything important."""

from bisect import bisect_left
from collections.abc import Sequence

from sqlalchemy import select

from memory import policy
from memory.domain import AgentSlug, Scope
from memory.tables import memories
from memory.unit_of_work import UnitOfWork


def guarded(rated: int, recent: Sequence[int]) -> int:
    """Give the importance (1-10) of an addition rated ``rated`` among the ``recent`` ratings of its scope, the raw ones.

    Where more than a fifth of those are 7 or more it is the rank among them: the share that lies below, ties counting half,
    read off the distribution of a model that rates with measure.
    """
    important = sum(one >= policy.INFLATED_IMPORTANCE for one in recent)
    if len(recent) < policy.INFLATION_LEAST or important <= policy.INFLATED_SHARE * len(recent):
        return rated
    below = sum(one < rated for one in recent) + sum(one == rated for one in recent) / 2
    return min(rated, bisect_left(policy.SANE_SHARES, below / len(recent)) + 1)


def recent_ratings(uow: UnitOfWork, agent: AgentSlug, scope: Scope) -> tuple[int, ...]:
    """Give how the latest additions of exactly this scope were rated, newest first."""
    m = memories.c
    query = select(m.rated).where(m.agent_slug == agent, m.scope == scope, m.rated.is_not(None))
    return tuple(uow.connection.scalars(query.order_by(m.pk.desc()).limit(policy.INFLATION_AMONG)))
