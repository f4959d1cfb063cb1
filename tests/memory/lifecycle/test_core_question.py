"""The whitelist question: default no, remembered, asked again only after new evidence."""

from datetime import timedelta

import pytest

from memory import journal, store
from memory.domain import Layer, Memory
from memory.lifecycle import core_question
from memory.steps import BATCH
from memory.unit_of_work import UnitOfWork
from tests.memory.lifecycle.lives import ENGINE, fresh, live, noted
from tests.memory.samples import AGENT, CAUSE, HERE, NOW, keep

LATER = NOW + timedelta(days=2)


@pytest.fixture
def asked(uow: UnitOfWork) -> tuple[Memory, ...]:
    live(uow, 40)
    for text in ("Is allergic to peanuts", "Looks for a flat"):
        keep(uow, text, importance=9, layer=Layer.WORKING)
    keep(uow, "Saw a heron", importance=6, layer=Layer.WORKING)
    keep(uow, "Dentist on Thursday", importance=9, layer=Layer.WORKING, expires_at=LATER)
    keep(uow, "In the buffer", importance=9)
    return core_question.candidates(uow, ENGINE, now=LATER)


def test_what_matters_and_is_a_day_old_is_asked_about(uow: UnitOfWork, asked: tuple[Memory, ...]) -> None:
    """Dated matters, trifles and the buffer are not."""
    assert [memory.text for memory in asked] == ["Is allergic to peanuts", "Looks for a flat"]
    assert core_question.candidates(uow, ENGINE, now=NOW + timedelta(hours=3)) == ()
    assert len(core_question.candidates(uow, ENGINE, now=LATER, limit=1)) == 1


def test_page_by_page_the_same_are_found(uow: UnitOfWork, asked: tuple[Memory, ...]) -> None:
    """No page looks at more rows than a reader can be held for."""
    for n in range(BATCH):
        keep(uow, f"Matters much, number {n}", importance=9, layer=Layer.WORKING)
    found, after = core_question.page(uow, ENGINE, now=LATER)
    assert after is not None
    rest, end = core_question.page(uow, ENGINE, now=LATER, after=after)
    assert (len(found), len(rest), end) == (BATCH, len(asked), None)
    assert (*found, *rest) == core_question.candidates(uow, ENGINE, now=LATER, limit=100)


def test_it_is_shown_under_an_alias(asked: tuple[Memory, ...]) -> None:
    shown = core_question.question(asked)
    assert shown == "m1: about Anna: Is allergic to peanuts\nm2: about Anna: Looks for a flat"


@pytest.mark.parametrize("raw", [
    '{"core": ["m1"]}', '```json\n{"core": ["M1 ",]}\n```', '{"core": ["m1", "m9", 7, null, "all"]}', 'Sure: {"core": ["m1"]}',
])  # fmt: skip
def test_what_is_listed_is_let_in_and_nothing_else(asked: tuple[Memory, ...], raw: str) -> None:
    assert core_question.read(raw, asked) == {asked[0].id: True, asked[1].id: False}


@pytest.mark.parametrize(
    "raw", ["", "yes", "{}", '{"core": "m1"}', '{"core": {"m1": true}}', "[" * 5000, '["m1"]', "\ud800"]
)
def test_rubbish_is_no_answer(asked: tuple[Memory, ...], raw: str) -> None:
    assert core_question.read(raw, asked) is None


def test_an_empty_list_is_a_no_to_all(asked: tuple[Memory, ...]) -> None:
    assert core_question.read('{"core": []}', asked) == {memory.id: False for memory in asked}


def test_a_yes_promotes_and_a_no_is_remembered_until_new_evidence(uow: UnitOfWork, asked: tuple[Memory, ...]) -> None:
    answers = {asked[0].id: True, asked[1].id: False}
    assert core_question.settle(uow, ENGINE, answers, asked, now=LATER) == 1
    assert fresh(uow, asked[0]).layer is Layer.CORE
    assert journal.of_memory(uow, AGENT, HERE, asked[0].id)[-1].reason == core_question.STANDING
    assert core_question.candidates(uow, ENGINE, now=LATER) == ()
    store.change(uow, fresh(uow, asked[1]), now=LATER, cause=CAUSE, importance=10)
    assert core_question.candidates(uow, ENGINE, now=LATER) == (), "another importance is no evidence"
    noted(uow, asked[1], "use", 2)
    assert [memory.id for memory in core_question.candidates(uow, ENGINE, now=LATER)] == [asked[1].id]


def test_what_changed_meanwhile_is_left_alone(uow: UnitOfWork, asked: tuple[Memory, ...]) -> None:
    noted(uow, asked[0], "mention", 1)
    noted(uow, asked[1], "mention", 1)
    answers = {asked[0].id: True, asked[1].id: False}
    assert core_question.settle(uow, ENGINE, answers, asked, now=LATER) == 0
    assert len(core_question.candidates(uow, ENGINE, now=LATER)) == 2


def test_a_model_that_lets_nearly_everything_in_has_not_answered(uow: UnitOfWork) -> None:
    """Of five and more, most are not for the core."""
    live(uow, 3)
    for number in range(6):
        keep(uow, f"Matter {number}", importance=9, layer=Layer.WORKING)
    many = core_question.candidates(uow, ENGINE, now=LATER)
    assert core_question.read('{"core": ["m1", "m2", "m3", "m4"]}', many) is None
    assert sum((core_question.read('{"core": ["m1", "m2", "m3"]}', many) or {}).values()) == 3


def test_a_no_to_what_was_reworded_since_says_nothing_of_the_present_words(
    uow: UnitOfWork, asked: tuple[Memory, ...]
) -> None:
    """Whether the words changed before the answer came or after."""
    answers = {memory.id: False for memory in asked}
    early, late = asked
    soon, later = LATER + timedelta(hours=1), LATER + timedelta(hours=30)
    store.change(uow, early, now=soon, cause=CAUSE, text="Is allergic to nuts")
    core_question.settle(uow, ENGINE, answers, asked, now=soon)
    assert [memory.id for memory in core_question.candidates(uow, ENGINE, now=soon)] == [early.id]
    store.change(uow, late, now=later, cause=CAUSE, text="Found a flat", valid_from=later)
    assert len(core_question.candidates(uow, ENGINE, now=later + timedelta(hours=25))) == 2


def test_a_day_nobody_lived_makes_nothing_ripe(uow: UnitOfWork) -> None:
    """Said before a holiday, it is some hours old afterwards."""
    live(uow, 0)
    keep(uow, "Is allergic to peanuts", importance=9, layer=Layer.WORKING)
    assert core_question.candidates(uow, ENGINE, now=NOW + timedelta(days=21)) == ()
