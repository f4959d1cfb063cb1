"""Of two statements of one matter that answer as well, the newer first.

A change that nobody noticed leaves the former value beside the present one: "the tent is in the cellar", "… in the car boot".
To a question about the tent both say as much, and the difference between two cosines tells nothing about which holds now.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memory import policy
from memory.domain import Memory
from memory.recall.judged import Judged
from memory.statements import content_overlap


def newer_first(ranked: Sequence[Judged]) -> list[Judged]:
    """Give what is ``ranked``, best first, with each statement moved before the first older one that it stands beside."""
    placed: list[Judged] = []
    for one in ranked:
        before = _place_before_older(one, placed) if one.wanted else None
        if before is None:
            placed.append(one)
        else:
            placed.insert(before, replace(one, parts=replace(one.parts, newer=True)))
    return placed


def _place_before_older(one: Judged, placed: Sequence[Judged]) -> int | None:
    return next((at for at, other in enumerate(placed) if other.wanted and _is_later(one, other)), None)


def _is_later(one: Judged, other: Judged) -> bool:
    """Say whether ``one`` was said later of the same matter, and answers as well."""
    return (
        _said(one.memory) > _said(other.memory)
        and _about(one.memory) == _about(other.memory)
        and bool(other.parts.terms)
        and set(other.parts.terms) <= set(one.parts.terms)
        and other.parts.evidence - one.parts.evidence <= policy.AS_GOOD_WITHIN
        and content_overlap(one.memory.text, other.memory.text) >= policy.AS_GOOD_OVERLAP
    )


def _said(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at


def _about(memory: Memory) -> tuple[str, str]:
    return memory.scope, (memory.subject or "").casefold()
