"""A page being written: text grows at its end, styles are opened and closed around it."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from bot.telegram.styled import LITERAL_TYPES, Span, Styled, assemble

_UNCUT = LITERAL_TYPES | {"blockquote", "text_link"}


@dataclass(frozen=True, slots=True)
class _Opened:
    type: str
    start: int
    part: int  # index into the parts, to read back what was written since
    url: str | None
    counts: bool  # False for a style that is in force already


class Page:
    """Collects text and styles; `styled` gives the message."""

    def __init__(self) -> None:
        self.indent = ""
        self._parts: list[str] = []
        self._length = 0
        self._spans: list[Span] = []
        self._opened: list[_Opened] = []
        self._active: set[str] = set()
        self._line_ends = 0  # how many of them the text ends with
        self._after_marker = False

    def write(self, text: str) -> None:
        """Add text; each new line of it is indented."""
        if not text:
            return
        margin = self.indent if self._line_ends else ""
        self._append(margin + text.replace("\n", "\n" + self.indent))

    def gap(self, line_ends: int) -> None:
        """Begin a new line, or after an empty one; nothing at the top and right after a list item's mark."""
        if self._length and not self._after_marker:
            self._break_line(line_ends)

    def mark_item(self, marker: str) -> None:
        """Write what stands before a list item; the item's first block follows on the same line."""
        self.write(marker)
        self._after_marker = True

    def end_item(self) -> None:
        """End a list item, an empty one too."""
        self._after_marker = False

    def open(self, style: str, url: str | None = None) -> None:
        """Begin a style; one that is in force already adds nothing, and neither does ``""``."""
        counts = bool(style) and style not in self._active
        self._opened.append(_Opened(style, self._length, len(self._parts), url, counts))
        if counts:
            self._active.add(style)

    def close(self) -> str:
        """End the style opened last; gives the text it covers."""
        opened = self._opened.pop()
        if opened.counts:
            self._active.discard(opened.type)
            self._spans.append(Span(opened.type, opened.start, self._length, opened.url))
        return "".join(self._parts[opened.part :])

    def code(self, text: str) -> None:
        """Add code inside a line. What is hidden stays hidden, what is linked stays linked: they outrank code."""
        start = self._length
        self.write(text)
        if not self._active & {"spoiler", "text_link"}:
            self._spans.append(
                Span("code", self._length - len(text), self._length) if text else Span("code", start, start)
            )

    def block_of_code(self, text: str, language: str | None) -> None:
        """Add lines of code, without indentation of the page's own."""
        if self._after_marker:
            self._break_line(1)
        start = self._length
        self._append(text)
        self._spans.append(Span("pre", start, self._length, language=language))

    def styled(self) -> Styled:
        """Give the message."""
        return assemble("".join(self._parts), self._cut_spans())

    def _append(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self._length += len(text)
            self._line_ends = 0
            self._after_marker = False

    def _break_line(self, line_ends: int) -> None:
        missing = line_ends - self._line_ends
        if missing > 0:
            self._append("\n" * missing)
            self._line_ends = line_ends
        self._after_marker = False

    def _cut_spans(self) -> Iterator[Span]:
        holes = [span for span in self._spans if span.type in LITERAL_TYPES]
        ends = [hole.end for hole in holes]
        for span in self._spans:
            if span.type in _UNCUT:
                yield span
            else:
                yield from _without(span, holes[bisect_left(ends, span.start + 1) :])


def _without(span: Span, holes: list[Span]) -> Iterator[Span]:
    """Give the parts of ``span`` between code: Telegram allows no style inside it."""
    start = span.start
    for hole in holes:
        if hole.start >= span.end:
            break
        yield Span(span.type, start, hole.start)
        start = hole.end
    yield Span(span.type, start, span.end)
