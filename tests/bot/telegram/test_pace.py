"""The pace: never faster than Telegram likes, never slower than needed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.telegram.pace import Pace


class Steady:
    """A steady clock that moves when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def leave(pace: Pace, clock: Steady, chats: list[int]) -> list[float]:
    """Send to the chats as fast as the pace allows; give when each left."""
    times = []
    for chat in chats:
        clock.now += pace.wait_s(chat)
        assert pace.wait_s(chat) == 0.0
        pace.take(chat)
        times.append(clock.now - 1000.0)
    return times


def test_a_private_chat_gets_a_short_burst_and_then_one_message_a_second() -> None:
    clock = Steady()
    times = leave(Pace(clock), clock, [7] * 6)
    assert [round(at, 3) for at in times] == [0, 0, 0, 1, 2, 3]


def test_a_group_gets_about_twenty_messages_in_the_worst_minute_and_never_more() -> None:
    clock = Steady()
    times = leave(Pace(clock), clock, [-7] * 100)
    worst = max(sum(start <= at < start + 60 for at in times) for start in times)
    assert 18 <= worst <= 20


def test_one_chat_does_not_wait_for_another() -> None:
    clock = Steady()
    pace = Pace(clock)
    leave(pace, clock, [7] * 3)
    assert pace.wait_s(7) > 0
    assert pace.wait_s(8) == 0


def test_all_chats_together_stay_below_thirty_a_second() -> None:
    clock = Steady()
    times = leave(Pace(clock), clock, list(range(1, 101)))
    worst = max(sum(start + 1 <= at < start + 2 for at in times) for start in times)
    assert worst <= 26


def test_many_chats_are_forgotten_once_they_are_quiet() -> None:
    clock = Steady()
    pace = Pace(clock)
    for chat in range(1, 3001):
        clock.now += 10
        pace.take(chat)
    assert len(pace._chats) <= 1000


def test_forgetting_quiet_chats_keeps_the_busy_one() -> None:
    clock = Steady()
    pace = Pace(clock)
    for chat in range(1, 1001):
        clock.now += 10
        pace.take(chat)
    leave(pace, clock, [-5] * 5)
    pace.take(-6)
    assert pace.wait_s(-5) > 0


@settings(max_examples=50, deadline=None)
@given(chats=st.lists(st.sampled_from([1, 2, -1, -2]), max_size=60))
def test_waiting_as_long_as_told_is_always_enough(chats: list[int]) -> None:
    clock = Steady()
    times = leave(Pace(clock), clock, chats)
    assert times == sorted(times)
