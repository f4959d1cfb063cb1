"""Notices a connection that is open and dead: time-outs of single reads do not."""

import time
from collections.abc import Callable

LIMIT_S = 120.0
"""A long poll takes 40 s at most; three times that without an answer is no slow network."""


class Watchdog:
    """Runs out unless it is told of a completed round trip now and then."""

    def __init__(self, limit_s: float = LIMIT_S, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._limit_s = limit_s
        self._monotonic = monotonic
        self._last = monotonic()

    def beat(self) -> None:
        """Note a completed round trip."""
        self._last = self._monotonic()

    @property
    def has_run_out(self) -> bool:
        """Whether nothing completed for too long."""
        return self._monotonic() - self._last >= self._limit_s
