"""Exact search over the vectors of the visible scopes, one float32 matrix for each (assistant, scope).

The matrices mirror the ``memories`` table (`mirrors`): loaded when a scope is first asked about, changed in step with
commits, this process's and any other's, and dropped when idle.
"""

from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory import policy
from memory.changes import STATUS_CODES, as_array
from memory.domain import AgentSlug, Scope, Status
from memory.matrix import AT_CENTRE, NOWHERE, Matrix, Vector, unit
from memory.mirrors import Mirrors, Part
from memory.triggers.held import Meant
from memory.triggers.held import load as load_cues

__all__ = ["Near", "Seen", "Vector", "VectorIndex", "best", "pack", "unit", "unpack"]


class Near(NamedTuple):
    """A row of ``memories`` and how near its vector lies: the cosine, -1 to 1."""

    pk: int
    cosine: float


class Seen(NamedTuple):
    """How a row of ``memories`` looks to a question: the plain cosine, and both values of `VectorIndex.look`."""

    pk: int
    cosine: float
    centred: float
    company: float


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


def is_sound(blob: bytes | None, dimensions: int | None) -> bool:
    """Say whether `unpack` gives a vector of ``dimensions``, or of any where they are not known."""
    try:
        return blob is not None and unpack(blob).size == (dimensions or len(blob) // 4)
    except ValueError:
        return False


class VectorIndex:
    """The vectors of one embedding model, held in memory. Any thread may use it."""

    def __init__(self, digest: str, dimensions: int) -> None:
        self.digest = digest
        self.dimensions = dimensions
        self.neutral: Vector | None = None
        """The mean vector of questions about nothing in particular, where it is known."""
        self._mirrors = Mirrors(self._load)
        self._cues = Mirrors(partial(load_cues, digest=digest, dimensions=dimensions))

    def put(self, agent: AgentSlug, scope: Scope, pk: int, vector: Vector) -> None:
        """Hear of a vector that was just committed. The log of changes tells the rest when somebody next asks.

        Raises:
            ValueError: it has other dimensions than this index.
        """
        self.check(vector)

    def remove(self, agent: AgentSlug, scope: Scope, pk: int) -> None:
        """Hear of a vector that was just removed; as with `put` the log tells the rest."""

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

        Of rows that are equally near the older come first. What the snapshot of ``connection`` does not know yet may
        appear: whoever reads the row decides.

        Raises:
            ValueError: ``query`` has other dimensions than this index.
        """
        self.check(query)
        with self._mirrors.of(connection, agent, scopes) as parts:
            pks = np.concatenate([np.empty(0, np.int64), *(part.held.pks for part in parts)])
            cosines = np.concatenate([np.empty(0, np.float32), *(_cosines(part, query, statuses) for part in parts)])
        chosen = _with(best(cosines, pks, limit), pks, also)
        order = chosen[np.lexsort((pks[chosen], -cosines[chosen]))]
        return [Near(int(pks[at]), float(cosines[at])) for at in order if cosines[at] > NOWHERE]

    def look(
        self,
        connection: Connection,
        agent: AgentSlug,
        scopes: Sequence[Scope],
        question: Vector,
        nameless: Vector | None = None,
        *,
        limit: int,
        also: Collection[int] = (),
        status: Status = Status.ACTIVE,
    ) -> list[Seen]:
        """Give how the ``limit`` most likely rows of ``scopes`` with that status look, and those of ``also``, in no order.

        ``centred`` is the cosine, 0-1, seen from the centre of all active rows, of a question half with and half without
        the names it holds; ``company`` the best of it among the rows of the same scope, subject and day.

        Raises:
            ValueError: a vector has other dimensions than this index, or is not finite.
        """
        for vector in (question, *(() if nameless is None else (nameless,))):
            self.check(vector)
        asked = unit(question)
        mixed = asked if nameless is None else unit(asked + unit(nameless))
        with self._mirrors.of(connection, agent, scopes) as parts:
            centre = _centre(parts, self.neutral)
            views = [_centred(part, mixed, centre, status) for part in parts]
            pks = np.concatenate([np.empty(0, np.int64), *(part.held.pks for part in parts)])
            centred, company = (np.concatenate([np.empty(0, np.float32), *(view[n] for view in views)]) for n in (0, 1))
            chosen = best(centred + policy.COMPANY_WEIGHT * company, pks, limit)
            chosen = _with(chosen, pks, also)
            chosen = chosen[centred[chosen] > NOWHERE]
            cosines = _products(parts, np.sort(chosen), asked)
        return [Seen(int(pks[at]), cosine, float(centred[at]), float(company[at])) for at, cosine in cosines]

    def near_cues(
        self, connection: Connection, agent: AgentSlug, scopes: Sequence[Scope], message: Vector, least: float
    ) -> list[Meant]:
        """Give the cue phrases of ``scopes`` whose cosine with ``message`` is ``least`` or more, in no order.

        Raises:
            ValueError: ``message`` has other dimensions than this index, or is not finite.
        """
        self.check(message)
        with self._cues.of(connection, agent, scopes) as parts:
            return [meant for part in parts for meant in part.held.near(message, least, part.hidden)]

    def count(self, connection: Connection, agent: AgentSlug, scopes: Sequence[Scope]) -> int:
        """Count the rows of ``scopes`` that have a vector of this model."""
        with self._mirrors.of(connection, agent, scopes) as parts:
            return sum(len(part.held) - int(np.isin(part.held.pks, list(part.hidden)).sum()) for part in parts)

    @property
    def nbytes(self) -> int:
        """Give the bytes that all held matrices take."""
        return sum(matrix.nbytes for matrix in self._mirrors.held().values())

    def check(self, vector: Vector) -> None:
        """Refuse what is no vector of this model.

        Raises:
            ValueError: it has other dimensions, or is not finite.
        """
        if vector.shape != (self.dimensions,) or not np.isfinite(vector).all():
            raise ValueError(f"this index holds finite vectors of {self.dimensions} dimensions, not {vector.shape}")

    def _load(self, connection: Connection, agent: AgentSlug, scope: Scope, pks: Collection[int] | None) -> "Matrix":
        """Read the vectors of this model and of the right length; one with a number that is none becomes a zero."""
        matrix = Matrix(self.dimensions)
        where = (agent, scope, self.digest, self.dimensions * 4)
        if pks is None:
            matrix.make_room(int(connection.exec_driver_sql(_COUNT, where).scalar_one()))
            result = connection.exec_driver_sql(_ALL, where)
        else:
            result = connection.exec_driver_sql(_SOME, (as_array(pks), *where))
        while rows := result.fetchmany(policy.ROWS_READ_AT_ONCE):
            numbers, statuses, subjects, days, blobs = zip(*rows, strict=True)
            groups = list(zip(subjects, days, strict=True))
            matrix.take(numbers, [_CODES[status] for status in statuses], groups, _finite(blobs))
        return matrix


_CODES = {status.value: code for status, code in STATUS_CODES.items()}
_HELD = "WHERE agent_slug = ? AND scope = ? AND embedding_model = ? AND length(embedding) = ?"
_COUNT = f"SELECT count(*) FROM memories {_HELD}"  # noqa: S608
_COLUMNS = "pk, status, subject, substr(created_at, 1, 10), embedding"
_ALL = f"SELECT {_COLUMNS} FROM memories {_HELD}"  # noqa: S608
_SOME = (
    f"SELECT {_COLUMNS} "  # noqa: S608
    f"FROM json_each(?) AS wanted CROSS JOIN memories ON memories.pk = wanted.value {_HELD}"
)


def _cosines(part: Part[Matrix], query: Vector, statuses: Collection[Status]) -> Vector:
    """Give the product of each row with the question; what takes no part lies infinitely far away."""
    # Not a matrix product: that one shares the work among threads, and waiting until a busy machine wakes the second one
    # takes ten times as long as the work (measured: 7.5 ms against 0.6 for 10,000 rows).
    cosines: Vector = np.vecdot(part.held.rows, query)
    _shut_out(cosines, part, statuses)
    return cosines


def _shut_out(values: Vector, part: Part[Matrix], statuses: Collection[Status]) -> None:
    for status in set(Status).difference(statuses):
        values[part.held.statuses == STATUS_CODES[status]] = NOWHERE
    if part.hidden:
        values[np.isin(part.held.pks, list(part.hidden))] = NOWHERE


def _centre(parts: Sequence[Part[Matrix]], neutral: Vector | None) -> Vector:
    """Give the mean of the active rows, leaning on the neutral questions' (or on the origin) while there are few rows."""
    total = sum((part.held.total for part in parts), np.zeros(()))
    count = sum(part.held.active for part in parts)
    for part in (part for part in parts if part.hidden):
        gone = np.isin(part.held.pks, list(part.hidden)) & (part.held.statuses == STATUS_CODES[Status.ACTIVE])
        total = total - part.held.rows[gone].sum(axis=0, dtype=np.float64)
        count -= int(np.count_nonzero(gone))
    leaning = 0.0 if neutral is None else policy.CENTRE_PRIOR * neutral.astype(np.float64)
    centre: Vector = ((total + leaning) / (count + policy.CENTRE_PRIOR)).astype(np.float32)
    return centre


def _centred(part: Part[Matrix], asked: Vector, centre: Vector, status: Status) -> tuple[Vector, Vector]:
    """Give centred cosine and company of each row; what takes no part lies infinitely far away.

    (m - μ)·(q - μ) = m·(q - μ) - μ·(q - μ): one product with the matrix, whatever the centre.
    """
    away = asked - centre
    length = max(float(np.linalg.norm(away)), AT_CENTRE)
    values = (np.vecdot(part.held.rows, away) - centre @ away) * part.held.scales(centre) / np.float32(length)
    values = np.maximum(values, np.float32(0))
    _shut_out(values, part, (status,))
    return values, part.held.best_of_groups(values)


def _products(parts: Sequence[Part[Matrix]], places: NDArray[np.int64], query: Vector) -> list[tuple[int, float]]:
    """Give each of ``places`` (in order, counted over all parts) with the product of its row and ``query``."""
    products: list[float] = []
    first = 0
    for part in parts:
        here = places[(places >= first) & (places < first + len(part.held))] - first
        products += np.vecdot(part.held.rows[here], query).tolist()
        first += len(part.held)
    return list(zip(places.tolist(), products, strict=True))


def _with(chosen: NDArray[np.int64], pks: NDArray[np.int64], also: Collection[int]) -> NDArray[np.int64]:
    """Give the places chosen and those of the rows ``also``."""
    held = np.flatnonzero(np.isin(pks, np.fromiter(also, np.int64, len(also)))) if also else chosen
    return np.concatenate([chosen, held[~np.isin(held, chosen)]])


def best(scores: NDArray[np.floating], pks: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Give the places of the ``limit`` greatest scores, in no order; of equal ones those of the smallest ``pks``."""
    if len(scores) <= limit:
        return np.arange(len(scores))
    if limit < 1:
        return np.empty(0, np.int64)
    last = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    above = np.flatnonzero(scores > last)
    level = np.flatnonzero(scores == last)
    missing = limit - len(above)
    if len(level) > missing:
        level = level[np.argpartition(pks[level], missing - 1)[:missing]]
    return np.concatenate([above, level])


def _finite(blobs: Sequence[bytes]) -> Vector:
    vectors = np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), -1)
    if np.isfinite(vectors).all():
        return vectors
    return np.where(np.isfinite(vectors).all(axis=1, keepdims=True), vectors, np.float32(0))
