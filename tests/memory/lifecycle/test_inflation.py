"""A model that calls everything important is read relative to itself."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.lifecycle.inflation import guarded

RATINGS = st.integers(1, 10)
SANE = [2, 3, 4] * 4 + [8, 6]
INFLATED = [5, 6, 7] * 4 + [10, 9]


def test_a_model_with_measure_is_taken_at_its_word() -> None:
    recent = SANE * 14
    assert [guarded(rated, recent) for rated in range(1, 11)] == list(range(1, 11))


@pytest.mark.parametrize("always", [7, 9, 10])
def test_a_model_that_says_always_the_same_says_nothing(always: int) -> None:
    assert guarded(always, [always] * 200) == 5


def test_noise_of_an_inflated_model_stays_small_and_what_matters_stands_out() -> None:
    """Additions rated 5 to 7 are everyday, the tens among them are not."""
    recent = INFLATED * 14
    assert max(guarded(rated, recent) for rated in (5, 6, 7)) <= 5
    assert guarded(10, recent) >= 7


@pytest.mark.parametrize(("important", "guards"), [(40, False), (41, True)])
def test_it_begins_beyond_a_fifth(important: int, guards: bool) -> None:
    recent = [9] * important + [3] * (200 - important)
    assert (guarded(9, recent) < 9) is guards


@pytest.mark.parametrize("few", [0, 5, 19])
def test_a_handful_of_additions_proves_nothing(few: int) -> None:
    assert guarded(10, [10] * few) == 10


def test_a_low_rating_is_never_raised_to_its_rank() -> None:
    assert guarded(2, [1] * 150 + [9] * 50) == 2


@given(st.lists(RATINGS, min_size=20, max_size=200), RATINGS, RATINGS)
def test_the_order_of_ratings_stays_and_nothing_is_raised(recent: list[int], one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 1 <= guarded(low, recent) <= guarded(high, recent) <= 10
    assert guarded(one, recent) <= one


def test_order_does_not_matter() -> None:
    recent = INFLATED * 14
    mixed = random.Random(1).sample(recent, len(recent))
    assert [guarded(n, recent) for n in range(1, 11)] == [guarded(n, mixed) for n in range(1, 11)]
