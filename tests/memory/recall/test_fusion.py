import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.recall.fusion import is_relevant, relevance

SHARE = st.floats(0, 1)


@given(SHARE, st.floats(-1, 1), SHARE)
def test_relevance_lies_between_nothing_and_everything(keywords: float, cosine: float, sight: float) -> None:
    """Whatever both sides say; a cosine is never longer than the question's vector."""
    assert 0 <= relevance(keywords, cosine * sight, sight) <= 1


@given(SHARE, SHARE, SHARE, SHARE)
def test_more_on_either_side_is_never_less(keywords: float, cosine: float, more: float, sight: float) -> None:
    """Each side can only add."""
    base = relevance(keywords, cosine * sight, sight)
    assert relevance(max(keywords, more), cosine * sight, sight) >= base
    assert relevance(keywords, max(cosine, more) * sight, sight) >= base - 1e-12


@given(SHARE)
def test_without_a_vector_or_without_sight_the_words_decide_alone(keywords: float) -> None:
    """A missing half is not a half missed."""
    assert relevance(keywords, None, 1) == keywords
    assert relevance(keywords, 0.0, 0.0) == pytest.approx(keywords)


def test_both_sides_together_are_worth_more_than_one() -> None:
    """The nearest by meaning and the one with the words: agreement wins."""
    assert relevance(1, 0.9, 1) > max(relevance(0, 0.9, 1), relevance(1, 0.0, 1))


def test_either_side_carries_over_the_floor_and_neither_does_not() -> None:
    """A memory has to do with the question by its words or by its meaning."""
    assert is_relevant(policy.KEYWORD_FLOOR, None)
    assert is_relevant(0, policy.COSINE_FLOOR)
    assert not is_relevant(policy.KEYWORD_FLOOR / 2, policy.COSINE_FLOOR / 2)
    assert not is_relevant(0, None)
