"""How memories settle, and why."""

from datetime import timedelta

import pytest

from memory import journal, store, verdicts
from memory.domain import Actor, Layer, Memory, Status
from memory.lifecycle import promotion
from memory.unit_of_work import UnitOfWork
from memory.verdicts import CONTRADICTS, Question
from tests.memory.lifecycle.lives import due, fresh, live, noted, run
from tests.memory.samples import AGENT, CAUSE, HERE, NOW, keep

DAY = timedelta(days=1)


def contradict(uow: UnitOfWork, older: Memory, newer: Memory) -> None:
    verdicts.keep(uow, Question.MERGE, fresh(uow, older), fresh(uow, newer), CONTRADICTS, now=NOW)


@pytest.mark.parametrize(("what", "days", "settled"), [
    ("mention", (1,), True), ("mention", (0,), False), ("use", (1,), False), ("use", (1, 2), True), ("use", (0, 0), False),
])  # fmt: skip
def test_the_second_occasion_settles_a_memory(uow: UnitOfWork, what: str, days: tuple[int, ...], settled: bool) -> None:
    """The day it was first said is the first occasion; of uses it takes two days."""
    live(uow, 3)
    memory = keep(uow, "Feeds the ducks", importance=3)
    noted(uow, memory, what, *dict.fromkeys(days))
    run(promotion.due, uow, NOW + 3 * DAY)
    assert (fresh(uow, memory).layer is Layer.WORKING) is settled


@pytest.mark.parametrize(
    ("importance", "hours", "settled"), [(6, 25, True), (6, 23, False), (5, 500, False), (9, 25, True)]
)
def test_what_matters_settles_once_it_is_a_lived_day_old(
    uow: UnitOfWork, importance: int, hours: int, settled: bool
) -> None:
    live(uow, 30)
    memory = keep(uow, "Sister Ana is getting married", importance=importance)
    run(promotion.due, uow, NOW + timedelta(hours=hours))
    assert (fresh(uow, memory).layer is Layer.WORKING) is settled


def test_a_day_nobody_lived_is_no_day(uow: UnitOfWork) -> None:
    """Said before a holiday of three weeks, it is some hours old afterwards."""
    live(uow, 0)
    keep(uow, "Sister Ana is getting married", importance=7)
    assert run(promotion.due, uow, NOW + 21 * DAY) == []


def test_what_a_newer_statement_contradicts_does_not_settle_by_age(uow: UnitOfWork) -> None:
    live(uow, 5)
    older, newer = keep(uow, "Lives in Milan", importance=7), keep(uow, "Lives in Berlin", importance=7, now=NOW + DAY)
    contradict(uow, older, newer)
    assert [move.memory.id for move in due(promotion.due, uow, NOW + 4 * DAY)] == [newer.id]


@pytest.mark.parametrize(("days", "importance", "layer"), [
    ((3, 9), 7, Layer.CORE), ((3, 7), 7, Layer.CORE), ((3, 9), 6, Layer.WORKING), ((3,), 7, Layer.WORKING), ((1, 6), 7, Layer.WORKING),
])  # fmt: skip
def test_the_core_takes_what_proved_itself_on_three_days_over_a_week(
    uow: UnitOfWork, days: tuple[int, ...], importance: int, layer: Layer
) -> None:
    live(uow, 10)
    memory = keep(uow, "Is allergic to peanuts", importance=importance, layer=Layer.WORKING)
    noted(uow, memory, "use", *days)
    run(promotion.due, uow, NOW + 10 * DAY)
    assert fresh(uow, memory).layer is layer


def test_three_days_across_a_holiday_are_no_week(uow: UnitOfWork) -> None:
    """Lived days count."""
    for day in (0, 1, 25):
        live(uow, 0, since=NOW + day * DAY)
    memory = keep(uow, "Is allergic to peanuts", importance=9, layer=Layer.WORKING)
    noted(uow, memory, "mention", 1, 25)
    assert run(promotion.due, uow, NOW + 26 * DAY) == []


def test_said_and_used_on_one_day_is_one_day(uow: UnitOfWork) -> None:
    """With the day it was first said that makes two."""
    live(uow, 10)
    memory = keep(uow, "Is allergic to peanuts", importance=9, layer=Layer.WORKING)
    noted(uow, memory, "use", 9)
    noted(uow, memory, "mention", 9)
    assert run(promotion.due, uow, NOW + 10 * DAY) == []


@pytest.mark.parametrize("what", ["mention", "use"])
@pytest.mark.parametrize("layer", [Layer.BUFFER, Layer.WORKING])
def test_evidence_for_a_former_statement_does_not_count_for_the_present_one(
    uow: UnitOfWork, what: str, layer: Layer
) -> None:
    """The days of "Lives in Milan" say nothing about Berlin."""
    live(uow, 12)
    memory = keep(uow, "Lives in Milan", importance=8 if layer is Layer.WORKING else 5, layer=layer)
    noted(uow, memory, what, 1, 2)
    moved = NOW + 3 * DAY
    store.change(uow, fresh(uow, memory), now=moved, cause=CAUSE, text="Lives in Berlin", valid_from=moved)
    noted(uow, memory, "use", 11)
    assert run(promotion.due, uow, NOW + 12 * DAY) == []


def test_what_is_pinned_goes_to_the_core_from_anywhere(uow: UnitOfWork) -> None:
    for layer in (Layer.BUFFER, Layer.WORKING):
        memory = keep(uow, f"Pinned in {layer}", importance=1, layer=layer)
        store.change(uow, memory, now=NOW, cause=CAUSE, pinned=True)
    if_buffered = due(promotion.due, uow, NOW + DAY)
    assert {move.reason for move in if_buffered} == {"pinned"}
    assert len(if_buffered) == 2


def test_every_promotion_stands_in_the_journal_with_its_reason(uow: UnitOfWork) -> None:
    live(uow, 2)
    memory = keep(uow, "Feeds the ducks", importance=3)
    noted(uow, memory, "mention", 1)
    run(promotion.due, uow, NOW + 2 * DAY)
    entry = journal.of_memory(uow, AGENT, HERE, memory.id)[-1]
    assert (entry.operation, entry.actor, entry.reason) == ("PROMOTE", Actor.MAINTENANCE, "said on 2 days")


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.SUPERSEDED, Status.QUARANTINED])
def test_only_active_memories_settle(uow: UnitOfWork, status: Status) -> None:
    live(uow, 9)
    keep(uow, "Sister Ana is getting married", importance=9, status=status)
    assert due(promotion.due, uow, NOW + 9 * DAY) == []


def test_pages_lead_to_every_row(uow: UnitOfWork) -> None:
    """However small a page is."""
    live(uow, 3)
    for number in range(7):
        keep(uow, f"Matter {number}", importance=7)
    assert len(due(promotion.due, uow, NOW + 3 * DAY, limit=2)) == 7
