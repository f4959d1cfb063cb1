"""A secret under another name: the model leaves out the word "password" and keeps the password."""

import pytest

from tests.memory.reflection.samples import add


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("My mail password is Quartz!Lamp77.", "Uses Quartz!Lamp77 for the mail"),
        ("My mail password is Quartz!Lamp77", "Mail login: Quartz!Lamp77"),
        ("The wifi password is Sommerregen", "The wifi uses Sommerregen"),
        ("My PIN is 4821", "The number of the bank card is 4821"),
    ],
)
def test_what_was_called_a_secret_stays_one(words: str, text: str) -> None:
    """The message tells what it is, whatever the statement calls it."""
    assert add(text, words) == "reject secret"


def test_only_the_secret_itself_is_withheld() -> None:
    """A longer word that holds it, and everything else in the message, may be kept."""
    assert add("Changes the mail password every spring", "My mail password is tiger. I change it every spring.") == (
        "accept ok"
    )
    assert add("Likes tigers", "My mail password is tiger. I like tigers.") == "accept ok"
