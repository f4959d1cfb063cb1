"""Passes of maintenance: on a schedule that survives restarts, in steps that survive each other."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from bot import maintenance_task
from bot.maintenance_task import BATCH, SETTLE_S, TROUBLE_S, Report, run_forever, run_once
from bot.storage import generations, reflections, runs
from bot.storage import inbox as inbox_storage
from bot.storage.generations import Generation, Progress
from bot.storage.tables import inbox, maintenance_runs, outbox, recalls
from bot.storage.tables import reflections as queue
from memory import maintenance, store
from memory.domain import Status, chat_scope
from memory.errors import DatabaseBusy, EmbedderUnavailable
from memory.tables import memories, messages, operations, recall_centres, recall_floors
from tests.bot.assistant import NOW, OWNER, Assistant, assistant
from tests.bot.telegram import payloads
from tests.fakes import HashingEmbedder
from tests.memory.samples import keep


class Enough(Exception):
    """Ends the endless loop of a test."""


async def pauses_of(here: Assistant, count: int, **changes: Any) -> list[float]:
    """Let the task run, with a sleep that moves the clock, until it wants to sleep for the last of ``count`` times."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == count:
            raise Enough
        here.later(seconds=seconds)

    with pytest.raises(Enough):
        await run_forever(here.maintenance(sleep=sleep, **changes))
    return slept


async def count(here: Assistant, table: Any) -> int:
    (row,) = await here.rows(select(func.count()).select_from(table))
    return int(row[0])


# --- when


async def test_the_first_pass_comes_soon_and_the_next_after_the_interval(here: Assistant) -> None:
    assert await pauses_of(here, 3) == [SETTLE_S, 1800.0, 1800.0]


async def test_a_pass_that_fell_due_while_it_was_down_runs_soon(here: Assistant) -> None:
    await run_once(here.maintenance())
    here.later(hours=9)
    assert await pauses_of(here, 1) == [SETTLE_S]


async def test_a_pass_that_was_made_lately_is_not_made_again(here: Assistant) -> None:
    await run_once(here.maintenance())
    here.later(minutes=10)
    assert await pauses_of(here, 1) == [1200.0]


async def test_a_clock_that_steps_back_delays_it_by_no_more_than_the_interval(here: Assistant) -> None:
    await run_once(here.maintenance())
    here.later(days=-300)
    assert await pauses_of(here, 1) == [1800.0]


async def test_a_pass_that_was_killed_does_not_count(here: Assistant) -> None:
    await here.write(lambda uow: runs.begin(uow, NOW))
    assert await pauses_of(here, 1) == [SETTLE_S]


async def test_a_database_that_refuses_puts_it_off_and_does_not_end_it(here: Assistant) -> None:
    class Refusing:
        database = here.executors.database

        def __init__(self) -> None:
            self.refused = False

        async def write(self, use_case: Any) -> Any:
            if not self.refused:
                self.refused = True
                raise DatabaseBusy("held")
            return await here.executors.write(use_case)

        async def read(self, use_case: Any) -> Any:
            return await here.executors.read(use_case)

        async def embed(self, work: Any) -> Any:
            return await here.executors.embed(work)

    assert await pauses_of(here, 4, executors=Refusing()) == [SETTLE_S, TROUBLE_S, SETTLE_S, 1800.0]
    assert await count(here, maintenance_runs) == 1


# --- what


async def test_missing_vectors_are_filled_in_batch_by_batch(here: Assistant) -> None:
    for n in range(BATCH + 3):
        await here.says(f"/remember Shelf {n} holds the {'abcdefghijklmnopqrstuvwxyz'[n] * 5} things.")
    report = await run_once(here.maintenance())
    assert report.counts["embedded"] == BATCH + 3
    assert report.problems == []
    lacking = await here.rows(select(memories.c.id).where(memories.c.embedding.is_(None)))
    assert lacking == []
    assert {memory.embedding_model for memory in await here.memories()} == {here.engine.digest}


async def test_vectors_that_cannot_be_stored_end_the_step_and_are_told(
    here: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would turn in circles."""
    await here.says("/remember I eat no shellfish.")
    monkeypatch.setattr(maintenance, "store_vectors", lambda *_: 0)
    report = await run_once(here.maintenance())
    assert report.problems == ["vectors could not be stored"]


def generation(number: int) -> Callable[[], HashingEmbedder]:
    return lambda: HashingEmbedder(digest=f"generation {number}", dimensions=32 * number)


async def held_by_generation(here: Assistant) -> dict[str | None, int]:
    return dict(Counter(memory.embedding_model for memory in await here.memories()))


async def remembering(here: Assistant, count: int) -> None:
    for n in range(count):
        await here.says(f"/remember Shelf {n} holds the {'abcdefghijklmnopqrstuvwxyz'[n % 26] * (5 + n // 26)} things.")


async def test_a_change_of_model_embeds_everything_anew_at_once(tmp_path: Path) -> None:
    """Not half an hour later, though the last pass was just made; vectors of two models are never mixed."""
    async with assistant(tmp_path, load=generation(1)) as here:
        await remembering(here, BATCH + 3)
        first = await run_once(here.maintenance(embedding_model="one"))
        assert first.vectors == Progress(BATCH + 3, BATCH + 3)
    async with assistant(tmp_path, load=generation(2)) as here:
        assert await pauses_of(here, 2, embedding_model="two") == [SETTLE_S, 1800.0]
        assert await held_by_generation(here) == {"generation 2": BATCH + 3}
        last = await here.read(runs.last)
        assert last is not None
        assert last[2] is not None
        assert last[2]["vectors"] == {"done": BATCH + 3, "total": BATCH + 3}


async def test_a_change_that_was_cut_short_goes_on_at_the_next_start(tmp_path: Path) -> None:
    """A kill between two batches loses nothing and repeats nothing."""
    async with assistant(tmp_path, load=generation(1)) as here:
        await remembering(here, 2 * BATCH + 3)
        await run_once(here.maintenance())
    embedded: list[int] = []

    class Killed(Exception):
        pass

    async with assistant(tmp_path, load=generation(2)) as here:
        kit = here.maintenance(embedding_model="two")
        passages = here.engine.embed_passages

        def embed(texts: Sequence[str]) -> Any:
            if embedded:
                raise Killed
            embedded.append(len(texts))
            return passages(texts)

        here.engine.embed_passages = embed  # type: ignore[method-assign]
        await run_once(kit)
        assert await held_by_generation(here) == {"generation 1": BATCH + 3, "generation 2": BATCH}
    async with assistant(tmp_path, load=generation(2)) as here:
        assert await pauses_of(here, 1, embedding_model="two") == [SETTLE_S]
        assert (await run_once(here.maintenance(embedding_model="two"))).counts["embedded"] == BATCH + 3
        assert await held_by_generation(here) == {"generation 2": 2 * BATCH + 3}


async def test_memories_are_found_by_keywords_while_they_are_embedded_anew(tmp_path: Path) -> None:
    async with assistant(tmp_path, load=generation(1)) as here:
        await here.says("/remember The spare key hangs behind the boiler.")
        await run_once(here.maintenance())
    async with assistant(tmp_path, load=generation(2)) as here:
        here.next_update += 100  # after what was said before
        await here.says("Where is the spare key?")
        assert "behind the boiler" in here.prompt()


async def test_what_reembed_made_with_another_model_is_left_alone_until_the_next_start(tmp_path: Path) -> None:
    """Else two processes would embed in turns for ever."""
    async with assistant(tmp_path, load=generation(1)) as here:
        await remembering(here, 3)
        kit = here.maintenance(embedding_model="one")
        await run_once(kit)
        other = Generation("two", "generation 2")
        await here.write(lambda uow: generations.begin(uow, here.engine.agent, other, NOW))
        newest = (await here.memories())[0]
        vector = HashingEmbedder().embed_query("x")
        await here.write(lambda uow: store.set_vector(uow, newest, vector, "generation 2"))
        await here.says("/remember The bins go out on Tuesday.")
        report = await run_once(kit)
        assert await held_by_generation(here) == {"generation 1": 3, "generation 2": 1}
        (problem,) = report.problems
        assert "'two'" in problem
        assert "'one'" in problem
        assert (await run_once(here.maintenance(embedding_model="one"))).problems == []
        assert await held_by_generation(here) == {"generation 1": 4}


async def test_a_missing_embedder_is_a_problem_the_owner_sees(tmp_path: Path) -> None:
    def broken() -> Any:
        raise EmbedderUnavailable("The weights are not there.")

    async with assistant(tmp_path, load=broken) as here:
        await here.says("/remember I eat no shellfish.")
        report = await run_once(here.maintenance())
        assert report.problems == ["The weights are not there."]
        last = await here.read(runs.last)
        assert last is not None
        assert last[2] == report.as_json()


async def test_dated_matters_go_to_the_archive_once_they_are_over(here: Assistant) -> None:
    await here.says("/remember The dentist is booked.")
    await here.write(lambda uow: uow.connection.execute(update(memories).values(expires_at=NOW + timedelta(days=1))))
    assert (await run_once(here.maintenance())).counts["expired"] == 0
    here.later(days=3)
    assert (await run_once(here.maintenance())).counts["expired"] == 1
    assert await here.held() == []
    assert await here.held(OWNER, Status.ARCHIVED) == ["The dentist is booked."]


async def test_failed_reflections_are_taken_up_again_and_the_runner_is_woken(here: Assistant) -> None:
    await here.says("My cat is called Biscuit.")
    (job,) = await here.read(lambda uow: reflections.due(uow, NOW))
    await here.write(lambda uow: reflections.failed(uow, job, "down", NOW))
    here.later(days=2)
    report = await run_once(here.maintenance())
    assert report.counts["reflections_taken_up"] == 1
    assert "reflection" in here.woken
    await here.settle()
    assert await here.held() == ["My cat is called Biscuit."]


async def test_everything_is_kept_for_its_time_and_no_longer(here: Assistant) -> None:
    """What is unfinished stays, however old; memories are not touched."""
    await here.says("My cat is called Biscuit.")
    await here.settle()
    await here.arrives(payloads.message(message_id=9))
    await here.write(lambda uow: uow.connection.execute(outbox.update().values(state="sent", sent_at=NOW)))
    kept = {
        "inbox": inbox,
        "outbox": outbox,
        "recalls": recalls,
        "queue": queue,
        "journal": operations,
        "said": messages,
    }
    before = {name: await count(here, table) for name, table in kept.items()}
    assert before == {"inbox": 2, "outbox": 1, "recalls": 1, "queue": 1, "journal": 1, "said": 2}
    await run_once(here.maintenance())
    assert {name: await count(here, table) for name, table in kept.items()} == before
    here.later(days=40)
    report = await run_once(here.maintenance())
    assert {name: await count(here, table) for name, table in kept.items()} == dict.fromkeys(kept, 0) | {"inbox": 1}
    assert report.counts["messages_trimmed"] == 2
    assert await here.held() == ["My cat is called Biscuit."]


async def test_a_second_pass_straight_after_the_first_changes_nothing(here: Assistant) -> None:
    await here.says("/remember I eat no shellfish.")
    here.later(days=40)
    first, second = await run_once(here.maintenance()), await run_once(here.maintenance())
    assert any(first.counts.values())
    assert not any(second.counts.values())


async def test_a_step_that_fails_is_reported_and_the_others_are_made(
    here: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> int:
        raise ValueError("words of a message")

    await here.says("/remember I eat no shellfish.")
    monkeypatch.setattr(inbox_storage, "trim", breaks)
    report = await run_once(here.maintenance())
    assert report.problems == ["trim: ValueError"]
    assert report.counts["embedded"] == 1
    last = await here.read(runs.last)
    assert last is not None
    assert last[1] is not None


async def test_of_old_passes_only_so_many_are_kept(here: Assistant) -> None:
    for _ in range(runs.KEPT + 5):
        await here.write(lambda uow: runs.begin(uow, NOW))
    assert await count(here, maintenance_runs) == runs.KEPT


def test_a_report_is_stored_as_plain_json() -> None:
    assert Report({"expired": 2}, ["trim: OSError"]).as_json() == {
        "counts": {"expired": 2},
        "problems": ["trim: OSError"],
    }


async def test_a_kill_between_two_steps_costs_nothing(here: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next pass goes on."""
    for n in range(2):
        await here.says(f"/remember Shelf {n} holds the {'ab'[n] * 5} things.")

    class Killed(BaseException):
        pass

    def kill(*_: object) -> int:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(maintenance, "store_vectors", kill)
        with pytest.raises(Killed):
            await run_once(here.maintenance())
    report = await run_once(replace(here.maintenance()))
    assert report.counts["embedded"] == 2
    assert maintenance_task.BATCH == BATCH


# --- floors of recall


async def test_a_pass_measures_what_chance_finds_and_a_second_one_nothing(here: Assistant) -> None:
    """Where neutral questions lie is kept for every store, a floor only for those large enough to tell."""
    for n in range(30):
        await here.write(lambda uow, n=n: keep(uow, f"Thing {n} stands on shelf {n % 7}", scope=chat_scope(OWNER)))
    await run_once(here.maintenance())
    (floor,) = await here.rows(select(recall_floors))
    assert (floor.scope, floor.memories) == (chat_scope(OWNER), 30)
    assert 0.22 <= floor.floor <= 0.6
    assert await count(here, recall_centres) == 1
    report = await run_once(here.maintenance())
    assert report.counts["recalibrated"] == 0
    assert tuple(await here.rows(select(recall_floors))) == (floor,)


@pytest.mark.parametrize(
    "damage", [b"\x00\x00\xc0\x7f" * 64, b"\x00" * 7, b"\x00\x00\x80\x3f" * 3], ids=["nan", "cut", "short"]
)
async def test_a_damaged_vector_is_made_anew(here: Assistant, damage: bytes) -> None:
    kit = here.maintenance()
    await here.says("/remember I keep two beehives.")
    await run_once(kit)
    (sound,) = await here.rows(select(memories.c.embedding))
    await here.write(lambda uow: uow.connection.execute(update(memories).values(embedding=damage)))
    again = await run_once(replace(kit, begun=set()))
    assert again.counts["vectors_dropped"] == 1
    assert again.counts["embedded"] == 1
    assert await here.rows(select(memories.c.embedding)) == [sound]


async def test_sound_vectors_are_looked_at_once_and_left_alone(here: Assistant) -> None:
    kit = here.maintenance()
    await here.says("/remember I keep two beehives.")
    await run_once(kit)
    assert (await run_once(replace(kit, begun=set()))).counts["vectors_dropped"] == 0
    assert "vectors_dropped" not in (await run_once(kit)).counts
