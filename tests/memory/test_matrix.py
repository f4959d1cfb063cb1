"""What stands beside each vector keeps step with it."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.changes import STATUS_CODES
from memory.domain import Status
from memory.matrix import Matrix, unit

DIMENSIONS = 8
ACTIVE, ARCHIVED = STATUS_CODES[Status.ACTIVE], STATUS_CODES[Status.ARCHIVED]
ROWS = st.tuples(st.booleans(), st.sampled_from(("Anna", "Bob", None)), st.sampled_from(("2026-01-01", "2026-01-02")))
CHANGES = st.lists(st.tuples(st.sets(st.integers(0, 12), max_size=4), st.lists(ROWS, max_size=4)), max_size=6)
CENTRE = unit(np.arange(1, DIMENSIONS + 1, dtype=np.float32)) * np.float32(0.3)


def vector(pk: int) -> Any:
    return unit(np.random.default_rng(pk).standard_normal(DIMENSIONS).astype(np.float32))


def matrix_of(rows: dict[int, Any]) -> Matrix:
    made = Matrix(DIMENSIONS)
    statuses = [ACTIVE if active else ARCHIVED for active, _, _ in rows.values()]
    vectors = np.array([vector(pk) for pk in rows], np.float32).reshape(-1, DIMENSIONS)
    made.take(list(rows), statuses, [(subject, day) for _, subject, day in rows.values()], vectors)
    return made


def seen(matrix: Matrix, values: dict[int, float]) -> dict[int, tuple[float, float]]:
    """Give scale and best of its group for each row."""
    of_rows = np.array([values[pk] for pk in matrix.pks.tolist()], np.float32)
    scales, most = matrix.scales(CENTRE), matrix.best_of_groups(of_rows)
    return {pk: (float(a), float(b)) for pk, a, b in zip(matrix.pks.tolist(), scales, most, strict=True)}


@settings(max_examples=60, deadline=None)
@given(changes=CHANGES)
def test_after_any_changes_it_is_as_if_read_anew(changes: Any) -> None:
    """Rows go, come and move into gaps; their sums, groups and distances go with them."""
    held, rows, number = Matrix(DIMENSIONS), {}, 0
    held.scales(CENTRE)  # so that distances are kept from now on
    for gone, added in changes:
        fresh = dict(enumerate(added, number))
        number += len(added)
        rows = {pk: row for pk, row in rows.items() if pk not in gone} | fresh
        held.absorb([*gone, *fresh], matrix_of(fresh))
    anew = matrix_of(rows)
    values = {pk: float(np.sin(pk)) for pk in rows}
    assert seen(held, values) == {pk: pytest.approx(pair, abs=1e-6) for pk, pair in seen(anew, values).items()}
    assert held.active == anew.active == sum(active for active, _, _ in rows.values())
    assert held.total == pytest.approx(anew.total, abs=1e-6)


def test_distances_are_measured_again_once_the_centre_has_moved() -> None:
    """A step too small to matter costs nothing."""
    held = matrix_of(dict.fromkeys(range(5), (True, None, "2026-01-01")))
    first = held.scales(CENTRE).copy()
    assert np.array_equal(held.scales(CENTRE * np.float32(1.0001)), first)
    moved = held.scales(CENTRE * 2)
    assert moved == pytest.approx(1 / np.linalg.norm(held.rows - CENTRE * 2, axis=1), rel=1e-5)


def test_a_row_at_the_centre_has_no_direction() -> None:
    """And divides nothing by zero."""
    held = matrix_of({1: (True, None, "2026-01-01")})
    assert held.scales(vector(1)).tolist() == [0.0]


def test_a_vector_without_a_direction_stays_as_it_is() -> None:
    """The length of every other is one."""
    assert unit(np.zeros(3, np.float32)).tolist() == [0, 0, 0]
    assert np.linalg.norm(unit(np.array([3, 4], np.float32))) == pytest.approx(1)
