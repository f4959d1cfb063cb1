"""The vectors of the last questions: a turn, its repeat and its reflection often ask for the same."""

from collections import OrderedDict
from collections.abc import Sequence

from memory import policy
from memory.embedders.values import Embedder, Vector, readable


class Remembering:
    """An embedder that works out a question's vector once and then knows it, for the last 128 questions."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self._known: OrderedDict[str, Vector] = OrderedDict()

    @property
    def digest(self) -> str:
        """The digest of the model."""
        return self.inner.digest

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self.inner.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Give a vector of unit length for each text; statements come once, so none is kept.

        Raises:
            EmbedderUnavailable: the model broke.
        """
        return self.inner.embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        """Give the vector of a question; it is shared, so it cannot be written to.

        Raises:
            EmbedderUnavailable: the model broke.
        """
        asked = readable(text)  # what is never read makes no difference, and no memory
        if asked in self._known:
            self._known.move_to_end(asked)
            return self._known[asked]
        vector = self.inner.embed_query(asked)
        vector.setflags(write=False)
        self._known[asked] = vector
        if len(self._known) > policy.QUERIES_REMEMBERED:
            self._known.popitem(last=False)
        return vector
