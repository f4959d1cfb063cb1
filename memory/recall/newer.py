"""Of two statements of one matter that answer as well, the newer first, and no older one without it.

A change that nobody noticed leaves the former value beside the present one: "the tent is in the cellar", "… in the car boot".
To a question about the tent both say as much, and the difference between two cosines tells nothing about which holds now.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from memory import policy
from memory.domain import Memory
from memory.lexicon import function_words
from memory.recall.judged import Judged
from memory.recall.values import Why
from memory.variants import is_variant


def with_later(judged: Sequence[Judged]) -> list[Judged]:
    """Give what is ``judged``; of a matter whose earlier statement is wanted what was said later is wanted too."""
    wanted = [one for one in judged if one.wanted]
    return [replace(one, relevant=True) if _is_missed(one, wanted) else one for one in judged]


def _is_missed(one: Judged, wanted: Sequence[Judged]) -> bool:
    below = not one.wanted and one.why is Why.IRRELEVANT
    return below and any(_overtakes(one, other) for other in wanted)


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


def is_later(one: Memory, other: Memory) -> bool:
    """Say whether ``one`` was said later of the same matter."""
    return (
        one.scope == other.scope
        and (one.subject or "").casefold() == (other.subject or "").casefold()
        and _said(one) > _said(other)
        and is_variant(one.text, other.text)
    )


def _place_before_older(one: Judged, placed: Sequence[Judged]) -> int | None:
    return next((at for at, other in enumerate(placed) if other.wanted and _overtakes(one, other)), None)


def _overtakes(one: Judged, other: Judged) -> bool:
    """Say whether ``one`` was said later of the same matter, and answers as well."""
    mine, its = one.parts, other.parts
    as_well = bool(its.terms) and its.evidence - mine.evidence <= policy.AS_GOOD_WITHIN
    return as_well and holds_as_much(mine.terms, its.terms) and is_later(one.memory, other.memory)


def holds_as_much(mine: Collection[str], its: Collection[str]) -> bool:
    """Say whether what one shares with the question is all that another shares, small words aside."""
    return set(its) - function_words() <= set(mine)


def _said(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at
