"""What others think of the speaker is their word."""

import pytest

from tests.memory.reflection.samples import add

OPINIONS = [
    ("My boss says that I am lazy.", "Is lazy"),
    ("Mein Chef sagt, ich bin faul.", "Ist faul"),
    ("My wife thinks I work too much.", "Works too much"),
]

SOUND = [
    ("My doctor says I have diabetes.", "Has diabetes"),
    ("My mother says I was born in Ghent.", "Was born in Ghent"),
    ("My boss says that I am lazy.", "Boss says that Mirela is lazy"),
    ("My wife thinks I work too much.", "Wife thinks that Mirela works too much"),
    ("My boss says I can work from home on Fridays.", "Works from home on Fridays"),
    ("My boss told me I got the raise.", "Got the raise"),
    ("My friends think I'm from Ghent because I was born there.", "Was born in Ghent"),
    ("My girlfriend said I snore, and it's true: I snore.", "Snores"),
    ("Everyone says hi! I am vegan.", "Is vegan"),
    ("People find my work hard. I work at night.", "Works at night"),
    ("My wife believes in me; I paint.", "Paints"),
    ("My brother thinks I like his band Ravn.", "Brother has a band called Ravn"),
    ("My landlord thinks the rent is due on Monday.", "Rent is due on Monday"),
    ("Everyone thinks I am lazy.", "Is thought to be lazy"),
    ("Everyone says I am lazy.", "Is said to be lazy"),
    ("My wife thinks Tobin lives in Ghent, and he does live in Ghent.", "Tobin lives in Ghent"),
]


@pytest.mark.parametrize(("words", "text"), OPINIONS)
def test_an_opinion_does_not_become_a_fact(words: str, text: str) -> None:
    """The statement leaves out whose word it is."""
    assert add(text, words) == "reject unsupported"


@pytest.mark.parametrize(("words", "text"), SOUND)
def test_a_fact_that_somebody_passed_on_and_an_opinion_with_its_owner_are_accepted(words: str, text: str) -> None:
    """Where one was born is no opinion; nor is what the speaker says beside it."""
    assert add(text, words) == "accept ok"
