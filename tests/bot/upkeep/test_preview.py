"""What a dry run announces is what the pass that follows reports, and it announces it by reading alone."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from bot.maintenance_task import MaintenanceKit
from bot.storage import generations
from bot.storage.generations import Generation
from bot.upkeep.preview import Preview, preview
from bot.upkeep.words import WORDS
from memory import forgetting, lived, store
from memory.domain import Kind, Layer, Status
from memory.errors import EmbedderUnavailable
from memory.tables import memories
from memory.unit_of_work import UnitOfWork
from tests.bot.assistant import NOW, Assistant, assistant
from tests.bot.upkeep import prepared, strewn
from tests.bot.upkeep.prepared import SCOPE
from tests.bot.upkeep.test_pass import done, kit_of, made
from tests.fakes import HashingEmbedder
from tests.memory.samples import AGENT, keep

NIGHT = datetime(2026, 11, 29, 3, 30, tzinfo=UTC)
NOTHING = ["nothing is due"]


async def looked(kit: MaintenanceKit) -> Preview:
    """Look, while somebody else holds the write lock, and make sure that no row is another one."""
    before = await kit.executors.read(prepared.tables)
    with closing(sqlite3.connect(kit.executors.database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        found = await preview(kit)
        other.execute("ROLLBACK")
    assert await kit.executors.read(prepared.tables) == before
    return found


async def lines(kit: MaintenanceKit) -> list[str]:
    """Give what a look says."""
    return list((await looked(kit)).lines())


async def follows(kit: MaintenanceKit, *but: str) -> dict[str, int]:
    """Look, make a pass, and compare all counts except those named ``but``; give what was announced."""
    announced, report = (await looked(kit)).counts, await made(kit)
    assert report.problems == []
    assert _without(announced, but) == _without(done(report), but)
    return announced


def _without(counts: dict[str, int], names: tuple[str, ...]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if name not in names}


async def keep_many(here: Assistant, *texts: str, **fields: Any) -> None:
    """Remember some things."""
    await here.write(lambda uow: [keep(uow, text, SCOPE, subject=None, **fields) for text in texts])


# --- it comes true


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_lies_about_what_is_announced_is_what_the_pass_reports(here: Assistant, seed: int) -> None:
    """And so the next time: once old messages are gone, a cue that was too common may no longer be.

    Floors are counted by the store as it is, and here half of it fades.
    """
    await here.write(lambda uow: strewn.strew(uow, Random(seed)))
    kit = here.maintenance()
    announced = await follows(kit, "recalibrated")
    assert len(announced) >= 10, "there is something to do for most steps"
    assert announced.keys() <= WORDS.keys()
    await follows(kit)
    assert (await looked(kit)).counts == {}


async def test_without_a_model_all_of_the_prepared_store_comes_true(here: Assistant) -> None:
    """What two copies become is indexed and embedded as well."""
    await here.write(prepared.fill)
    announced = await follows(here.maintenance())
    assert announced == {
        "expired": 1, "promoted": 1, "faded": 2, "archived": 1, "phantoms": 1, "copies_merged": 1, "reanalysed": 15,
        "embedded": 15, "cues_embedded": 2, "journal_trimmed": 2,
    }  # fmt: skip


async def test_once_a_model_was_asked_and_all_is_done_nothing_is_due(here: Assistant) -> None:
    await here.write(prepared.fill)
    kit = kit_of(here)
    assert "nothing is due" not in await lines(kit)
    await made(kit)
    assert await lines(kit) == NOTHING


async def test_of_an_empty_file_nothing_is_due(here: Assistant) -> None:
    assert await lines(here.maintenance()) == NOTHING


async def test_questions_alone_are_not_nothing(here: Assistant) -> None:
    await keep_many(here, prepared.CLAIM, status=Status.QUARANTINED)
    kit = here.maintenance()
    await made(kit)
    assert await lines(kit) == ["1 question for the language model, which is not asked: none is set, or it may not be"]


# --- the rules, one after the other


def living(uow: UnitOfWork) -> None:
    """Let somebody speak on each of the last 80 days."""
    for day in range(80):
        lived.mark(uow, AGENT, SCOPE, (NOW - timedelta(days=day)).date())


@pytest.mark.parametrize(("fields", "days_ago", "announced"), [
    ({"importance": 6, "expires_at": NOW - timedelta(days=2)}, 4, {"expired": 1}),
    ({"importance": 7, "rated": 7}, 4, {"rated_down": 1}),
    ({"importance": 7, "layer": Layer.WORKING}, 70, {"faded": 1, "archived": 1}),
    ({"importance": 7, "layer": Layer.WORKING, "expires_at": NOW + timedelta(days=9)}, 70, {"faded": 1}),
    ({"importance": 6}, 20, {"promoted": 1}),
], ids=["over, not settled", "rated down, not settled", "archived for what it lost", "dated, not archived", "settled, not archived"])  # fmt: skip
async def test_a_rule_is_foreseen_by_what_the_rules_before_it_make_of_a_memory(
    here: Assistant, fields: dict[str, Any], days_ago: int, announced: dict[str, int]
) -> None:
    def fill(uow: UnitOfWork) -> None:
        living(uow)
        keep(uow, "The bus was late", SCOPE, now=NOW - timedelta(days=days_ago), **fields)
        for n, rated in enumerate([5, 6, 7, 9] * 8):
            keep(uow, f"Passing remark number {n}", SCOPE, now=NOW, importance=1, rated=rated)

    await here.write(fill)
    found = await follows(here.maintenance(), "recalibrated")
    assert {
        name: found[name] for name in found if name in {"expired", "rated_down", "promoted", "faded", "archived"}
    } == announced


async def test_what_is_archived_first_is_no_copy_any_more(here: Assistant) -> None:
    await here.write(living)
    await keep_many(here, prepared.COPY, now=NOW - timedelta(days=40), importance=2)
    await keep_many(here, prepared.COPY)
    assert "copies_merged" not in await follows(here.maintenance())


# --- indexes


async def test_what_has_no_vector_and_is_read_differently_today_is_told(here: Assistant) -> None:
    await keep_many(here, "Nadia keeps bees")
    await keep_many(
        here, prepared.LESSON, kind=Kind.LESSON, layer=Layer.WORKING, triggers=("book a train", "rail ticket")
    )
    assert await lines(here.maintenance()) == [
        "check      the words that 2 memories are found by",
        "embed      2 memories",
        "embed      2 cues",
    ]


async def test_of_copies_what_they_become_has_its_cues_weighed_as_well(here: Assistant) -> None:
    """Both copies and the one that takes their place."""

    def fill(uow: UnitOfWork) -> None:
        for n in range(30):
            strewn.said(uow, "Where are the skis", f"turn {n}", NOW)
        for _ in range(2):
            keep(uow, prepared.COPY, SCOPE, subject=None, kind=Kind.LESSON, layer=Layer.WORKING, triggers=("the skis",))

    await here.write(fill)
    announced = await follows(here.maintenance())
    assert (announced["copies_merged"], announced["cues_embedded"], announced["cues_marked"]) == (1, 3, 3)


async def test_a_floor_to_be_measured_is_told(here: Assistant) -> None:
    await keep_many(here, *(f"Shelf {n} holds {thing}" for n, thing in enumerate(strewn.THINGS * 3)))
    kit = here.maintenance()
    assert "measure    1 floor of recall" in await lines(kit)
    assert (await follows(kit))["recalibrated"] == 1
    assert (await looked(kit)).counts == {}


async def test_a_damaged_vector_is_told_and_does_not_end_the_look(here: Assistant) -> None:
    """A process that looked for such already leaves it to the next start."""
    await keep_many(here, *prepared.NEAR)
    kit = here.maintenance()
    await made(kit)
    damaged = memories.c.text == prepared.NEAR[0]
    await here.write(lambda uow: uow.connection.execute(update(memories).where(damaged).values(embedding=b"\0" * 12)))
    assert await follows(kit) == {}
    assert await lines(here.maintenance()) == ["drop       1 damaged vector, made anew at once", "embed      1 memory"]
    assert await follows(here.maintenance()) == {"vectors_dropped": 1, "embedded": 1}


async def test_vectors_of_a_model_that_was_put_in_place_are_spared(here: Assistant) -> None:
    """As by `tidemark reembed`: a process that goes on with the former model leaves them alone, the next one does not."""
    await keep_many(here, "Nadia keeps bees", "Nadia paints eggs")
    kit = here.maintenance(embedding_model="one")
    await made(kit)
    other = Generation("two", "another")
    vector = HashingEmbedder().embed_query("x")
    newest = (await here.memories())[0]
    await here.write(lambda uow: generations.begin(uow, AGENT, other, NOW))
    await here.write(lambda uow: store.set_vector(uow, newest, vector, "another"))
    assert "embedded" not in (await looked(kit)).counts
    assert (await follows(here.maintenance(embedding_model="one")))["embedded"] == 1


async def test_without_an_embedder_nothing_is_to_be_embedded(tmp_path: Path) -> None:
    def broken() -> Any:
        raise EmbedderUnavailable("The weights are not there.")

    async with assistant(tmp_path, load=broken) as here:
        await keep_many(here, prepared.LESSON, kind=Kind.LESSON, triggers=("book a train",))
        kit = here.maintenance()
        announced = (await looked(kit)).counts
        assert announced == done(await made(kit)) == {"reanalysed": 1}


# --- what goes


async def test_what_is_past_its_time_is_told_with_how_long_it_is_kept(here: Assistant) -> None:
    await here.says("My cat is called Biscuit.")
    await here.settle()
    kit = here.maintenance()
    await made(kit)
    here.later(days=40)
    await here.write(lambda uow: lived.mark(uow, AGENT, SCOPE, here.clock.now().date()))
    told = [line for line in await lines(kit) if line.startswith("trim")]
    assert told == [
        "trim       1 handled update older than 2 days",
        "trim       1 explanation older than 7 days",
        "trim       1 finished reflection older than 7 days",
        "trim       1 journal entry older than 30 days",
        "trim       2 messages older than 30 days",
    ]
    await follows(kit)


async def test_a_failed_reflection_that_would_be_tried_again_is_told(here: Assistant) -> None:
    rng = Random(1)
    await here.write(lambda uow: [strewn.turn(uow, rng, n) for n in range(40)])
    kit = here.maintenance()
    count = (await looked(kit)).counts["reflections_taken_up"]
    assert count > 1
    assert f"retry      {count} failed reflections" in await lines(kit)
    await follows(kit)


async def test_the_nightly_vacuum_is_told_at_night_and_waits_by_day(here: Assistant) -> None:
    """What only waits is not nothing, and no count."""
    memory = await here.write(lambda uow: keep(uow, "Nadia keeps bees", SCOPE))
    await here.write(lambda uow: forgetting.purge(uow, AGENT, memory, about="bees", now=NIGHT - timedelta(hours=5)))
    kit = here.maintenance()
    assert await lines(kit) == ["vacuum     the file between 3 and 5 o'clock, since something was forgotten"]
    assert (await looked(kit)).counts == {}
    here.clock.set(NIGHT)
    assert await lines(kit) == ["vacuum     the file, since something was forgotten"]
    assert await follows(kit) == {"vacuumed": 1}
    assert await lines(kit) == NOTHING
