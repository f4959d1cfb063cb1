"""The background task: passes of maintenance on a schedule that survives restarts.

The last pass is stored; one that fell due while the process was down runs shortly after the start. Each step is a
small batch on the writer with room for others in between, so a pass can be killed anywhere and simply goes on next
time. A step that fails is logged and reported; the task lives on. One process at a time makes a pass over a file.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime

import structlog

from bot.storage import generations, runs
from bot.upkeep import clearing, indexes, rules, second_looks
from bot.upkeep.asking import Asker
from bot.upkeep.kit import BATCH, MaintenanceKit, Report, Retention
from bot.upkeep.lock import the_only_pass
from memory.errors import TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork

__all__ = ["BATCH", "SETTLE_S", "TROUBLE_S", "MaintenanceKit", "Report", "Retention", "run_forever", "run_once"]

log = structlog.get_logger(__name__)

SETTLE_S = 5.0
"""A pass that is overdue at the start waits this long, so that the first messages come first."""
TROUBLE_S = 60.0
"""How long to wait when not even the start of a pass can be noted down."""

ELSEWHERE = "another process is making a pass over this file"

Step = Callable[[MaintenanceKit, Report], Awaitable[None]]


async def run_forever(kit: MaintenanceKit) -> None:
    """Run a pass whenever one is due, until cancelled. A database that refuses only puts it off."""
    while True:
        try:
            await kit.sleep(await _pause(kit))
            if await run_once(kit) is None:
                await kit.sleep(TROUBLE_S)
        except TidemarkDatabaseError as error:
            log.error("maintenance put off", error=str(error))
            await kit.sleep(TROUBLE_S)


async def run_once(kit: MaintenanceKit) -> Report | None:
    """Run one pass and store its report; None, and nothing done, while another process is at it."""
    with the_only_pass(kit.executors.database.path) as alone:
        if alone:
            return await _pass(kit)
    log.info("maintenance left out", why=ELSEWHERE)
    return None


async def _pass(kit: MaintenanceKit) -> Report:
    started = kit.clock.now()
    run_id = await kit.executors.write(lambda uow: runs.begin(uow, started))
    report = Report()
    for name, step in _steps(Asker(kit, report)):
        try:
            await step(kit, report)
        except Exception as error:
            log.exception("maintenance step failed", step=name)
            report.problems.append(f"{name}: {type(error).__name__}")
    await kit.executors.write(lambda uow: runs.finish(uow, run_id, kit.clock.now(), report.as_json()))
    log.info("maintenance done", **report.counts, problems=len(report.problems))
    return report


def _steps(asker: Asker) -> tuple[tuple[str, Step], ...]:
    """Give the steps in their order: what lives and fades, what recall looks into, what is asked, what is old."""
    return (
        ("rules", rules.follow),
        ("copies", second_looks.merge_copies),  # before the vectors: what they become has none yet
        ("reanalyse", indexes.reanalyse),
        ("check_vectors", indexes.check_vectors),
        ("fill_vectors", indexes.fill_vectors),
        ("cues", indexes.tend_cues),
        ("recalibrate", indexes.recalibrate),
        ("near-duplicates", lambda kit, report: second_looks.merge_near(kit, report, asker)),
        ("rules of what was merged", rules.follow_merged),
        ("core", lambda kit, report: second_looks.ask_for_core(kit, report, asker)),
        ("phantoms", lambda kit, report: second_looks.look_at_phantoms(kit, report, asker)),
        ("reflections", clearing.take_up_reflections),
        ("trim", clearing.trim),
        ("vacuum", clearing.vacuum_at_night),
        ("optimise", clearing.optimise),
    )


async def _pause(kit: MaintenanceKit) -> float:
    def read(uow: UnitOfWork) -> tuple[datetime | None, bool]:
        return runs.last_start(uow), not kit.begun and generations.is_due(uow, kit.engine.agent, kit.embedding_model)

    last, new_generation = await kit.executors.read(read)
    if last is None or new_generation:
        return SETTLE_S
    left = (last + kit.interval - kit.clock.now()).total_seconds()
    return max(SETTLE_S, min(left, kit.interval.total_seconds()))  # a clock stepping back must not delay for long
