"""What the steps of maintenance share: what they need to know of the engine, and how much they do at a time."""

from typing import Protocol

from memory.domain import AgentSlug
from memory.store import VectorSink

BATCH = 25
"""Rows of one transaction. (m) A journaled change takes 1.4 ms: 35 ms on the writer where each of them changes."""


class Engine(Protocol):
    """What a step needs to know of the engine."""

    agent: AgentSlug

    @property
    def digest(self) -> str | None:
        """The digest of the loaded embedder."""
        ...

    @property
    def index(self) -> VectorSink | None:
        """The vectors in memory."""
        ...
