"""The rows beside a memory: what supports it, what fires it, when it was mentioned or used, what it said before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import and_, delete, insert, select

from memory.analysis import analyse
from memory.domain import Memory, MemoryId, Source
from memory.tables import memory_days, memory_sources, memory_triggers, memory_versions
from memory.triggers.wording import COMMON, PHRASE, TOOL, fit_phrases, fit_tools
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Triggers:
    """What brings a memory up. ``common`` are the phrases that force nothing, since people say them all the time."""

    phrases: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    common: frozenset[str] = frozenset()


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
    """Add what brings the memory up: phrases, and names of tools it stands before. Known ones stay as they are.

    What is no cue (`triggers.wording`) is left out, and so is what would be more than `policy.CUES_A_LESSON` of a kind.
    """
    if not phrases and not tools:
        return
    held = triggers_of(uow, memory_id)
    for phrase in fit_phrases((*held.phrases, *phrases))[len(held.phrases) :]:
        _add_trigger(uow, memory_id, phrase, PHRASE)
    taken = {*held.phrases, *phrases}
    for tool in fit_tools((*held.tools, *(tool for tool in tools if tool not in taken)))[len(held.tools) :]:
        _add_trigger(uow, memory_id, tool, TOOL)


def triggers_of(uow: UnitOfWork, memory_id: MemoryId) -> Triggers:
    """Give what brings the memory up."""
    t = memory_triggers.c
    rows = uow.connection.execute(select(t.phrase, t.what).where(t.memory_id == memory_id).order_by(t.phrase)).all()
    return Triggers(
        tuple(row.phrase for row in rows if row.what != TOOL),
        tuple(row.phrase for row in rows if row.what == TOOL),
        frozenset(row.phrase for row in rows if row.what == COMMON),
    )


def _add_trigger(uow: UnitOfWork, memory_id: MemoryId, phrase: str, what: str) -> None:
    values = {"memory_id": memory_id, "phrase": phrase, "terms": " ".join(analyse(phrase)), "what": what}
    uow.connection.execute(insert(memory_triggers), values)


def add_day(uow: UnitOfWork, memory: Memory, now: datetime, what: str) -> None:
    """Note that the memory was mentioned or used on the UTC day of ``now``; a day counts once."""
    if not was_on(uow, memory, now, what):
        uow.connection.execute(insert(memory_days), {"memory_id": memory.id, "day": now.date(), "what": what})


def add_days(uow: UnitOfWork, memory_id: MemoryId, days: Sequence[tuple[date, str]]) -> None:
    """Add days on which a memory was mentioned (``mention``) or used (``use``)."""
    for day, what in dict.fromkeys(days):
        uow.connection.execute(insert(memory_days), {"memory_id": memory_id, "day": day, "what": what})


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
