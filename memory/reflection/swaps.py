"""One word put in place of its like: euros told as dollars, the mother as the father, left as right, 7 pm as 7 am.

The rest of the words were said, so nothing but the tables knows. Where the word itself was said anywhere, nothing is objected.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from memory.folding import fold, words
from memory.lexicon import DIRECTIONAL, folded, function_words
from memory.numerals import forms
from memory.reflection.clauses import Clause
from memory.reflection.evidence import Voice
from memory.reflection.word_classes import HALF_DAYS, KIN, MEASURES, OPPOSITES, ORDERS, SIDES, Row
from memory.statements import Statement

_EXCEPTS: Final = folded(
    "except only until till before after from ausser nur bis vor nach sauf seulement jusqu avant excepto salvo solo hasta antes tranne "
    "fino prima so ate alleen behalve tot voor na кроме только до после tylko do przed"
)
"""Words that make "closed" and "open" say the same: "closed except on Mondays", "closes at five"."""
_COUNTED: Final = regex.compile(r"\p{Nd}+(?:[.,:]\p{Nd}+)*\s?$")
_BESIDE: Final = 2
"""How many words beside a relative tell whose it is: "Tom's sister", "брат Анны"."""


@dataclass(frozen=True, slots=True)
class _Swap:
    """A word of the statement, and the one of its like that a clause has instead."""

    made: "regex.Match[str]"
    said: "regex.Match[str]"
    clause: Clause


def is_swapped(text: str, bare: Statement, voice: Voice, asserted: Iterable[Clause], known: str = "") -> bool:
    """Say whether ``text`` has another unit, relative, half of the day or opposite than the words it is taken from.

    ``bare`` is the text taken apart without its dates; ``known`` is what it replaces.
    """
    near = [c for c in asserted if c.negated == bare.negated]
    told = fold("\n".join((voice.text, voice.affirmed, voice.question)))
    held = f"{told}\n{fold(known)}"
    judged = _Judged(fold(text), bare, voice)
    return any(
        (
            any(judged.shares_number(s) and judged.keeps(s, 0.5) for s in _swaps(MEASURES, judged.text, told, near)),
            any(judged.keeps(s, 0.5) for s in _swaps(HALF_DAYS, judged.text, told, near)),
            any(judged.is_same_relative(s) for s in _swaps(KIN, judged.text, held, near)),
            judged.is_opposite(held, near),
        )
    )


def is_synonym(word: str, told: str) -> bool:
    """Say whether a folded text has another word for the unit or relative that ``word`` is: "mum", "€/h"."""
    senses = (sense for row in (*MEASURES, *KIN) for sense in row)
    return any(sense.fullmatch(word) and sense.search(told) for sense in senses)


def _swaps(rows: tuple[Row, ...], text: str, told: str, near: list[Clause]) -> Iterator[_Swap]:
    """Give each word of a folded text that nobody said, where a clause has another of its row that the text has not."""
    for row in rows:
        mine = _found(row, text)
        its = _found(row, told) if mine else {}
        missing, against = mine.keys() - its.keys(), its.keys() - mine.keys()
        for clause in near if missing and against else ():
            said = _found(row, fold(clause.text))
            yield from (_Swap(mine[m], said[s], clause) for m in missing for s in against & said.keys())


@lru_cache(maxsize=4096)
def _found(row: Row, text: str) -> dict[int, "regex.Match[str]"]:
    return {sense: found for sense, pattern in enumerate(row) if (found := pattern.search(text))}


@dataclass(frozen=True, slots=True)
class _Judged:
    """The statement whose words may be swapped: folded, and taken apart."""

    text: str
    bare: Statement
    voice: Voice

    def keeps(self, swap: _Swap, least: float) -> bool:
        """Say whether the clause has so much of what the statement says beside the word: else they speak of different things."""
        pool = self.voice.pool([swap.clause])
        skipped = self.voice.names | {word.folded for word in words(swap.made[0])}
        rest = [word for word in self.bare.content if word not in skipped and not word.isdecimal()]
        met = sum(map(pool.has, rest)) + sum(bool(n & swap.clause.numbers) for n in self.bare.numbers)
        return 0 < met >= least * (len(rest) + len(self.bare.numbers))

    def shares_number(self, swap: _Swap) -> bool:
        """Say whether the clause counts as many as the statement; "every 24 hours" is another count than "20 mg daily"."""
        mine = forms(self.text)
        counted = _COUNTED.search(fold(swap.clause.text)[: swap.said.start()])
        return not mine.isdisjoint(swap.clause.numbers) and (counted is None or not mine.isdisjoint(forms(counted[0])))

    def is_same_relative(self, swap: _Swap) -> bool:
        """Say whether the same person is told to be of the other sex; "Tom is Anna's brother" makes Anna his sister."""
        own = {name.folded for name in self.bare.names} - self.voice.names
        mine = _names_beside(self.text, swap.made, own)
        of_another = any(mine) and mine != _names_beside(fold(swap.clause.text), swap.said, own)
        return not of_another and not _is_by_marriage(self.text, swap.made) and self.keeps(swap, 0.5)

    def is_opposite(self, told: str, near: list[Clause]) -> bool:
        """Say whether just one word was turned into its opposite; two at once may say the same again."""
        plain = [s for s in _swaps(OPPOSITES, self.text, told, near) if not self._leaves_room(s)]
        sides = [s for s in _swaps(SIDES, self.text, told, near) if self._before_the_same(s)]
        orders = [s for s in _swaps(ORDERS, self.text, told, near) if self._before_the_same(s)]
        told_of_it = any(self.keeps(s, 0.5) for s in (*plain, *sides)) or any(self.keeps(s, 1) for s in orders)
        return told_of_it and len({swap.made.start() for swap in (*plain, *sides, *orders)}) == 1

    def _leaves_room(self, swap: _Swap) -> bool:
        return not _EXCEPTS.isdisjoint({*swap.clause.words, *(word.folded for word in self.bare.words)})

    def _before_the_same(self, swap: _Swap) -> bool:
        return _beside(self.text, swap.made) == _beside(fold(swap.clause.text), swap.said)


def _names_beside(text: str, found: "regex.Match[str]", names: set[str]) -> tuple[set[str], set[str]]:
    """Give which of some names stand right before a word, and which right after it."""
    before, after = words(text[: found.start()])[-_BESIDE:], words(text[found.end() :])[:_BESIDE]
    return names & {word.folded for word in before}, names & {word.folded for word in after}


def _is_by_marriage(text: str, found: "regex.Match[str]") -> bool:
    before, after = text[: found.start()], text[found.end() :]
    return after.lstrip(" -").startswith("in-law") or _IN_LAW.search(before) is not None


_IN_LAW: Final = regex.compile(r"(?:beau|belle|grand|half|step|demi|petite?|schwieger|stief)[ -]$")


def _beside(text: str, found: "regex.Match[str]") -> tuple[bool, str]:
    """Give the next word that means something, or the one before where none follows, and which of the two it is."""
    after = [w.folded for w in words(text[found.end() :]) if w.folded not in _small()]
    before = [w.folded for w in words(text[: found.start()]) if w.folded not in _small()]
    return bool(after), next(iter((*after, *reversed(before))), "")


@lru_cache(maxsize=1)
def _small() -> frozenset[str]:
    return function_words() | DIRECTIONAL
