"""Idle time is lived time: days without a message do not count."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import lived
from memory.domain import GLOBAL
from memory.lived import Ages, lived_hours, lived_in
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, ELSEWHERE, HERE, keep

START = datetime(2026, 3, 1, 6, tzinfo=UTC)
DAY = timedelta(days=1)
EARLY, LATE = (START.replace(tzinfo=None) + timedelta(days=days) for days in (-60, 20))
instants = st.datetimes(EARLY, LATE, timezones=st.just(UTC))


def days(*numbers: int) -> set[date]:
    return {date(2026, 3, number) for number in numbers}


@pytest.mark.parametrize(
    ("now", "lived_on", "hours"),
    [
        (START + DAY, days(1, 2), 24),
        (START + DAY, days(1), 18),
        (START + DAY, days(2), 6),
        (START + DAY, days(), 0),
        (START + timedelta(hours=3), days(1), 3),
        (START + timedelta(hours=3), days(2), 0),
        (START + 21 * DAY, days(1, 22), 24),  # a holiday of three weeks
        (START + 3 * DAY, days(1, 2, 3, 4), 72),
        (START, days(1), 0),
        (START - DAY, days(1, 28), 0),
    ],
)
def test_only_hours_on_days_with_a_message_count(now: datetime, lived_on: set[date], hours: float) -> None:
    assert lived_hours(START, now, lived_on) == pytest.approx(hours)


def test_days_are_those_of_utc_whatever_the_zone_of_the_instants() -> None:
    tokyo = timezone(timedelta(hours=9))
    assert lived_hours(START.astimezone(tokyo), (START + DAY).astimezone(tokyo), days(1)) == pytest.approx(18)


@settings(max_examples=60)
@given(instants, instants, instants, st.sets(st.dates(date(2025, 12, 25), date(2026, 3, 5)), max_size=30))
def test_lived_time_adds_up_and_never_exceeds_plain_time(
    a: datetime, b: datetime, c: datetime, lived_on: set[date]
) -> None:
    first, middle, last = sorted((a, b, c))
    whole = lived_hours(first, last, lived_on)
    assert whole == pytest.approx(lived_hours(first, middle, lived_on) + lived_hours(middle, last, lived_on), abs=1e-6)
    assert 0 <= whole <= (last - first).total_seconds() / 3600 + 1e-6


def test_global_lives_when_any_chat_does_and_a_chat_by_itself(uow: UnitOfWork) -> None:
    for _ in range(2):
        lived.mark(uow, AGENT, ELSEWHERE, date(2026, 3, 1))
    here, shared, there = (keep(uow, "x", scope, now=START) for scope in (HERE, GLOBAL, ELSEWHERE))
    idle = lived_in(uow, AGENT, START + DAY)
    assert [idle(memory) for memory in (here, shared, there)] == [0, pytest.approx(18), pytest.approx(18)]


@settings(max_examples=40)
@given(st.integers(1, 3000), st.integers(1, 3000))
def test_a_holiday_of_any_length_changes_nothing(one: int, other: int) -> None:
    def idle(pause: int) -> float:
        back = START + pause * DAY
        return lived_hours(START, back, {START.date(), back.date()})

    assert idle(one) == pytest.approx(idle(other))


def test_a_day_is_a_day_however_much_was_said(uow: UnitOfWork) -> None:
    for _ in range(500):
        lived.mark(uow, AGENT, HERE, START.date())
    assert lived.days_lived(uow, AGENT, HERE) == (START.date(),)
    assert Ages(uow, AGENT, START + 9000 * DAY).since(HERE, START) == pytest.approx(18)


@pytest.mark.parametrize(
    ("hours", "then"),
    [
        (0, START),
        (18, START + timedelta(hours=18)),
        (19, datetime(2026, 3, 22, 1, tzinfo=UTC)),  # after a holiday of three weeks
        (42, datetime(2026, 3, 23, tzinfo=UTC)),
        (99, START + 30 * DAY),  # yet to be lived: now
    ],
)
def test_when_so_much_had_been_lived(uow: UnitOfWork, hours: float, then: datetime) -> None:
    for number in (1, 22):
        lived.mark(uow, AGENT, HERE, date(2026, 3, number))
    ages = Ages(uow, AGENT, START + 30 * DAY)
    assert ages.after(HERE, START, hours) == then
    assert ages.since(HERE, START) - ages.since(HERE, then) == pytest.approx(min(hours, 42))
