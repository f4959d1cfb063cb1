"""One text in the place of several that say the same: what the model is asked, and what of its answer is done.

A wrong or hostile answer can at worst supersede: inputs keep their row, and undo brings all of them back.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import combinations
from typing import Any

import json_repair

from memory import store, verdicts
from memory.domain import MAX_TEXT_CHARS, Memory
from memory.hygiene.clusters import Cluster
from memory.hygiene.joining import join
from memory.hygiene.loss import lost, same_matter
from memory.reflection.authority import is_same_person
from memory.secrets import find_secrets
from memory.statements import normalise
from memory.steps import Engine
from memory.unit_of_work import UnitOfWork
from memory.vectors import Vector
from memory.verdicts import CONTRADICTS, DISTINCT, Question


class Said(StrEnum):
    """What the model says of a cluster."""

    MERGE = "merge"
    DISTINCT = "distinct"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class Answer:
    """The model's answer. ``members`` and ``superseded`` are places in the cluster."""

    said: Said
    members: tuple[int, ...] = ()
    text: str = ""
    superseded: tuple[int, ...] = ()
    problem: str = ""  # why a merge cannot be meant; it is then refused


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of an answer: the merged memory, or why there is none."""

    merged: Memory | None = None
    refused: str = ""


def question(cluster: Cluster) -> str:
    """Give what the model is asked: one statement a line, as JSON under short aliases, oldest first."""
    return "\n".join(json.dumps(_shown(n, memory), ensure_ascii=False) for n, memory in enumerate(cluster.memories, 1))


def read(raw: str, cluster: Cluster) -> Answer | None:
    """Read the model's answer; None where there is none to be read. Never raises."""
    try:  # the library raises ValueError too, where brackets nest too deep
        answer = json_repair.loads(raw[:4_000]) if raw.strip() else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict):
        return None
    try:
        said = Said(str(answer.get("verdict")).strip().lower())
    except ValueError:
        return None
    members, foreign = _places(answer.get("members"), cluster)
    superseded, strange = _places(answer.get("superseded"), cluster)
    everyone = tuple(range(len(cluster.memories))) if answer.get("members") is None else ()
    text = answer.get("text")
    problem = "it names memories that were not shown" if foreign or strange else ""
    return Answer(said, members or everyone, _unheaded(text, cluster), superseded, problem)


def settle(
    uow: UnitOfWork,
    engine: Engine,
    cluster: Cluster,
    answer: Answer,
    *,
    now: datetime,
    vector: Vector | None = None,
) -> Settled:
    """Do what the answer says, if nothing is lost by it, and remember it either way; ``vector`` is that of its text."""
    held = [store.get(uow, engine.agent, memory.scope, memory.id) for memory in cluster.memories]
    if any(one != memory for one, memory in zip(held, cluster.memories, strict=True)):
        return Settled(refused="something changed meanwhile")
    if answer.said is not Said.MERGE:
        against = answer.said is Said.CONTRADICTION and not answer.problem
        _remember(uow, cluster.memories, CONTRADICTS if against else DISTINCT, answer, now)
        return Settled()
    why = objection(cluster, answer)
    if why:
        _remember(uow, cluster.memories, DISTINCT, answer, now)
        return Settled(refused=why)
    inputs = [cluster.memories[at] for at in answer.members]
    late = frozenset(cluster.memories[at].id for at in answer.superseded)
    merged = join(uow, engine, inputs, answer.text.strip(), now=now, superseded=late, vector=vector)
    _part(uow, [m for m in cluster.memories if m not in inputs], now)
    return Settled(merged)


def objection(cluster: Cluster, answer: Answer) -> str:
    """Give why a merge is not done; empty when nothing speaks against it."""
    text = answer.text.strip()
    inputs = [cluster.memories[at] for at in answer.members]
    if answer.problem or len(inputs) < 2:
        return answer.problem or "it names fewer than two"
    if not normalise(text) or len(text) > MAX_TEXT_CHARS:
        return "the text is empty or too long"
    if find_secrets(text):
        return "the text holds a secret"
    if len({memory.expires_at for memory in inputs}) > 1:
        return "they end on different days"
    return _superseding_objection(cluster, answer) or _loss(cluster, answer, text)


def _superseding_objection(cluster: Cluster, answer: Answer) -> str:
    """What is named superseded must be older than something that stays, by the same voice, and the same matter."""
    staying = [cluster.memories[at] for at in answer.members if at not in answer.superseded]
    if not staying:
        return "nothing would be left"
    for at in answer.superseded:
        if at not in answer.members:
            return "it replaces what it does not name"
        if not any(_may_replace(newer, cluster.memories[at]) for newer in staying):
            return "nothing newer of the same matter replaces it"
    return ""


def _may_replace(newer: Memory, older: Memory) -> bool:
    said = (newer.valid_from or newer.created_at) > (older.valid_from or older.created_at)
    same_voice = newer.speaker_id == older.speaker_id or is_same_person(newer.subject, newer.speaker)
    return said and same_voice and same_matter(older.text, newer.text)


def _loss(cluster: Cluster, answer: Answer, text: str) -> str:
    staying = [cluster.memories[at].text for at in answer.members if at not in answer.superseded]
    return "; ".join(lost(staying, text))  # what was replaced does not come back either


def _remember(uow: UnitOfWork, members: Sequence[Memory], verdict: str, answer: Answer, now: datetime) -> None:
    """Keep a verdict on every pair; of a contradiction only among those it names, the others are distinct."""
    named = {members[at].id for at in answer.members}
    for one, other in combinations(members, 2):
        said = verdict if {one.id, other.id} <= named else DISTINCT
        verdicts.keep(uow, Question.MERGE, one, other, said, now=now)


def _part(uow: UnitOfWork, others: Sequence[Memory], now: datetime) -> None:
    for one, other in combinations(others, 2):
        verdicts.keep(uow, Question.MERGE, one, other, DISTINCT, now=now)


def _places(listed: Any, cluster: Cluster) -> tuple[tuple[int, ...], bool]:
    """Give the places of the aliases, and whether some were not of this cluster."""
    if listed is None:
        return (), False
    known = {f"m{n}": n - 1 for n in range(1, len(cluster.memories) + 1)}
    named = [str(alias).strip().lower() for alias in (listed if isinstance(listed, list) else [listed])]
    return tuple(dict.fromkeys(known[alias] for alias in named if alias in known)), any(a not in known for a in named)


def _unheaded(text: Any, cluster: Cluster) -> str:
    """Give the text without the name it is about in front ("Anna has a dog"), where no statement names it: models like to."""
    if not isinstance(text, str):
        return ""
    about = (cluster.memories[0].subject or "").strip().casefold()
    head, _, rest = text.strip().partition(" ")
    named = any(about in memory.text.casefold() for memory in cluster.memories)
    if not about or head.casefold() != about or named or not rest.strip():
        return text
    return rest.strip()[0].upper() + rest.strip()[1:]


def _shown(n: int, memory: Memory) -> dict[str, str]:
    shown = {
        "id": f"m{n}",
        "noted": (memory.valid_from or memory.created_at).date().isoformat(),
        "said_by": memory.speaker,
        "about": memory.subject,
        "text": memory.text,
    }
    return {name: " ".join(value.split()) for name, value in shown.items() if value}
