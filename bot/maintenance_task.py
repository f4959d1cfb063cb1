"""The background task: passes of memory maintenance on a schedule that survives restarts.

The last pass is stored; one that fell due while the process was down runs shortly after the start. Each step is a
small batch on the writer with room for others in between, so a pass can be killed anywhere and simply goes on next
time. A pass that fails is logged and reported; the task lives on.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from bot.executors import Executors
from bot.storage import inbox, outbox, recalls, reflections, runs
from memory import maintenance, transcript
from memory.clock import Clock
from memory.engine import MemoryEngine
from memory.errors import TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork

log = structlog.get_logger(__name__)

SETTLE_S = 5.0
"""A pass that is overdue at the start waits this long, so that the first messages come first."""
TROUBLE_S = 60.0
"""How long to wait when not even the start of a pass can be noted down."""
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
    """What a pass did, by name; ``problems`` are sentences for the owner."""

    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give it as it is stored."""
        return {"counts": self.counts, "problems": self.problems}


@dataclass(frozen=True, slots=True)
class MaintenanceKit:
    """What a pass works with; wired once."""

    executors: Executors
    engine: MemoryEngine
    clock: Clock
    retention: Retention
    interval: timedelta
    wake_reflection: Callable[[], None]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


async def run_forever(kit: MaintenanceKit) -> None:
    """Run a pass whenever one is due, until cancelled. A database that refuses only puts it off."""
    while True:
        try:
            await kit.sleep(await _pause(kit))
            await run_once(kit)
        except TidemarkDatabaseError as error:
            log.error("maintenance put off", error=str(error))
            await kit.sleep(TROUBLE_S)


async def run_once(kit: MaintenanceKit) -> Report:
    """Run one pass and store its report."""
    started = kit.clock.now()
    run_id = await kit.executors.write(lambda uow: runs.begin(uow, started))
    report = Report()
    for step in (_expire, _fill_vectors, _take_up_reflections, _trim, _optimise):
        try:
            await step(kit, report)
        except Exception as error:
            log.exception("maintenance step failed", step=step.__name__)
            report.problems.append(f"{step.__name__.strip('_')}: {type(error).__name__}")
    await kit.executors.write(lambda uow: runs.finish(uow, run_id, kit.clock.now(), report.as_json()))
    log.info("maintenance done", **report.counts, problems=len(report.problems))
    return report


async def _pause(kit: MaintenanceKit) -> float:
    last = await kit.executors.read(runs.last_start)
    if last is None:
        return SETTLE_S
    left = (last + kit.interval - kit.clock.now()).total_seconds()
    return max(SETTLE_S, min(left, kit.interval.total_seconds()))  # a clock stepping back must not delay for long


async def _expire(kit: MaintenanceKit, report: Report) -> None:
    await _batches(kit, report, "expired", lambda uow, now: maintenance.expire(uow, kit.engine, now=now, limit=BATCH))


async def _fill_vectors(kit: MaintenanceKit, report: Report) -> None:
    """Embed what has no vector of the present model; the embedding happens outside the transaction."""
    await kit.executors.embed(kit.engine.load)
    if kit.engine.problem:
        report.problems.append(kit.engine.problem)
        return
    filled = 0
    while texts := await kit.executors.read(lambda uow: maintenance.lacking_vectors(uow, kit.engine, limit=BATCH)):
        wanted = [text for _, text in texts]
        vectors = await kit.executors.embed(lambda wanted=wanted: kit.engine.embed_passages(wanted))  # type: ignore[misc]
        if vectors is None:
            break
        made = list(zip(texts, vectors, strict=True))
        stored = await kit.executors.write(lambda uow, made=made: maintenance.store_vectors(uow, kit.engine, made))  # type: ignore[misc]
        if stored == 0:  # nothing could be stored: stop rather than turn in circles
            report.problems.append("vectors could not be stored")
            break
        filled += stored
    report.counts["embedded"] = filled


async def _take_up_reflections(kit: MaintenanceKit, report: Report) -> None:
    report.counts["reflections_taken_up"] = await kit.executors.write(
        lambda uow: reflections.take_up_failed(uow, kit.clock.now())
    )
    kit.wake_reflection()


async def _trim(kit: MaintenanceKit, report: Report) -> None:
    keep = kit.retention
    await _batches(kit, report, "inbox_trimmed", lambda uow, now: inbox.trim(uow, now - keep.inbox))
    await _batches(kit, report, "outbox_trimmed", lambda uow, now: outbox.trim(uow, now - keep.outbox))
    await _batches(kit, report, "recalls_trimmed", lambda uow, now: recalls.trim(uow, now - keep.outbox))
    await _batches(kit, report, "reflections_trimmed", lambda uow, now: reflections.trim(uow, now - keep.outbox))
    await _batches(
        kit, report, "journal_trimmed", lambda uow, now: maintenance.trim_journal(uow, kit.engine, now - keep.journal)
    )
    await _batches(
        kit, report, "messages_trimmed", lambda uow, now: transcript.trim(uow, kit.engine.agent, now - keep.transcript)
    )


async def _optimise(kit: MaintenanceKit, _report: Report) -> None:
    def optimise(uow: UnitOfWork) -> None:
        uow.connection.exec_driver_sql("PRAGMA optimize")

    await kit.executors.write(optimise)


async def _batches(kit: MaintenanceKit, report: Report, name: str, step: Callable[[UnitOfWork, datetime], int]) -> None:
    """Repeat a step in its own small transactions until it finds nothing more."""
    total = 0
    now = kit.clock.now()
    while done := await kit.executors.write(lambda uow: step(uow, now)):
        total += done
    report.counts[name] = total
