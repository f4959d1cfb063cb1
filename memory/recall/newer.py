"""Of two statements of one matter that answer as well, the newer first, and no older one without it.

A change that nobody noticed leaves the former value beside the present one: "the tent is in the cellar", "… in the car boot".
To a question about the tent both say as much, and the difference between two cosines tells nothing about which holds now.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from memory import policy
from memory.calendar_names import tells_of_the_past
from memory.domain import Memory, MemoryId, Trust
from memory.lexicon import function_words
from memory.recall.judged import Judged
from memory.recall.past import asks_about_the_past
from memory.recall.values import Why
from memory.variants import is_variant

_MISSED = (Why.IRRELEVANT, Why.CHANCE)
_TRUST = list(Trust)


@dataclass(frozen=True, slots=True)
class _Aged:
    """A candidate as it is compared, made once: a question compares hundreds of pairs."""

    one: Judged
    matter: tuple[str, str, int | None]
    said: datetime
    last_said: datetime  # or used since it was repeated
    terms: frozenset[str]
    telling: frozenset[str]  # of the terms, without small words


def with_later(judged: Sequence[Judged]) -> list[Judged]:
    """Give what is ``judged``; of a matter whose earlier statement is wanted what was said later is wanted too."""
    best = sorted((one for one in judged if one.wanted), key=lambda one: -one.parts.score)[: policy.RECALL_LIMIT]
    wanted = list(map(_aged, best))
    return [replace(one, relevant=True) if _is_missed(one, wanted) else one for one in judged]


def _is_missed(one: Judged, wanted: Sequence[_Aged]) -> bool:
    if one.wanted or one.why not in _MISSED or not one.parts.terms:
        return False
    missed = _aged(one)
    return any(_overtakes(missed, other) for other in wanted)


def newer_first(ranked: Sequence[Judged]) -> list[Judged]:
    """Give what is ``ranked``, best first, with each statement moved before the first older one that it stands beside.

    Only those near the top are compared: who stands far down gets no slot.
    """
    compared = [_aged(one) for one in ranked if one.wanted][: policy.COMPARED_FOR_AGE]
    placed: list[_Aged] = []
    newer: set[MemoryId] = set()
    for one in compared:
        before = next((at for at, other in enumerate(placed) if _overtakes(one, other)), len(placed))
        if before < len(placed):
            newer.add(one.one.memory.id)
        placed.insert(before, one)
    inside = {one.one.memory.id for one in placed}
    moved = [_as_newer(one.one) if one.one.memory.id in newer else one.one for one in placed]
    return [*moved, *(one for one in ranked if one.memory.id not in inside)]


def is_later(one: Memory, other: Memory) -> bool:
    """Say whether ``one`` was said later of the same matter, by the same voice and of how it is now.

    What a person said once more stands from then on, and what is pinned stands.
    """
    return (
        _matter(one) == _matter(other)
        and _said(one) > _last_said(other)
        and _TRUST.index(one.trust) <= _TRUST.index(other.trust)
        and not other.pinned
        and is_variant(one.text, other.text)
        and (not _was(one.text) or _was(other.text))
    )


def holds_as_much(mine: Collection[str], its: Collection[str]) -> bool:
    """Say whether what one shares with the question is all that another shares, small words aside."""
    return set(its) - function_words() <= set(mine)


def _overtakes(one: _Aged, other: _Aged) -> bool:
    """Say whether ``one`` was said later of the same matter, and answers as well; what tells most comes first."""
    return (
        one.said > other.last_said
        and one.matter == other.matter
        and other.one.parts.evidence - one.one.parts.evidence <= policy.AS_GOOD_WITHIN
        and bool(other.terms)
        and other.telling <= one.terms
        and is_later(one.one.memory, other.one.memory)
    )


def _aged(one: Judged) -> _Aged:
    memory, terms = one.memory, frozenset(one.parts.terms)
    return _Aged(one, _matter(memory), _said(memory), _last_said(memory), terms, terms - function_words())


def _as_newer(one: Judged) -> Judged:
    return replace(one, parts=replace(one.parts, newer=True))


def _matter(memory: Memory) -> tuple[str, str, int | None]:
    return memory.scope, (memory.subject or "").casefold(), memory.speaker_id


def _said(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at


def _last_said(memory: Memory) -> datetime:
    return memory.accessed_at if memory.mentions else _said(memory)


@lru_cache(maxsize=4_096)
def _was(text: str) -> bool:
    """Say whether a statement tells how it was before: "my old number", "worked at", "until May"."""
    return asks_about_the_past(text) or tells_of_the_past(text)
