"""Which held memory lies so near to a new statement that the two are worth comparing."""

from collections.abc import Collection, Mapping
from typing import Any

from memory import lexical, store
from memory.analysis import tokens
from memory.domain import GLOBAL, AgentSlug, Layer, Memory, MemoryId, Status
from memory.policy import SAME_MATTER, WOKEN_IMPORTANCE
from memory.reflection.authority import may_change
from memory.reflection.neighbours import Pair
from memory.reflection.operations import Brief, Judgement, NewMemory
from memory.statements import content_overlap, content_words
from memory.unit_of_work import UnitOfWork
from memory.vectors import VectorIndex

_LOOKED_AT = 5
"""The nearest may be taken, of another subject, or passing talk asleep: so many are looked at for each statement."""


def near_pairs(
    uow: UnitOfWork,
    agent: AgentSlug,
    index: VectorIndex | None,
    brief: Brief,
    judgement: Judgement,
    vectors: Mapping[int, Any],
    *,
    near_from: float,
) -> tuple[Pair, ...]:
    """Pair accepted additions with the held memory nearest to each: by meaning from ``near_from`` (cosine) on, or by its words.

    "The tent is in the cellar" and "… in the car boot" lie too far apart for an embedder, and texts it cannot read all alike:
    of what mattered, one that shares half of the shorter text's content is as near. ``vectors`` holds the additions' vectors by the place of their verdict. A memory is in one pair at most.
    """
    if index is None:
        return ()
    taken = {verdict.target.id for verdict in judgement.verdicts if verdict.target is not None}
    pairs: list[Pair] = []
    for place, vector in vectors.items():
        new = judgement.verdicts[place].new
        if new is None or new.scope == GLOBAL:
            continue
        hits = index.search(uow.connection, agent, (new.scope,), vector, limit=_LOOKED_AT, statuses=_STANDING)
        near = [memory for memory, cosine in store.with_scores(uow, agent, new.scope, hits) if cosine >= near_from]
        alike = _alike(uow, agent, new)
        neighbour = next((memory for memory in (*near, *alike) if _fits(memory, new, brief, taken)), None)
        if neighbour is not None:
            pairs.append(Pair(place, new.text, neighbour))
            taken.add(neighbour.id)  # one memory cannot become two
    return tuple(pairs)


def _alike(uow: UnitOfWork, agent: AgentSlug, new: NewMemory) -> list[Memory]:
    found = lexical.search(uow.connection, agent, (new.scope,), tokens(new.text), _STANDING, _LOOKED_AT)
    held = store.with_scores(uow, agent, new.scope, [(hit.pk, hit.bm25) for hit in found.hits])
    return [memory for memory, _ in held if _mattered(memory) and _is_alike(memory.text, new.text)]


def _is_alike(one: str, other: str) -> bool:
    """Say whether two texts begin alike and share half: "the wine is in the cellar" is no change of where the tent is."""
    same_head = content_words(one)[:1] == content_words(other)[:1]
    return same_head and content_overlap(one, other) >= SAME_MATTER


def _fits(memory: Memory, new: NewMemory, brief: Brief, taken: Collection[MemoryId]) -> bool:
    fits = _stands(memory) and _same_subject(memory.subject, new.subject) and memory.id not in taken
    return fits and (brief.private or may_change(memory, new))


def _stands(memory: Memory) -> bool:
    """Say whether a change may be about it: what mattered stays true while it sleeps, passing talk is over."""
    return memory.status is Status.ACTIVE or _mattered(memory)


def _mattered(memory: Memory) -> bool:
    return memory.layer is not Layer.BUFFER or memory.importance >= WOKEN_IMPORTANCE


_STANDING = (Status.ACTIVE, Status.ARCHIVED)


def _same_subject(one: str | None, other: str | None) -> bool:
    return (one or "").casefold() == (other or "").casefold()
