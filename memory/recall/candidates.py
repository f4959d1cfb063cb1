"""What is looked at more closely: the best of the keywords, the nearest vectors, and lessons whose cue was said.

Scope, assistant and status are part of every query here; nothing that fails them is ever scored.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import regex
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory import lexical, policy
from memory.analysis import Token, distinct, tokens
from memory.domain import AgentSlug, Memory, Scope, Status
from memory.rows import by_pk
from memory.vectors import VectorIndex

_SEPARATORS = regex.compile(r"[^\p{L}\p{M}\p{N}]")

POOL = Status.ACTIVE
"""The only status that answers by itself."""


@dataclass(frozen=True, slots=True)
class Question:
    """Who asks what, and where."""

    agent: AgentSlug
    scopes: tuple[Scope, ...]
    tokens: tuple[Token, ...]
    vector: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory with what each side knows of it. ``keywords`` is the share of the question that its words cover, 0-1."""

    memory: Memory
    bm25: float = 0.0
    keywords: float = 0.0
    terms: tuple[str, ...] = ()
    cosine: float | None = None
    fired: tuple[str, ...] = ()


@dataclass(slots=True)
class _Fired:
    phrases: list[str] = field(default_factory=list)
    tokens: set[Token] = field(default_factory=set)  # of the question


def gather(connection: Connection, index: VectorIndex | None, question: Question) -> list[Candidate]:
    """Give every candidate, in no particular order, read from one snapshot."""
    found = lexical.search(connection, question.agent, question.scopes, question.tokens, (POOL,))
    hits = {hit.pk: hit for hit in found.hits}
    fired = _fired(connection, question)
    cosines = _cosines(connection, index, question, hits.keys() | fired.keys())
    nothing, unfired = lexical.Hit(0, 0.0, ()), _Fired()
    candidates = []
    for pk, memory in _read(connection, question, {*hits, *fired, *cosines}).items():
        hit, cue = hits.get(pk, nothing), fired.get(pk, unfired)
        # A cue counts as if the memory held its words.
        bm25 = hit.bm25 + sum(found.worth.get(token, 0.0) for token in cue.tokens)
        covered = min(1.0, bm25 / found.attainable) if found.attainable else 0.0
        candidates.append(Candidate(memory, bm25, covered, hit.terms, cosines.get(pk), tuple(sorted(cue.phrases))))
    return candidates


def _cosines(
    connection: Connection, index: VectorIndex | None, question: Question, also: Collection[int]
) -> dict[int, float]:
    if index is None or question.vector is None:
        return {}
    near = index.search(
        connection,
        question.agent,
        question.scopes,
        question.vector,
        limit=policy.CANDIDATES_PER_SIDE,
        statuses=(POOL,),
        also=also,
    )
    return {pk: cosine for pk, cosine in near}  # noqa: C416 - a plain dict, not one of Near


def _fired(connection: Connection, question: Question) -> dict[int, _Fired]:
    """Give the rows one of whose cue phrases stands in the question, word by word in any form and order."""
    said = _by_term(question.tokens)
    fired: dict[int, _Fired] = {}
    for pk, phrase in lexical.cues(connection, question.agent, question.scopes):
        met = [_met(word, said) for word in phrase.split()]
        if met and all(met):
            cue = fired.setdefault(pk, _Fired())
            cue.phrases.append(phrase)
            cue.tokens.update(*met)
    return fired


def _met(word: str, said: Mapping[str, list[Token]]) -> set[Token]:
    """Give the tokens of the question that say ``word``, as it is or without its hyphens; none when a part is missing."""
    for wanted in _wanted(word):
        met = [{token for term in terms for token in said.get(term, ())} for terms in wanted]
        if met and all(met):
            return set().union(*met)
    return set()


@lru_cache(maxsize=4_096)
def _wanted(word: str) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Give the two ways to say ``word``, each as its tokens, each of those as the terms that find it."""
    forms = (word, _SEPARATORS.sub("", word))
    return tuple(tuple(distinct([token]) for token in tokens(form) if not token.extra) for form in forms)


def _by_term(said: Iterable[Token]) -> dict[str, list[Token]]:
    by_term: dict[str, list[Token]] = {}
    for token in said:
        for term in distinct([token]):
            by_term.setdefault(term, []).append(token)
    return by_term


def _read(connection: Connection, question: Question, pks: Collection[int]) -> dict[int, Memory]:
    """Read rows and look at assistant, scope and status once more: indexes propose, the row decides."""
    return {pk: memory for pk, memory in by_pk(connection, pks).items() if _is_visible(memory, question)}


def _is_visible(memory: Memory, question: Question) -> bool:
    here = memory.agent_slug == question.agent and memory.scope in question.scopes
    return here and memory.status is POOL
