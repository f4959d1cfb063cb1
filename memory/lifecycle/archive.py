"""The way back from the archive: a person asked for exactly this."""

from datetime import datetime

from memory import store
from memory.domain import Actor, AgentSlug, Layer, Memory, Scope, Status
from memory.entries import Cause
from memory.unit_of_work import UnitOfWork

RESURRECT = "RESURRECT"


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

    Being shown is no use, but for this one case: the question named it outright. The memory is read again, so that one which
    changed, moved, was forgotten or resurrected since the recall stays as it is. A second call changes nothing.

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
    if held is None or held.status is not Status.ARCHIVED:
        return None
    cause = Cause(RESURRECT, actor, "a question named it", actor_id=actor_id, turn_key=turn_key)
    used = max(now, held.accessed_at)
    back = store.change(
        uow, held, now=now, cause=cause, index=index, status=Status.ACTIVE, layer=Layer.WORKING, accessed_at=used
    )
    return back.memory
