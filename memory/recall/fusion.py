"""One relevance from words and meaning, and one kind of evidence for "is there an answer at all". Both are absolute.

    relevance = (s · (c + ½·g) + w · k) / (1½·s + w)        w = ½ · (1 + 2 · share of identifiers)
    evidence  = (s · p + ½ · k) / (s + ½)

    s   sight: the share of the question that the embedder can read, less for a long paste
    c   cosine of question and memory seen from the centre of the store, 0-1
    g   the best c among the memories of the same subject and day, itself included
    k   the share of the question's information that the memory's words cover, 0-1
    p   the plain cosine, 0-1

Where it comes from. All memories of a store resemble each other ("somebody does something"), and the direction they share
tells nothing about a question; seen from their centre, topics spread. A name in the question is common to half the store and
pulls the vector towards all of that half, so the question is embedded once more without it, and each counts half, while
the words go on matching the name. People return to a matter within one conversation, so the best of a day and subject vouches
for its mates. A coverage over what a memory could reach, unlike BM25 stretched to each question's best, does not call the
least bad of nothing certain. Nothing is rescaled by the question's own best. The weights lie on plateaus (`policy`), so a rule that
moves them with the question's statistics gained less than the noise, except for identifiers, which vectors barely tell apart;
and except for sight, which moves all weight to the words where the embedder is blind.

Evidence keeps names (they tell a stranger's question) and knows no company, importance or date, so that none of them lets in
what has nothing to do with the question.
"""

from memory import policy


def keyword_weight(identifiers: float) -> float:
    """Give the weight of the words, when this share (0-1) of what they matched lies in addresses, dates, times or codes."""
    return policy.KEYWORD_WEIGHT * (1 + policy.IDENTIFIER_BOOST * identifiers)


def relevance(centred: float, company: float, keywords: float, sight: float, weight: float) -> float:
    """Give the relevance, 0-1. Without sight it is what the words cover.

    Args:
        centred: the cosine seen from the centre, 0-1.
        company: the best of it in the same group, 0-1.
        keywords: the share of the question that the memory's words cover, 0-1.
        sight: 0 when the embedder reads nothing of the question (or there is no vector), 1 when all.
        weight: from `keyword_weight`.
    """
    meaning = sight * (centred + policy.COMPANY_WEIGHT * company)
    return (meaning + weight * keywords) / (sight * (1 + policy.COMPANY_WEIGHT) + weight)


def evidence(cosine: float, keywords: float, sight: float) -> float:
    """Give the evidence, 0-1, that a memory answers the question; a negative cosine counts as none."""
    weight = policy.KEYWORD_WEIGHT
    return (sight * max(cosine, 0.0) + weight * keywords) / (sight + weight)
