"""What is old goes: rows past their retention, and in the small hours the bytes of what was forgotten."""

import asyncio
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from bot.storage import kv, reflections, scrub
from bot.upkeep.kit import MaintenanceKit, Report, in_batches
from bot.upkeep.retained import KEPT, Kept
from memory import journal, maintenance
from memory.errors import TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork

VACUUMED = "vacuum:last"
SMALL_HOURS = range(3, 5)
"""Local hours in which the file may be rewritten: hardly anybody writes, and a message waits some seconds for it at most."""


async def take_up_reflections(kit: MaintenanceKit, report: Report) -> None:
    """Try once more what could not be reflected on."""
    report.counts["reflections_taken_up"] = await kit.executors.write(
        lambda uow: reflections.take_up_failed(uow, kit.clock.now())
    )
    kit.wake_reflection()


async def trim(kit: MaintenanceKit, report: Report) -> None:
    """Take out what was kept for long enough."""
    for name, kept in KEPT.items():
        await in_batches(kit, report, name, partial(_trim, kit, kept))


def _trim(kit: MaintenanceKit, kept: Kept, uow: UnitOfWork, now: datetime) -> int:
    return kept.trim(uow, kit.engine, now - kept.age(kit.retention))


async def vacuum_at_night(kit: MaintenanceKit, report: Report) -> None:
    """Rewrite the file in the small hours, when something was forgotten since it last was."""
    report.add("vacuumed", 0)
    if is_night(kit) and await kit.executors.read(lambda uow: is_vacuum_due(kit, uow)):
        await vacuum(kit, report)


def is_night(kit: MaintenanceKit) -> bool:
    """Say whether the file may be rewritten at this hour."""
    return kit.clock.now().astimezone(ZoneInfo(kit.timezone)).hour in SMALL_HOURS


def is_vacuum_due(kit: MaintenanceKit, uow: UnitOfWork) -> bool:
    """Say whether something was forgotten since the file was last rewritten."""
    saved = kv.get(uow, VACUUMED)
    since = datetime.fromisoformat(saved) if isinstance(saved, str) else None
    erased = (journal.last_forgotten(uow, kit.engine.agent), scrub.last_erased(uow))
    return any(at is not None and (since is None or at >= since - timedelta(seconds=1)) for at in erased)


async def vacuum(kit: MaintenanceKit, report: Report) -> None:
    """Rewrite the file without its free pages, on a thread of its own; writers wait for it."""
    now = kit.clock.now()
    try:
        await asyncio.to_thread(maintenance.vacuum, kit.executors.database.path)
    except TidemarkDatabaseError as error:
        report.problems.append(f"the file could not be rewritten: {error}")
        return
    await kit.executors.write(lambda uow: kv.put(uow, VACUUMED, now.isoformat(), now))
    report.add("vacuumed", 1)


async def optimise(kit: MaintenanceKit, _report: Report) -> None:
    """Let the database refresh its statistics."""

    def step(uow: UnitOfWork) -> None:
        uow.connection.exec_driver_sql("PRAGMA optimize")

    await kit.executors.write(step)
