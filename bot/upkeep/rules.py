"""The rules of a memory's life, page by page: decided on a reader, carried out on the writer."""

from collections.abc import AsyncIterator, Callable
from functools import partial

from bot.upkeep.kit import MaintenanceKit, Report
from memory.hygiene import phantoms
from memory.lifecycle import archive, expiry, fading, inflation, promotion
from memory.lifecycle.moves import Move, carry_out
from memory.unit_of_work import UnitOfWork

Rule = Callable[..., tuple[tuple[Move, ...], int | None]]

RULES: dict[str, Rule] = {
    "expired": expiry.due,
    "rated_down": inflation.due,
    "promoted": promotion.due,
    "faded": fading.due,
    "archived": archive.due,
    "phantoms": phantoms.due,
}
"""In this order: what is over leaves first, and importance that fell counts for the archive of the same pass."""


AT_ONCE = 6
"""Moves of one transaction: each takes 2 to 4 ms on the writer, and the machine may be busy with other things."""


async def follow(kit: MaintenanceKit, report: Report) -> None:
    """Carry out every move that is due."""
    for name, rule in RULES.items():
        report.add(name, 0)
        async for moves in due(kit, rule):
            for first in range(0, len(moves), AT_ONCE):
                report.add(name, await kit.executors.write(_carrying(kit, moves[first : first + AT_ONCE])))


async def follow_merged(kit: MaintenanceKit, report: Report) -> None:
    """Follow the rules once more where something was merged: what was said of both may settle it deeper at once."""
    if report.counts.get("copies_merged") or report.counts.get("merged"):
        await follow(kit, report)


async def due(kit: MaintenanceKit, rule: Rule) -> AsyncIterator[tuple[Move, ...]]:
    """Give the moves that a rule asks for, page by page."""
    now = kit.clock.now()
    after: int | None = 0
    while after is not None:
        moves, after = await kit.executors.read(partial(rule, engine=kit.engine, now=now, after=after))
        if moves:
            yield moves


def _carrying(kit: MaintenanceKit, moves: tuple[Move, ...]) -> Callable[[UnitOfWork], int]:
    now = kit.clock.now()
    return lambda uow: carry_out(uow, kit.engine, moves, now=now)
