import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory import lexical, policy
from memory.analysis import tokens
from memory.database import Database
from memory.domain import AgentSlug, Scope, Status
from tests.databases import new_database
from tests.memory.recall.stores import AGENT, HERE, write


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = new_database(tmp_path / "a.db")
    yield database
    database.close()


def find(database: Database, query: str, *scopes: str, agent: str = AGENT, **options: object) -> lexical.Found:
    places = tuple(map(Scope, scopes)) or (HERE,)
    with database.read() as uow:
        return lexical.search(uow.connection, AgentSlug(agent), places, tokens(query), **options)  # type: ignore[arg-type]


def pks(database: Database, query: str, *scopes: str, **options: object) -> list[int]:
    return [hit.pk for hit in find(database, query, *scopes, **options).hits]  # type: ignore[arg-type]


def test_the_rarer_word_wins(database: Database) -> None:
    """Higher is better, and a word that fewer rows hold is worth more."""
    write(database, [{"text": "roof slates"}, {"text": "roof boxes"}, {"text": "Ngozi climbs"}, {"text": "roof tiles"}])
    hits = find(database, "roof or ngozi").hits
    assert hits[0].pk == 3
    assert hits[0].bm25 > hits[1].bm25 > 0
    assert hits[0].terms == ("ngozi",)


def test_the_word_itself_beats_a_word_of_the_same_stem(database: Database) -> None:
    """A painting is not the paint, though a stemmer thinks so."""
    write(database, [{"text": "the painting lesson"}, {"text": "the paint bucket"}])
    assert pks(database, "where is the paint") == [2, 1]


def test_scope_assistant_and_status_filter_inside_the_query(database: Database) -> None:
    """Each of the three is enough to keep a row out."""
    write(database, [{"text": "boat"}, {"text": "boat", "scope": "chat:2"}, {"text": "boat", "agent_slug": "b"},
                     {"text": "boat", "status": "archived"}, {"text": "boat", "scope": "global"}])  # fmt: skip
    assert pks(database, "boat") == [1]
    assert pks(database, "boat", HERE, "global") == [1, 5]
    assert pks(database, "boat", agent="b") == [3]
    assert pks(database, "boat", statuses=(Status.ARCHIVED,)) == [4]
    assert pks(database, "boat", statuses=()) == []
    assert pks(database, "boat", "chat:") == []


def test_one_scope_is_no_prefix_of_another(database: Database) -> None:
    """chat:1 and chat:12, or the chat -1 and the chat 1, have nothing in common."""
    write(database, [{"text": "boat", "scope": scope} for scope in ("chat:1", "chat:12", "chat:-1", "chat:11")])
    assert pks(database, "boat") == [1]
    assert pks(database, "boat", "chat:-1") == [3]


def test_what_is_indexed_again_replaces_what_was(database: Database) -> None:
    """A changed text is found by its new words only, a removed one by none; removing twice is no error."""
    write(database, [{"text": "boat"}])
    with database.write() as uow:
        lexical.index(uow.connection, 1, AGENT, HERE, "kayak")
        uow.commit()
    assert (pks(database, "boat"), pks(database, "kayak")) == ([], [1])
    with database.write() as uow:
        lexical.remove(uow.connection, 1)
        lexical.remove(uow.connection, 1)
        uow.commit()
    assert pks(database, "kayak") == []


def test_a_removed_word_is_in_no_byte_after_optimise_and_vacuum(database: Database) -> None:
    """Forgetting reaches the pages of the index."""
    write(database, [{"text": "zyzzyva"}, {"text": "kayak"}])
    with database.write() as uow:
        lexical.remove(uow.connection, 1)
        uow.connection.exec_driver_sql("DELETE FROM memories WHERE pk = 1")
        lexical.optimise(uow.connection)
        uow.commit()
    database.close()
    with sqlite3.connect(database.path, isolation_level=None) as connection:
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    assert b"zyzzyva" not in database.path.read_bytes()
    assert b"kayak" in database.path.read_bytes()


def test_the_cap_of_a_long_question_keeps_the_rare_words(database: Database) -> None:
    """More matched words than take part in a score: the ones every row holds are dropped, the rare one stays."""
    common = [f"common{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in range(policy.MOST_CLUES + 20)]
    write(database, [{"text": " ".join(common[start : start + 40])} for start in range(0, 60, 20)] * 2
          + [{"text": "sextant"}])  # fmt: skip
    found = find(database, " ".join([*common, "sextant"]))
    assert 7 in {hit.pk for hit in found.hits}
    assert len({term for hit in found.hits for term in hit.terms}) <= policy.MOST_CLUES


def test_more_words_than_are_looked_up_lose_the_repeated_ones_first(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words of a question pasted among pages of something else occur once."""
    monkeypatch.setattr(policy, "MOST_LOOKED_UP", 3)
    write(database, [{"text": "kayak"}, {"text": "fold press crease turn"}])
    assert 1 in pks(database, "fold press crease turn " * 5 + "kayak")


def test_small_words_find_nothing(database: Database) -> None:
    """A greeting such as "how are you" is no question about a memory."""
    write(database, [{"text": "how you are doing is what you are"}])
    assert find(database, "how are you") == lexical.Found()


def test_an_answer_to_the_whole_question_reaches_what_is_attainable(database: Database) -> None:
    """The measure that keywords are held against is absolute: words the store does not know count as well."""
    write(database, [{"text": "kayak in the shed"}, {"text": "tea"}])
    full, half = find(database, "kayak shed"), find(database, "kayak xylophone")
    assert full.hits[0].bm25 >= full.attainable
    assert half.hits[0].bm25 < half.attainable


@pytest.mark.parametrize(
    "query", ['"', '""', 'a"b', "NEAR(x, 3)", "x*", "^x", "{terms}: x", "-x", "x AND", "(", "scope:x", "'", "%_\\"]
)
def test_nothing_typed_is_syntax(query: str, database: Database) -> None:
    """Every term is quoted."""
    write(database, [{"text": "boat"}])
    assert pks(database, f"{query} boat") == [1]
