"""Keeping what recall looks into in step: analysed words, vectors of memories and cues, floors, cues that are too common."""

from dataclasses import asdict
from functools import partial

import structlog

from bot.storage import generations
from bot.storage.generations import Generation, Progress
from bot.upkeep.kit import BATCH, MaintenanceKit, Report, in_batches
from memory import maintenance
from memory.domain import Memory, MemoryId, Scope
from memory.recall.floors import Calibration
from memory.recall.neutral import QUESTIONS
from memory.triggers import commonness, firing, meaning
from memory.unit_of_work import UnitOfWork
from memory.vectors import Vector

log = structlog.get_logger(__name__)

CHECKED = "vectors checked"
"""What stands in ``MaintenanceKit.begun`` once the vectors were looked at: a digest never looks like this."""
LOGGED_EVERY = 1_000
"""Memories embedded between two lines of the log: some seconds."""

AHEAD = (
    "The memories were embedded anew with {theirs!r}, but this process still uses {ours!r} and finds them by keywords only. "
    "Start it again; to keep {theirs!r}, set it as embedding.model first."
)


async def reanalyse(kit: MaintenanceKit, report: Report) -> None:
    """Index again what an older analyser indexed."""
    await in_batches(kit, report, "reanalysed", lambda uow, _: maintenance.reanalyse(uow, kit.engine, limit=BATCH))


async def check_vectors(kit: MaintenanceKit, report: Report) -> None:
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


async def fill_vectors(kit: MaintenanceKit, report: Report) -> None:
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
    if digest in kit.begun:
        return ahead_of(kit, uow, digest)
    generations.begin(uow, kit.engine.agent, Generation(kit.embedding_model, digest), kit.clock.now())
    uow.after_commit(lambda: kit.begun.add(digest))
    return None


def ahead_of(kit: MaintenanceKit, uow: UnitOfWork, digest: str) -> Generation | None:
    """Give what was put in the place of the generation that this process has begun; its vectors are spared. Only reads."""
    present = generations.present(uow, kit.engine.agent) if digest in kit.begun else None
    return present if present is not None and present.digest != digest else None


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


async def recalibrate(kit: MaintenanceKit, report: Report) -> None:
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
    """Measure question by question: all of them in one go hold a reader, and the interpreter, for a third of a second."""
    asked = zip(QUESTIONS, neutral, strict=True)
    best = [await kit.executors.read(partial(_chance, kit, scope, query, vector)) for query, vector in asked]
    found = await kit.executors.read(lambda uow: maintenance.measured_from(uow, kit.engine, scope, best))
    return 0 if found is None else await _keep_floors(kit, neutral, (found,))


def _chance(kit: MaintenanceKit, scope: Scope, query: str, vector: Vector, uow: UnitOfWork) -> float | None:
    return maintenance.chance(uow, kit.engine, scope, query, vector)


async def _keep_floors(kit: MaintenanceKit, neutral: list[Vector], found: tuple[Calibration, ...]) -> int:
    return await kit.executors.write(lambda uow: maintenance.recalibrate(uow, kit.engine, found, neutral))


async def tend_cues(kit: MaintenanceKit, report: Report) -> None:
    """Embed cue phrases that have no vector of the present model, mark those that are too common, forget old firings."""
    await kit.executors.embed(kit.engine.load)
    report.add("cues_embedded", await _embed_cues(kit))
    report.add("cues_marked", 0)
    for scope in await kit.executors.read(lambda uow: commonness.scopes_with_cues(uow, kit.engine)):
        marks = await kit.executors.read(lambda uow, s=scope: commonness.weigh_cues(uow, kit.engine, s))  # type: ignore[misc]
        if marks:
            report.add("cues_marked", await kit.executors.write(lambda uow, m=marks: commonness.mark_cues(uow, m)))  # type: ignore[misc]
    now = kit.clock.now()
    await kit.executors.write(lambda uow: firing.forget_firings(uow, now=now))


async def _embed_cues(kit: MaintenanceKit) -> int:
    done, last = 0, None
    while phrases := await kit.executors.read(
        lambda uow, after=last: meaning.lacking_cues(uow, kit.engine, limit=BATCH, after=after)  # type: ignore[misc]
    ):
        last = phrases[-1]
        texts = [phrase for _, phrase in phrases]
        vectors = await kit.executors.embed(lambda t=texts: kit.engine.embed_passages(t))  # type: ignore[misc]
        made = list(zip(phrases, vectors or (), strict=False))
        done += await kit.executors.write(lambda uow, m=made: meaning.store_cues(uow, kit.engine, m))  # type: ignore[misc]
    return done
