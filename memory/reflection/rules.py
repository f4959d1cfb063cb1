"""The rules by which a judged statement enters memory, replaces another, or weighs more: pure functions of values."""

from datetime import datetime
from typing import Any

from memory.domain import Kind, Layer, Memory
from memory.hygiene.loss import is_kept
from memory.reflection.operations import NewMemory

WORKING_IMPORTANCE = 8
"""From here on a statement skips the buffer: a model that says 8 of 10 says that it matters for good."""
MENTIONS_A_POINT = 3
"""Every third repetition raises importance by one."""
MAX_IMPORTANCE = 10


def entry_layer(new: NewMemory) -> Layer:
    """Give the layer a statement starts in."""
    at_once = new.importance >= WORKING_IMPORTANCE or new.explicit or new.kind in {Kind.PROCEDURAL, Kind.LESSON}
    return Layer.WORKING if at_once else Layer.BUFFER


def about_the_same(memory: Memory, new: NewMemory) -> bool:
    """Say whether both are about one subject; namesakes that speak for themselves are told apart by account."""
    if _folded(memory.subject) != _folded(new.subject):
        return False
    of_themselves = _folded(memory.speaker) == _folded(memory.subject) and _folded(new.speaker) == _folded(new.subject)
    known = memory.speaker_id is not None and new.speaker_id is not None
    return memory.speaker_id == new.speaker_id if of_themselves and known else True


def reworded(fresh: Memory, new: NewMemory, now: datetime) -> dict[str, Any]:
    """Give the fields of a memory that says something else from now on; contradicted, it leaves the core."""
    over = fresh.expires_at is not None and fresh.expires_at <= now
    spoken = {"speaker": new.speaker, "speaker_id": new.speaker_id, "trust": new.trust}
    return {
        "text": new.text,
        "importance": max(fresh.importance, new.importance),
        "rated": None if new.explicit or fresh.rated is None else max(fresh.rated, new.rated or 1),
        "valid_from": now,
        "valid_to": None,
        "accessed_at": max(now, fresh.accessed_at),
        "expires_at": new.expires_at or (None if over else fresh.expires_at),
        **({"layer": Layer.WORKING} if _loses_the_core(fresh, new) or _comes_up_again(fresh, now) else {}),
        **(spoken if new.speaker is not None else {}),
    }


def _comes_up_again(fresh: Memory, now: datetime) -> bool:
    """Say whether a matter of the buffer comes up on a second day: that it changed is an occasion like any other."""
    return fresh.layer is Layer.BUFFER and now.date() > fresh.created_at.date()


def _loses_the_core(fresh: Memory, new: NewMemory) -> bool:
    """Say whether a core memory is replaced; what says the same and more has not been contradicted."""
    return fresh.layer is Layer.CORE and not fresh.pinned and not is_kept(fresh.text, new.text)


def weightier(fresh: Memory, now: datetime) -> dict[str, Any]:
    """Give the fields of a memory that a person said again."""
    mentions = fresh.mentions + 1
    point = 1 if mentions % MENTIONS_A_POINT == 0 else 0
    return {
        "mentions": mentions,
        "importance": min(MAX_IMPORTANCE, fresh.importance + point),
        "accessed_at": max(now, fresh.accessed_at),
    }


def _folded(name: str | None) -> str:
    return (name or "").casefold()
