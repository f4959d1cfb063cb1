"""Who gets a slot: lessons whose cue was said, then the best; the same statement once; within slots and tokens."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from memory.analysis import content_terms, words
from memory.domain import Memory
from memory.function_words import TELLING
from memory.recall.values import LeftOut, Parts, Recall, Recalled, Why


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with its score; ``relevant`` says whether it passed the floor."""

    memory: Memory
    parts: Parts
    relevant: bool

    @property
    def rank(self) -> tuple[float, str]:
        """Sorts best first; equal ones the newest first."""
        return (-self.parts.score, "".join(chr(0x10FFFF - ord(sign)) for sign in self.memory.id))


def select(judged: Iterable[Judged], *, limit: int, token_budget: int, count_tokens: Callable[[str], int]) -> Recall:
    """Give the best within ``limit`` memories and ``token_budget`` tokens, best first, and why the rest was left out."""
    ranked = sorted(judged, key=lambda one: one.rank)
    chosen: list[Judged] = []
    left: list[tuple[Judged, Why]] = []
    said: set[Hashable] = set()
    room = token_budget
    for one in sorted(ranked, key=lambda one: not one.parts.fired):  # stable: fired ones first, each part by rank
        size = count_tokens(one.memory.text)
        why = _obstacle(one, said, full=len(chosen) >= limit, too_big=size > room)
        if why is not None:
            left.append((one, why))
            continue
        chosen.append(one)
        said.add(_gist(one.memory))
        room -= size
    return Recall(
        tuple(Recalled(one.memory, one.parts) for one in sorted(chosen, key=lambda one: one.rank)),
        tuple(LeftOut(one.memory.id, one.parts, why) for one, why in sorted(left, key=lambda pair: pair[0].rank)),
    )


def _obstacle(one: Judged, said: set[Hashable], *, full: bool, too_big: bool) -> Why | None:
    if not one.relevant and not one.parts.fired:
        return Why.IRRELEVANT
    if _gist(one.memory) in said:
        return Why.SAME
    if full:
        return Why.NO_SLOT
    return Why.NO_ROOM if too_big else None


def _gist(memory: Memory) -> Hashable:
    """Give what two statements must share to be the same: content words, negations, persons, and whom they are about.

    Numbers and names are content, so another telephone number is another statement.
    """
    telling = frozenset(word for word in words(memory.text) if word in TELLING)
    content = frozenset(content_terms(memory.text)) or memory.text
    return (content, telling, (memory.subject or "").casefold())
