"""Long texts in several messages: cut where a reader would pause, with every style carried on."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import regex

from bot.telegram.styled import Span, Styled, Utf16, assemble, spans_of

# Blanks, and the places after a stop or a comma in scripts that write no blanks.
_PAUSE = regex.compile(r"\s++|(?<=[。！？；][」』”’）》】]?)(?=[^\s。！？；」』”’）》】])|(?<=[，、])(?=\S)")
_SENTENCE_END = regex.compile(r"[.!?…。！？；؟۔।:;][\"'”’»)\]」』）》】]*\Z")
_BLANKS = regex.compile(r"\s*+")
_BROKEN = regex.compile(r"[\x00\uD800-\uDFFF]")  # replaced one for one, so that offsets hold
_GRAPHEME = regex.compile(r"\X")
_WHOLE = frozenset({"text_link", "code"})  # not cut while they fit into one message

_WELL_FILLED = 0.5
"""From this share of the limit on, a cut at a better place beats a fuller message."""

_ENOUGH_BEFORE_CODE = 0.25
"""The same for code that fits into one message: it is worth more to keep that whole."""


class _Place(IntEnum):
    """Where a cut may fall, best first."""

    PARAGRAPH = 0
    LINE = 1
    CODE_LINE = 2
    SENTENCE = 3
    BLANK = 4


@dataclass(frozen=True, slots=True)
class _Cut:
    place: _Place
    end: int  # the message ends here
    start: int  # the next one starts here


class _Cover:
    """Answers whether an index lies inside one of some ranges."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for span in spans:  # in order of their starts
            if self._ends and span.start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def around(self, index: int) -> tuple[int, int] | None:
        """Give the range with ``index`` strictly inside."""
        place = bisect_left(self._starts, index) - 1
        return self._range(place) if place >= 0 and index < self._ends[place] else None

    def beginning_at(self, index: int) -> tuple[int, int] | None:
        """Give the range that begins at ``index``, or just after it with its indentation left out."""
        place = bisect_right(self._starts, index) - 1
        return self._range(place) if place >= 0 and self._starts[place] == index else None

    def _range(self, place: int) -> tuple[int, int]:
        return self._starts[place], self._ends[place]


def split(styled: Styled, limit: int = 4096, entity_cap: int = 90) -> tuple[Styled, ...]:
    """Give the messages that carry ``styled``, each of at most ``limit`` UTF-16 units and ``entity_cap`` entities.

    Nothing but blanks at the cuts is lost. No message is blank, so a blank text gives none. Code is cut at line ends
    and keeps its language; links stay whole while they fit. Of more entities than the cap in one place, the widest
    are kept.

    Raises:
        ValueError: ``limit`` has no room for a character, or ``entity_cap`` is below 1.
    """
    if limit < 2 or entity_cap < 1:
        raise ValueError(f"no message fits into {limit} units with {entity_cap} entities")
    return tuple(_Splitter(styled, limit, entity_cap).messages())


class _Splitter:
    def __init__(self, styled: Styled, limit: int, entity_cap: int) -> None:
        self._text = _BROKEN.sub("\ufffd", styled.text)
        self._limit = limit
        self._cap = entity_cap
        self._units = Utf16(styled.text)
        self._spans = sorted(spans_of(styled), key=lambda span: (span.start, -span.end))
        self._pre = _Cover(span for span in self._spans if span.type == "pre")
        self._whole = _Cover(span for span in self._spans if span.type in _WHOLE and self._fits(span.start, span.end))

    def messages(self) -> Iterator[Styled]:
        start = self._next_start(0)
        carried: list[Span] = []
        upcoming = 0
        while start < len(self._text):
            carried = [span for span in carried if span.end > start][: self._cap]
            cut = self._cut(start, self._edge(start, len(carried), upcoming))
            while upcoming < len(self._spans) and self._spans[upcoming].start < cut.end:
                carried.append(self._spans[upcoming])
                upcoming += 1
            yield from self._message(start, cut.end, carried)
            start = cut.start

    def _message(self, start: int, end: int, spans: Sequence[Span]) -> Iterator[Styled]:
        inside = (
            Span(span.type, max(span.start, start) - start, min(span.end, end) - start, span.url, span.language)
            for span in spans
            if span.end > start
        )
        message = assemble(self._text[start:end], inside)
        if message.text:
            yield Styled(message.text, message.entities[: self._cap])

    def _edge(self, start: int, carried: int, upcoming: int) -> int:
        """Give the farthest index where a message from ``start`` may end: by its length, and by its styles."""
        last = min(len(self._text), start + self._limit)
        target = self._units.offset(start) + self._limit
        edge = start - 1 + bisect_right(range(start, last + 1), target, key=self._units.offset)
        surplus = upcoming + self._cap - carried
        while surplus < len(self._spans) and self._spans[surplus].start <= start:
            surplus += 1
        return min(edge, self._spans[surplus].start) if surplus < len(self._spans) else edge

    def _cut(self, start: int, edge: int) -> _Cut:
        """Choose the last place of the best kind that leaves the message well filled or the next unit whole."""
        if edge >= len(self._text):
            return _Cut(_Place.PARAGRAPH, edge, edge)
        cuts = list(self._cuts(start, edge))
        least = start + (edge - start) * _WELL_FILLED
        for place in _Place:
            reached = [cut for cut in cuts if self._competes(cut, place)]
            if reached and (reached[-1].end >= least or self._spares_next(start, edge, reached[-1], place)):
                return reached[-1]
        return self._forced(start, edge)

    def _competes(self, cut: _Cut, place: _Place) -> bool:
        return cut.place <= place if place in {_Place.LINE, _Place.BLANK} else cut.place == place

    def _spares_next(self, start: int, edge: int, cut: _Cut, place: _Place) -> bool:
        """Say whether a short message is worth it, since what follows then needs no cut of a worse kind."""
        code = self._pre.beginning_at(cut.start)
        if code and place <= _Place.LINE:
            return cut.end - start >= (edge - start) * _ENOUGH_BEFORE_CODE and self._fits(*code)
        if place in {_Place.PARAGRAPH, _Place.SENTENCE}:
            return False
        window = self._text[cut.start : cut.start + self._limit + 1]
        unit = window.split("\n", 1)[0] if place != _Place.BLANK else window.lstrip().split(maxsplit=1)[0]
        return self._fits(cut.start, cut.start + len(unit))

    def _cuts(self, start: int, edge: int) -> Iterator[_Cut]:
        """Give the places for a cut in order of the text; before the first there is something to see."""
        content = self._blanks_end(start)
        for pause in _PAUSE.finditer(self._text, content + 1):
            if pause.start() > edge:
                return
            end, following = pause.start(), self._next_start(pause.start())
            in_code = self._pre.around(end) is not None
            if self._whole.around(end) or (in_code and pause.end() == end) or not self._begins_grapheme(following):
                continue
            yield _Cut(self._place(end, pause.end(), in_code), end, following)

    def _place(self, end: int, after: int, in_code: bool) -> _Place:
        breaks = self._text.count("\n", end, after)
        if in_code:
            return _Place.CODE_LINE if breaks else _Place.BLANK
        if breaks:
            return _Place.PARAGRAPH if breaks > 1 else _Place.LINE
        return _Place.SENTENCE if _SENTENCE_END.search(self._text, max(0, end - 8), end) else _Place.BLANK

    def _forced(self, start: int, edge: int) -> _Cut:
        """Cut between two characters as people see them; inside one only if it is longer than a message."""
        link = self._whole.around(edge)
        last = link[0] if link and link[0] > start else edge
        end = start
        for grapheme in _GRAPHEME.finditer(self._text, start, min(last + 2, len(self._text))):
            if grapheme.end() > last:
                break
            end = grapheme.end()
        end = end if end > start else last
        return _Cut(_Place.BLANK, end, self._next_start(end))

    def _next_start(self, index: int) -> int:
        """Skip the blanks after ``index``, but leave a line of code its indentation."""
        after = self._blanks_end(index)
        code = self._pre.around(after)
        if code is None:
            return after
        line = self._text.rfind("\n", index, after) + 1
        return max(line or index, code[0])

    def _blanks_end(self, index: int) -> int:
        blanks = _BLANKS.match(self._text, index)
        return index if blanks is None else blanks.end()

    def _begins_grapheme(self, index: int) -> bool:
        grapheme = _GRAPHEME.match(self._text, max(0, index - 1), index + 1)
        return index == 0 or grapheme is None or grapheme.end() == index

    def _fits(self, start: int, end: int) -> bool:
        return self._units.offset(end) - self._units.offset(start) <= self._limit
