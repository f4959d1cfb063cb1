"""parse_mode HTML, with Telegram's complaints. Markdown is not modelled and answers 404."""

import html
import re
from dataclasses import dataclass, field

from tests.telegram_server.found import utf16
from tests.telegram_server.refusal import Json, Refusal, bad_request

TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler", "span": "spoiler",
    "code": "code", "pre": "pre", "blockquote": "blockquote", "a": "text_link", "tg-emoji": "custom_emoji",
}  # fmt: skip
PIECE = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)?([^>]*)(>?)|&(?:#\d+|#x[0-9a-fA-F]+|lt|gt|amp|quot);|[^<&]+|&")
ATTRIBUTE = re.compile(r"([A-Za-z-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+)))?")


@dataclass(slots=True)
class Reading:
    """What has been read so far: plain text, finished entities, open tags."""

    text: str = ""
    entities: list[Json] = field(default_factory=list)
    open: list[tuple[str, dict[str, str], int]] = field(default_factory=list)


def parse(text: str, mode: str) -> tuple[str, list[Json]]:
    """Give plain text and entities of ``text`` in a parse mode; 400 with Telegram's words when it is malformed."""
    if mode.lower() in {"markdown", "markdownv2"}:
        raise Refusal(404, "this test server does not parse Markdown; send entities")
    if mode.lower() != "html":
        raise bad_request("unsupported parse_mode")
    reading = Reading()
    for match in PIECE.finditer(text):
        _read(reading, match, len(text[: match.start()].encode()))
    if reading.open:
        raise _wrong(f'Can\'t find end tag corresponding to start tag "{reading.open[-1][0]}"')
    return reading.text, reading.entities


def _read(reading: Reading, match: re.Match[str], at: int) -> None:
    piece = match[0]
    if not piece.startswith("<"):
        reading.text += html.unescape(piece) if piece.startswith("&") and len(piece) > 1 else piece
    elif not match[4]:
        raise _wrong(f"Unclosed start tag at byte offset {at}")
    elif match[1]:
        _close(reading, (match[2] or "").lower(), at)
    else:
        _open(reading, (match[2] or "").lower(), match[3], at)


def _open(reading: Reading, tag: str, attributes: str, at: int) -> None:
    values = {found[1].lower(): found[2] or found[3] or found[4] or "" for found in ATTRIBUTE.finditer(attributes)}
    if tag not in TAGS:
        raise _wrong(f'Unsupported start tag "{tag}" at byte offset {at}')
    if tag == "span" and values.get("class") != "tg-spoiler":
        raise _wrong(f'Tag "span" must have class "tg-spoiler" at byte offset {at}')
    reading.open.append((tag, values, utf16(reading.text)))


def _close(reading: Reading, tag: str, at: int) -> None:
    if not reading.open:
        raise _wrong(f"Unexpected end tag at byte offset {at}")
    opened, values, start = reading.open.pop()
    if tag not in {opened, ""}:
        raise _wrong(f'Unmatched end tag at byte offset {at}, expected "</{opened}>", found "</{tag}>"')
    entity = {"type": TAGS[opened], "offset": start, "length": utf16(reading.text) - start}
    _add(reading, entity, values)


def _add(reading: Reading, entity: Json, values: dict[str, str]) -> None:
    if entity["type"] == "text_link":
        entity["url"] = html.unescape(values.get("href", ""))
    if entity["type"] == "custom_emoji":
        entity["custom_emoji_id"] = values.get("emoji-id", "")
    if entity["type"] == "blockquote" and "expandable" in values:
        entity["type"] = "expandable_blockquote"
    language = values.get("class", "")
    inner = reading.entities[-1] if reading.entities else {}
    if entity["type"] == "pre" and inner.get("language"):  # <pre><code class="language-x">
        reading.entities.pop()
        entity["language"] = inner["language"]
    if entity["type"] == "code" and language.startswith("language-") and reading.open and reading.open[-1][0] == "pre":
        entity["language"] = language.removeprefix("language-")
    if entity["length"]:
        reading.entities.append(entity)


def _wrong(reason: str) -> Refusal:
    return bad_request(f"can't parse entities: {reason}")
