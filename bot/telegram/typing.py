"""The "typing…" line: renewed while an answer is in the making, never for longer than a turn may take."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

RENEW_S = 4.5
"""Telegram shows it for five seconds."""
LONGEST_S = 600.0
"""No turn takes longer; a forgotten one must not type for ever."""


@asynccontextmanager
async def typing(show: Callable[[], Awaitable[object]]) -> AsyncIterator[None]:
    """Show that an answer is coming for as long as the block runs; failing to show it is no matter."""

    async def renew() -> None:
        for _ in range(int(LONGEST_S / RENEW_S)):
            await show()
            await asyncio.sleep(RENEW_S)

    task = asyncio.create_task(renew())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
