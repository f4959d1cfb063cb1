"""From which cosine on a pair is worth a question: where the embedder in use sees paraphrases.

Measured once in a process with built-in pairs that say the same in other words; (m) the bundled English model comes out at
0.72 (its pairs lie at 0.58 to 0.94), the multilingual one at 0.74. A pair below it is never asked about, one above it only
ever asked about.
"""

from collections.abc import Callable, Sequence

import numpy as np

from memory import policy
from memory.matrix import Vector

PARAPHRASES = (
    ("Is allergic to peanuts", "Has a peanut allergy"),
    ("Her sister is called Ana", "Ana is the name of her sister"),
    ("Goes swimming every Tuesday evening", "Swims on Tuesday evenings"),
    ("Works as a nurse at the children's hospital", "Is a nurse in a hospital for children"),
    ("Prefers tea to coffee", "Likes tea better than coffee"),
    ("Moved to Lisbon two years ago", "Has been living in Lisbon for two years"),
    ("Has a cat named Biscuit", "Owns a cat called Biscuit"),
    ("Wants short answers", "Likes replies to be brief"),
    ("The rent is due on the first of the month", "Rent has to be paid on the first of each month"),
    ("Drives an old red van", "Has an old van, a red one"),
    ("Never call before nine in the morning", "Do not phone before nine in the morning"),
    ("Is learning to play the cello", "Takes cello lessons"),
)
"""Statements as people make them; nothing but the wording differs."""


def calibrated(embed_passages: Callable[[Sequence[str]], Sequence[Vector] | None]) -> float:
    """Give the threshold for an embedder: below nearly all of what it should see, within sane bounds.

    ``embed_passages`` gives unit vectors of statements, or None without an embedder; then the usual threshold counts.
    """
    vectors = embed_passages([text for pair in PARAPHRASES for text in pair])
    if vectors is None:
        return policy.HYGIENE_COSINE
    cosines = [float(one @ other) for one, other in zip(vectors[::2], vectors[1::2], strict=True)]
    low = float(np.quantile(cosines, policy.PARAPHRASES_MISSED))
    return min(policy.HIGHEST_HYGIENE_COSINE, max(policy.LOWEST_HYGIENE_COSINE, low))
