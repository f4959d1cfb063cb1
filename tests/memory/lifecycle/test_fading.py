"""The way down: out of the core, and importance that falls with disuse, however often anybody looks."""

import tempfile
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import insert

from memory import store
from memory.domain import Kind, Layer
from memory.lifecycle import fading
from memory.lifecycle.decay import LASTING
from memory.lifecycle.fading import out_of_core, points_lost
from memory.tables import lived_days
from memory.unit_of_work import UnitOfWork
from tests.databases import new_database
from tests.memory.lifecycle.lives import due, fresh, live, run
from tests.memory.lifecycle.test_promotion import contradict
from tests.memory.recall.memories import memory as plain
from tests.memory.samples import AGENT, CAUSE, HERE, NOW, keep

DAY = timedelta(days=1)


@pytest.mark.parametrize(("days", "importance"), [(59, 8), (61, 7), (121, 6), (1000, 1)])
def test_sixty_lived_days_of_disuse_cost_a_point(uow: UnitOfWork, days: int, importance: int) -> None:
    live(uow, 1000)
    memory = keep(uow, "Plays the oboe", importance=8, layer=Layer.WORKING)
    run(fading.due, uow, NOW + days * DAY)
    assert fresh(uow, memory).importance == importance
    assert due(fading.due, uow, NOW + days * DAY) == []


def spoken(uow: UnitOfWork, days: set[int]) -> None:
    """Let somebody have spoken so many days from now: what ``live`` does day by day, hundreds of days at once."""
    rows = [{"agent_slug": AGENT, "scope": HERE, "day": (NOW + day * DAY).date()} for day in sorted(days)]
    uow.connection.execute(insert(lived_days), rows)


@settings(max_examples=15, deadline=None)
@given(passes=st.lists(st.integers(1, 420), max_size=12), pauses=st.sets(st.integers(0, 420), max_size=200))
def test_how_often_maintenance_runs_changes_nothing(passes: list[int], pauses: set[int]) -> None:
    """Passes at any times, with any holidays between, leave what one pass at the end leaves."""
    end = NOW + 421 * DAY
    results = set()
    for times in ([], sorted(passes)):
        with tempfile.TemporaryDirectory() as folder:
            database = new_database(Path(folder) / "t.db")
            with database.write() as uow:
                spoken(uow, set(range(422)) - pauses)
                memory = keep(uow, "Plays the oboe", importance=9, layer=Layer.WORKING)
                for day in times:
                    run(fading.due, uow, NOW + day * DAY)
                run(fading.due, uow, end)
                results.add(fresh(uow, memory).importance)
            database.close()
    assert len(results) == 1


def test_a_use_begins_the_count_anew(uow: UnitOfWork) -> None:
    live(uow, 200)
    memory = keep(uow, "Plays the oboe", importance=8, layer=Layer.WORKING)
    run(fading.due, uow, NOW + 61 * DAY)
    store.use(uow, fresh(uow, memory), now=NOW + 70 * DAY, cause=CAUSE)
    run(fading.due, uow, NOW + 129 * DAY)
    assert fresh(uow, memory).importance == 7
    run(fading.due, uow, NOW + 185 * DAY)
    assert fresh(uow, memory).importance == 6


@pytest.mark.parametrize("kind", [Kind.PROCEDURAL, Kind.LESSON])
def test_procedures_and_lessons_keep_their_weight(uow: UnitOfWork, kind: Kind) -> None:
    live(uow, 400)
    keep(uow, "Bleed the radiator first", importance=5, layer=Layer.WORKING, kind=kind)
    assert due(fading.due, uow, NOW + 400 * DAY) == []


def test_a_holiday_costs_nothing(uow: UnitOfWork) -> None:
    live(uow, 30)
    keep(uow, "Plays the oboe", importance=8, layer=Layer.WORKING)
    assert due(fading.due, uow, NOW + 3000 * DAY) == []


@pytest.mark.parametrize(("days", "leaves"), [(179, False), (181, True)])
def test_half_a_lived_year_without_use_leads_out_of_the_core(uow: UnitOfWork, days: int, leaves: bool) -> None:
    live(uow, 200)
    memory = keep(uow, "Speaks Latvian", importance=9, layer=Layer.CORE)
    pinned = keep(uow, "Pinned", importance=9, layer=Layer.CORE)
    store.change(uow, pinned, now=NOW, cause=CAUSE, pinned=True)
    said = run(fading.due, uow, NOW + days * DAY)
    assert said == (["DEMOTE: unused for 180 lived days"] if leaves else [])
    assert (fresh(uow, memory).layer is Layer.WORKING) is leaves
    assert fresh(uow, pinned).layer is Layer.CORE


def test_what_a_newer_statement_contradicts_leaves_the_core(uow: UnitOfWork) -> None:
    older = keep(uow, "Lives in Milan", importance=9, layer=Layer.CORE)
    newer = keep(uow, "Lives in Berlin", importance=9, layer=Layer.CORE, now=NOW + DAY)
    contradict(uow, older, newer)
    assert run(fading.due, uow, NOW + 2 * DAY) == ["DEMOTE: contradicted"]
    assert (fresh(uow, older).layer, fresh(uow, newer).layer) == (Layer.WORKING, Layer.CORE)
    assert due(fading.due, uow, NOW + 2 * DAY) == []


def test_a_verdict_on_what_has_changed_since_counts_no_more(uow: UnitOfWork) -> None:
    older = keep(uow, "Lives in Milan", importance=9, layer=Layer.CORE)
    newer = keep(uow, "Lives in Berlin", importance=9, now=NOW + DAY)
    contradict(uow, older, newer)
    store.change(uow, fresh(uow, newer), now=NOW + DAY, cause=CAUSE, text="Works in Berlin")
    assert due(fading.due, uow, NOW + 2 * DAY) == []


def test_a_pinned_memory_neither_leaves_the_core_nor_loses_weight() -> None:
    assert out_of_core(plain(layer=Layer.CORE, pinned=True), 1e6, against=True) is None
    assert points_lost(plain(pinned=True), 1e6) == 0
    assert points_lost(plain(layer=Layer.CORE), 1e6) == 0
    assert [points_lost(plain(kind=kind), 1e6) for kind in Kind if kind in LASTING] == [0, 0]


@given(st.sampled_from(Layer), st.integers(1, 10), st.floats(0, 1e9))
def test_importance_never_falls_below_one(layer: Layer, importance: int, hours: float) -> None:
    lost = points_lost(plain(layer=layer, importance=importance), hours)
    assert 1 <= importance - lost <= importance
