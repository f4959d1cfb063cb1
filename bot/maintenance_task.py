"""The background task: passes of memory maintenance on a schedule that survives restarts.

The last pass is stored; one that fell due while the process was down runs shortly after the start. Each step is a
small batch on the writer with room for others in between, so a pass can be killed anywhere and simply goes on next
time. A pass that fails is logged and reported; the task lives on.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog

from bot.executors import Executors
from bot.storage import generations, inbox, outbox, recalls, reflections, runs
from bot.storage.generations import Generation, Progress
from memory import maintenance, transcript
from memory.clock import Clock
from memory.domain import Memory, MemoryId, Scope
from memory.engine import MemoryEngine
from memory.errors import TidemarkDatabaseError
from memory.lifecycle import expiry
from memory.lifecycle.moves import carry_out
from memory.recall.floors import Calibration
from memory.recall.neutral import QUESTIONS
from memory.unit_of_work import UnitOfWork
from memory.vectors import Vector

log = structlog.get_logger(__name__)

SETTLE_S = 5.0
"""A pass that is overdue at the start waits this long, so that the first messages come first."""
TROUBLE_S = 60.0
"""How long to wait when not even the start of a pass can be noted down."""
BATCH = 16
"""Texts embedded or rows trimmed at a time: well under 50 ms on the writer."""
CHECKED = "vectors checked"
"""What stands in ``MaintenanceKit.begun`` once the vectors were looked at: a digest never looks like this."""
LOGGED_EVERY = 1_000
"""Memories embedded between two lines of the log: some seconds."""

AHEAD = (
    "The memories were embedded anew with {theirs!r}, but this process still uses {ours!r} and finds them by keywords only. "
    "Start it again; to keep {theirs!r}, set it as embedding.model first."
)


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


@dataclass(frozen=True, slots=True)
class MaintenanceKit:
    """What a pass works with; wired once. ``begun`` holds the digest of the generation this process has begun."""

    executors: Executors
    engine: MemoryEngine
    clock: Clock
    retention: Retention
    interval: timedelta
    wake_reflection: Callable[[], None]
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    embedding_model: str = ""
    begun: set[str] = field(default_factory=set)


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
    for step in (
        _expire,
        _reanalyse,
        _check_vectors,
        _fill_vectors,
        _recalibrate,
        _take_up_reflections,
        _trim,
        _optimise,
    ):
        try:
            await step(kit, report)
        except Exception as error:
            log.exception("maintenance step failed", step=step.__name__)
            report.problems.append(f"{step.__name__.strip('_')}: {type(error).__name__}")
    await kit.executors.write(lambda uow: runs.finish(uow, run_id, kit.clock.now(), report.as_json()))
    log.info("maintenance done", **report.counts, problems=len(report.problems))
    return report


async def _pause(kit: MaintenanceKit) -> float:
    def read(uow: UnitOfWork) -> tuple[datetime | None, bool]:
        return runs.last_start(uow), not kit.begun and generations.is_due(uow, kit.engine.agent, kit.embedding_model)

    last, new_generation = await kit.executors.read(read)
    if last is None or new_generation:
        return SETTLE_S
    left = (last + kit.interval - kit.clock.now()).total_seconds()
    return max(SETTLE_S, min(left, kit.interval.total_seconds()))  # a clock stepping back must not delay for long


async def _expire(kit: MaintenanceKit, report: Report) -> None:
    def step(uow: UnitOfWork, now: datetime) -> int:
        moves, _ = expiry.due(uow, kit.engine, now=now, limit=BATCH)
        return carry_out(uow, kit.engine, moves, now=now)

    await _batches(kit, report, "expired", step)


async def _reanalyse(kit: MaintenanceKit, report: Report) -> None:
    """Index again what an older analyser indexed."""
    await _batches(kit, report, "reanalysed", lambda uow, _: maintenance.reanalyse(uow, kit.engine, limit=BATCH))


async def _check_vectors(kit: MaintenanceKit, report: Report) -> None:
    """Look once, after the start, for vectors that a damaged file or a foreign hand left behind."""
    await kit.executors.embed(kit.engine.load)
    index = kit.engine.index
    if index is None or CHECKED in kit.begun:
        return
    report.counts["vectors_dropped"], after = 0, 0
    while True:
        dropped, last = await kit.executors.write(
            lambda uow, after=after: maintenance.drop_unsound_vectors(uow, kit.engine, index.dimensions, after=after)  # type: ignore[misc]
        )
        report.counts["vectors_dropped"] += dropped
        if last is None:
            break
        after = last
    kit.begun.add(CHECKED)


async def _fill_vectors(kit: MaintenanceKit, report: Report) -> None:
    """Embed what has no vector of the present model; the embedding happens outside the transaction."""
    await kit.executors.embed(kit.engine.load)
    if kit.engine.problem:
        report.problems.append(kit.engine.problem)
    digest = kit.engine.digest
    if digest is None:
        return
    ahead = await kit.executors.write(lambda uow: _begin_generation(kit, uow, digest))
    if ahead is not None:
        report.problems.append(AHEAD.format(theirs=ahead.model, ours=kit.embedding_model))
    report.counts["embedded"] = await _embed_lacking(kit, report, ahead.digest if ahead else None)
    report.vectors = await _progress(kit, digest)


def _begin_generation(kit: MaintenanceKit, uow: UnitOfWork, digest: str) -> Generation | None:
    """Note our generation at the first pass; later give the one that `tidemark reembed` has put in its place.

    So two processes with two models do not embed in turns: the settings decide, once they are read again.
    """
    agent = kit.engine.agent
    if digest in kit.begun:
        present = generations.present(uow, agent)
        return present if present is not None and present.digest != digest else None
    generations.begin(uow, agent, Generation(kit.embedding_model, digest), kit.clock.now())
    uow.after_commit(lambda: kit.begun.add(digest))
    return None


async def _embed_lacking(kit: MaintenanceKit, report: Report, spared: str | None) -> int:
    """Embed batch by batch; give how many. What a kill leaves undone lacks its vector still and is found again."""
    filled, last = 0, None
    while texts := await _lacking(kit, last, spared):
        last = texts[-1][0].id
        stored = await _embed_batch(kit, texts)
        if stored == 0:  # nothing could be stored: the rest would fare no better
            report.problems.append("vectors could not be stored")
            break
        if filled // LOGGED_EVERY < (filled + stored) // LOGGED_EVERY and kit.engine.digest:
            log.info("embedding memories", **asdict(await _progress(kit, kit.engine.digest)))
        filled += stored
    return filled


async def _lacking(kit: MaintenanceKit, last: MemoryId | None, spared: str | None) -> tuple[tuple[Memory, str], ...]:
    return await kit.executors.read(
        lambda uow: maintenance.lacking_vectors(uow, kit.engine, limit=BATCH, after=last, spared=spared)
    )


async def _embed_batch(kit: MaintenanceKit, texts: tuple[tuple[Memory, str], ...]) -> int:
    vectors = await kit.executors.embed(lambda: kit.engine.embed_passages([text for _, text in texts]))
    made = list(zip(texts, vectors or (), strict=False))
    return await kit.executors.write(lambda uow: maintenance.store_vectors(uow, kit.engine, made))


async def _progress(kit: MaintenanceKit, digest: str) -> Progress:
    return await kit.executors.read(lambda uow: generations.progress(uow, kit.engine.agent, digest))


async def _recalibrate(kit: MaintenanceKit, report: Report) -> None:
    """Measure anew how much chance finds where a store has changed; the questions for it are embedded outside."""
    engine = kit.engine
    await kit.executors.embed(engine.load)

    def read(uow: UnitOfWork) -> tuple[tuple[Scope, ...], bool]:
        return maintenance.uncalibrated(uow, engine), maintenance.has_centre(uow, engine)

    scopes, has_centre = await kit.executors.read(read)
    report.counts["recalibrated"] = 0
    if has_centre and not scopes:
        return
    neutral = [await kit.executors.embed(lambda text=text: engine.embed_query(text)) for text in QUESTIONS]  # type: ignore[misc]
    if any(vector is None for vector in neutral):
        return
    await _keep_floors(kit, neutral, ())  # where they lie: every store leans on them while it is small
    for scope in scopes:
        report.counts["recalibrated"] += await _measure(kit, neutral, scope)


async def _measure(kit: MaintenanceKit, neutral: list[Vector], scope: Scope) -> int:
    found = await kit.executors.read(lambda uow: maintenance.measured(uow, kit.engine, scope, neutral))
    return 0 if found is None else await _keep_floors(kit, neutral, (found,))


async def _keep_floors(kit: MaintenanceKit, neutral: list[Vector], found: tuple[Calibration, ...]) -> int:
    return await kit.executors.write(lambda uow: maintenance.recalibrate(uow, kit.engine, found, neutral))


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
