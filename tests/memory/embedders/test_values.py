"""What every embedder gets: texts it can read, in batches that stay small, and vectors of length 1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.embedders.values import batches, brief, readable, unit


@given(st.lists(st.integers(0, 5_000), max_size=60))
def test_batches_are_small_and_hold_every_text_once(lengths: list[int]) -> None:
    """Padding makes every text of a batch as long as its longest: number times longest is what memory follows."""
    made = list(batches(lengths))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    for batch in made:
        longest = min(max(lengths[place] for place in batch), policy.EMBEDDED_CHARS)
        assert len(batch) == 1 or len(batch) * longest <= policy.EMBEDDING_BATCH_CHARS
        assert len(batch) <= policy.EMBEDDING_BATCH


@given(st.text(st.characters(codec=None), max_size=50))
def test_what_is_readable_can_be_encoded_and_reading_it_again_changes_nothing(text: str) -> None:
    """Lone surrogates come from broken clients; no tokenizer takes them."""
    readable(text).encode()
    assert readable(readable(text)) == readable(text)


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    """A pasted book must not stop the turn."""
    assert len(readable("a" * 100_000)) == policy.EMBEDDED_CHARS


@pytest.mark.parametrize("numbers", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_a_vector_without_direction_is_refused(numbers: list[float]) -> None:
    """Else it would be stored and meet every question."""
    with pytest.raises(ValueError, match="direction"):
        unit(np.array(numbers))


def test_a_foreign_error_becomes_one_short_line() -> None:
    """Libraries write pages."""
    line = brief(RuntimeError("one\ntwo " * 500))
    assert line.startswith("RuntimeError: one two")
    assert len(line) == 200
