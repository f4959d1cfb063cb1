"""Phantoms: statements that no person's word bears any more, or never did.

They are kept aside, looked at once more by a model that sees nothing else, and dropped when nobody confirms them. Only a
person brings one back, by saying it (`reflection.application`).
"""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import json_repair
from sqlalchemy import bindparam, text
from ulid import ULID

from memory import store, verdicts
from memory.changes import as_array
from memory.columns import UtcDateTime
from memory.domain import Actor, Memory, MemoryId, Role, Scope, Status, Trust
from memory.entries import Cause
from memory.lifecycle.moves import Move
from memory.lived import days_lived, lived_hours
from memory.policy import QUARANTINE_DAYS
from memory.rows import by_pk
from memory.steps import BATCH, Engine
from memory.transcript import FORGOTTEN
from memory.unit_of_work import UnitOfWork

QUARANTINE = "QUARANTINE"
DROP = "DROP"

GONE = "the words it rests on were erased"
ASSISTANTS = "only the assistant said it"
UNCONFIRMED = "nobody confirmed it"
SECOND_LOOK = "the second look found nothing in it"

_DOUBTED = """
m.status = 'active' AND m.pinned = 0 AND (m.trust = 'assistant' OR (
    EXISTS (SELECT 1 FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id WHERE s.memory_id = m.id)
    AND NOT EXISTS (
        SELECT 1 FROM memory_sources AS s JOIN messages AS g ON g.id = s.message_id
        WHERE s.memory_id = m.id AND g.role = 'user' AND trim(g.text) != :forgotten)))
"""
_DUE = text(f"""
SELECT m.pk FROM memories AS m
WHERE m.agent_slug = :agent AND m.pk > :after AND (({_DOUBTED})
    OR (m.status = 'quarantined' AND m.pinned = 0 AND m.updated_at <= :before))
ORDER BY m.pk LIMIT :limit
""").bindparams(bindparam("before", type_=UtcDateTime))  # noqa: S608 - no value is written into it
_SUSPECTS = """
SELECT m.pk FROM memories AS m
LEFT JOIN memory_verdicts AS v
    ON v.question = 'phantom' AND v.one = m.id AND v.other = m.id AND v.one_stamp = m.revision
WHERE m.agent_slug = :agent AND m.status = 'quarantined' AND m.pinned = 0 AND v.one IS NULL AND NOT EXISTS (
    SELECT 1 FROM operations AS o WHERE o.memory_id = m.id AND o.operation = :drop AND o.undone_at IS NOT NULL)
ORDER BY m.pk LIMIT :limit
"""
_SOURCES = """
SELECT s.memory_id, g.role, g.text FROM json_each(:ids) AS wanted
CROSS JOIN memory_sources AS s ON s.memory_id = wanted.value LEFT JOIN messages AS g ON g.id = s.message_id
"""


class Bearing(StrEnum):
    """What has become of a message that a memory rests on."""

    PERSON = "person"  # a person's words, still there
    ASSISTANT = "assistant"
    ERASED = "erased"  # a person had its words forgotten
    TRIMMED = "trimmed"  # kept no longer; what it said still holds


class Answer(StrEnum):
    """What the second look says."""

    DROP = "drop"
    LEAVE = "leave"


def doubt(memory: Memory, bearings: Iterable[Bearing]) -> str | None:
    """Say why an active memory is a phantom; None when it is none.

    Without any source it is one only where it has the assistant's trust: `/remember` by hand leaves none either. What
    retention trimmed was said, so it stands against "erased"; it says nothing against "only the assistant's".
    """
    if memory.pinned:
        return None
    rests_on = set(bearings)
    if memory.trust is Trust.ASSISTANT:
        return ASSISTANTS
    if Bearing.PERSON in rests_on:
        return None
    if Bearing.ASSISTANT in rests_on:
        return ASSISTANTS
    return GONE if rests_on == {Bearing.ERASED} else None


def has_waited(memory: Memory, lived_days_waited: float) -> bool:
    """Say whether a quarantined memory had its time; ``lived_days_waited`` are days on which somebody spoke there."""
    return not memory.pinned and lived_days_waited >= QUARANTINE_DAYS


def due(
    uow: UnitOfWork, engine: Engine, *, now: datetime, limit: int = BATCH, after: int = 0
) -> tuple[tuple[Move, ...], int | None]:
    """Give the moves due among the next ``limit`` suspects behind row ``after``, and where to go on (None at the end)."""
    before = now - timedelta(days=QUARANTINE_DAYS)  # lived days are never more than plain ones
    given = {"agent": engine.agent, "after": after, "limit": limit, "before": before, "forgotten": FORGOTTEN}
    pks = list(uow.connection.scalars(_DUE, given))
    held = [memory for _, memory in sorted(by_pk(uow.connection, pks).items())]
    bearings = _bearings(uow, held)
    days: dict[Scope, Any] = {}
    moves = (_move(uow, memory, bearings.get(memory.id, ()), days, now) for memory in held)
    return tuple(move for move in moves if move is not None), pks[-1] if len(pks) == limit else None


def suspects(uow: UnitOfWork, engine: Engine, *, limit: int) -> tuple[Memory, ...]:
    """Give quarantined memories that the model was not asked about as they are now, oldest first.

    What a person took back from a drop is not asked about again.
    """
    given = {"agent": engine.agent, "drop": DROP, "limit": limit}
    pks = list(uow.connection.scalars(text(_SUSPECTS), given))
    return tuple(memory for _, memory in sorted(by_pk(uow.connection, pks).items()))


def question(memory: Memory) -> str:
    """Give what the model is asked about one memory: itself as a line of JSON, nothing of the conversation."""
    shown = {"id": "m1", "text": _line(memory.text), "about": memory.subject, "said_by": memory.speaker}
    known = {name: _line(value) for name, value in shown.items() if value}
    return json.dumps(known | {"noted": memory.created_at.date().isoformat()}, ensure_ascii=False)


def read(raw: str) -> Answer:
    """Read the model's answer; whatever is not clearly a drop leaves the memory where it is."""
    try:  # the library raises ValueError too, where brackets nest too deep
        answer = json_repair.loads(raw[:2000]) if raw.strip() else None
        said = answer.get("verdict") if isinstance(answer, dict) else None
        return Answer(str(said).strip().lower())
    except (ValueError, RecursionError):
        return Answer.LEAVE


def settle(uow: UnitOfWork, engine: Engine, memory: Memory, answer: Answer, *, now: datetime) -> bool:
    """Drop a quarantined memory, or remember that it may stay; say whether it was dropped.

    One that changed since it was shown stays as it is, and is asked about again.
    """
    held = store.get(uow, engine.agent, memory.scope, memory.id)
    if held is None or held.status is not Status.QUARANTINED or held.revision != memory.revision or held.pinned:
        return False
    if answer is Answer.LEAVE:
        verdicts.keep(uow, verdicts.Question.PHANTOM, held, None, verdicts.NO, now=now)
        return False
    cause = Cause(DROP, Actor.HYGIENE, SECOND_LOOK, turn_key=f"hygiene:{ULID.from_datetime(now)}")
    store.change(uow, held, now=now, cause=cause, index=engine.index, **_dropped(now))
    return True


# --- inside


def _move(
    uow: UnitOfWork, memory: Memory, bearings: Iterable[Bearing], days: dict[Scope, Any], now: datetime
) -> Move | None:
    if memory.status is Status.QUARANTINED:
        if memory.scope not in days:
            days[memory.scope] = days_lived(uow, memory.agent_slug, memory.scope)
        waited = lived_hours(memory.updated_at, now, days[memory.scope]) / 24
        return Move(memory, DROP, UNCONFIRMED, _dropped(now)) if has_waited(memory, waited) else None
    why = doubt(memory, bearings)
    return None if why is None else Move(memory, QUARANTINE, why, {"status": Status.QUARANTINED})


def _bearings(uow: UnitOfWork, held: Iterable[Memory]) -> dict[MemoryId, list[Bearing]]:
    found: dict[MemoryId, list[Bearing]] = {}
    for memory_id, role, said in uow.connection.execute(text(_SOURCES), {"ids": as_array([m.id for m in held])}):
        found.setdefault(memory_id, []).append(_bearing(role, said))
    return found


def _bearing(role: str | None, said: str | None) -> Bearing:
    if role is None or said is None:
        return Bearing.TRIMMED
    if said.strip() == FORGOTTEN:
        return Bearing.ERASED
    return Bearing.PERSON if role == Role.USER else Bearing.ASSISTANT


def _dropped(now: datetime) -> dict[str, Any]:
    return {"status": Status.SUPERSEDED, "valid_to": now}


def _line(said: str) -> str:
    return " ".join(said.split())
