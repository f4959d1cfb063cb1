"""What a pass would do, without doing any of it: only reads."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bot.model import Purpose
from bot.storage import usage
from bot.upkeep.asking import Asker, midnight
from bot.upkeep.kit import MaintenanceKit, Report
from bot.upkeep.outlook import Due, outlook
from bot.upkeep.rules import foreseen
from bot.upkeep.second_looks import CORE_BATCH, MOST_QUESTIONS, near_clusters
from memory.domain import MemoryId
from memory.hygiene import literal, phantoms
from memory.hygiene.clusters import Cluster
from memory.lifecycle import core_question
from memory.lifecycle.moves import Move
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Preview:
    """What is due. ``moves`` go by their rule; ``questions`` would go to a model, were there one and budget left."""

    moves: Mapping[str, tuple[Move, ...]]
    copies: tuple[Cluster, ...]
    near: tuple[Cluster, ...]
    upkeep: tuple[Due, ...]
    core: int
    phantoms: int
    asks: bool
    spent: int

    @property
    def questions(self) -> int:
        """The number of questions."""
        return len(self.near) + -(-self.core // CORE_BATCH) + self.phantoms

    @property
    def counts(self) -> dict[str, int]:
        """What ``Report.counts`` of a pass that asks no model will hold, without the zeros."""
        found = {name: len(moves) for name, moves in self.moves.items()} | {"copies_merged": len(self.copies)}
        return {name: n for name, n in (found | {one.name: one.count for one in self.upkeep}).items() if n}

    def lines(self) -> Iterator[str]:
        """Give it in plain words."""
        told = [f"{verb:<10} {words}" for verb, words in self._told()]
        yield from told
        if self.questions:
            yield _questions(self.questions) + (
                "" if self.asks else ", which is not asked: none is set, or it may not be"
            )
        elif not told:
            yield "nothing is due"

    def _told(self) -> Iterator[tuple[str, str]]:
        for move in (move for moves in self.moves.values() for move in moves):
            yield move.operation.lower(), f"“{_short(move.memory.text)}” – {move.reason}"
        for cluster in self.copies:
            yield "merge", f"{' + '.join(f'“{_short(m.text)}”' for m in cluster.memories)} – the same word for word"
        for cluster in self.near:
            yield "ask", f"{' / '.join(f'“{_short(m.text)}”' for m in cluster.memories)} – the same?"
        for one in self.upkeep:
            yield one.verb, one.words


async def preview(kit: MaintenanceKit) -> Preview:
    """Look through everything that a pass decides."""
    moves = await foreseen(kit)
    gone = {move.memory.id for found in moves.values() for move in found if "status" in move.fields}
    near = [cluster async for cluster in near_clusters(kit)]
    now = kit.clock.now()

    def read(uow: UnitOfWork) -> tuple[tuple[Cluster, ...], int, int, int]:
        asked = core_question.candidates(uow, kit.engine, now=now, limit=MOST_QUESTIONS)
        suspects = phantoms.suspects(uow, kit.engine, limit=MOST_QUESTIONS)
        spent = usage.tokens(uow, Purpose.MAINTENANCE, midnight(now))
        return literal.due(uow, kit.engine, limit=MOST_QUESTIONS), len(asked), len(suspects), spent

    found, core, suspects, spent = await kit.executors.read(read)
    copies = _without(gone, found)
    upkeep = await outlook(kit, copies)
    return Preview(moves, copies, _without(gone, near), upkeep, core, suspects, Asker(kit, Report()).can, spent)


def _without(gone: set[MemoryId], clusters: Iterable[Cluster]) -> tuple[Cluster, ...]:
    left = (tuple(memory for memory in cluster.memories if memory.id not in gone) for cluster in clusters)
    return tuple(Cluster(memories) for memories in left if len(memories) > 1)


def _questions(count: int) -> str:
    return f"{count} question{'' if count == 1 else 's'} for the language model"


def _short(text: str, length: int = 70) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else f"{flat[: length - 1]}…"
