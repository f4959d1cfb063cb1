"""Reading memories. Every read names an assistant and a scope and sees that scope and ``global``, nothing else."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import and_, func, select

from memory.domain import AgentSlug, Memory, MemoryId, Scope, Status, visible_scopes
from memory.rows import COLUMNS, by_id, by_pk, memory_from_row
from memory.tables import memories
from memory.unit_of_work import UnitOfWork


def get(uow: UnitOfWork, agent: AgentSlug, scope: Scope, memory_id: MemoryId) -> Memory | None:
    """Give a memory that is visible in ``scope``, whatever its status."""
    found = by_ids(uow, agent, scope, (memory_id,))
    return found[0] if found else None


def by_ids(uow: UnitOfWork, agent: AgentSlug, scope: Scope, ids: Iterable[MemoryId]) -> tuple[Memory, ...]:
    """Give those of the memories that are visible in ``scope``, in the order of ``ids``."""
    wanted = dict.fromkeys(ids)
    held = by_id(uow.connection, agent, visible_scopes(scope), wanted)
    return tuple(held[memory_id] for memory_id in wanted if memory_id in held)


def visible(
    uow: UnitOfWork,
    agent: AgentSlug,
    scope: Scope,
    statuses: Sequence[Status] = (Status.ACTIVE,),
    *,
    limit: int = 50,
    offset: int = 0,
) -> tuple[Memory, ...]:
    """Give the memories visible in ``scope``, newest first."""
    query = select(*COLUMNS).where(_visible(agent, scope), memories.c.status.in_(statuses))
    query = query.order_by(memories.c.created_at.desc(), memories.c.pk.desc()).limit(limit).offset(offset)
    return tuple(memory_from_row(row) for row in uow.connection.execute(query))


def find_text(
    uow: UnitOfWork,
    agent: AgentSlug,
    scope: Scope,
    normalised: str,
    statuses: Sequence[Status] = (Status.ACTIVE,),
) -> tuple[Memory, ...]:
    """Give the memories of exactly this scope that say literally the same, oldest first."""
    here = and_(memories.c.agent_slug == agent, memories.c.scope == scope, memories.c.normalised == normalised)
    query = select(*COLUMNS).where(here, memories.c.status.in_(statuses)).order_by(memories.c.pk)
    return tuple(memory_from_row(row) for row in uow.connection.execute(query))


def with_scores(
    uow: UnitOfWork, agent: AgentSlug, scope: Scope, hits: Iterable[tuple[int, float]]
) -> tuple[tuple[Memory, float], ...]:
    """Give the memories of index hits ``(row number, score)`` that are visible in ``scope``, in the order of the hits."""
    scores = dict(hits)
    held, scopes = by_pk(uow.connection, scores), visible_scopes(scope)
    seen = {pk: memory for pk, memory in held.items() if memory.agent_slug == agent and memory.scope in scopes}
    return tuple((seen[pk], score) for pk, score in scores.items() if pk in seen)


def tally(uow: UnitOfWork, agent: AgentSlug, scope: Scope | None = None) -> dict[Status, int]:
    """Count memories by status: those visible in ``scope``, or without one the assistant's, for the owner's status page."""
    here = memories.c.agent_slug == agent if scope is None else _visible(agent, scope)
    query = select(memories.c.status, func.count()).where(here).group_by(memories.c.status)
    return {Status(status): count for status, count in uow.connection.execute(query)}


def _visible(agent: AgentSlug, scope: Scope) -> Any:
    return and_(memories.c.agent_slug == agent, memories.c.scope.in_(visible_scopes(scope)))
