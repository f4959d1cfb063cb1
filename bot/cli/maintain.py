"""``tidemark maintain [--dry-run] [--vacuum]``: one pass of maintenance by hand, beside a running Tidemark if need be."""

import asyncio
import sys
from pathlib import Path

import structlog

from bot import logs
from bot.cli.run import secrets_of
from bot.maintenance_task import ELSEWHERE, MaintenanceKit, Report, run_once
from bot.upkeep import clearing
from bot.upkeep.preview import preview
from bot.upkeep.words import WORDS
from bot.wiring import Foundation, database_path
from config.schema import Settings
from memory.migrating import HEAD, revision_of

log = structlog.get_logger(__name__)

UNREADABLE = (
    "something in the file cannot be read ({}; the log has the details), so that a dry run cannot tell what is due. "
    "A real pass goes past it. `tidemark doctor` checks the file."
)


def maintain(settings: Settings, *, dry_run: bool, vacuum: bool) -> int:
    """Make a pass and print what it did, or with ``dry_run`` what it would do; 0, or 1 where it cannot be made."""
    path = database_path(settings)
    if not path.exists() or revision_of(path) != HEAD:
        print(f"There is no database of this version at {path}. `tidemark run` makes one.", file=sys.stderr)
        return 1
    logs.configure("WARNING" if settings.log.level == "INFO" else settings.log.level, secrets_of(settings))
    return asyncio.run(_maintain(settings, dry_run=dry_run, vacuum=vacuum))


async def _maintain(settings: Settings, *, dry_run: bool, vacuum: bool) -> int:
    base = Foundation(settings)
    try:
        kit = base.maintenance()
        await base.executors.embed(base.engine.load)
        path = database_path(settings)
        return await _show(kit, path, vacuum=vacuum) if dry_run else await _make(kit, path, vacuum=vacuum)
    finally:
        await base.close()


async def _show(kit: MaintenanceKit, path: Path, *, vacuum: bool) -> int:
    try:
        found = await preview(kit)
    except Exception as error:
        log.exception("the dry run could not look through everything")
        print(f"tidemark: {UNREADABLE.format(type(error).__name__)}", file=sys.stderr)
        return 1
    print("A pass now would do this; nothing was changed:")
    print("\n".join(found.lines()))
    if vacuum:
        print(f"The file and its log ({_size(path) / 1e6:.1f} MB) would be rewritten.")
    print(f"tokens of the language model used today: {found.spent} of {kit.daily_tokens}")
    return 0


async def _make(kit: MaintenanceKit, path: Path, *, vacuum: bool) -> int:
    report = await run_once(kit)
    if report is None:
        print(f"tidemark: {ELSEWHERE}. Try again in a minute.", file=sys.stderr)
        return 1
    if vacuum:
        await _vacuum(kit, report, path)
    print("\n".join(told(report)))
    return 1 if report.problems else 0


async def _vacuum(kit: MaintenanceKit, report: Report, path: Path) -> None:
    before = _size(path)
    await clearing.vacuum(kit, report)
    if report.counts.get("vacuumed"):
        print(f"The file and its log took {before / 1e6:.1f} MB and take {_size(path) / 1e6:.1f} MB.")


def told(report: Report) -> list[str]:
    """Give what a pass did, in plain words."""
    done = [f"{count:>6}  {WORDS.get(name, name)}" for name, count in report.counts.items() if count]
    return [*(done or ["There was nothing to do."]), *(f"problem: {problem}" for problem in report.problems)]


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, path.with_name(f"{path.name}-wal")) if file.exists())
