"""What a pass would do, without doing any of it: only reads."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.model import Purpose
from bot.storage import usage
from bot.upkeep.asking import Asker, midnight
from bot.upkeep.kit import MaintenanceKit, Report
from bot.upkeep.rules import RULES, due
from bot.upkeep.second_looks import CORE_BATCH, MOST_QUESTIONS, near_clusters
from memory.hygiene import literal, phantoms
from memory.hygiene.clusters import Cluster
from memory.lifecycle import core_question
from memory.lifecycle.moves import Move
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Preview:
    """What is due. ``questions`` would go to a model, were there one and budget left."""

    moves: tuple[Move, ...]
    copies: tuple[Cluster, ...]
    near: tuple[Cluster, ...]
    core: int
    phantoms: int
    asks: bool
    spent: int

    @property
    def questions(self) -> int:
        """The number of questions."""
        return len(self.near) + -(-self.core // CORE_BATCH) + self.phantoms

    def lines(self) -> Iterator[str]:
        """Give it in plain words."""
        for move in self.moves:
            yield f"{move.operation.lower():<10} “{_short(move.memory.text)}” – {move.reason}"
        for cluster in self.copies:
            yield f"{'merge':<10} {' + '.join(f'“{_short(m.text)}”' for m in cluster.memories)} – the same word for word"
        for cluster in self.near:
            yield f"{'ask':<10} {' / '.join(f'“{_short(m.text)}”' for m in cluster.memories)} – the same?"
        if not self.moves and not self.copies and not self.questions:
            yield "nothing is due"
        elif self.questions:
            yield f"{self.questions} questions for the language model" + ("" if self.asks else ", which is not asked")


async def preview(kit: MaintenanceKit) -> Preview:
    """Look through everything that a pass decides."""
    moves = [move for rule in RULES.values() async for page in due(kit, rule) for move in page]
    near = [cluster async for cluster in near_clusters(kit)]
    now = kit.clock.now()

    def read(uow: UnitOfWork) -> tuple[tuple[Cluster, ...], int, int, int]:
        asked = core_question.candidates(uow, kit.engine, now=now, limit=MOST_QUESTIONS)
        suspects = phantoms.suspects(uow, kit.engine, limit=MOST_QUESTIONS)
        spent = usage.tokens(uow, Purpose.MAINTENANCE, midnight(now))
        return literal.due(uow, kit.engine, limit=MOST_QUESTIONS), len(asked), len(suspects), spent

    copies, core, suspects, spent = await kit.executors.read(read)
    return Preview(tuple(moves), copies, tuple(near), core, suspects, Asker(kit, Report()).can, spent)


def _short(text: str, length: int = 70) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= length else f"{flat[: length - 1]}…"
