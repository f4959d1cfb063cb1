"""What a model was asked about memories and answered, so that it is not asked twice.

A verdict holds as long as its *stamp* does: what the memory was when it was judged. For hygiene and phantoms that is the
revision, for the question whether something belongs into the core it is the evidence (mentions and uses).
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from enum import StrEnum

from sqlalchemy import delete, insert, select

from memory.changes import as_array
from memory.domain import Memory, MemoryId
from memory.tables import memory_verdicts
from memory.unit_of_work import UnitOfWork


class Question(StrEnum):
    """What was asked."""

    MERGE = "merge"
    CORE = "core"
    PHANTOM = "phantom"


DISTINCT = "distinct"
"""The verdict on a pair: both stand."""
CONTRADICTS = "contradicts"
"""The verdict on a pair: both cannot be true, and which one is, is open."""
PARTED = "parted"
"""The verdict on a pair, a person's: they took a merge back. It holds whatever becomes of the two."""
NO = "no"
"""The verdict on one memory: it stays where it is."""

Pair = tuple[MemoryId, MemoryId]

_PAIRS = """
SELECT v.one, v.other, v.verdict
FROM json_each(?) AS wanted
CROSS JOIN memory_verdicts AS v ON v.question = 'merge' AND v.one = wanted.value
CROSS JOIN memories AS a ON a.id = v.one
CROSS JOIN memories AS b ON b.id = v.other
WHERE v.verdict = 'parted' OR (a.revision = v.one_stamp AND b.revision = v.other_stamp)
"""
_ROWS = """
SELECT a.pk, b.pk
FROM json_each(?) AS wanted
CROSS JOIN memories AS a ON a.pk = wanted.value
CROSS JOIN memory_verdicts AS v ON v.question = 'merge' AND v.one = a.id
CROSS JOIN memories AS b ON b.id = v.other
WHERE v.verdict = 'parted' OR (a.revision = v.one_stamp AND b.revision = v.other_stamp)
"""


_CARRY_OVER = """
UPDATE memory_verdicts SET {who}_stamp = {who}_stamp + 1
WHERE question IN ('merge', 'phantom') AND {who} IN (SELECT value FROM json_each(?))
AND {who}_stamp + 1 = (SELECT revision FROM memories WHERE id = {who})
"""


def stamp(question: Question, memory: Memory) -> int:
    """Give what a memory is at present, as far as the question is concerned."""
    return memory.mentions + memory.uses if question is Question.CORE else memory.revision


def pair(one: Memory, other: Memory) -> Pair:
    """Give the key of a pair, whichever comes first."""
    first, second = sorted((one.id, other.id))
    return first, second


def keep(
    uow: UnitOfWork, question: Question, one: Memory, other: Memory | None, verdict: str, *, now: datetime
) -> None:
    """Keep a verdict on a pair, or with ``other`` None on one memory, in place of a former one."""
    first, second = sorted((one, other or one), key=lambda memory: memory.id)
    v = memory_verdicts.c
    here = (v.question == question, v.one == first.id, v.other == second.id)
    uow.connection.execute(delete(memory_verdicts).where(*here))
    stamps = {"one_stamp": stamp(question, first), "other_stamp": stamp(question, second)}
    values = {"question": question, "one": first.id, "other": second.id, "verdict": verdict, "at": now}
    uow.connection.execute(insert(memory_verdicts), values | stamps)


def carry_over(uow: UnitOfWork, ids: Collection[MemoryId]) -> None:
    """Let the verdicts on memories hold on whose last change was one of standing by rule: they still say the same.

    Else a contradiction would end with the demotion it causes.
    """
    for who in ("one", "other"):
        uow.connection.exec_driver_sql(_CARRY_OVER.format(who=who), (as_array(ids),))


def of_pairs(uow: UnitOfWork, ids: Collection[MemoryId]) -> dict[Pair, str]:
    """Give the verdicts that still hold on pairs whose lesser id is among ``ids``."""
    return {(one, other): said for one, other, said in uow.connection.exec_driver_sql(_PAIRS, (as_array(ids),))}


def of_rows(uow: UnitOfWork, pks: Sequence[int]) -> list[tuple[int, int]]:
    """Give the pairs with a verdict that still holds, as row numbers, where the one with the lesser id is among ``pks``."""
    return [(one, other) for one, other in uow.connection.exec_driver_sql(_ROWS, (as_array(pks),))]


def answered(uow: UnitOfWork, question: Question, memories: Sequence[Memory]) -> dict[MemoryId, str]:
    """Give the verdicts that still hold on single memories."""
    v = memory_verdicts.c
    ids = [memory.id for memory in memories]
    query = select(v.one, v.one_stamp, v.verdict).where(v.question == question, v.one == v.other, v.one.in_(ids))
    found = {MemoryId(row.one): row for row in uow.connection.execute(query)}
    return {
        m.id: found[m.id].verdict for m in memories if m.id in found and found[m.id].one_stamp == stamp(question, m)
    }
