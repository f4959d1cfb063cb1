"""How the tests read styled messages: texts of entities, styles of characters, and what must hold for any message."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import regex

from bot.telegram.formatting import Entity, Styled

CASES = Path(__file__).parents[2] / "cases"
LITERAL = {"code", "pre"}
Style = tuple[str, str | None, str | None]


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, offset: int, length: int) -> str:
    """Give the text of an entity; raises UnicodeDecodeError when it begins or ends inside a surrogate pair."""
    return text.encode("utf-16-le")[offset * 2 : (offset + length) * 2].decode("utf-16-le")


def joined(pieces: Iterable[Styled]) -> Styled:
    """Give all messages as one, each on lines of its own."""
    text, entities = "", []
    for piece in pieces:
        text += "\n" if text else ""
        base = units(text)
        entities += [Entity(e.type, e.offset + base, e.length, e.url, e.language) for e in piece.entities]
        text += piece.text
    return Styled(text, tuple(entities))


def merged(styled: Styled) -> list[tuple[Entity, str]]:
    """Give entities with their texts, touching ones of the same type joined."""
    result: list[Entity] = []
    for entity in sorted(styled.entities, key=lambda e: (e.type, e.offset)):
        last = result[-1] if result else None
        if last and (last.type, last.url, last.language) == (entity.type, entity.url, entity.language):
            gap = cut(styled.text, last.offset + last.length, max(0, entity.offset - last.offset - last.length))
            if not gap:
                result[-1] = Entity(
                    last.type, last.offset, entity.offset + entity.length - last.offset, last.url, last.language
                )
                continue
        result.append(entity)
    return [(entity, cut(styled.text, entity.offset, entity.length)) for entity in result]


def blanks_as_one(text: str, kind: str) -> str:
    return text if kind in LITERAL else re.sub(r"\s+", " ", text).strip()


def styles(styled: Styled) -> list[tuple[str, Counter[Style]]]:
    """Give every character that is no blank with the styles it has."""
    marks: list[Counter[Style]] = [Counter() for _ in range(units(styled.text))]
    for entity in styled.entities:
        for place in range(entity.offset, min(entity.offset + entity.length, len(marks))):
            marks[place][(entity.type, entity.url, entity.language)] += 1
    result, place = [], 0
    for char in styled.text:
        if not char.isspace():
            result.append((char, marks[place]))
        place += units(char)
    return result


def grapheme_starts(text: str) -> set[int]:
    return {found.start() for found in regex.finditer(r"\X", text)} | {len(text)}


def places(whole: str, pieces: Iterable[Styled]) -> Iterator[tuple[int, int]]:
    """Give where each message lies in the whole text."""
    position = 0
    for piece in pieces:
        position = whole.index(piece.text, position)
        yield position, position + len(piece.text)
        position += len(piece.text)


def check_message(styled: Styled) -> None:
    """Assert what Telegram asks of a message, whatever is in it."""
    assert styled.text == styled.text.rstrip()
    assert not re.search(r"[\x00\ud800-\udfff]", styled.text)
    head = len(styled.text) - len(styled.text.lstrip())
    assert not head or any(e.type in LITERAL and e.offset == 0 for e in styled.entities)
    order = [(e.offset, -e.length) for e in styled.entities]
    assert order == sorted(order)
    for entity in styled.entities:
        assert entity.length > 0
        assert entity.offset >= 0
        assert entity.offset + entity.length <= units(styled.text)
        text = cut(styled.text, entity.offset, entity.length)
        assert text.strip()
        assert entity.type in LITERAL or text == text.strip()


def check_nesting(styled: Styled) -> None:
    """Assert that styles lie inside each other or apart, none in itself, and that code holds and shares none."""
    ends: list[Entity] = []
    for entity in styled.entities:
        while ends and ends[-1].offset + ends[-1].length <= entity.offset:
            ends.pop()
        if ends:
            assert entity.offset + entity.length <= ends[-1].offset + ends[-1].length
        around = {outer.type for outer in ends}
        assert entity.type not in around
        assert not around & LITERAL
        assert entity.type not in LITERAL or around <= {"blockquote"}
        ends.append(entity)
