"""One relevance from two sides: cosine + 0.6 · keywords, both absolute, over what each could reach.

Neither side is rescaled by the question's own best: that would turn the least bad of nothing into certainty. ``sight`` is
how much of the question the embedder can read (the length of its vector): the less it reads, the more the words decide.
"""

from memory import policy


def relevance(keywords: float, cosine: float | None, sight: float) -> float:
    """Give the relevance, 0-1. A memory or a question without a vector is judged by keywords alone.

    Args:
        keywords: the share of the question's information that the memory's words cover, 0-1.
        cosine: the product of the question's vector (of length ``sight``) and the memory's, or None.
        sight: 0 when the embedder can read nothing of the question, 1 when all.
    """
    if cosine is None:
        return keywords
    weight = policy.KEYWORD_WEIGHT
    return min(1.0, (max(cosine, 0.0) + weight * keywords) / (min(sight, 1.0) + weight))


def is_relevant(keywords: float, cosine: float | None) -> bool:
    """Say whether a memory has anything to do with the question, for either side."""
    return keywords >= policy.KEYWORD_FLOOR or (cosine is not None and cosine >= policy.COSINE_FLOOR)
