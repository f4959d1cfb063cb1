"""What leaves for the archive, and what never does."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import store
from memory.domain import Kind, Layer, Status
from memory.lifecycle import archive
from memory.lifecycle.archive import has_faded
from memory.unit_of_work import UnitOfWork
from tests.memory.lifecycle.lives import due, fresh, live, run, run_all
from tests.memory.recall.memories import memory
from tests.memory.samples import CAUSE, NOW, keep

DAY = timedelta(days=1)


@pytest.mark.parametrize(("layer", "importance", "days", "gone"), [
    (Layer.WORKING, 2, 20, False), (Layer.WORKING, 2, 22, True), (Layer.BUFFER, 2, 4, False), (Layer.BUFFER, 2, 5, True),
    (Layer.WORKING, 6, 28, False), (Layer.WORKING, 6, 29, True), (Layer.WORKING, 7, 400, False), (Layer.BUFFER, 7, 400, False),
    (Layer.CORE, 1, 400, False),
])  # fmt: skip
def test_what_has_faded_is_archived(uow: UnitOfWork, layer: Layer, importance: int, days: int, gone: bool) -> None:
    """Importance 2 leaves working after three weeks unused, the buffer within days; 7 and up, and the core, stay."""
    live(uow, 400)
    held = keep(uow, "Saw a heron", importance=importance, layer=layer)
    said = run(archive.due, uow, NOW + days * DAY)
    assert said == ([f"ARCHIVE: faded from {layer}, importance {importance}"] if gone else [])
    assert (fresh(uow, held).status is Status.ARCHIVED) is gone


@pytest.mark.parametrize("days", [3, 21, 3000])
def test_a_holiday_archives_nothing(uow: UnitOfWork, days: int) -> None:
    live(uow, 1)
    keep(uow, "Saw a heron", importance=1)
    assert run_all(uow, NOW + days * DAY) == 0


def test_pinned_memories_procedures_and_lessons_stay(uow: UnitOfWork) -> None:
    live(uow, 300)
    pinned = keep(uow, "Pinned", importance=1)
    store.change(uow, pinned, now=NOW, cause=CAUSE, pinned=True)
    for kind in (Kind.PROCEDURAL, Kind.LESSON):
        keep(uow, f"How to, {kind}", importance=1, kind=kind)
    assert due(archive.due, uow, NOW + 300 * DAY) == []


def test_a_dated_matter_stays_until_it_is_over(uow: UnitOfWork) -> None:
    """It follows the calendar, not the decay."""
    live(uow, 60)
    matter = keep(uow, "Concert", importance=4)
    store.change(uow, matter, now=NOW, cause=CAUSE, expires_at=NOW + 52 * DAY)
    for day in range(0, 52, 4):
        run_all(uow, NOW + day * DAY)
    assert fresh(uow, matter).status is Status.ACTIVE
    run_all(uow, NOW + 54 * DAY)
    assert fresh(uow, matter).status is Status.ARCHIVED


def test_an_over_rated_memory_leaves_in_the_end(uow: UnitOfWork) -> None:
    """An 8 that nobody ever needs falls to 6 in four lived months and is archived then."""
    live(uow, 200)
    held = keep(uow, "Saw a heron", importance=8, layer=Layer.WORKING)
    statuses = []
    for day in range(0, 200, 10):
        run_all(uow, NOW + day * DAY)
        statuses.append(fresh(uow, held).status)
    assert statuses.index(Status.ARCHIVED) == 12


def test_a_second_pass_changes_nothing(uow: UnitOfWork) -> None:
    live(uow, 100)
    for importance in range(1, 11):
        for layer in Layer:
            keep(uow, f"Matter {importance} {layer}", importance=importance, layer=layer, expires_at=NOW + 9 * DAY)
    assert run_all(uow, NOW + 90 * DAY) > 0
    assert run_all(uow, NOW + 90 * DAY) == 0


@pytest.mark.parametrize("step", [timedelta(days=-4000), timedelta(days=-1)])
def test_a_clock_that_stepped_back_moves_nothing(uow: UnitOfWork, step: timedelta) -> None:
    live(uow, 5)
    keep(uow, "Saw a heron", importance=1)
    assert run_all(uow, NOW + step) == 0


@given(
    st.sampled_from(Layer),
    st.sampled_from(Kind),
    st.integers(1, 10),
    st.booleans(),
    st.floats(0, 1e7),
)
@settings(max_examples=60)
def test_core_pinned_lasting_and_weighty_memories_never_fade(
    layer: Layer, kind: Kind, importance: int, pinned: bool, hours: float
) -> None:
    held = memory(layer=layer, kind=kind, importance=importance, pinned=pinned)
    if layer is Layer.CORE or pinned or importance >= 7 or kind in {Kind.PROCEDURAL, Kind.LESSON}:
        assert not has_faded(held, hours)
