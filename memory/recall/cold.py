"""What does not answer by itself: the archive when somebody asks for it, and what was replaced, which brings up its successor."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
from sqlalchemy import Connection

from memory import policy
from memory.domain import Layer, Memory, MemoryId, Status
from memory.lifecycle.expiry import is_over
from memory.recall.candidate import Candidate
from memory.recall.fusion import evidence
from memory.recall.gate import bar
from memory.recall.keywords import Weighed
from memory.recall.newer import holds_as_much, is_later
from memory.recall.past import successor_of
from memory.recall.question import Question
from memory.recall.reading import read
from memory.variants import differ_in_a_value
from memory.vectors import Seen, VectorIndex

COLD = (Status.ARCHIVED, Status.SUPERSEDED)
"""What comes back, or brings up its successor, when it is asked for."""


def from_the_cold(
    connection: Connection,
    index: VectorIndex | None,
    question: Question,
    words: Weighed,
    awake: Mapping[MemoryId, Candidate],
    said: float,
) -> dict[MemoryId, Candidate]:
    """Give what a question names outright, and of what mattered before it was archived the nearest to what it asks.

    Args:
        connection: an open snapshot.
        index: the vectors, where there are any.
        question: what is asked.
        words: of the question in every memory, awake or not.
        awake: the candidates that answer by themselves.
        said: the most of the question, in nats, that anything awake holds.
    """
    meant = _meant(connection, index, question, words, awake) if question.outright else {}
    return meant | _named_outright(connection, question, words, awake, said)


def _named_outright(
    connection: Connection, question: Question, words: Weighed, awake: Mapping[MemoryId, Candidate], said: float
) -> dict[MemoryId, Candidate]:
    """Give archived memories that the question names outright, and the successors of replaced ones that it does.

    What sleeps stays asleep where something awake covers as much of the question (``said``) already.
    """
    places = {int(words.pks[place]): place for place in _revivable(words)}
    names = words.names_at(places.values())
    rows = read(connection, question, places, COLD)
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


def _meant(
    connection: Connection,
    index: VectorIndex | None,
    question: Question,
    words: Weighed,
    awake: Mapping[MemoryId, Candidate],
) -> dict[MemoryId, Candidate]:
    """Give the archived memories nearest to the question of those that mattered and are not over.

    A question seldom repeats their words. Passing talk stays asleep.
    """
    loudest = max((one.evidence(question.sight) for one in awake.values()), default=0.0)
    better = [one for one in _asleep(connection, index, question, words) if _is_better(one, question, awake, loudest)]
    nearest = sorted(better, key=lambda one: (-one.evidence(question.sight), one.memory.id))
    return {one.memory.id: one for one in nearest[: policy.WOKEN_AT_ONCE]}


def _is_better(one: Candidate, question: Question, awake: Mapping[MemoryId, Candidate], loudest: float) -> bool:
    """Say whether what sleeps answers better than anything awake, or knows something that this does not."""
    is_louder = one.evidence(question.sight) > loudest + policy.WOKEN_ABOVE
    answering = [other for other in awake.values() if other.evidence(question.sight) >= loudest - policy.AS_GOOD_WITHIN]
    return is_louder or _bears_a_rare_name(one, question, awake) or _is_news(one, answering)


def _asleep(
    connection: Connection, index: VectorIndex | None, question: Question, words: Weighed
) -> Iterator[Candidate]:
    telling = {int(words.pks[place]) for place in words.best(policy.CANDIDATES_PER_SIDE)}
    seen = _looked_at(connection, index, question, telling)
    places = words.places_of(seen or telling)
    rows = read(connection, question, _promising(question, words, seen, places), (Status.ARCHIVED,))
    names = words.names_at([places[pk] for pk in rows if pk in places])
    for pk, memory in rows.items():
        place = places.get(pk)
        mass = 0.0 if place is None else float(words.mass[place])
        shared = () if place is None else names[place]
        one = Candidate(memory, mass, words.coverage(mass), shared, seen.get(pk), revived=True)
        if _mattered(memory, question) and (one.seen is not None or _is_meant(one, question, words)):
            yield one


def _looked_at(
    connection: Connection, index: VectorIndex | None, question: Question, also: set[int]
) -> dict[int, Seen]:
    if index is None or question.vector is None or question.sight == 0:
        return {}
    looked_at = index.look(
        connection, question.agent, question.scopes, question.vector, question.nameless,
        limit=policy.CANDIDATES_ASLEEP, also=also, status=Status.ARCHIVED,
    )  # fmt: skip
    return {one.pk: one for one in looked_at}


def _promising(
    question: Question, words: Weighed, seen: Mapping[int, Seen], places: Mapping[int, int]
) -> Collection[int]:
    """Give the row numbers that could clear the lowest bar, so that hardly any row is read in vain."""
    if not seen:
        return places.keys()
    least = policy.NAMED_BAR * bar(policy.USUAL_FLOOR, question.sight)
    covered = {pk: words.coverage(float(words.mass[place])) for pk, place in places.items()}
    return [pk for pk, one in seen.items() if evidence(one.cosine, covered.get(pk, 0.0), question.sight) >= least]


def _mattered(memory: Memory, question: Question) -> bool:
    over = question.now is not None and is_over(memory, question.now)
    return memory.importance >= policy.WOKEN_IMPORTANCE and not over and _is_more_than_passing(memory)


def _is_more_than_passing(memory: Memory) -> bool:
    """Say whether it had settled, or was rated to weigh something by a model that rates with measure."""
    struck = memory.rated is not None and memory.rated > memory.importance
    return memory.layer is not Layer.BUFFER or (memory.importance >= policy.VOLUNTEERED_IMPORTANCE and not struck)


def _is_meant(one: Candidate, question: Question, words: Weighed) -> bool:
    """Say whether words alone may wake it: it holds a name of the question, or two words' worth that only it has."""
    return not question.names.isdisjoint(one.terms) or one.bm25 >= words.bar


def _bears_a_rare_name(one: Candidate, question: Question, awake: Mapping[MemoryId, Candidate]) -> bool:
    """Say whether it holds a name of the question that few hold: what else is known of somebody is no answer to what was asked."""
    named = question.names.intersection(one.terms)
    return bool(named) and sum(not named.isdisjoint(other.terms) for other in awake.values()) < policy.NAMED_IN


def _is_news(one: Candidate, answering: Iterable[Candidate]) -> bool:
    """Say whether it was said later of a matter that what answers awake tells as well: a value that changed unnoticed."""
    return any(
        holds_as_much(one.terms, other.terms)
        and differ_in_a_value(one.memory.text, other.memory.text)
        and is_later(one.memory, other.memory)
        for other in answering
    )
