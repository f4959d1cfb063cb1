"""Saying that a message may have arrived before: a plain line above it."""

from collections.abc import Mapping, Sequence
from typing import Any

MARKER = "(You may have this already: my first attempt was not confirmed.)\n"

MESSAGE_UNITS = 4096
"""Telegram's limit for one message, in UTF-16 units."""

Part = tuple[str, list[dict[str, Any]]]


def mark(text: str, entities: Sequence[Mapping[str, Any]]) -> tuple[Part, ...]:
    """Give the messages to send for a possible repeat: one with the line on top, or two where that is too long."""
    shift = _units(MARKER)
    if shift + _units(text) > MESSAGE_UNITS:
        return (MARKER.strip(), []), (text, [dict(entity) for entity in entities])
    return ((MARKER + text, [{**entity, "offset": int(entity["offset"]) + shift} for entity in entities]),)


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
