"""Each embedder has its own range of likeness."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import policy
from memory.embedding import load
from memory.hygiene.thresholds import calibrated


@pytest.mark.parametrize(("model", "expected"), [("english", 0.72), ("multilingual", 0.74)])
def test_the_bundled_models_come_out_where_their_paraphrases_lie(tmp_path, model: str, expected: float) -> None:
    embedder = load(model, tmp_path)
    assert calibrated(lambda texts: list(embedder.embed_passages(texts))) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    ("alike", "expected"), [(1.0, policy.HIGHEST_HYGIENE_COSINE), (0.0, policy.LOWEST_HYGIENE_COSINE)]
)
def test_an_embedder_that_sees_likeness_everywhere_or_nowhere_stays_within_bounds(
    alike: float, expected: float
) -> None:
    def embed(texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [
            np.array([alike, 1 - alike if n % 2 else 0, 0 if n % 2 else 1 - alike], np.float32)
            for n in range(len(texts))
        ]

    assert calibrated(embed) == expected


def test_without_an_embedder_the_usual_threshold_counts() -> None:
    assert calibrated(lambda _: None) == policy.HYGIENE_COSINE
