"""Briefs made from a few words, for the tests of rules that read them."""

from collections.abc import Sequence
from datetime import UTC, datetime

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
)
from memory.reflection.operations import Brief, BriefMessage, Shown

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
SPEAKERS = {"Mirela": 100, "Leif": 101, "Petra": 102}


def said(
    n: int,
    text: str,
    speaker: str = "Mirela",
    *,
    origin: Origin = Origin.OWN,
    role: Role = Role.USER,
    is_new: bool = True,
) -> BriefMessage:
    """Give one message; the assistant speaks under its own role."""
    who = SPEAKERS.get(speaker) if role is Role.USER else None
    trust = Trust.ASSISTANT if role is Role.ASSISTANT else Trust.OWNER if speaker == "Mirela" else Trust.MEMBER
    message = Message(n, Conversation(-5), role, speaker, who, origin, text, NOON)
    return BriefMessage(n, message, trust, is_new)


def noted(alias: str, text: str, speaker: str = "Mirela", scope: str = "chat:100") -> Shown:
    """Give one memory under its alias."""
    memory = Memory(
        id=MemoryId(f"id-{alias}"),
        agent_slug=AgentSlug("tidemark"),
        scope=Scope(scope),
        text=text,
        kind=Kind.SEMANTIC,
        layer=Layer.WORKING,
        importance=5,
        status=Status.ACTIVE,
        subject=speaker,
        speaker=speaker,
        speaker_id=SPEAKERS[speaker],
        trust=Trust.OWNER,
        mentions=1,
        uses=0,
        created_at=NOON,
        updated_at=NOON,
        accessed_at=NOON,
        valid_from=None,
        valid_to=None,
        expires_at=None,
        revision=1,
        embedding_model=None,
        superseded_by=None,
        pinned=False,
    )
    return Shown(alias, memory)


def brief(messages: Sequence[BriefMessage], memories: Sequence[Shown] = (), *, private: bool = True) -> Brief:
    """Give a brief of the owner's private chat, or of a group."""
    scope = Scope("chat:100") if private else Scope("chat:-5")
    return Brief(scope, private, "Mirela", "Europe/Berlin", NOON, tuple(messages), tuple(memories))
