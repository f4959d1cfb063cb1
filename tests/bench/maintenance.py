"""What a conversation feels of a pass over 10,000 memories: the lag of the event loop, the longest batch on the writer.

    python -m tests.bench.maintenance [--rows 10000] [--seconds 20]

The same scripted conversation runs first alone and then beside a pass, in one process over a real file with the bundled
embedder, so that the two lags are of one machine in one state. The lag is how much later than asked for a sleep of 2 ms ends.
Other processes lengthen it too; what this one used of the processor meanwhile is the most of it that can be its own making.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bot import delivery
from bot.executors import Executors
from bot.footprint import spare_what_is_loaded
from bot.incoming import ChatKind, Incoming, Speaker
from bot.maintenance_task import MaintenanceKit, Report, run_once
from bot.model import ModelRequest
from bot.turn import take_turn
from bot.wiring import Foundation, database_path
from config.settings import load_settings
from memory import lived
from memory.domain import Conversation, Layer, Scope, chat_scope
from memory.migrating import prepare
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, keep
from tests.scripted_model import ScriptedModel

T = TypeVar("T")
Lag = tuple[float, float]
CHAT, GROUP = 1, -2
TICK_S = 0.002
BETWEEN_TURNS_S = 0.2
NEAR_EVERY, COPY_EVERY, DATED_EVERY, LACKING_EVERY = 50, 100, 20, 100
"""Of so many memories one lies near another, is one's copy, was dated, has no vector yet."""
GOAL_LAG_MS, GOAL_BATCH_MS = 10.0, 50.0


@dataclass
class Timed:
    """The executors, noting how long each use case held its thread: by thread, the seconds, those of the processor, the work."""

    inner: Executors
    held: dict[str, list[tuple[float, float, str]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def database(self) -> Any:
        return self.inner.database

    async def write(self, use_case: Callable[[UnitOfWork], T]) -> T:
        return await self.inner.write(self._timed("writer", use_case))

    async def read(self, use_case: Callable[[UnitOfWork], T]) -> T:
        return await self.inner.read(self._timed("reader", use_case))

    async def embed(self, work: Callable[[], T]) -> T:
        return await self.inner.embed(self._timed("embedder", work))

    def _timed(self, thread: str, work: Callable[..., T]) -> Callable[..., T]:
        def run(*given: Any) -> T:
            began, busy = time.perf_counter(), time.thread_time()
            try:
                return work(*given)
            finally:
                self.held[thread].append((time.perf_counter() - began, time.thread_time() - busy, _name(work)))

        return run


def _name(work: Any) -> str:
    inner = getattr(work, "func", work)
    return f"{inner.__module__.rpartition('.')[2]}.{inner.__qualname__.partition('.<locals>')[0]}"


async def measure(rows: int, seconds: float, folder: str) -> None:
    """Print what the conversation felt, alone and beside a pass."""
    base = await foundation(rows, folder)
    numbers = count()
    try:
        await beside(base, numbers, asyncio.sleep(2))  # imports, caches
        spare_what_is_loaded()  # as the app does once it is warm
        told("alone", *await beside(base, numbers, asyncio.sleep(seconds)))
        for name in ("first pass", "second pass"):
            timed = Timed(base.executors)
            kit = replace(base.maintenance(), executors=timed, daily_tokens=1_000_000, model=sensible())  # type: ignore[arg-type]
            reports: list[Report] = []
            began = time.perf_counter()
            told(name, *await beside(base, numbers, one_pass(kit, reports)))
            print(f"{'':<12} took {time.perf_counter() - began:.1f} s: {_done(reports)}")
            for thread, held in timed.held.items():
                print(f"{'':<12} {thread:<8} {len(held)} batches, {_longest(held)}")
    finally:
        await base.close()


def _longest(held: list[tuple[float, float, str]], most: int = 4) -> str:
    """Give the longest of each work: wall clock and, beside it, the processor's, which other processes do not stretch."""
    worst = {work: (wall, busy) for wall, busy, work in sorted(held, key=lambda one: one[1])}
    ranked = sorted(worst.items(), key=lambda one: -one[1][1])[:most]
    return ", ".join(f"{work} {wall * 1e3:.0f} ms ({busy * 1e3:.0f} busy)" for work, (wall, busy) in ranked)


async def one_pass(kit: MaintenanceKit, reports: list[Report]) -> None:
    """Make a pass."""
    report = await run_once(kit)
    assert report is not None
    reports.append(report)


def _done(reports: list[Report]) -> dict[str, int]:
    return {name: number for report in reports for name, number in report.counts.items() if number}


def sensible() -> ScriptedModel:
    """Give a model that lets nothing into the core, and merges nothing."""

    def answer(request: ModelRequest) -> str:
        return '{"core": []}' if "core" in request.messages[0].content else '{"verdict": "distinct"}'

    return ScriptedModel(otherwise=answer)


async def beside(base: Foundation, numbers: "count[int]", work: Awaitable[None]) -> tuple[list[Lag], list[float]]:
    """Talk while ``work`` lasts; give the lags of the loop and how long the turns took, in seconds."""
    lags: list[Lag] = []
    turns: list[float] = []
    others = [asyncio.create_task(probe(lags)), asyncio.create_task(talk(base, numbers, turns))]
    try:
        await work
    finally:
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
    return lags, turns


async def probe(lags: list[Lag]) -> None:
    """Note how late a short sleep ends, and the most of it that is of our own making, in seconds."""
    while True:
        began, busy = time.perf_counter(), time.process_time()
        await asyncio.sleep(TICK_S)
        late = time.perf_counter() - began - TICK_S
        lags.append((late, min(late, time.process_time() - busy)))


async def talk(base: Foundation, numbers: "count[int]", turns: list[float]) -> None:
    """Ask one thing after the other."""
    base.model = ScriptedModel(otherwise="It is noted.")
    kit = base.turn(0, delivery.compose_plain)
    for n in numbers:
        incoming = Incoming(
            f"bench:{n}", Conversation(CHAT), ChatKind.PRIVATE, Speaker(CHAT, "Anna"),
            f"Where is box {n * 13 % 999} with the winter things?", datetime.now(UTC),
        )  # fmt: skip
        began = time.perf_counter()
        await take_turn(kit, incoming)
        turns.append(time.perf_counter() - began)
        await asyncio.sleep(BETWEEN_TURNS_S)


def told(name: str, lags: list[Lag], turns: list[float]) -> None:
    """Print the figures of one stretch."""
    late, own = np.array(lags).T * 1e3
    took = np.array(turns) * 1e3
    print(f"{name:<12} lag {_spread(late)} (goal for p99 {GOAL_LAG_MS:.0f})")
    print(f"{'':<12} of its own making at most {_spread(own)}")
    print(f"{'':<12} {len(turns)} turns, median {np.median(took):.0f}, longest {took.max():.0f} ms")


def _spread(ms: NDArray[np.float64]) -> str:
    p50, p99, p999 = np.percentile(ms, (50, 99, 99.9))
    return f"p50 {p50:.2f}  p99 {p99:.2f}  p99.9 {p999:.2f}  longest {ms.max():.1f} ms"


async def foundation(rows: int, folder: str) -> Foundation:
    """Give everything wired over a file with ``rows`` memories of two chats."""
    settings = load_settings(environ={"TIDEMARK_HOME": folder, "PATH": os.environ["PATH"]}, files=[], cwd=Path(folder))
    prepare(database_path(settings), datetime.now(UTC))
    base = Foundation(settings)
    await base.executors.embed(base.engine.load)
    for first in range(0, rows, 500):
        await base.executors.write(lambda uow, f=first: fill(uow, base, range(f, min(f + 500, rows))))  # type: ignore[misc]
    return base


def fill(uow: UnitOfWork, base: Foundation, numbers: range) -> None:
    """Store memories of many ages, some of each kind that a pass has to do with; somebody spoke on every day."""
    now, rng = datetime.now(UTC), np.random.default_rng(numbers.start)
    scopes = (chat_scope(CHAT), chat_scope(GROUP))
    for day in range(400) if numbers.start == 0 else ():
        for scope in scopes:
            lived.mark(uow, AGENT, scope, (now - timedelta(days=day)).date())
    before = rng.normal(size=base.engine.index.dimensions)  # type: ignore[union-attr]
    for n in numbers:
        near = n % NEAR_EVERY == 0
        vector = 0.3 * rng.normal(size=before.shape) + before if near else rng.normal(size=before.shape)
        before = vector / np.linalg.norm(vector)
        add(uow, base, n, scopes[n % 5 == 0], before.astype(np.float32), now)


def add(uow: UnitOfWork, base: Foundation, n: int, scope: Scope, vector: Any, now: datetime) -> None:
    """Store the ``n``-th."""
    number = n - 1 if n % COPY_EVERY == 0 else n
    dated = {"expires_at": now - timedelta(days=3)} if n % DATED_EVERY == 0 else {}
    found = (
        {} if n % LACKING_EVERY == 1 else {"vector": vector, "digest": base.engine.digest, "index": base.engine.index}
    )
    keep(
        uow, f"Box {number} with {('skis', 'jars', 'maps', 'wool')[n % 4]} stands on shelf {number % 17}", scope,
        now=now - timedelta(hours=n % 9_000), importance=2 + n % 8, subject=None,
        layer=(Layer.BUFFER, Layer.WORKING, Layer.WORKING)[n % 3], **dated, **found,
    )  # fmt: skip


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=10_000)
    options.add_argument("--seconds", type=float, default=20.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(given.rows, given.seconds, folder))


if __name__ == "__main__":
    main()
