"""Dates in what people say, counted from when they said it."""

import itertools
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.dates import Moment, Unit, end_of_day, find_dates, is_open_ended, write_out, zone

SUNDAY = Moment(datetime(2026, 11, 29, 14, 0, tzinfo=UTC), "Europe/Berlin")


def days(text: str, said: Moment = SUNDAY) -> list[str]:
    return [str(mention.value) for mention in find_dates(text, said)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the dentist on Thursday", "2026-12-03"),
        ("Zahnarzt am Donnerstag", "2026-12-03"),
        ("chez le dentiste jeudi", "2026-12-03"),
        ("el dentista el jueves", "2026-12-03"),
        ("dal dentista giovedì", "2026-12-03"),
        ("no dentista na quinta-feira", "2026-12-03"),
        ("к стоматологу в четверг", "2026-12-03"),
        ("к стоматологу в среду", "2026-12-02"),
        ("do dentysty w czwartek", "2026-12-03"),
        ("hammaslääkäri torstaina", "2026-12-03"),
        ("来週の木曜日に歯医者", "2026-12-03"),
        ("下周三开会", "2026-12-02"),
        ("다음 주 목요일 치과", "2026-12-03"),
        ("יום חמישי", "2026-12-03"),
        ("on Sunday", "2026-12-06"),
        ("next Thursday", "2026-12-03"),
        ("last Thursday", "2026-11-26"),
        ("I saw the dentist on Thursday", "2026-11-26"),
        ("Am Donnerstag war ich beim Zahnarzt", "2026-11-26"),
        ("tomorrow", "2026-11-30"),
        ("the day after tomorrow", "2026-12-01"),
        ("yesterday", "2026-11-28"),
        ("tonight", "2026-11-29"),
        ("Ich gehe morgen zum Zahnarzt", "2026-11-30"),
        ("übermorgen", "2026-12-01"),
        ("mañana", "2026-11-30"),
        ("завтра", "2026-11-30"),
        ("明天看牙医", "2026-11-30"),
        ("내일 치과", "2026-11-30"),
        ("in two weeks", "2026-12-13"),
        ("in zwei Wochen", "2026-12-13"),
        ("через 2 недели", "2026-12-13"),
        ("il y a 3 jours", "2026-11-26"),
        ("3 days ago", "2026-11-26"),
        ("on 3 December", "2026-12-03"),
        ("Dec 3rd, 2026", "2026-12-03"),
        ("am 3. Dezember 2026", "2026-12-03"),
        ("el 3 de diciembre de 2026", "2026-12-03"),
        ("3 декабря", "2026-12-03"),
        ("12月3日", "2026-12-03"),
        ("2026-12-03", "2026-12-03"),
        ("am 3.12.", "2026-12-03"),
        ("am 3.12.26", "2026-12-03"),
        ("next month", "2026-12-01"),
        ("last year", "2025-01-01"),
    ],
)
def test_a_date_is_found_and_resolved(text: str, expected: str) -> None:
    """From a Sunday, in the language of the speaker."""
    assert days(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "May I go?",
        "We march on",
        "room 3.12 a",
        "1/2 cup",
        "The office is on floor 8",
        "guten Morgen",
        "am Morgen",
        "por la mañana",
        "31.02.2026",
        "Version 2.1.7",
        "sun and sea",
        "My friend Mart",
        "call 0170 1234567",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    """Fractions, mornings, rooms, verbs, days that do not exist."""
    assert days(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "on Thursdays",
        "every Thursday",
        "donnerstags",
        "jeden Donnerstag",
        "los jueves",
        "le jeudi",
        "il giovedì",
        "毎週木曜日",
        "każdy czwartek",
        "каждый четверг",
    ],
)
def test_a_habit_has_a_weekday_and_no_date(text: str) -> None:
    """It is never written out."""
    (mention,) = find_dates(text, SUNDAY)
    assert (mention.habitual, mention.weekday, mention.options) == (True, 3, ())
    assert write_out(text, [mention], "en") == text


def test_the_zone_decides_which_day_it_is() -> None:
    """Half past eleven at night in London is tomorrow in Berlin; an unknown zone is universal time."""
    late = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    assert days("tomorrow", Moment(late, "Europe/London")) == ["2026-11-30"]
    assert days("tomorrow", Moment(late, "Europe/Berlin")) == ["2026-12-01"]
    assert days("tomorrow", Moment(late, "Mars/Olympus")) == ["2026-11-30"]


def test_the_end_of_a_day_is_local() -> None:
    """In universal time, summer and winter."""
    assert end_of_day(date(2026, 12, 3), "Europe/Berlin") == datetime(2026, 12, 3, 22, 59, 59, tzinfo=UTC)
    assert end_of_day(date(2026, 7, 3), "America/New_York") == datetime(2026, 7, 4, 3, 59, 59, tzinfo=UTC)
    assert zone("nonsense").key == "UTC"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Dentist on Thursday", "en", "Dentist on Thursday 3 Dec 2026"),
        ("Dentist next Thursday", "en", "Dentist Thursday 3 Dec 2026"),
        ("Dentist tomorrow at nine", "en", "Dentist on Monday 30 Nov 2026 at nine"),
        ("Dentist on Thursday 3 December", "en", "Dentist on Thursday 3 December"),
        ("Holiday next week", "en", "Holiday in the week of 30 Nov 2026"),
        ("Moved last year", "en", "Moved in 2025"),
        ("Zahnarzt am Donnerstag", "de", "Zahnarzt am Donnerstag 2026-12-03"),
        ("Zahnarzt morgen um 9", "de", "Zahnarzt 2026-11-30 um 9"),
        ("明天看牙医", "zh", "2026年11月30日看牙医"),
        ("내일 치과", "ko", "2026년 11월 30일 치과"),
        ("Born on 3 May 1990", "en", "Born on 3 May 1990"),
    ],
)
def test_the_word_gives_way_to_the_date(text: str, language: str, expected: str) -> None:
    """Absolute dates stay as they were said."""
    assert write_out(text, find_dates(text, SUNDAY), language) == expected


@pytest.mark.parametrize(
    ("claim", "said", "agrees"),
    [
        ("3 December 2026", "on Thursday", True),
        ("Thursday", "on 3 December", True),
        ("4 December 2026", "on Thursday", False),
        ("December 2026", "on Thursday", True),
        ("3 December", "in December", False),
        ("in 2025", "last year", True),
        ("in 2026", "on Thursday", False),
        ("12/3/2026", "3 December", True),
        ("in May", "in May 2026", True),
        ("in June", "in May", False),
        ("Saturdays", "on Saturdays", True),
        ("Saturday", "on Saturdays", True),
        ("Saturdays", "on Saturday", False),
    ],
)
def test_a_claim_agrees_with_what_was_said_or_does_not(claim: str, said: str, agrees: bool) -> None:
    """It may say less exactly the same, never more."""
    (mine,), (its,) = find_dates(claim, SUNDAY), find_dates(said, SUNDAY)
    assert mine.agrees(its) is agrees


def test_what_begins_on_a_day_does_not_end_with_it() -> None:
    """Nor does a birthday."""
    for text, expected in (
        ("From Monday at Acme", True),
        ("Dentist on Monday", False),
        ("Birthday on 3 May", True),
        ("Seit Montag vegan", True),
    ):
        assert is_open_ended(text, find_dates(text, SUNDAY)[0]) is expected


PIECES = st.sampled_from(
    [
        "on",
        "Thursday",
        "3",
        "12",
        ".",
        "December",
        "2026",
        "in",
        "weeks",
        "ago",
        "明天",
        "下周三",
        "/",
        "-",
        "last",
        "year",
        "999",
        "a",
    ]
)


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=60) | st.lists(PIECES, max_size=15).map(" ".join),
    st.dates(date(1980, 1, 1), date(2400, 1, 1)),
)
def test_no_text_and_no_day_makes_it_raise(text: str, day: date) -> None:
    """Mentions are ordered, apart, inside the text, and can be written out."""
    found = find_dates(text, Moment(end_of_day(day, "UTC"), "UTC"))
    assert all(0 <= m.start < m.end <= len(text) for m in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    assert all(isinstance(m.unit, Unit) for m in found)
    assert isinstance(write_out(text, found, "en"), str)
