import math

import numpy as np
import pytest

from memory.analysis import Token
from memory.lexical import Match, Matches
from memory.policy import IDENTIFIER_WEIGHT
from memory.recall.keywords import Weighed, weigh

BOAT, SAIL, RARE = Token(("boat",)), Token(("sail",)), Token(("rare",))
CODE = Token(("14:20",), weight=IDENTIFIER_WEIGHT, extra=True)


def match(token: Token, *rows: int, quality: float = 1.0) -> Match:
    return Match(token, token.exact[0], np.array(rows, np.intp), np.full(len(rows), quality, np.float32))


def weighed(*words: Match, pool: int = 10, pasted: bool = False) -> Weighed:
    """Ten rows, numbered from 100; the first ``pool`` take part."""
    everyone = np.ones(10, np.bool_)
    found = Matches(np.arange(100, 110), np.zeros(10, np.int8), everyone, words)
    return weigh(found, np.arange(10) < pool, pasted=pasted)


def coverage(found: Weighed, place: int) -> float:
    return found.coverage(float(found.mass[place]))


def test_all_of_a_question_is_one_and_half_of_it_half() -> None:
    """By information: equally rare words count alike."""
    found = weighed(match(BOAT, 1, 2), match(SAIL, 2, 3))
    assert [coverage(found, place) for place in (0, 1, 2, 3)] == [0, pytest.approx(0.5), 1, pytest.approx(0.5)]
    assert found.names_at([1, 2]) == {1: ("boat",), 2: ("boat", "sail")}
    assert found.best(2).tolist()[0] in {1, 2}


def test_a_word_that_nobody_holds_is_missed_in_a_question_but_not_in_a_paste() -> None:
    """Its absence is no answer; of a paste nobody expects one."""
    words = (match(BOAT, 1), match(RARE))
    assert coverage(weighed(*words), 1) < 0.5
    assert coverage(weighed(*words, pasted=True), 1) == 1


def test_only_the_pool_is_counted_and_found() -> None:
    """What sleeps makes no word common, and holds nothing."""
    found = weighed(match(BOAT, 1, 8, 9), pool=8)
    assert found.size == 8
    assert found.worth[BOAT] == pytest.approx(math.log(1 + 7.5 / 1.5))
    assert found.mass[[8, 9]].tolist() == [0, 0]
    assert found.places_of([101, 108]) == {101: 1}


def test_the_bar_of_a_specific_hit_is_two_words_that_only_one_memory_holds() -> None:
    """And a pool of nobody has none to clear."""
    found = weighed(match(BOAT, 1), match(SAIL, 1))
    assert found.bare[1] == pytest.approx(found.bar)
    assert math.isinf(weighed(pool=0).bar)


def test_identifiers_are_told_by_their_share_and_count_once() -> None:
    """An address stands in its parts as well, so it is none of the words that make a hit specific."""
    found = weighed(match(CODE, 1), match(BOAT, 1, 2))
    assert 0.5 < found.identifiers < 1
    assert found.words[1] == 1
    assert weighed(match(BOAT, 1)).identifiers == 0


def test_a_worse_match_is_worth_less() -> None:
    """A stem is not the word."""
    found = weighed(match(BOAT, 1, quality=0.8))
    assert coverage(found, 1) == pytest.approx(0.8)


def test_nothing_asked_covers_nothing() -> None:
    """No words, no division by zero."""
    found = weighed()
    assert coverage(found, 1) == 0
    assert found.best(5).tolist() == []
