"""Which words of a question are looked up."""

import pytest

from memory import policy
from memory.analysis import Token, tokens
from memory.asked import SMALL_QUESTION_WEIGHT, UNSAID, looked_up


def weights(query: str) -> dict[str, float]:
    return {(*token.exact, *token.loose)[0]: token.weight for token in looked_up(tokens(query))}


def test_beside_a_telling_word_small_ones_are_left_out() -> None:
    """They would be found in every second row."""
    assert list(weights("where is the kayak")) == ["kayak"]


def test_a_question_of_small_words_looks_them_up_and_leaves_something_unsaid() -> None:
    """So that the words alone never make a full answer."""
    asked = looked_up(tokens("was ist das"))
    assert UNSAID in asked
    assert weights("was ist das").keys() == {"was", "ist", "das", "?"}
    assert {token.weight for token in asked if token != UNSAID} == {SMALL_QUESTION_WEIGHT}


@pytest.mark.parametrize("query", ["的", "の", "will", "ある", "이", "에서", "the the"])
def test_one_small_word_alone_is_what_is_asked_for(query: str) -> None:
    """Whatever it is, it counts in full."""
    asked = looked_up(tokens(query))
    assert UNSAID not in asked
    assert max(token.weight for token in asked) == 1.0


@pytest.mark.parametrize("query", ["", " ", "?!", "\x00", "\ud800"])
def test_nothing_said_is_nothing_asked(query: str) -> None:
    """No token stands for a question that was not put."""
    assert looked_up(tokens(query)) == []


def test_of_a_paste_the_rare_words_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its pages are about recurs."""
    monkeypatch.setattr(policy, "MOST_LOOKED_UP", 2)
    kept = looked_up(Token((word,)) for word in ("fold", "crease", "fold", "crease", "fold", "kayak"))
    assert kept[0] == Token(("kayak",))
    assert len(kept) == 2
