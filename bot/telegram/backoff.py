"""Waiting longer after every failure, with jitter so that many who failed together do not come back together."""

import random


class Backoff:
    """Counts failures in a row and says how long to wait after each."""

    def __init__(self, *, first_s: float, longest_s: float, rng: random.Random | None = None) -> None:
        self._first_s = first_s
        self._longest_s = longest_s
        self._rng = rng or random.Random()  # noqa: S311  # spreads load, guards nothing
        self.failures = 0

    def fail(self) -> float:
        """Count a failure; give the seconds to wait: doubling, capped, and then between half and all of it."""
        wait_s = min(self._longest_s, self._first_s * 2.0 ** min(self.failures, 30))
        self.failures += 1
        return wait_s * self._rng.uniform(0.5, 1.0)

    def succeed(self) -> None:
        """Begin anew."""
        self.failures = 0
