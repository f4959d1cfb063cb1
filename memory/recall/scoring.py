"""The score: relevance, modulated by importance and recency, never raised by them from nothing."""

from collections.abc import Callable

from memory import policy
from memory.domain import Memory
from memory.lifecycle.decay import recency
from memory.recall.candidates import Candidate
from memory.recall.fusion import relevance
from memory.recall.values import Parts


def score(relevant: float, importance: int, fresh: float) -> float:
    """Give relevance · (1 + 0.2 · importance/10 + 0.1 · recency): nothing irrelevant ever comes up."""
    return relevant * (1 + policy.IMPORTANCE_WEIGHT * importance / 10 + policy.RECENCY_WEIGHT * fresh)


def parts(candidate: Candidate, sight: float, idle_hours: Callable[[Memory], float]) -> Parts:
    """Give what a candidate's score is made of, for a question of which the embedder reads the share ``sight``."""
    memory = candidate.memory
    relevant = relevance(candidate.keywords, candidate.cosine, sight)
    fresh = recency(memory, idle_hours(memory))
    return Parts(
        terms=candidate.terms,
        bm25=candidate.bm25,
        cosine=candidate.cosine,
        relevance=relevant,
        importance=memory.importance,
        recency=fresh,
        score=score(relevant, memory.importance, fresh),
        fired=candidate.fired,
    )
