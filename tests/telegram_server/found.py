"""Entities nobody wrote: what Telegram finds by itself in a text."""

import re
from collections.abc import Iterator

from tests.telegram_server.refusal import Json

HOST = r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+"
TOP_LEVEL = r"(?:com|org|net|io|dev|me|app|info|eu|de|uk|fr|es|it|ru|ua|pl|jp|cn)"
TAIL = r"(?::\d{1,5})?(?:[/?#][^\s<>\"]*)?"
# Earlier lines win where two would overlap.
PATTERNS = [
    ("email", re.compile(rf"(?<![\w.%+-])[A-Za-z0-9._%+-]+@{HOST}[A-Za-z]{{2,24}}(?![\w-])")),
    ("url", re.compile(rf"(?<![\w@.])(?:https?://[^\s/<>\"?#]+{TAIL}|{HOST}{TOP_LEVEL}\b(?!@){TAIL})", re.IGNORECASE)),
    ("mention", re.compile(r"(?<![\w@/])@[A-Za-z0-9_]{3,32}(?![\w])")),
    ("bot_command", re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>@])")),
    ("hashtag", re.compile(r"(?<![\w#])#(?=\w*[^\W\d_])\w{1,256}(?![\w#])")),
]
TRAILING = ".,:;!?'\"()[]{}"


def utf16(text: str) -> int:
    """Give the length in UTF-16 units; a lone surrogate counts one."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def find_entities(text: str) -> list[Json]:
    """Give the entities Telegram adds to a text, sorted, offsets in UTF-16 units."""
    taken: list[tuple[int, int]] = []
    found: list[Json] = []
    for kind, start, end in _matches(text):
        if all(end <= left or start >= right for left, right in taken):
            taken.append((start, end))
            found.append({"type": kind, "offset": utf16(text[:start]), "length": utf16(text[start:end])})
    return sorted(found, key=lambda entity: int(entity["offset"]))


def _matches(text: str) -> Iterator[tuple[str, int, int]]:
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            end = match.end()
            while kind == "url" and text[end - 1] in TRAILING:
                end -= 1
            yield kind, match.start(), end


def place(text: str, entity: Json) -> Json:
    """Give the entity with offset and length, if it names its ``text``, which must occur once."""
    if "text" not in entity:
        return entity
    named = str(entity["text"])
    if text.count(named) != 1:
        raise ValueError(f"an entity's text must occur once: {named!r}")
    rest = {key: value for key, value in entity.items() if key != "text"}
    return rest | {"offset": utf16(text[: text.index(named)]), "length": utf16(named)}
