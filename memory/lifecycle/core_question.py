"""Is it who somebody is, or a standing rule of theirs? The whitelist by which a model lets memories into the core.

The default is no. An answer is remembered, and asked for again only after new evidence.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice

import json_repair
from sqlalchemy import and_, func, select

from memory import policy, store, verdicts
from memory.domain import Layer, Memory, MemoryId, Status
from memory.lifecycle.moves import PROMOTE, Move, carry_out
from memory.lifecycle.promotion import Evidence, evidence_of, may_be_core
from memory.rows import COLUMNS, memory_from_row
from memory.steps import BATCH, Engine
from memory.tables import memories, memory_verdicts
from memory.unit_of_work import UnitOfWork
from memory.verdicts import NO, Question

STANDING = "who somebody is or a standing rule, says the model"

_TELLING = 5
"""Of so many statements and more, most are not for the core."""


def candidates(uow: UnitOfWork, engine: Engine, *, now: datetime, limit: int = BATCH) -> tuple[Memory, ...]:
    """Give the memories of working to ask about: what matters, a lived day old, not answered at this evidence.

    What would have to leave the core straight away, contradicted or long unused, is not asked about.
    """
    return tuple(islice(_ripe(uow, engine, now), limit))


def _ripe(uow: UnitOfWork, engine: Engine, now: datetime) -> Iterator[Memory]:
    after: int | None = 0
    while after is not None:
        found, after = page(uow, engine, now=now, after=after)
        yield from found


def page(uow: UnitOfWork, engine: Engine, *, now: datetime, after: int = 0) -> tuple[tuple[Memory, ...], int | None]:
    """Give the candidates among the next rows after row ``after``, and the row to go on after; None at the end."""
    found = _unanswered(uow, engine, now, after)
    evidence = evidence_of(uow, engine, list(found.values()), now)
    ripe = tuple(memory for memory in found.values() if _is_ripe(evidence[memory.id]))
    return ripe, max(found) if len(found) == BATCH else None


def _is_ripe(known: Evidence) -> bool:
    return known.age_hours >= policy.LASTING_HOURS and may_be_core(known)


def _unanswered(uow: UnitOfWork, engine: Engine, now: datetime, after: int) -> dict[int, Memory]:
    """Give the next memories after row ``after`` that fit by their columns, by row number."""
    m, v = memories.c, memory_verdicts.c
    held = and_(v.question == Question.CORE, v.one == m.id, v.other == m.id)
    answered = and_(held, v.one_stamp == m.mentions + m.uses, v.at >= func.coalesce(m.valid_from, m.created_at))
    query = select(m.pk, *COLUMNS).outerjoin(memory_verdicts, answered).where(
        m.agent_slug == engine.agent,
        m.status == Status.ACTIVE,
        m.layer == Layer.WORKING,
        m.importance >= policy.CORE_IMPORTANCE,
        m.created_at <= now - timedelta(hours=policy.LASTING_HOURS),
        m.expires_at.is_(None),
        m.pinned.is_(False),
        v.one.is_(None),
        m.pk > after,
    )  # fmt: skip
    rows = uow.connection.execute(query.order_by(m.pk).limit(BATCH))
    return {row.pk: memory_from_row(row) for row in rows}


def question(asked: Sequence[Memory]) -> str:
    """Give what the model is asked: one memory a line, under short aliases."""
    return "\n".join(f"m{n}: {_line(memory)}" for n, memory in enumerate(asked, 1))


def read(raw: str, asked: Sequence[Memory]) -> dict[MemoryId, bool] | None:
    """Read which aliases the model lists under ``core``; all others are no.

    None where no list can be read, or where it tells nothing: a small model lets nearly everything in.
    """
    try:  # the library raises ValueError too, where brackets nest too deep
        answer = json_repair.loads(raw[:4000]) if raw.strip() else None
    except (ValueError, RecursionError):
        return None
    listed = answer.get("core") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        return None
    named = {alias.strip().lower() for alias in listed if isinstance(alias, str)}
    answers = {memory.id: f"m{n}" in named for n, memory in enumerate(asked, 1)}
    return None if len(asked) >= _TELLING and 2 * sum(answers.values()) > len(asked) else answers


def settle(
    uow: UnitOfWork, engine: Engine, answers: Mapping[MemoryId, bool], asked: Sequence[Memory], *, now: datetime
) -> int:
    """Promote what the model lets in, remember the rest; give how many were promoted. What changed meanwhile is left."""
    admitted = [memory for memory in asked if answers.get(memory.id, False)]
    for memory in (m for m in asked if m not in admitted):
        if store.get(uow, engine.agent, memory.scope, memory.id) == memory:
            verdicts.keep(uow, Question.CORE, memory, None, NO, now=now)
    moves = (Move(memory, PROMOTE, STANDING, {"layer": Layer.CORE}) for memory in admitted)
    return carry_out(uow, engine, moves, now=now)


def _line(memory: Memory) -> str:
    about = f"about {memory.subject}: " if memory.subject else ""
    return " ".join(f"{about}{memory.text}".split())
