"""What words of direction part must not change places."""

import pytest

from tests.memory.reflection.samples import add


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("I moved from Graz to Linz.", "Moved from Linz to Graz"),
        ("Ich bin von Graz nach Linz gezogen.", "Von Linz nach Graz gezogen"),
        ("Anna is taller than Berta.", "Berta is taller than Anna"),
        ("I prefer tea to coffee.", "Prefers coffee to tea"),
        ("I prefer tea over coffee.", "Prefers coffee over tea"),
        ("Ben is older than Anna.", "Anna is older than Ben"),
        ("Ben is older than my sister Anna.", "Sister Anna is older than Ben"),
        ("Ben lent Anna his drill.", "Anna lent Ben her drill"),
        ("Ben gave Anna a drill.", "Anna gave Ben a drill"),
        ("Ben is Anna's boss.", "Anna is Ben's boss"),
        ("Ben owes Anna 20 euros.", "Anna owes Ben 20 euros"),
    ],
)
def test_a_statement_turned_round_is_refused(words: str, text: str) -> None:
    """All words were said, in the other order."""
    assert add(text, words) == "reject unsupported"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("I moved from Graz to Linz.", "Moved from Graz to Linz"),
        ("I moved from Graz to Linz.", "Moved to Linz from Graz"),
        ("I fly from Oslo to Rome on Friday.", "Flies to Rome from Oslo on Friday"),
        ("Before breakfast I run.", "Runs before breakfast"),
        ("I like opera more than jazz.", "Likes opera more than jazz"),
        ("Blue are my eyes.", "My eyes are blue"),
        ("Ben married Anna.", "Anna married Ben"),
        ("Ben is Anna's cousin.", "Anna is Ben's cousin"),
        ("Ben and Anna live in Ghent.", "Anna and Ben live in Ghent"),
        ("My name is Rossi Anna.", "Name is Anna Rossi"),
        ("Ben lent Anna his drill.", "Ben lent Anna a drill"),
    ],
)
def test_another_order_of_the_same_is_accepted(words: str, text: str) -> None:
    """What follows each word of direction is what counts."""
    assert add(text, words) == "accept ok"
