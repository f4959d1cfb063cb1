"""How much evidence chance finds in a store: the best of each of 64 questions about nothing in it.

    own   = mean + 2.5 standard deviations of the best evidence of the neutral questions, here
    floor = U(n) + 0.25 · (own - N(n))

U and N are the floor and the null that are usual for a store of n memories. A store's own null moves the floor by a quarter
only, since measured on five stores it tells nothing by itself (a fixed floor refused as many foreign questions for the same loss); it
earns its place by the size of a store, and with embedders nothing is known of, where it decides alone.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from sqlalchemy import Connection

from memory import policy
from memory.domain import GLOBAL, AgentSlug, Scope
from memory.embedders.english import SHA256 as ENGLISH
from memory.recall.candidates import POOL
from memory.recall.floors import Calibration, held
from memory.recall.gate import grown, usual_floor
from memory.recall.neutral import QUESTIONS
from memory.recall.pipeline import best_evidence, size_of
from memory.recall.question import understand
from memory.vectors import Vector, VectorIndex

USUAL = {ENGLISH: (policy.USUAL_FLOOR, policy.USUAL_NULL)}
"""Floor and null of a store of usual size, by the digest of the embedder, where they were measured."""

_SIZES = "SELECT scope, count(*) FROM memories WHERE agent_slug = ? AND status = ? GROUP BY scope"
_NO_MATTER_WHEN = datetime(2000, 1, 1, tzinfo=UTC)  # evidence knows no dates


def calibrate(
    connection: Connection, index: VectorIndex, neutral_vectors: Sequence[Vector], agent: AgentSlug, scope: Scope
) -> Calibration:
    """Measure the floor of what is visible in ``scope`` with the model of ``index``.

    Args:
        connection: an open snapshot.
        index: the vectors.
        neutral_vectors: of `neutral.QUESTIONS`, in their order, as the embedder makes them of questions.
        agent: whose memories.
        scope: where questions will be asked.

    Raises:
        ValueError: there are not as many vectors as questions, or they are not of that model.
    """
    best = [
        found_by_chance(connection, index, query, vector, agent, scope)
        for query, vector in zip(QUESTIONS, neutral_vectors, strict=True)
    ]
    return calibrated(connection, index, best, agent, scope)


def found_by_chance(
    connection: Connection, index: VectorIndex, query: str, vector: Vector, agent: AgentSlug, scope: Scope
) -> float:
    """Give the best evidence that one neutral question finds in ``scope``: a few milliseconds of a measurement."""
    question = understand(query, vector, None, agent=agent, scope=scope, now=_NO_MATTER_WHEN)
    return best_evidence(connection, index, question)


def calibrated(
    connection: Connection, index: VectorIndex, best: Sequence[float], agent: AgentSlug, scope: Scope
) -> Calibration:
    """Give the floor that follows from the best evidence of each neutral question."""
    memories = size_of(connection, agent, scope)
    return Calibration(agent, scope, index.digest, floor_of(best, memories, USUAL.get(index.digest)), memories)


def due(connection: Connection, agent: AgentSlug, digest: str) -> tuple[Scope, ...]:
    """Give the scopes whose floor was not measured with this model yet, or when they were a fifth smaller or larger.

    A store too small to tell anything has the smallest floor and is never measured.
    """
    sizes = {Scope(scope): count for scope, count in connection.exec_driver_sql(_SIZES, (agent, POOL.value))}
    shared = sizes.get(GLOBAL, 0)
    visible = {scope: count + (0 if scope == GLOBAL else shared) for scope, count in sizes.items()}
    return tuple(scope for scope, count in sorted(visible.items()) if _is_due(connection, agent, scope, digest, count))


def _is_due(connection: Connection, agent: AgentSlug, scope: Scope, digest: str, memories: int) -> bool:
    if memories < policy.SMALL_STORE:
        return False
    kept = held(connection, agent, scope, digest)
    return kept is None or abs(memories - kept.memories) >= policy.RECALIBRATED_AT * kept.memories


def floor_of(best: Sequence[float], memories: int, usual: tuple[float, float] | None) -> float:
    """Give the floor, from the best evidence of each neutral question; ``usual`` floor and null, None where unknown."""
    if memories < policy.SMALL_STORE or not len(best):
        return policy.SMALL_FLOOR
    own = float(np.mean(best) + policy.NULL_DEVIATIONS * np.std(best))
    if usual is None:
        return _within(own * policy.USUAL_FLOOR / policy.USUAL_NULL)
    floor, null = usual
    expected = policy.SMALL_NULL + grown(memories) * (null - policy.SMALL_NULL)
    return _within(usual_floor(memories, floor) + policy.NULL_TRUST * (own - expected))


def centre_of(neutral_vectors: Sequence[Vector]) -> Vector:
    """Give the mean of the neutral questions' vectors: what all questions share."""
    return np.asarray(np.mean(np.stack(neutral_vectors), axis=0, dtype=np.float64), np.float32)


def _within(floor: float) -> float:
    return min(policy.HIGHEST_FLOOR, max(policy.SMALL_FLOOR, floor))
