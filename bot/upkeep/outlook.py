"""What the steps that follow no rule and ask nobody would do, counted by the very conditions that they go by.

One short read each, so that no reader is held for long. What a step does without telling (``PRAGMA optimize``, cues that rest
no longer) is left out here too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.storage import reflections
from bot.upkeep import clearing, indexes
from bot.upkeep.kit import MaintenanceKit
from bot.upkeep.retained import KEPT, Kept
from memory import maintenance
from memory.hygiene import joining
from memory.hygiene.clusters import Cluster
from memory.triggers import commonness, meaning
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Due:
    """What a step would do. ``count`` is what ``Report.counts`` has under ``name`` afterwards; 0 where it waits for its hour."""

    name: str
    count: int
    verb: str
    words: str


async def outlook(kit: MaintenanceKit, copies: Sequence[Cluster]) -> tuple[Due, ...]:
    """Give what is due, in the order of the steps. What ``copies`` become is indexed and embedded in the same pass."""
    await kit.executors.embed(kit.engine.load)
    found = [
        await _words(kit, len(copies)),
        *await _vectors(kit, len(copies)),
        *await _cues(kit, copies),
        await _floors(kit),
        await _reflections(kit),
        *[await _old(kit, name, kept) for name, kept in KEPT.items()],
    ]
    return (*(due for due in found if due.count), *await _vacuum(kit))


async def _words(kit: MaintenanceKit, coming: int) -> Due:
    count = await kit.executors.read(lambda uow: maintenance.left_to_reanalyse(uow, coming=coming))
    return Due("reanalysed", count, "check", f"the words that {_counted(count, 'memory is', 'memories are')} found by")


async def _vectors(kit: MaintenanceKit, coming: int) -> tuple[Due, Due]:
    unsound = await _unsound(kit)
    lacking = await kit.executors.read(lambda uow: _lacking(kit, uow))
    count = 0 if kit.engine.digest is None else lacking + unsound + coming
    return (
        Due("vectors_dropped", unsound, "drop", f"{_counted(unsound, 'damaged vector')}, made anew at once"),
        Due("embedded", count, "embed", _counted(count, "memory", "memories")),
    )


def _lacking(kit: MaintenanceKit, uow: UnitOfWork) -> int:
    ahead = indexes.ahead_of(kit, uow, kit.engine.digest) if kit.engine.digest else None
    return maintenance.count_lacking_vectors(uow, kit.engine, spared=ahead.digest if ahead else None)


async def _unsound(kit: MaintenanceKit) -> int:
    """Count damaged vectors page by page, where a pass of this process would look for them."""
    index, found = kit.engine.index, 0
    after: int | None = None if index is None or indexes.CHECKED in kit.begun else 0
    while index is not None and after is not None:
        look = partial(maintenance.unsound_vectors, engine=kit.engine, dimensions=index.dimensions, after=after)
        rows, after = await kit.executors.read(look)
        found += len(rows)
    return found


async def _cues(kit: MaintenanceKit, copies: Sequence[Cluster]) -> tuple[Due, Due]:
    coming, marks = await _coming_cues(kit, copies)
    lacking = await kit.executors.read(lambda uow: meaning.count_lacking_cues(uow, kit.engine))
    for scope in await kit.executors.read(lambda uow: commonness.scopes_with_cues(uow, kit.engine)):
        marks += len(await kit.executors.read(partial(commonness.weigh_cues, engine=kit.engine, scope=scope)))
    count = 0 if kit.engine.digest is None else lacking + coming
    return (
        Due("cues_embedded", count, "embed", _counted(count, "cue")),
        Due("cues_marked", marks, "mark", f"{_counted(marks, 'cue')} as too common, or no longer"),
    )


async def _coming_cues(kit: MaintenanceKit, copies: Sequence[Cluster]) -> tuple[int, int]:
    """Count the cues of what ``copies`` become, and those of them that are too common: they begin unmarked."""
    cues = common = 0
    for cluster in copies:
        phrases = await kit.executors.read(partial(joining.phrases_of_result, inputs=cluster.memories))
        cues += len(phrases)
        common += await kit.executors.read(partial(_common, kit, cluster, phrases)) if phrases else 0
    return cues, common


def _common(kit: MaintenanceKit, cluster: Cluster, phrases: Sequence[str], uow: UnitOfWork) -> int:
    said = commonness.last_said(uow, kit.engine.agent, cluster.memories[0].scope)
    return len(commonness.common_among(phrases, said))


async def _floors(kit: MaintenanceKit) -> Due:
    count = len(await kit.executors.read(lambda uow: maintenance.uncalibrated(uow, kit.engine)))
    return Due("recalibrated", count, "measure", _counted(count, "floor of recall", "floors of recall"))


async def _reflections(kit: MaintenanceKit) -> Due:
    count = await kit.executors.read(lambda uow: reflections.rested(uow, kit.clock.now()))
    return Due("reflections_taken_up", count, "retry", _counted(count, "failed reflection"))


async def _old(kit: MaintenanceKit, name: str, kept: Kept) -> Due:
    age = kept.age(kit.retention)
    count = await kit.executors.read(lambda uow: kept.old(uow, kit.engine, kit.clock.now() - age))
    return Due(name, count, "trim", f"{_counted(count, kept.one, kept.many)} older than {_counted(age.days, 'day')}")


async def _vacuum(kit: MaintenanceKit) -> tuple[Due, ...]:
    if not await kit.executors.read(lambda uow: clearing.is_vacuum_due(kit, uow)):
        return ()
    hours = clearing.SMALL_HOURS
    when = "" if clearing.is_night(kit) else f" between {hours.start} and {hours.stop} o'clock"
    return (Due("vacuumed", 0 if when else 1, "vacuum", f"the file{when}, since something was forgotten"),)


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
