"""How long finding near-duplicates takes, beside the bare matrix product of the same vectors in the same run.

    python -m tests.bench.hygiene [--rows 10000] [--rounds 3]

The floor is the whole product, block by block as it is needed in memory, without looking at a single number of it. A real
SQLite file, one scope and subject, unit vectors of 384 dimensions with some thousand near-duplicates among them.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory import policy
from memory.database import Database
from memory.hygiene import clusters
from tests.databases import new_database
from tests.memory.lifecycle.lives import ENGINE
from tests.memory.samples import DIGEST, NOW, keep

DIMENSIONS = 384


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = new_database(Path(folder) / "t.db")
        vectors = fill(database, given.rows)
        floor, _ = best(given.rounds, lambda: product(vectors))
        found, blocks = best(given.rounds, lambda: find(database))
        database.close()
    print(f"{given.rows} memories of one subject, {len(vectors)} vectors")
    print(f"bare matrix product      {floor * 1e3:8.0f} ms")
    print(f"reading, pairs, clusters {found * 1e3:8.0f} ms   ratio {found / floor:.2f} (goal 2)")
    print(f"one block: median {statistics.median(blocks) * 1e3:.1f} ms, longest {max(blocks) * 1e3:.1f} ms")


def fill(database: Database, rows: int) -> NDArray[np.float32]:
    """Fill the file; every fifth memory lies near the one before it."""
    rng = np.random.default_rng(7)
    vectors = rng.normal(size=(rows, DIMENSIONS)).astype(np.float32)
    vectors[::5] = vectors[1::5][: len(vectors[::5])] + 0.3 * vectors[::5]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    for first in range(0, rows, 1000):
        with database.write() as uow:
            for n in range(first, min(rows, first + 1000)):
                keep(uow, f"Statement number {n}", now=NOW + timedelta(seconds=n), vector=vectors[n], digest=DIGEST)
            uow.commit()
    return vectors


def product(vectors: NDArray[np.float32]) -> list[float]:
    """Make the whole product and look at nothing."""
    size = policy.HYGIENE_BLOCK
    for row in range(0, len(vectors), size):
        for column in range(0, len(vectors), size):
            vectors[row : row + size] @ vectors[column : column + size].T
    return []


def find(database: Database) -> list[float]:
    """Find the clusters; give how long each block took."""
    times, edges = [], []
    with database.read() as uow:
        for group in clusters.groups(uow, ENGINE):
            pks, vectors = clusters.vectors_of(uow, ENGINE, group.pks)
            blocks = clusters.near(pks, vectors, policy.HYGIENE_COSINE)
            while True:
                begin = time.perf_counter()
                block = next(blocks, None)
                if block is None:
                    break
                times.append(time.perf_counter() - begin)
                edges += block
        assert clusters.clusters(uow, edges)
    return times


def best(rounds: int, work: Callable[[], list[float]]) -> tuple[float, list[float]]:
    """Give the shortest time of some rounds, and what the work gave then."""
    taken = []
    for _ in range(rounds):
        begin = time.perf_counter()
        result = work()
        taken.append((time.perf_counter() - begin, result))
    return min(taken, key=lambda one: one[0])


if __name__ == "__main__":
    main()
