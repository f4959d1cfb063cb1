"""Vectors of cue phrases: which are lacking, how they are stored, and that they follow the file."""

import numpy as np
import pytest

from memory.database import Database
from memory.domain import Kind
from memory.embedders.multilingual import multilingual
from memory.tables import memory_triggers
from memory.triggers.meaning import MULTILINGUAL, lacking_cues, store_cues
from memory.unit_of_work import UnitOfWork
from memory.vectors import VectorIndex
from tests.memory.samples import AGENT, DIGEST, ELSEWHERE, HERE, keep, vector


class Engine:
    agent = AGENT
    digest = DIGEST

    def __init__(self) -> None:
        self.index = VectorIndex(DIGEST, 3)


def test_phrases_lack_a_vector_until_they_are_stored(uow: UnitOfWork) -> None:
    """Tools have none; pages go on where the last one ended."""
    engine = Engine()
    one = keep(uow, "Test first", kind=Kind.LESSON, triggers=("deploying", "releasing"), tools=("push",))
    assert lacking_cues(uow, engine) == ((one.id, "deploying"), (one.id, "releasing"))
    assert lacking_cues(uow, engine, limit=1, after=(one.id, "deploying")) == ((one.id, "releasing"),)
    made = [((one.id, "deploying"), vector()), ((one.id, "gone"), vector())]
    assert store_cues(uow, engine, made) == 1
    assert lacking_cues(uow, engine) == ((one.id, "releasing"),)
    engine.digest = "another"
    assert len(lacking_cues(uow, engine)) == 2
    assert lacking_cues(uow, engine, spared=DIGEST) == ((one.id, "releasing"),)
    engine.digest = None  # type: ignore[assignment]
    assert lacking_cues(uow, engine) == ()


def test_a_vector_of_another_length_is_refused(uow: UnitOfWork) -> None:
    one = keep(uow, "Test first", triggers=("deploying",))
    with pytest.raises(ValueError, match="3 dimensions"):
        store_cues(uow, Engine(), [((one.id, "deploying"), np.ones(2, np.float32) / np.float32(2**0.5))])


def test_near_phrases_are_found_in_step_with_the_file(database: Database) -> None:
    """In their own scope only; common ones and unsound vectors never; what is gone is gone at once."""
    engine, index = Engine(), VectorIndex(DIGEST, 3)

    def near(least: float = 0.9) -> list[str]:
        with database.read() as uow:
            return sorted(m.phrase for m in index.near_cues(uow.connection, AGENT, (HERE,), vector(1, 0.1, 0), least))

    assert near() == []
    with database.write() as uow:
        here = keep(uow, "a", triggers=("one", "two", "three"))
        there = keep(uow, "b", ELSEWHERE, triggers=("four",))
        made = [((here.id, "one"), vector()), ((here.id, "two"), vector(0, 1, 0)), ((here.id, "three"), vector())]
        store_cues(uow, engine, [*made, ((there.id, "four"), vector())])
        uow.commit()
    assert near() == ["one", "three"]
    assert near(0.05) == ["one", "three", "two"]
    t = memory_triggers.c
    with database.write() as uow:
        uow.connection.execute(memory_triggers.update().where(t.phrase == "one").values(what="common"))
        broken = np.array([np.inf, 0, 0], "<f4").tobytes()
        uow.connection.execute(memory_triggers.update().where(t.phrase == "three").values(embedding=broken))
        assert index.near_cues(uow.connection, AGENT, (HERE,), vector(), 0.9) == []
        uow.commit()
    assert near() == []


def test_the_measured_multilingual_model_is_the_installed_one() -> None:
    """Another one has other cosines: then the nearness is to be measured again."""
    assert multilingual().digest == MULTILINGUAL
