"""The steps of a pass: small, repeatable, and a second pass changes nothing."""

from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from memory import maintenance, store
from memory.database import Database
from memory.domain import AgentSlug
from memory.entries import Cause
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CAUSE, DIGEST, HERE, NOW, Sink, keep, vector


@dataclass
class Engine:
    agent: AgentSlug = AGENT
    digest: str | None = DIGEST
    index: Sink | None = None


def test_missing_vectors_are_filled_and_those_of_another_model_replaced(database: Database) -> None:
    engine = Engine(index=Sink())
    with database.write() as uow:
        keep(uow, "none yet")
        keep(uow, "of another model", vector=vector(1, 0), digest="old")
        lacking = maintenance.lacking_vectors(uow, engine, limit=9)
        assert sorted(text for _, text in lacking) == ["none yet", "of another model"]
        assert maintenance.store_vectors(uow, engine, [(entry, vector()) for entry in lacking]) == 2
        assert maintenance.lacking_vectors(uow, engine) == ()
        uow.commit()
    assert engine.index is not None
    assert len(engine.index.held) == 2


def test_a_text_that_changed_while_it_was_embedded_waits_for_the_next_pass(uow: UnitOfWork) -> None:
    engine, memory = Engine(), keep(uow, "before")
    lacking = maintenance.lacking_vectors(uow, engine)
    store.change(uow, memory, now=NOW, cause=Cause("UPDATE", CAUSE.actor, "ok"), text="after")
    assert maintenance.store_vectors(uow, engine, [(entry, vector()) for entry in lacking]) == 0
    assert [text for _, text in maintenance.lacking_vectors(uow, engine)] == ["after"]


def test_without_a_model_nothing_lacks_a_vector(uow: UnitOfWork) -> None:
    entry = (keep(uow, "x"), "x")
    assert maintenance.lacking_vectors(uow, Engine(digest=None)) == ()
    assert maintenance.store_vectors(uow, Engine(digest=None), [(entry, vector())]) == 0


def test_the_journal_is_trimmed_by_age(uow: UnitOfWork) -> None:
    keep(uow, "old", now=NOW - timedelta(days=31))
    keep(uow, "new")
    before = NOW - timedelta(days=30)
    assert [maintenance.trim_journal(uow, Engine(), before) for _ in range(2)] == [1, 0]


def test_a_vacuum_leaves_a_sound_file_and_an_empty_log(database: Database, tmp_path: Path) -> None:
    with database.write() as uow:
        keep(uow, "Anna sings.")
        uow.commit()
    maintenance.vacuum(database.path)
    assert not any(file.stat().st_size for file in tmp_path.glob("*-wal"))
    with database.read() as uow:
        assert len(store.visible(uow, AGENT, HERE)) == 1
        assert uow.connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"


def test_a_vacuum_gives_free_pages_back(database: Database) -> None:
    with database.write() as uow:
        for n in range(40):
            keep(uow, f"{n} {'Anna sings. ' * 40}")
        uow.commit()
    with database.write() as uow:
        uow.connection.exec_driver_sql("DELETE FROM operations")
        uow.commit()
    free = "PRAGMA freelist_count"
    with database.read() as uow:
        assert uow.connection.exec_driver_sql(free).scalar_one() > 0
    maintenance.vacuum(database.path)
    with database.read() as uow:
        assert uow.connection.exec_driver_sql(free).scalar_one() == 0
