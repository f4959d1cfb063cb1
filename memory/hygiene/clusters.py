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
from memory.vectors import is_sound, unpack

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
    """Give those of the rows that still have a sound vector of the loaded model, and the vectors, one a row.

    Damaged ones are left out: a dry run comes here before `maintenance.drop_unsound_vectors` took them away.
    """
    m, dimensions = memories.c, engine.index.dimensions if engine.index is not None else None
    found: dict[int, Vector] = {}
    for first in range(0, len(pks), policy.ROWS_READ_AT_ONCE):
        some = pks[first : first + policy.ROWS_READ_AT_ONCE]
        query = select(m.pk, m.embedding).where(m.pk.in_(some), m.embedding_model == engine.digest)
        found |= {
            row.pk: unpack(row.embedding)
            for row in uow.connection.execute(query)
            if is_sound(row.embedding, dimensions)
        }
    if not found:
        return np.empty(0, np.int64), np.empty((0, 0), np.float32)
    return np.fromiter(found, np.int64, len(found)), np.stack(list(found.values()))


def near(
    pks: NDArray[np.int64], vectors: Vector, threshold: float, judged: Sequence[tuple[int, int]] = ()
) -> Iterator[list[Edge]]:
    """Give the pairs at least as near as ``threshold``, one block of the matrix product after the other.

    Each yield is some milliseconds of numpy, which lets other threads run. Only the upper triangle is made. ``judged`` pairs
    (`verdicts.of_rows`) are left out. Where very many lie near, as with a script that the model cannot read, those weaker
    than the strongest so far are left out as well.
    """
    size, apart = policy.HYGIENE_BLOCK, _places_of(pks, judged)
    strongest = np.empty(0, np.float32)
    for row in range(0, len(pks), size):
        for column in range(row, len(pks), size):
            cosines, left, right = _block(vectors, row, column, threshold, apart)
            strongest = np.concatenate((strongest, cosines))
            if len(strongest) > policy.PAIRS_A_PASS:
                strongest = np.partition(strongest, -policy.PAIRS_A_PASS)[-policy.PAIRS_A_PASS :]
                threshold = float(np.nextafter(strongest[0], np.float32(2)))
            yield _edges(cosines, pks[left], pks[right])


def _places_of(pks: NDArray[np.int64], pairs: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """Give where the rows of the pairs stand, the lesser place first; pairs with a row that is not there are left out."""
    wanted = np.array(pairs, np.int64).reshape(-1, 2)
    wanted = wanted[np.isin(wanted, pks).all(axis=1)]
    order = np.argsort(pks)
    return np.sort(order[np.searchsorted(pks, wanted, sorter=order)], axis=1)


def _block(
    vectors: Vector, row: int, column: int, threshold: float, apart: NDArray[np.int64]
) -> tuple[Vector, NDArray[np.int64], NDArray[np.int64]]:
    """Give cosine and places of the near pairs of one block, at most as many as a pass looks at."""
    size = policy.HYGIENE_BLOCK
    cosines = vectors[row : row + size] @ vectors[column : column + size].T
    here = apart[(apart[:, 0] // size == row // size) & (apart[:, 1] // size == column // size)]
    cosines[here[:, 0] - row, here[:, 1] - column] = -1
    left, right = np.divmod(np.flatnonzero(cosines.ravel() >= threshold), cosines.shape[1])
    if row == column:
        left, right = left[left < right], right[left < right]
    found = cosines[left, right]
    if len(found) > policy.PAIRS_A_PASS:
        best = np.argpartition(found, -policy.PAIRS_A_PASS)[-policy.PAIRS_A_PASS :]
        found, left, right = found[best], left[best], right[best]
    return found, left + row, right + column


def _edges(cosines: Vector, one: NDArray[np.int64], other: NDArray[np.int64]) -> list[Edge]:
    lesser, greater = np.minimum(one, other), np.maximum(one, other)
    return list(zip(cosines.tolist(), lesser.tolist(), greater.tolist(), strict=True))


def clusters(uow: UnitOfWork, edges: Iterable[Edge]) -> tuple[Cluster, ...]:
    """Put pairs together into clusters of at most eight, the nearest first; what was judged as it stands is left out.

    Pairs that would make a cluster too large wait until these are judged.
    """
    strongest = sorted(edges, key=lambda edge: (-edge[0], edge[1:]))[: policy.PAIRS_A_PASS]
    pks = sorted({pk for _, *pair in strongest for pk in pair})
    judged = {frozenset(pair) for pair in verdicts.of_rows(uow, pks)}
    held = {pk: memory for pk, memory in by_pk(uow.connection, pks).items() if _takes_part(memory)}
    wanted = [
        edge
        for edge in strongest
        if frozenset(edge[1:]) not in judged and _may_join(held.get(edge[1]), held.get(edge[2]))
    ]
    return tuple(Cluster(tuple(sorted((held[pk] for pk in group), key=_age))) for group in _joined(wanted))


def _takes_part(memory: Memory) -> bool:
    return memory.status is Status.ACTIVE and not memory.pinned


def _may_join(one: Memory | None, other: Memory | None) -> bool:
    if one is None or other is None or one.scope != other.scope or one.agent_slug != other.agent_slug:
        return False
    return of_one_person(one, other)


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
