"""The rules of a memory's life, page by page: decided on a reader, carried out on the writer."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from functools import partial

from bot.upkeep.kit import BATCH, MaintenanceKit, Report
from memory.domain import Memory, MemoryId, Status
from memory.hygiene import phantoms
from memory.lifecycle import archive, expiry, fading, inflation, promotion
from memory.lifecycle.moves import Move, carry_out
from memory.unit_of_work import UnitOfWork

Rule = Callable[..., tuple[tuple[Move, ...], int | None]]
Judge = Callable[..., list[Move]]

RULES: dict[str, Rule] = {
    "expired": expiry.due,
    "rated_down": inflation.due,
    "promoted": promotion.due,
    "faded": fading.due,
    "archived": archive.due,
    "phantoms": phantoms.due,
}
"""In this order: what is over leaves first, and importance that fell counts for the archive of the same pass."""
AGAIN = {"promoted": promotion.judged, "faded": fading.judged, "archived": archive.judged}
"""How the rules that look at what others change judge a memory which is not stored like that yet."""


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


async def foreseen(kit: MaintenanceKit) -> dict[str, tuple[Move, ...]]:
    """Give the moves that `follow` would carry out now, by their rule; only reads.

    Each rule finds what the rules before it make of a memory: what settles deeper fades no longer from the buffer.
    """
    moves: dict[str, tuple[Move, ...]] = {}
    changed: dict[MemoryId, Memory] = {}
    for name, rule in RULES.items():
        there = {one.id: one for one in changed.values() if one.status is Status.ACTIVE}
        other = changed.keys() if name in AGAIN else changed.keys() - there.keys()
        found = [move async for page in due(kit, rule) for move in page if move.memory.id not in other]
        found += await _judged(kit, AGAIN.get(name), list(there.values()))
        moves[name] = tuple(found)
        changed |= {move.memory.id: replace(move.memory, **move.fields) for move in found}
    return moves


async def _judged(kit: MaintenanceKit, judge: Judge | None, found: Sequence[Memory]) -> list[Move]:
    now, moves = kit.clock.now(), list[Move]()
    if judge is None:
        return moves
    for first in range(0, len(found), BATCH):
        some = found[first : first + BATCH]
        moves += await kit.executors.read(partial(judge, engine=kit.engine, found=some, now=now))
    return moves


def _carrying(kit: MaintenanceKit, moves: tuple[Move, ...]) -> Callable[[UnitOfWork], int]:
    now = kit.clock.now()
    return lambda uow: carry_out(uow, kit.engine, moves, now=now)
