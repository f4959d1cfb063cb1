"""Text with styles, as Telegram wants it: plain text plus entities counted in UTF-16 units."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

import regex

LITERAL_TYPES = frozenset({"code", "pre"})
"""Types whose text is exact and which hold no other style."""

# Outer styles first: where two entities cover the same text, the first of these holds the other.
_NESTING = ("blockquote", "text_link", "bold", "italic", "underline", "strikethrough", "spoiler", "code", "pre")
_RANK = {name: rank for rank, name in enumerate(_NESTING)}

_ASTRAL = regex.compile(r"[\U00010000-\U0010FFFF]")
_NEWLINE = regex.compile(r"\r\n?|[\u2028\u2029\u0085]")
# Telegram drops or blanks these itself, which would leave a message of nothing else empty and refused.
_DROPPED = regex.compile(r"[\x00-\x08\x0e-\x1f\x7f\u202a-\u202e]")
# Characters that take part in no visible mark: a message of these alone is refused as empty.
_INVISIBLE = regex.compile(r"[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]*+")


@dataclass(frozen=True, slots=True)
class Entity:
    """One style: ``type`` as the Bot API names it, ``offset`` and ``length`` in UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Styled:
    """A text ready to be sent, with its styles in order. Text without a visible character is ``""``."""

    text: str
    entities: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A style between two indices of a Python string."""

    type: str
    start: int
    end: int
    url: str | None = None
    language: str | None = None


class Utf16:
    """Translates between the indices of a text and its offsets in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._astral = [match.start() for match in _ASTRAL.finditer(text)]
        self._offsets = [index + rank for rank, index in enumerate(self._astral)]
        self.length = len(text) + len(self._astral)

    def offset(self, index: int) -> int:
        """Give the offset of the character at ``index``."""
        return index + bisect_left(self._astral, index)

    def index(self, offset: int) -> int:
        """Give the index of the character at ``offset``; inside a surrogate pair, that of the pair."""
        return offset - bisect_left(self._offsets, offset)


def clean(text: str) -> str:
    """Give ``text`` with line feeds as its only line ends, no control characters, and lone surrogates as U+FFFD."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return str(_DROPPED.sub("", _NEWLINE.sub("\n", whole)))


def is_blank(text: str) -> bool:
    """Say whether ``text`` shows nothing, so that Telegram would refuse it."""
    return _INVISIBLE.fullmatch(text) is not None


def assemble(text: str, spans: Iterable[Span]) -> Styled:
    """Give a message: stripped text and valid, sorted entities; ``Styled("")`` where nothing would show.

    Styles lose blanks at their edges and vanish when nothing is left. Code keeps its own: Telegram strips the head
    of a message only up to its first entity, so that the first line of a program keeps its indentation.
    """
    if is_blank(text):
        return Styled("")
    visible = [span for span in spans if span.start < span.end and not text[span.start : span.end].isspace()]
    literal_start = min((span.start for span in visible if span.type in LITERAL_TYPES), default=len(text))
    start = min(len(text) - len(text.lstrip()), literal_start)
    end = len(text.rstrip())
    units = Utf16(text)
    base = units.offset(start)
    entities = (_entity(_trimmed(text, span, start, end), units, base) for span in visible)
    ordered = sorted(entities, key=lambda entity: (entity.offset, -entity.length, _RANK.get(entity.type, -1)))
    return Styled(text[start:end], tuple(ordered))


def spans_of(styled: Styled) -> tuple[Span, ...]:
    """Give the entities by string indices, clipped to the text."""
    units = Utf16(styled.text)

    def index(offset: int) -> int:
        return units.index(min(max(offset, 0), units.length))

    return tuple(
        Span(entity.type, index(entity.offset), index(entity.offset + entity.length), entity.url, entity.language)
        for entity in styled.entities
        if entity.length > 0
    )


def _trimmed(text: str, span: Span, start: int, end: int) -> Span:
    first, last = max(span.start, start), min(span.end, end)
    if span.type not in LITERAL_TYPES:
        inside = text[first:last]
        first += len(inside) - len(inside.lstrip())
        last -= len(inside) - len(inside.rstrip())
    return Span(span.type, first, last, span.url, span.language)


def _entity(span: Span, units: Utf16, base: int) -> Entity:
    offset, end = units.offset(span.start), units.offset(span.end)
    return Entity(span.type, offset - base, end - offset, span.url, span.language)
