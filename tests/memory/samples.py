"""What the tests of the store share: an assistant, two scopes, statements, a sink that notes what it was told."""

from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory import store
from memory.domain import (
    Actor,
    AgentSlug,
    Conversation,
    Kind,
    Layer,
    Memory,
    Origin,
    Role,
    Scope,
    Status,
    Trust,
    chat_scope,
)
from memory.entries import Cause
from memory.reflection.operations import NewMemory
from memory.unit_of_work import UnitOfWork

AGENT = AgentSlug("tidemark")
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
CHAT = 7
HERE = chat_scope(CHAT)
ELSEWHERE = chat_scope(-8)
DIGEST = "hashing"
CAUSE = Cause("ADD", Actor.REFLECTION, "ok", actor_id=CHAT)


class Sink:
    """Holds vectors like the index does."""

    digest = DIGEST
    dimensions = 3

    def __init__(self) -> None:
        self.held: dict[tuple[Scope, int], NDArray[np.float32]] = {}

    def put(self, agent: AgentSlug, scope: Scope, pk: int, vector: NDArray[np.float32]) -> None:
        self.held[scope, pk] = vector

    def remove(self, agent: AgentSlug, scope: Scope, pk: int) -> None:
        self.held.pop((scope, pk), None)


def vector(*numbers: float) -> NDArray[np.float32]:
    """Give a unit vector."""
    raw = np.array(numbers or (1.0, 0.0, 0.0), np.float32)
    return raw / np.linalg.norm(raw)


def new(text: str, scope: Scope = HERE, **fields: Any) -> NewMemory:
    """Give a statement about Anna by Anna."""
    given: dict[str, Any] = {
        "kind": Kind.SEMANTIC,
        "importance": 5,
        "subject": "Anna",
        "speaker": "Anna",
        "speaker_id": CHAT,
        "trust": Trust.OWNER,
    }
    return NewMemory(scope=scope, text=text, **(given | fields))


def keep(uow: UnitOfWork, text: str, scope: Scope = HERE, **fields: Any) -> Memory:
    """Store a statement."""
    how: dict[str, Any] = {"agent": AGENT, "now": NOW, "cause": CAUSE, "layer": Layer.BUFFER, "status": Status.ACTIVE}
    options = {name: fields.pop(name) for name in ("now", "cause", "status", "layer", "vector", "digest", "index", "agent")
               if name in fields}  # fmt: skip
    return store.insert(uow, new(text, scope, **fields), **(how | options)).memory


def said(text: str, key: str, **fields: Any) -> dict[str, Any]:
    """Give the fields of a message of the transcript."""
    given: dict[str, Any] = {
        "agent": AGENT,
        "turn_key": key,
        "conversation": Conversation(CHAT),
        "role": Role.USER,
        "speaker": "Anna",
        "speaker_id": CHAT,
        "origin": Origin.OWN,
        "text": text,
        "sent_at": NOW,
    }
    return given | fields
