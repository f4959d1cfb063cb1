"""Lessons come up when their cue is said, word by word, in any form and order."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import regex
from sqlalchemy import Connection

from memory import lexical
from memory.analysis import Token, distinct, tokens
from memory.recall.question import Question

_SEPARATORS = regex.compile(r"[^\p{L}\p{M}\p{N}]")


@dataclass(slots=True)
class Fired:
    """The cue phrases of a row that were said, and the words of the question that said them."""

    phrases: list[str] = field(default_factory=list)
    tokens: set[Token] = field(default_factory=set)


def fired_by(connection: Connection, question: Question) -> dict[int, Fired]:
    """Give the rows one of whose cue phrases stands in the question, of any status."""
    said = _by_term(question.tokens)
    fired: dict[int, Fired] = {}
    for pk, phrase in lexical.cues(connection, question.agent, question.scopes):
        met = [_met(word, said) for word in phrase.split()]
        if met and all(met):
            cue = fired.setdefault(pk, Fired())
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
