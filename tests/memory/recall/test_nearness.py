from datetime import UTC, datetime

import pytest

from memory.recall.nearness import nearness, ranges_of
from tests.memory.recall.memories import memory

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday


def near(query: str, said: datetime, timezone: str = "UTC") -> float:
    return nearness(memory(created_at=said), ranges_of(query, NOW, timezone), timezone)


@pytest.mark.parametrize(
    ("query", "day"),
    [
        ("what did we do on 8 May 2026?", datetime(2026, 5, 8, tzinfo=UTC)),
        ("what happened in May 2026", datetime(2026, 5, 31, 23, tzinfo=UTC)),
        ("wo war ich gestern?", datetime(2026, 11, 29, tzinfo=UTC)),
        ("что было вчера", datetime(2026, 11, 29, tzinfo=UTC)),
        ("2024 trip", datetime(2024, 7, 1, tzinfo=UTC)),
        ("what did she say last week", datetime(2026, 11, 25, tzinfo=UTC)),
    ],
)
def test_a_memory_of_the_day_that_is_asked_about_is_near(query: str, day: datetime) -> None:
    """In words and numbers, of any unit, in several languages."""
    assert near(query, day) == 1


def test_nearness_fades_within_a_fortnight() -> None:
    """The day beside is nearly as good; a month away is as good as never."""
    assert near("on 8 May 2026", datetime(2026, 5, 15, tzinfo=UTC)) == 0.5
    assert near("on 8 May 2026", datetime(2026, 4, 8, tzinfo=UTC)) == 0


@pytest.mark.parametrize("query", ["", "where is the boat", "the boat race on Mondays", "x" * 5_000 + " 8 May 2026"])
def test_a_question_without_a_date_is_near_to_nothing(query: str) -> None:
    """Neither is a habit a date, nor what stands in a long paste."""
    assert near(query, datetime(2026, 5, 8, tzinfo=UTC)) == 0


def test_days_are_those_of_the_chats_zone() -> None:
    """Half past ten in the evening in UTC is the next day in Tokyo."""
    late = datetime(2026, 11, 28, 22, 30, tzinfo=UTC)
    assert near("yesterday", late, "Asia/Tokyo") == 1
    assert near("yesterday", late, "UTC") < 1


def test_what_was_true_from_a_day_on_is_of_that_day_as_well() -> None:
    """The better of both dates counts."""
    one = memory(created_at=datetime(2026, 11, 1, tzinfo=UTC), valid_from=datetime(2026, 5, 8, tzinfo=UTC))
    assert nearness(one, ranges_of("8 May 2026", NOW, "UTC"), "UTC") == 1


@pytest.mark.parametrize("query", ["31.12.9999", "year 1 in 0001-01-01", "\ud800 yesterday", "9999-12-31 week"])
def test_the_ends_of_the_calendar_do_not_raise(query: str) -> None:
    """Whatever is typed."""
    near(query, datetime(2026, 5, 8, tzinfo=UTC))
