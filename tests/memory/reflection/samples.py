"""Briefs, messages and memories for the tests of reflection, and the adapter for the shared cases."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from memory.domain import (
    AgentSlug,
    Conversation,
    Kind,
    Layer,
    Memory,
    MemoryId,
    Message,
    Origin,
    Role,
    Scope,
    Status,
    Trust,
    visible_scopes,
)
from memory.reflection.brief import alias_memories
from memory.reflection.operations import Brief, BriefMessage, Judgement, Reply, Shown, Unreadable
from memory.reflection.parsing import parse
from memory.reflection.validation import validate

NOW = datetime(2026, 11, 29, 14, 0, tzinfo=UTC)
"""A Sunday."""
PRIVATE = Scope("chat:100")
GROUP = Scope("chat:-5")


def memory(text: str, *, name: str = "M1", scope: Scope = PRIVATE, **fields: Any) -> Memory:
    """Give an active memory with this text."""
    defaults: dict[str, Any] = {
        "kind": Kind.SEMANTIC, "layer": Layer.BUFFER, "importance": 5, "status": Status.ACTIVE, "subject": None, "speaker": None,
        "speaker_id": None, "trust": Trust.MEMBER, "mentions": 0, "uses": 0, "created_at": NOW, "updated_at": NOW, "accessed_at": NOW,
        "valid_from": None, "valid_to": None, "expires_at": None, "revision": 1, "embedding_model": None, "superseded_by": None,
        "pinned": False,
    }  # fmt: skip
    return Memory(id=MemoryId(name), agent_slug=AgentSlug("t"), scope=scope, text=text, **(defaults | fields))


def said(
    text: str, n: int = 1, *, by: str = "Mirela", person: int | None = None, role: Role = Role.USER, origin: Origin = Origin.OWN,
    trust: Trust = Trust.OWNER, is_new: bool = True, at: datetime = NOW, scope: Scope = PRIVATE, reply_text: str | None = None,
) -> BriefMessage:  # fmt: skip
    """Give message number ``n`` of a brief."""
    chat = int(scope.removeprefix("chat:"))
    message = Message(n + 1000, Conversation(chat), role, by, person, origin, text, at, reply_text=reply_text)
    return BriefMessage(n, message, trust, is_new)


def brief(
    *messages: BriefMessage, memories: tuple[Memory, ...] = (), scope: Scope = PRIVATE, zone: str = "Europe/Berlin"
) -> Brief:
    """Give a brief; the private scope is the owner's private chat."""
    return Brief(scope, scope == PRIVATE, "Mirela", zone, NOW, messages, alias_memories(memories, ()))


def judge(
    asked: Brief, *operations: Mapping[str, Any], used: tuple[str, ...] = (), current: Mapping[MemoryId, int] | None = None,
    tombstoned: Callable[[str], bool] = lambda _: False,
) -> Judgement:  # fmt: skip
    """Give the judgement on operations as a model would write them; evidence is message 1 unless given."""
    listed = [{"evidence": [1]} | dict(op) for op in operations]
    reply = parse(json.dumps({"operations": listed, "used": list(used)}))
    assert isinstance(reply, Reply)
    return validate(asked, reply, current=current, tombstoned=tombstoned)


def outcome(asked: Brief, **operation: Any) -> str:
    """Give outcome and reason of one operation, as one word pair."""
    verdict = judge(asked, operation).verdicts[0]
    return f"{verdict.outcome} {verdict.reason}"


def add(text: str, evidence: str, **fields: Any) -> str:
    """Give outcome and reason of adding ``text`` on the strength of one private message."""
    return outcome(brief(said(evidence)), op="ADD", text=text, **fields)


def case_brief(case: dict[str, Any]) -> Brief:
    """Give the brief of a shared case: what is visible in its scope is shown under the ids of the case."""
    scope = Scope(case["scope"])
    private = case["chat"] == "private"
    trust = Trust.OWNER if private else Trust.MEMBER
    messages = tuple(
        said(
            m["text"],
            m["n"],
            by=m["speaker"],
            role=Role(m["role"]),
            origin=Origin(m["origin"]),
            trust=trust,
            scope=scope,
        )
        for m in case["messages"]
    )
    shown = tuple(
        Shown(m["id"], memory(m["text"], name=m["id"], scope=Scope(m["scope"])))
        for m in case["memories"]
        if Scope(m["scope"]) in visible_scopes(scope)
    )
    return Brief(scope, private, "Mirela" if private else None, "Europe/Berlin", NOW, messages, shown)


def judged(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Give what becomes of a case, entry by entry, in the terms of the cases."""
    reply = parse(case["raw"])
    if isinstance(reply, Unreadable):
        return [{"op": "*", "verdict": "reject", "reason": "malformed", "text": "", "importance": None}]
    return [
        {
            "op": v.op, "verdict": v.outcome.value, "reason": v.reason.value, "id": v.target.id if v.target else None,
            "text": v.new.text if v.new else "", "importance": v.new.importance if v.new else None,
        }
        for v in validate(case_brief(case), reply).verdicts
    ]  # fmt: skip
