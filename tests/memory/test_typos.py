"""A slip of the finger still means the stored word; another word does not."""

import random
import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import typos
from memory.typos import Vocabulary, errors_allowed, is_word, quality

LETTERS = st.text("abcde", min_size=3, max_size=12)


def distance(one: str, other: str) -> int:
    """Count errors by hand: the textbook table, in which two neighbours may be swapped once."""
    rows = [[max(i, j) if not (i and j) else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            differs = one[i - 1] != other[j - 1]
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + differs)
            if i > 1 and j > 1 and one[i - 2 : i] == other[j - 1] + other[j - 2]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


@settings(max_examples=200, deadline=None)
@given(words=st.sets(LETTERS, max_size=8), word=LETTERS, errors=st.integers(1, 2))
def test_near_words_are_exactly_those_within_the_distance(words: set[str], word: str, errors: int) -> None:
    """Nothing that may be near is dropped on the way, and the distances are those of the textbook."""
    vocabulary = Vocabulary()
    vocabulary.take(words)
    expected = {other: distance(word, other) for other in words if other != word and distance(word, other) <= errors}
    assert dict(vocabulary.near(word, errors)) == expected


@settings(max_examples=50, deadline=None)
@given(batches=st.lists(st.sets(LETTERS, max_size=6), max_size=6), word=LETTERS)
def test_words_that_come_later_are_found_like_the_first(batches: list[set[str]], word: str) -> None:
    """A vocabulary grows with every memory."""
    vocabulary, every = Vocabulary(), set()
    for batch in batches:
        vocabulary.take(batch - every)
        every |= batch
    found = vocabulary.near(word, 1)
    assert dict(found) == {other: 1 for other in every if distance(word, other) == 1}
    assert len(found) == len(dict(found))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("dentits", "dentist"), ("apointment", "appointment"), ("стоматолг", "стоматолог"), ("zanarzt", "zahnarzt"), ("κλιεδι", "κλειδι"),
     ("магзаин", "магазин"), ("מפתחח", "מפתח"), ("مفتحا", "مفتاح"), ("चाबीी", "चाबी"), ("자전거르를", "자전거를")],
)  # fmt: skip
def test_a_slip_is_found_in_any_script(typed: str, meant: str) -> None:
    """A letter more, a letter less, a wrong one, two swapped."""
    vocabulary = Vocabulary()
    vocabulary.take([meant, "disappointed", "магистраль", "zahlwort"])
    assert [word for word, _ in vocabulary.near(typed, errors_allowed(typed))] == [meant]


@pytest.mark.parametrize(
    "term",
    [
        "2027",
        "2027-04-15",
        "a@b.example",
        "a.example",
        "b2b",
        "房租",
        "鍵",
        "ごみ",
        "ที่จอด",
        "🎂",
        "kei≈",
        "c++",
        "",
        "o'brien",
    ],
)
def test_numbers_addresses_signs_and_scripts_without_blanks_are_no_words(term: str) -> None:
    """Another digit makes another number, another character another word."""
    assert not is_word(term)
    assert errors_allowed(term) == 0
    vocabulary = Vocabulary()
    vocabulary.take([term])
    assert vocabulary.near(term + "x", 2) == []


def test_short_words_bear_no_error_and_long_ones_two() -> None:
    """Of three letters, every other word is one letter away from a third."""
    assert [errors_allowed("a" * length) for length in (3, 4, 7, 8, 40, 41)] == [0, 1, 1, 2, 2, 0]


def test_a_guess_is_worth_less_the_less_of_the_word_is_left() -> None:
    """Never as much as a stem that was found; least where the first letter or the end of a name differs."""
    assert 0.8 > quality("apointment", "appointment", 1) > quality("dentits", "dentist", 1) > quality("baot", "boat", 1)
    assert quality("appointment", "apontment", 2) < quality("appointment", "apointment", 1)
    assert 0 < quality("entist", "dentist", 1) < quality("dentis", "dentist", 1)


def test_another_word_is_no_slip() -> None:
    """A short word that begins otherwise, a name that begins or ends otherwise; letters in another order are a slip."""
    assert quality("boat", "coat", 1) == quality("mario", "maria", 1, name=True) == quality("anna", "hanna", 1) == 0
    assert quality("mario", "maria", 1) > 0
    assert quality("bruan", "bruna", 1, name=True) == quality("bruan", "bruna", 1) > 0
    assert quality("obat", "boat", 1) > 0


def test_a_hundred_thousand_words_are_searched_in_milliseconds() -> None:
    """Five are allowed; the processor's time is counted, since other work may stand beside this one."""
    made = random.Random(1)
    words = {"".join(made.choices(string.ascii_lowercase, made.choices(range(1, 20), k=26), k=made.randint(4, 12)))
             for _ in range(100_000)}  # fmt: skip
    vocabulary = Vocabulary()
    vocabulary.take(words)
    asked = [word[:3] + word[4:] for word in made.sample(sorted(words), 40) if len(word) > 5]
    began = time.thread_time()
    found = [vocabulary.near(word, typos.errors_allowed(word)) for word in asked]
    assert (time.thread_time() - began) / len(asked) < 0.005
    assert all(of_word for of_word, word in zip(found, asked, strict=True) if errors_allowed(word))
