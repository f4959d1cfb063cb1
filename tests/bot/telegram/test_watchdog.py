"""The watchdog."""

from bot.telegram.watchdog import Watchdog


def test_it_runs_out_when_nothing_completes_and_a_beat_gives_it_new_patience() -> None:
    now = [50.0]
    watchdog = Watchdog(120.0, lambda: now[0])
    now[0] += 119.9
    assert not watchdog.has_run_out
    watchdog.beat()
    now[0] += 119.9
    assert not watchdog.has_run_out
    now[0] += 0.1
    assert watchdog.has_run_out
