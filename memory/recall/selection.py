"""Who gets a slot: lessons whose cue was said, then the best; the same statement once; within slots and tokens."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache

from memory import policy
from memory.analysis import content_terms, words
from memory.domain import MemoryId
from memory.function_words import TELLING
from memory.recall.judged import Judged
from memory.recall.newer import newer_first
from memory.recall.values import Former, LeftOut, Recall, Recalled, Why


def select(
    judged: Iterable[Judged],
    former: Mapping[MemoryId, tuple[Former, ...]] | None = None,
    *,
    limit: int,
    token_budget: int,
    count_tokens: Callable[[str], int],
    of_now: bool = True,
) -> Recall:
    """Give the best within ``limit`` memories and ``token_budget`` tokens, best first, and why the rest was left out.

    A memory brings what it replaced (``former``) along, and pays for it. Of what answers as well the newer comes first, unless
    the question is not ``of_now``.
    """
    behind = former or {}
    ranked = newer_first(_ranked(judged)) if of_now else _ranked(judged)
    taken = 0
    forced = _forced(ranked)
    reasons: dict[MemoryId, Why] = {}
    said: set[Hashable] = set()
    room = token_budget
    for one in sorted(ranked, key=lambda one: forced.get(one.memory.id, len(forced))):  # stable: the others by rank
        wanted = one.relevant or one.memory.id in forced
        texts = (one.memory.text, *(old.text for old in behind.get(one.memory.id, ())))
        size = 0 if taken >= limit or not wanted else sum(map(count_tokens, texts))
        why = _obstacle(one, said, wanted=wanted, full=taken >= limit, too_big=size > room)
        if why is not None:
            reasons[one.memory.id] = why
            continue
        taken += 1
        said.add(_gist(one.memory.text, one.memory.subject))
        room -= size
    return Recall(
        tuple(
            Recalled(one.memory, one.parts, behind.get(one.memory.id, ()))
            for one in ranked
            if one.memory.id not in reasons
        ),
        tuple(LeftOut(one.memory.id, one.parts, reasons[one.memory.id]) for one in ranked if one.memory.id in reasons),
    )


def _ranked(judged: Iterable[Judged]) -> list[Judged]:
    """Sort best first; of equal ones the newest first, since ids grow with time."""
    newest_first = sorted(judged, key=lambda one: one.memory.id, reverse=True)
    return sorted(newest_first, key=lambda one: -one.parts.score)


def _forced(ranked: Iterable[Judged]) -> dict[MemoryId, int]:
    """Give the lessons that have a slot whatever their score, the most exact cue first, each with its place."""
    fired = sorted((one for one in ranked if one.parts.fired), key=lambda one: -one.parts.exactness)
    return {one.memory.id: place for place, one in enumerate(fired[: policy.LESSONS_A_TURN])}


def _obstacle(one: Judged, said: set[Hashable], *, wanted: bool, full: bool, too_big: bool) -> Why | None:
    if not wanted:
        return Why.LESSONS if one.parts.fired else one.why
    if full:
        return Why.NO_SLOT
    if _gist(one.memory.text, one.memory.subject) in said:
        return Why.SAME
    return Why.NO_ROOM if too_big else None


@lru_cache(maxsize=4_096)
def _gist(text: str, subject: str | None) -> Hashable:
    """Give what two statements must share to be the same: content words, negations, persons, and whom they are about.

    Numbers and names are content, so another telephone number is another statement.
    """
    telling = frozenset(word for word in words(text) if word in TELLING)
    content = frozenset(content_terms(text)) or text
    return (content, telling, (subject or "").casefold())
