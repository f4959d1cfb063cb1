"""What an embedder is, and what each needs: vectors of unit length, and texts cut to what it can read."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import regex
from numpy.typing import NDArray

from memory import policy

Vector = NDArray[np.float32]

_UNENCODABLE = regex.compile(r"\p{Cs}")


class Embedder(Protocol):
    """Turns texts into vectors. Slow; used from one thread at a time."""

    @property
    def digest(self) -> str:
        """What tells this model from every other, at most 64 characters."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give a vector of unit length for each text.

        Raises:
            EmbedderUnavailable: the model broke.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """Give the vector of a question. Its length is the share of the text that the model can read: 1 when all.

        So the cosines of a question in a script unknown to the model are as small as they are meaningless.

        Raises:
            EmbedderUnavailable: the model broke.
        """
        ...


def readable(text: str) -> str:
    """Give the part of ``text`` that is embedded, without what no encoding knows."""
    return _UNENCODABLE.sub(" ", text[: policy.EMBEDDED_CHARS])


def unit(vector: NDArray[Any]) -> Vector:
    """Give the vector at length 1.

    Raises:
        ValueError: it has no direction.
    """
    length = float(np.linalg.norm(vector))
    if not 0 < length < float("inf"):  # also when it is no number
        raise ValueError("the model gave a vector without a direction")
    return (vector / length).astype(np.float32)


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Give the places of texts of these lengths in small batches of like length: padding is what takes time and memory."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        longest = min(lengths[place], policy.EMBEDDED_CHARS)
        if batch and (
            len(batch) == policy.EMBEDDING_BATCH or (len(batch) + 1) * longest > policy.EMBEDDING_BATCH_CHARS
        ):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def sha256(path: Path) -> str:
    """Give the digest of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def brief(error: Exception) -> str:
    """Give an error of somebody else's library as one line of at most 200 characters."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
