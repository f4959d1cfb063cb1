"""A pass that is cancelled in any of its waits leaves a sound file, and the next one ends where it would have."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.maintenance_task import MaintenanceKit, run_once
from bot.model import ModelReply, ModelRequest
from tests.bot.assistant import Assistant, assistant
from tests.bot.upkeep import prepared
from tests.scripted_model import ScriptedModel

T = TypeVar("T")
SAMPLE = (1, 2, 5, 9, 14, 20, 27, 35, 42, 50, 58, 66, 74, 82, 90)
"""Waits of the prepared pass: writes, reads and embeddings of each step, and the answers of the model."""


class Waits:
    """The executors, counting what is waited for; the ``nth`` wait is cancelled while its thread goes on with the work."""

    def __init__(self, here: Assistant, nth: int | None = None) -> None:
        self.database = here.executors.database
        self.count = 0
        self.task: asyncio.Task[Any] | None = None
        self._inner = here.executors
        self._nth = nth

    def tick(self) -> None:
        """Count a wait."""
        self.count += 1
        if self.count == self._nth and self.task is not None:
            self.task.cancel()

    async def write(self, use_case: Callable[..., T]) -> T:
        return await self._wait(self._inner.write(use_case))

    async def read(self, use_case: Callable[..., T]) -> T:
        return await self._wait(self._inner.read(use_case))

    async def embed(self, work: Callable[[], T]) -> T:
        return await self._wait(self._inner.embed(work))

    async def _wait(self, begun: Awaitable[T]) -> T:
        self.tick()
        return await begun


class Asked(ScriptedModel):
    """A sensible model whose answers are waited for as well."""

    def __init__(self, waits: Waits) -> None:
        super().__init__(otherwise=prepared.answer)
        self._waits = waits

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        self._waits.tick()
        await asyncio.sleep(0)
        return await super().complete(request, on_text)


def kit_of(here: Assistant, waits: Waits) -> MaintenanceKit:
    return here.maintenance(executors=waits, model=Asked(waits), daily_tokens=100_000)


@pytest.mark.parametrize("nth", SAMPLE)
async def test_cancelling_in_any_wait_costs_nothing(tmp_path: Path, nth: int) -> None:
    async with assistant(tmp_path) as here:
        await here.write(prepared.fill)
        waits = Waits(here, nth)
        waits.task = asyncio.create_task(run_once(kit_of(here, waits)))
        with suppress(asyncio.CancelledError):
            await waits.task
        assert waits.task.cancelled(), "the sample lies within the pass"
        await here.write(lambda _: None)  # the thread may still be at what was cancelled
        assert await here.read(prepared.soundness) == []
        await run_once(kit_of(here, Waits(here)))
        assert await here.read(prepared.standing) == prepared.AFTER
        assert await here.read(prepared.soundness) == []
