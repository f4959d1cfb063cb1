"""Into the archive when a memory has faded and is of little weight, and the way back: a person asked for exactly this.

Archiving hides and never deletes.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import and_, or_, select

from memory import policy, store
from memory.domain import Actor, AgentSlug, Layer, Memory, Scope, Status
from memory.entries import Cause
from memory.lifecycle.decay import LASTING, decay_score, hours_until
from memory.lifecycle.expiry import is_over
from memory.lifecycle.moves import ARCHIVE, Move
from memory.lifecycle.scanning import Page, page
from memory.lived import Ages
from memory.steps import BATCH, Engine
from memory.tables import memories
from memory.unit_of_work import UnitOfWork

RESURRECT = "RESURRECT"


def has_faded(memory: Memory, idle_hours: float) -> bool:
    """Say whether a memory belongs into the archive: of little weight, and faded to less than a tenth of a point.

    The core, what matters (7 and up), pinned ones, procedures and lessons never do.
    """
    kept = memory.pinned or memory.layer is Layer.CORE or memory.kind in LASTING
    if kept or memory.importance >= policy.KEPT_IMPORTANCE:
        return False
    return decay_score(memory, idle_hours) < policy.ARCHIVED_BELOW


def due(uow: UnitOfWork, engine: Engine, *, now: datetime, limit: int = BATCH, after: int = 0) -> Page:
    """Give what has faded into the archive."""
    m = memories.c
    fading = or_(*(and_(m.layer == layer, m.accessed_at < now - soonest) for layer, soonest in _SOONEST.items()))
    undated = or_(m.expires_at.is_(None), m.expires_at < now)  # dated matters leave by the calendar
    light = and_(m.importance < policy.KEPT_IMPORTANCE, m.kind.not_in(LASTING), m.pinned.is_(False), undated)
    query = select(m.pk).where(m.status == Status.ACTIVE, light, fading)
    return page(uow, engine, query, limit, after, lambda found: judged(uow, engine, found, now))


def judged(uow: UnitOfWork, engine: Engine, found: Sequence[Memory], now: datetime) -> list[Move]:
    """Give what of these active memories, as they are given, has faded into the archive."""
    ages = Ages(uow, engine.agent, now)
    undated = (memory for memory in found if memory.expires_at is None or memory.expires_at < now)
    return [_archived(memory) for memory in undated if has_faded(memory, ages.idle(memory))]


_SOONEST = {
    layer: timedelta(hours=hours_until(policy.ARCHIVED_BELOW, 1, layer)) for layer in (Layer.BUFFER, Layer.WORKING)
}
"""Lived time is never longer than plain time: before these nothing of a layer can have faded."""


def _archived(memory: Memory) -> Move:
    return Move(
        memory, ARCHIVE, f"faded from {memory.layer}, importance {memory.importance}", {"status": Status.ARCHIVED}
    )


def resurrect(
    uow: UnitOfWork,
    agent: AgentSlug,
    scope: Scope,
    memory: Memory,
    *,
    now: datetime,
    index: store.VectorSink | None = None,
    turn_key: str | None = None,
    actor: Actor = Actor.MAINTENANCE,
    actor_id: int | None = None,
) -> Memory | None:
    """Bring an archived memory back to ``working``, used now; give it, or None when it is archived no longer.

    Being shown is no use, but for this one case: the question asked for it. The memory is read again, so that one which
    changed, moved, was forgotten or resurrected since the recall stays as it is. So does a dated matter that is over: it was
    shown, and would be archived again. A second call changes nothing.

    Args:
        uow: the transaction that persists the answer.
        agent: whose memory.
        scope: where it was asked for.
        memory: as recall gave it.
        now: the present, aware.
        index: the vectors in memory.
        turn_key: the turn that asked.
        actor: who causes it; with `Actor.PERSON` it is what that person's /undo takes back.
        actor_id: that person.
    """
    held = store.get(uow, agent, scope, memory.id)
    if held is None or held.status is not Status.ARCHIVED or is_over(held, now):
        return None
    cause = Cause(RESURRECT, actor, "a question asked for it", actor_id=actor_id, turn_key=turn_key)
    used = max(now, held.accessed_at)
    back = store.change(
        uow, held, now=now, cause=cause, index=index, status=Status.ACTIVE, layer=Layer.WORKING, accessed_at=used
    )
    return back.memory
