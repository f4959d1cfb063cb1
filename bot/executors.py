"""The async boundary: which thread does what. The event loop never touches SQLite or the embedder itself.

One writer, since SQLite has one write lock; two readers, which WAL lets run beside it; one embedder, since the
model's session uses both cores by itself. What crosses is a function and frozen values.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from memory.database import Database
from memory.unit_of_work import UnitOfWork

T = TypeVar("T")


class Executors:
    """Owns the threads. A cancelled caller does not stop its function: what it wrote may have been committed."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="reader")
        self._embedder = ThreadPoolExecutor(1, thread_name_prefix="embedder")

    async def write(self, use_case: Callable[[UnitOfWork], T]) -> T:
        """Run ``use_case`` in one transaction on the writer thread and commit it; an exception rolls back."""

        def unit() -> T:
            with self.database.write() as uow:
                result = use_case(uow)
                uow.commit()
                return result

        return await _in(self._writer, unit)

    async def read(self, use_case: Callable[[UnitOfWork], T]) -> T:
        """Run ``use_case`` on one consistent snapshot on a reader thread."""

        def unit() -> T:
            with self.database.read() as uow:
                return use_case(uow)

        return await _in(self._readers, unit)

    async def embed(self, work: Callable[[], T]) -> T:
        """Run ``work`` on the embedder's thread."""
        return await _in(self._embedder, work)

    def close(self) -> None:
        """Wait for what is running, take no more, and let go of the file."""
        for pool in (self._embedder, self._readers, self._writer):
            pool.shutdown(wait=True)
        self.database.close()


async def _in(pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(pool, context.run, work)
