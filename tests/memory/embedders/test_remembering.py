"""The vectors of the last questions are known."""

from collections.abc import Sequence

import numpy as np
import pytest

from memory.embedders.remembering import Remembering
from memory.embedders.values import Vector
from memory.errors import EmbedderUnavailable
from memory.policy import EMBEDDED_CHARS, QUERIES_REMEMBERED


class Counting:
    """An embedder that notes its work."""

    digest = "d"
    dimensions = 2

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.broken = False

    def embed_query(self, text: str) -> Vector:
        self.asked.append(text)
        if self.broken:
            raise EmbedderUnavailable("broken")
        return np.array([len(self.asked), 0], np.float32)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]


def test_a_question_asked_again_costs_nothing() -> None:
    inner = Counting()
    embedder = Remembering(inner)
    assert embedder.embed_query("Where?") is embedder.embed_query("Where?")
    assert inner.asked == ["Where?"]
    assert (embedder.digest, embedder.dimensions) == ("d", 2)


def test_the_last_questions_are_known_and_the_one_asked_longest_ago_goes() -> None:
    inner = Counting()
    embedder = Remembering(inner)
    for number in range(QUERIES_REMEMBERED):
        embedder.embed_query(str(number))
    embedder.embed_query("0")
    embedder.embed_query("one too many")
    inner.asked.clear()
    embedder.embed_query("0")
    embedder.embed_query("2")
    embedder.embed_query("1")
    assert inner.asked == ["1"]


def test_questions_that_differ_beyond_what_is_read_are_one() -> None:
    """So 128 pasted books take no memory either."""
    inner = Counting()
    embedder = Remembering(inner)
    embedder.embed_query("a" * EMBEDDED_CHARS + "b")
    embedder.embed_query("a" * EMBEDDED_CHARS + "c" * 100_000)
    assert inner.asked == ["a" * EMBEDDED_CHARS]


def test_a_shared_vector_cannot_be_written_to() -> None:
    """The next one to ask would get what somebody made of it."""
    with pytest.raises(ValueError, match="read-only"):
        Remembering(Counting()).embed_query("Where?")[0] = 7


def test_a_failure_is_not_remembered() -> None:
    inner = Counting()
    embedder = Remembering(inner)
    inner.broken = True
    with pytest.raises(EmbedderUnavailable):
        embedder.embed_query("Where?")
    inner.broken = False
    assert embedder.embed_query("Where?")[0] == 2


def test_statements_are_never_kept() -> None:
    inner = Counting()
    embedder = Remembering(inner)
    embedder.embed_passages(["Here."])
    embedder.embed_passages(["Here."])
    assert inner.asked == ["Here.", "Here."]
