"""A database that refuses for a while, for the tests of handling."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.telegram.handlers import HandlerKit
from memory.errors import TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork
from tests.bot.assistant import Assistant


class Refusing:
    """Executors whose writes fail so many times, then work again."""

    def __init__(self, here: Assistant, error: TidemarkDatabaseError, times: int, *, reads_too: bool = False) -> None:
        self.inner, self.error, self.left, self.reads_too = here.executors, error, times, reads_too

    async def write(self, use_case: Callable[[UnitOfWork], Any]) -> Any:
        if self.left > 0:
            self.left -= 1
            raise self.error
        return await self.inner.write(use_case)

    async def read(self, use_case: Callable[[UnitOfWork], Any]) -> Any:
        if self.reads_too and self.left > 0:
            raise self.error
        return await self.inner.read(use_case)

    async def embed(self, work: Callable[[], Any]) -> Any:
        return await self.inner.embed(work)


def refusing(here: Assistant, error: TidemarkDatabaseError, times: int, **how: bool) -> HandlerKit:
    executors: Any = Refusing(here, error, times, **how)
    return replace(here.handler, turn=replace(here.turn, executors=executors))
