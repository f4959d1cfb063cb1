"""Asking to forget, and only sighing "forget it"."""

import pytest

from tests.memory.reflection.samples import brief, memory, outcome, said


def _wish(words: str, held: str) -> str:
    return outcome(brief(said(words), memories=(memory(held),)), op="DELETE", id="m1")


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("Oh, forget it, the choir was late again.", "Sings in the choir"),
        ("Ach, vergiss es, der Chor war wieder zu spät.", "Singt im Chor"),
        ("Bah, oublie ça, la chorale a encore du retard.", "Chante dans la chorale"),
        ("Laat maar, vergeet het, het koor was weer laat.", "Zingt in het koor"),
    ],
)
def test_a_sigh_deletes_nothing(words: str, held: str) -> None:
    """What follows the comma is told, not named to be forgotten."""
    assert _wish(words, held) == "reject unsupported"


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("Please forget that I sing in the choir.", "Sings in the choir"),
        ("I sing in the choir, forget it.", "Sings in the choir"),
        ("Forget it, the thing about the choir.", "Sings in the choir"),
        ("Forget it, please, that I sing in the choir.", "Sings in the choir"),
        ("Vergiss es, dass ich im Chor singe.", "Singt im Chor"),
        ("Forget it, I no longer sing in the choir.", "Sings in the choir"),
    ],
)
def test_what_is_named_is_forgotten(words: str, held: str) -> None:
    """Before the comma, or behind it where the sentence goes on; or it is over."""
    assert _wish(words, held) == "accept ok"
