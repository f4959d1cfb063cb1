"""Words that a slip of the finger away from a stored one still mean: near spellings in the vocabulary of a scope.

An error is a letter too many, one missing, a wrong one, or two neighbours swapped (Damerau 1964, in the restricted form in
which no letter is touched twice). All words of nearly the same length are compared at once: those that share too few letters
or pairs of letters drop out first, the others go through Hyyrö's bit-parallel distance (2003), a column of letters at a time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import regex
from numpy.typing import NDArray

SHORTEST_WITH_ONE = 4
"""Letters of the shortest word tried with an error: of three, every other word is one letter away from a third."""

SHORTEST_WITH_TWO = 8
"""Two errors leave three quarters of such a word."""

SHORTEST_STORED = 3
LONGEST = 40
"""Longer runs of letters are no words; a column of the distance has to fit 64 bits."""

QUALITY = 0.7
"""A corrected word is a guess: worth less than a stem found (0.8), more than half the word itself."""

PRICE_OF_AN_ERROR = 1.5
"""One wrong letter of four leaves less sense than one of twelve: the quality falls by this times errors by letters."""

SHAKEN = 0.6
"""People get the first letter right: a guess that differs there counts that much less."""

SHORTEST_SHAKEN = 6
"""A shorter word that begins otherwise is another word ("boat", "coat"), as a name that begins or ends otherwise is another's
("Mario", "Maria"): these are no guesses at all, unless all letters are there."""

MOST_UNKNOWN = 16
"""A text with more unknown words is a paste and no question: nothing in it is a slip."""

MOST_READINGS = 3
"""The nearest stored words are taken together, since other forms of the word meant are among them."""

GROWTH = 4
"""Words that came later are joined with those before them once these are less than four times as many."""

_Codes = NDArray[np.uint16]
_Bits = NDArray[np.uint64]
_SEAMLESS = r"\p{Han}\p{Hiragana}\p{Katakana}ー々〆\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_WORD = regex.compile(rf"[[\p{{L}}\p{{M}}]--[{_SEAMLESS}]]+", regex.V1)


def is_word(term: str) -> bool:
    """Say whether ``term`` is a word in a script with blanks between words: no number, address, sign or stem."""
    return term.isalpha() if term.isascii() else _WORD.fullmatch(term) is not None


def errors_allowed(word: str) -> int:
    """Give how many errors ``word`` may hold, 0 to 2."""
    if not SHORTEST_WITH_ONE <= len(word) <= LONGEST or not is_word(word):
        return 0
    return 2 if len(word) >= SHORTEST_WITH_TWO else 1


def quality(asked: str, stored: str, errors: int, *, name: bool = False) -> float:
    """Give what the word ``stored`` is worth as an answer to ``asked``, 0-1; ``name`` says that a person may be meant."""
    worth = QUALITY * (1 - PRICE_OF_AN_ERROR * errors / len(asked))
    if sorted(asked) == sorted(stored) or (asked[0] == stored[0] and (not name or asked[-1] == stored[-1])):
        return worth
    return 0.0 if name or len(asked) < SHORTEST_SHAKEN else worth * SHAKEN


@dataclass(frozen=True, slots=True)
class _Bucket:
    """Words of one length: their letters row by row, and for each which letters and which pairs it has at all."""

    words: Sequence[str]
    codes: _Codes
    letters: _Bits
    pairs: _Bits


class Vocabulary:
    """The words of a scope, ready to be compared with a misspelt one. It only grows."""

    def __init__(self) -> None:
        self._parts: list[tuple[list[str], dict[int, _Bucket]]] = []

    def take(self, terms: Iterable[str]) -> None:
        """Take in the words among ``terms`` that are not there yet."""
        fresh = [term for term in terms if SHORTEST_STORED <= len(term) <= LONGEST and is_word(term)]
        if not fresh:
            return
        while self._parts and len(self._parts[-1][0]) <= GROWTH * len(fresh):
            fresh = self._parts.pop()[0] + fresh
        self._parts.append((fresh, _buckets(fresh)))

    def near(self, word: str, errors: int) -> list[tuple[str, int]]:
        """Give the words within ``errors`` of ``word``, each with its distance (at least 1), in no order."""
        lengths = range(len(word) - errors, len(word) + errors + 1)
        found: list[tuple[str, int]] = []
        for _, buckets in self._parts:
            alike = [_alike(buckets[length], word, errors) for length in lengths if length in buckets]
            found += _within([part for part in alike if part[0]], word, errors)
        return found


def _buckets(words: Iterable[str]) -> dict[int, _Bucket]:
    by_length = groupby(sorted(words, key=len), key=len)
    return {length: _bucket(list(group), length) for length, group in by_length}


def _bucket(words: list[str], length: int) -> _Bucket:
    codes = _codes("".join(words)).reshape(len(words), length)
    return _Bucket(words, codes, _bits(codes), _pairs(codes))


def _codes(text: str) -> _Codes:
    """Give one number a letter; the rare ones beyond the first plane may share theirs."""
    return np.frombuffer(text.encode("utf-32-le"), "<u4").astype(np.uint16)


def _pairs(codes: _Codes) -> _Bits:
    # Any mixing does: what falls together is only kept longer.
    return _bits(codes[:, :-1] * np.uint16(31) + codes[:, 1:])


def _bits(numbers: _Codes) -> _Bits:
    """Give for each row a set of what is in it, as bits."""
    bits: _Bits = np.bitwise_or.reduce(np.uint64(1) << (numbers & np.uint16(63)).astype(np.uint64), axis=1)
    return bits


def _alike(bucket: _Bucket, word: str, errors: int) -> tuple[list[str], _Codes]:
    """Give the words that lack so little of ``word``, and it of them, that they may be near.

    An error costs either side at most one letter, and at most three pairs (two neighbours swapped).
    """
    asked = _bucket([word], len(word))
    kept = np.flatnonzero(_differ_at_most(bucket.letters, asked.letters, errors))
    kept = kept[_differ_at_most(bucket.pairs[kept], asked.pairs, 3 * errors)]
    return [bucket.words[at] for at in kept.tolist()], bucket.codes[kept]


def _differ_at_most(some: _Bits, other: _Bits, most: int) -> NDArray[np.bool_]:
    differing = some ^ other
    fit: NDArray[np.bool_] = np.bitwise_count(differing & some) <= most
    fit &= np.bitwise_count(differing & other) <= most
    return fit


def _within(parts: Sequence[tuple[list[str], _Codes]], word: str, errors: int) -> Iterator[tuple[str, int]]:
    if not parts:
        return
    words = [one for names, _ in parts for one in names]
    lengths = np.repeat([codes.shape[1] for _, codes in parts], [len(names) for names, _ in parts])
    columns = np.zeros((int(lengths.max()), len(words)), np.uint16)
    start = 0
    for names, codes in parts:
        columns[: codes.shape[1], start : start + len(names)] = codes.T
        start += len(names)
    distances = _distances(word, columns, lengths)
    yield from ((words[at], int(distances[at])) for at in np.flatnonzero((distances <= errors) & (distances > 0)))


def _distances(word: str, columns: _Codes, lengths: NDArray[np.intp]) -> NDArray[np.int64]:
    """Give the distance of ``word`` from each word whose letters stand below each other in ``columns``.

    Names as in Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances" (2003), fig. 5.
    """
    one, top = np.uint64(1), np.uint64(len(word) - 1)
    where = _positions(word)
    vp, vn = np.full(len(lengths), np.uint64(2 ** len(word) - 1)), np.zeros(len(lengths), np.uint64)
    d0, before = np.zeros_like(vn), np.zeros_like(vn)
    score, result = np.full(len(lengths), len(word)), np.zeros(len(lengths), np.int64)
    for number, column in enumerate(columns, 1):
        match = where[column]
        swapped = ((~d0 & match) << one) & before
        d0 = (((match & vp) + vp) ^ vp) | match | vn | swapped
        hp, hn = vn | ~(d0 | vp), d0 & vp
        score += ((hp >> top) & one).astype(np.int64) - ((hn >> top) & one).astype(np.int64)
        hp, hn = (hp << one) | one, hn << one
        vp, vn, before = hn | ~(d0 | hp), hp & d0, match
        result[lengths == number] = score[lengths == number]
    return result


def _positions(word: str) -> _Bits:
    """Give for each letter a bit for every place of ``word`` where it stands."""
    where = np.zeros(2**16, np.uint64)
    for place, code in enumerate(_codes(word)):
        where[code] |= np.uint64(1 << place)
    return where
