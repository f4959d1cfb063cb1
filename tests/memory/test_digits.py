"""Digits of any script, known to Python or not."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.analysis import analyse
from memory.dates import Moment, find_dates
from memory.digits import UNKNOWN, plain
from memory.numerals import numbers
from memory.secrets import find_secrets

NEW = "\U000116d0"  # a digit of Unicode 16, which Python 3.11 does not know


def test_digits_become_plain_and_keep_their_places() -> None:
    assert plain("٣ a ३ ４") == "3 a 3 4"
    assert plain(f"x{NEW}y") in {f"x{UNKNOWN}y", "x0y"}


@given(st.text())
def test_places_stay_the_same(text: str) -> None:
    assert len(plain(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{NEW * 2}.{NEW * 2}.{NEW * 4}",
        f"{NEW * 4}-{NEW * 2}-{NEW * 2}",
        f"{NEW * 2}:{NEW * 2} pm",
        f"on {NEW} May",
        f"PIN {NEW * 4}",
    ],
)
def test_nothing_that_counts_breaks_on_a_digit_it_cannot_read(text: str) -> None:
    find_dates(text, Moment(datetime(2026, 11, 30, tzinfo=UTC), "UTC"))
    numbers(text)
    find_secrets(text)
    analyse(text)
