"""How fast to send, so that Telegram seldom has to say "too many requests". Token buckets on a monotonic clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """A bucket of ``burst`` tokens that refills by ``per_second``."""

    per_second: float
    burst: float


OVERALL = Rate(per_second=25.0, burst=25.0)
"""Telegram: about 30 messages a second in all."""

PRIVATE = Rate(per_second=1.0, burst=3.0)
"""Telegram: about one message a second in a chat, short bursts allowed."""

GROUP = Rate(per_second=0.25, burst=5.0)
"""Telegram: about 20 messages a minute in a group; five at once and one every four seconds is 20 in any minute."""

_MANY_CHATS = 1000


class _Bucket:
    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._tokens = rate.burst
        self._at = now

    def _refill(self, now: float) -> None:
        self._tokens = min(self._rate.burst, self._tokens + max(0.0, now - self._at) * self._rate.per_second)
        self._at = now

    def wait_s(self, now: float) -> float:
        self._refill(now)
        # a hair is forgiven: after waiting exactly long enough, rounding must not ask for another nanosecond
        return 0.0 if self._tokens > 1.0 - 1e-6 else (1.0 - self._tokens) / self._rate.per_second

    def take(self, now: float) -> None:
        self._refill(now)
        self._tokens -= 1.0

    def is_full(self, now: float) -> bool:
        self._refill(now)
        return self._tokens >= self._rate.burst


class Pace:
    """Says how long to wait before the next message of a chat. A negative chat id is a group's."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._overall = _Bucket(OVERALL, monotonic())
        self._chats: dict[int, _Bucket] = {}

    def wait_s(self, chat_id: int) -> float:
        """Give the seconds until a message may leave for the chat; 0 means now."""
        now = self._monotonic()
        chat = self._chats.get(chat_id)
        return max(self._overall.wait_s(now), chat.wait_s(now) if chat else 0.0)

    def take(self, chat_id: int) -> None:
        """Count a message that leaves now."""
        now = self._monotonic()
        if chat_id not in self._chats and len(self._chats) >= _MANY_CHATS:
            self._chats = {known: bucket for known, bucket in self._chats.items() if not bucket.is_full(now)}
        bucket = self._chats.setdefault(chat_id, _Bucket(GROUP if chat_id < 0 else PRIVATE, now))
        bucket.take(now)
        self._overall.take(now)
