"""What becomes of a merge when part of it is forgotten: what holds the words goes, the other inputs stand by themselves again."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import select

from memory import erasure, store
from memory.domain import Actor, Memory, MemoryId, Status
from memory.entries import RESTORE, Cause
from memory.erasure import Wording
from memory.rows import COLUMNS, memory_from_row
from memory.tables import memories
from memory.unit_of_work import UnitOfWork

WHY = "what it was merged with was forgotten"


def results_of(uow: UnitOfWork, inputs: Iterable[Memory]) -> tuple[Memory, ...]:
    """Give what the memories were merged into, through all merges; what only replaced them does not hold their words."""
    found: dict[MemoryId, Memory] = {}
    left = list(inputs)
    while left:
        memory = left.pop()
        for result in _by_ids(uow, [memory.superseded_by] if was_merged(memory) and memory.superseded_by else []):
            if result.id not in found and result.scope == memory.scope:
                found[result.id] = result
                left.append(result)
    return tuple(found.values())


def was_merged(memory: Memory) -> bool:
    """Say whether a memory stands behind one that says the same; what was replaced has an end of its own."""
    return memory.status is Status.SUPERSEDED and memory.superseded_by is not None and memory.valid_to is None


def inputs_of(uow: UnitOfWork, results: Collection[MemoryId]) -> tuple[Memory, ...]:
    """Give what stands behind the memories, oldest first."""
    query = select(*COLUMNS).where(memories.c.superseded_by.in_(results)).order_by(memories.c.pk)
    return tuple(memory_from_row(row) for row in uow.connection.execute(query))


def meant_in(
    uow: UnitOfWork, named: Iterable[Memory], results: Iterable[Memory], wish: Wording, *, whole: bool
) -> tuple[Memory, ...]:
    """Give the inputs that go with what was named: those the wish means, and those that say the same as one that goes.

    With ``whole`` a merged memory itself was named, by mark or word for word: then all that it says goes.
    """
    inputs = [one for one in _all_inputs(uow, [*named, *results]) if was_merged(one)]
    gone = [one for one in inputs if whole or wish.matches(one.text) or wish.named_in(one.text)]
    if not gone and not any(was_merged(memory) for memory in named):
        return tuple(inputs)
    merges = {one.superseded_by for one in inputs}  # these say more than what is to be forgotten
    plain = (one for one in (*gone, *filter(was_merged, named)) if one.id not in merges)
    said = [erasure.of_statement(one.text) for one in plain]
    return (*gone, *(one for one in inputs if one not in gone and any(text.matches(one.text) for text in said)))


def _all_inputs(uow: UnitOfWork, results: Iterable[Memory]) -> tuple[Memory, ...]:
    found: dict[MemoryId, Memory] = {}
    left = [memory.id for memory in results]
    while left:
        fresh = {one.id: one for one in inputs_of(uow, left) if one.id not in found}
        found |= fresh
        left = list(fresh)
    return tuple(found.values())


def restore(
    uow: UnitOfWork,
    gone: Collection[MemoryId],
    *,
    now: datetime,
    by: int | None = None,
    index: store.VectorSink | None = None,
) -> int:
    """Let what stood behind the erased memories stand by itself: active again, or without a successor where it was replaced."""
    cause = Cause(RESTORE, Actor.PERSON, WHY, actor_id=by)
    left = [memory for memory in inputs_of(uow, gone) if memory.id not in gone]
    for memory in left:
        back: dict[str, Any] = {"status": Status.ACTIVE} if was_merged(memory) else {}
        store.change(uow, memory, now=now, cause=cause, index=index, superseded_by=None, **back)
    return len(left)


def _by_ids(uow: UnitOfWork, ids: Collection[MemoryId]) -> tuple[Memory, ...]:
    query = select(*COLUMNS).where(memories.c.id.in_(ids))
    return tuple(memory_from_row(row) for row in uow.connection.execute(query))
