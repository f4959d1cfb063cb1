"""The score: relevance, modulated by importance, recency and a date that fits, never raised by them from nothing."""

from memory import policy
from memory.recall.candidate import Candidate
from memory.recall.values import Parts


def score(relevant: float, importance: int, fresh: float, near: float = 0.0) -> float:
    """Give relevance · (1 + 0.2 · importance/10 + 0.1 · recency + 0.75 · near): nothing irrelevant ever comes up."""
    weight, freshness = policy.IMPORTANCE_WEIGHT, policy.RECENCY_WEIGHT
    return relevant * (1 + weight * importance / 10 + freshness * fresh + policy.NEAR_WEIGHT * near)


def parts(
    candidate: Candidate, *, sight: float, keyword_weight: float, bar: float, fresh: float, near: float = 0.0
) -> Parts:
    """Give what a candidate's score is made of.

    Args:
        candidate: the memory and what each side knows of it.
        sight: the share of the question that the embedder reads.
        keyword_weight: what words count beside a cosine.
        bar: the evidence that the best candidate of its kind must have.
        fresh: its recency, 0-1.
        near: how well its date fits the question's, 0-1.
    """
    memory, seen = candidate.memory, candidate.seen
    relevant = candidate.relevance(sight, keyword_weight)
    return Parts(
        terms=candidate.terms,
        bm25=candidate.bm25,
        cosine=None if seen is None else seen.cosine,
        relevance=relevant,
        importance=memory.importance,
        recency=fresh,
        score=score(relevant, memory.importance, fresh, near),
        fired=candidate.fired,
        meant=candidate.cue.meant,
        common=candidate.cue.common,
        exactness=candidate.cue.exactness,
        rested=candidate.cue.rested_minutes,
        coverage=max(candidate.keywords, candidate.cold),
        centred=None if seen is None else seen.centred,
        company=None if seen is None else seen.company,
        keyword_weight=keyword_weight,
        near=near,
        evidence=candidate.evidence(sight),
        bar=bar,
        specific=candidate.specific,
        revived=candidate.revived,
        stands_in=candidate.stands_in,
    )
