"""Large stores for measuring: invented words with the frequencies of a language, random vectors, many scopes.

Rows are written in bulk, as the one write path would leave them; words are analysed once and not text by text.
"""

import random
from functools import cache
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory.analysis import analyse
from memory.database import Database
from memory.domain import AgentSlug, Scope

AGENT = AgentSlug("tidemark")
HERE = Scope("chat:1")
DIGEST = "bench"
DIMENSIONS = 384
WORDS = 30_000
WORDS_OF_A_TEXT = 11
ROWS_AT_ONCE = 20_000
FOREIGN_SCOPE = 1_000  # memories of each other chat

_ROW = """INSERT INTO memories (pk, id, agent_slug, scope, text, normalised, kind, layer, importance, status, trust,
created_at, updated_at, accessed_at, embedding, embedding_model)
VALUES (?, ?, ?, ?, ?, '', 'semantic', 'working', ?, 'active', 'owner', ?, ?, ?, ?, ?)"""
_TERMS = "INSERT INTO memories_fts (rowid, scope, terms) VALUES (?, ?, ?)"
_SYLLABLES = (
    "ba",
    "ke",
    "mo",
    "ri",
    "tu",
    "fa",
    "le",
    "no",
    "si",
    "du",
    "ga",
    "pe",
    "zo",
    "vi",
    "lu",
    "ha",
    "te",
    "ro",
)


class Invented:
    """Words, texts and vectors, the same at each run."""

    def __init__(self, seed: int = 1) -> None:
        self._random = random.Random(seed)
        self._numbers = np.random.default_rng(seed)
        drawn = {"".join(self._random.choices(_SYLLABLES, k=self._random.randint(2, 5))) for _ in range(WORDS * 2)}
        self._words = sorted(drawn)[:WORDS]
        self._random.shuffle(self._words)
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self._words))))  # Zipf's law

    def text(self) -> str:
        """Give a statement."""
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=WORDS_OF_A_TEXT))

    def question(self, text: str) -> str:
        """Give a question about a statement: half of its words, and some that are not its own."""
        return " ".join([*self._random.sample(text.split(), 5), *self.text().split()[:3]])

    def vectors(self, count: int) -> NDArray[np.float32]:
        """Give unit vectors, one a row."""
        rows = self._numbers.standard_normal((count, DIMENSIONS), dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def fill(database: Database, invented: Invented, *, visible: int, stored: int) -> list[str]:
    """Store ``visible`` memories in `HERE` and the rest of ``stored`` in other chats, in mixed order; give the visible."""
    texts: list[str] = []
    others = max(1, (stored - visible) // FOREIGN_SCOPE)
    every = max(1, stored // visible)
    for first in range(1, stored + 1, ROWS_AT_ONCE):
        pks = range(first, min(first + ROWS_AT_ONCE, stored + 1))
        scopes = [HERE if pk % every == 0 and pk // every <= visible else f"chat:{2 + pk % others}" for pk in pks]
        with database.write() as uow:
            written = _write(uow.connection, invented, pks, scopes)
            uow.commit()
        texts += [text for text, scope in zip(written, scopes, strict=True) if scope == HERE]
    return texts


def _write(connection: Connection, invented: Invented, pks: range, scopes: list[str]) -> list[str]:
    texts = [invented.text() for _ in pks]
    when = "2026-11-29 08:00:00.000000"
    rows, terms = [], []
    for pk, scope, text, vector in zip(pks, scopes, texts, invented.vectors(len(pks)), strict=True):
        fixed = (pk, f"{pk:026}", AGENT, scope, text, 1 + pk % 10)
        rows.append((*fixed, when, when, when, vector.tobytes(), DIGEST))
        terms.append(
            (pk, f"{AGENT}|{scope}", " ".join(dict.fromkeys(t for word in text.split() for t in _terms(word))))
        )
    connection.exec_driver_sql(_ROW, rows)
    connection.exec_driver_sql(_TERMS, terms)
    return texts


@cache
def _terms(word: str) -> tuple[str, ...]:
    return analyse(word)
