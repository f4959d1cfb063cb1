"""The whole state of one memory as JSON, and the way back: what the journal keeps, and what undo restores.

A snapshot holds every column but the vector and the row's number, and every row beside it: sources, triggers,
versions, days. Times are ISO text.
"""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from sqlalchemy import Column, Table, bindparam, delete, insert, select, update

from memory.columns import UtcDateTime
from memory.domain import MemoryId
from memory.tables import memories, memory_days, memory_sources, memory_triggers, memory_versions
from memory.unit_of_work import UnitOfWork

Snapshot = dict[str, Any]

_ROW = "memory"
_BESIDE: dict[str, tuple[Table, tuple[str, ...]]] = {
    "sources": (memory_sources, ("message_id", "start", "end")),
    "triggers": (memory_triggers, ("phrase", "terms", "what")),
    "versions": (memory_versions, ("revision", "text", "valid_from", "valid_to")),
    "days": (memory_days, ("day", "what")),
}
_COLUMNS = [column for column in memories.c if column.name not in {"pk", "embedding"}]
_READ_ROW = select(*_COLUMNS).where(memories.c.id == bindparam("memory_id"))
_READ_BESIDE = {
    name: select(*(table.c[column] for column in columns)).where(table.c.memory_id == bindparam("memory_id"))
    for name, (table, columns) in _BESIDE.items()
}
_NEVER_BACK = {"id", "revision", "embedding_model"}
"""The revision only grows: going back would let a stale brief pass for a fresh one. The vector's digest stays with it."""
_WEIGHT = {"accessed_at", "uses", "layer", "importance", "weighed_at"}
"""What a use in a reply, or maintenance, moves meanwhile; it does not stand in the way of an undo."""

_MARK = ("triggers", "what")
"""What maintenance moves on a row beside: a cue that was added goes, though people say it all the time by now."""


def take(uow: UnitOfWork, memory_id: MemoryId) -> Snapshot | None:
    """Give the present state of a memory, or None when there is none."""
    which = {"memory_id": memory_id}
    row = uow.connection.execute(_READ_ROW, which).mappings().first()
    if row is None:
        return None
    snapshot: Snapshot = {_ROW: {name: _plain(value) for name, value in row.items()}}
    for name, query in _READ_BESIDE.items():
        found = uow.connection.execute(query, which)
        snapshot[name] = sorted(([_plain(value) for value in entry] for entry in found), key=repr)
    return snapshot


def text_of(snapshot: Mapping[str, Any] | None) -> str | None:
    """Give the statement that a snapshot holds; None where the words are gone or there is no state."""
    text = ((snapshot or {}).get(_ROW) or {}).get("text")
    return text if isinstance(text, str) else None


def changed_columns(before: Snapshot, after: Snapshot) -> dict[str, Any]:
    """Give the columns that differ, with the value of ``before``; those that never go back are left out."""
    former, later = before[_ROW], after[_ROW]
    return {name: former[name] for name in former if name not in _NEVER_BACK and former[name] != later[name]}


def conflicts(after: Snapshot, current: Snapshot, names: Mapping[str, Any]) -> bool:
    """Say whether one of the named columns is no longer as the change left it."""
    return any(current[_ROW][name] != after[_ROW][name] for name in names if name not in _WEIGHT)


def restore_row(
    uow: UnitOfWork, memory_id: MemoryId, columns: Mapping[str, Any], after: Snapshot, now: Snapshot
) -> None:
    """Set the columns back, bump the revision; a weight that moved meanwhile stays where it is."""
    moved = {name for name in _WEIGHT if now[_ROW][name] != after[_ROW][name]}
    values = {name: _typed(memories.c[name], value) for name, value in columns.items() if name not in moved}
    statement = update(memories).where(memories.c.id == memory_id)
    uow.connection.execute(statement.values(**values, revision=memories.c.revision + 1))


def restore_beside(uow: UnitOfWork, memory_id: MemoryId, before: Snapshot, after: Snapshot) -> None:
    """Take away the rows beside the memory that the change added, and put back those it took."""
    for name, (table, columns) in _BESIDE.items():
        for entry in (e for e in after[name] if e not in before[name]):
            named = {c: v for c, v in zip(columns, entry, strict=True) if v is not None and (name, c) != _MARK}
            key = [table.c[c] == _typed(table.c[c], v) for c, v in named.items()]
            uow.connection.execute(delete(table).where(table.c.memory_id == memory_id, *key))
        for entry in (e for e in before[name] if e not in after[name]):
            values = {c: _typed(table.c[c], v) for c, v in zip(columns, entry, strict=True)}
            uow.connection.execute(insert(table).values(memory_id=memory_id, **values))


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value  # a datetime is a date


def _typed(column: Column[Any], value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if isinstance(column.type, UtcDateTime):
        return datetime.fromisoformat(value)
    return date.fromisoformat(value) if column.name == "day" else value
