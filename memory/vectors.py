"""Exact cosine search over the vectors of the visible scopes, one float32 matrix for each (assistant, scope).

The matrices mirror the ``memories`` table. A matrix is loaded when its scope is first asked about; what this process
writes comes in through `VectorIndex.put` and `VectorIndex.remove` after the commit; what anybody else writes is found by
comparing row numbers, status and revision whenever SQLite says that the file has changed (``PRAGMA data_version``).
"""

import threading
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory import policy
from memory.domain import AgentSlug, Scope, Status

Vector = NDArray[np.float32]

_STATUS = {status: number for number, status in enumerate(Status)}
_JUST_PUT = -1  # the status of a row is only known once it was read


class Near(NamedTuple):
    """A row of ``memories`` and how near its vector lies: the cosine, -1 to 1."""

    pk: int
    cosine: float


def pack(vector: Vector) -> bytes:
    """Give a vector of unit length as little-endian float32.

    Raises:
        ValueError: it has no dimension, is not finite, or not of unit length.
    """
    if vector.ndim != 1 or not vector.size:
        raise ValueError("a vector is one row of numbers")
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if not abs(length - 1) <= policy.UNIT_LENGTH_TOLERANCE:  # NaN fails every comparison
        raise ValueError(f"a stored vector is finite and of length 1, not {length:g}")
    return vector.astype("<f4").tobytes()


def unpack(blob: bytes) -> Vector:
    """Give back the vector that `pack` wrote.

    Raises:
        ValueError: these are not the bytes of finite float32 numbers.
    """
    vector = np.frombuffer(blob, dtype="<f4").astype(np.float32)
    if not vector.size or not np.isfinite(vector).all():
        raise ValueError("these bytes are no vector")
    return vector


class VectorIndex:
    """The vectors of one embedding model, held in memory. Any thread may use it."""

    def __init__(self, digest: str, dimensions: int) -> None:
        self.digest = digest
        self.dimensions = dimensions
        self._lock = threading.Lock()
        self._matrices: dict[tuple[AgentSlug, Scope], _Matrix] = {}
        self._mark = object()  # under it each connection remembers what it has seen for this very index
        self._epoch = 0  # counts the comparisons with the file that found a difference

    def put(self, agent: AgentSlug, scope: Scope, pk: int, vector: Vector) -> None:
        """Take in, or replace, the vector of a row that was just committed.

        Raises:
            ValueError: it has other dimensions than this index.
        """
        self._check(vector)
        with self._lock:
            matrix = self._matrices.get((agent, scope))
            if matrix is not None:
                matrix.set([pk], [_JUST_PUT], [0], vector.reshape(1, -1))

    def remove(self, agent: AgentSlug, scope: Scope, pk: int) -> None:
        """Drop the vector of a row, if it is held."""
        with self._lock:
            matrix = self._matrices.get((agent, scope))
            if matrix is not None:
                matrix.drop([pk])

    def search(
        self,
        connection: Connection,
        agent: AgentSlug,
        scopes: Sequence[Scope],
        query: Vector,
        *,
        limit: int,
        statuses: Collection[Status] = (Status.ACTIVE,),
        also: Collection[int] = (),
    ) -> list[Near]:
        """Give the ``limit`` nearest rows of ``scopes``, nearest first, and those of ``also`` that have a vector.

        A row that was written this instant may appear whatever its status: whoever reads the row decides.

        Raises:
            ValueError: ``query`` has other dimensions than this index.
        """
        self._check(query)
        with self._lock:
            matrices = self._in_step(connection, agent, scopes)
            pks = np.concatenate([np.empty(0, np.int64), *(matrix.pks for matrix in matrices)])
            cosines = np.concatenate([np.empty(0, np.float32), *(matrix.rows @ query for matrix in matrices)])
            known = np.concatenate([np.empty(0, np.int8), *(matrix.statuses for matrix in matrices)])
        allowed = np.isin(known, [_JUST_PUT, *(_STATUS[status] for status in statuses)])
        return _best(pks[allowed], cosines[allowed], limit, also)

    def count(self, connection: Connection, agent: AgentSlug, scopes: Sequence[Scope]) -> int:
        """Count the rows of ``scopes`` that have a vector of this model."""
        with self._lock:
            return sum(len(matrix.pks) for matrix in self._in_step(connection, agent, scopes))

    def _check(self, vector: Vector) -> None:
        if vector.shape != (self.dimensions,) or not np.isfinite(vector).all():
            raise ValueError(f"this index holds finite vectors of {self.dimensions} dimensions, not {vector.shape}")

    def _in_step(self, connection: Connection, agent: AgentSlug, scopes: Sequence[Scope]) -> list["_Matrix"]:
        """Give the matrices as the snapshot of ``connection`` has them; scopes nobody wrote to have an empty one.

        A connection that saw this very version of the file, with nothing found different since, need not look again.
        """
        version = int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())
        for scope in dict.fromkeys(scopes):
            seen = connection.info.setdefault(self._mark, {})
            matrix = self._matrices.setdefault((agent, scope), _Matrix(self.dimensions))
            if seen.get((agent, scope)) != (version, self._epoch):
                self._epoch += matrix.follow(connection, agent, scope, self.digest)
                seen[agent, scope] = (version, self._epoch)
        return [self._matrices[agent, scope] for scope in dict.fromkeys(scopes)]


class _Matrix:
    """Vectors of one scope, in no particular order; the arrays have room to grow."""

    def __init__(self, dimensions: int) -> None:
        self._rows = np.empty((0, dimensions), np.float32)
        self._pks = np.empty(0, np.int64)
        self._statuses = np.empty(0, np.int8)
        self._revisions = np.empty(0, np.int64)
        self._places: dict[int, int] = {}

    @property
    def rows(self) -> Vector:
        return self._rows[: len(self._places)]

    @property
    def pks(self) -> NDArray[np.int64]:
        return self._pks[: len(self._places)]

    @property
    def statuses(self) -> NDArray[np.int8]:
        return self._statuses[: len(self._places)]

    def follow(self, connection: Connection, agent: AgentSlug, scope: Scope, digest: str) -> bool:
        """Become what the table holds; say whether anything was different."""
        size = self._rows.shape[1] * 4
        held = _read(connection, agent, scope, digest, size)
        gone = [pk for pk in self._places if pk not in held]
        changed = [pk for pk, state in held.items() if self._state(pk) != state]
        self.drop(gone)
        if changed:
            vectors = _vectors(connection, agent, scope, digest, size, changed)
            states = [held[pk] for pk in changed]
            self.set(changed, [status for status, _ in states], [revision for _, revision in states], vectors)
        return bool(gone or changed)

    def set(self, pks: list[int], statuses: list[int], revisions: list[int], vectors: Vector) -> None:
        """Take rows in, replacing those that are there."""
        new = [pk for pk in pks if pk not in self._places]
        self._make_room(len(self._places) + len(new))
        for pk in new:
            self._places[pk] = len(self._places)
        places = np.fromiter((self._places[pk] for pk in pks), np.int64, len(pks))
        self._pks[places] = pks
        self._statuses[places] = statuses
        self._revisions[places] = revisions
        self._rows[places] = vectors

    def drop(self, pks: Iterable[int]) -> None:
        """Take rows out; the last row moves into each gap."""
        for pk in pks:
            place = self._places.pop(pk, None)
            last = len(self._places)
            if place is None or place == last:
                continue
            for array in (self._rows, self._pks, self._statuses, self._revisions):
                array[place] = array[last]
            self._places[int(self._pks[place])] = place

    def _state(self, pk: int) -> tuple[int, int] | None:
        place = self._places.get(pk)
        return None if place is None else (int(self._statuses[place]), int(self._revisions[place]))

    def _make_room(self, count: int) -> None:
        missing = count - len(self._pks)
        if missing <= 0:
            return
        room = missing if not self._places else max(missing, len(self._pks) // policy.MATRIX_GROWTH)
        self._rows = np.concatenate([self._rows, np.zeros((room, self._rows.shape[1]), np.float32)])
        self._pks = np.concatenate([self._pks, np.zeros(room, np.int64)])
        self._statuses = np.concatenate([self._statuses, np.zeros(room, np.int8)])
        self._revisions = np.concatenate([self._revisions, np.zeros(room, np.int64)])


_HELD = "FROM memories WHERE agent_slug = ? AND scope = ? AND embedding_model = ? AND length(embedding) = ?"


def _read(connection: Connection, agent: AgentSlug, scope: Scope, digest: str, size: int) -> dict[int, tuple[int, int]]:
    """Give status and revision of every row with a vector of this model and of the right length."""
    rows = connection.exec_driver_sql(f"SELECT pk, status, revision {_HELD}", (agent, scope, digest, size))
    return {pk: (_STATUS[Status(status)], revision) for pk, status, revision in rows}


def _vectors(connection: Connection, agent: AgentSlug, scope: Scope, digest: str, size: int, pks: list[int]) -> Vector:
    """Give the vectors of ``pks`` in order; one with a number that is none becomes a zero, near to nothing."""
    blobs: dict[int, Any] = {}
    few = len(pks) <= policy.VECTORS_READ_ONE_BY_ONE
    for pk in pks if few else [None]:
        where, bound = (" AND pk = ?", (pk,)) if few else ("", ())
        rows = connection.exec_driver_sql(f"SELECT pk, embedding {_HELD}{where}", (agent, scope, digest, size, *bound))
        blobs |= {number: blob for number, blob in rows}  # noqa: C416 - a Row is no pair for dict()
    vectors = np.frombuffer(b"".join(blobs[pk] for pk in pks), dtype="<f4").reshape(len(pks), -1)
    if np.isfinite(vectors).all():
        return vectors
    return np.where(np.isfinite(vectors).all(axis=1, keepdims=True), vectors, np.float32(0))


def _best(pks: NDArray[np.int64], cosines: Vector, limit: int, also: Collection[int]) -> list[Near]:
    if len(pks) > limit:
        chosen = np.union1d(np.argpartition(-cosines, limit)[:limit], np.flatnonzero(np.isin(pks, list(also))))
        pks, cosines = pks[chosen], cosines[chosen]
    order = np.lexsort((pks, -cosines))
    return [Near(int(pks[place]), float(cosines[place])) for place in order]
