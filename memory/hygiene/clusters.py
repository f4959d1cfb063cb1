"""Near-duplicates: pairs of one scope and subject that lie close in meaning, put together into clusters.

Likeness proposes and never decides: paraphrases and contradictions lie in the same range (`policy`). The matrix product is
exact; it comes block by block, so that whoever drives it can do other things in between.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from memory import policy, verdicts
from memory.domain import Memory, MemoryId, Scope, Status
from memory.matrix import Vector
from memory.reflection.authority import is_same_person
from memory.rows import by_pk
from memory.steps import Engine
from memory.tables import memories
from memory.unit_of_work import UnitOfWork
from memory.vectors import unpack

Edge = tuple[float, int, int]
"""Cosine and row numbers of two memories, the lesser first."""


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one scope and subject (case-folded) that can be compared."""

    scope: Scope
    subject: str
    pks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Two to eight memories that may say the same, oldest first."""

    memories: tuple[Memory, ...]


def groups(uow: UnitOfWork, engine: Engine, scope: Scope | None = None) -> tuple[Group, ...]:
    """Give the groups with something to compare: active, unpinned memories with a vector of the loaded model."""
    m = memories.c
    query = select(m.pk, m.scope, m.subject).where(
        m.agent_slug == engine.agent, m.status == Status.ACTIVE, m.pinned.is_(False), m.embedding_model == engine.digest
    )
    if scope is not None:
        query = query.where(m.scope == scope)
    found: dict[tuple[Scope, str], list[int]] = {}
    for row in uow.connection.execute(query.order_by(m.pk)):
        found.setdefault((Scope(row.scope), (row.subject or "").casefold()), []).append(row.pk)
    return tuple(Group(where, subject, tuple(pks)) for (where, subject), pks in found.items() if len(pks) > 1)


def vectors_of(uow: UnitOfWork, engine: Engine, pks: Sequence[int]) -> tuple[NDArray[np.int64], Vector]:
    """Give those of the rows that still have a vector of the loaded model, and the vectors, one a row."""
    m = memories.c
    found: dict[int, Vector] = {}
    for first in range(0, len(pks), policy.ROWS_READ_AT_ONCE):
        some = pks[first : first + policy.ROWS_READ_AT_ONCE]
        query = select(m.pk, m.embedding).where(m.pk.in_(some), m.embedding_model == engine.digest)
        found |= {row.pk: unpack(row.embedding) for row in uow.connection.execute(query)}
    if not found:
        return np.empty(0, np.int64), np.empty((0, 0), np.float32)
    return np.fromiter(found, np.int64, len(found)), np.stack(list(found.values()))


def near(pks: NDArray[np.int64], vectors: Vector, threshold: float) -> Iterator[list[Edge]]:
    """Give the pairs at least as near as ``threshold``, one block of the matrix product after the other.

    Each yield is some milliseconds of numpy, which lets other threads run. Only the upper triangle is made.
    """
    size = policy.HYGIENE_BLOCK
    for row in range(0, len(pks), size):
        for column in range(row, len(pks), size):
            yield _block(pks, vectors, row, column, threshold)


def _block(pks: NDArray[np.int64], vectors: Vector, row: int, column: int, threshold: float) -> list[Edge]:
    size = policy.HYGIENE_BLOCK
    cosines = vectors[row : row + size] @ vectors[column : column + size].T
    places = np.flatnonzero(cosines.ravel() >= threshold)
    left, right = np.divmod(places, cosines.shape[1])
    upper = left + row < right + column
    left, right = left[upper], right[upper]
    found = zip(cosines[left, right].tolist(), pks[left + row].tolist(), pks[right + column].tolist(), strict=True)
    return [(cosine, min(one, other), max(one, other)) for cosine, one, other in found]


def clusters(uow: UnitOfWork, edges: Iterable[Edge]) -> tuple[Cluster, ...]:
    """Put pairs together into clusters of at most eight, the nearest first; what was judged as it stands is left out.

    Pairs that would make a cluster too large wait for the next pass.
    """
    strongest = sorted(edges, key=lambda edge: (-edge[0], edge[1:]))[: policy.PAIRS_A_PASS]
    held = by_pk(uow.connection, {pk for _, *pair in strongest for pk in pair})
    held = {pk: memory for pk, memory in held.items() if memory.status is Status.ACTIVE and not memory.pinned}
    judged = verdicts.of_pairs(uow, [memory.id for memory in held.values()])
    wanted = [edge for edge in strongest if _may_join(held.get(edge[1]), held.get(edge[2]), judged)]
    return tuple(Cluster(tuple(sorted((held[pk] for pk in group), key=_age))) for group in _joined(wanted))


def _may_join(one: Memory | None, other: Memory | None, judged: dict[verdicts.Pair, str]) -> bool:
    if one is None or other is None or one.scope != other.scope or one.agent_slug != other.agent_slug:
        return False
    return verdicts.pair(one, other) not in judged and of_one_person(one, other)


def of_one_person(one: Memory, other: Memory) -> bool:
    """Say whether both are about one subject; namesakes that speak for themselves are told apart by account."""
    if (one.subject or "").casefold() != (other.subject or "").casefold():
        return False
    themselves = is_same_person(one.subject, one.speaker) and is_same_person(other.subject, other.speaker)
    known = one.speaker_id is not None and other.speaker_id is not None
    return one.speaker_id == other.speaker_id if themselves and known else True


def _joined(edges: Iterable[Edge]) -> list[list[int]]:
    """Unite the ends of each edge, unless the union had more than eight."""
    of: dict[int, list[int]] = {}
    for _, one, other in edges:
        left, right = of.setdefault(one, [one]), of.setdefault(other, [other])
        if left is not right and len(left) + len(right) <= policy.CLUSTER_SIZE:
            left += right
            of |= dict.fromkeys(right, left)
    return [group for pk, group in of.items() if group[0] == pk and len(group) > 1]


def _age(memory: Memory) -> tuple[str, MemoryId]:
    return memory.created_at.isoformat(), memory.id
