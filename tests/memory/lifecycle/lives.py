"""What the tests of the lifecycle share: days on which people spoke, and one rule carried out until nothing is due."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memory import lived, store
from memory.attachments import add_day
from memory.domain import AgentSlug, Memory, Scope
from memory.lifecycle import archive, expiry, fading, inflation, promotion
from memory.lifecycle.moves import Move, carry_out
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CAUSE, DIGEST, HERE, NOW, Sink

RULES = (expiry.due, inflation.due, promotion.due, fading.due, archive.due)


@dataclass
class Engine:
    agent: AgentSlug = AGENT
    digest: str | None = DIGEST
    index: Sink | None = None


ENGINE = Engine()


def live(uow: UnitOfWork, days: int, *, since: datetime = NOW, scope: Scope = HERE) -> None:
    """Let somebody speak in ``scope`` on each of ``days`` days from ``since`` on."""
    for day in range(days + 1):
        lived.mark(uow, AGENT, scope, (since + timedelta(days=day)).date())


def due(rule: Callable[..., Any], uow: UnitOfWork, now: datetime, limit: int = 50) -> list[Move]:
    """Give every move that a rule asks for."""
    found: list[Move] = []
    after: int | None = 0
    while after is not None:
        moves, after = rule(uow, ENGINE, now=now, limit=limit, after=after)
        found += moves
    return found


def run(rule: Callable[..., Any], uow: UnitOfWork, now: datetime) -> list[str]:
    """Carry a rule out; give what it did and why, as ``VERB: reason``."""
    moves = due(rule, uow, now)
    assert carry_out(uow, ENGINE, moves, now=now) == len(moves)
    return [f"{move.operation}: {move.reason}" for move in moves]


def run_all(uow: UnitOfWork, now: datetime) -> int:
    """Carry out a whole pass; give how many moves."""
    return sum(len(run(rule, uow, now)) for rule in RULES)


def fresh(uow: UnitOfWork, memory: Memory) -> Memory:
    """Give a memory as it stands."""
    found = store.get(uow, memory.agent_slug, memory.scope, memory.id)
    assert found is not None
    return found


def noted(uow: UnitOfWork, memory: Memory, what: str, *days: int) -> None:
    """Let a memory be mentioned, or used, so many days after it was first said."""
    for day in days:
        now = NOW + timedelta(days=day)
        held = fresh(uow, memory)
        add_day(uow, held, now, what)
        counted = {"mentions": held.mentions + 1} if what == "mention" else {"uses": held.uses + 1}
        store.change(uow, held, now=now, cause=CAUSE, accessed_at=now, **counted)
