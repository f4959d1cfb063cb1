import json
import math
import sqlite3
import time
from collections.abc import Iterator
from itertools import islice, permutations
from pathlib import Path

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import lexical, policy
from memory.analysis import analyse, tokens
from memory.asked import looked_up
from memory.database import Database
from memory.domain import AgentSlug, Scope, Status
from tests.databases import new_database
from tests.memory.recall.stores import AGENT, HERE, _write_row, write


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


def share(found: lexical.Found) -> float:
    """Give how much of the question the best hit covers."""
    return found.hits[0].bm25 / found.attainable


def test_small_words_count_only_where_there_is_nothing_else(database: Database) -> None:
    """Every second row holds them; but "who is will" is a question, and so is "was ist das"."""
    write(
        database, [{"text": text} for text in ("Will is her brother", "the keys are in the box", "Das ist es", "a b")]
    )
    assert pks(database, "who is will")[0] == 1
    assert pks(database, "was ist das") == [3]
    assert pks(database, "where are the keys") == [2]
    assert find(database, "where is the xylophone").hits == ()


def test_a_greeting_covers_next_to_nothing(database: Database) -> None:
    """It holds no word that would say what it is about."""
    rows = ["The keys are under the mat", "The roses are red", "Twins are rare"]
    write(database, [{"text": text} for text in (*rows, "Tea at five", "Rye bread", "Chess", "A hut")])
    assert share(find(database, "how are you")) < 0.1
    assert share(find(database, "are")) > 0.9


def lines(name: str) -> list[str]:
    cases = map(json.loads, Path("tests/cases/retrieval.jsonl").read_text(encoding="utf-8").splitlines())
    return [memory["text"] for case in cases if case["id"] == name for memory in case["store"]]


@pytest.mark.parametrize("case", ["ret-d10", "ret-d11", "ret-d12", "ret-d13"])
def test_every_one_or_two_characters_find_their_memory(case: str, database: Database) -> None:
    """Of a script that sets no blanks, and of Korean; particles and endings alone are questions too."""
    texts = lines(case)
    write(database, [{"text": text} for text in texts])
    run = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー]{1,2}")
    for pk, text in enumerate(texts, 1):
        for part in {found[0][:size] for found in run.finditer(text, overlapped=True) for size in (1, 2)}:
            assert pk in pks(database, part), (part, text)


@pytest.mark.parametrize(
    ("typed", "text", "stored"),
    [
        ("when is the dentits apointment", "Dentist appointment on the 9th", ("dentist", "appointment")),
        ("к стоматолгу когда", "Стоматолог в четверг", ("стоматолог",)),
        ("Wann ist der Zanarzttermin", "Der Zahnarzttermin ist am Freitag", ("zahnarzttermin",)),
        ("Wo ist der Schlüsel", "Der Schlüssel hängt neben der Tür", ("schlussel",)),
        ("où est le passeprot", "Le passeport est dans le tiroir", ("passeport",)),
        ("dónde está la bicilceta", "La bicicleta está en el sótano", ("bicicleta",)),
        ("dove sono gli occhilai", "Gli occhiali sono sul tavolo", ("occhiali",)),
        ("πού είναι το διαβατηριο μου διαβατήρoι", "Το διαβατήριο είναι στο συρτάρι", ("διαβατηριο",)),
        ("missä on polkupyröä", "Polkupyörä on kellarissa", ("polkupyora",)),
        ("bsiiklet nerede", "Bisiklet bodrumda", ("bisiklet",)),
        ("wher is the umbrela", "The umbrella hangs in the hall", ("umbrella",)),
        ("איפה הדרכוון", "הדרכון במגירה", ("הדרכון",)),
    ],
)  # fmt: skip
def test_a_slip_of_the_finger_finds_the_stored_word(
    typed: str, text: str, stored: tuple[str, ...], database: Database
) -> None:
    """It is the stored word that the hit shows, and what only looks a little like it stays out."""
    write(database, [{"text": text}, {"text": "Disappointed by the tentpole"}, {"text": "Разочарован магистралью"}])
    (hit,) = find(database, typed).hits
    assert hit.pk == 1
    assert set(stored) <= set(hit.terms)


def test_the_word_itself_is_worth_more_than_a_near_one(database: Database) -> None:
    """And where it is held no other is tried."""
    write(database, [{"text": "sextant"}, {"text": "sextent"}])
    assert pks(database, "sextant") == [1]
    exact, near = find(database, "sextant"), find(database, "sextnat")
    assert [hit.pk for hit in near.hits] == [1]
    assert near.hits[0].bm25 / near.attainable < exact.hits[0].bm25 / exact.attainable


@pytest.mark.parametrize(
    ("asked", "held"),
    [("2028", "2027"), ("14:20", "14:21"), ("anna@ledger.example", "anne@lodger.example"), ("猫", "狗"), ("房租", "房祖屋"),
     ("5550134", "5550133"), ("night_owk", "night_owl"), ("ten", "tea"), ("boat", "coat"),
     ("does Mario sing", "Maria"), ("https://pinetree.example", "https://linetree.exampel")],
)  # fmt: skip
def test_no_error_is_forgiven_where_it_makes_another_thing(asked: str, held: str, database: Database) -> None:
    """Numbers, addresses, names of accounts, characters, very short words."""
    write(database, [{"text": held}])
    assert {term for hit in find(database, asked).hits for term in hit.terms} <= set(analyse(asked))


def test_only_the_words_of_the_visible_scopes_are_tried(database: Database) -> None:
    """What others say neither answers nor shows through; nor does what is archived."""
    write(
        database, [{"text": "barometer", "scope": "chat:2"}, {"text": "sextant", "status": "archived"}, {"text": "tea"}]
    )
    assert find(database, "barometre").hits == find(database, "sextnat").hits == ()
    assert pks(database, "barometre", HERE, "chat:2") == [1]
    assert pks(database, "sextnat", statuses=(Status.ARCHIVED,)) == [2]


def test_what_may_not_answer_does_not_crowd_out_what_may(database: Database) -> None:
    """Nearer words of archived memories take no place among the few that are tried."""
    archived = ("barometre", "barometra", "barometri", "barometro")
    write(database, [*({"text": text, "status": "archived"} for text in archived), {"text": "barometrics"}])
    assert pks(database, "barometrc") == [5]


def test_a_word_that_was_just_stored_can_be_misspelt(database: Database) -> None:
    """The vocabulary keeps step with the memories."""
    write(database, [{"text": "tea"}])
    assert pks(database, "sextnat") == []
    write(database, [{"text": "sextant"}], first_pk=2)
    assert pks(database, "sextnat") == [2]
    write(database, [{"text": "barometer"}], first_pk=3)
    assert pks(database, "baromter") == [3]


def test_in_a_paste_nothing_is_taken_for_a_slip(database: Database) -> None:
    """A page of unknown words is no question with sixteen errors."""
    write(database, [{"text": "sextant"}])
    paste = " ".join(f"unheard{first}{second}" for first in "abcdefgh" for second in "abcdefgh")
    assert pks(database, f"sextnat {paste}") == []
    assert pks(database, f"sextant {paste}") == [1]


NOISE = ["", " \t\n", "🎂👨‍👩‍👧🇵🇹❤️", "word " * 10_000, " ".join("".join(letters) for letters in islice(permutations("abcdefghijkl", 5), 10_000)), 'AND OR NOT NEAR("a" b, 3) * ^ {x}:',
         "\x00", "\ud800\udfff", "\u202e\u200f", "?" * 5_000, "ab" * 20_000, "的" * 10_000, "is " * 10_000, "'; DROP TABLE memories; --"]  # fmt: skip


@pytest.mark.parametrize("query", NOISE, ids=range(len(NOISE)))
def test_no_question_is_an_error(query: str, database: Database) -> None:
    """Whatever is typed, pasted or broken on the way; and it takes no time."""
    write(database, [{"text": "boat"}, {"text": "猫 🎂 word"}])
    find(database, query)
    took = []
    for _ in range(3):
        began = time.thread_time()
        found = find(database, query)
        took.append(time.thread_time() - began)
    assert min(took) < 0.1
    assert {hit.pk for hit in found.hits} <= {1, 2}


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


SAID = st.lists(
    st.sampled_from(("boat", "boats", "boating", "kayak", "Café", "猫", "房租", "🎂", "07:30", "well-known", "the")),
    min_size=1,
    max_size=6,
).map(" ".join)
HELD = st.lists(
    st.tuples(SAID, st.sampled_from(("chat:1", "global", "chat:2")), st.sampled_from(("active", "archived")))
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=HELD, query=SAID, limit=st.integers(1, 8))
def test_scores_are_those_of_the_formula(
    rows: list[tuple[str, str, str]], query: str, limit: int, database: Database
) -> None:
    """Counted row by row and term by term, as one would by hand."""
    with database.write() as uow:  # never committed
        for pk, (text, scope, status) in enumerate(rows, 1):
            _write_row(uow.connection, pk, {"text": text, "scope": scope, "status": status}, None, None)
        places = (HERE, Scope("global"))
        hits = lexical.search(uow.connection, AGENT, places, tokens(query), limit=limit).hits
    visible = {pk: row[0] for pk, row in enumerate(rows, 1) if row[1] != "chat:2" and row[2] == "active"}
    expected = sorted(by_hand(visible, query).items(), key=lambda item: (-round(item[1], 6), item[0]))[:limit]
    assert [(hit.pk, pytest.approx(hit.bm25)) for hit in hits] == expected


def by_hand(visible: dict[int, str], query: str) -> dict[int, float]:
    scores: dict[int, float] = {}
    for token in looked_up(tokens(query)):
        found: dict[int, float] = {}
        for pk, text in visible.items():
            terms = set(analyse(text))
            quality = 1.0 if terms.intersection(token.exact) else policy.LOOSE_QUALITY * bool(terms & {*token.loose})
            found |= {pk: quality} if quality else {}
        idf = math.log(1 + (len(visible) - len(found) + 0.5) / (len(found) + 0.5))
        for pk, quality in found.items():
            length = 1 - policy.BM25_B + policy.BM25_B * len(visible[pk]) / policy.TYPICAL_LENGTH
            factor = (policy.BM25_K1 + 1) / (1 + policy.BM25_K1 * length)
            scores[pk] = scores.get(pk, 0.0) + token.weight * idf * quality * factor
    return scores


def test_a_change_is_found_by_the_next_question_and_only_what_is_committed(database: Database) -> None:
    """Postings are held between two questions; the file decides all the same."""
    write(database, [{"text": "boat"}])
    assert pks(database, "boat kayak") == [1]
    write(database, [{"text": "kayak"}], first_pk=2)
    assert pks(database, "kayak") == [2]
    with database.write() as uow:
        lexical.index(uow.connection, 1, AGENT, HERE, "kayak")
        inside = lexical.search(uow.connection, AGENT, (HERE,), tokens("kayak"))
        assert [hit.pk for hit in inside.hits] == [1, 2]
        assert lexical.search(uow.connection, AGENT, (HERE,), tokens("boat")).hits == ()
    assert pks(database, "kayak") == [2]
    with database.write() as uow:
        uow.connection.exec_driver_sql("UPDATE memories SET status = 'archived' WHERE pk = 2")
        uow.commit()
    assert pks(database, "kayak") == []
    assert pks(database, "kayak", statuses=(Status.ARCHIVED,)) == [2]


def test_cues_follow_their_memory(database: Database) -> None:
    """Their own changes and its own, in a transaction as well."""
    write(database, [{"text": "x", "triggers": ["tax return"]}, {"text": "y", "triggers": ["sail", "moor"]}])
    assert pks(database, "tax") == []  # they are held from here on
    with database.write() as uow:
        assert sorted(lexical.cues(uow.connection, AGENT, (HERE,))) == [
            (1, "tax return", False),
            (2, "moor", False),
            (2, "sail", False),
        ]
        uow.connection.exec_driver_sql("DELETE FROM memory_triggers WHERE phrase = 'moor'")
        uow.connection.exec_driver_sql("DELETE FROM memories WHERE pk = 1")
        assert lexical.cues(uow.connection, AGENT, (HERE,)) == [(2, "sail", False)]
        uow.commit()
    with database.read() as uow:
        assert lexical.cues(uow.connection, AGENT, (HERE,)) == [(2, "sail", False)]
        assert lexical.cues(uow.connection, AGENT, (Scope("chat:2"),)) == []
