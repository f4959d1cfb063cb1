"""The lessons of a place: which there are, with what brings them up, and one more cue for one that is known already."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select

from memory import store
from memory.attachments import Triggers, triggers_of
from memory.domain import Actor, AgentSlug, Kind, Memory, Scope, Status, visible_scopes
from memory.entries import Cause
from memory.reflection.operations import NewMemory, OpName
from memory.rows import COLUMNS, memory_from_row
from memory.tables import memories, memory_triggers
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Lesson:
    """A memory that comes up by itself."""

    memory: Memory
    triggers: Triggers


def lessons(uow: UnitOfWork, agent: AgentSlug, scope: Scope, *, limit: int) -> tuple[Lesson, ...]:
    """Give the active lessons visible in ``scope``, and what else has a cue, newest first."""
    m = memories.c
    cued = select(memory_triggers.c.memory_id)
    here = (m.agent_slug == agent, m.scope.in_(visible_scopes(scope)), m.status == Status.ACTIVE)
    query = select(*COLUMNS).where(*here, or_(m.kind == Kind.LESSON, m.id.in_(cued))).order_by(m.pk.desc()).limit(limit)
    found = [memory_from_row(row) for row in uow.connection.execute(query)]
    return tuple(Lesson(memory, triggers_of(uow, memory.id)) for memory in found)


def cue(
    uow: UnitOfWork,
    memory: Memory,
    triggers: Triggers,
    *,
    now: datetime,
    by: int | None,
    turn_key: str,
    index: store.VectorSink | None = None,
) -> Memory:
    """Give a memory these cues beside those it has, as a person's change that can be undone; it is a lesson from then on.

    Raises:
        StaleMemory: it changed since it was read.
    """
    cause = Cause(OpName.UPDATE, Actor.PERSON, "a person gave it a cue", actor_id=by, turn_key=turn_key)
    said = NewMemory(
        scope=memory.scope,
        text=memory.text,
        kind=Kind.LESSON,
        importance=memory.importance,
        subject=memory.subject,
        speaker=memory.speaker,
        speaker_id=memory.speaker_id,
        trust=memory.trust,
        triggers=triggers.phrases,
        tools=triggers.tools,
    )
    written = store.change(uow, memory, now=now, cause=cause, index=index, said_in=said, kind=Kind.LESSON)
    return written.memory
