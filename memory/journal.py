"""What happened to memory, why, and the way back.

Every change is written here by the write path itself (`entries.record`), refusals by `refuse`. Only retention and a
purge take anything out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, select, update

from memory import snapshots, store, verdicts
from memory.cleaning import clean
from memory.domain import GLOBAL, Actor, AgentSlug, Memory, MemoryId, Scope, chat_scope
from memory.entries import FORGET, RESTORE, UNDO, USE, Cause, OperationId, record
from memory.policy import UNDO_DAYS
from memory.reflection.operations import Outcome, Reason
from memory.rows import COLUMNS, memory_from_row
from memory.snapshots import Snapshot
from memory.tables import memories, operations
from memory.unit_of_work import UnitOfWork

__all__ = ["CannotUndo", "Cause", "Entry", "Forgotten", "OperationId", "Undone", "applied", "last_undoable"]
__all__ += ["of_memory", "record", "refuse", "trim", "undo"]

_NEVER_UNDONE = (USE, UNDO, FORGET, RESTORE)
_UNDOABLE = (Actor.REFLECTION.value, Actor.PERSON.value, Actor.HYGIENE.value)
"""Whose changes /undo takes back; maintenance goes on by itself. What hygiene did came from no one person's words."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal. ``before`` and ``after`` are snapshots, None where there was no such state."""

    id: OperationId
    agent_slug: AgentSlug
    scope: Scope
    memory_id: MemoryId | None
    operation: str
    verdict: Outcome
    reason: str
    before: Snapshot | None
    after: Snapshot | None
    actor: Actor
    actor_id: int | None
    turn_key: str | None
    at: datetime
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class Undone:
    """A change that was taken back. ``summary`` is a few words for the person; ``memory`` is None where it is gone."""

    summary: str
    memory: Memory | None
    undone: OperationId
    operation_id: OperationId


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Nothing was taken back, since the newest change is a forgetting, and that is for good."""

    is_anything_older: bool  # that could be taken back


@dataclass(frozen=True, slots=True)
class CannotUndo:
    """Why nothing was taken back: a sentence for the person."""

    why: str


def refuse(
    uow: UnitOfWork,
    cause: Cause,
    *,
    agent: AgentSlug,
    scope: Scope,
    at: datetime,
    reason: Reason,
    memory_id: MemoryId | None = None,
    proposed: Mapping[str, Any] | None = None,
) -> OperationId:
    """Note what was not done. What was proposed is kept, unless it holds a secret or what was to be forgotten."""
    kept = None if reason in {Reason.SECRET, Reason.TOMBSTONE} or not proposed else {"proposed": _cleaned(proposed)}
    return record(uow, cause, agent=agent, scope=scope, at=at, memory_id=memory_id, after=kept)


def applied(uow: UnitOfWork, agent: AgentSlug, turn_key: str, actor: Actor) -> bool:
    """Say whether this turn has written to memory already."""
    here = and_(operations.c.agent_slug == agent, operations.c.turn_key == turn_key, operations.c.actor == actor)
    return uow.connection.execute(select(operations.c.id).where(here).limit(1)).first() is not None


def last_undoable(
    uow: UnitOfWork, agent: AgentSlug, scope: Scope, person_id: int | None, *, since: datetime
) -> OperationId | None:
    """Give the newest change in ``scope`` that can be taken back; with ``person_id`` only from that person's words.

    In a private chat that includes what its person made global there, and what hygiene did to what that person said: a private
    chat's id is its person's.
    """
    o = operations.c
    changed = and_(o.before.is_distinct_from(o.after), o.verdict.in_((Outcome.ACCEPT.value, Outcome.REINFORCE.value)))
    query = select(o.id, o.scope, o.actor_id, memories.c.speaker_id.label("speaker_id"))
    query = query.outerjoin(memories, and_(memories.c.id == o.memory_id, o.actor == Actor.HYGIENE))
    query = query.where(o.agent_slug == agent, o.scope.in_({scope, GLOBAL}))
    query = query.where(o.undone_at.is_(None), o.at >= since, o.memory_id.is_not(None), o.actor.in_(_UNDOABLE), changed)
    query = query.where(o.operation.not_in(_NEVER_UNDONE)).order_by(o.id.desc())
    query = query.where(func.json_type(o.after, "$.memory").is_not(None))  # what was forgotten since is passed over
    if person_id is not None:
        query = query.where(o.actor_id == person_id)
    for row in uow.connection.execute(query):
        whose = row.actor_id if row.actor_id is not None else row.speaker_id
        if row.scope == scope or (whose is not None and chat_scope(whose) == scope):
            return OperationId(row.id)
    return None


def undo(
    uow: UnitOfWork,
    operation_id: OperationId,
    *,
    now: datetime,
    by: int | None,
    index: store.VectorSink | None = None,
    turn_key: str | None = None,
) -> Undone | CannotUndo:
    """Restore the state before a change: row, sources, triggers, versions, days, full text.

    A merge is taken back as a whole, and never done again. A vector survives where the text does; else maintenance fills it
    in. The revision goes on growing.
    """
    entry = _entry(uow, operation_id)
    if entry is None:
        return CannotUndo("There is no such change.")
    together = _together(uow, entry)
    problem = next((why for one in together if (why := _problem(uow, one, now)) is not None), None)
    if problem is not None:
        return CannotUndo(problem)
    undone = [_take_back(uow, one, now, _undo_of(one, by, turn_key), index) for one in together]
    return undone[0] if len(undone) == 1 else _parted(uow, undone, now)


def of_memory(uow: UnitOfWork, agent: AgentSlug, scope: Scope, memory_id: MemoryId) -> tuple[Entry, ...]:
    """Give the story of one memory as far as it is visible in ``scope``, oldest first."""
    o = operations.c
    query = select(operations).where(o.agent_slug == agent, o.scope.in_((scope, GLOBAL)), o.memory_id == memory_id)
    return tuple(_from_row(row) for row in uow.connection.execute(query.order_by(o.id)))


def was_forgotten_since(
    uow: UnitOfWork,
    agent: AgentSlug,
    scope: Scope,
    person_id: int | None,
    *,
    since: datetime,
    after: OperationId | None,
) -> bool:
    """Say whether something was forgotten in ``scope`` since then and after the change ``after``: nobody undoes that.

    With ``person_id`` only that person's wishes count. What was global counts in the private chat of who wished it gone.
    """
    o = operations.c
    query = select(o.scope, o.actor_id).where(o.agent_slug == agent, o.operation == FORGET, o.at >= since)
    query = query.where(o.scope.in_({scope, GLOBAL}))
    if after is not None:
        query = query.where(o.id > after)
    if person_id is not None:
        query = query.where(o.actor_id == person_id)
    return any(
        row.scope == scope or (row.actor_id is not None and chat_scope(row.actor_id) == scope)
        for row in uow.connection.execute(query)
    )


def last_forgotten(uow: UnitOfWork, agent: AgentSlug) -> datetime | None:
    """Give when a person last had something forgotten, as far back as the journal goes."""
    o = operations.c
    return uow.connection.scalar(
        select(o.at).where(o.agent_slug == agent, o.operation == FORGET).order_by(o.id.desc()).limit(1)
    )


def trim(uow: UnitOfWork, agent: AgentSlug, before: datetime, limit: int = 200) -> int:
    """Take out entries older than ``before``, at most ``limit`` at a time; give how many."""
    over = select(operations.c.id).where(_over(agent, before)).limit(limit)
    return uow.connection.execute(delete(operations).where(operations.c.id.in_(over))).rowcount


def old(uow: UnitOfWork, agent: AgentSlug, before: datetime) -> int:
    """Count the entries that `trim` would take out in the end; only reads."""
    return uow.connection.execute(select(func.count()).select_from(operations).where(_over(agent, before))).scalar_one()


# --- inside


def _over(agent: AgentSlug, before: datetime) -> ColumnElement[bool]:
    return and_(operations.c.agent_slug == agent, operations.c.at < before)


def _together(uow: UnitOfWork, entry: Entry) -> list[Entry]:
    """Give what is taken back with an entry, latest first: all of a merge, else itself alone."""
    if entry.actor is not Actor.HYGIENE or entry.turn_key is None:
        return [entry]
    o = operations.c
    same = and_(o.agent_slug == entry.agent_slug, o.turn_key == entry.turn_key, o.actor == Actor.HYGIENE)
    return [_from_row(row) for row in uow.connection.execute(select(operations).where(same).order_by(o.id.desc()))]


def _undo_of(entry: Entry, by: int | None, turn_key: str | None) -> Cause:
    return Cause(UNDO, Actor.PERSON, f"undo of {entry.id}", actor_id=by, turn_key=turn_key)


def _parted(uow: UnitOfWork, undone: Sequence[Undone], now: datetime) -> Undone:
    """Remember that a person wants the inputs of a merge apart, and say so."""
    back = [one.memory for one in undone if one.memory is not None]
    for one, other in combinations(back, 2):
        verdicts.keep(uow, verdicts.Question.MERGE, one, other, verdicts.PARTED, now=now)
    texts = ", ".join(f"“{memory.text}”" for memory in reversed(back))
    return replace(undone[-1], summary=f"these stand by themselves again: {texts}.", memory=back[-1] if back else None)


def _problem(uow: UnitOfWork, entry: Entry, now: datetime) -> str | None:
    if entry.undone_at is not None:
        return "That was taken back already."
    if entry.at < now - timedelta(days=UNDO_DAYS):
        return f"That is more than {UNDO_DAYS} days ago; I no longer keep how it was before."
    if entry.operation in _NEVER_UNDONE or entry.before == entry.after or entry.memory_id is None:
        return "Nothing changed then that could be taken back."
    if entry.after is None or "memory" not in entry.after:
        return "I was asked to forget that; there is nothing left to restore."
    return _problem_now(uow, entry, entry.memory_id)


def _problem_now(uow: UnitOfWork, entry: Entry, memory_id: MemoryId) -> str | None:
    current = snapshots.take(uow, memory_id)
    if current is None:
        return "That memory is gone; there is nothing left to restore."
    o = operations.c
    later = and_(o.memory_id == memory_id, o.id > entry.id, o.undone_at.is_(None), o.verdict != Outcome.REJECT.value)
    counted = and_(o.operation.not_in(_NEVER_UNDONE), o.actor != Actor.MAINTENANCE.value)
    touched = uow.connection.execute(select(o.before, o.after).where(later, counted)).all()
    moved = entry.before is not None and snapshots.conflicts(
        entry.after or {}, current, snapshots.changed_columns(entry.before, entry.after or {})
    )
    if moved or any(row.before != row.after for row in touched):
        return "That memory has changed since. Take back the later change first."
    return None


def _take_back(uow: UnitOfWork, entry: Entry, now: datetime, cause: Cause, index: store.VectorSink | None) -> Undone:
    assert entry.memory_id is not None
    assert entry.after is not None
    row = uow.connection.execute(select(*COLUMNS).where(memories.c.id == entry.memory_id)).one()
    former = memory_from_row(row)
    before = snapshots.take(uow, former.id)
    memory = _restore(uow, former, entry.before, entry.after, index)
    after = snapshots.take(uow, former.id)
    scope = memory.scope if memory else former.scope
    undo_id = record(
        uow, cause, agent=entry.agent_slug, scope=scope, at=now, memory_id=former.id, before=before, after=after
    )
    uow.connection.execute(update(operations).where(operations.c.id == entry.id).values(undone_at=now))
    return Undone(_summary(former, memory), memory, entry.id, undo_id)


def _restore(
    uow: UnitOfWork, former: Memory, before: Snapshot | None, after: Snapshot, index: store.VectorSink | None
) -> Memory | None:
    if before is None:  # it was an addition
        store.erase(uow, former, index=index)
        return None
    current = snapshots.take(uow, former.id)
    assert current is not None
    snapshots.restore_row(uow, former.id, snapshots.changed_columns(before, after), after, current)
    snapshots.restore_beside(uow, former.id, before, after)
    return store.refresh(uow, former, index=index)


def _summary(former: Memory, memory: Memory | None) -> str:
    if memory is None:
        return f"I no longer remember “{former.text}”."
    if memory.text != former.text:
        return f"it says “{memory.text}” again."
    if memory.status != former.status:
        return f"“{memory.text}” is {memory.status} again."
    return f"“{memory.text}” stands as it did before."


def _entry(uow: UnitOfWork, operation_id: OperationId) -> Entry | None:
    row = uow.connection.execute(select(operations).where(operations.c.id == operation_id)).first()
    return None if row is None else _from_row(row)


def _from_row(row: Row[Any]) -> Entry:
    fields = {column.name: getattr(row, column.name) for column in operations.c}
    return Entry(
        **fields
        | {
            "id": OperationId(fields["id"]),
            "verdict": Outcome(fields["verdict"]),
            "actor": Actor(fields["actor"]),
        }
    )


def _cleaned(proposed: Mapping[str, Any]) -> dict[str, Any]:
    return {name: clean(value) if isinstance(value, str) else value for name, value in proposed.items()}
