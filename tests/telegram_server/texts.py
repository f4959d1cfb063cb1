"""What Telegram does to a text and its entities before it sends them, and what it refuses.

Follows the order and the error texts of TDLib: bounds, cleaning of control characters, trimming, then the server's
limits. Entities that overlap without nesting are cut where they cross, as Telegram does.
"""

import re
from collections.abc import Iterable
from itertools import accumulate, pairwise

from tests.telegram_server.found import find_entities, utf16
from tests.telegram_server.refusal import Json, bad_request

LONGEST_TEXT = 4096  # UTF-16 units
MOST_ENTITIES = 100  # those beyond are ignored; undocumented
LARGEST_TEXT_BYTES = 1 << 15
STYLES = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler"})
QUOTES = frozenset({"blockquote", "expandable_blockquote"})
CODE = frozenset({"code", "pre"})
FOUND = frozenset({"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"})
CARRIERS = frozenset({"text_link", "text_mention", "custom_emoji"})  # kept even over blanks
NEEDED = {"text_link": ["url"], "text_mention": ["user"], "custom_emoji": ["custom_emoji_id"]}
TYPES = STYLES | QUOTES | CODE | FOUND | CARRIERS | {"date_time"}
CONTROL = frozenset(chr(code) for code in range(33)) - {"\n", "\r"}
DROPPED = frozenset("\r\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u0333\u033f\u030a")
BLANK = re.compile(r"[\s\u180e\u2000-\u200f\u202e\u202f\u205f\u2800\u3000\ufeff\ufffc\u00a0]*\Z")


def fix_text(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    """Give text and entities as they will stand in the message; refuses (400) what Telegram refuses."""
    text, entities = clean(text, [one for one in map(_checked, entities) if one["length"] > 0])
    text, entities = trim(text, entities)
    if BLANK.match(text):
        raise bad_request("text must be non-empty")
    if utf16(text) > LONGEST_TEXT:
        raise bad_request("message is too long")
    return text, with_found(text, entities)[:MOST_ENTITIES]


def refuse_unreadable(text: str) -> None:
    """Refuse (400) what is no text: nothing at all, half a character, more than 32 KiB."""
    if not text:
        raise bad_request("message text is empty")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise bad_request("strings must be encoded in UTF-8")
    if len(text.encode()) > LARGEST_TEXT_BYTES:
        raise bad_request("text is too long")


def _checked(entity: Json) -> Json:
    if entity.get("type") not in TYPES:
        raise bad_request("can't parse MessageEntity: Unsupported type specified")
    for name in [*NEEDED.get(entity["type"], []), "offset", "length"]:
        if name not in entity:
            raise bad_request(f"can't parse MessageEntity: Can't find field \"{name}\"")
    for name in ("offset", "length"):
        if not 0 <= int(entity[name]) <= 1_000_000:
            raise bad_request(f"receive an entity with incorrect {name} {entity[name]}")
    return entity | ({"url": checked_url(str(entity["url"]))} if entity["type"] == "text_link" else {})


def checked_url(url: str) -> str:
    """Give the address as Telegram keeps it; refuses one without a host, or whose host has no dot."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):(//)?", url.strip())
    if scheme and scheme[1].lower() in {"tg", "ton", "tonsite"}:
        return url
    problem = f"entity URL '{url}' is invalid: "
    if scheme and scheme[2] and scheme[1].lower() not in {"http", "https"}:
        raise bad_request(problem + "Unsupported URL protocol")
    address = url.strip() if scheme and scheme[2] else f"http://{url.strip()}"
    match = re.fullmatch(
        r"https?://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::\d*)?([/?#].*)?", address, re.IGNORECASE | re.DOTALL
    )
    if match and not match[1]:
        raise bad_request(problem + "URL host is empty")
    if match is None or ("." not in match[1] and not match[1].startswith("[")):
        raise bad_request(problem + "Wrong HTTP URL")
    return address if match[2] else address + "/"


def clean(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    """Give the text without control characters, the entities moved along; refuses entities outside the text."""
    starts = [0, *accumulate(map(utf16, text))]
    for entity in sorted(entities, key=lambda one: (one["offset"], -one["length"])):
        _check_bounds(text, starts, entity)
    kept = ["" if one in DROPPED else " " if one in CONTROL else one for one in text]
    moved = dict(zip(starts, [0, *accumulate(map(utf16, kept))], strict=True))
    shifted = [_span(entity, moved[entity["offset"]], moved[_end(entity)]) for entity in entities]
    return "".join(kept), [entity for entity in shifted if entity["length"] > 0]


def _check_bounds(text: str, starts: list[int], entity: Json) -> None:
    offset, end = entity["offset"], _end(entity)
    if offset > starts[-1]:
        raise bad_request(f"entity begins after the end of the text at UTF-16 offset {offset}")
    if end > starts[-1]:
        raise bad_request(
            f"entity beginning at UTF-16 offset {offset} ends after the end of the text at UTF-16 offset {end}"
        )
    if offset not in starts:
        at = _byte_after(text, starts, offset)
        raise bad_request(f"entity begins in a middle of a UTF-16 symbol at byte offset {at}")
    if end not in starts:
        at = _byte_after(text, starts, end)
        raise bad_request(
            f"entity beginning at UTF-16 offset {offset} ends in a middle of a UTF-16 symbol at byte offset {at}"
        )


def _byte_after(text: str, starts: list[int], offset: int) -> int:
    return len(text[: starts.index(offset + 1)].encode())


def trim(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    """Give the text without blanks at both ends, entities cut to what is left of it."""
    units = text.encode("utf-16-le")
    entities = [one for one in (_without_leading_blanks(units, entity) for entity in entities) if one is not None]
    text = text.rstrip(" \n")
    length = utf16(text)
    first = min((entity["offset"] for entity in entities), default=length)
    lead = min(len(text) - len(text.lstrip(" \n")), first)
    inside = [entity for entity in entities if entity["offset"] < length]
    return text[lead:], [_span(one, one["offset"] - lead, min(_end(one), length) - lead) for one in inside]


def _without_leading_blanks(units: bytes, entity: Json) -> Json | None:
    start, end = entity["offset"], _end(entity)
    while start < end and units[2 * start : 2 * start + 2] in {b" \0", b"\n\0"}:
        start += 1
    if entity["type"] in CARRIERS:
        return entity
    return _span(entity, start, end) if start < end else None


def with_found(text: str, entities: list[Json]) -> list[Json]:
    """Give the entities and those Telegram finds by itself, none of the latter inside code, links or mentions."""
    solid = [entity for entity in entities if entity["type"] not in STYLES | QUOTES]
    found = [one for one in find_entities(text) if not any(_touch(one, other) for other in solid)]
    return untangle([*entities, *found])


def untangle(entities: list[Json]) -> list[Json]:
    """Give the entities sorted, properly nested, styles cut where they would cross another and none inside code."""
    kept: list[Json] = []
    for entity in _sorted(one for one in entities if one["type"] not in STYLES):
        if not any(_cross(entity, other) or _same_family_touch(entity, other) for other in kept):
            kept.append(entity)
    edges = {edge for one in kept for edge in (one["offset"], _end(one))}
    for style in _sorted(one for one in entities if one["type"] in STYLES):
        cuts = edges if any(_cross(style, other) for other in kept) else set()
        pieces = _cut(style, cuts)
        kept += [one for one in pieces if not any(other["type"] in CODE and _touch(one, other) for other in kept)]
        edges |= {edge for one in pieces for edge in (one["offset"], _end(one))}
    return _sorted(kept)


def _same_family_touch(one: Json, other: Json) -> bool:
    return _touch(one, other) and (one["type"] in QUOTES) == (other["type"] in QUOTES)


def _cut(entity: Json, edges: set[int]) -> list[Json]:
    start, end = entity["offset"], _end(entity)
    points = [start, *sorted(edge for edge in edges if start < edge < end), end]
    return [_span(entity, left, right) for left, right in pairwise(points)]


def _sorted(entities: Iterable[Json]) -> list[Json]:
    return sorted(entities, key=lambda one: (one["offset"], -one["length"]))


def _span(entity: Json, start: int, end: int) -> Json:
    return entity | {"offset": start, "length": end - start}


def _end(entity: Json) -> int:
    return int(entity["offset"]) + int(entity["length"])


def _touch(one: Json, other: Json) -> bool:
    return bool(one["offset"] < _end(other) and other["offset"] < _end(one))


def _cross(one: Json, other: Json) -> bool:
    nested = one["offset"] >= other["offset"] and _end(one) <= _end(other)
    holding = one["offset"] <= other["offset"] and _end(one) >= _end(other)
    return _touch(one, other) and not nested and not holding
