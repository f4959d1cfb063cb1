"""The write of a merge: one new row that inherits, and inputs that stand behind it. The journal groups it for undo."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select
from ulid import ULID

from memory import attachments, store
from memory.domain import Actor, Kind, Layer, Memory, MemoryId, Status, Trust
from memory.entries import Cause
from memory.matrix import Vector
from memory.reflection.authority import is_same_person
from memory.reflection.operations import NewMemory
from memory.steps import Engine
from memory.tables import memory_days, memory_triggers
from memory.triggers.wording import fit_phrases
from memory.unit_of_work import UnitOfWork

MERGE, SUPERSEDE = "MERGE", "SUPERSEDE"
GROUP = "hygiene:"
"""How the turn key of hygiene begins: its entries are taken back together."""

_LAYERS, _TRUSTS = list(Layer), list(Trust)
_LASTING_FIRST = (Kind.LESSON, Kind.PROCEDURAL, Kind.SEMANTIC, Kind.EPISODIC)


def join(
    uow: UnitOfWork,
    engine: Engine,
    inputs: Sequence[Memory],
    text: str,
    *,
    now: datetime,
    superseded: frozenset[MemoryId] = frozenset(),
    vector: Vector | None = None,
    reason: str = "they say the same",
) -> Memory:
    """Store ``text`` in the place of ``inputs``; those named ``superseded`` were replaced by the newer ones.

    The result keeps all sources, cues and days, the highest importance and layer, the sum of mentions and uses, and the
    weakest trust.
    """
    group = f"{GROUP}{ULID.from_datetime(now)}"
    new = _result(uow, inputs, text, superseded)
    digest = engine.digest if vector is not None else None
    written = store.insert(
        uow,
        new,
        agent=engine.agent,
        now=now,
        cause=Cause(MERGE, Actor.HYGIENE, reason, turn_key=group),
        layer=max((memory.layer for memory in inputs), key=_LAYERS.index),
        vector=vector if digest is not None else None,
        digest=digest,
        index=engine.index,
        days=_days(uow, inputs),
        **_inherited(inputs, superseded),
    )
    for memory in inputs:
        over: dict[str, Any] = {"valid_to": now} if memory.id in superseded else {}
        cause = Cause(SUPERSEDE, Actor.HYGIENE, f"merged: {reason}", turn_key=group)
        behind = over | {"status": Status.SUPERSEDED, "superseded_by": written.memory.id}
        store.change(uow, memory, now=now, cause=cause, index=engine.index, **behind)
    return written.memory


def phrases_of_result(uow: UnitOfWork, inputs: Sequence[Memory]) -> tuple[str, ...]:
    """Give the cue phrases that `join` would give its result, which have no vector yet; only reads."""
    return fit_phrases(_cues(uow, inputs)[0])


def _result(uow: UnitOfWork, inputs: Sequence[Memory], text: str, superseded: frozenset[MemoryId]) -> NewMemory:
    phrases, tools = _cues(uow, inputs)
    voice = _voice([memory for memory in inputs if memory.id not in superseded])
    return NewMemory(
        scope=inputs[0].scope,
        text=text,
        kind=min((memory.kind for memory in inputs), key=_LASTING_FIRST.index),
        importance=max(memory.importance for memory in inputs),
        subject=inputs[-1].subject,
        speaker=voice.speaker,
        speaker_id=voice.speaker_id,
        trust=max((memory.trust for memory in inputs), key=_TRUSTS.index),
        expires_at=inputs[0].expires_at,
        triggers=phrases,
        tools=tools,
        sources=tuple(
            (source.message_id, source.start, source.end)
            for memory in inputs
            for source in attachments.sources_of(uow, memory.id)
        ),
    )


def _voice(staying: Sequence[Memory]) -> Memory:
    """Give whose word the result is: the weakest one's; of equal ones whom it is about, then the newest."""
    weakest = max(_TRUSTS.index(memory.trust) for memory in staying)
    among = [memory for memory in staying if _TRUSTS.index(memory.trust) == weakest]
    own = [memory for memory in among if is_same_person(memory.subject, memory.speaker)]
    return max(own or among, key=lambda memory: (memory.created_at, memory.id))


def _inherited(inputs: Sequence[Memory], superseded: frozenset[MemoryId]) -> dict[str, Any]:
    """Give the columns that come from the inputs; what replaced something is valid since it was said."""
    staying = [memory for memory in inputs if memory.id not in superseded]
    return {
        "mentions": sum(memory.mentions for memory in inputs),
        "uses": sum(memory.uses for memory in inputs),
        "accessed_at": max(memory.accessed_at for memory in inputs),
        "valid_from": min(memory.valid_from or memory.created_at for memory in staying),
        "weighed_at": max((m.weighed_at for m in inputs if m.weighed_at is not None), default=None),
    }


def _cues(uow: UnitOfWork, inputs: Iterable[Memory]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    t = memory_triggers.c
    query = select(t.phrase, t.what).where(t.memory_id.in_([memory.id for memory in inputs])).order_by(t.phrase)
    found = list(uow.connection.execute(query))
    phrases, tools = ([row.phrase for row in found if row.what == what] for what in ("phrase", "tool"))
    return tuple(dict.fromkeys(phrases)), tuple(dict.fromkeys(tools))


def _days(uow: UnitOfWork, inputs: Iterable[Memory]) -> tuple[tuple[Any, str], ...]:
    d = memory_days.c
    query = select(d.day, d.what).where(d.memory_id.in_([memory.id for memory in inputs])).distinct()
    return tuple((row.day, row.what) for row in uow.connection.execute(query))
