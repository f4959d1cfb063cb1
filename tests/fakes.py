"""Stand-ins that behave like the real thing, without its weight."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memory.analysis import analyse


class HashingEmbedder:
    """An embedder that knows words, not meanings: equal words give near vectors, in every run and on every machine."""

    def __init__(self, dimensions: int = 64, digest: str = "hashing") -> None:
        self.digest = digest
        self.dimensions = dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector = np.zeros(self.dimensions)
        vector[0] = 1e-3  # so that a text without a word has a direction as well
        for term in analyse(text):
            seed = int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest())
            vector += np.random.default_rng(seed).standard_normal(self.dimensions)
        return (vector / np.linalg.norm(vector)).astype(np.float32)
