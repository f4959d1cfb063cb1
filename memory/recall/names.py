"""Names in a question: whom it asks about, and what it asks without them."""

from collections.abc import Collection, Iterable
from functools import lru_cache

import regex
from sqlalchemy import Connection

from memory.domain import AgentSlug, Scope, visible_scopes
from memory.function_words import LATIN
from memory.spelling import fold, normalise

MOST_SUBJECTS = 500
"""Distinct subjects of a scope that are looked through: 2 ms. Whoever is known to a chat beyond that keeps a name in the vector."""

LONGEST_QUESTION = 1_000
"""Characters; in a longer paste a name does not pull the vector anywhere."""

_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*+")
_POSSESSIVE = regex.compile(r"['’]s(?!\p{L})")
_CASELESS = regex.compile(r"[\p{Lo}--\p{Latin}]", regex.V1)
_INSIDE = regex.compile(r"[\p{Ll}\d][,;:]? $")

_SUBJECTS = """
WITH RECURSIVE known(subject) AS (
    SELECT min(subject) FROM memories WHERE agent_slug = :agent AND scope = :scope AND subject IS NOT NULL
    UNION ALL
    SELECT (SELECT min(subject) FROM memories WHERE agent_slug = :agent AND scope = :scope AND subject > known.subject)
    FROM known WHERE known.subject IS NOT NULL
)
SELECT subject FROM known WHERE subject IS NOT NULL LIMIT :most
"""
"""Jumps from one subject to the next in their index, however many memories each has."""


def names_in_question(connection: Connection, agent: AgentSlug, scope: Scope, query: str) -> str:
    """Give ``query`` without the subjects it names among those visible in ``scope``; "" when it names none or nothing else."""
    if len(query) > LONGEST_QUESTION:
        return ""
    return without_names(query, subjects(connection, agent, scope))


def subjects(connection: Connection, agent: AgentSlug, scope: Scope) -> tuple[str, ...]:
    """Give the distinct subjects of what is visible in ``scope``, the first few hundred."""
    found: dict[str, None] = {}
    for where in visible_scopes(scope):
        bound = {"agent": agent, "scope": where, "most": MOST_SUBJECTS}
        found |= dict.fromkeys(connection.exec_driver_sql(_SUBJECTS, bound).scalars())
    return tuple(found)


def without_names(query: str, known: Iterable[str]) -> str:
    """Give ``query`` without the names in ``known``, a possessive ending included; "" when none or nothing else is left.

    A name is a word of a subject that is written like one. One that is a small word or a month as well ("Will", "May")
    counts only where the question writes it large inside a sentence.
    """
    names = {part for subject in known for part in _parts(subject)}
    kept, last = [], 0
    for start, end in sorted({*_written(query, names), *_run_together(query, names)}):
        if start >= last:
            kept.append(query[last:start])
            ending = _POSSESSIVE.match(query, end)
            last = ending.end() if ending else end
    rest = " ".join(("".join(kept) + query[last:]).split())
    return rest if kept and any(character.isalnum() for character in rest) else ""


@lru_cache(maxsize=4_096)
def _parts(subject: str) -> tuple[str, ...]:
    """Give the folded words of a subject that are written like a name: large, or in a script without large letters."""
    words = (match.group() for match in _WORD.finditer(subject))
    return tuple(_folded(word) for word in words if word[0].isupper() or (len(word) > 1 and _CASELESS.match(word)))


def _written(query: str, names: Collection[str]) -> Iterable[tuple[int, int]]:
    for match in _WORD.finditer(query):
        word = _folded(match.group())
        if word in names and (word not in _ordinary() or _is_large_inside(query, match.start())):
            yield match.span()


def _run_together(query: str, names: Collection[str]) -> Iterable[tuple[int, int]]:
    """Find names in scripts that write no blanks, where a name is no word of its own."""
    for name in names:
        if _CASELESS.match(name) and len(name) > 1:
            for match in regex.finditer(regex.escape(name), query):
                yield match.span()


def _is_large_inside(query: str, start: int) -> bool:
    return query[start].isupper() and _INSIDE.search(query, max(0, start - 3), start) is not None


def _folded(word: str) -> str:
    return fold(normalise(word))


@lru_cache(maxsize=1)
def _ordinary() -> frozenset[str]:
    months = "january february march april may june july august september october november december"
    others = "mark rose grace joy hope faith art bill pat rich sunny summer dawn"
    return frozenset().union(*LATIN.values(), months.split(), others.split())
