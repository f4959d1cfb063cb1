import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.recall.fusion import evidence, keyword_weight, relevance

SHARE = st.floats(0, 1)
WEIGHT = SHARE.map(keyword_weight)


@given(SHARE, SHARE, SHARE, SHARE, WEIGHT)
def test_relevance_lies_between_nothing_and_everything(
    centred: float, company: float, words: float, sight: float, weight: float
) -> None:
    """Whatever every side says."""
    assert 0 <= relevance(centred, company, words, sight, weight) <= 1 + 1e-9


@given(SHARE, SHARE, SHARE, SHARE, SHARE, WEIGHT)
def test_more_on_any_side_is_never_less(
    centred: float, company: float, words: float, more: float, sight: float, weight: float
) -> None:
    """Each side can only add."""
    base = relevance(centred, company, words, sight, weight)
    assert relevance(max(centred, more), company, words, sight, weight) >= base - 1e-12
    assert relevance(centred, max(company, more), words, sight, weight) >= base - 1e-12
    assert relevance(centred, company, max(words, more), sight, weight) >= base - 1e-12


@given(SHARE, SHARE, SHARE, WEIGHT)
def test_without_sight_the_words_decide_alone(words: float, centred: float, company: float, weight: float) -> None:
    """A blind embedder has no say, for relevance and for evidence."""
    assert relevance(centred, company, words, 0.0, weight) == pytest.approx(words)
    assert evidence(centred, words, 0.0) == pytest.approx(words)


def test_both_sides_together_are_worth_more_than_one() -> None:
    """The nearest by meaning and the one with the words: agreement wins."""
    both = relevance(0.9, 0.9, 1, 1, keyword_weight(0))
    assert both > max(relevance(0.9, 0.9, 0, 1, keyword_weight(0)), relevance(0, 0, 1, 1, keyword_weight(0)))


def test_identifiers_make_words_three_times_as_heavy() -> None:
    """A time asked for decides against a likelier meaning."""
    assert keyword_weight(1.0) == 3 * keyword_weight(0.0) == 3 * policy.KEYWORD_WEIGHT
    right, wrong = (0.4, 0.4, 1.0), (0.8, 0.8, 0.2)
    assert relevance(*right, 1, keyword_weight(1.0)) > relevance(*wrong, 1, keyword_weight(1.0))
    assert relevance(*right, 1, keyword_weight(0.0)) < relevance(*wrong, 1, keyword_weight(0.0))


@given(st.floats(-1, 1), SHARE, SHARE)
def test_evidence_is_a_share_and_a_negative_cosine_is_none(cosine: float, words: float, sight: float) -> None:
    """Opposites are no evidence against."""
    assert 0 <= evidence(cosine, words, sight) <= 1 + 1e-9
    assert evidence(-0.7, words, sight) == evidence(0.0, words, sight)
