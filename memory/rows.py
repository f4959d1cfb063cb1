"""Between a row of ``memories`` and the value everybody else handles."""

from typing import Any

from sqlalchemy import Row

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
