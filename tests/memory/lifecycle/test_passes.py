"""A whole pass over anything: the second one finds nothing to do, and importance stays on its scale."""

import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memory import store
from memory.domain import Kind, Layer, Status
from memory.lifecycle import archive, core_question, fading
from memory.lifecycle.contradiction import contradicted
from memory.lifecycle.moves import carry_out
from memory.unit_of_work import UnitOfWork
from tests.databases import new_database
from tests.memory.lifecycle.lives import ENGINE, due, fresh, live, noted, run, run_all
from tests.memory.lifecycle.test_promotion import contradict
from tests.memory.samples import AGENT, CAUSE, HERE, NOW, keep

DAY = timedelta(days=1)

DAYS = st.lists(st.integers(0, 30), max_size=4, unique=True)
LIVES = st.tuples(
    st.sampled_from(Layer), st.sampled_from([Kind.SEMANTIC, Kind.LESSON]), st.integers(1, 10), st.booleans(),
    st.none() | st.integers(0, 60), DAYS, DAYS,
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(lives=st.lists(LIVES, min_size=1, max_size=6), end=st.integers(1, 500), contradicting=st.booleans())
def test_a_second_pass_straight_after_the_first_changes_nothing(
    lives: list[tuple[Layer, Kind, int, bool, int | None, list[int], list[int]]], end: int, contradicting: bool
) -> None:
    """Whatever was said, used, pinned, dated or contradicted, and however long nobody looked."""
    with tempfile.TemporaryDirectory() as folder:
        database = new_database(Path(folder) / "t.db")
        with database.write() as uow:
            live(uow, end)
            for number, (layer, kind, importance, pinned, over, mentioned, used) in enumerate(lives):
                dated = None if over is None else NOW + over * DAY
                held = keep(uow, f"Matter {number}", layer=layer, kind=kind, importance=importance, expires_at=dated)
                noted(uow, held, "mention", *mentioned)
                noted(uow, held, "use", *used)
                store.change(uow, fresh(uow, held), now=NOW, cause=CAUSE, pinned=pinned)
                if contradicting:
                    contradict(uow, held, keep(uow, f"Other {number}", importance=importance, now=NOW + DAY))
            run_all(uow, NOW + end * DAY)
            assert run_all(uow, NOW + end * DAY) == 0
            assert all(1 <= memory.importance <= 10 for memory in store.visible(uow, AGENT, HERE, tuple(Status)))
        database.close()


def test_what_proved_itself_in_the_buffer_settles_in_one_pass(uow: UnitOfWork) -> None:
    """Maintenance that was down for a week leaves the same as one that ran."""
    live(uow, 10)
    memory = keep(uow, "Is allergic to peanuts", importance=7)
    noted(uow, memory, "mention", 3, 9)
    assert run_all(uow, NOW + 10 * DAY) == 1
    assert fresh(uow, memory).layer is Layer.CORE


def test_disuse_in_the_core_costs_no_importance(uow: UnitOfWork) -> None:
    """The count begins when a memory leaves the core, whenever that was noticed."""
    live(uow, 400)
    memory = keep(uow, "Speaks Latvian", importance=9, layer=Layer.CORE)
    run(fading.due, uow, NOW + 181 * DAY)
    assert (fresh(uow, memory).layer, fresh(uow, memory).importance) == (Layer.WORKING, 9)
    run(fading.due, uow, NOW + 239 * DAY)
    assert fresh(uow, memory).importance == 9
    late = keep(uow, "Speaks Welsh", importance=9, layer=Layer.CORE)
    run(fading.due, uow, NOW + 241 * DAY)
    assert (fresh(uow, memory).importance, fresh(uow, late).importance) == (8, 8)


def test_what_left_the_core_unused_or_contradicted_is_not_asked_back_in(uow: UnitOfWork) -> None:
    """Else it would come and go at every pass."""
    live(uow, 200)
    keep(uow, "Speaks Latvian", importance=9, layer=Layer.CORE)
    older, newer = (keep(uow, f"Lives in {town}", importance=9, layer=Layer.CORE, now=NOW + day * DAY)
                    for day, town in enumerate(("Milan", "Berlin")))  # fmt: skip
    store.use(uow, older, now=NOW + 150 * DAY, cause=CAUSE)
    store.use(uow, newer, now=NOW + 150 * DAY, cause=CAUSE)
    contradict(uow, older, newer)
    assert run_all(uow, NOW + 190 * DAY) == 2
    assert core_question.candidates(uow, ENGINE, now=NOW + 190 * DAY) == ()


def test_a_verdict_outlives_a_change_of_standing_but_not_one_of_words(uow: UnitOfWork) -> None:
    """A contradiction does not end with the demotion it causes; what is said anew is judged anew."""
    older = keep(uow, "Lives in Milan", importance=9, layer=Layer.CORE)
    newer = keep(uow, "Lives in Berlin", importance=9, now=NOW + DAY)
    contradict(uow, older, newer)
    assert run(fading.due, uow, NOW + 2 * DAY) == ["DEMOTE: contradicted"]
    assert contradicted(uow, [fresh(uow, older)]) == {older.id}
    store.change(uow, fresh(uow, older), now=NOW + 3 * DAY, cause=CAUSE, text="Works in Milan")
    assert contradicted(uow, [fresh(uow, older)]) == frozenset()


def test_what_was_used_or_changed_since_the_rule_looked_stays_as_it_is(uow: UnitOfWork) -> None:
    """And two moves of one batch on one memory are one."""
    live(uow, 60)
    used, changed, moved = (keep(uow, f"Saw {n} herons", importance=2) for n in range(3))
    moves = due(archive.due, uow, NOW + 50 * DAY)
    store.use(uow, used, now=NOW + 50 * DAY, cause=CAUSE)
    store.change(uow, changed, now=NOW + 50 * DAY, cause=CAUSE, pinned=True)
    assert carry_out(uow, ENGINE, moves + moves, now=NOW + 50 * DAY) == 1
    assert [fresh(uow, memory).status for memory in (used, changed, moved)] == [
        Status.ACTIVE, Status.ACTIVE, Status.ARCHIVED,
    ]  # fmt: skip
