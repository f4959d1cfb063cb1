"""Whether a phrase was said: each of its words that says something, in any form and order."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import regex

from memory import policy
from memory.analysis import Token, distinct, tokens

Said = Mapping[str, list[Token]]
"""The tokens of a text, by each term that finds them."""

_SEPARATORS = regex.compile(r"[^\p{L}\p{M}\p{N}]")
_Reading = tuple[tuple[str, ...], ...]  # its tokens, each as the terms that find it


def by_term(said: Iterable[Token]) -> Said:
    """Give the tokens of a text as `met_by` looks them up."""
    found: dict[str, list[Token]] = {}
    for token in said:
        for term in distinct([token]):
            found.setdefault(term, []).append(token)
    return found


def met_by(phrase: str, said: Said) -> frozenset[Token]:
    """Give the tokens of a text that say ``phrase``; none when a word of it is missing. Its small words need not be said."""
    found: set[Token] = set()
    for readings in _needed(phrase):
        met = _met(readings, said)
        if not met:  # the first one missing mostly settles it: two hundred lessons are looked at in every turn
            return frozenset()
        found |= met
    return frozenset(found)


def length(phrase: str) -> int:
    """Count the words that must be said: what a phrase asks for more, it says more exactly."""
    return len(_needed(phrase))


def _met(readings: tuple[_Reading, ...], said: Said) -> set[Token]:
    for wanted in readings:
        met: set[Token] = set()
        for terms in wanted:
            here = [token for term in terms if term in said for token in said[term]]
            if not here:
                break
            met.update(here)
        else:
            if met:
                return met
    return set()


@lru_cache(maxsize=4_096)
def _needed(phrase: str) -> tuple[tuple[_Reading, ...], ...]:
    """Give the words that must be said, each with the two ways to say it: as it is, and without its hyphens."""
    parts = phrase.split()
    return tuple(tuple(dict.fromkeys(map(_reading, _forms(word)))) for word in list(filter(_tells, parts)) or parts)


def _forms(word: str) -> list[str]:
    joined = _SEPARATORS.sub("", word)
    return [word, joined] if _tells(joined) else [word]  # "C++" is no "C"


def _tells(word: str) -> bool:
    return any(token.weight >= policy.CONTENT_WEIGHT for token in tokens(word))


def _reading(word: str) -> _Reading:
    every = tokens(word)
    whole = [token for token in every if not token.extra]
    telling = [token for token in every if token.weight >= policy.CONTENT_WEIGHT]
    needed = [token for token in telling if not token.extra] or telling or whole  # of "C++" only the whole tells
    return tuple(distinct([token]) for token in needed)
