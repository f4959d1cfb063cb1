"""What somebody is to somebody is not made up."""

import pytest

from tests.memory.reflection.samples import add

MADE_UP = [
    ("Hi, I am Mirela. My sister Ana lives in Porto.", "Mirela is her sister Ana's friend"),
    ("I met Tobin at the market.", "Tobin is a friend met at the market"),
    ("Tobin gave me a lift to Ghent.", "Colleague Tobin gave a lift to Ghent"),
    ("Tobin wants the report by Monday.", "Boss Tobin wants the report by Monday"),
    ("Odile complained about the noise.", "Neighbour Odile complained about the noise"),
    ("Tobin hat mich nach Ghent gefahren.", "Kollege Tobin hat mich nach Ghent gefahren"),
]

SOUND = [
    ("My friend Tobin lives in Ghent.", "Friend Tobin lives in Ghent"),
    ("My buddy Tobin lives in Ghent.", "Friend Tobin lives in Ghent"),
    ("Tobin and I are old friends.", "Tobin is an old friend"),
    ("My coworker Tobin is vegan.", "Colleague Tobin is vegan"),
    ("My manager Odile is strict.", "Boss Odile is strict"),
    ("Odile from next door has a dog.", "Neighbour Odile has a dog"),
    ("Meine Nachbarn heißen Brandt.", "Die Nachbarn heißen Brandt"),
    ("Mein Kumpel Tobin wohnt in Gent.", "Freund Tobin wohnt in Gent"),
    ("Tobin is my brother.", "Has a brother called Tobin"),
]


@pytest.mark.parametrize(("words", "text"), MADE_UP)
def test_a_relation_that_nobody_named_is_refused(words: str, text: str) -> None:
    assert add(text, words) == "reject unsupported"


@pytest.mark.parametrize(("words", "text"), SOUND)
def test_a_relation_in_other_words_is_accepted(words: str, text: str) -> None:
    assert add(text, words) == "accept ok"
