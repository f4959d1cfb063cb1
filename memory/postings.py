"""The keywords of one scope, held in memory: which rows hold a term, and the cue phrases of its lessons.

They mirror the full-text table, which stays what a restart reads them from (`mirrors`). A term that one row holds, as half
of them do, is kept as a bare number, others as packed arrays: about 300 bytes a memory in all.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory import policy
from memory.changes import STATUS_CODES, as_array
from memory.domain import AgentSlug, Scope, Status
from memory.typos import Vocabulary

Places = NDArray[np.intp]
Numbers = Sequence[int] | NDArray[np.int64] | NDArray[np.int8]

_GONE = -1
_CODES = {status.value: code for status, code in STATUS_CODES.items()}
_EVERY_ROW = "memories AS m"
_SOME_ROWS = "json_each(?) AS wanted CROSS JOIN memories AS m ON m.pk = wanted.value"
_TERMS = """
SELECT m.pk, m.status, length(m.text), f.terms FROM {rows} LEFT JOIN memories_fts AS f ON f.rowid = m.pk
WHERE m.agent_slug = ? AND m.scope = ?
"""
_CUES = """
SELECT m.pk, t.phrase, t.what = 'common' FROM {rows} JOIN memory_triggers AS t ON t.memory_id = m.id
WHERE m.agent_slug = ? AND m.scope = ? AND t.what IN ('phrase', 'common')
"""


class Postings:
    """Rows by term. A row has a place, which it keeps; the rows that left keep theirs until all is read again."""

    def __init__(self) -> None:
        self.cues: dict[int, list[tuple[str, bool]]] = {}  # phrases by row, and whether each is too common
        self._by_term: dict[str, int | array[int]] = {}
        self._count = 0  # of places
        self._dead = 0
        self._pks = np.empty(0, np.int64)
        self._statuses = np.empty(0, np.int8)
        self._factors = np.empty(0, np.float64)
        self._vocabulary = Vocabulary()
        self._learned = 0  # terms that the vocabulary has seen: the first ones, since terms only come

    def __len__(self) -> int:
        return self._count - self._dead

    @property
    def worn(self) -> bool:
        """Say whether so many rows left that reading anew pays."""
        return self._dead > policy.WORN_ROWS + len(self) // 4

    @property
    def pks(self) -> NDArray[np.int64]:
        """Give the row at each place."""
        return self._pks[: self._count]

    @property
    def factors(self) -> NDArray[np.float64]:
        """Give for each place what the length of its text makes of a score."""
        return self._factors[: self._count]

    @property
    def statuses(self) -> NDArray[np.int8]:
        """Give the code of the status at each place, `_GONE` for one whose row left."""
        return self._statuses[: self._count]

    def terms(self) -> Iterable[str]:
        """Give every term that a row holds or held."""
        return self._by_term.keys()

    def near(self, word: str, errors: int) -> list[tuple[str, int]]:
        """Give the words that some row holds or held within ``errors`` of ``word``, each with its distance."""
        missing = len(self._by_term) - self._learned
        if missing:
            self._vocabulary.take(islice(reversed(self._by_term), missing))
            self._learned = len(self._by_term)
        return self._vocabulary.near(word, errors)

    def allowed(self, statuses: Collection[Status], hidden: Collection[int]) -> NDArray[np.bool_]:
        """Say for each place whether its row is there, in one of ``statuses`` and not ``hidden``."""
        allowed = np.zeros(self._count, np.bool_)
        for status in statuses:
            allowed |= self.statuses == STATUS_CODES[status]
        if hidden:
            allowed[np.isin(self.pks, list(hidden))] = False
        return allowed

    def places(self, term: str) -> Places:
        """Give where ``term`` is held."""
        held = self._by_term.get(term, ())
        return np.array((held,) if isinstance(held, int) else held, np.intp)

    def absorb(self, pks: Collection[int], fresh: "Postings") -> None:
        """Drop the rows ``pks`` and take in those of ``fresh``, which has seen no change yet."""
        gone = np.flatnonzero(np.isin(self.pks, np.fromiter(pks, np.int64, len(pks))) & (self.statuses != _GONE))
        self._statuses[gone] = _GONE
        self._dead += len(gone)
        for pk in pks:
            self.cues.pop(pk, None)
        first = self._extend(fresh.pks, fresh.statuses, fresh.factors)
        for term in fresh.terms():
            self._post(term, array("i", (fresh.places(term) + first).tolist()))
        self.cues |= fresh.cues

    def take(self, rows: Sequence[Sequence[Any]]) -> None:
        """Take in rows of (number, status, length of the text, terms)."""
        if not rows:
            return
        pks, statuses, lengths, texts = zip(*rows, strict=True)
        first = self._extend(pks, [_CODES[status] for status in statuses], _length_factors(lengths))
        terms = [(text or "").split(" ") for text in texts]
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        ids = np.fromiter(map(numbers.__getitem__, chain.from_iterable(terms)), np.int32)
        places = np.repeat(np.arange(first, self._count, dtype=np.int32), [len(held) for held in terms])
        by_term = np.argsort(ids, kind="stable")
        ends = np.cumsum(np.bincount(ids))
        held = array("i", places[by_term].tobytes())
        for term, start, end in zip(numbers, (0, *ends), ends, strict=False):
            self._post(term, held[start:end])

    @property
    def nbytes(self) -> int:
        """Give about how many bytes this takes."""
        arrays = self._pks.nbytes + self._statuses.nbytes + self._factors.nbytes
        return arrays + self._by_term.__sizeof__() + sum(map(_size, self._by_term.items()))

    def _post(self, term: str, places: "array[int]") -> None:
        held = self._by_term.get(term)
        if held is None:
            self._by_term[term] = places[0] if len(places) == 1 else places
        elif isinstance(held, int):
            self._by_term[term] = array("i", (held, *places))
        else:
            held.extend(places)

    def _extend(self, pks: Numbers, statuses: Numbers, factors: NDArray[np.float64]) -> int:
        """Take in columns; give the first new place."""
        first, self._count = self._count, self._count + len(factors)
        if self._count > len(self._pks):
            room = max(self._count - len(self._pks), len(self._pks) // policy.MATRIX_GROWTH)
            self._pks = np.concatenate([self._pks, np.zeros(room, np.int64)])
            self._statuses = np.concatenate([self._statuses, np.zeros(room, np.int8)])
            self._factors = np.concatenate([self._factors, np.zeros(room)])
        self._pks[first : self._count] = pks
        self._statuses[first : self._count] = statuses
        self._factors[first : self._count] = factors
        return first


def load(connection: Connection, agent: AgentSlug, scope: Scope, pks: Collection[int] | None) -> Postings:
    """Read the keywords of a scope, of all its rows or of those given."""
    rows = _EVERY_ROW if pks is None else _SOME_ROWS
    bound = (agent, scope) if pks is None else (as_array(pks), agent, scope)
    postings = Postings()
    postings.take(connection.exec_driver_sql(_TERMS.format(rows=rows), bound).fetchall())
    for pk, phrase, common in connection.exec_driver_sql(_CUES.format(rows=rows), bound):
        postings.cues.setdefault(pk, []).append((phrase, bool(common)))
    return postings


def _length_factors(lengths: Sequence[int]) -> NDArray[np.float64]:
    relative = 1 - policy.BM25_B + policy.BM25_B * np.array(lengths) / policy.TYPICAL_LENGTH
    factors: NDArray[np.float64] = (policy.BM25_K1 + 1) / (1 + policy.BM25_K1 * relative)
    return factors


def _size(entry: tuple[str, "int | array[int]"]) -> int:
    return entry[0].__sizeof__() + entry[1].__sizeof__()
