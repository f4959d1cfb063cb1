import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.recall.gate import Standing, bar, grown, is_specific, passed, usual_floor

EVIDENCE = st.lists(st.floats(0, 1), max_size=12)


@given(EVIDENCE)
def test_nothing_passes_unless_the_best_clears_the_bar(evidence: list[float]) -> None:
    """Then all pass that reach a quarter of it."""
    gone = passed([Standing(value, 0.4, seen=True) for value in evidence])
    opened = any(value >= 0.4 for value in evidence)
    assert gone == [opened and value >= 0.1 for value in evidence]


def test_a_specific_hit_needs_no_other() -> None:
    """And opens the door to nobody else."""
    assert passed([Standing(0.0, 0.4, seen=True, specific=True), Standing(0.3, 0.4, seen=True)]) == [True, False]


def test_what_has_no_vector_yet_does_not_open_the_door_to_what_has() -> None:
    """Its bar is the words' own and lower."""
    assert passed([Standing(0.15, 0.1, seen=False), Standing(0.3, 0.4, seen=True)]) == [True, False]


@pytest.mark.parametrize(("sight", "expected"), [(1.0, 0.4), (0.0, policy.KEYWORD_FLOOR), (0.5, 0.25)])
def test_the_less_the_embedder_sees_the_more_the_bar_is_the_words_own(sight: float, expected: float) -> None:
    """Chance finds less with words than with meanings."""
    assert bar(0.4, sight) == pytest.approx(expected)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_the_floor_grows_with_the_store_within_its_bounds(one: int, other: int) -> None:
    """The best of many chances stands higher than the best of few."""
    small, large = sorted((one, other))
    assert policy.SMALL_FLOOR <= usual_floor(small) <= usual_floor(large) <= policy.USUAL_FLOOR
    assert 0 <= grown(small) <= grown(large) <= 1


def test_specific_means_two_words_of_its_own_and_half_of_what_it_says() -> None:
    """One rare word is a chance, and two among twenty are a detail."""
    asked = 2 * math.log(10)
    assert is_specific(asked, 2, asked, 4)
    assert not is_specific(asked, 1, asked, 1)
    assert not is_specific(asked, 2, asked, 5)
    assert not is_specific(asked * 0.99, 2, asked, 4)


@pytest.mark.parametrize(("second", "asked", "comes"), [(0.2, True, True), (0.25, True, False), (0.2, False, False)])
def test_what_stands_out_answers_what_is_asked(second: float, asked: bool, comes: bool) -> None:
    """Below the bar, and alone: what lies behind it stays out."""
    standings = [Standing(value, 0.4, seen=True) for value in (0.32, second, 0.15)]
    assert passed(standings, asked=asked) == [comes, False, False]


def test_what_lies_far_below_the_bar_cannot_stand_out() -> None:
    assert passed([Standing(0.29, 0.4, seen=True), Standing(0.05, 0.4, seen=True)]) == [False, False]


def test_what_sleeps_comes_by_the_bar_alone_and_brings_nothing_along() -> None:
    asleep = [Standing(value, 0.4, seen=True, asleep=True) for value in (0.41, 0.35)]
    assert passed([*asleep, Standing(0.3, 0.4, seen=True)]) == [True, False, False]
