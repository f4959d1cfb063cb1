"""The rows beside a memory: what supports it, what fires it, when it was mentioned or used, what it said before."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, delete, insert, select

from memory.analysis import analyse
from memory.cleaning import clean
from memory.domain import Memory, MemoryId, Source
from memory.tables import memory_days, memory_sources, memory_triggers, memory_versions
from memory.unit_of_work import UnitOfWork

Sources = Sequence[tuple[int, int, int]]
"""Message id, start and end (code points) of the words that support a memory."""


def add_sources(uow: UnitOfWork, memory_id: MemoryId, sources: Sources) -> None:
    """Add what supports the memory; several spans of one message become the span that holds them all."""
    held = memory_sources.c
    for message_id in dict.fromkeys(source[0] for source in sources):
        here = and_(held.memory_id == memory_id, held.message_id == message_id)
        old = uow.connection.execute(select(held.start, held.end).where(here)).all()
        spans = [(start, end) for n, start, end in sources if n == message_id] + [(row.start, row.end) for row in old]
        uow.connection.execute(delete(memory_sources).where(here))
        values = {"start": min(start for start, _ in spans), "end": max(end for _, end in spans)}
        uow.connection.execute(insert(memory_sources), values | {"memory_id": memory_id, "message_id": message_id})


def sources_of(uow: UnitOfWork, memory_id: MemoryId) -> tuple[Source, ...]:
    """Give what supports the memory, in the order of the messages."""
    held = memory_sources.c
    query = select(held.message_id, held.start, held.end).where(held.memory_id == memory_id).order_by(held.message_id)
    return tuple(Source(row.message_id, row.start, row.end) for row in uow.connection.execute(query))


def add_triggers(uow: UnitOfWork, memory_id: MemoryId, phrases: Sequence[str], tools: Sequence[str]) -> None:
    """Add what brings the memory up: phrases, and names of tools it stands before. Known ones stay as they are."""
    named = [(phrase, "phrase") for phrase in phrases] + [(tool, "tool") for tool in tools]
    wanted = {phrase: what for phrase, what in ((clean(phrase).strip(), what) for phrase, what in named) if phrase}
    if not wanted:
        return
    held = set(uow.connection.scalars(select(memory_triggers.c.phrase).where(memory_triggers.c.memory_id == memory_id)))
    for phrase, what in wanted.items():
        if phrase not in held:
            values = {"memory_id": memory_id, "phrase": phrase, "terms": " ".join(analyse(phrase)), "what": what}
            uow.connection.execute(insert(memory_triggers), values)


def add_day(uow: UnitOfWork, memory: Memory, now: datetime, what: str) -> None:
    """Note that the memory was mentioned or used on the UTC day of ``now``; a day counts once."""
    if not was_on(uow, memory, now, what):
        uow.connection.execute(insert(memory_days), {"memory_id": memory.id, "day": now.date(), "what": what})


def was_on(uow: UnitOfWork, memory: Memory, now: datetime, what: str) -> bool:
    """Say whether the memory was mentioned (``mention``) or used (``use``) on the UTC day of ``now``."""
    day = memory_days.c
    query = select(day.day).where(day.memory_id == memory.id, day.day == now.date(), day.what == what)
    return uow.connection.execute(query).first() is not None


def keep_version(uow: UnitOfWork, memory: Memory, now: datetime) -> None:
    """Keep the text that is about to be replaced, with the time it was valid."""
    values = {
        "memory_id": memory.id,
        "revision": memory.revision,
        "text": memory.text,
        "valid_from": memory.valid_from,
        "valid_to": now,
    }
    uow.connection.execute(insert(memory_versions), values)
