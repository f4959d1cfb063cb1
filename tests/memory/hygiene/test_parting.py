"""Of a merged memory the forgotten input goes, and the others are restored; no byte of it stays."""

from pathlib import Path

import pytest
from sqlalchemy import insert, select

from memory import forgetting, maintenance, store, tombstones, transcript, verdicts
from memory.domain import Memory, Status
from memory.hygiene.joining import join
from memory.tables import memory_firings, memory_verdicts, metadata
from memory.unit_of_work import UnitOfWork
from tests.databases import new_database
from tests.memory.lifecycle.lives import ENGINE, fresh
from tests.memory.samples import AGENT, CAUSE, HERE, NOW, keep, said

TEXTS = ("Has a dog named Zorro", "Owns a dog called Zorro", "Walks along the river with the dog")


def merged(uow: UnitOfWork, *texts: str) -> tuple[Memory, ...]:
    """Keep statements with their messages and merge them; give the inputs and the result."""
    kept = []
    for n, text in enumerate(texts):
        message = transcript.add(uow, **said(text, f"k{n}"))
        kept.append(keep(uow, text, sources=((message.id, 0, len(text)),)))
    return *kept, join(uow, ENGINE, kept, f"{texts[0]}; {texts[-1]}", now=NOW)


def forget(uow: UnitOfWork, about: str) -> None:
    for memory in forgetting.candidates(uow, AGENT, HERE, about):
        forgetting.purge(uow, AGENT, memory, about=about, now=NOW, index=None)


def active(uow: UnitOfWork) -> list[str]:
    return [memory.text for memory in store.visible(uow, AGENT, HERE)]


@pytest.mark.parametrize("about", ["Zorro", "dog named Zorro", "a dog called Zorro"])
def test_the_forgotten_inputs_go_and_the_other_stands_by_itself(uow: UnitOfWork, about: str) -> None:
    *inputs, result = merged(uow, *TEXTS)
    forget(uow, about)
    assert active(uow) == [TEXTS[2]]
    left = fresh(uow, inputs[2])
    assert (left.status, left.superseded_by) == (Status.ACTIVE, None)
    assert store.get(uow, AGENT, HERE, result.id) is None


def test_a_mark_of_the_result_forgets_what_it_says(uow: UnitOfWork) -> None:
    *_, result = merged(uow, *TEXTS[:2])
    forget(uow, forgetting.mark(result))
    assert active(uow) == []
    assert store.visible(uow, AGENT, HERE, tuple(Status)) == ()


def test_a_merge_of_merges_comes_apart_all_the_way(uow: UnitOfWork) -> None:
    *inputs, first = merged(uow, TEXTS[0], TEXTS[2])
    other = keep(uow, "Swims in the river at dawn")
    second = join(uow, ENGINE, [first, other], "Zorro the dog walks along the river; swims in it at dawn", now=NOW)
    forget(uow, "Zorro")
    assert sorted(active(uow)) == [other.text, TEXTS[2]]
    assert [store.get(uow, AGENT, HERE, gone.id) for gone in (inputs[0], first, second)] == [None, None, None]


def test_what_only_replaced_a_statement_stays(uow: UnitOfWork) -> None:
    """Forgetting the former town does not forget the present one."""
    older, newer = keep(uow, "Lives in Milan"), keep(uow, "Lives in Berlin")
    result = join(uow, ENGINE, [older, newer], "Lives in Berlin", now=NOW, superseded=frozenset({older.id}))
    forget(uow, "Milan")
    assert active(uow) == ["Lives in Berlin"]
    assert fresh(uow, result).status is Status.ACTIVE
    assert store.get(uow, AGENT, HERE, older.id) is None


def test_forgetting_the_present_town_does_not_bring_back_the_former(uow: UnitOfWork) -> None:
    older, newer = keep(uow, "Lives in Milan"), keep(uow, "Lives in Berlin")
    join(uow, ENGINE, [older, newer], "Lives in Berlin", now=NOW, superseded=frozenset({older.id}))
    forget(uow, "Lives in Berlin")
    assert active(uow) == []
    assert fresh(uow, older).superseded_by is None


def test_every_forgotten_text_gets_a_tombstone(uow: UnitOfWork) -> None:
    merged(uow, *TEXTS)
    forget(uow, "Zorro")
    assert all(tombstones.stands(uow, AGENT, HERE, text) for text in TEXTS[:2])
    assert not tombstones.stands(uow, AGENT, HERE, TEXTS[2])


def test_no_byte_of_it_stays_in_the_file_or_its_log(tmp_path: Path) -> None:
    """Said once, in an input, a former text, the journal, a cue, the full text."""
    path = tmp_path / "bytes.db"
    database = new_database(path)
    with database.write() as uow:
        *inputs, result = merged(uow, *TEXTS)
        store.change(uow, fresh(uow, result), now=NOW, cause=CAUSE, text="The dog Zorro walks along the river")
        keep(uow, "Feed Zorro first", triggers=("zorro hungry",))
        uow.commit()
    with database.write() as uow:
        forget(uow, "Zorro")
        uow.commit()
    maintenance.vacuum(path)
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for spelled in ("Zorro", "zorro", "ZORRO"):
        assert spelled.encode() not in data
        assert spelled.encode("utf-16-le") not in data
    assert b"Walks along the river" in data, "the other input stays"
    database.close()
    assert inputs


def test_nothing_beside_a_forgotten_memory_stays(uow: UnitOfWork) -> None:
    """Verdicts, cool-downs, cues, days, sources and former texts go; the journal of all says no word of it."""
    *inputs, result = merged(uow, *TEXTS)
    for one in (*inputs, result):
        firing = {"memory_id": one.id, "chat_id": 7, "thread_id": 0, "fired_at": NOW}
        uow.connection.execute(insert(memory_firings), firing)
    verdicts.keep(uow, verdicts.Question.MERGE, inputs[0], inputs[2], verdicts.DISTINCT, now=NOW)
    forget(uow, "Zorro")
    assert list(uow.connection.scalars(select(memory_firings.c.memory_id))) == [inputs[2].id]
    assert list(uow.connection.execute(select(memory_verdicts))) == []
    left = [str(list(uow.connection.execute(select(table)))) for table in metadata.sorted_tables]
    assert not [text for text in left if "zorro" in text.casefold()]


def test_a_former_text_of_an_input_finds_and_forgets_it(uow: UnitOfWork) -> None:
    """The word stands in no present text, only in what an input said before."""
    one, other = keep(uow, "Has a dog named Zorro"), keep(uow, "Swims in the river at dawn")
    store.change(uow, one, now=NOW, cause=CAUSE, text="Has a dog named Max")
    join(uow, ENGINE, [fresh(uow, one), other], "Has a dog named Max; swims in the river at dawn", now=NOW)
    forget(uow, "Zorro")
    assert active(uow) == [other.text]
    left = [str(list(uow.connection.execute(select(table)))) for table in metadata.sorted_tables]
    assert not [text for text in left if "zorro" in text.casefold()]


def test_a_former_text_gets_a_tombstone_too(uow: UnitOfWork) -> None:
    one = keep(uow, "Has a dog named Zorro")
    store.change(uow, one, now=NOW, cause=CAUSE, text="Has a dog named Max")
    forget(uow, forgetting.mark(one))
    assert all(tombstones.stands(uow, AGENT, HERE, f"Has a dog named {name}") for name in ("Zorro", "Max"))
