import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.candidate import Candidate
from memory.recall.cues import Cue
from memory.recall.scoring import parts, score
from memory.vectors import Seen
from tests.memory.recall.memories import memory

IMPORTANCE = st.integers(1, 10)
SHARE = st.floats(0, 1)


@given(IMPORTANCE, SHARE)
def test_nothing_relevant_stays_nothing(importance: int, fresh: float) -> None:
    """Importance and freshness modulate, they never add."""
    assert score(0.0, importance, fresh) == 0


@given(st.floats(0.01, 1), IMPORTANCE, IMPORTANCE, SHARE, SHARE)
def test_at_equal_relevance_the_more_important_and_the_fresher_come_first(
    relevant: float, low: int, high: int, old: float, new: float
) -> None:
    """Both raise the score, never beyond 1.3 times the relevance."""
    low, high = sorted((low, high))
    old, new = sorted((old, new))
    assert score(relevant, low, old) <= score(relevant, high, old) <= score(relevant, high, new)
    assert score(relevant, high, new) <= 1.3 * relevant + 1e-9


def test_the_weights_are_those_of_the_model() -> None:
    """The formula is relevance · (1 + 0.2 · importance/10 + 0.1 · recency)."""
    assert score(0.5, 10, 1.0) == pytest.approx(0.65)
    assert score(1.0, 5, 0.0) == pytest.approx(1.1)


def test_a_date_that_fits_raises_what_is_relevant() -> None:
    """By three quarters, and nothing from nothing."""
    assert score(0.4, 5, 0.0, near=1.0) == pytest.approx(0.4 * 1.85)
    assert score(0.0, 5, 0.0, near=1.0) == 0


def test_parts_tell_everything_the_score_was_made_of() -> None:
    """The inspector needs no second calculation."""
    candidate = Candidate(
        memory(importance=8), bm25=2.0, keywords=0.5, terms=("boat",), seen=Seen(1, 0.4, 0.3, 0.35), cue=Cue(("cue",))
    )
    made = parts(candidate, sight=1.0, keyword_weight=0.5, bar=0.22, fresh=0.25, near=0.5)
    assert (made.terms, made.bm25, made.coverage, made.importance, made.fired) == (("boat",), 2.0, 0.5, 8, ("cue",))
    assert (made.cosine, made.centred, made.company, made.bar) == (0.4, 0.3, 0.35, 0.22)
    assert made.relevance == pytest.approx((0.3 + 0.5 * 0.35 + 0.5 * 0.5) / 2)
    assert made.evidence == pytest.approx((0.4 + 0.5 * 0.5) / 1.5)
    assert made.score == score(made.relevance, 8, 0.25, 0.5)
