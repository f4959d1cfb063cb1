"""What is looked at more closely: the best of each side, lessons whose cue was said, and what comes from the cold.

Scope, assistant and status are part of every query here; nothing that fails them is ever scored.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from sqlalchemy import Connection

from memory import lexical, policy
from memory.analysis import content_terms
from memory.changes import STATUS_CODES
from memory.domain import Memory, Status
from memory.recall import fusion
from memory.recall.candidate import Candidate
from memory.recall.cold import COLD, from_the_cold
from memory.recall.cues import SILENT, Cue, fired_by
from memory.recall.gate import is_specific
from memory.recall.keywords import Weighed, weigh
from memory.recall.question import Question
from memory.recall.reading import read
from memory.vectors import Seen, VectorIndex

POOL = Status.ACTIVE
"""The only status that answers by itself."""


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
    rows = read(connection, question, {*telling, *fired, *seen}, (POOL,))
    candidates = {one.memory.id: one for one in _awake(rows, words, seen, fired)}
    if words.size < int(np.count_nonzero(found.taking_part)):
        everyone = weigh(found, found.taking_part, pasted=question.pasted)
        said = float(everyone.mass[awake].max(initial=0.0))
        candidates |= from_the_cold(connection, index, question, everyone, candidates, said)
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
