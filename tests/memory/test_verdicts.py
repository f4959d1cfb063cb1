"""A verdict is remembered as long as what was judged stays as it was."""

import pytest

from memory import store, verdicts
from memory.domain import Memory
from memory.unit_of_work import UnitOfWork
from memory.verdicts import CONTRADICTS, DISTINCT, NO, PARTED, Question
from tests.memory.lifecycle.lives import fresh
from tests.memory.samples import AGENT, CAUSE, HERE, NOW, keep


@pytest.fixture
def pair(uow: UnitOfWork) -> tuple[Memory, Memory]:
    return keep(uow, "Likes tea"), keep(uow, "Likes coffee")


def rows(uow: UnitOfWork, *memories: Memory) -> list[int]:
    return [pk for memory in memories for pk in uow.connection.exec_driver_sql(
        "SELECT pk FROM memories WHERE id = ?", (memory.id,)).scalars()]  # fmt: skip


def held(uow: UnitOfWork, pair: tuple[Memory, ...]) -> list[str]:
    said = list(verdicts.of_pairs(uow, [memory.id for memory in pair]).values())
    assert len(verdicts.of_rows(uow, rows(uow, *pair))) == len(said), "both ways to ask agree"
    return said


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("changed", [0, 1])
def test_a_verdict_on_a_pair_ends_when_either_changes(
    uow: UnitOfWork, pair: tuple[Memory, Memory], first: int, changed: int
) -> None:
    verdicts.keep(uow, Question.MERGE, pair[first], pair[1 - first], DISTINCT, now=NOW)
    assert held(uow, pair) == [DISTINCT]
    store.change(uow, pair[changed], now=NOW, cause=CAUSE, importance=9)
    assert held(uow, pair) == []


def test_a_use_ends_no_verdict(uow: UnitOfWork, pair: tuple[Memory, Memory]) -> None:
    verdicts.keep(uow, Question.MERGE, *pair, DISTINCT, now=NOW)
    store.use(uow, pair[0], now=NOW, cause=CAUSE)
    assert held(uow, pair) == [DISTINCT]


def test_what_a_person_parted_stays_so_whatever_changes(uow: UnitOfWork, pair: tuple[Memory, Memory]) -> None:
    verdicts.keep(uow, Question.MERGE, *pair, PARTED, now=NOW)
    store.change(uow, pair[0], now=NOW, cause=CAUSE, text="Likes green tea")
    assert held(uow, pair) == [PARTED]


def test_a_later_verdict_takes_the_place_of_the_former(uow: UnitOfWork, pair: tuple[Memory, Memory]) -> None:
    verdicts.keep(uow, Question.MERGE, *pair, DISTINCT, now=NOW)
    verdicts.keep(uow, Question.MERGE, pair[1], pair[0], CONTRADICTS, now=NOW)
    assert held(uow, pair) == [CONTRADICTS]


def test_a_verdict_is_one_of_its_question_only(uow: UnitOfWork, pair: tuple[Memory, Memory]) -> None:
    verdicts.keep(uow, Question.PHANTOM, pair[0], None, NO, now=NOW)
    assert held(uow, pair) == []
    assert verdicts.answered(uow, Question.PHANTOM, pair) == {pair[0].id: NO}
    assert verdicts.answered(uow, Question.CORE, pair) == {}


def test_the_question_about_the_core_is_open_again_after_new_evidence(
    uow: UnitOfWork, pair: tuple[Memory, Memory]
) -> None:
    verdicts.keep(uow, Question.CORE, pair[0], None, NO, now=NOW)
    store.change(uow, pair[0], now=NOW, cause=CAUSE, importance=9)
    assert verdicts.answered(uow, Question.CORE, [fresh(uow, pair[0])]) == {pair[0].id: NO}
    store.use(uow, fresh(uow, pair[0]), now=NOW, cause=CAUSE)
    assert verdicts.answered(uow, Question.CORE, [fresh(uow, pair[0])]) == {}


@pytest.mark.parametrize("moved", [0, 1])
def test_a_change_of_standing_by_rule_can_be_carried_over_and_only_that_one(
    uow: UnitOfWork, pair: tuple[Memory, Memory], moved: int
) -> None:
    verdicts.keep(uow, Question.MERGE, *pair, CONTRADICTS, now=NOW)
    store.change(uow, pair[moved], now=NOW, cause=CAUSE, importance=4)
    verdicts.carry_over(uow, [pair[moved].id])
    verdicts.carry_over(uow, [pair[moved].id])
    assert held(uow, pair) == [CONTRADICTS], "nothing changed since"
    for importance in (5, 6):
        store.change(uow, fresh(uow, pair[moved]), now=NOW, cause=CAUSE, importance=importance)
    verdicts.carry_over(uow, [pair[moved].id])
    assert held(uow, pair) == [], "what changed before that was not carried over"


def test_a_verdict_goes_with_the_memory(uow: UnitOfWork, pair: tuple[Memory, Memory]) -> None:
    verdicts.keep(uow, Question.MERGE, *pair, DISTINCT, now=NOW)
    store.erase(uow, pair[1])
    assert uow.connection.exec_driver_sql("SELECT count(*) FROM memory_verdicts").scalar_one() == 0
    assert store.get(uow, AGENT, HERE, pair[0].id) == pair[0]
