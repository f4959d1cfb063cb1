"""Marking a possible repeat."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.repeats import MARKER, MESSAGE_UNITS, mark


def units(text: str) -> bytes:
    return text.encode("utf-16-le")


def cut(text: str, entity: dict[str, Any]) -> bytes:
    """Give what an entity covers, counted as Telegram counts."""
    return units(text)[2 * entity["offset"] : 2 * (entity["offset"] + entity["length"])]


def test_the_line_is_on_top_and_the_formatting_moves_with_the_text() -> None:
    text = "👩‍👩‍👧 see code"
    entity = {"type": "pre", "offset": 13, "length": 4, "language": "python"}
    [(marked, [moved])] = mark(text, [entity])
    assert marked == MARKER + text
    assert cut(marked, moved) == cut(text, entity)
    assert moved["language"] == "python"


def test_the_callers_entities_stay_as_they_are() -> None:
    entity = {"type": "bold", "offset": 0, "length": 1}
    mark("a", [entity])
    assert entity["offset"] == 0


def test_a_chunk_without_room_for_the_line_gets_it_as_a_message_of_its_own() -> None:
    text = "😀" * (MESSAGE_UNITS // 2)
    assert mark(text, []) == ((MARKER.strip(), []), (text, []))


@given(text=st.text(min_size=1, max_size=40), fill=st.sampled_from([0, 3900, 4000, 4056]))
def test_no_message_is_longer_than_telegram_takes(text: str, fill: int) -> None:
    whole = "x" * fill + text
    parts = mark(whole, [])
    assert all(len(units(part)) // 2 <= MESSAGE_UNITS for part, _ in parts)
    assert "".join(part for part, _ in parts).endswith(whole)
    assert parts[0][0].startswith(MARKER.strip())
