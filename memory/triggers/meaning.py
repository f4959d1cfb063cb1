"""What a phrase means: its vector, and from which nearness on a message means it."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, and_, func, or_, select, update

from memory import policy
from memory.domain import MemoryId
from memory.embedders.english import SHA256 as ENGLISH
from memory.steps import BATCH, Engine
from memory.tables import memories, memory_triggers
from memory.triggers.wording import TOOL
from memory.unit_of_work import UnitOfWork
from memory.vectors import Vector, pack

MULTILINGUAL = "dedfb483225e69ace559202ad97afb140a9a958c9926f085a43c48bbe4d6f5b6"
"""The digest of the multilingual embedder that the nearness was measured with."""

NEARNESS = {ENGLISH: policy.CUE_NEARNESS, MULTILINGUAL: policy.CUE_NEARNESS_MULTILINGUAL}
"""The cosine from which on a message means a phrase, by the digest of the embedder. With any other, words alone decide: of
two everyday sentences some models say 0.1 and some 0.8."""

Phrase = tuple[MemoryId, str]
"""A cue: whose, and the text to embed."""


def lacking_cues(
    uow: UnitOfWork, engine: Engine, *, limit: int = BATCH, after: Phrase | None = None, spared: str | None = None
) -> tuple[Phrase, ...]:
    """Give cue phrases that have no vector of the loaded model yet; none without a model.

    ``after`` is the last one given before; those with a vector of the model ``spared`` are left alone.
    """
    if engine.digest is None:
        return ()
    t = memory_triggers.c
    lacking = [_lacks_vector(engine)]
    if after is not None:
        lacking.append(or_(t.memory_id > after[0], and_(t.memory_id == after[0], t.phrase > after[1])))
    if spared is not None:
        lacking.append(t.embedding_model.is_distinct_from(spared))
    query = select(t.memory_id, t.phrase).join_from(memory_triggers, memories, memories.c.id == t.memory_id)
    rows = uow.connection.execute(query.where(*lacking).order_by(t.memory_id, t.phrase).limit(limit))
    return tuple((MemoryId(row.memory_id), row.phrase) for row in rows)


def count_lacking_cues(uow: UnitOfWork, engine: Engine) -> int:
    """Count all that `lacking_cues` would give in the end, none spared; 0 without a model."""
    if engine.digest is None:
        return 0
    query = select(func.count()).join_from(memory_triggers, memories, memories.c.id == memory_triggers.c.memory_id)
    return uow.connection.execute(query.where(_lacks_vector(engine))).scalar_one()


def store_cues(uow: UnitOfWork, engine: Engine, made: Iterable[tuple[Phrase, Vector]]) -> int:
    """Store vectors that were made meanwhile; give how many phrases were still there.

    Raises:
        ValueError: a vector is not one of the loaded model.
    """
    digest, index = engine.digest, engine.index
    if digest is None:
        return 0
    t = memory_triggers.c
    stored = 0
    for (memory_id, phrase), vector in made:
        if index is not None and vector.shape != (index.dimensions,):
            raise ValueError(f"vectors of this model have {index.dimensions} dimensions, not {vector.shape}")
        here = (t.memory_id == memory_id, t.phrase == phrase)
        values = {"embedding": pack(vector), "embedding_model": digest}
        stored += uow.connection.execute(update(memory_triggers).where(*here).values(values)).rowcount
    return stored


def _lacks_vector(engine: Engine) -> ColumnElement[bool]:
    t = memory_triggers.c
    other = t.embedding_model.is_distinct_from(engine.digest)
    return and_(memories.c.agent_slug == engine.agent, t.what != TOOL, other)
