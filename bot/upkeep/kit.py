"""What a pass works with, and what it tells."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.executors import Executors
from bot.model import ModelClient
from bot.storage.generations import Progress
from memory.clock import Clock
from memory.engine import MemoryEngine
from memory.unit_of_work import UnitOfWork

BATCH = 16
"""Texts embedded or rows trimmed at a time: well under 50 ms on the writer."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long things are kept."""

    transcript: timedelta
    inbox: timedelta
    outbox: timedelta
    journal: timedelta


@dataclass(slots=True)
class Report:
    """What a pass did, by name; ``problems`` are sentences for the owner, ``vectors`` how far the embedding is."""

    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    vectors: Progress | None = None

    def as_json(self) -> dict[str, Any]:
        """Give it as it is stored."""
        vectors = {"vectors": asdict(self.vectors)} if self.vectors else {}
        return {"counts": self.counts, "problems": self.problems} | vectors

    def add(self, name: str, count: int) -> None:
        """Count on."""
        self.counts[name] = self.counts.get(name, 0) + count


@dataclass(frozen=True, slots=True)
class MaintenanceKit:
    """What a pass works with; wired once.

    ``begun`` holds the digest of the generation this process has begun, and what it looked at once. ``model`` is asked within
    ``daily_tokens``; without one nothing is asked.
    """

    executors: Executors
    engine: MemoryEngine
    clock: Clock
    retention: Retention
    interval: timedelta
    wake_reflection: Callable[[], None]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    embedding_model: str = ""
    begun: set[str] = field(default_factory=set)
    model: ModelClient | None = None
    daily_tokens: int = 0
    timezone: str = "UTC"


async def in_batches(
    kit: MaintenanceKit, report: Report, name: str, step: Callable[[UnitOfWork, datetime], int]
) -> None:
    """Repeat a step in its own small transactions until it finds nothing more."""
    now = kit.clock.now()
    report.add(name, 0)
    while done := await kit.executors.write(lambda uow: step(uow, now)):
        report.add(name, done)
