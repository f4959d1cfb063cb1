"""Order per conversation, parallel across conversations, and a way to stop what is running.

A lane is one (chat, topic). Its items are handled one after the other in the order they came; a lane without work
costs nothing. An item that fails never takes its lane down: what to do about it is the handler's business.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Lanes(Generic[Item]):
    """Hands items to ``handle``; ``on_stopped`` is told of an item that `stop` interrupted.

    ``handle`` must not raise: an exception there would be a programming error and is re-raised by the task.
    """

    def __init__(
        self,
        handle: Callable[[Item], Awaitable[None]],
        on_stopped: Callable[[Item], Awaitable[None]],
        *,
        limit: int = 32,
    ) -> None:
        self._handle = handle
        self._on_stopped = on_stopped
        self._waiting: dict[Hashable, deque[Item]] = {}
        self._workers: dict[Hashable, asyncio.Task[None]] = {}
        self._running: dict[Hashable, asyncio.Task[None]] = {}
        self._stopping: set[Hashable] = set()
        self._slots = asyncio.Semaphore(limit)

    def submit(self, lane: Hashable, item: Item) -> None:
        """Put ``item`` at the end of its lane."""
        self._waiting.setdefault(lane, deque()).append(item)
        if lane not in self._workers:
            self._workers[lane] = asyncio.create_task(self._work(lane), name=f"lane {lane}")

    def stop(self, lane: Hashable) -> bool:
        """Interrupt what is running in ``lane``; say whether anything was. What waits behind it goes on."""
        task = self._running.get(lane)
        if task is None or task.done():
            return False
        self._stopping.add(lane)
        return task.cancel()

    @property
    def busy(self) -> bool:
        """Whether anything runs or waits."""
        return bool(self._workers)

    async def drain(self, timeout_s: float) -> bool:
        """Wait until every lane is empty; after ``timeout_s`` cancel the rest and say False."""
        workers = list(self._workers.values())
        if not workers:
            return True
        _, late = await asyncio.wait(workers, timeout=timeout_s)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        return not late

    def hold(self) -> None:
        """Let what runs finish, and drop what only waits: it is durable elsewhere and is taken up at the next start."""
        for waiting in self._waiting.values():
            waiting.clear()

    async def _work(self, lane: Hashable) -> None:
        try:
            while waiting := self._waiting.get(lane):
                item = waiting.popleft()
                async with self._slots:
                    await self._run(lane, item)
        finally:
            self._waiting.pop(lane, None)
            self._workers.pop(lane, None)

    async def _run(self, lane: Hashable, item: Item) -> None:
        async def work() -> None:
            await self._handle(item)

        task = asyncio.create_task(work())
        self._running[lane] = task
        try:
            await task
        except asyncio.CancelledError:
            if lane not in self._stopping:  # the whole lane is being cancelled: pass it on
                task.cancel()
                raise
            await self._on_stopped(item)
        finally:
            self._stopping.discard(lane)
            self._running.pop(lane, None)
