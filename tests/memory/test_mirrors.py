from collections.abc import Collection

import pytest
from sqlalchemy import Connection

from memory import policy
from memory.database import Database
from memory.domain import AgentSlug, Scope
from memory.mirrors import Mirrors
from tests.memory.recall.stores import AGENT, HERE, write

THERE = Scope("chat:2")


class Texts:
    """A mirror that holds the texts of a scope and counts how it was made."""

    def __init__(self, rows: dict[int, str]) -> None:
        self.rows = rows
        self.worn = False

    def __len__(self) -> int:
        return len(self.rows)

    def absorb(self, pks: Collection[int], fresh: "Texts") -> None:
        self.rows = {pk: text for pk, text in self.rows.items() if pk not in set(pks)} | fresh.rows


class Watch:
    """Mirrors of texts, with a clock that is set by hand and a list of what was read."""

    def __init__(self) -> None:
        self.now = 0.0
        self.reads: list[list[int] | None] = []
        self.mirrors = Mirrors(self.load, monotonic=lambda: self.now)

    def load(self, connection: Connection, agent: AgentSlug, scope: Scope, pks: Collection[int] | None) -> Texts:
        self.reads.append(None if pks is None else sorted(pks))
        rows = connection.exec_driver_sql(
            "SELECT pk, text FROM memories WHERE agent_slug = ? AND scope = ?", (agent, scope)
        )
        return Texts({pk: text for pk, text in rows if pks is None or pk in pks})

    def texts(self, connection: Connection, *scopes: Scope) -> list[str]:
        with self.mirrors.of(connection, AGENT, scopes or (HERE,)) as parts:
            return [text for part in parts for pk, text in part.held.rows.items() if pk not in part.hidden]


@pytest.fixture
def watch() -> Watch:
    return Watch()


def ask(database: Database, watch: Watch, *scopes: Scope) -> list[str]:
    with database.read() as uow:
        return watch.texts(uow.connection, *scopes)


def test_a_scope_is_read_once_and_then_only_what_changed(database: Database, watch: Watch) -> None:
    """Also right after a commit that has nothing to do with it."""
    write(database, [{"text": "boat"}, {"text": "tent"}])
    assert ask(database, watch) == ask(database, watch) == ["boat", "tent"]
    write(database, [{"text": "elsewhere", "scope": THERE}], first_pk=3)
    assert ask(database, watch) == ["boat", "tent"]
    write(database, [{"text": "kayak"}], first_pk=4)
    assert ask(database, watch) == ["boat", "tent", "kayak"]
    assert watch.reads == [None, [4]]


def test_what_a_transaction_wrote_is_seen_in_it_and_kept_nowhere(database: Database, watch: Watch) -> None:
    """The number of a change that is rolled back goes to another change; nobody may have noted it."""
    write(database, [{"text": "boat"}])
    ask(database, watch)
    with database.write() as uow:
        uow.connection.exec_driver_sql("UPDATE memories SET text = 'ship'")
        assert watch.texts(uow.connection) == ["ship"]
    write(database, [{"text": "kayak"}], first_pk=2)
    assert ask(database, watch) == ["boat", "kayak"]


def test_a_scope_first_asked_about_by_a_writer_is_not_kept(database: Database, watch: Watch) -> None:
    """It may hold what will never be."""
    write(database, [{"text": "boat"}])
    with database.write() as uow:
        uow.connection.exec_driver_sql("UPDATE memories SET text = 'ship'")
        assert watch.texts(uow.connection) == ["ship"]
    assert watch.mirrors.held() == {}
    assert ask(database, watch) == ["boat"]


def test_a_scope_that_changed_as_a_whole_is_read_as_a_whole(database: Database, watch: Watch) -> None:
    """Row by row would take longer."""
    ask(database, watch)
    write(database, [{"text": f"boat {n}"} for n in range(policy.ALWAYS_FOLLOWED + 1)])
    assert len(ask(database, watch)) == policy.ALWAYS_FOLLOWED + 1
    assert watch.reads == [None, None]


def test_a_worn_mirror_is_read_again(database: Database, watch: Watch) -> None:
    """It says itself when that is due."""
    write(database, [{"text": "boat"}])
    ask(database, watch)
    watch.mirrors.held()[AGENT, HERE].worn = True
    write(database, [{"text": "tent"}], first_pk=2)
    ask(database, watch)
    assert watch.reads == [None, [2], None]
    assert not watch.mirrors.held()[AGENT, HERE].worn


def test_what_nobody_asks_about_is_dropped_when_another_comes(database: Database, watch: Watch) -> None:
    """Half an hour after the last question, and not before."""
    ask(database, watch, HERE)
    watch.now = policy.MIRROR_IDLE_S
    ask(database, watch, THERE)
    assert set(watch.mirrors.held()) == {(AGENT, HERE), (AGENT, THERE)}
    watch.now += 1
    ask(database, watch, Scope("chat:3"))
    assert (AGENT, HERE) not in watch.mirrors.held()
    assert (AGENT, THERE) in watch.mirrors.held()


def test_a_scope_named_twice_counts_once(database: Database, watch: Watch) -> None:
    """Asking in ``global`` itself names it twice."""
    write(database, [{"text": "boat"}])
    assert ask(database, watch, HERE, HERE) == ["boat"]
