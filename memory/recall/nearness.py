"""Dates in a question: "what did we do in May" prefers memories of May."""

import calendar
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from memory import policy
from memory.dates import DateMention, Moment, Unit, find_dates, zone
from memory.domain import Memory

READ_CHARS = 1_000
"""So much of a question is read for dates: a paste is a document with dates of its own."""

Range = tuple[date, date]
"""First and last day."""


def ranges_of(query: str, now: datetime, timezone: str) -> tuple[Range, ...]:
    """Give the days that ``query`` may mean, as seen in ``timezone`` (IANA); every reading of an ambiguous date counts."""
    if len(query) > READ_CHARS:
        return ()
    mentions = find_dates(query, Moment(now, timezone))
    return tuple(dict.fromkeys(span for mention in mentions if _is_date(mention) for span in _spans(mention)))


def nearness(memory: Memory, ranges: Sequence[Range], timezone: str) -> float:
    """Give 1 for a memory said or valid within one of ``ranges``, less with each day beyond, 0 after a fortnight."""
    if not ranges:
        return 0.0
    where = zone(timezone)
    days = {at.astimezone(where).date() for at in (memory.valid_from, memory.created_at) if at is not None}
    nearest = min(max((first - day).days, (day - last).days, 0) for first, last in ranges for day in days)
    return max(0.0, 1 - nearest / policy.NEAR_DAYS)


def _is_date(mention: DateMention) -> bool:
    """Say whether it is one: "on Mondays" is none, and neither is a weekday that nothing ties to a week."""
    bare = mention.weekday is not None and mention.day is None and not mention.relative
    return bool(mention.options) and not mention.habitual and not bare


def _spans(mention: DateMention) -> Iterable[Range]:
    for first in mention.options:
        yield first, _last(first, mention.unit)


def _last(first: date, unit: Unit) -> date:
    if unit is Unit.WEEK:
        return min(first, date.max - timedelta(days=6)) + timedelta(days=6)
    if unit is Unit.MONTH:
        return first.replace(day=calendar.monthrange(first.year, first.month)[1])
    return date(first.year, 12, 31) if unit is Unit.YEAR else first
