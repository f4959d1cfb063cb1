import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import policy, postings
from memory.database import Database
from memory.domain import Status
from memory.postings import Postings
from tests.bench.invented_store import HERE as BENCH
from tests.bench.invented_store import Invented, fill
from tests.databases import new_database
from tests.memory.recall.stores import AGENT, HERE, write

WORDS = ("boat", "kayak", "猫", "🎂", "boating")
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
ROWS = st.dictionaries(st.integers(1, 9), st.tuples(TEXTS, st.sampled_from(tuple(Status))), max_size=6)


def held(found: Postings) -> dict[str, set[int]]:
    """Give the living rows of each term."""
    alive = found.allowed(tuple(Status), ())
    by_term = {term: {int(found.pks[at]) for at in found.places(term) if alive[at]} for term in found.terms()}
    return {term: rows for term, rows in by_term.items() if rows}


def of(rows: dict[int, tuple[str, Status]]) -> Postings:
    made = Postings()
    made.take([(pk, status.value, len(text), text) for pk, (text, status) in rows.items()])
    return made


@settings(max_examples=100, deadline=None)
@given(steps=st.lists(ROWS, max_size=5), first=ROWS)
def test_following_changes_gives_what_reading_anew_gives(
    first: dict[int, tuple[str, Status]], steps: list[dict[int, tuple[str, Status]]]
) -> None:
    """Rows come, change and go; each step removes a few and brings what it holds."""
    rows, followed = dict(first), of(first)
    for step in steps:
        gone = {1, 2, 3} | step.keys()
        rows = {pk: row for pk, row in rows.items() if pk not in gone} | step
        followed.absorb(gone, of(step))
        fresh = of(rows)
        assert held(followed) == held(fresh)
        assert len(followed) == len(fresh) == len(rows)
        for status in Status:
            allowed = followed.allowed((status,), ())
            assert set(followed.pks[allowed].tolist()) == {pk for pk, row in rows.items() if row[1] is status}


def test_hidden_rows_are_not_allowed() -> None:
    """A transaction lays its own state over them."""
    found = of({1: ("boat", Status.ACTIVE), 2: ("boat", Status.ACTIVE)})
    assert found.pks[found.allowed((Status.ACTIVE,), {1})].tolist() == [2]


def test_a_row_without_terms_is_counted_and_found_by_none(database: Database) -> None:
    """A picture of nothing, or a row whose index entry is missing."""
    write(database, [{"text": "boat"}, {"text": "?!"}, {"text": "gone", "triggers": ["sail away"]}])
    with database.write() as uow:
        uow.connection.exec_driver_sql("DELETE FROM memories_fts WHERE rowid = 3")
        found = postings.load(uow.connection, AGENT, HERE, None)
    assert len(found) == 3
    assert held(found)["boat"] == {1}
    assert not {2, 3} & set().union(*(rows for term, rows in held(found).items() if term))
    assert found.cues == {3: [("sail away", False)]}


def test_the_rows_asked_for_are_the_only_ones_read(database: Database) -> None:
    """After a change nothing else has to be."""
    write(database, [{"text": "boat"}, {"text": "tent", "triggers": ["camp"]}, {"text": "x", "scope": "chat:2"}])
    with database.read() as uow:
        found = postings.load(uow.connection, AGENT, HERE, [2, 3, 99])
    assert found.pks.tolist() == [2]
    assert found.cues == {2: [("camp", False)]}


def test_many_rows_that_left_make_it_worn(monkeypatch: Any) -> None:
    """Their places stay until all is read again."""
    monkeypatch.setattr(policy, "WORN_ROWS", 1)
    found = of(dict.fromkeys(range(1, 9), ("boat", Status.ACTIVE)))
    assert not found.worn
    found.absorb([1, 2], Postings())
    assert not found.worn
    found.absorb([3], Postings())
    assert found.worn


def test_a_large_scope_takes_few_bytes_a_memory() -> None:
    """With the vectors beside it, keywords are the smaller part by far."""
    for found in _bench(4_000):
        assert found.nbytes < 4_000 * 2_000
        assert np.array_equal(np.sort(found.pks), np.arange(1, 4_001))


def _bench(size: int) -> Iterator[Postings]:
    with tempfile.TemporaryDirectory() as folder:
        database = new_database(Path(folder) / "a.db")
        fill(database, Invented(), visible=size, stored=size)
        with database.read() as uow:
            yield postings.load(uow.connection, AGENT, BENCH, None)
        database.close()
