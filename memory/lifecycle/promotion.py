"""How a memory settles: said again, used, or important enough to last a day; into the core only what has proved itself."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from itertools import groupby

from sqlalchemy import and_, or_, select

from memory import policy
from memory.domain import Layer, Memory, MemoryId, Status
from memory.lifecycle.contradiction import contradicted
from memory.lifecycle.moves import PROMOTE, Move
from memory.lifecycle.scanning import Page, page
from memory.lived import DAY_HOURS, Ages, lived_hours
from memory.steps import BATCH, Engine
from memory.tables import memories, memory_days
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for a memory: days (UTC) since it says what it says, and time in lived hours.

    The day on which it was first said is a day of mention.
    """

    mentioned: frozenset[date]
    used: frozenset[date]
    age_hours: float
    span_hours: float  # lived, from the first to the last of all these days
    idle_hours: float
    contradicted: bool = False

    @property
    def days(self) -> int:
        """The number of different days."""
        return len(self.mentioned | self.used)


def to_working(memory: Memory, evidence: Evidence) -> str | None:
    """Give why a memory of the buffer belongs into working, or None."""
    if len(evidence.mentioned) >= policy.WORKING_DAYS:
        return f"said on {len(evidence.mentioned)} days"
    if len(evidence.used) >= policy.WORKING_DAYS:
        return f"used on {len(evidence.used)} days"
    lasting = memory.importance >= policy.LASTING_IMPORTANCE and evidence.age_hours >= policy.LASTING_HOURS
    return f"importance {memory.importance}, and a day old" if lasting and not evidence.contradicted else None


def to_core(memory: Memory, evidence: Evidence) -> str | None:
    """Give why a memory belongs into the core by what is known of it, or None; the model may know more.

    What has proved itself so far has settled in working as well.
    """
    if memory.pinned:
        return "pinned"
    proved = evidence.days >= policy.CORE_DAYS and evidence.span_hours >= policy.CORE_SPAN_DAYS * DAY_HOURS
    fits = memory.importance >= policy.CORE_IMPORTANCE and proved and may_be_core(evidence)
    return f"importance {memory.importance}, said or used on {evidence.days} days" if fits else None


def may_be_core(evidence: Evidence) -> bool:
    """Say whether nothing would lead a memory straight out of the core again."""
    return evidence.idle_hours < policy.CORE_IDLE_DAYS * DAY_HOURS and not evidence.contradicted


def due(uow: UnitOfWork, engine: Engine, *, now: datetime, limit: int = BATCH, after: int = 0) -> Page:
    """Give the promotions that are due."""
    m = memories.c
    buffered = and_(m.layer == Layer.BUFFER, or_(m.importance >= policy.LASTING_IMPORTANCE, m.mentions > 0, m.uses > 1))
    proving = and_(m.importance >= policy.CORE_IMPORTANCE, m.mentions + m.uses >= policy.CORE_DAYS - 1)
    working = and_(m.layer == Layer.WORKING, proving)
    pinned = and_(m.layer != Layer.CORE, m.pinned)
    query = select(m.pk).where(m.status == Status.ACTIVE, or_(buffered, working, pinned))
    return page(uow, engine, query, limit, after, lambda found: judged(uow, engine, found, now))


def evidence_of(uow: UnitOfWork, engine: Engine, found: Sequence[Memory], now: datetime) -> dict[MemoryId, Evidence]:
    """Give what speaks for each of the memories."""
    ages = Ages(uow, engine.agent, now)
    against = contradicted(uow, found)
    days = _days(uow, [memory.id for memory in found])
    return {memory.id: _evidence(memory, days.get(memory.id, ()), ages, memory.id in against) for memory in found}


def judged(uow: UnitOfWork, engine: Engine, found: Sequence[Memory], now: datetime) -> list[Move]:
    """Give the promotions that are due for these active memories, as they are given."""
    evidence = evidence_of(uow, engine, found, now)
    return [move for memory in found if (move := _move(memory, evidence[memory.id])) is not None]


def _move(memory: Memory, evidence: Evidence) -> Move | None:
    """Give the furthest step that is due: what proved itself while nobody looked need not wait for the next pass."""
    why = to_core(memory, evidence)
    if why is not None:
        return Move(memory, PROMOTE, why, {"layer": Layer.CORE})
    why = to_working(memory, evidence) if memory.layer is Layer.BUFFER else None
    return None if why is None else Move(memory, PROMOTE, why, {"layer": Layer.WORKING})


def _evidence(memory: Memory, days: Collection[tuple[date, str]], ages: Ages, against: bool) -> Evidence:
    since = said_since(memory)
    first = since.astimezone(UTC).date()
    mentioned = {first} | {day for day, what in days if what == "mention" and day >= first}
    used = {day for day, what in days if what == "use" and day >= first}
    span = lived_hours(_midnight(first), _midnight(max(mentioned | used)), ages.days(memory.scope))
    return Evidence(
        frozenset(mentioned), frozenset(used), ages.since(memory.scope, since), span, ages.idle(memory), against
    )


def said_since(memory: Memory) -> datetime:
    """Give since when a memory says what it says."""
    return memory.valid_from or memory.created_at


def _days(uow: UnitOfWork, ids: Sequence[MemoryId]) -> dict[MemoryId, tuple[tuple[date, str], ...]]:
    d = memory_days.c
    rows = uow.connection.execute(select(d.memory_id, d.day, d.what).where(d.memory_id.in_(ids)).order_by(d.memory_id))
    return {
        MemoryId(memory_id): tuple((row.day, row.what) for row in group)
        for memory_id, group in groupby(rows, key=lambda row: row.memory_id)
    }


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
