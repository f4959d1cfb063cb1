"""Importance on the scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.reflection.importance import on_scale


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (None, (5, True)), (1, (1, True)), (10, (10, True)), (7.0, (7, True)), (0, (1, False)), (11, (10, False)), (-3, (1, False)), (6.5, (7, False)),
        ("8", (8, False)), ("7/10", (7, False)), ("high", (8, False)), ("Low", (3, False)), ("hoch", (8, False)), ("критично", (5, False)), ("", (5, False)),
        (True, (5, False)), ([7], (5, False)), ({}, (5, False)), (float("nan"), (5, False)), (float("inf"), (10, False)), (10**400, (5, False)),
    ],
)  # fmt: skip
def test_numbers_are_pulled_in_words_mapped_and_nothing_is_five(given_: object, expected: tuple[int, bool]) -> None:
    """The second value says whether it stood on the scale as written."""
    assert on_scale(given_) == expected


@given(st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=10), st.booleans()))
def test_the_result_is_always_on_the_scale(value: object) -> None:
    """Whatever a model writes."""
    assert 1 <= on_scale(value)[0] <= 10
