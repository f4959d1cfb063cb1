"""Literal duplicates are merged without a model."""

from datetime import timedelta

import pytest

from memory import journal, store
from memory.domain import Memory, Status
from memory.hygiene import literal
from memory.unit_of_work import UnitOfWork
from tests.memory.lifecycle.lives import ENGINE, fresh
from tests.memory.samples import AGENT, CAUSE, ELSEWHERE, HERE, NOW, keep

LATER = NOW + timedelta(days=1)


def merge_all(uow: UnitOfWork) -> int:
    merged = 0
    while found := literal.due(uow, ENGINE):
        merged += sum(literal.settle(uow, ENGINE, cluster, now=LATER) is not None for cluster in found)
    return merged


def active(uow: UnitOfWork) -> list[str]:
    return sorted(memory.text for memory in store.visible(uow, AGENT, HERE))


@pytest.mark.parametrize(
    "texts", [("Likes tea", "likes TEA."), ("我的猫叫饼干", "我的猫叫饼干。"), ("Любит чай", "любит чай!")]
)
def test_case_and_punctuation_make_no_difference(uow: UnitOfWork, texts: tuple[str, str]) -> None:
    for text in texts:
        keep(uow, text)
    assert merge_all(uow) == 1
    assert active(uow) == [texts[1]]
    assert merge_all(uow) == 0


def test_another_scope_subject_or_end_is_another_memory(uow: UnitOfWork) -> None:
    keep(uow, "Likes tea")
    keep(uow, "Likes tea", ELSEWHERE)
    keep(uow, "Likes tea", subject="Bob", speaker="Bob")
    keep(uow, "Likes tea", expires_at=LATER)
    assert merge_all(uow) == 0


@pytest.mark.parametrize("texts", [
    ("It is -5", "It is 5"), ("It is 5", "It is -5"), ("Costs $5", "Costs €5"), ("Programs in C", "Programs in C++"),
    ("Likes 🍎", "Likes 🍐"), ("3 > 2", "3 < 2"), ("Ist schon da", "Ist schön da"), ("Kennt Jörg", "Kennt Jorg"),
])  # fmt: skip
def test_signs_and_accents_do_make_a_difference(uow: UnitOfWork, texts: tuple[str, str]) -> None:
    for text in texts:
        keep(uow, text)
    assert merge_all(uow) == 0


def test_namesakes_are_told_apart_by_account(uow: UnitOfWork) -> None:
    keep(uow, "Likes tea", speaker_id=1)
    keep(uow, "Likes tea", speaker_id=2)
    assert merge_all(uow) == 0


def test_pinned_and_sleeping_ones_are_left_alone(uow: UnitOfWork) -> None:
    pinned = keep(uow, "Likes tea")
    store.change(uow, pinned, now=NOW, cause=CAUSE, pinned=True)
    keep(uow, "Likes tea", status=Status.ARCHIVED)
    keep(uow, "Likes tea", status=Status.QUARANTINED)
    keep(uow, "Likes tea")
    assert merge_all(uow) == 0


def test_thirty_copies_become_one(uow: UnitOfWork) -> None:
    kept: list[Memory] = [keep(uow, "Likes tea") for _ in range(30)]
    assert [len(cluster.memories) for cluster in literal.due(uow, ENGINE)] == [8]
    merge_all(uow)
    assert active(uow) == ["Likes tea"]
    assert all(fresh(uow, memory).status is Status.SUPERSEDED for memory in kept)


def test_what_changed_meanwhile_is_left_alone(uow: UnitOfWork) -> None:
    one, _ = keep(uow, "Likes tea"), keep(uow, "Likes tea")
    (cluster,) = literal.due(uow, ENGINE)
    store.change(uow, one, now=NOW, cause=CAUSE, importance=9)
    assert literal.settle(uow, ENGINE, cluster, now=LATER) is None
    assert len(active(uow)) == 2


def test_what_a_person_parted_stays_apart(uow: UnitOfWork) -> None:
    keep(uow, "Likes tea")
    keep(uow, "Likes tea!")
    merge_all(uow)
    operation = journal.last_undoable(uow, AGENT, HERE, None, since=NOW)
    assert operation is not None
    assert isinstance(journal.undo(uow, operation, now=LATER, by=None), journal.Undone)
    assert merge_all(uow) == 0
    assert active(uow) == ["Likes tea", "Likes tea!"]
