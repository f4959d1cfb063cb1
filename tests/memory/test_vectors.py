import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from memory.database import Database
from memory.domain import Scope, Status
from memory.vectors import Near, VectorIndex, best, pack, unpack
from tests.databases import new_database
from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import AGENT, HERE, write

EMBEDDER = HashingEmbedder(16)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path / "a.db")
    yield database
    database.close()


@pytest.fixture
def index() -> VectorIndex:
    return VectorIndex(EMBEDDER.digest, EMBEDDER.dimensions)


def search(database: Database, index: VectorIndex, text: str, *scopes: str, **options: object) -> list[Near]:
    places = tuple(map(Scope, scopes)) or (HERE,)
    with database.read() as uow:
        return index.search(uow.connection, AGENT, places, EMBEDDER.embed_query(text), **({"limit": 10} | options))  # type: ignore[arg-type]


def test_the_nearest_comes_first_and_an_equal_text_has_cosine_one(database: Database, index: VectorIndex) -> None:
    """Exact search over unit vectors."""
    write(database, [{"text": "blue boat"}, {"text": "red kayak"}, {"text": "blue kayak"}], EMBEDDER)
    near = search(database, index, "red kayak")
    assert [hit.pk for hit in near] == [2, 3, 1]
    assert near[0].cosine == pytest.approx(1, abs=1e-6)


def test_limit_keeps_the_best_and_also_adds_those_asked_for(database: Database, index: VectorIndex) -> None:
    """Keyword hits get their cosine although they are not among the nearest."""
    write(database, [{"text": f"thing{n}"} for n in range(20)], EMBEDDER)
    near = search(database, index, "thing7", limit=2, also=[1, 999])
    assert near[0].pk == 8
    assert len(near) in {2, 3}
    assert 1 in {hit.pk for hit in near}


def test_scope_assistant_status_and_model_filter(database: Database, index: VectorIndex) -> None:
    """A row that fails one of them has no vector here."""
    write(database, [{"text": "boat"}, {"text": "boat", "scope": "chat:2"}, {"text": "boat", "agent_slug": "b"},
                     {"text": "boat", "status": "archived"}, {"text": "boat", "embedding_model": "old"},
                     {"text": "boat", "scope": "global"}], EMBEDDER)  # fmt: skip
    assert [hit.pk for hit in search(database, index, "boat")] == [1]
    assert [hit.pk for hit in search(database, index, "boat", HERE, "global")] == [1, 6]
    assert [hit.pk for hit in search(database, index, "boat", statuses=(Status.ARCHIVED,))] == [4]
    assert search(database, index, "boat", "chat:404") == []


def test_changes_of_another_process_are_seen(database: Database, index: VectorIndex) -> None:
    """Insert, change of status, of text, and removal: the command line works beside the bot."""
    write(database, [{"text": "boat"}, {"text": "kayak"}], EMBEDDER)
    assert len(search(database, index, "boat")) == 2
    vector = pack(EMBEDDER.embed_query("anchor")).hex()
    for sql, expected in [
        (f"UPDATE memories SET embedding = x'{vector}', revision = revision + 1 WHERE pk = 1", [1, 2]),
        ("UPDATE memories SET status = 'superseded' WHERE pk = 1", [2]),
        ("UPDATE memories SET status = 'active' WHERE pk = 1", [1, 2]),
        ("UPDATE memories SET scope = 'chat:9' WHERE pk = 1", [2]),
        ("DELETE FROM memories WHERE pk = 2", []),
    ]:
        _elsewhere(database.path, sql)
        near = search(database, index, "anchor")
        assert [hit.pk for hit in near] == expected
        assert 1 not in expected or near[0].cosine == pytest.approx(1, abs=1e-6)


def _elsewhere(path: Path, sql: str) -> None:
    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
    subprocess.run([sys.executable, "-I", "-c", code, str(path), sql], check=True)


def test_changes_of_this_process_are_seen_by_the_next_question(database: Database, index: VectorIndex) -> None:
    """The log of changes tells; nobody has to hand the vector over."""
    write(database, [{"text": "boat"}], EMBEDDER)
    assert [hit.pk for hit in search(database, index, "kayak")] == [1]
    write(database, [{"text": "kayak"}], EMBEDDER, first_pk=7)
    assert [hit.pk for hit in search(database, index, "kayak")] == [7, 1]


def test_a_transaction_sees_what_it_wrote_itself(database: Database, index: VectorIndex) -> None:
    """Replaced, added and removed rows count inside it before anybody commits, and for nobody else."""
    write(database, [{"text": "boat"}, {"text": "tent"}], EMBEDDER)
    search(database, index, "boat")
    vector = pack(EMBEDDER.embed_query("kayak"))
    with database.write() as uow:
        uow.connection.exec_driver_sql("UPDATE memories SET embedding = ? WHERE pk = 1", (vector,))
        uow.connection.exec_driver_sql("DELETE FROM memories WHERE pk = 2")
        inside = index.search(uow.connection, AGENT, (HERE,), EMBEDDER.embed_query("kayak"), limit=5)
        assert [(hit.pk, round(hit.cosine, 5)) for hit in inside] == [(1, 1.0)]
        assert index.count(uow.connection, AGENT, (HERE,)) == 1
        outside = search(database, index, "boat")
    assert (outside[0].pk, round(outside[0].cosine, 5)) == (1, 1.0)
    assert len(search(database, index, "boat")) == 2


def test_an_old_snapshot_does_not_spoil_the_index_for_newer_ones(database: Database, index: VectorIndex) -> None:
    """A slow reader may be shown newer rows, which it then does not find; the next question sees the present."""
    write(database, [{"text": "boat"}], EMBEDDER)
    query = EMBEDDER.embed_query("boat")
    with database.read() as old:
        assert len(index.search(old.connection, AGENT, (HERE,), query, limit=5)) == 1
        write(database, [{"text": "boat again"}], EMBEDDER, first_pk=2)
        assert len(search(database, index, "boat")) == 2
        assert index.search(old.connection, AGENT, (HERE,), query, limit=5)[0].pk == 1
        _elsewhere(database.path, "DELETE FROM memories WHERE pk = 2")
    assert len(search(database, index, "boat")) == 1


def test_what_was_rolled_back_is_gone(database: Database, index: VectorIndex) -> None:
    """A search inside a transaction that fails leaves nothing behind."""
    write(database, [{"text": "boat"}], EMBEDDER)
    assert len(search(database, index, "boat")) == 1
    with database.write() as uow:
        uow.connection.exec_driver_sql("DELETE FROM memories")
        assert index.search(uow.connection, AGENT, (HERE,), EMBEDDER.embed_query("boat"), limit=5) == []
    assert len(search(database, index, "boat")) == 1


def test_unreadable_vectors_are_near_to_nothing(database: Database, index: VectorIndex) -> None:
    """A vector of the wrong length is left out, one with NaN counts as zero; the others are unharmed."""
    write(database, [{"text": "boat"}, {"text": "boat"}, {"text": "boat"}], EMBEDDER)
    nan = np.full(16, np.nan, "<f4").tobytes().hex()
    _elsewhere(
        database.path, f"UPDATE memories SET embedding = CASE pk WHEN 1 THEN x'00' ELSE x'{nan}' END WHERE pk < 3"
    )
    assert [(hit.pk, round(hit.cosine, 3)) for hit in search(database, index, "boat")] == [(3, 1.0), (2, 0.0)]


def test_a_question_of_other_dimensions_is_refused(database: Database, index: VectorIndex) -> None:
    """Two models never meet, not even by mistake."""
    with database.read() as uow, pytest.raises(ValueError, match="16 dimensions"):
        index.search(uow.connection, AGENT, (HERE,), np.ones(3, np.float32), limit=1)
    with pytest.raises(ValueError, match="16 dimensions"):
        index.put(AGENT, HERE, 1, np.full(16, np.nan, np.float32))


def test_readers_and_a_writer_work_at_the_same_time(database: Database, index: VectorIndex) -> None:
    """No search fails or sees half a change while rows come and go."""
    write(database, [{"text": f"thing{n}"} for n in range(30)], EMBEDDER)
    wrong: list[object] = []

    def read() -> None:
        for _ in range(40):
            near = search(database, index, "thing3", limit=100)
            if near[0].pk != 4 or abs(near[0].cosine - 1) > 1e-5:
                wrong.append(near)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for pk in range(100, 120):
        write(database, [{"text": f"other{pk}"}], EMBEDDER, first_pk=pk)
        index.put(AGENT, HERE, pk, EMBEDDER.embed_query(f"other{pk}"))
    for reader in readers:
        reader.join()
    assert wrong == []
    assert len(search(database, index, "thing3", limit=100)) == 50


@settings(max_examples=50, deadline=None)
@given(arrays(np.float32, 8, elements=st.floats(-1, 1, width=32)).filter(lambda vector: np.linalg.norm(vector) > 0.1))
def test_packing_is_lossless(vector: np.ndarray) -> None:
    """What was packed is unpacked, bit for bit, in little-endian order."""
    unit = (vector / np.linalg.norm(vector)).astype(np.float32)
    assert np.array_equal(unpack(pack(unit)), unit)
    assert len(pack(unit)) == 32


@pytest.mark.parametrize(
    "vector", [np.zeros(4), np.full(4, np.nan), np.array([np.inf, 0]), np.ones(4), np.empty(0), np.eye(2)], ids=str
)
def test_what_is_no_unit_vector_is_refused(vector: np.ndarray) -> None:
    """Nothing but finite vectors of length 1 reaches the table."""
    with pytest.raises(ValueError, match="vector"):
        pack(vector.astype(np.float32))


@pytest.mark.parametrize("blob", [b"", b"abc", np.array([np.nan], "<f4").tobytes()])
def test_bytes_that_are_no_vector_are_refused(blob: bytes) -> None:
    """Damage is found when it is read."""
    with pytest.raises(ValueError):  # noqa: PT011 - numpy words one of them
        unpack(blob)


def test_the_matrix_holds_little_more_than_the_vectors(database: Database) -> None:
    """Growth by single rows keeps the memory within a fifth of the vectors' own."""
    index = VectorIndex(EMBEDDER.digest, EMBEDDER.dimensions)
    search(database, index, "thing")
    for pk in range(1, 150):
        write(database, [{"text": f"thing{pk}"}], EMBEDDER, first_pk=pk)
        search(database, index, "thing")
    rows = 149 * EMBEDDER.dimensions * 4
    assert rows <= index.nbytes - 149 * 17 <= 1.2 * rows + 64


def test_rows_that_lie_equally_near_come_by_age(database: Database, index: VectorIndex) -> None:
    """The limit cuts a tie the same way whatever order they are held in."""
    write(database, [{"text": "boat"}] * 9, EMBEDDER)
    assert [hit.pk for hit in search(database, index, "boat", limit=3)] == [1, 2, 3]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 12), st.randoms(use_true_random=False))
def test_the_best_are_those_that_sorting_would_give(scores: list[int], limit: int, order: random.Random) -> None:
    """Whatever ties there are."""
    pks = list(range(len(scores)))
    order.shuffle(pks)
    chosen = best(np.array(scores, np.float32), np.array(pks, np.int64), limit)
    ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], pks[at]))
    assert sorted(chosen.tolist()) == sorted(ranked[:limit])


def test_a_look_is_the_cosine_from_the_centre_and_the_best_of_day_and_subject(tmp_path: Path) -> None:
    """As worked out by hand; the archived row has no part in it, and the question's other half counts as much."""
    database = new_database(tmp_path / "t.db")
    rows = [
        ("boat", "Anna", "active"),
        ("sail", "Anna", "active"),
        ("tea", "Bob", "active"),
        ("boat", "Bob", "archived"),
    ]
    write(database, [{"text": t, "subject": s, "status": state} for t, s, state in rows], EMBEDDER)
    index = VectorIndex(EMBEDDER.digest, EMBEDDER.dimensions)
    asked, nameless = EMBEDDER.embed_query("boat anna"), EMBEDDER.embed_query("boat")
    with database.read() as uow:
        found = {one.pk: one for one in index.look(uow.connection, AGENT, (HERE,), asked, nameless, limit=9, also=(4,))}
    vectors = np.stack([EMBEDDER.embed_query(text) for text, _, _ in rows[:3]])
    centre = vectors.sum(axis=0) / 13
    mixed = (asked + nameless) / np.linalg.norm(asked + nameless)
    away = (vectors - centre) / np.linalg.norm(vectors - centre, axis=1, keepdims=True)
    centred = np.maximum(0, away @ (mixed - centre) / np.linalg.norm(mixed - centre))
    assert [found[pk].centred for pk in (1, 2, 3)] == pytest.approx(centred, abs=1e-5)
    assert [found[pk].cosine for pk in (1, 2, 3)] == pytest.approx(vectors @ asked, abs=1e-5)
    assert [found[pk].company for pk in (1, 2, 3)] == pytest.approx(
        [max(centred[:2]), max(centred[:2]), centred[2]], abs=1e-5
    )
    assert set(found) == {1, 2, 3}
    with database.read() as uow:
        asleep = index.look(uow.connection, AGENT, (HERE,), asked, limit=9, also=(1,), status=Status.ARCHIVED)
    assert [one.pk for one in asleep] == [4], "and only the archived one where these are looked for"
    database.close()
