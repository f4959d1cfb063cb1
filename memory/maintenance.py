"""The steps of a maintenance pass that concern memory: each a small batch in its own transaction, no loop, no embedding.

Repeating a step until it finds nothing finishes it; killed at any point, it simply goes on next time.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlalchemy import select, update

from memory import journal, reanalysis, store
from memory.domain import Memory, MemoryId, Scope
from memory.errors import DatabaseBusy
from memory.faults import faults_of
from memory.recall import calibration, floors
from memory.steps import BATCH, Engine
from memory.tables import memories
from memory.unit_of_work import UnitOfWork
from memory.vectors import Vector, VectorIndex, is_sound

VACUUM_PATIENCE_S = 20.0
"""How long a vacuum waits for those who write: a turn writes for milliseconds."""


def drop_unsound_vectors(
    uow: UnitOfWork, engine: Engine, dimensions: int, *, after: int, limit: int = 250
) -> tuple[int, int | None]:
    """Take away vectors that are cut off or hold a number that is none, so that they are made anew.

    Looks at ``limit`` rows behind row ``after``; gives how many were unsound, and the last row looked at (None at the end).
    """
    unsound, last = unsound_vectors(uow, engine, dimensions, after=after, limit=limit)
    if unsound:
        here = memories.c.pk.in_(unsound)
        uow.connection.execute(update(memories).where(here).values(embedding=None, embedding_model=None))
    return len(unsound), last


def unsound_vectors(
    uow: UnitOfWork, engine: Engine, dimensions: int, *, after: int, limit: int = 250
) -> tuple[list[int], int | None]:
    """Give the rows, of ``limit`` behind row ``after``, with such a vector, and the last row looked at (None at the end)."""
    m = memories.c
    here = (m.agent_slug == engine.agent, m.embedding_model == engine.digest, m.pk > after)
    rows = uow.connection.execute(select(m.pk, m.embedding).where(*here).order_by(m.pk).limit(limit)).all()
    return [row.pk for row in rows if not is_sound(row.embedding, dimensions)], rows[-1].pk if rows else None


def lacking_vectors(
    uow: UnitOfWork,
    engine: Engine,
    *,
    limit: int = BATCH,
    after: MemoryId | None = None,
    spared: str | None = None,
) -> tuple[tuple[Memory, str], ...]:
    """Give memories, with the text to embed, that have no vector of the loaded model yet; none without a model.

    ``after`` is the last one given before; those with a vector of the model ``spared`` are left alone.
    """
    if engine.digest is None:
        return ()
    lacking = store.without_vector(uow, engine.agent, engine.digest, limit, after=after, spared=spared)
    return tuple((memory, memory.text) for memory in lacking)


def count_lacking_vectors(uow: UnitOfWork, engine: Engine, *, spared: str | None = None) -> int:
    """Count all that `lacking_vectors` would give in the end; 0 without a model."""
    if engine.digest is None:
        return 0
    return store.count_without_vector(uow, engine.agent, engine.digest, spared=spared)


def store_vectors(uow: UnitOfWork, engine: Engine, made: Iterable[tuple[tuple[Memory, str], Vector]]) -> int:
    """Store vectors that were made meanwhile; give how many still fitted their memory.

    Raises:
        ValueError: a vector is not one of the loaded model.
    """
    digest = engine.digest
    if digest is None:
        return 0
    return sum(store.set_vector(uow, memory, vector, digest, index=engine.index) for (memory, _), vector in made)


def reanalyse(uow: UnitOfWork, engine: Engine, *, limit: int = BATCH) -> int:  # noqa: ARG001 - the steps look alike
    """Index again what another version of the analyser indexed; give how many memories were looked at, 0 once all are.

    Words are not parted by assistants: those of every assistant in the file are done.
    """
    return reanalysis.reanalyse(uow, limit)


def left_to_reanalyse(uow: UnitOfWork, *, coming: int = 0) -> int:
    """Count the memories that `reanalyse` would still look at, were ``coming`` more stored before it."""
    return reanalysis.left(uow, coming)


def uncalibrated(uow: UnitOfWork, engine: Engine) -> tuple[Scope, ...]:
    """Give the scopes whose floor of recall is to be measured with the loaded model; none without a model."""
    if engine.digest is None or engine.index is None:
        return ()
    return calibration.due(uow.connection, engine.agent, engine.digest)


def has_centre(uow: UnitOfWork, engine: Engine) -> bool:
    """Say whether it is known where questions about nothing lie for the loaded model; without one there is no need to."""
    return engine.digest is None or floors.has_centre(uow.connection, engine.digest)


def measured(
    uow: UnitOfWork, engine: Engine, scope: Scope, neutral_vectors: Sequence[Vector]
) -> floors.Calibration | None:
    """Measure the floor of one scope, only reading; None without a model.

    ``neutral_vectors`` are those of `neutral.QUESTIONS`, as the embedder makes them of questions. It takes a third of a second
    at 10,000 memories; beside a conversation `chance` and `measured_from` do the same question by question.
    """
    index = engine.index
    if not isinstance(index, VectorIndex):
        return None
    return calibration.calibrate(uow.connection, index, neutral_vectors, engine.agent, scope)


def chance(uow: UnitOfWork, engine: Engine, scope: Scope, query: str, vector: Vector) -> float | None:
    """Give the best evidence that a neutral question finds in a scope, only reading; None without a model."""
    index = engine.index
    if not isinstance(index, VectorIndex):
        return None
    return calibration.found_by_chance(uow.connection, index, query, vector, engine.agent, scope)


def measured_from(
    uow: UnitOfWork, engine: Engine, scope: Scope, best: Sequence[float | None]
) -> floors.Calibration | None:
    """Give the floor of one scope, only reading, from what `chance` gave for each neutral question; None without a model."""
    index, found = engine.index, [one for one in best if one is not None]
    if not isinstance(index, VectorIndex) or len(found) < len(best):
        return None
    return calibration.calibrated(uow.connection, index, found, engine.agent, scope)


def recalibrate(
    uow: UnitOfWork,
    engine: Engine,
    calibrations: Iterable[floors.Calibration],
    neutral_vectors: Sequence[Vector],
) -> int:
    """Keep what was measured, and where the neutral questions lie; give how many floors.

    Recall reads it from the file at the next question, this process's and any other's.
    """
    if engine.digest is None:
        return 0
    floors.keep_centre(uow.connection, engine.digest, calibration.centre_of(neutral_vectors))
    kept = list(calibrations)
    for one in kept:
        floors.keep(uow.connection, one)
    return len(kept)


def trim_journal(uow: UnitOfWork, engine: Engine, before: datetime, *, limit: int = 200) -> int:
    """Take out journal entries older than ``before``; give how many."""
    return journal.trim(uow, engine.agent, before, limit)


def old_in_journal(uow: UnitOfWork, engine: Engine, before: datetime) -> int:
    """Count the journal entries that `trim_journal` would take out in the end."""
    return journal.old(uow, engine.agent, before)


def vacuum(path: Path) -> None:
    """Rewrite the database file without its free pages and empty the write-ahead log: forgotten words are in no byte.

    Needs the write lock for as long as copying the file takes.

    Raises:
        DatabaseBusy: somebody writes, or reads an old state, for too long; what was rewritten stays.
        DiskFull: there is no room for the copy; the file is as before.
    """
    with faults_of(path), closing(sqlite3.connect(path, isolation_level=None, timeout=VACUUM_PATIENCE_S)) as connection:
        connection.execute("VACUUM")
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise DatabaseBusy(f"{path} is being read; its log could not be emptied. Try again in a moment.")
