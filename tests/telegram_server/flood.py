"""Flood limits: 30 messages a second overall, about one a second in a chat, 20 a minute in a group.

Telegram does not publish the exact rules; these are the documented figures, with a small burst for a chat.
"""

import math
from collections import defaultdict, deque

OVERALL_A_SECOND = 30
GROUP_A_MINUTE = 20
CHAT_BURST = 3  # then one a second
ROUNDING_S = 1e-6  # floating point: who waited as told has waited enough
COUNTED = frozenset({"sendmessage", "editmessagetext", "editmessagereplymarkup"})


class FloodLimits:
    """Decides when a message is one too many. Off until switched on."""

    def __init__(self) -> None:
        self.on = False
        self._overall: deque[float] = deque()
        self._groups: defaultdict[int, deque[float]] = defaultdict(deque)
        self._credit: dict[int, tuple[float, float]] = {}  # chat → (messages left, as of)

    def admit(self, chat_id: int, at: float) -> int:
        """Count a message and give 0, or give the seconds to wait and count nothing. ``at``: monotonic seconds."""
        if not self.on:
            return 0
        waits = [
            self._chat_wait(chat_id, at),
            window_wait(self._overall, at, OVERALL_A_SECOND, 1.0),
            window_wait(self._groups[chat_id], at, GROUP_A_MINUTE, 60.0),  # stays empty for a private chat
        ]
        if max(waits) > ROUNDING_S:
            return max(1, math.ceil(max(waits)))
        self._count(chat_id, at)
        return 0

    def _chat_wait(self, chat_id: int, at: float) -> float:
        return max(0.0, 1.0 - self._credit_at(chat_id, at))

    def _credit_at(self, chat_id: int, at: float) -> float:
        left, since = self._credit.get(chat_id, (float(CHAT_BURST), at))
        return min(float(CHAT_BURST), left + (at - since))

    def _count(self, chat_id: int, at: float) -> None:
        self._credit[chat_id] = (self._credit_at(chat_id, at) - 1.0, at)
        self._overall.append(at)
        if chat_id < 0:
            self._groups[chat_id].append(at)


def window_wait(times: deque[float], at: float, limit: int, width_s: float) -> float:
    """Give the seconds until fewer than ``limit`` of ``times`` lie in the window that ends now."""
    while times and times[0] <= at - width_s:
        times.popleft()
    return times[0] + width_s - at if len(times) >= limit else 0.0
