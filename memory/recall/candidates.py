"""What is looked at more closely: the best of each side, lessons whose cue was said, and from the cold what is named outright.

Scope, assistant and status are part of every query here; nothing that fails them is ever scored.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from sqlalchemy import Connection

from memory import lexical, policy
from memory.analysis import content_terms
from memory.changes import STATUS_CODES
from memory.domain import Memory, MemoryId, Status
from memory.recall import fusion
from memory.recall.cues import SILENT, Cue, fired_by
from memory.recall.gate import is_specific
from memory.recall.keywords import Weighed, weigh
from memory.recall.past import successor_of
from memory.recall.question import Question
from memory.rows import by_pk
from memory.vectors import Seen, VectorIndex

POOL = Status.ACTIVE
"""The only status that answers by itself."""

COLD = (Status.ARCHIVED, Status.SUPERSEDED)
"""What comes back, or brings up its successor, when it is named outright."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory with what each side knows of it.

    ``keywords`` is the share of the question that its words cover, 0-1; ``cued`` the same with the words of its cue; ``cold``
    what the archived or replaced statement that brought it covers.
    """

    memory: Memory
    bm25: float = 0.0
    keywords: float = 0.0
    terms: tuple[str, ...] = ()
    seen: Seen | None = None
    cue: Cue = SILENT
    specific: bool = False
    revived: bool = False
    stands_in: bool = False
    cold: float = 0.0
    cued: float = 0.0

    @property
    def fired(self) -> tuple[str, ...]:
        """Give the cue phrases that bring it up whatever else fits."""
        return (*self.cue.phrases, *self.cue.meant) if self.cue.forces else ()

    @property
    def is_awake(self) -> bool:
        """Say whether it has something to do with the question by itself."""
        return self.seen is not None or self.keywords > 0 or bool(self.fired)

    def relevance(self, sight: float, weight: float) -> float:
        """Give the relevance for a question of which the embedder reads ``sight``, its words counting ``weight``."""
        own = covered = max(self.keywords, self.cued)
        if self.seen is not None:
            own = fusion.relevance(self.seen.centred, self.seen.company, covered, sight, weight)
        return max(own, policy.COLD_DISCOUNT * self.cold)

    def evidence(self, sight: float) -> float:
        """Give the evidence that it answers the question; its cue is none, which forces what it may by itself."""
        return self.keywords if self.seen is None else fusion.evidence(self.seen.cosine, self.keywords, sight)


@dataclass(frozen=True, slots=True)
class Gathered:
    """Every candidate, in no particular order, what words count beside vectors, and how many memories may answer."""

    candidates: tuple[Candidate, ...]
    keyword_weight: float
    memories: int


def gather(connection: Connection, index: VectorIndex | None, question: Question) -> Gathered:
    """Give every candidate, read from one snapshot."""
    found = lexical.matches(connection, question.agent, question.scopes, question.tokens, (POOL, *COLD))
    awake = found.taking_part & (found.statuses == STATUS_CODES[POOL])
    words = weigh(found, awake, pasted=question.pasted)
    fired = fired_by(connection, index, question)
    telling = {int(found.pks[place]) for place in words.best(policy.CANDIDATES_PER_SIDE)}
    seen = _looked_at(connection, index, question, telling | fired.keys())
    rows = _read(connection, question, {*telling, *fired, *seen}, (POOL,))
    candidates = {one.memory.id: one for one in _awake(rows, words, seen, fired)}
    if words.size < int(np.count_nonzero(found.taking_part)):
        everyone = weigh(found, found.taking_part, pasted=question.pasted)
        said = float(everyone.mass[awake].max(initial=0.0))
        candidates |= _from_the_cold(connection, question, everyone, candidates, said)
    return Gathered(tuple(candidates.values()), fusion.keyword_weight(words.identifiers), words.size)


def _looked_at(
    connection: Connection, index: VectorIndex | None, question: Question, also: Collection[int]
) -> dict[int, Seen]:
    if index is None or question.vector is None:
        return {}
    index.check(question.vector)
    if question.sight == 0:
        return {}
    seen = index.look(
        connection,
        question.agent,
        question.scopes,
        question.vector,
        question.nameless,
        limit=policy.CANDIDATES_PER_SIDE,
        also=also,
    )
    return {one.pk: one for one in seen}


def _awake(
    rows: Mapping[int, Memory], words: Weighed, seen: Mapping[int, Seen], fired: Mapping[int, Cue]
) -> Iterator[Candidate]:
    places = words.places_of(rows)
    names = words.names_at(places.values())
    for pk in sorted(rows):
        place, cue = places.get(pk), fired.get(pk, SILENT)
        mass = 0.0 if place is None else float(words.mass[place])
        cued = sum(words.worth.get(token, 0.0) for token in cue.tokens)  # as if the memory held its cue's words
        yield Candidate(
            rows[pk],
            mass,
            words.coverage(mass),
            () if place is None else names[place],
            seen.get(pk),
            cue,
            specific=place is not None and _is_specific(rows[pk], words, place),
            cued=words.coverage(mass + cued) if cued else 0.0,
        )


def _is_specific(memory: Memory, words: Weighed, place: int) -> bool:
    bare, count = float(words.bare[place]), int(words.words[place])
    if bare < words.bar or count < policy.SPECIFIC_WORDS:
        return False
    return is_specific(bare, count, words.bar, len(content_terms(memory.text)))


def _from_the_cold(
    connection: Connection, question: Question, words: Weighed, awake: Mapping[MemoryId, Candidate], said: float
) -> dict[MemoryId, Candidate]:
    """Give archived memories that the question names outright, and the successors of replaced ones that it does.

    What sleeps stays asleep where something awake covers as much of the question (``said``) already.
    """
    places = {int(words.pks[place]): place for place in _revivable(words)}
    names = words.names_at(places.values())
    rows = _read(connection, question, places, COLD)
    found: dict[MemoryId, Candidate] = {}
    for pk, place in places.items():  # those that say most first
        standing = _standing(connection, rows.get(pk), question)
        asleep = standing is not None and standing.status is Status.ARCHIVED
        if standing is not None and standing.id not in found and not (asleep and float(words.mass[place]) <= said):
            base = awake.get(standing.id) or Candidate(standing, float(words.mass[place]), terms=names[place])
            cold = words.coverage(float(words.mass[place]))
            found[standing.id] = replace(base, specific=True, revived=asleep, stands_in=not asleep, cold=cold)
    return found


def _standing(connection: Connection, memory: Memory | None, question: Question) -> Memory | None:
    """Give what may be shown for a memory that is not active: itself out of the archive, or what replaced it."""
    if memory is None or memory.status is Status.ARCHIVED:
        return memory
    return successor_of(connection, memory, question.scopes)


def _revivable(words: Weighed) -> list[int]:
    """Give the places that clear the higher bar: two words' worth that only they have, and half of the question."""
    enough = np.flatnonzero(words.mass >= max(words.bar, policy.COLD_COVERAGE * words.full))
    return sorted(enough.tolist(), key=lambda place: -words.mass[place])[: policy.COLD_LIMIT]


def _read(
    connection: Connection, question: Question, pks: Collection[int], statuses: Collection[Status]
) -> dict[int, Memory]:
    """Read rows and look at assistant, scope and status once more: indexes propose, the row decides."""
    return {
        pk: memory
        for pk, memory in by_pk(connection, pks).items()
        if memory.agent_slug == question.agent and memory.scope in question.scopes and memory.status in statuses
    }
