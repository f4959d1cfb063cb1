"""What a real model makes of near-duplicates: sixty handmade notes, fifteen true duplicates and fifteen traps among them.

    python -m tests.bench.hygiene_model --api-base http://127.0.0.1:18080/v1 [--model openai/local] [--passes 2]

The whole path runs: the bundled embedder and its threshold, clusters, the prompts of maintenance, the product's own client, the
reading of the answer, the loss check, the write to a real file. Then the question about the core and the one about phantoms.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.resources import files
from pathlib import Path

from bot.errors import ModelError
from bot.model import ModelClient, ModelRequest, PromptMessage, Purpose
from bot.model_client import ModelSettings, connect
from bot.upkeep.second_looks import CORE_TOKENS, MERGE_TOKENS, PHANTOM_TOKENS
from memory import store
from memory.database import Database
from memory.domain import Layer, Memory, MemoryId, Status
from memory.embedding import Embedder, load
from memory.hygiene import clusters, merging, phantoms
from memory.hygiene.clusters import Cluster, Edge
from memory.hygiene.loss import lost
from memory.hygiene.thresholds import calibrated
from memory.lifecycle import core_question
from tests.bench.hygiene_notes import CORE, PHANTOMS, TRAPS, TWINS, Pair
from tests.databases import new_database
from tests.memory.lifecycle.lives import Engine
from tests.memory.samples import AGENT, HERE, NOW, keep

LATER = NOW + timedelta(days=90)


@dataclass
class Ask:
    """Asks the model, and counts what it took."""

    model: ModelClient
    tokens: int = 0
    asked: int = 0

    async def __call__(self, prompt: str, question: str, max_tokens: int) -> str:
        system = (files("bot.prompts") / f"{prompt}.md").read_text(encoding="utf-8").strip()
        messages = (PromptMessage("system", system), PromptMessage("user", question))
        try:
            reply = await self.model.complete(ModelRequest(Purpose.MAINTENANCE, messages, max_tokens, json_reply=True))
        except ModelError as error:
            return f"({type(error).__name__})"
        self.tokens += reply.prompt_tokens + reply.completion_tokens
        self.asked += 1
        return reply.text


@dataclass
class Run:
    """The store under test, and what happened in it."""

    database: Database
    engine: Engine
    embedder: Embedder
    ask: Ask
    ids: dict[Pair, tuple[MemoryId, MemoryId]] = field(default_factory=dict)
    cosines: dict[Pair, float] = field(default_factory=dict)
    met: set[frozenset[MemoryId]] = field(default_factory=set)  # pairs that were shown together
    refused: int = 0
    checked: int = 0  # refused because something would be lost or invented
    unreadable: int = 0


def main() -> None:
    """Print what became of every pair, and the totals."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--api-base", default="http://127.0.0.1:18080/v1")
    options.add_argument("--model", default="openai/local")
    options.add_argument("--passes", type=int, default=1)
    given = options.parse_args()
    settings = ModelSettings(
        given.model,
        api_base=given.api_base,
        first_token_timeout_s=300,
        idle_timeout_s=120,
        total_timeout_s=600,
        temperature=0.0,
    )
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), connect(settings), given.passes))


async def measure(folder: Path, model: ModelClient, passes: int) -> None:
    """Fill a store, let hygiene go over it, and print."""
    begin = time.monotonic()
    embedder = load("english", folder / "home")
    database = new_database(folder / "t.db")
    run = Run(database, Engine(digest=embedder.digest), embedder, Ask(model))
    fill(run)
    near_from = calibrated(embedder.embed_passages)
    print(f"{model.name}; pairs are asked about from a cosine of {near_from:.3f}\n")
    await core(run)
    await look(run)
    begun, spent = time.monotonic(), run.ask.tokens
    print()
    for number in range(1, passes + 1):
        if not await merge(run, near_from, number):
            break
    pairs_told(run)
    print(
        f"merging: {run.ask.tokens - spent} tokens, {time.monotonic() - begun:.0f} s; "
        f"all: {run.ask.asked} questions, {run.ask.tokens} tokens, {time.monotonic() - begin:.0f} s"
    )
    database.close()


def fill(run: Run) -> None:
    """Keep the sixty notes, the newer of each pair some days after the older."""
    with run.database.write() as uow:
        for day, pair in enumerate((*TWINS, *TRAPS)):
            texts = (pair.older, pair.newer)
            vectors = run.embedder.embed_passages(texts)
            made = [
                keep(uow, text, subject=pair.subject, speaker=pair.subject, now=NOW + timedelta(days=day + 40 * late),
                     vector=vector, digest=run.embedder.digest)
                for late, (text, vector) in enumerate(zip(texts, vectors, strict=True))
            ]  # fmt: skip
            run.ids[pair] = (made[0].id, made[1].id)
            run.cosines[pair] = float(vectors[0] @ vectors[1])
        uow.commit()


# --- near-duplicates


async def merge(run: Run, near_from: float, number: int) -> int:
    """Ask about every cluster once; give how many there were."""
    found = _clusters(run, near_from)
    for cluster in found:
        raw = await run.ask("merge", merging.question(cluster), MERGE_TOKENS)
        _tell(run, cluster, raw, _settle(run, cluster, raw), number)
    return len(found)


def _clusters(run: Run, near_from: float) -> list[Cluster]:
    found: list[Cluster] = []
    with run.database.read() as uow:
        for group in clusters.groups(uow, run.engine):
            pks, vectors = clusters.vectors_of(uow, run.engine, group.pks)
            edges: list[Edge] = [edge for block in clusters.near(pks, vectors, near_from) for edge in block]
            found += clusters.clusters(uow, edges)
    return found


def _settle(run: Run, cluster: Cluster, raw: str) -> merging.Settled | None:
    answer = merging.read(raw, cluster)
    run.met |= {frozenset((a.id, b.id)) for a in cluster.memories for b in cluster.memories if a is not b}
    if answer is None:
        run.unreadable += 1
        return None
    text = answer.text.strip()
    vector = run.embedder.embed_passages([text])[0] if answer.said is merging.Said.MERGE and text else None
    with run.database.write() as uow:
        settled = merging.settle(uow, run.engine, cluster, answer, now=LATER, vector=vector)
        uow.commit()
    run.refused += bool(settled.refused)
    inputs = [cluster.memories[at].text for at in answer.members if at not in answer.superseded]
    run.checked += bool(settled.refused) and bool(lost(inputs, text))
    return settled


def _tell(run: Run, cluster: Cluster, raw: str, settled: merging.Settled | None, number: int) -> None:
    for n, memory in enumerate(cluster.memories, 1):
        print(f"[{number}] m{n} {memory.text}")
    print(f"    said: {' '.join(raw.split())}")
    if settled is None:
        print("    not understood")
    elif settled.merged is not None:
        print(f"    MERGED: {settled.merged.text}")
    else:
        print(f"    {'refused: ' + settled.refused if settled.refused else 'stays apart'}")


def pairs_told(run: Run) -> None:
    """Print what became of each pair, and the totals."""
    held = _held(run)
    print("\ncosine asked became   kind       pair")
    counts: dict[tuple[bool, str], int] = {}
    for pair, ids in run.ids.items():
        became = _became(held, ids)
        counts[pair in TWINS, became] = counts.get((pair in TWINS, became), 0) + 1
        met = "yes" if frozenset(ids) in run.met else "no"
        print(f"{run.cosines[pair]:6.2f} {met:5} {became:8} {pair.kind:10} {pair.older} | {pair.newer}")
    print(f"\ntrue duplicates merged {counts.get((True, 'merged'), 0)}/{len(TWINS)}"
          f" (replaced {counts.get((True, 'replaced'), 0)})")  # fmt: skip
    print(f"traps merged {counts.get((False, 'merged'), 0)}/{len(TRAPS)} (goal 0),"
          f" replaced by the newer {counts.get((False, 'replaced'), 0)}")  # fmt: skip
    print(
        f"notes of different pairs in one: {_mixed(run, held)}; facts lost: {len(_lost(run, held))} {_lost(run, held)}"
    )
    print(f"refused {run.refused}, by the loss check {run.checked}; not understood {run.unreadable}")


def _held(run: Run) -> dict[MemoryId, Memory]:
    with run.database.read() as uow:
        merged = {m.id: m for m in store.visible(uow, AGENT, HERE)}
        known = {i: store.get(uow, AGENT, HERE, i) for ids in run.ids.values() for i in ids}
        left = [m for m in known.values() if m is not None]
        while left:
            memory = left.pop()
            merged[memory.id] = memory
            behind = memory.superseded_by and store.get(uow, AGENT, HERE, memory.superseded_by)
            if behind:
                left.append(behind)
    return merged


def _stands_for(held: dict[MemoryId, Memory], which: MemoryId) -> Memory:
    memory = held[which]
    while memory.superseded_by is not None:
        memory = held[memory.superseded_by]
    return memory


def _became(held: dict[MemoryId, Memory], ids: Sequence[MemoryId]) -> str:
    if _stands_for(held, ids[0]) != _stands_for(held, ids[1]):
        return "apart"
    return "replaced" if any(held[which].valid_to is not None for which in ids) else "merged"


def _mixed(run: Run, held: dict[MemoryId, Memory]) -> int:
    """Give how many results stand for notes of more than one pair."""
    behind: dict[MemoryId, set[int]] = {}
    for n, ids in enumerate(run.ids.values()):
        for which in ids:
            behind.setdefault(_stands_for(held, which).id, set()).add(n)
    return sum(len(pairs) > 1 for pairs in behind.values())


def _lost(run: Run, held: dict[MemoryId, Memory]) -> list[str]:
    """Give the notes of which something is no longer to be read in what stands for them now."""
    found = []
    for pair, ids in run.ids.items():
        for which, keys in zip(ids, (pair.older_keys, pair.newer_keys), strict=True):
            text = _stands_for(held, which).text.casefold()
            found += [held[which].text] if any(key not in text for key in keys) else []
    return found


# --- the other questions


async def core(run: Run) -> None:
    """Ask about ten notes whether they tell who somebody is."""
    with run.database.write() as uow:
        asked = tuple(
            keep(uow, text, subject="Mireille", speaker="Mireille", importance=8, layer=Layer.WORKING)
            for text, _ in CORE
        )
        uow.commit()
    raw = await run.ask("core", core_question.question(asked), CORE_TOKENS)
    answers = core_question.read(raw, asked) or {}
    print(f"\ncore, said: {' '.join(raw.split())}")
    _score(
        "let into the core",
        ((text, wanted, answers.get(m.id, False)) for m, (text, wanted) in zip(asked, CORE, strict=True)),
    )


async def look(run: Run) -> None:
    """Show each quarantined note alone."""
    print()
    told = []
    for text, wanted in PHANTOMS:
        with run.database.write() as uow:
            memory = keep(uow, text, subject=None, speaker=None, status=Status.QUARANTINED)
            uow.commit()
        raw = await run.ask("phantom", phantoms.question(memory), PHANTOM_TOKENS)
        told.append((text, wanted, phantoms.read(raw) is phantoms.Answer.DROP))
    _score("phantoms dropped", told)


def _score(what: str, told: Iterable[tuple[str, bool, bool]]) -> None:
    right = wrong = wanted_in_all = 0
    for text, wanted, given in told:
        print(f"  {'yes' if given else 'no ':3} {'' if given == wanted else 'WRONG'} {text}")
        right += wanted and given
        wrong += given and not wanted
        wanted_in_all += wanted
    print(f"{what}: {right}/{wanted_in_all} rightly, {wrong} wrongly")


if __name__ == "__main__":
    main()
