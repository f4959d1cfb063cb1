"""The one write path: a memory's row, its full-text entry, its vector and its line in the journal change together.

Nothing else writes these tables. In-memory indexes follow once the transaction is durable. Every write happens in exactly
the memory's own scope. Reading (from `reading`) is offered here as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy import select, update
from ulid import ULID

from memory import lexical, snapshots
from memory.attachments import add_day, add_days, add_sources, add_triggers, keep_version, was_on
from memory.cleaning import clean, clean_or_none
from memory.domain import MAX_TEXT_CHARS, AgentSlug, Layer, Memory, MemoryId, Scope, Status
from memory.entries import USE, Cause, OperationId, record
from memory.reading import by_ids, find_text, get, tally, visible, with_scores
from memory.reflection.operations import NewMemory
from memory.rows import COLUMNS, memory_from_row
from memory.statements import normalise
from memory.tables import memories
from memory.unit_of_work import UnitOfWork
from memory.vectors import Vector, pack, unpack

__all__ = [
    "StaleMemory",
    "VectorSink",
    "Written",
    "by_ids",
    "change",
    "erase",
    "find_text",
    "get",
    "insert",
    "move_scope",
]
__all__ += ["refresh", "set_vector", "tally", "use", "visible", "with_scores", "without_vector"]

_READ_BY_PK = select(memories).where(memories.c.pk == sa.bindparam("row"))
_FIXED = {"id", "agent_slug", "revision", "created_at", "embedding_model"}
_FIELDS = {column.name for column in COLUMNS}


class VectorSink(Protocol):
    """What keeps the vectors of one model in memory; told of changes once they are durable."""

    digest: str
    dimensions: int

    def put(self, agent: AgentSlug, scope: Scope, pk: int, vector: Vector) -> None:
        """Take a vector in, or replace it."""
        ...

    def remove(self, agent: AgentSlug, scope: Scope, pk: int) -> None:
        """Drop a vector; one that is not held is no error."""
        ...


class StaleMemory(Exception):
    """The memory changed, moved or vanished since it was read."""


@dataclass(frozen=True, slots=True)
class Written:
    """A memory as it stands after a write, and the journal entry of that write."""

    memory: Memory
    operation_id: OperationId


def insert(
    uow: UnitOfWork,
    new: NewMemory,
    *,
    agent: AgentSlug,
    now: datetime,
    cause: Cause,
    layer: Layer,
    status: Status = Status.ACTIVE,
    vector: Vector | None = None,
    digest: str | None = None,
    index: VectorSink | None = None,
    days: Sequence[tuple[date, str]] = (),
    **fields: Any,
) -> Written:
    """Store a statement. ``vector`` has unit length and is made by the model ``digest``; without it maintenance fills in.

    ``days`` and ``fields`` are what a merged memory takes over from its inputs (mentions, accessed_at…).

    Raises:
        ValueError: a field that cannot be given, a blank or too long text, or no vector of that model.
    """
    if _FIXED & fields.keys() or not fields.keys() <= _FIELDS:
        raise ValueError(f"not to be given: {sorted(fields.keys() & _FIXED | fields.keys() - _FIELDS)}")
    memory_id = MemoryId(str(ULID.from_datetime(now)))
    values = _values_of(new) | {
        "id": memory_id,
        "agent_slug": agent,
        "layer": layer,
        "status": status,
        "created_at": now,
        "updated_at": now,
        "accessed_at": now,
        "valid_from": now,
        "revision": 1,
        "pinned": False,
        "rated": new.rated,
        **fields,
        **_vector_columns(vector, digest, index),
    }
    result = uow.connection.execute(sa.insert(memories), values)
    pk = int(result.inserted_primary_key[0])  # type: ignore[index]
    add_sources(uow, memory_id, new.sources)
    add_triggers(uow, memory_id, new.triggers, new.tools)
    add_days(uow, memory_id, days)
    memory = _in_step(uow, pk, None, index)
    after = snapshots.take(uow, memory_id)
    entry = record(uow, cause, agent=agent, scope=new.scope, at=now, memory_id=memory_id, after=after)
    return Written(memory, entry)


def change(
    uow: UnitOfWork,
    memory: Memory,
    *,
    now: datetime,
    cause: Cause,
    vector: Vector | None = None,
    digest: str | None = None,
    index: VectorSink | None = None,
    said_in: NewMemory | None = None,
    mentioned: bool = False,
    **fields: Any,
) -> Written:
    """Change the named fields of a memory and bump its revision; a new text leaves the old one as a version.

    A new text without ``vector`` has none until maintenance fills it in. The sources and triggers of ``said_in`` are
    added; ``mentioned`` counts today (UTC) as a day on which a person said it.

    Raises:
        StaleMemory: it is not any more what the caller saw.
        ValueError: a field that does not change, or a text that is blank or too long.
    """
    values = _changed_columns(memory, fields)
    pk, before = _held(uow, memory, memory.revision)
    if values.get("text", memory.text) != memory.text:
        keep_version(uow, memory, now)
        values |= _vector_columns(vector, digest, index)
    values |= {"updated_at": now, "revision": memory.revision + 1}
    uow.connection.execute(update(memories).where(memories.c.pk == pk).values(values))
    if said_in is not None:
        add_sources(uow, memory.id, said_in.sources)
        add_triggers(uow, memory.id, said_in.triggers, said_in.tools)
    if mentioned:
        add_day(uow, memory, now, "mention")
    return _journaled(uow, cause, _in_step(uow, pk, memory, index), before, now)


def use(uow: UnitOfWork, memory: Memory, *, now: datetime, cause: Cause) -> Written | None:
    """Count a use in a reply, at most once a day (UTC); None when today was counted already.

    The statement stays as it is, so its revision does too.

    Raises:
        StaleMemory: it vanished or moved since it was read.
    """
    if was_on(uow, memory, now, "use"):
        return None
    pk, before = _held(uow, memory, None)
    add_day(uow, memory, now, "use")
    values = {"uses": memories.c.uses + 1, "accessed_at": max(now, memory.accessed_at)}
    uow.connection.execute(update(memories).where(memories.c.pk == pk).values(values))
    return _journaled(uow, replace(cause, operation=USE), _in_step(uow, pk, memory, None), before, now)


def erase(uow: UnitOfWork, memory: Memory, *, index: VectorSink | None = None) -> None:
    """Take a memory out, with everything beside it. Only a purge and the undo of an addition do this; they journal it.

    Raises:
        StaleMemory: it vanished or moved since it was read.
    """
    pk, _ = _held(uow, memory, None)
    lexical.remove(uow.connection, pk)
    uow.connection.execute(sa.delete(memories).where(memories.c.pk == pk))
    _forget_vector(uow, memory, pk, index)


def refresh(uow: UnitOfWork, former: Memory, *, index: VectorSink | None = None) -> Memory:
    """Bring full text and vector in step with a row that undo has set back; give the memory."""
    row = uow.connection.execute(select(memories.c.pk, memories.c.text).where(memories.c.id == former.id)).one()
    if row.text != former.text:  # the vector belongs to the other text
        uow.connection.execute(
            update(memories).where(memories.c.pk == row.pk).values(_vector_columns(None, None, None))
        )
    return _in_step(uow, row.pk, former, index)


def move_scope(
    uow: UnitOfWork,
    agent: AgentSlug,
    old: Scope,
    new: Scope,
    *,
    now: datetime,
    cause: Cause,
    index: VectorSink | None = None,
) -> int:
    """Move every memory of ``old`` to ``new``, each journaled; give how many. A second call finds nothing to do."""
    here = sa.and_(memories.c.agent_slug == agent, memories.c.scope == old)
    rows = uow.connection.execute(select(*COLUMNS).where(here).order_by(memories.c.pk)).all()
    for memory in map(memory_from_row, rows):
        change(uow, memory, now=now, cause=cause, index=index, scope=new)
    return len(rows)


def without_vector(
    uow: UnitOfWork,
    agent: AgentSlug,
    digest: str,
    limit: int,
    *,
    after: MemoryId | None = None,
    spared: str | None = None,
) -> tuple[Memory, ...]:
    """Give memories of any scope that have no vector of the model ``digest`` yet; for maintenance, never for a prompt.

    Newest first, going on ``after`` one that was given before, so that what is done is not passed over each time.
    Vectors of the model ``spared`` are left alone.
    """
    m = memories.c
    query = select(*COLUMNS).where(_lacks_vector(agent, digest, spared)).order_by(m.pk.desc()).limit(limit)
    if after is not None:
        query = query.where(m.pk < select(m.pk).where(m.id == after).scalar_subquery())
    return tuple(memory_from_row(row) for row in uow.connection.execute(query))


def count_without_vector(uow: UnitOfWork, agent: AgentSlug, digest: str, *, spared: str | None = None) -> int:
    """Count all that `without_vector` would give in the end."""
    query = select(sa.func.count()).select_from(memories).where(_lacks_vector(agent, digest, spared))
    return uow.connection.execute(query).scalar_one()


def count_vectors(uow: UnitOfWork, agent: AgentSlug, digest: str) -> tuple[int, int]:
    """Give how many memories of any scope have a vector of the model ``digest``, and how many there are."""
    query = select(sa.func.count().filter(memories.c.embedding_model == digest), sa.func.count())
    done, total = uow.connection.execute(query.where(memories.c.agent_slug == agent)).one()
    return int(done), int(total)


def set_vector(
    uow: UnitOfWork, memory: Memory, vector: Vector, digest: str, *, index: VectorSink | None = None
) -> bool:
    """Give a memory its vector; False when its text has changed, or it moved or is gone, since it was read.

    A vector follows from the text, so neither revision nor journal take note.

    Raises:
        ValueError: the vector is not finite, not of unit length, or not of that model.
    """
    columns = _vector_columns(vector, digest, index)
    here = sa.and_(memories.c.id == memory.id, memories.c.scope == memory.scope, memories.c.text == memory.text)
    pk = uow.connection.scalar(select(memories.c.pk).where(here))
    if pk is not None:
        uow.connection.execute(update(memories).where(memories.c.pk == pk).values(columns))
        _in_step(uow, pk, replace(memory, embedding_model=None), index)
    return pk is not None


# --- inside


def _lacks_vector(agent: AgentSlug, digest: str, spared: str | None) -> sa.ColumnElement[bool]:
    m = memories.c
    others = () if spared is None else (m.embedding_model.is_distinct_from(spared),)
    return sa.and_(m.agent_slug == agent, m.embedding_model.is_distinct_from(digest), *others)


def _held(uow: UnitOfWork, memory: Memory, revision: int | None) -> tuple[int, snapshots.Snapshot]:
    """Give row number and state of what is about to change, if it is still what the caller saw."""
    here = [memories.c.id == memory.id, memories.c.agent_slug == memory.agent_slug, memories.c.scope == memory.scope]
    if revision is not None:
        here.append(memories.c.revision == revision)
    pk = uow.connection.scalar(select(memories.c.pk).where(*here))
    before = snapshots.take(uow, memory.id)
    if pk is None or before is None:
        raise StaleMemory(memory.id)
    return pk, before


def _in_step(uow: UnitOfWork, pk: int, former: Memory | None, index: VectorSink | None) -> Memory:
    """Bring full text and vectors in step with a row that was written; give the memory."""
    row = uow.connection.execute(_READ_BY_PK, {"row": pk}).one()
    memory = memory_from_row(row)
    if former is None:
        lexical.add(uow.connection, pk, memory.agent_slug, memory.scope, memory.text)
    elif (former.text, former.scope) != (memory.text, memory.scope):
        lexical.index(uow.connection, pk, memory.agent_slug, memory.scope, memory.text)
    elif former.embedding_model == memory.embedding_model:
        return memory
    if former is not None:
        _forget_vector(uow, former, pk, index)
    if index is not None and row.embedding is not None and memory.embedding_model == index.digest:
        vector = unpack(row.embedding)
        uow.after_commit(lambda: index.put(memory.agent_slug, memory.scope, pk, vector))
    return memory


def _forget_vector(uow: UnitOfWork, memory: Memory, pk: int, index: VectorSink | None) -> None:
    if index is not None:
        uow.after_commit(lambda: index.remove(memory.agent_slug, memory.scope, pk))


def _journaled(uow: UnitOfWork, cause: Cause, memory: Memory, before: snapshots.Snapshot, now: datetime) -> Written:
    after = snapshots.take(uow, memory.id)
    entry = record(
        uow, cause, agent=memory.agent_slug, scope=memory.scope, at=now, memory_id=memory.id, before=before, after=after
    )
    return Written(memory, entry)


def _changed_columns(memory: Memory, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Give the columns for the fields; an unknown field is a TypeError of `replace`."""
    if _FIXED & fields.keys():
        raise ValueError(f"these never change: {sorted(_FIXED & fields.keys())}")
    replace(memory, **fields)
    values = {name: clean(value) if isinstance(value, str) else value for name, value in fields.items()}
    return values | (_text_columns(fields["text"]) if "text" in fields else {})


def _text_columns(text: str) -> dict[str, Any]:
    fit = clean(text).strip()
    if not fit or len(fit) > MAX_TEXT_CHARS:
        raise ValueError(f"a memory holds 1 to {MAX_TEXT_CHARS} characters, not {len(fit)}")
    return {"text": fit, "normalised": normalise(fit)}


def _values_of(new: NewMemory) -> dict[str, Any]:
    return _text_columns(new.text) | {
        "scope": new.scope,
        "kind": new.kind,
        "importance": new.importance,
        "subject": clean_or_none(new.subject),
        "speaker": clean_or_none(new.speaker),
        "speaker_id": new.speaker_id,
        "trust": new.trust,
        "expires_at": new.expires_at,
    }


def _vector_columns(vector: Vector | None, digest: str | None, index: VectorSink | None) -> dict[str, Any]:
    if vector is None:
        return {"embedding": None, "embedding_model": None}
    if digest is None:
        raise ValueError("a vector without the digest of its model could meet those of another")
    if index is not None and index.digest == digest and vector.shape != (index.dimensions,):
        raise ValueError(f"vectors of this model have {index.dimensions} dimensions, not {vector.shape}")
    return {"embedding": pack(vector), "embedding_model": digest}
