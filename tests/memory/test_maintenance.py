"""The steps of a pass: small, repeatable, and a second pass changes nothing."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory import journal, maintenance, store
from memory.database import Database
from memory.domain import AgentSlug, Layer, Status
from memory.entries import Cause
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CAUSE, DIGEST, ELSEWHERE, HERE, NOW, Sink, keep, vector


@dataclass
class Engine:
    agent: AgentSlug = AGENT
    digest: str | None = DIGEST
    index: Sink | None = None


def expire(uow: UnitOfWork, now: datetime, limit: int = 50) -> int:
    return maintenance.expire(uow, Engine(), now=now, limit=limit)


@pytest.mark.parametrize(
    ("over_at", "expired"),
    [
        (NOW - timedelta(days=1), 1),
        (datetime(2026, 11, 28, 23, 59, 59, tzinfo=UTC), 1),
        (datetime(2026, 11, 29, 0, 0, tzinfo=UTC), 0),
        (NOW - timedelta(hours=1), 0),  # still the day of the matter
        (NOW + timedelta(days=1), 0),
        (datetime(9999, 12, 31, tzinfo=UTC), 0),
        (datetime(1, 1, 1, tzinfo=UTC), 1),
        (None, 0),
    ],
)
def test_a_dated_matter_is_archived_the_day_after(uow: UnitOfWork, over_at: datetime | None, expired: int) -> None:
    memory = keep(uow, "Dentist", expires_at=over_at)
    assert expire(uow, NOW) == expired
    assert expire(uow, NOW) == 0
    found = store.get(uow, AGENT, HERE, memory.id)
    assert found is not None
    assert (found.status is Status.ARCHIVED) is bool(expired)


def test_what_settled_goes_through_working_and_what_is_pinned_stays(uow: UnitOfWork) -> None:
    over = NOW - timedelta(days=2)
    core, pinned = keep(uow, "core", expires_at=over, layer=Layer.CORE), keep(uow, "pinned", expires_at=over)
    store.change(uow, pinned, now=NOW, cause=CAUSE, pinned=True)
    keep(uow, "quarantined", expires_at=over, status=Status.QUARANTINED)
    keep(uow, "of another assistant", expires_at=over, agent=AgentSlug("other"))
    assert expire(uow, NOW) == 1
    found = store.get(uow, AGENT, HERE, core.id)
    assert found is not None
    assert (found.layer, found.status) == (Layer.WORKING, Status.ARCHIVED)
    assert journal.of_memory(uow, AGENT, HERE, core.id)[-1].operation == maintenance.EXPIRE


def test_batches_are_bounded_and_come_to_an_end(uow: UnitOfWork) -> None:
    for number in range(5):
        keep(uow, f"matter {number}", ELSEWHERE, expires_at=NOW - timedelta(days=2))
    assert [expire(uow, NOW, limit=2) for _ in range(4)] == [2, 2, 1, 0]


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
