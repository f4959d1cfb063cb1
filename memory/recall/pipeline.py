"""From a question to the memories that go into the prompt."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from memory import policy
from memory.analysis import head, shared_content
from memory.changes import as_array
from memory.domain import AgentSlug, Conversation, Memory, Scope, visible_scopes
from memory.lifecycle.decay import recency
from memory.recall import floors, gate, scoring
from memory.recall.asking import is_unsettled
from memory.recall.candidate import Candidate
from memory.recall.candidates import POOL, Gathered, gather
from memory.recall.judged import Judged
from memory.recall.nearness import nearness
from memory.recall.newer import with_later
from memory.recall.outdated import marked
from memory.recall.past import former_of
from memory.recall.question import Question, understand
from memory.recall.selection import select
from memory.recall.values import Recall, Why
from memory.vectors import Vector, VectorIndex

IdleHours = Callable[[Memory], float]

_SIZE = """
SELECT count(*) FROM memories WHERE agent_slug = ? AND scope IN (SELECT value FROM json_each(?)) AND status = ?
"""


def recall(
    connection: Connection,
    index: VectorIndex | None,
    query: str,
    vector: Vector | None,
    nameless: Vector | None = None,
    *,
    agent: AgentSlug,
    scope: Scope,
    now: datetime,
    timezone: str = "UTC",
    lived_hours: IdleHours | None = None,
    limit: int = policy.RECALL_LIMIT,
    token_budget: int = policy.RECALL_TOKENS,
    count_tokens: Callable[[str], int],
    gated: bool = True,
    conversation: Conversation | None = None,
) -> Recall:
    """Give the memories visible in ``scope`` that help with ``query``, best first; nothing when nothing does.

    Args:
        connection: an open snapshot; every read happens in it.
        index: the vectors of the model that made ``vector``; without either, keywords alone decide.
        query: any text.
        vector: the question as the embedder sees it; shorter than 1 where it cannot read all of it.
        nameless: the same of the question without the subjects it names (`names_in_question`); None when it names none.
        agent: whose memories.
        scope: where the question is asked; ``global`` memories are visible as well.
        now: the present, aware.
        timezone: where "last Tuesday" is reckoned (IANA).
        lived_hours: gives a memory's idle time in lived hours; without it plain time counts.
        limit: the most memories to give.
        token_budget: the most tokens their texts, former ones included, may have together.
        count_tokens: counts the tokens of a text.
        gated: whether nothing is given when nothing fits; without it the nearest come, however far.
        conversation: where it is asked; a cue that brought its lesson up there a moment ago rests.

    Raises:
        ValueError: a vector is not finite, or not one of the index's model.
    """
    question = understand(
        query, vector, nameless, agent=agent, scope=scope, now=now, timezone=timezone, conversation=conversation
    )
    if not question.tokens or limit < 1:
        return Recall()
    floors.lean(connection, index)
    gathered = gather(connection, index, question)
    floor = floors.floor(connection, index, agent, scope, gathered.memories)
    idle_hours = lived_hours or (lambda memory: (now - memory.accessed_at).total_seconds() / 3600)
    judged = _wanted(_judged(question, gathered, floor, idle_hours, timezone), question, gated=gated)
    former = former_of(connection, agent, question.scopes, _with_a_past(question, judged))
    chosen = select(
        judged,
        former,
        limit=limit,
        token_budget=token_budget,
        count_tokens=count_tokens,
        of_now=not question.about_the_past,
    )
    return marked(connection, agent, chosen)


def _wanted(judged: list[Judged], question: Question, *, gated: bool) -> list[Judged]:
    """Say of each whether it may have a slot."""
    if not gated:
        return [replace(one, relevant=True) for one in judged]
    kept = _few_in_passing([_volunteered(one, question) for one in judged])
    return kept if question.about_the_past else with_later(kept)


def _volunteered(one: Judged, question: Question) -> Judged:
    """Keep back what nobody asked for: what sleeps, passing talk, and beside a statement whatever does not clear the bar.

    Passing talk that nobody came back to answers a question only where it clears the bar by itself, or is named outright.
    """
    why = _why_not(one, question) if one.relevant else None
    return one if why is None else replace(one, relevant=False, why=why)


def _why_not(one: Judged, question: Question) -> Why | None:
    unsettled, light = is_unsettled(one.memory), _is_light(one.memory)
    if question.asks and (one.parts.specific or not unsettled):
        return None
    if one.parts.evidence < one.parts.bar or (not question.asks and (unsettled or light)):
        return Why.UNASKED
    return Why.CHANCE if (light or not question.asks) and _is_by_chance(one, question) else None


def _is_by_chance(one: Judged, question: Question) -> bool:
    """Say whether one word is all there is: "ha, nice one" is not about the nice vase in the shop window.

    A question is about the word that makes up half of it.
    """
    parts = one.parts
    about = question.pasted or (question.asks and parts.coverage >= policy.ASKED_COVERAGE)
    if about or parts.cosine is None or question.sight * parts.cosine >= parts.bar:
        return False
    return question.names.isdisjoint(parts.terms) and shared_content(question.tokens, one.memory.text) < 2


def _few_in_passing(judged: list[Judged]) -> list[Judged]:
    """Keep the best two of what is of little weight and passed by: nobody wants every film about owls."""
    light = [one for one in judged if one.relevant and is_unsettled(one.memory) and _is_light(one.memory)]
    ranked = sorted(light, key=lambda one: (-one.parts.evidence, one.memory.id))
    spare = {one.memory.id for one in ranked[policy.PASSING_AT_ONCE :]}
    return [replace(one, relevant=False, why=Why.PASSING) if one.memory.id in spare else one for one in judged]


def _is_light(memory: Memory) -> bool:
    return memory.importance < policy.VOLUNTEERED_IMPORTANCE


def best_evidence(connection: Connection, index: VectorIndex | None, question: Question) -> float:
    """Give the best evidence that any memory has for ``question``, 0 when there is none at all."""
    gathered = gather(connection, index, question)
    nearest = _nearest(question, gathered)
    return max((one.evidence(question.sight) for one in nearest), default=0.0)


def size_of(connection: Connection, agent: AgentSlug, scope: Scope) -> int:
    """Count the memories that may answer in ``scope``."""
    row = connection.exec_driver_sql(_SIZE, (agent, as_array(visible_scopes(scope)), POOL.value))
    return int(row.scalar_one())


def _judged(question: Question, gathered: Gathered, floor: float, idle_hours: IdleHours, timezone: str) -> list[Judged]:
    """Score every candidate; of those that are not among the most relevant only a specific hit may come up."""
    looked_at = {id(one) for one in _nearest(question, gathered)}
    rare = _rare_words(question, gathered)
    standings = [
        _standing(one, question, floor, rare, near=one.revived or id(one) in looked_at) for one in gathered.candidates
    ]
    judged = []
    for one, standing, may_come in zip(
        gathered.candidates, standings, gate.passed(standings, asked=question.asks), strict=True
    ):
        fresh = recency(one.memory, idle_hours(one.memory))
        parts = scoring.parts(
            one,
            sight=question.sight,
            keyword_weight=gathered.keyword_weight,
            bar=standing.bar,
            fresh=fresh,
            near=nearness(one.memory, question.ranges, timezone),
        )
        judged.append(Judged(one.memory, parts, relevant=may_come))
    return judged


def _rare_words(question: Question, gathered: Gathered) -> frozenset[str]:
    """Give the words asked about that only a few memories hold; of everybody's namesake a question tells nothing."""
    if not question.asks:
        return frozenset()
    held = Counter(word for one in gathered.candidates for word in question.telling.intersection(one.terms))
    return frozenset(word for word, count in held.items() if count <= policy.NAMED_IN)


def _standing(
    candidate: Candidate, question: Question, floor: float, rare: frozenset[str], *, near: bool
) -> gate.Standing:
    """Give where it stands. A rare name or thing lowers the bar; passing talk is not about what it drops.

    What is about a thing, or said in passing, answers for nothing but itself.
    """
    memory, unsettled = candidate.memory, is_unsettled(candidate.memory)
    sight = question.sight if candidate.seen is not None else 0.0
    evidence = candidate.evidence(question.sight) if near else 0.0
    bar = gate.bar(max(floor, policy.USUAL_FLOOR) if candidate.revived else floor, sight)
    shared = frozenset[str]() if unsettled else rare.intersection(candidate.terms)
    named = bool(shared & question.names)
    about = bool(shared) and not named and _is_about(memory, question, shared)
    return gate.Standing(
        evidence,
        bar * (policy.NAMED_BAR if named or about else 1.0),
        candidate.seen is not None,
        candidate.specific,
        asleep=candidate.revived,
        alone=(about and evidence < bar) or (unsettled and _is_light(memory)),
    )


def _is_about(memory: Memory, question: Question, rare: frozenset[str]) -> bool:
    """Say whether a memory begins with a rare thing of the question, and with the whole of it."""
    words = head(memory.text)
    whole = all(not spellings.isdisjoint(question.telling) for spellings in words)
    return bool(words) and whole and not words[0].isdisjoint(rare)


def _nearest(question: Question, gathered: Gathered) -> Sequence[Candidate]:
    """Give the most relevant candidates among those awake; evidence from further away is chance."""
    awake = [one for one in gathered.candidates if one.is_awake and not one.revived]
    ranked = sorted(awake, key=lambda one: (-one.relevance(question.sight, gathered.keyword_weight), one.memory.id))
    return ranked[: policy.CANDIDATES_PER_SIDE]


def _with_a_past(question: Question, judged: Sequence[Judged]) -> list[Memory]:
    """Give the memories whose former statements are wanted: all for a question about the past, else stand-ins only."""
    return [one.memory for one in judged if one.wanted and (question.about_the_past or one.parts.stands_in)]
