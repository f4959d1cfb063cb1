"""What memory cannot decide by rule: near-duplicates, the core, phantoms. Copies merge by the letter, the rest is asked."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any

from bot.upkeep.asking import Asker
from bot.upkeep.kit import MaintenanceKit, Report
from memory import changes, verdicts
from memory.domain import Memory
from memory.hygiene import clusters, literal, merging, phantoms
from memory.hygiene.clusters import Cluster, Edge, Group
from memory.lifecycle import core_question
from memory.unit_of_work import UnitOfWork

MERGE_TOKENS = 300
"""The longest statement, its frame and some room."""
CORE_TOKENS = 80
PHANTOM_TOKENS = 20
CORE_BATCH = 10
"""Statements of one question about the core: a small model still looks at each."""
MOST_QUESTIONS = 1_000
"""Counted and looked for no further: no budget reaches there."""


async def merge_copies(kit: MaintenanceKit, report: Report) -> None:
    """Merge what is the same word for word; without any model."""
    report.add("copies_merged", 0)
    while found := await kit.executors.read(lambda uow: literal.due(uow, kit.engine, limit=10)):
        done = 0
        for cluster in found:
            now = kit.clock.now()
            merged = await kit.executors.write(
                lambda uow, c=cluster, n=now: literal.settle(uow, kit.engine, c, now=n)  # type: ignore[misc]
            )
            done += merged is not None
        report.add("copies_merged", done)
        if not done:
            return


async def merge_near(kit: MaintenanceKit, report: Report, asker: Asker) -> None:
    """Ask about what lies near, and merge what nothing is lost by; again, until nothing new comes together."""
    report.add("merged", 0)
    while asker.can and await _ask_about_near(kit, report, asker):
        pass  # what was too much for one cluster, or is near to what came out of one


async def _ask_about_near(kit: MaintenanceKit, report: Report, asker: Asker) -> int:
    """Go through the clusters once; give how many answers there were that can be read."""
    understood = 0
    async for cluster in near_clusters(kit):
        raw = await asker.ask("merge", merging.question(cluster), MERGE_TOKENS)
        if not asker.can:
            return 0
        if raw is None:
            continue
        answer = merging.read(raw, cluster)
        if answer is None:
            report.add("answers_not_understood", 1)
            continue
        understood += 1
        settled = await _settle(kit, cluster, answer)
        report.add("merged", settled.merged is not None)
        report.add("merges_refused", bool(settled.refused))
    return understood


async def _settle(kit: MaintenanceKit, cluster: Cluster, answer: merging.Answer) -> merging.Settled:
    vectors = None
    if answer.said is merging.Said.MERGE and answer.text.strip():
        vectors = await kit.executors.embed(lambda: kit.engine.embed_passages([answer.text.strip()]))
    vector = vectors[0] if vectors else None
    if answer.said is merging.Said.MERGE:
        # (m) taking eight long statements apart takes 100 ms; what it gives is remembered
        await kit.executors.read(lambda _: merging.objection(cluster, answer))
    now = kit.clock.now()
    return await kit.executors.write(
        lambda uow: merging.settle(uow, kit.engine, cluster, answer, now=now, vector=vector)
    )


async def near_clusters(kit: MaintenanceKit) -> AsyncIterator[Cluster]:
    """Give the clusters to ask about; a scope in which nothing changed since it had none is not looked at again."""
    near_from = await kit.executors.embed(kit.engine.near_from)
    groups = await kit.executors.read(lambda uow: clusters.groups(uow, kit.engine))
    for scope in dict.fromkeys(group.scope for group in groups):
        mark = await kit.executors.read(lambda uow, s=scope: f"near {s} {_latest(kit, uow, s)}")  # type: ignore[misc]
        if mark in kit.begun:
            continue
        found = False
        for group in (group for group in groups if group.scope == scope):
            edges = await _edges(kit, group, near_from)
            for cluster in await kit.executors.read(lambda uow, e=edges: clusters.clusters(uow, e)):  # type: ignore[misc]
                found = True
                yield cluster
        if not found:
            kit.begun.difference_update({seen for seen in kit.begun if seen.startswith(f"near {scope} ")})
            kit.begun.add(mark)


def _latest(kit: MaintenanceKit, uow: UnitOfWork, scope: Any) -> int:
    return changes.latest(uow.connection, kit.engine.agent, scope)


async def _edges(kit: MaintenanceKit, group: Group, near_from: float) -> list[Edge]:
    """Find the near pairs of a group, one block of the product at a time in a thread of its own."""
    pks, vectors = await kit.executors.read(lambda uow: clusters.vectors_of(uow, kit.engine, group.pks))
    judged = await kit.executors.read(lambda uow: verdicts.of_rows(uow, group.pks))
    blocks = clusters.near(pks, vectors, near_from, judged)
    edges: list[Edge] = []
    while (block := await asyncio.to_thread(next, blocks, None)) is not None:
        edges += block
    return edges


async def ask_for_core(kit: MaintenanceKit, report: Report, asker: Asker) -> None:
    """Ask which memories are who somebody is, or a standing rule."""
    report.add("let_into_core", 0)
    if not asker.can:
        return
    asked: list[Memory] = []
    async for memory in _core_candidates(kit):
        asked.append(memory)
        if len(asked) == CORE_BATCH:
            await _ask_for_core(kit, report, asker, asked)
            asked = []
        if not asker.can:
            return
    if asked:
        await _ask_for_core(kit, report, asker, asked)


async def _core_candidates(kit: MaintenanceKit) -> AsyncIterator[Memory]:
    """Look for them page by page: a reader is never held for long."""
    now = kit.clock.now()
    after: int | None = 0
    while after is not None:
        found, after = await kit.executors.read(partial(core_question.page, engine=kit.engine, now=now, after=after))
        for memory in found:
            yield memory


async def _ask_for_core(kit: MaintenanceKit, report: Report, asker: Asker, asked: Sequence[Memory]) -> None:
    raw = await asker.ask("core", core_question.question(asked), CORE_TOKENS)
    if raw is None:
        return
    answers = core_question.read(raw, asked)
    if answers is None:
        report.add("answers_not_understood", 1)
        return
    settle = partial(core_question.settle, engine=kit.engine, answers=answers, asked=asked, now=kit.clock.now())
    report.add("let_into_core", await kit.executors.write(settle))


async def look_at_phantoms(kit: MaintenanceKit, report: Report, asker: Asker) -> None:
    """Show each quarantined memory alone to the model: drop it, or leave it."""
    report.add("phantoms_dropped", 0)
    if not asker.can:
        return
    for memory in await kit.executors.read(lambda uow: phantoms.suspects(uow, kit.engine, limit=MOST_QUESTIONS)):
        raw = await asker.ask("phantom", phantoms.question(memory), PHANTOM_TOKENS)
        if raw is None:
            continue
        answer, now = phantoms.read(raw), kit.clock.now()
        settle = partial(phantoms.settle, engine=kit.engine, memory=memory, answer=answer, now=now)
        report.add("phantoms_dropped", await kit.executors.write(settle))
