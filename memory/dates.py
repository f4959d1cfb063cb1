"""Dates in a text: found, resolved in a zone, and written out, so that a memory keeps the date and not the word.

The names of days, months and relative days in some 28 languages come from dateparser's tables (CLDR); which date they mean is decided
here, by rules one can read: a library that guesses dates in running text guesses too much.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

import regex

from memory import calendar_names as names
from memory.cues import HABITUAL, OPEN_ENDED
from memory.digits import plain
from memory.folding import fold


class Unit(StrEnum):
    """How exactly a date is known."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as it stands in a text (``start`` and ``end`` in code points), resolved as far as it can be.

    Of ``day``, ``month`` and ``year`` what was not said is None; ``options`` are the dates it may mean, likeliest first; for a week,
    month or year the first day of it.
    """

    start: int
    end: int
    unit: Unit
    options: tuple[date, ...]
    relative: bool = False
    habitual: bool = False
    weekday: int | None = None
    day: int | None = None
    month: int | None = None
    year: int | None = None

    @property
    def value(self) -> date | None:
        """The likeliest date."""
        return self.options[0] if self.options else None

    def agrees(self, other: "DateMention") -> bool:
        """Say whether ``self`` claims nothing that ``other`` does not mean."""
        if self.habitual or other.habitual:
            return other.habitual and self.weekday == other.weekday
        if self.weekday is not None and not self.options:
            return other.weekday == self.weekday or any(d.weekday() == self.weekday for d in other.options)
        if self.relative and other.relative and self.weekday is not None and self.weekday == other.weekday:
            return True  # the same word; which week it means is for who said it
        said_year = other.year is not None or other.unit is Unit.YEAR  # "on Thursday" names no year
        fits = (
            self._fits(mine, its, other.unit, said_year=said_year) for mine in self.options for its in other.options
        )
        return any(fits)

    def _fits(self, mine: date, its: date, unit: Unit, *, said_year: bool) -> bool:
        if self.unit is Unit.YEAR:
            return mine.year == its.year and said_year
        if self.unit is Unit.MONTH:
            return (mine.year, mine.month) == (its.year, its.month) and unit is not Unit.YEAR
        if self.unit is Unit.WEEK:
            return mine <= its < mine + timedelta(days=7)
        return unit is Unit.DAY and mine == its


@dataclass(frozen=True, slots=True)
class Moment:
    """When and where something was said: what relative words are counted from."""

    at: datetime  # aware
    timezone: str  # IANA

    @property
    def day(self) -> date:
        """The local date."""
        return self.at.astimezone(zone(self.timezone)).date()


def zone(name: str) -> ZoneInfo:
    """Give the time zone ``name``, or UTC where there is none of that name."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def end_of_day(day: date, timezone: str) -> datetime:
    """Give the last second of a local day, in UTC."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=zone(timezone)).astimezone(UTC)


@lru_cache(maxsize=128)
def find_dates(text: str, said: Moment) -> tuple[DateMention, ...]:
    """Give the dates in ``text``, in order, without overlaps: absolute ones, weekdays, and words relative to ``said``."""
    text = plain(text)
    found = [
        *_absolute(text, said.day),
        *_counted(text, said.day),
        *_relative(text, said.day),
        *_weekdays(text, said.day),
    ]
    taken = bytearray(len(text))
    kept: list[DateMention] = []
    for mention in sorted(found, key=lambda m: (m.start - m.end, m.start)):
        if not any(taken[mention.start : mention.end]):
            kept.append(mention)
            taken[mention.start : mention.end] = b"\x01" * (mention.end - mention.start)
    return tuple(sorted(kept, key=lambda m: m.start))


_ISO: Final = regex.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_CJK: Final = regex.compile(r"(?:(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]")
_NUMERIC: Final = regex.compile(
    r"(?<![\d.,/-])(\d{1,2})([./-])\s?(\d{1,2})(?:\2\s?(\d{4}|\d{2})(?!\d)|(?<=\.\s?\d{1,2})\.(?![\d]))"
)
_YEAR: Final = regex.compile(r"(?<![\d.,:/-])(19[3-9]\d|20[0-9]\d)(?![\d.,:/-]\d|\d)")


def _absolute(text: str, today: date) -> Iterable[DateMention]:
    for found in _ISO.finditer(text):
        yield from _made((found.start(), found.end()), int(found[1]), int(found[2]), int(found[3]), today)
    for found in _CJK.finditer(text):
        yield from _made(
            (found.start(), found.end()), int(found[1]) if found[1] else None, int(found[2]), int(found[3]), today
        )
    for found in _NUMERIC.finditer(text):
        yield from _numeric(found, today)
    yield from _named(text, today)
    for found in _YEAR.finditer(text):
        year = int(found[1])
        yield DateMention(found.start(), found.end(), Unit.YEAR, (date(year, 1, 1),), year=year)


def _numeric(found: "regex.Match[str]", today: date) -> Iterable[DateMention]:
    """Read 3.12.2026 by the dot as day first; with a slash both readings stand."""
    first, second = int(found[1]), int(found[3])
    year = int(found[4]) if found[4] else None
    year = year + 2000 if year is not None and year < 100 else year
    readings = [*_made((found.start(), found.end()), year, second, first, today)]
    if found[2] == "/":
        readings += _made((found.start(), found.end()), year, first, second, today)
    if readings:
        options = tuple(dict.fromkeys(d for r in readings for d in r.options))
        yield replace(readings[0], options=options)


def _named(text: str, today: date) -> Iterable[DateMention]:
    for found in names.day_and_month().finditer(text):
        month = names.month_of(found["month"])
        day = found["day1"] or found["day2"]
        yield from _made(
            (found.start(), found.end()), int(found["year"]) if found["year"] else None, month, int(day), today
        )
    for found in names.month_alone().finditer(text):
        month = names.month_of(found["month"])
        year = int(found["year"]) if found["year"] else None
        years = (year,) if year else _nearest_years(today, month)
        yield DateMention(
            found.start(), found.end(), Unit.MONTH, tuple(date(y, month, 1) for y in years), month=month, year=year
        )


def _nearest_years(today: date, month: int) -> tuple[int, int]:
    return (today.year, today.year - 1) if month >= today.month else (today.year + 1, today.year)


def _made(span: tuple[int, int], year: int | None, month: int, day: int, today: date) -> Iterable[DateMention]:
    """Give the mention of a calendar date; without a year it means the next one or the one before."""
    years = (year,) if year else (today.year, today.year + 1, today.year - 1)
    days = [d for d in (_valid(y, month, day) for y in years) if d]
    if not year:
        days = [d for d in days if d >= today][:1] + [d for d in sorted(days, reverse=True) if d < today][:1]
    if days:
        yield DateMention(span[0], span[1], Unit.DAY, tuple(days), day=day, month=month, year=year)


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_COUNT: Final = regex.compile(
    r"(?<![\p{L}\p{N}])(?:\d{1,3}|\p{L}{1,12})(?![\p{L}\p{N}])|(?<=[\p{Han}\p{Hangul}\s])\d{1,3}"
)
_AROUND: Final = 24
_MOST_NUMBERS: Final = 500  # a message of more numbers is a table, not an appointment


def _counted(text: str, today: date) -> Iterable[DateMention]:
    """Look around every number for "in two weeks" and its like: the patterns of 26 languages are too many to try everywhere."""
    numbers = ((found, names.count_of(found[0])) for found in _COUNT.finditer(text))
    for number, count in islice(((found, n) for found, n in numbers if n is not None and n <= 500), _MOST_NUMBERS):
        if count is not None:
            yield from _counted_at(text, number.start(), number.end(), count, today)


def _counted_at(text: str, start: int, end: int, count: int, today: date) -> Iterable[DateMention]:
    for pattern, unit, sign in names.counted():
        for found in pattern.finditer(text, max(0, start - _AROUND), min(len(text), end + _AROUND)):
            if found.span("count") == (start, end):
                yield from _shifted((found.start(), found.end()), unit, sign * count, today)
                return


def _shifted(span: tuple[int, int], unit: str, count: int, today: date) -> Iterable[DateMention]:
    """Give the day ``count`` units away; years and months count in the calendar."""
    if unit in {"day", "week"}:
        days = count * (7 if unit == "week" else 1)
        yield DateMention(span[0], span[1], Unit.DAY, (today + timedelta(days=days),), relative=True)
        return
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    if 12 <= months < 12 * 9999:
        whole = Unit.MONTH if unit == "month" else Unit.YEAR
        first = date(months // 12, months % 12 + 1 if whole is Unit.MONTH else 1, 1)
        yield DateMention(span[0], span[1], whole, (first,), relative=True)


def _relative(text: str, today: date) -> Iterable[DateMention]:
    for found in names.relative_words().finditer(text):
        unit, count = names.offset_of(found[0])
        if names.is_morning(text, found.start(), found.end()):
            continue
        if unit == "week":
            monday = today - timedelta(days=today.weekday()) + timedelta(weeks=count)
            yield DateMention(found.start(), found.end(), Unit.WEEK, (monday,), relative=True)
        else:
            yield from _shifted((found.start(), found.end()), unit, count, today)


_MODIFIER: Final = regex.compile(r"\b(?:next|last|this|coming) $", regex.IGNORECASE)
_WEEKS: Final = {"next": 1, "next week": 1, "this week": 0, "last week": -1}


def _weekdays(text: str, today: date) -> Iterable[DateMention]:
    past = None
    for found in names.weekdays().finditer(text):
        weekday = names.weekday_of(found["name"])
        before = fold(text[max(0, found.start() - 24) : found.start()]).replace("'", " ").split()
        if names.is_habit(found[0], before, HABITUAL):
            yield DateMention(found.start(), found.end(), Unit.DAY, (), habitual=True, weekday=weekday)
            continue
        past = names.tells_of_the_past(text) if past is None else past
        shift = names.week_shift(found, before)
        lead = _MODIFIER.search(text, max(0, found.start() - 8), found.start())
        yield DateMention(
            lead.start() if lead else found.start(),
            found.end(),
            Unit.DAY,
            (_day_of(today, weekday, shift, past=past),),
            relative=True,
            weekday=weekday,
        )


def _day_of(today: date, weekday: int, shift: str, *, past: bool) -> date:
    """Give the date a weekday means: the coming one, the last one in a story, or that of the week named."""
    monday = today - timedelta(days=today.weekday())
    if shift in _WEEKS:
        return monday + timedelta(weeks=_WEEKS[shift], days=weekday)
    ahead = (weekday - today.weekday() - 1) % 7 + 1
    back = (today.weekday() - weekday - 1) % 7 + 1
    return today - timedelta(days=back) if shift == "last" or past else today + timedelta(days=ahead)


def write_out(text: str, mentions: Iterable[DateMention], language: str | None) -> str:
    """Give ``text`` with every relative word replaced by its date, in the manner of ``language``; without one, of the word itself."""
    for mention in sorted(mentions, key=lambda m: m.start, reverse=True):
        day = mention.value
        if mention.relative and day is not None and not _dated(text, mention):
            word = text[mention.start : mention.end]
            manner = language or ("en" if names.is_english(word) else None)
            text = text[: mention.start] + names.written(word, day, mention.unit.value, manner) + text[mention.end :]
    return text


def _dated(text: str, mention: DateMention) -> bool:
    """Say whether the date stands beside its weekday already ("Thursday 3 December")."""
    beside = text[mention.end : mention.end + 24]
    return (
        mention.weekday is not None
        and regex.match(r"[,(\s]*(?:the |den |le |el |\d)", beside) is not None
        and regex.search(r"\d", beside) is not None
    )


def is_open_ended(text: str, mention: DateMention) -> bool:
    """Say whether what is told does not end with its date ("since Thursday")."""
    before = fold(text[: mention.start]).replace("'", " ").split()
    return bool(OPEN_ENDED.intersection(before))
