"""What recall finds, on stores with questions of known evidence: every ranking asks the same rows, ours the real `recall`.

Stores 1, 3 and 5 are those the rule was fitted on; 2 and 4 were held out.
"""

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory import embedding, lexical
from memory.analysis import tokens
from memory.domain import Scope
from memory.embedding import Embedder
from memory.recall import floors, recall
from memory.recall.calibration import calibrate, centre_of
from memory.recall.names import subjects, without_names
from memory.recall.neutral import QUESTIONS
from memory.vectors import VectorIndex
from tests.databases import new_database
from tests.memory.recall.stores import AGENT, write

FITTED, HELD_OUT = (0, 2, 4), (1, 3)
DRAWS = 10
BM25_WEIGHT = 0.35
Array = NDArray[np.float64]


@dataclass
class Asked:
    """One store of the data in a scope of its own, with its questions."""

    name: str
    scope: Scope
    first: int  # row number of its first memory
    people: list[str]
    texts: list[str]
    questions: list[str]
    evidence: list[list[set[int]]]  # groups of row numbers
    now: datetime
    vectors: Array


class Quality:
    """A database with all stores of a data file; the embedder comes with the installation."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.embedder = embedding.load("english", folder / "home")
        self.database = new_database(folder / "quality.db")
        self.index = VectorIndex(self.embedder.digest, self.embedder.dimensions)
        self._known: dict[str, NDArray[np.float32]] = {}
        self.stores = [self._store(n, store) for n, store in enumerate(json.loads(data.read_text("utf-8"))["stores"])]
        self._calibrate()

    def _store(self, number: int, store: dict[str, Any]) -> Asked:
        first = 1 + sum(len(one.texts) for one in getattr(self, "stores", ())) + number * 1_000
        scope = Scope(f"chat:{number + 1}")
        rows = [self._row(scope, memory) for memory in store["memories"]]
        write(self.database, rows, self.embedder, first_pk=first)
        place = {memory["id"]: first + n for n, memory in enumerate(store["memories"])}
        evidence = [[{place[m] for m in group} for group in question["evidence"]] for question in store["questions"]]
        texts = [memory["text"] for memory in store["memories"]]
        last = max(row["created_at"] for row in rows)
        return Asked(store["name"], scope, first, sorted({m["about"] for m in store["memories"]}), texts,
                     [question["text"] for question in store["questions"]], evidence, last + timedelta(days=1),
                     np.stack(self.embedder.embed_passages(texts)).astype(np.float64))  # fmt: skip

    def _row(self, scope: Scope, memory: dict[str, Any]) -> dict[str, Any]:
        said = datetime.fromisoformat(memory["said_on"]).replace(tzinfo=UTC)
        times = {"created_at": said, "updated_at": said, "accessed_at": said, "valid_from": said}
        return {"text": memory["text"], "subject": memory["about"], "scope": scope, **times}

    def _calibrate(self) -> None:
        neutral = [self.embed(question) for question in QUESTIONS]
        self.index.neutral = centre_of(neutral)
        with self.database.read() as uow:
            measured = [calibrate(uow.connection, self.index, neutral, AGENT, one.scope) for one in self.stores]
        with self.database.write() as uow:
            for one in measured:
                floors.keep(uow.connection, one)
            uow.commit()

    def embed(self, text: str) -> NDArray[np.float32]:
        """Give the vector of a question, made once."""
        if text not in self._known:
            self._known[text] = self.embedder.embed_query(text)
        return self._known[text]

    def ask(
        self, store: Asked, question: str, *, limit: int = 10, gated: bool = False, aged: bool = False
    ) -> list[int]:
        """Give the row numbers that the real recall chooses, best first; unless ``aged`` all are as fresh as can be."""
        with self.database.read() as uow:
            bare = without_names(question, subjects(uow.connection, AGENT, store.scope))
            nameless = self.embed(bare) if bare else None
            found = recall(uow.connection, self.index, question, self.embed(question), nameless, agent=AGENT,
                           scope=store.scope, now=store.now, limit=limit, token_budget=100_000, count_tokens=len,
                           lived_hours=None if aged else lambda _: 0.0, gated=gated)  # fmt: skip
        return [int(one.memory.id) for one in found.chosen]

    def cosines(self, store: Asked, question: str) -> Array:
        """Give the plain cosine of each memory."""
        return store.vectors @ self.embed(question).astype(np.float64)

    def bm25(self, store: Asked, question: str) -> Array:
        """Give the keyword score of each memory."""
        scores = np.zeros(len(store.texts))
        with self.database.read() as uow:
            for hit in lexical.search(uow.connection, AGENT, (store.scope,), tokens(question), limit=len(scores)).hits:
                scores[hit.pk - store.first] = hit.bm25
        return scores

    def draw(self, store: Asked, rng: np.random.Generator) -> tuple[Array, Array]:
        """Give every memory an importance of 3-9 and an age of 0-90 days, in the file as well."""
        importance, hours = rng.integers(3, 10, len(store.texts)), rng.uniform(0, 90 * 24, len(store.texts))
        with self.database.write() as uow:
            for n, (weight, age) in enumerate(zip(importance.tolist(), hours.tolist(), strict=True)):
                uow.connection.exec_driver_sql(
                    "UPDATE memories SET importance = ?, accessed_at = ? WHERE pk = ?",
                    (weight, f"{store.now - timedelta(hours=age):%Y-%m-%d %H:%M:%S.000000}", store.first + n),
                )
            uow.commit()
        return importance.astype(np.float64), hours


Ranking = Callable[[Quality, Asked, str], list[int]]


def found(evidence: Sequence[set[int]], ranked: Sequence[int]) -> float:
    """Give the share of the evidence groups with a memory among those ranked."""
    return float(np.mean([bool(group.intersection(ranked)) for group in evidence]))


def by(scores: Callable[[Quality, Asked, str], Array]) -> Ranking:
    """Rank by a score of every memory; of equal ones the older first."""

    def ranked(quality: Quality, store: Asked, question: str) -> list[int]:
        return (np.argsort(-scores(quality, store, question), kind="stable")[:10] + store.first).tolist()

    return ranked


def stretched(quality: Quality, store: Asked, question: str) -> Array:
    """Give cosine + 0.35 · BM25, stretched to the best of each question: the plain fusion to beat."""
    words = quality.bm25(store, question)
    return quality.cosines(store, question) + BM25_WEIGHT * words / max(words.max(), 1e-9)


RANKINGS: dict[str, Ranking] = {
    "cosine": by(Quality.cosines),
    "BM25": by(Quality.bm25),
    "cosine + 0.35 BM25": by(stretched),
    "ours": Quality.ask,
}


def per_question(quality: Quality, ranking: Ranking, which: Sequence[int]) -> Array:
    """Give R@5 and R@10 of every question of some stores, two columns."""
    rows = []
    for store in (quality.stores[n] for n in which):
        for question, evidence in zip(store.questions, store.evidence, strict=True):
            ranked = ranking(quality, store, question)
            rows.append((found(evidence, ranked[:5]), found(evidence, ranked[:10])))
    return np.array(rows)


def interval(differences: Array, draws: int = 4_000) -> tuple[float, float]:
    """Give the 95 % bootstrap interval of a mean over questions."""
    rng = np.random.default_rng(0)
    means = differences[rng.integers(0, len(differences), (draws, len(differences)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def mixed(quality: Quality, which: Sequence[int], draws: int) -> tuple[Array, Array]:
    """Give the means of ours and of the additive formula over drawn importances and ages, per question."""
    ours, additive = [], []
    rng = np.random.default_rng(7)
    for _ in range(draws):
        weights = {quality.stores[n].name: quality.draw(quality.stores[n], rng) for n in which}
        ours.append(per_question(quality, _aged, which))
        additive.append(per_question(quality, _added(weights), which))
    return np.mean(ours, axis=0), np.mean(additive, axis=0)


def _aged(quality: Quality, store: Asked, question: str) -> list[int]:
    return quality.ask(store, question, aged=True)


def _added(weights: dict[str, tuple[Array, Array]]) -> Ranking:
    def scores(quality: Quality, store: Asked, question: str) -> Array:
        importance, hours = weights[store.name]
        return quality.cosines(store, question) + importance / 10 + 0.995**hours

    return by(scores)


@dataclass
class Refusals:
    """Of one store: which foreign questions it refused, with their own names and with its people's, and what it lost."""

    foreign: list[bool]
    swapped: list[bool]
    lost: list[float]


def refusals(quality: Quality, store: Asked) -> Refusals:
    """Ask a store the questions of all others, and its own with and without the gate."""
    others = [(one, question) for one in quality.stores if one is not store for question in one.questions]
    lost = []
    for question, evidence in zip(store.questions, store.evidence, strict=True):
        free, held = (found(evidence, quality.ask(store, question, gated=gated)) for gated in (False, True))
        lost.append(free - held)
    names = [renamed(question, one.people, store.people) for one, question in others]
    return Refusals(
        [not quality.ask(store, question, limit=1, gated=True) for _, question in others],
        [not quality.ask(store, question, limit=1, gated=True) for question in names],
        lost,
    )


def pooled(of_stores: Sequence[Refusals]) -> dict[str, float]:
    """Give the shares over all questions of some stores, and what the gate costs with its 95 % interval."""
    foreign, swapped, lost = (
        [x for one in of_stores for x in getattr(one, name)] for name in ("foreign", "swapped", "lost")
    )
    low, high = interval(np.array(lost))
    return {"foreign_refused": float(np.mean(foreign)), "swapped_refused": float(np.mean(swapped)),
            "own_lost": float(np.mean(lost)), "own_lost_low": low, "own_lost_high": high}  # fmt: skip


def renamed(question: str, theirs: Sequence[str], ours: Sequence[str]) -> str:
    """Give a question of one store about the people of another."""
    for old, new in zip(theirs, ours, strict=False):
        question = question.replace(old, f"\0{new}")
    return question.replace("\0", "")


def single_characters(quality: Quality, cases: Path) -> dict[str, int]:
    """Ask for every one- and two-character piece of the Chinese, Japanese and Korean cases; give how many find theirs."""
    wanted = {"ret-d10", "ret-d11", "ret-d12", "ret-d13"}
    asked = missed = 0
    for line in cases.read_text("utf-8").splitlines():
        if json.loads(line)["id"] not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            one, lost = _pieces(json.loads(line), Path(folder), quality.embedder)
        asked, missed = asked + one, missed + lost
    return {"asked": asked, "missed": missed}


def _pieces(case: dict[str, Any], folder: Path, embedder: Embedder) -> tuple[int, int]:
    database = new_database(folder / "t.db")
    texts = [memory["text"] for memory in case["store"]]
    write(database, [{"text": text} for text in texts], embedder)
    index = VectorIndex(embedder.digest, embedder.dimensions)
    pieces = {(text[n : n + size], text) for text in texts if not text.isascii() for size in (1, 2)
              for n in range(len(text) - size + 1) if all(c.isalpha() and ord(c) > 0x2E80 for c in text[n : n + size])}  # fmt: skip
    missed = 0
    with database.read() as uow:
        for piece, text in sorted(pieces):
            found_ = recall(uow.connection, index, piece, embedder.embed_query(piece), agent=AGENT, scope=Scope("chat:1"),
                            now=datetime(2026, 11, 30, tzinfo=UTC), limit=50, token_budget=100_000, count_tokens=len)  # fmt: skip
            missed += text not in {one.memory.text for one in found_.chosen}
    database.close()
    return len(pieces), missed


def measure(data: Path, *, draws: int = DRAWS) -> dict[str, Any]:
    """Give all figures and print them as tables."""
    with tempfile.TemporaryDirectory() as folder:
        quality = Quality(data, Path(folder))
        result: dict[str, Any] = {
            part: _part(quality, part, which, draws) for part, which in (("fitted", FITTED), ("held out", HELD_OUT))
        }
        refused = [refusals(quality, store) for store in quality.stores]
        for part, which in (("fitted", FITTED), ("held out", HELD_OUT), ("all", range(len(refused)))):
            figures = pooled([refused[n] for n in which])
            print(f"abstention, {part}: " + " · ".join(f"{name} {value:.3f}" for name, value in figures.items()))
            result.setdefault(part, {})["abstention"] = figures
        result["cjk"] = single_characters(quality, Path("tests/cases/retrieval.jsonl"))
        print(f"one and two characters: {result['cjk']}")
        quality.database.close()
    return result


def _part(quality: Quality, part: str, which: Sequence[int], draws: int) -> dict[str, Any]:
    tables = {name: per_question(quality, ranking, which) for name, ranking in RANKINGS.items()}
    tables["ours, mixed"], tables["additive"] = mixed(quality, which, draws)
    result: dict[str, Any] = {}
    for name, figures in tables.items():
        five, ten = figures.mean(axis=0)
        result[name] = {"r5": float(five), "r10": float(ten)}
        print(f"{part:9} {name:20} R@5 {five:.3f}  R@10 {ten:.3f}")
    for name in ("cosine", "cosine + 0.35 BM25"):
        difference = tables["ours"][:, 1] - tables[name][:, 1]
        low, high = interval(difference)
        result[name] |= {"ours_above": float(difference.mean()), "low": low, "high": high}
        print(f"{part:9} ours above {name}: {difference.mean():+.3f} [{low:+.3f}, {high:+.3f}]")
    return result
