"""The bundled embedder with what it once worked out kept in a file, so that a second run pays for nothing twice."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from memory.embedders.values import Embedder, Vector


class Kept:
    """An embedder whose vectors come from a file where they stand there; `save` adds the new ones."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._path = folder / f"{inner.digest[:32]}.npz"
        self._known: dict[str, Vector] = {}
        self._fresh = False
        if self._path.exists():
            with np.load(self._path, allow_pickle=False) as held:
                self._known = dict(zip(held["texts"].tolist(), held["vectors"], strict=True))

    @property
    def digest(self) -> str:
        """The digest of the model."""
        return self._inner.digest

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self._inner.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give the vectors of statements."""
        missing = [text for text in dict.fromkeys(texts) if f"p{text}" not in self._known]
        for text, vector in zip(missing, self._inner.embed_passages(missing) if missing else (), strict=True):
            self._known[f"p{text}"] = vector
            self._fresh = True
        return [self._known[f"p{text}"] for text in texts]

    def embed_query(self, text: str) -> Vector:
        """Give the vector of a question."""
        if f"q{text}" not in self._known:
            self._known[f"q{text}"] = self._inner.embed_query(text)
            self._fresh = True
        return self._known[f"q{text}"]

    def save(self) -> None:
        """Keep what is new; of two runs at once the last one's stay."""
        if self._fresh:
            written = self._path.with_suffix(f".{os.getpid()}.npz")
            np.savez(written, texts=np.array(list(self._known)), vectors=np.stack(list(self._known.values())))
            written.replace(self._path)
