import numpy as np
import pytest

from memory.recall.question import Question, count_words, understand
from tests.memory.recall.stores import AGENT, HERE, NOW


def question(words: str, length: float = 1.0) -> Question:
    vector = np.zeros(4, np.float32)
    vector[0] = length
    return understand(words, vector, None, agent=AGENT, scope=HERE, now=NOW)


@pytest.mark.parametrize(
    ("text", "words"), [("", 0), ("where is the boat", 4), ("房租什么时候交", 4), ("猫", 1), ("a " * 100, 100)]
)
def test_words_are_counted_in_every_script(text: str, words: int) -> None:
    """Two characters of a script without blanks make one."""
    assert count_words(text) == words


def test_sight_is_what_the_embedder_reads_and_less_for_a_paste() -> None:
    """A vector of a thousand words is a blur."""
    assert question("where is the boat").sight == 1
    assert question("where is the boat", 0.25).sight == pytest.approx(0.25)
    assert question("boat " * 64).sight == pytest.approx(0.5)
    assert question("boat " * 64).pasted
    assert not question("boat " * 32).pasted
    assert understand("boat", None, None, agent=AGENT, scope=HERE, now=NOW).sight == 0


def test_a_date_gone_by_asks_about_the_past() -> None:
    """As a word for it does; a date to come does not."""
    assert question("where did she live in 2024").about_the_past
    assert question("where did she live before").about_the_past
    assert not question("what is on 24 December 2027").about_the_past
    assert question("1999").ranges[0][0].year == 1999
