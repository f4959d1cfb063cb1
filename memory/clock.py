"""Time is injected: long-lived objects take a Clock, functions take ``now``."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Give the present instant, aware, in UTC."""
        return datetime.now(UTC)


class ManualClock:
    """A clock that stands still until it is moved; for tests and simulations."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """Give the instant it was set to."""
        return self._now

    def set(self, instant: datetime) -> None:
        """Move to ``instant``, forwards or backwards."""
        self._now = instant
