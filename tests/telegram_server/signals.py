"""Waiting for something to become true, without asking again and again."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Signal:
    """Wakes all who wait whenever the world has changed. To be used in one event loop."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Let everybody who waits look again."""
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    async def wait_for(self, holds: Callable[[], T], timeout_s: float) -> T:
        """Give the first true value of ``holds``; TimeoutError after ``timeout_s``."""
        async with asyncio.timeout(timeout_s):
            while not (value := holds()):
                await self._change()
        return value

    async def _change(self) -> None:
        changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(changed)
        try:
            await changed
        finally:
            self._waiting.discard(changed)
