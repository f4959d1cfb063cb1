"""Small stores for the tests of recall: rows written straight into the tables, as the one write path leaves them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory import lexical
from memory.analysis import analyse
from memory.database import Database
from memory.domain import AgentSlug, Scope
from memory.embedding import Embedder
from memory.recall import recall
from memory.recall.values import Recall
from memory.tables import memories, memory_triggers
from memory.vectors import VectorIndex, pack
from tests.databases import new_database
from tests.fakes import HashingEmbedder

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
AGENT = AgentSlug("tidemark")
HERE = Scope("chat:1")


def write(
    database: Database, rows: Sequence[Mapping[str, Any]], embedder: Embedder | None = None, *, first_pk: int = 1
) -> None:
    """Store rows: ``text`` and, where they differ from a plain active memory of `HERE`, other columns or ``triggers``."""
    distinct = list(dict.fromkeys(row["text"] for row in rows))
    known = dict(zip(distinct, embedder.embed_passages(distinct), strict=True)) if embedder else {}
    with database.write() as uow:
        for pk, row in enumerate(rows, first_pk):
            _write_row(uow.connection, pk, row, known.get(row["text"]), embedder)
        uow.commit()


def _write_row(
    connection: Any, pk: int, row: Mapping[str, Any], vector: NDArray[np.float32] | None, embedder: Embedder | None
) -> None:
    values = {
        "pk": pk, "id": f"{pk:026}", "agent_slug": AGENT, "scope": HERE, "normalised": "", "kind": "semantic",
        "layer": "working", "importance": 5, "status": "active", "trust": "owner", "created_at": NOW, "updated_at": NOW,
        "accessed_at": NOW, "embedding": None if vector is None else pack(vector),
        "embedding_model": None if embedder is None else embedder.digest,
    } | {name: value for name, value in row.items() if name != "triggers"}  # fmt: skip
    connection.execute(memories.insert().values(values))
    lexical.index(connection, pk, values["agent_slug"], values["scope"], values["text"])
    for phrase in row.get("triggers", ()):
        terms = " ".join(analyse(phrase))
        trigger = {"memory_id": values["id"], "phrase": phrase, "terms": terms, "what": "phrase"}
        connection.execute(memory_triggers.insert().values(trigger))


@dataclass
class Store:
    """A database that is asked questions."""

    database: Database
    embedder: Embedder | None = None
    index: VectorIndex | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.embedder is not None:
            self.index = VectorIndex(self.embedder.digest, self.embedder.dimensions)

    def ask(self, query: str, *, scope: Scope = HERE, agent: AgentSlug = AGENT, **options: Any) -> Recall:
        vector = self.embedder.embed_query(query) if self.embedder else None
        defaults: dict[str, Any] = {"now": NOW, "count_tokens": quarter, "limit": 5}
        with self.database.read() as uow:
            return recall(uow.connection, self.index, query, vector, agent=agent, scope=scope, **(defaults | options))

    def texts(self, query: str, **options: Any) -> list[str]:
        return [found.memory.text for found in self.ask(query, **options).chosen]


class Aimed(HashingEmbedder):
    """Sees each text as near to every question as it is told, and all others at right angles to it."""

    def __init__(self, near: Mapping[str, float]) -> None:
        super().__init__()
        self._near = near

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.eye(self.dimensions, dtype=np.float32)[0]

    def embed_passages(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        rows = np.eye(self.dimensions, dtype=np.float32)
        cosines = [self._near.get(text, 0.0) for text in texts]
        return [c * rows[0] + np.float32(np.sqrt(1 - c * c)) * rows[at] for at, c in enumerate(cosines, 1)]


def quarter(text: str) -> int:
    """Estimate tokens as models count them."""
    return len(text) // 4 + 1


def store_of(path: Path, *rows: str | Mapping[str, Any], embedder: Embedder | None = None) -> Store:
    """Give a new store with these rows; a plain text is a plain memory."""
    database = new_database(path / "store.db")
    write(database, [{"text": row} if isinstance(row, str) else row for row in rows], embedder)
    return Store(database, embedder)


def case_row(memory: Mapping[str, Any]) -> dict[str, Any]:
    """Turn a memory of the cases into a row."""
    used = NOW - timedelta(days=memory["last_used_days"])
    ages = {"created_at": NOW - timedelta(days=memory["age_days"]), "updated_at": used, "accessed_at": used}
    return {name: value for name, value in memory.items() if not name.endswith("_days")} | ages


StoreMaker = Callable[..., Store]
