"""Pieces to answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model_stream import Relay, answer_text, scalar_text, sendable

ANY = st.text(st.characters())  # lone surrogates included


@given(ANY)
def test_what_is_sent_has_a_utf8_form(text: str) -> None:
    """No text breaks the request."""
    assert "\x00" not in sendable(text).encode().decode()


@given(st.text())
def test_sound_text_is_sent_as_it_is(text: str) -> None:
    """Only what cannot be sent is replaced."""
    assert sendable(text) == text.replace("\x00", "\ufffd")


PIECES = st.lists(
    st.one_of(ANY, st.sampled_from(["<think>", "</think>", "<th", "ink>", " ", "\n", "\ud83d", "\ude00"]))
)


@given(PIECES, st.booleans())
def test_what_was_passed_on_is_the_answer(pieces: list[str], cut_off: bool) -> None:
    """However a text is cut, the listener and the reader of the whole get the same."""
    heard: list[str] = []
    relay = Relay(heard.append)
    for piece in pieces:
        relay.feed(piece)
    text = relay.finish(cut_off=cut_off)
    assert "".join(heard) == text == answer_text("".join(pieces), cut_off=cut_off)
    assert relay.delivered == bool(text)
    assert "" not in heard


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        ("<think>a</think>b", "b"),
        (" \n<think>a\nb</think>\n\nc", "c"),
        ("<think>a</think><think>b</think>c", "<think>b</think>c"),
        ("b <think>a</think>", "b <think>a</think>"),
        ("<think>a", "<think>a"),
        ("<thinking>a</thinking>", "<thinking>a</thinking>"),
        ("", ""),
    ],
)
def test_only_one_complete_block_at_the_start_is_reasoning(raw: str, answer: str) -> None:
    """The tag anywhere else is text."""
    assert answer_text(raw) == answer


def test_halves_are_joined_and_lone_ones_replaced() -> None:
    """A pair in two code units is one character."""
    assert scalar_text("\ud83d\ude00 \ud83d x \ude00") == "😀 \ufffd x \ufffd"
