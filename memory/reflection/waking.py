"""What a person's saying it again brings back: an archived memory wakes, a quarantined claim is confirmed.

Both keep their row, and with it their versions, days and sources. Only own words come here; what somebody passes on a
second time confirms nothing.
"""

from datetime import datetime
from typing import Any

from memory import lexical, store
from memory.analysis import tokens
from memory.domain import AgentSlug, Layer, Memory, Status
from memory.folding import fold, words
from memory.lifecycle.archive import RESURRECT
from memory.reflection.operations import NewMemory
from memory.reflection.rules import about_the_same, entry_layer, weightier
from memory.sameness import same_statement
from memory.statements import normalise
from memory.unit_of_work import UnitOfWork

CONFIRM = "CONFIRM"
"""A person said themselves what was only a claim."""

ASLEEP = (Status.ARCHIVED, Status.QUARANTINED)
"""What comes back; of two that say the same the archived one, which has a history."""

LOOKED_AT = 20
"""Hits of the index that are compared: what has the same content is among the best of them."""


def asleep(uow: UnitOfWork, agent: AgentSlug, new: NewMemory) -> Memory | None:
    """Give the archived or quarantined memory of the same scope and subject that states ``new`` already."""
    literal = store.find_text(uow, agent, new.scope, normalise(new.text), ASLEEP)
    found = lexical.search(uow.connection, agent, (new.scope,), tokens(new.text), ASLEEP, LOOKED_AT)
    near = store.with_scores(uow, agent, new.scope, [(hit.pk, hit.bm25) for hit in found.hits])
    same = [memory for memory, _ in near if same_statement(memory.text, new.text)]
    fitting = [memory for memory in (*literal, *same) if _fits(memory, new)]
    return min(fitting, key=lambda memory: ASLEEP.index(memory.status), default=None)


def operation(held: Memory) -> str:
    """Give the journal's verb for bringing ``held`` back."""
    return RESURRECT if held.status is Status.ARCHIVED else CONFIRM


def woken(held: Memory, new: NewMemory | None, now: datetime) -> dict[str, Any]:
    """Give the fields of a memory that a person said again; a confirmed claim becomes that person's word.

    The text stays as it is: it states the same. Without ``new`` only an archived one can be meant.
    """
    over = held.expires_at is not None and held.expires_at <= now
    fields = weightier(held, now) | {"status": Status.ACTIVE, "valid_to": None}
    fields["subject"] = held.subject or (new.subject if new else None)
    fields["expires_at"] = (new.expires_at if new else None) or (None if over else held.expires_at)
    if held.status is Status.ARCHIVED or new is None:
        return fields | awake(held)
    word = {"trust": new.trust, "speaker": new.speaker, "speaker_id": new.speaker_id}
    importance = max(fields["importance"], new.importance)
    return fields | word | {"importance": importance, "layer": max(held.layer, entry_layer(new), key=_LAYERS.index)}


def awake(held: Memory) -> dict[str, Any]:
    """Give the fields that a memory gets beside new words: an archived one wakes with them."""
    return {"status": Status.ACTIVE, "layer": Layer.WORKING} if held.status is Status.ARCHIVED else {}


def meant(held: Memory, new: NewMemory) -> bool:
    """Say whether the same words are about the same: the subject is the same, was open, or is named in them.

    A wish to remember something knows no subject but its speaker.
    """
    if about_the_same(held, new) or held.subject is None:
        return True
    if fold(held.subject) == fold(new.subject or ""):  # namesakes
        return False
    return {word.folded for word in words(held.subject)} <= {word.folded for word in words(new.text)}


def _fits(held: Memory, new: NewMemory) -> bool:
    """Say whether a row still is what it was found as, and is what is said now."""
    return held.status in ASLEEP and held.scope == new.scope and meant(held, new)


_LAYERS = list(Layer)
