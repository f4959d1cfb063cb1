"""A model that calls everything important is read relative to itself."""

import random
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import store
from memory.domain import AgentSlug, Kind, Layer, Status
from memory.lifecycle import inflation, promotion
from memory.lifecycle.inflation import guarded, recent_additions
from memory.unit_of_work import UnitOfWork
from tests.memory.lifecycle.lives import ENGINE, due, fresh, noted, run
from tests.memory.samples import AGENT, CAUSE, ELSEWHERE, HERE, NOW, keep

RATINGS = st.integers(1, 10)
SANE = [2, 3, 4] * 4 + [8, 6]
INFLATED = [5, 6, 7] * 4 + [10, 9]


def test_a_model_with_measure_is_taken_at_its_word() -> None:
    recent = SANE * 14
    assert [guarded(rated, recent) for rated in range(1, 11)] == list(range(1, 11))


@pytest.mark.parametrize("always", [7, 9, 10])
def test_a_model_that_says_always_the_same_says_nothing(always: int) -> None:
    assert guarded(always, [always] * 200) == 5


def test_noise_of_an_inflated_model_stays_small_and_what_matters_stands_out() -> None:
    """Additions rated 5 to 7 are everyday, the tens among them are not."""
    recent = INFLATED * 14
    assert max(guarded(rated, recent) for rated in (5, 6, 7)) <= 5
    assert guarded(10, recent) >= 7


@pytest.mark.parametrize(("important", "guards"), [(40, False), (41, True)])
def test_it_begins_beyond_a_fifth(important: int, guards: bool) -> None:
    recent = [9] * important + [3] * (200 - important)
    assert (guarded(9, recent) < 9) is guards


@pytest.mark.parametrize(("days", "guards"), [(0.5, True), (40, True), (41, False)])
def test_a_few_a_week_that_all_matter_are_not_inflated(days: float, guards: bool) -> None:
    """A model that adds nothing but what matters is no inflated one."""
    assert (guarded(7, [7, 8] * 20 + [3] + [9], days) < 7) is guards


@pytest.mark.parametrize("few", [0, 5, 19])
def test_a_handful_of_additions_proves_nothing(few: int) -> None:
    assert guarded(10, [10] * few) == 10
    assert guarded(10, [10] * 20) == 5


def test_a_low_rating_is_never_raised_to_its_rank() -> None:
    assert guarded(2, [1] * 150 + [9] * 50) == 2


@given(st.lists(RATINGS, min_size=20, max_size=200), RATINGS, RATINGS)
def test_the_order_of_ratings_stays_and_nothing_is_raised(recent: list[int], one: int, other: int) -> None:
    low, high = sorted((one, other))
    assert 1 <= guarded(low, recent) <= guarded(high, recent) <= 10
    assert guarded(one, recent) <= one


def test_order_does_not_matter() -> None:
    recent = INFLATED * 14
    mixed = random.Random(1).sample(recent, len(recent))
    assert [guarded(n, recent) for n in range(1, 11)] == [guarded(n, mixed) for n in range(1, 11)]


# --- what was added before the guard knew


def additions(uow: UnitOfWork, ratings: list[int], **where: Any) -> None:
    for n, rated in enumerate(ratings):
        keep(uow, f"Passing remark number {n}", importance=1, rated=rated, **where)


def test_an_early_rating_is_read_again_among_what_came_after(uow: UnitOfWork) -> None:
    """The first additions had no company to be measured by; the raw rating stays."""
    memory = keep(uow, "The bus was late", importance=7, rated=7)
    additions(uow, INFLATED * 3)
    assert run(inflation.due, uow, NOW) == ["FADE: rated high like most of its time"]
    assert (fresh(uow, memory).importance, fresh(uow, memory).rated) == (guarded(7, [7, *INFLATED * 3]), 7)
    assert due(inflation.due, uow, NOW) == []


@pytest.mark.parametrize(
    "fields", [{"rated": None}, {"layer": Layer.CORE}, {"pinned": True}, {"kind": Kind.LESSON}],
    ids=["a person's own", "core", "pinned", "a lesson"],
)  # fmt: skip
def test_what_was_not_rated_or_has_settled_stays(fields: dict[str, object], uow: UnitOfWork) -> None:
    memory = keep(uow, "The bus was late", importance=7, rated=7)
    store.change(uow, memory, now=NOW, cause=CAUSE, **fields)
    additions(uow, INFLATED * 3)
    assert due(inflation.due, uow, NOW) == []


@pytest.mark.parametrize("what", ["mention", "use"])
def test_what_somebody_came_back_to_stays(what: str, uow: UnitOfWork) -> None:
    memory = keep(uow, "The bus was late", importance=7, rated=7)
    noted(uow, memory, what, 0)
    additions(uow, INFLATED * 3)
    assert due(inflation.due, uow, NOW) == []


def test_a_model_with_measure_keeps_its_ratings(uow: UnitOfWork) -> None:
    keep(uow, "The bus was late", importance=7, rated=7)
    additions(uow, SANE * 3)
    assert due(inflation.due, uow, NOW) == []


def test_what_came_in_weeks_is_not_read_among_itself(uow: UnitOfWork) -> None:
    first = keep(uow, "Choir practice moved", importance=7, rated=7)
    for week in range(30):
        keep(uow, f"Rehearsal number {week}", importance=8, rated=8, now=NOW + timedelta(days=7 * week))
    assert due(inflation.due, uow, NOW) == []
    assert fresh(uow, first).importance == 7


def test_what_settled_by_its_rating_alone_goes_back(uow: UnitOfWork) -> None:
    memory = keep(uow, "The bus was late", layer=Layer.WORKING, importance=7, rated=7)
    additions(uow, INFLATED * 3)
    run(inflation.due, uow, NOW)
    assert fresh(uow, memory).layer is Layer.BUFFER
    assert promotion.due(uow, ENGINE, now=NOW)[0] == ()


def test_what_would_have_settled_with_its_new_rating_stays_settled(uow: UnitOfWork) -> None:
    memory = keep(uow, "Moves to Oslo", layer=Layer.WORKING, importance=10, rated=10)
    additions(uow, INFLATED * 3)
    run(inflation.due, uow, NOW)
    assert (fresh(uow, memory).layer, fresh(uow, memory).importance) == (Layer.WORKING, 8)


def test_what_is_older_than_its_measure_is_left_alone(uow: UnitOfWork) -> None:
    """The window moves on; another time had another measure."""
    keep(uow, "The bus was late", importance=7, rated=7, now=NOW - timedelta(days=9))
    additions(uow, INFLATED * 15)
    assert due(inflation.due, uow, NOW) == []


def test_what_came_back_from_the_archive_is_not_rated_down(uow: UnitOfWork) -> None:
    """A question brought it back; the next pass must not take that away."""
    memory = keep(uow, "The bus was late", layer=Layer.WORKING, importance=7, rated=7)
    store.change(uow, memory, now=NOW, cause=CAUSE, accessed_at=NOW + timedelta(hours=1))
    additions(uow, INFLATED * 3)
    assert due(inflation.due, uow, NOW) == []


@pytest.mark.parametrize("where", [{"scope": ELSEWHERE}, {"agent": AgentSlug("other")}], ids=["chat", "assistant"])
def test_what_was_said_elsewhere_is_no_measure(where: dict[str, Any], uow: UnitOfWork) -> None:
    keep(uow, "The bus was late", importance=7, rated=7)
    additions(uow, INFLATED * 3, **where)
    assert due(inflation.due, uow, NOW) == []


def test_the_last_two_hundred_rated_additions_are_the_measure(uow: UnitOfWork) -> None:
    """What a person asked to keep was rated by nobody."""
    additions(uow, [9, 9, *[3] * 199])
    keep(uow, "The code of the gate is 17", importance=8, rated=None)
    assert list(recent_additions(uow, AGENT, HERE).ratings) == [3] * 199 + [9]


def test_what_sleeps_is_not_read_again(uow: UnitOfWork) -> None:
    keep(uow, "The bus was late", importance=7, rated=7, status=Status.ARCHIVED)
    additions(uow, INFLATED * 3)
    assert due(inflation.due, uow, NOW) == []


@pytest.mark.parametrize("ratings", [SANE * 3, INFLATED * 3], ids=["measured", "inflated"])
def test_what_has_faded_below_its_rating_is_not_raised(ratings: list[int], uow: UnitOfWork) -> None:
    keep(uow, "The bus was late", importance=2, rated=9)
    additions(uow, ratings)
    assert due(inflation.due, uow, NOW) == []


@pytest.mark.parametrize("pause", [timedelta(days=200), timedelta(days=-20_000)], ids=["silence", "a wrong clock"])
def test_a_pause_or_a_wrong_clock_does_not_switch_the_guard_off(pause: timedelta, uow: UnitOfWork) -> None:
    keep(uow, "Said long ago", importance=1, rated=8, now=NOW - pause)
    additions(uow, INFLATED * 6)
    assert guarded(7, recent_additions(uow, AGENT, HERE).ratings, recent_additions(uow, AGENT, HERE).days) < 7
