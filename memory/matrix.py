"""The vectors of one scope in one float32 matrix, with what a question needs to know of each row beside it."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from memory import policy
from memory.changes import STATUS_CODES
from memory.domain import Status

Vector = NDArray[np.float32]
Numbers = Sequence[int] | NDArray[np.int64] | NDArray[np.int8]
Group = tuple[str | None, str]
"""Subject and day: people come back to a matter within one conversation."""

NOWHERE = np.float32(-np.inf)
"""The value of a row that takes no part."""

AT_CENTRE = 1e-6
"""Nearer to the centre a direction from it is noise."""


class Matrix:
    """Vectors of one scope, in no particular order; the arrays have room to grow.

    Beside each stand its group (subject and day) and 1/|m - μ|, its nearness to the centre that was last asked for.
    """

    worn = False  # gaps are filled at once

    def __init__(self, dimensions: int) -> None:
        self.active = 0
        self.total = np.zeros(dimensions)  # of the active rows
        self._count = 0
        self._rows = np.empty((0, dimensions), np.float32)
        self._pks = np.empty(0, np.int64)
        self._statuses = np.empty(0, np.int8)
        self._groups = np.empty(0, np.int32)
        self._scales = np.empty(0, np.float32)
        self._numbers: dict[Group, int] = {}
        self._centre: Vector | None = None

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> Vector:
        """Give the vectors, one a row."""
        return self._rows[: self._count]

    @property
    def pks(self) -> NDArray[np.int64]:
        """Give the row number of each."""
        return self._pks[: self._count]

    @property
    def statuses(self) -> NDArray[np.int8]:
        """Give the code of the status of each."""
        return self._statuses[: self._count]

    @property
    def nbytes(self) -> int:
        """Give the bytes that the arrays take."""
        return sum(array.nbytes for array in (self._rows, self._pks, self._statuses, self._groups, self._scales))

    def scales(self, centre: Vector) -> Vector:
        """Give 1/|m - μ| of each row, measured anew only where the centre has moved."""
        if self._centre is None or float(np.linalg.norm(self._centre - centre)) > policy.CENTRE_DRIFT:
            self._centre = centre
            self._scales[: self._count] = _scales(self.rows, centre)
        return self._scales[: self._count]

    def best_of_groups(self, values: Vector) -> Vector:
        """Give for each row the greatest of ``values`` in its group."""
        most = np.full(len(self._numbers), NOWHERE)
        groups = self._groups[: self._count]
        np.maximum.at(most, groups, values)
        return most[groups]

    def absorb(self, pks: Collection[int], fresh: "Matrix") -> None:
        """Drop the rows ``pks``, the last row moving into each gap, and take in those of ``fresh``."""
        places = np.flatnonzero(np.isin(self.pks, np.fromiter(pks, np.int64, len(pks))))
        self._add_up(self._rows[places], self._statuses[places], -1)
        for place in places[::-1]:
            self._count -= 1
            for array in (self._rows, self._pks, self._statuses, self._groups, self._scales):
                array[place] = array[self._count]
        self.take(fresh.pks, fresh.statuses, fresh.groups(), fresh.rows)

    def groups(self) -> list["Group"]:
        """Give the group of each row."""
        names = list(self._numbers)
        return [names[number] for number in self._groups[: self._count]]

    def take(self, pks: "Numbers", statuses: "Numbers", groups: "Sequence[Group]", rows: Vector) -> None:
        """Take rows in that are not there yet."""
        first, count = self._count, self._count + len(pks)
        if count > len(self._pks):
            self.make_room(max(count, len(self._pks) + len(self._pks) // policy.MATRIX_GROWTH))
        self._pks[first:count] = pks
        self._statuses[first:count] = statuses
        self._groups[first:count] = [self._numbers.setdefault(group, len(self._numbers)) for group in groups]
        self._rows[first:count] = rows
        self._count = count
        self._add_up(rows, self._statuses[first:count], 1)
        if self._centre is not None:
            self._scales[first:count] = _scales(rows, self._centre)

    def make_room(self, size: int) -> None:
        """Have room for ``size`` rows."""
        missing = size - len(self._pks)
        self._rows = np.concatenate([self._rows, np.empty((missing, self._rows.shape[1]), np.float32)])
        self._pks = np.concatenate([self._pks, np.empty(missing, np.int64)])
        self._statuses = np.concatenate([self._statuses, np.empty(missing, np.int8)])
        self._groups = np.concatenate([self._groups, np.empty(missing, np.int32)])
        self._scales = np.concatenate([self._scales, np.zeros(missing, np.float32)])

    def _add_up(self, rows: Vector, statuses: NDArray[np.int8], sign: int) -> None:
        active = statuses == STATUS_CODES[Status.ACTIVE]
        self.active += sign * int(np.count_nonzero(active))
        self.total += sign * (rows if active.all() else rows[active]).sum(axis=0, dtype=np.float64)


def unit(vector: Vector) -> Vector:
    """Give ``vector`` at length 1; one without a direction stays as it is."""
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length > 0 else vector


def _scales(rows: Vector, centre: Vector) -> Vector:
    squares = 1 - 2 * np.vecdot(rows, centre) + float(centre @ centre)
    scales: Vector = np.where(squares > AT_CENTRE, 1 / np.sqrt(np.maximum(squares, AT_CENTRE)), 0)
    return scales
