"""Who may come up at all: nothing is a good answer, and importance, freshness and dates have no say here."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

from memory import policy


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory's evidence and the bar that the best of the question must clear, both 0-1."""

    evidence: float
    bar: float
    seen: bool  # by the embedder; what has no vector yet is judged among its own
    specific: bool = False
    asleep: bool = False
    alone: bool = False  # it opens the way for nothing but itself


def bar(floor: float, sight: float) -> float:
    """Give the bar for the evidence; the less the embedder reads, the more it is the words' own."""
    return sight * floor + (1 - sight) * policy.KEYWORD_FLOOR


def passed(standings: Sequence[Standing], *, asked: bool = True) -> list[bool]:
    """Say for each who may come up: none unless the best clears the bar, then all that reach a quarter of it.

    A specific hit always may, and what is ``asked`` may be answered by the one that stands out from all others. What sleeps
    opens the way for nothing but itself.
    """
    opened = {one.seen for one in standings if one.evidence >= one.bar and not (one.asleep or one.alone)}
    outstanding = _outstanding(standings) if asked else None
    return [one.specific or one is outstanding or _may_pass(one, opened=one.seen in opened) for one in standings]


def _may_pass(one: Standing, *, opened: bool) -> bool:
    if one.asleep or (one.alone and not opened):
        return one.evidence >= one.bar
    return opened and one.evidence >= policy.FLOOR_SHARE * one.bar


def _outstanding(standings: Sequence[Standing]) -> Standing | None:
    """Give the one with the best evidence, where it is well above the second and not far below the bar."""
    if len(standings) < 2:
        return None
    best, second = heapq.nlargest(2, standings, key=lambda one: one.evidence)
    near = not best.asleep and best.evidence >= policy.OUTSTANDING_SHARE * best.bar
    return best if near and best.evidence - second.evidence >= policy.OUTSTANDING_BY else None


def is_specific(mass: float, words: int, asked: float, content: int) -> bool:
    """Say whether words alone prove a hit: worth two that only it has, at least two, and half of what the memory says.

    Args:
        mass: information of the words held, without parts counted twice.
        words: how many those are.
        asked: the mass to reach (`keywords.Weighed.bar`).
        content: distinct content words of the memory.
    """
    return mass >= asked and words >= max(2.0, policy.SPECIFIC_SHARE * content)


def usual_floor(memories: int, usual: float = policy.USUAL_FLOOR) -> float:
    """Give the floor for a store of this size, by its size alone."""
    return policy.SMALL_FLOOR + grown(memories) * (usual - policy.SMALL_FLOOR)


def grown(memories: int) -> float:
    """Give how far a store is from small (0) to usual (1), by the logarithm of its size."""
    small, usual = policy.SMALL_STORE, policy.USUAL_STORE
    return min(1.0, math.log(memories / small) / math.log(usual / small)) if memories > small else 0.0
