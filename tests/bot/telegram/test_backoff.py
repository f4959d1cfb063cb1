"""Waiting after failures."""

import random

from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.backoff import Backoff


@given(seed=st.integers(0, 1000), failures=st.integers(1, 40))
def test_the_wait_doubles_up_to_its_cap_with_jitter_below(seed: int, failures: int) -> None:
    backoff = Backoff(first_s=1.0, longest_s=30.0, rng=random.Random(seed))
    for count in range(failures):
        full = min(30.0, 2.0**count)
        assert full / 2 <= backoff.fail() <= full


def test_a_thousand_failures_do_not_overflow() -> None:
    backoff = Backoff(first_s=1.0, longest_s=300.0)
    assert max(backoff.fail() for _ in range(2000)) <= 300.0


def test_success_begins_anew() -> None:
    backoff = Backoff(first_s=1.0, longest_s=30.0)
    for _ in range(10):
        backoff.fail()
    backoff.succeed()
    assert backoff.failures == 0
    assert backoff.fail() <= 1.0


def test_two_that_failed_together_do_not_come_back_together() -> None:
    assert len({Backoff(first_s=8.0, longest_s=30.0, rng=random.Random(seed)).fail() for seed in range(20)}) == 20
