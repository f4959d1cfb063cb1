"""What finding a memory costs, and what it finds. ``python -m tests.bench.recall``.

Speed stands beside a floor measured in the same run, on the same rows: one numpy matrix-vector product and one raw FTS5
query of the same terms. The query's embedding is not part of either.

    --size N      memories the asking chat sees (default: 1,000, then 10,000, then 100,000)
    --stored N    memories in the file, the rest in other chats (default: as many as the chat sees)
    --data FILE   questions with known evidence: prints what is found among the first five and ten
    --draws N     with --data: how many random importances and ages are tried
    --json        prints one machine-readable line last
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.analysis import distinct, tokens
from memory.database import Database
from memory.domain import Actor, Kind, Layer, Trust
from memory.entries import Cause
from memory.lived import lived_in
from memory.policy import CANDIDATES_PER_SIDE, CONTENT_WEIGHT
from memory.recall import recall
from memory.reflection.operations import NewMemory
from memory.store import insert
from memory.vectors import VectorIndex
from tests.bench import quality
from tests.bench.invented_store import AGENT, DIGEST, DIMENSIONS, HERE, Invented, fill
from tests.databases import new_database

SIZES = (1_000, 10_000, 100_000)
QUESTIONS = 40
WRITES = 1_000
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
Figures = dict[str, float]


def speed(size: int, stored: int) -> Figures:
    """Measure recall where one chat sees ``size`` of ``stored`` memories. Times in ms, medians."""
    with tempfile.TemporaryDirectory() as folder:
        database, invented = new_database(Path(folder) / "bench.db"), Invented()
        texts = fill(database, invented, visible=size, stored=stored)
        asked = [(invented.question(text), invented.vectors(1)[0]) for text in _sample(texts)]
        figures = (
            _loading(database, size) | _asking(database, asked) | _floor(database, asked, size, scoped=stored > size)
        )
        database.close()
    figures["ratio"] = figures["recall_ms"] / figures["floor_ms"]
    return figures


def _sample(texts: list[str]) -> list[str]:
    return texts[:: max(1, len(texts) // QUESTIONS)][:QUESTIONS]


def _loading(database: Database, size: int) -> Figures:
    index = VectorIndex(DIGEST, DIMENSIONS)
    with database.read() as uow:
        took = _ms(lambda: index.count(uow.connection, AGENT, (HERE,)))
    return {"load_vectors_ms": took, "index_bytes_ratio": index.nbytes / (size * DIMENSIONS * 4)}


def _asking(database: Database, asked: list[tuple[str, NDArray[np.float32]]]) -> Figures:
    index = VectorIndex(DIGEST, DIMENSIONS)
    first = _ms(lambda: _recall(database, index, *asked[0]))
    plain = [_ms(lambda one=one: _recall(database, index, *one)) for one in asked]
    after = []
    for one in asked:
        _touch(database)
        after.append(_ms(lambda one=one: _recall(database, index, *one)))
    return {"first_ms": first, "recall_ms": statistics.median(plain), "p95_ms": statistics.quantiles(plain, n=20)[18],
            "after_write_ms": statistics.median(after)}  # fmt: skip


def _recall(database: Database, index: VectorIndex, question: str, vector: NDArray[np.float32]) -> None:
    with database.read() as uow:
        lived = lived_in(uow, AGENT, NOW)
        recall(uow.connection, index, question, vector, agent=AGENT, scope=HERE, now=NOW, lived_hours=lived,
               count_tokens=lambda text: len(text) // 4 + 1)  # fmt: skip


def _touch(database: Database) -> None:
    """Change one visible memory, as a turn's reflection does."""
    with database.write() as uow:
        uow.connection.exec_driver_sql(
            "UPDATE memories SET text = text || '' WHERE pk = (SELECT max(pk) FROM memories WHERE scope = ?)", (HERE,)
        )
        uow.commit()


def _floor(database: Database, asked: list[tuple[str, NDArray[np.float32]]], size: int, *, scoped: bool) -> Figures:
    matrix = Invented(2).vectors(size)
    threaded = statistics.median(_ms(lambda v=vector: matrix @ v) for _, vector in asked)
    alone = statistics.median(_ms(lambda v=vector: np.vecdot(matrix, v)) for _, vector in asked)
    product = min(threaded, alone)  # on a busy machine the second thread of the first costs more than it brings
    with database.read() as uow:
        connection = uow.connection
        found = statistics.median(_ms(lambda q=question: _raw(connection, q, scoped=scoped)) for question, _ in asked)
    return {"product_ms": product, "fts_ms": found, "floor_ms": product + found}


def _raw(connection: Any, question: str, *, scoped: bool) -> None:
    """Ask the full-text table; where it holds what others said, within the scope."""
    telling = [token for token in tokens(question) if token.weight >= CONTENT_WEIGHT]
    terms = " OR ".join(f'"{term}"' for term in distinct(telling))
    within = f'scope : "{AGENT}|{HERE}" AND ' if scoped else ""
    match = f"{within}terms : ({terms})"
    connection.exec_driver_sql(
        "SELECT rowid, rank FROM memories_fts WHERE memories_fts MATCH ? ORDER BY rank LIMIT ?",
        (match, CANDIDATES_PER_SIDE),
    ).fetchall()


def writing() -> Figures:
    """Measure the one write path: a thousand statements with vectors in one transaction, without embedding."""
    invented = Invented()
    texts, vectors = [invented.text() for _ in range(WRITES)], invented.vectors(WRITES)
    with tempfile.TemporaryDirectory() as folder:
        database, index = new_database(Path(folder) / "bench.db"), VectorIndex(DIGEST, DIMENSIONS)
        began = time.perf_counter()
        with database.write() as uow:
            for text, vector in zip(texts, vectors, strict=True):
                new = NewMemory(HERE, text, Kind.SEMANTIC, 5, None, "Anna", 1, Trust.OWNER)
                insert(uow, new, agent=AGENT, now=NOW, vector=vector, digest=DIGEST, layer=Layer.WORKING,
                       cause=Cause("ADD", Actor.REFLECTION, "bench"), index=index)  # fmt: skip
            uow.commit()
        took = time.perf_counter() - began
        database.close()
    return {"writes_s": took}


def _ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _show(size: int, stored: int, figures: Figures) -> None:
    print(f"{size:,} visible of {stored:,}")
    for name, value in figures.items():
        print(f"  {name:<18} {value:10.2f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, help="memories the asking chat sees")
    parser.add_argument("--stored", type=int, help="memories in the file")
    parser.add_argument("--data", type=Path, help="questions with known evidence")
    parser.add_argument("--draws", type=int, default=quality.DRAWS, help="random importances and ages tried")
    parser.add_argument("--json", action="store_true", help="print one machine-readable line last")
    options = parser.parse_args()
    result: dict[str, Any] = {}
    if options.data is not None:
        result["quality"] = quality.measure(options.data, draws=options.draws)
    if options.data is None or options.size:
        result["speed"] = []
        for size in [options.size] if options.size else SIZES:
            stored = max(size, options.stored or size)
            figures = speed(size, stored)
            _show(size, stored, figures)
            result["speed"].append({"visible": size, "stored": stored} | figures)
        result["writing"] = writing()
        print(f"{WRITES:,} writes in {result['writing']['writes_s']:.2f} s")
    if options.json:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
