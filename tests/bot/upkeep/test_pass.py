"""A pass over a store where there is something to do for everybody."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations, permutations
from typing import Any

import pytest
from sqlalchemy import delete, select

from bot.errors import ModelUnreachable
from bot.maintenance_task import MaintenanceKit, Report, run_once
from bot.model import ModelReply, ModelRequest, Purpose
from bot.offline_model import OfflineModel
from bot.storage import usage
from bot.storage.tables import usage as usage_table
from bot.upkeep.asking import OVERHEAD_TOKENS, spent_today
from bot.upkeep.second_looks import CORE_BATCH, PHANTOM_TOKENS
from memory import lived
from memory.domain import Layer, Status
from memory.policy import CLUSTER_SIZE
from memory.tables import memory_verdicts
from memory.unit_of_work import UnitOfWork
from tests.bot.assistant import NOW, Assistant
from tests.bot.upkeep import prepared
from tests.memory.samples import AGENT, keep
from tests.scripted_model import ScriptedModel

ENOUGH = 100_000
CHANGED_BY_A_MODEL = ("merged", "let_into_core", "phantoms_dropped")
BY_A_MODEL = (*CHANGED_BY_A_MODEL, "questions_asked")


class Priced(ScriptedModel):
    """Every answer has a price; ``spent`` holds the tokens of each."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.spent: list[int] = []

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        reply = replace(await super().complete(request, on_text), cost_micro_usd=7)
        self.spent.append(reply.prompt_tokens + reply.completion_tokens)
        return reply


def kit_of(here: Assistant, model: ScriptedModel | None = None, **changes: Any) -> MaintenanceKit:
    """Give a kit with a model and a budget that lasts."""
    return here.maintenance(**{"model": model or prepared.sensible(), "daily_tokens": ENOUGH} | changes)


async def made(kit: MaintenanceKit) -> Report:
    """Make a pass that nobody else is in the way of."""
    report = await run_once(kit)
    assert report is not None
    return report


def done(report: Report) -> dict[str, int]:
    """Give what a pass did, without what it did not."""
    return {name: count for name, count in report.counts.items() if count}


async def ledger(here: Assistant) -> list[tuple[Any, ...]]:
    """Give the calls on record: purpose, model, tokens, price."""
    u = usage_table.c
    query = select(u.purpose, u.model, u.prompt_tokens + u.completion_tokens, u.cost_micro_usd).order_by(u.id)
    return [tuple(row) for row in await here.rows(query)]


async def spend(here: Assistant, tokens: int, purpose: Purpose = Purpose.MAINTENANCE) -> None:
    """Put a call into the ledger."""
    reply = ModelReply("x", "other", tokens - 1, 1, None)
    await here.write(lambda uow: usage.record(uow, now=here.clock.now(), purpose=purpose, reply=reply))


# --- what a pass does


async def test_a_pass_does_everything_that_is_due(here: Assistant) -> None:
    await here.write(prepared.fill)
    report = await made(kit_of(here))
    assert await here.read(prepared.standing) == prepared.AFTER
    assert done(report) == {
        "expired": 1, "promoted": 2, "faded": 2, "archived": 1, "phantoms": 1, "copies_merged": 1, "reanalysed": 15,
        "embedded": 15, "cues_embedded": 2, "questions_asked": 5, "merged": 1, "let_into_core": 1, "phantoms_dropped": 1,
        "journal_trimmed": 2,
    }  # fmt: skip
    assert report.problems == []
    assert await here.read(prepared.soundness) == []


async def test_a_second_pass_straight_after_reports_zeros_and_changes_no_row_but_its_own(here: Assistant) -> None:
    await here.write(prepared.fill)
    kit = kit_of(here)
    await made(kit)
    before = await here.read(lambda uow: prepared.tables(uow, "maintenance_runs"))
    assert done(await made(kit)) == {}
    assert await here.read(lambda uow: prepared.tables(uow, "maintenance_runs")) == before


async def test_what_is_merged_settles_in_the_same_pass(here: Assistant) -> None:
    """Each of the two was used on one day, both together on two."""
    await here.write(prepared.fill)
    await made(kit_of(here))
    assert (prepared.JOINED, "active", "working", 5) in await here.read(prepared.standing)


@pytest.mark.parametrize(("fields", "days_ago", "becomes"), [
    ({"importance": 6, "expires_at": NOW - timedelta(days=2)}, 4, ("archived", "buffer", 6)),
    ({"importance": 7, "rated": 7}, 4, ("active", "buffer", 5)),
    ({"importance": 7, "layer": Layer.WORKING}, 70, ("archived", "working", 6)),
], ids=["over before it settles", "rated down before it settles", "archived for what it lost today"])  # fmt: skip
async def test_the_rules_follow_each_other_in_their_order(
    here: Assistant, fields: dict[str, Any], days_ago: int, becomes: tuple[str, str, int]
) -> None:
    """Among additions of a model that rates high. What leaves or falls does not settle before."""

    def fill(uow: UnitOfWork) -> None:
        for day in range(80):
            lived.mark(uow, AGENT, prepared.SCOPE, (NOW - timedelta(days=day)).date())
        keep(uow, "The bus was late", prepared.SCOPE, now=NOW - timedelta(days=days_ago), **fields)
        for n, rated in enumerate([5, 6, 7, 9] * 8):
            keep(uow, f"Passing remark number {n}", prepared.SCOPE, now=NOW, importance=1, rated=rated)

    await here.write(fill)
    report = await made(kit_of(here, daily_tokens=0))
    (held,) = [row[1:] for row in await here.read(prepared.standing) if row[0] == "The bus was late"]
    assert held == becomes
    assert report.counts["promoted"] == 0


# --- what is asked


@pytest.mark.parametrize(
    "changes", [{"daily_tokens": 0}, {"model": OfflineModel()}, {"model": None}], ids=["no budget", "offline", "none"]
)
async def test_nothing_is_asked_without_a_model_or_a_budget(here: Assistant, changes: dict[str, Any]) -> None:
    """What needs no model is done all the same; nothing that does is decided."""
    await here.write(prepared.fill)
    model = prepared.sensible()
    report = await made(here.maintenance(**{"model": model, "daily_tokens": ENOUGH} | changes))
    assert model.requests == []
    assert await ledger(here) == []
    assert report.problems == []
    assert {name: done(report).get(name, 0) for name in BY_A_MODEL} == dict.fromkeys(BY_A_MODEL, 0)
    assert (done(report)["copies_merged"], done(report)["archived"]) == (1, 1)
    assert "questions_left_for_tomorrow" not in report.counts


async def test_each_question_goes_alone_with_its_prompt_and_for_maintenance(here: Assistant) -> None:
    await here.write(prepared.fill)
    model = prepared.sensible()
    await made(kit_of(here, model))
    assert {(request.purpose, request.json_reply) for request in model.requests} == {(Purpose.MAINTENANCE, True)}
    assert [prepared.asked_for(request) for request in model.requests] == ["merge", "core", *3 * ["phantom"]]
    assert [len(request.messages) for request in model.requests] == 5 * [2]


async def test_every_call_stands_in_the_ledger_with_its_price(here: Assistant) -> None:
    await here.write(prepared.fill)
    model = Priced(otherwise=prepared.answer)
    await made(kit_of(here, model))
    assert await ledger(here) == [("maintenance", "scripted", spent, 7) for spent in model.spent]
    assert len(model.spent) == 5
    assert await spent_today(kit_of(here)) == sum(model.spent)


@pytest.mark.parametrize(("short_of", "asked"), [(1, 0), (0, 1)])
async def test_a_call_that_would_go_beyond_the_budget_is_not_begun(here: Assistant, short_of: int, asked: int) -> None:
    """What is written counts as well as what is read: with a token too little it waits."""
    await here.write(lambda uow: keep(uow, prepared.CLAIM, prepared.SCOPE, status=Status.QUARANTINED))
    model = prepared.sensible()
    await made(kit_of(here, model))
    (request,) = model.requests
    wanted = sum(model.count_tokens(message.content) for message in request.messages) + OVERHEAD_TOKENS + PHANTOM_TOKENS
    await here.write(lambda uow: uow.connection.execute(delete(usage_table)))
    await here.write(lambda uow: uow.connection.execute(delete(memory_verdicts)))
    again = prepared.sensible()
    await made(kit_of(here, again, daily_tokens=wanted - short_of))
    assert len(again.requests) == asked


async def test_tokens_used_earlier_today_count_and_a_new_day_asks_again(here: Assistant) -> None:
    await here.write(prepared.fill)
    await spend(here, 600)
    model = prepared.sensible()
    report = await made(kit_of(here, model, daily_tokens=1_000))
    assert (model.requests, report.counts["questions_left_for_tomorrow"]) == ([], 1)
    here.later(hours=11, minutes=59)  # a minute before midnight, UTC
    await made(kit_of(here, model, daily_tokens=1_000))
    assert model.requests == []
    here.later(minutes=1)
    await made(kit_of(here, model, daily_tokens=1_000))
    assert prepared.asked_for(model.requests[0]) == "merge"


async def test_what_turns_and_reflections_use_is_not_of_this_budget(here: Assistant) -> None:
    await here.write(prepared.fill)
    await spend(here, ENOUGH, Purpose.TURN)
    await spend(here, ENOUGH, Purpose.REFLECTION)
    assert done(await made(kit_of(here)))["questions_asked"] == 5


async def test_a_model_that_fails_ends_the_asking_and_nothing_else(here: Assistant) -> None:
    """One call, one plain sentence; the rest of the pass is done, and the next pass asks what was left."""
    await here.write(prepared.fill)
    model = ScriptedModel(ModelUnreachable("down"), otherwise=prepared.answer)
    kit = kit_of(here, model)
    report = await made(kit)
    assert len(model.requests) == 1
    assert report.problems == ["the model could not be asked: ModelUnreachable"]
    assert (done(report)["archived"], done(report)["journal_trimmed"]) == (1, 2)
    assert await ledger(here) == []
    again = await made(kit)
    assert (again.counts["questions_asked"], again.problems) == (5, [])
    assert await here.read(prepared.standing) == prepared.AFTER


@pytest.mark.parametrize(
    "raw", ["no", "{", "[]", "{}", '{"verdict": 7, "core": 8}', '{"verdict": ["merge"]}', "\x00" * 9]
)
async def test_rubbish_changes_nothing_and_is_not_asked_for_twice_a_day(here: Assistant, raw: str) -> None:
    await here.write(prepared.fill)
    kit = kit_of(here, ScriptedModel(otherwise=raw))
    report = await made(kit)
    assert {name: done(report).get(name, 0) for name in CHANGED_BY_A_MODEL} == dict.fromkeys(CHANGED_BY_A_MODEL, 0)
    assert report.counts["answers_not_understood"] == 2  # a second look that is not understood leaves the claim
    before = await here.read(lambda uow: prepared.tables(uow, "maintenance_runs"))
    again = await made(kit)
    assert done(again) == {}
    assert await here.read(lambda uow: prepared.tables(uow, "maintenance_runs")) == before
    here.later(hours=13)
    tomorrow = await made(kit)
    assert tomorrow.counts["questions_asked"] == 2


async def test_more_than_one_question_can_hold_is_asked_in_the_same_pass(here: Assistant) -> None:
    """Twelve that lie near each other, of which a question shows eight: the pass goes on until every pair is judged."""
    words = ("Mia", "plays", "violin", "sundays")
    texts = [" ".join(order) for order in permutations(words)][:12]
    await here.write(lambda uow: [keep(uow, text, prepared.SCOPE, subject=None) for text in texts])
    model = ScriptedModel(otherwise='{"verdict": "distinct"}')
    kit = kit_of(here, model)
    await made(kit)
    shown = [request.messages[1].content.splitlines() for request in model.requests]
    assert max(map(len, shown)) == CLUSTER_SIZE
    together = {frozenset(pair) for lines in shown for pair in combinations([json.loads(n)["text"] for n in lines], 2)}
    assert len(together) == 12 * 11 // 2
    assert done(await made(kit)) == {}


async def test_what_was_not_understood_does_not_keep_others_waiting(here: Assistant) -> None:
    """Eleven candidates for the core: the first ten are answered with rubbish, the eleventh is let in."""

    def add(uow: UnitOfWork) -> None:
        lived.mark(uow, AGENT, prepared.SCOPE, NOW.date() - timedelta(days=1))
        lived.mark(uow, AGENT, prepared.SCOPE, NOW.date() - timedelta(days=2))
        for n in range(CORE_BATCH + 1):
            then = NOW - timedelta(days=3)
            keep(uow, f"{'abcdefghijk'[n] * 4} {n}", prepared.SCOPE, now=then, importance=8, layer=Layer.WORKING)

    await here.write(add)
    kit = kit_of(here, ScriptedModel("rubbish", '{"core": ["m1"]}'))
    report = await made(kit)
    assert (report.counts["let_into_core"], report.counts["answers_not_understood"]) == (1, 1)
    assert done(await made(kit)) == {}
