"""A store in which each rule and each question of a pass finds one thing to do, and a model that answers sensibly."""

import json
from datetime import timedelta
from importlib.resources import files
from typing import Any

from bot.model import ModelRequest
from memory import lived, store
from memory.domain import Kind, Layer, Scope, Status, Trust, chat_scope
from memory.unit_of_work import UnitOfWork
from tests.bot.assistant import NOW, OWNER
from tests.memory.samples import AGENT, CAUSE, keep
from tests.scripted_model import ScriptedModel

SCOPE = chat_scope(OWNER)

EXPIRED = "The dentist is booked for Friday"
PROMOTABLE = "Nadia rents a garage behind the station"
FADING = "Nadia owns a sailing boat in Kiel"
UNUSED = "Nadia once led a choir"
ARCHIVABLE = "It drizzled on the way home"
COPY = "The spare key hangs behind the boiler"
NEAR = ("Mia plays the violin on Sundays in the orchestra", "On Sundays Mia plays the violin in the orchestra")
JOINED = "On Sundays Mia plays the violin in the orchestra"
CORE = "Nadia is allergic to hazelnuts"
DOUBTED = "Nadia would probably like Norway"
NONSENSE = "asdf ok ok"
CLAIM = "Nadia has a brother in Oslo"
LESSON = "Ask before booking a train"
"""What the store holds, by what becomes of it."""

AFTER = sorted([
    (EXPIRED, "archived", "buffer", 5),
    (PROMOTABLE, "active", "working", 6),
    (FADING, "active", "working", 7),
    (UNUSED, "active", "working", 8),
    (ARCHIVABLE, "archived", "buffer", 2),
    (COPY, "active", "buffer", 5),
    (COPY, "superseded", "buffer", 5),
    (COPY, "superseded", "buffer", 5),
    (JOINED, "active", "working", 5),
    (NEAR[0], "superseded", "buffer", 5),
    (NEAR[1], "superseded", "buffer", 5),
    (CORE, "active", "core", 8),
    (DOUBTED, "quarantined", "buffer", 5),
    (NONSENSE, "superseded", "buffer", 5),
    (CLAIM, "quarantined", "buffer", 5),
    (LESSON, "active", "working", 5),
])  # fmt: skip
"""What a whole pass makes of it: text, status, layer, importance."""


def fill(uow: UnitOfWork, scope: Scope = SCOPE) -> None:
    """Store one thing for each step; somebody spoke on every day of the last 200."""
    for day in range(201):
        lived.mark(uow, AGENT, scope, (NOW - timedelta(days=day)).date())

    def add(text: str, days_ago: float, used_days_ago: float | None = None, **fields: Any) -> None:
        memory = keep(uow, text, scope, now=NOW - timedelta(days=days_ago), subject=None, **fields)
        if used_days_ago is not None:
            store.use(uow, memory, now=NOW - timedelta(days=used_days_ago), cause=CAUSE)

    add(EXPIRED, 4, expires_at=NOW - timedelta(days=2))
    add(PROMOTABLE, 3, importance=6)
    add(FADING, 70, importance=8, layer=Layer.WORKING)
    add(UNUSED, 190, importance=8, layer=Layer.CORE)
    add(ARCHIVABLE, 9, importance=2)
    add(COPY, 2)
    add(COPY, 1)
    add(NEAR[0], 4, used_days_ago=2)
    add(NEAR[1], 3, used_days_ago=1)  # used on two days, taken together
    add(CORE, 3, importance=8, layer=Layer.WORKING)
    add(DOUBTED, 2, trust=Trust.ASSISTANT)
    add(NONSENSE, 2, status=Status.QUARANTINED)
    add(CLAIM, 2, status=Status.QUARANTINED)
    add(LESSON, 2, kind=Kind.LESSON, layer=Layer.WORKING, triggers=("book a train", "rail ticket"))


def standing(uow: UnitOfWork) -> list[tuple[str, str, str, int]]:
    """Give the memories as `AFTER` tells them."""
    rows = uow.connection.exec_driver_sql("SELECT text, status, layer, importance FROM memories")
    return sorted((row.text, row.status, row.layer, row.importance) for row in rows)


def tables(uow: UnitOfWork, *but: str) -> dict[str, list[tuple[Any, ...]]]:
    """Give every row of every table but those named ``but``; the shadow tables of the full text index too."""
    names = uow.connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars().all()
    return {name: _rows(uow, name) for name in sorted(names) if name not in but}


def _rows(uow: UnitOfWork, name: str) -> list[tuple[Any, ...]]:
    found = uow.connection.exec_driver_sql(f'SELECT * FROM "{name}"')
    return sorted((tuple(row) for row in found), key=repr)


def soundness(uow: UnitOfWork) -> list[str]:
    """Give what is wrong with the file; nothing where it is sound."""
    c = uow.connection
    found = [f"foreign key: {row}" for row in c.exec_driver_sql("PRAGMA foreign_key_check").all()]
    found += [row[0] for row in c.exec_driver_sql("PRAGMA integrity_check").all() if row[0] != "ok"]
    lost = "SELECT text FROM memories WHERE status = 'superseded' AND valid_to IS NULL AND superseded_by IS NULL"
    dead = (
        "SELECT m.text FROM memories AS m LEFT JOIN memories AS n ON n.id = m.superseded_by AND n.status = 'active'"
        " WHERE m.superseded_by IS NOT NULL AND n.id IS NULL"
    )
    return found + [f"no survivor: {text}" for query in (lost, dead) for text in c.exec_driver_sql(query).scalars()]


def asked_for(request: ModelRequest) -> str:
    """Give the name of the prompt that a question came with."""
    return next(name for name in ("merge", "core", "phantom") if system_prompt(name) == request.messages[0].content)


def answer(request: ModelRequest) -> str:
    """Answer each kind of question as a sensible model does."""
    shown = request.messages[1].content
    match asked_for(request):
        case "merge":
            return json.dumps({"verdict": "merge", "text": JOINED} if JOINED in shown else {"verdict": "distinct"})
        case "core":
            lines = [line.split(": ", 1) for line in shown.splitlines()]
            return json.dumps({"core": [alias for alias, text in lines if text == CORE]})
        case _:
            return json.dumps({"verdict": "drop" if NONSENSE in shown else "leave"})


def sensible() -> ScriptedModel:
    """Give such a model."""
    return ScriptedModel(otherwise=answer, name="tidy")


def system_prompt(name: str) -> str:
    """Give the text of a prompt."""
    return (files("bot.prompts") / f"{name}.md").read_text(encoding="utf-8").strip()
