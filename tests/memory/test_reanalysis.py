"""After an upgrade of the analyser every row is indexed once more, in batches that a kill cannot harm."""

from typing import Any

import pytest
from sqlalchemy import update

from memory import analysis, lexical, maintenance, reanalysis
from memory.analysis import analyse, tokens
from memory.database import Database
from memory.domain import AgentSlug, Status
from memory.tables import memories, memory_triggers
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, ELSEWHERE, HERE, keep
from tests.memory.test_maintenance import Engine


@pytest.fixture
def upgraded(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on the analyser is a later one, which gives every text one more term."""
    later = lambda text: (*analyse(text), "later")  # noqa: E731
    monkeypatch.setattr(lexical, "analyse", later)
    monkeypatch.setattr(analysis, "analyse", later)
    monkeypatch.setattr(analysis, "VERSION", analysis.VERSION + 1)


def finish(uow: UnitOfWork, limit: int = 2) -> list[int]:
    done = [reanalysis.reanalyse(uow, limit)]
    while done[-1]:
        done.append(reanalysis.reanalyse(uow, limit))
    return done


def indexed(uow: UnitOfWork) -> list[Any]:
    return [tuple(row) for row in uow.connection.exec_driver_sql("SELECT rowid, scope, terms FROM memories_fts")]


def changes(uow: UnitOfWork) -> list[Any]:
    return [tuple(row) for row in uow.connection.exec_driver_sql("SELECT pk, number FROM memory_changes ORDER BY pk")]


def test_a_row_that_is_up_to_date_is_looked_at_once_and_not_written(uow: UnitOfWork) -> None:
    """A new file, or one from before versions were noted."""
    for number in range(5):
        keep(uow, f"matter {number}")
    before = changes(uow)
    assert finish(uow) == [2, 2, 1, 0]
    assert finish(uow) == [0]
    assert changes(uow) == before


@pytest.mark.usefixtures("upgraded")
def test_after_a_change_of_version_every_row_is_indexed_once_more(database: Database) -> None:
    """Of any scope, status and assistant; then nothing is left to do, and the next question finds the new term."""
    with database.write() as uow:
        with pytest.MonkeyPatch.context() as former:
            former.setattr(lexical, "analyse", analyse)
            former.setattr(analysis, "VERSION", analysis.VERSION - 1)
            keep(uow, "boat", triggers=("sail away",))
            keep(uow, "tent", ELSEWHERE, status=Status.ARCHIVED)
            keep(uow, "kite", agent=AgentSlug("other"))
            assert finish(uow) == [2, 1, 0]
        uow.commit()
    with database.read() as reader:
        assert lexical.search(reader.connection, AGENT, (HERE,), tokens("later")).hits == ()
    with database.write() as uow:
        assert [maintenance.reanalyse(uow, Engine(), limit=2) for _ in range(4)] == [2, 1, 0, 0]
        assert all(terms.endswith(" later") for _, _, terms in indexed(uow))
        (cue,) = uow.connection.scalars(memory_triggers.select().with_only_columns(memory_triggers.c.terms))
        assert cue.endswith(" later")
        uow.commit()
    with database.read() as reader:
        assert [hit.pk for hit in lexical.search(reader.connection, AGENT, (HERE,), tokens("later")).hits] == [1]


def test_a_missing_or_damaged_entry_is_made_anew(uow: UnitOfWork) -> None:
    """A restored file, an entry of another scope."""
    keep(uow, "boat"), keep(uow, "tent")
    before = indexed(uow)
    uow.connection.exec_driver_sql("DELETE FROM memories_fts WHERE rowid = 1")
    uow.connection.execute(update(memories).where(memories.c.pk == 2).values(text="kite"))
    finish(uow)
    assert sorted(indexed(uow)) == sorted([before[0], (2, before[1][1], " ".join(analyse("kite")))])


@pytest.mark.usefixtures("upgraded")
def test_a_pass_that_was_killed_goes_on_where_it_was(database: Database) -> None:
    """What was committed is not done again; what was not is."""
    with database.write() as uow:
        for number in range(5):
            keep(uow, f"matter {number}")
        uow.commit()
    with database.write() as uow:
        assert reanalysis.reanalyse(uow, 2) == 2
        uow.commit()
    with database.write() as uow:
        assert reanalysis.reanalyse(uow, 2) == 2  # and the process dies
    with database.write() as uow:
        assert finish(uow) == [2, 1, 0]


@pytest.mark.parametrize("noted", [b"", b"\xff", b"nonsense", b"2 3 4", b"1 99", b"999"])
def test_a_note_that_says_nothing_of_use_starts_again(noted: bytes, uow: UnitOfWork) -> None:
    """Of an older Tidemark, of a newer one, or damaged."""
    keep(uow, "boat")
    reanalysis._note(uow.connection, "0")
    uow.connection.exec_driver_sql("UPDATE keys SET value = ? WHERE name = 'analysis'", (noted,))
    assert finish(uow) == [1, 0]
