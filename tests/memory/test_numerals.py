"""Numbers in digits of any script, in words, and grouped."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.numerals import claims, forms, numbers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("17", "seventeen"), ("17", "siebzehn"), ("17", "dix-sept"), ("17", "diecisiete"), ("17", "семнадцать"), ("17", "١٧"), ("21", "einundzwanzig"),
        ("21", "twenty-one"), ("21", "vingt et un"), ("32", "treinta y dos"), ("23", "二十三"), ("3", "三只猫"), ("52,000", "52 thousand"), ("52k", "52000"),
        ("210", "two hundred and ten"), ("1.200", "1,200"), ("2.5", "2,50"), ("6 pm", "18:00"), ("6pm", "18"), ("9", "9:00"), ("0170-1234567", "0170 1234567"),
        ("3rd", "third"), ("12", "a dozen"),
    ],
)  # fmt: skip
def test_one_number_written_two_ways_is_one(one: str, other: str) -> None:
    """At least one form is common to both."""
    assert forms(one) & forms(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("214", "241"),
        ("17", "70"),
        ("seventeen", "seventy"),
        ("3", "13"),
        ("52,000", "25,000"),
        ("7 pm", "18:00"),
        ("三", "四"),
        ("0170 1234567", "0170 1234576"),
        ("2.5", "5.2"),
    ],
)
def test_different_numbers_are_different(one: str, other: str) -> None:
    """What the one claims, the other does not say."""
    assert any(not number.forms & forms(other) for number in claims(one))


@pytest.mark.parametrize("text", ["one of us", "wait a second", "both", "一起", "no number", "十分", "on the floor"])
def test_words_that_are_often_no_number_claim_nothing(text: str) -> None:
    """They may still bear out a digit."""
    assert claims(text) == ()


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(["two", "hundred", "and", "3", "k", "万", "十", ".", ":", "pm", "million", "٣", "½", "²"]),
        max_size=14,
    ).map(" ".join)
)
def test_numbers_lie_inside_the_text_and_have_a_form(text: str) -> None:
    """Whatever is said."""
    for number in numbers(text):
        assert 0 <= number.start < number.end <= len(text)
        assert number.forms


@given(st.integers(0, 10**9))
def test_a_whole_number_is_its_own_form(number: int) -> None:
    """Plain, with separators."""
    assert str(number) in forms(f"about {number} or so")
    assert str(number) in forms(f"{number:,}")


def test_a_word_does_not_add_to_digits() -> None:
    """A year and a count beside it are two numbers; only a scale goes on after digits."""
    assert forms("in 2026 four of us") >= {"2026", "4"}
    assert "2030" not in forms("in 2026 four of us")
    assert "3000000" in forms("3 million")
