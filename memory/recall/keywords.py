"""What the words of a question say about each memory: how much of the question they cover, and how specific they are.

    coverage = min(1, Σ weight · idf · quality of the words held / the same over the eight most telling words asked)

It is absolute, over what a memory could reach, and knows no length: statements are short, and a word asked for is found in
a text of any length (with a factor for length R@10 is .818 instead of .821 on the stores it was fitted on).
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory import policy
from memory.analysis import Token
from memory.lexical import Match, Matches, idf
from memory.vectors import best


@dataclass(frozen=True)
class Weighed:
    """The words of a question against one pool of memories, row by row (places in ``pks``).

    ``mass`` is the information of the words held, in nats; ``full`` what would cover the whole question; ``bare`` is the
    mass without words that stand in the question in other tokens as well, and ``words`` counts those it is made of.
    """

    pks: NDArray[np.int64]
    size: int  # of the pool
    mass: NDArray[np.float64]
    bare: NDArray[np.float64]
    words: NDArray[np.int32]
    full: float
    identifiers: float  # share of the matched information that lies in addresses, dates, times and codes
    worth: dict[Token, float]
    matched: tuple[Match, ...]

    def best(self, limit: int) -> NDArray[np.int64]:
        """Give the places of the ``limit`` memories that hold most, none that holds nothing."""
        held = np.flatnonzero(self.mass)
        return held[best(self.mass[held], self.pks[held], limit)]

    def coverage(self, mass: float) -> float:
        """Give the share of the question that ``mass`` covers, 0-1."""
        return min(1.0, mass / self.full) if self.full > 0 else 0.0

    def places_of(self, pks: Collection[int]) -> dict[int, int]:
        """Give the place of each of the row numbers that holds a word of the question."""
        held = np.flatnonzero((self.mass > 0) & np.isin(self.pks, np.fromiter(pks, np.int64, len(pks))))
        return dict(zip(self.pks[held].tolist(), held.tolist(), strict=True))

    def names_at(self, places: Collection[int]) -> dict[int, tuple[str, ...]]:
        """Give for each place the words that its memory shares with the question, the most telling first."""
        asked = np.fromiter(places, np.intp, len(places))
        names: dict[int, list[str]] = {place: [] for place in asked.tolist()}
        for match in self.matched:
            for place in asked[_holds(match.rows, asked)].tolist():
                names[place].append(match.name)
        return {place: tuple(found) for place, found in names.items()}

    @cached_property
    def bar(self) -> float:
        """Give the mass of two words that no other memory of the pool has."""
        return policy.SPECIFIC_WORDS * math.log(1 + (self.size - 0.5) / 1.5) if self.size else math.inf


def weigh(found: Matches, pool: NDArray[np.bool_], *, pasted: bool) -> Weighed:
    """Weigh the words found by how rare they are in ``pool`` (a truth for each row).

    Args:
        found: the matches, row by row.
        pool: who is counted and may be found.
        pasted: the question is a long text, so that words nobody holds are not asked for.
    """
    size = int(np.count_nonzero(pool))
    within = [_within(match, pool) for match in found.words]
    worths = [match.token.weight * idf(len(match.rows), size) for match in within]
    order = sorted(range(len(within)), key=lambda n: -worths[n])
    matched = [n for n in order if len(within[n].rows)][: policy.MOST_CLUES]
    mass, bare = np.zeros(len(pool)), np.zeros(len(pool))
    words = np.zeros(len(pool), np.int32)
    for n in matched:
        match, gain = within[n], worths[n] * within[n].quality
        mass[match.rows] += gain
        if not match.token.extra:
            bare[match.rows] += gain
            words[match.rows] += 1
    asked = (worths[n] for n in order if len(within[n].rows) or not (within[n].token.extra or pasted))
    return Weighed(
        found.pks, size, mass, bare, words, sum(_first(asked, policy.CLUES_OF_A_FULL_ANSWER)),
        _identifiers([(within[n].token, worths[n]) for n in matched]),
        {within[n].token: worths[n] for n in order},
        tuple(within[n] for n in matched),
    )  # fmt: skip


def _within(match: Match, pool: NDArray[np.bool_]) -> Match:
    held = pool[match.rows]
    return match if held.all() else Match(match.token, match.name, match.rows[held], match.quality[held])


def _first(values: Iterable[float], count: int) -> list[float]:
    return [value for value, _ in zip(values, range(count), strict=False)]


def _identifiers(matched: Sequence[tuple[Token, float]]) -> float:
    total = sum(worth for _, worth in matched)
    named = sum(worth for token, worth in matched if token.weight >= policy.IDENTIFIER_WEIGHT)
    return named / total if total > 0 else 0.0


def _holds(rows: NDArray[np.intp], places: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Say for each place whether it is among ``rows``, which are in order."""
    at = np.searchsorted(rows, places)
    held: NDArray[np.bool_] = np.append(rows, -1)[at] == places
    return held
