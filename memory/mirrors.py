"""Holds parts of the file in memory, one for each (assistant, scope), in step with what each snapshot has committed.

A mirror is loaded when its scope is first asked about, follows the log of changes (`changes`) and is dropped when nobody
asks any more. Only connections that cannot write move it on: what a transaction wrote and may still roll back is laid over
it for that transaction alone. A snapshot older than the mirror gets the newer state; whoever then reads the rows decides.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import Connection

from memory import changes, policy
from memory.domain import AgentSlug, Scope


class Mirror(Protocol):
    """The held rows of one scope."""

    def __len__(self) -> int:
        """Count the rows."""
        ...

    def absorb(self, pks: Collection[int], fresh: Any) -> None:
        """Drop the rows ``pks`` and take in those of ``fresh``, another mirror of the same kind."""
        ...

    @property
    def worn(self) -> bool:
        """Say whether loading it anew would make it much smaller."""
        ...


Held = TypeVar("Held", bound=Mirror)
Load = Callable[[Connection, AgentSlug, Scope, Collection[int] | None], Held]
"""Reads the rows of a scope, all of them or those of the numbers given."""


@dataclass(frozen=True, slots=True)
class Part(Generic[Held]):
    """A mirror to look into, but for the rows in ``hidden``."""

    held: Held
    hidden: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Entry(Generic[Held]):
    held: Held
    number: int  # of the last change it took in
    asked_at: float = field(default=0.0)


class Mirrors(Generic[Held]):
    """The mirrors of one kind. Any thread may use them; one at a time does."""

    def __init__(self, load: "Load[Held]", *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._load = load
        self._monotonic = monotonic
        self._lock = threading.RLock()
        self._entries: dict[tuple[AgentSlug, Scope], _Entry[Held]] = {}

    @contextmanager
    def of(self, connection: Connection, agent: AgentSlug, scopes: Sequence[Scope]) -> Iterator[list[Part[Held]]]:
        """Give what ``connection`` sees of ``scopes``. Nothing moves while the block runs: take out what you need."""
        with self._lock:
            yield [part for scope in dict.fromkeys(scopes) for part in self._parts(connection, agent, scope)]

    def held(self) -> dict[tuple[AgentSlug, Scope], Held]:
        """Give what is held at the moment."""
        with self._lock:
            return {key: entry.held for key, entry in self._entries.items()}

    def _parts(self, connection: Connection, agent: AgentSlug, scope: Scope) -> list[Part[Held]]:
        committed = changes.reads_only(connection)
        entry = self._entries.get((agent, scope))
        number = changes.latest(connection, agent, scope)
        if entry is None:
            return [Part(self._first(connection, agent, scope, number, keep=committed))]
        entry.asked_at = self._monotonic()
        if number <= entry.number:
            return [Part(entry.held)]
        pks = changes.since(connection, agent, scope, entry.number)
        if committed:
            self._follow(connection, agent, scope, entry, pks)
            entry.number = number
            return [Part(entry.held)]
        return [Part(entry.held, frozenset(pks)), Part(self._load(connection, agent, scope, pks))]

    def _first(self, connection: Connection, agent: AgentSlug, scope: Scope, number: int, *, keep: bool) -> Held:
        self._drop_idle()
        held = self._load(connection, agent, scope, None)
        if keep:
            self._entries[agent, scope] = _Entry(held, number, self._monotonic())
        return held

    def _follow(
        self, connection: Connection, agent: AgentSlug, scope: Scope, entry: _Entry[Held], pks: Collection[int]
    ) -> None:
        many = len(pks) > len(entry.held) // 2 + policy.ALWAYS_FOLLOWED
        if not many:
            entry.held.absorb(pks, self._load(connection, agent, scope, pks))
        if many or entry.held.worn:
            entry.held = self._load(connection, agent, scope, None)

    def _drop_idle(self) -> None:
        oldest = self._monotonic() - policy.MIRROR_IDLE_S
        self._entries = {key: entry for key, entry in self._entries.items() if entry.asked_at >= oldest}
