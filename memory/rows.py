"""Between a row of ``memories`` and the value everybody else handles."""

from collections.abc import Callable, Collection
from dataclasses import fields
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row

from memory.changes import as_array
from memory.columns import UtcDateTime
from memory.domain import AgentSlug, Kind, Layer, Memory, MemoryId, Scope, Status, Trust
from memory.tables import memories

COLUMNS = tuple(column for column in memories.c if column.name not in {"pk", "normalised", "embedding"})
"""What a `Memory` is made of; the vector stays in the database and its index."""


def memory_from_row(row: Row[Any]) -> Memory:
    """Give the memory of a row that holds at least `COLUMNS`; other columns are ignored."""
    held = row._mapping  # noqa: SLF001 - public in spite of its underscore, which keeps it apart from column names
    fields = {column.name: held[column.name] for column in COLUMNS}
    return Memory(
        **fields
        | {
            "id": MemoryId(fields["id"]),
            "agent_slug": AgentSlug(fields["agent_slug"]),
            "scope": Scope(fields["scope"]),
            "kind": Kind(fields["kind"]),
            "layer": Layer(fields["layer"]),
            "status": Status(fields["status"]),
            "trust": Trust(fields["trust"]),
            "superseded_by": None if fields["superseded_by"] is None else MemoryId(fields["superseded_by"]),
        }
    )


def by_pk(connection: Connection, pks: Collection[int]) -> dict[int, Memory]:
    """Give the memories of some rows: the short way for recall, which reads a hundred for each question.

    Nothing is filtered: whoever calls this looks at assistant, scope and status.
    """
    rows = connection.exec_driver_sql(_BY_PK, (as_array(pks),)).fetchall()
    return {pk: _memory(values) for pk, *values in rows}


def by_id(
    connection: Connection, agent: AgentSlug, scopes: Collection[Scope], ids: Collection[str]
) -> dict[MemoryId, Memory]:
    """Give those of the memories that are in one of ``scopes``, in no particular order."""
    rows = connection.exec_driver_sql(_BY_ID, (as_array(ids), agent, as_array(scopes))).fetchall()
    return {memory.id: memory for memory in (_memory(list(values)) for values in rows)}


def _memory(values: list[Any]) -> Memory:
    for place, read in _READERS:
        values[place] = read(values[place])
    return Memory(*values)


@lru_cache(maxsize=4_096)
def instant(stored: str | None) -> datetime | None:
    """Give the moment, UTC, that a column of times holds."""
    return None if stored is None else datetime.fromisoformat(stored).replace(tzinfo=UTC)


_NAMES = tuple(field.name for field in fields(Memory))
_COLUMNS = ", ".join(f"m.{name}" for name in _NAMES)
_BY_PK = f"SELECT m.pk, {_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.pk = wanted.value"  # noqa: S608
_BY_ID = f"""
SELECT {_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.id = wanted.value
WHERE m.agent_slug = ? AND m.scope IN (SELECT value FROM json_each(?))
"""  # noqa: S608 - the names of columns
_SPECIAL: dict[str, Callable[[Any], Any]] = {
    "kind": {kind.value: kind for kind in Kind}.__getitem__,
    "layer": {layer.value: layer for layer in Layer}.__getitem__,
    "status": {status.value: status for status in Status}.__getitem__,
    "trust": {trust.value: trust for trust in Trust}.__getitem__,
    "pinned": bool,
}
_SPECIAL |= {column.name: instant for column in memories.c if isinstance(column.type, UtcDateTime)}
_READERS = tuple((_NAMES.index(name), read) for name, read in _SPECIAL.items())
