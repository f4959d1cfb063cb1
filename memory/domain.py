"""The nouns of memory: plain frozen values, shared by every module."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

MemoryId = NewType("MemoryId", str)
"""ULID text."""

AgentSlug = NewType("AgentSlug", str)
"""Which assistant owns a memory."""

Scope = NewType("Scope", str)
"""Who may see a memory: ``global`` or ``chat:<chat_id>``."""

GLOBAL = Scope("global")

MAX_TEXT_CHARS = 600
"""The longest statement that is a memory and not an essay."""


def chat_scope(chat_id: int) -> Scope:
    """Give the scope of a chat; a private chat's id is its person's id, a topic belongs to its group."""
    return Scope(f"chat:{chat_id}")


def visible_scopes(scope: Scope) -> tuple[Scope, ...]:
    """Give the scopes one may read in ``scope``: its own and what is shared by all."""
    return (scope,) if scope == GLOBAL else (scope, GLOBAL)


class Kind(StrEnum):
    """What sort of statement a memory is."""

    SEMANTIC = "semantic"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"
    LESSON = "lesson"


class Layer(StrEnum):
    """How settled a memory is."""

    BUFFER = "buffer"
    WORKING = "working"
    CORE = "core"


class Status(StrEnum):
    """Whether a memory takes part; only ``active`` is in the default pool."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    QUARANTINED = "quarantined"


class Trust(StrEnum):
    """Whose word a memory rests on, strongest first."""

    OWNER = "owner"
    MEMBER = "member"
    QUOTED = "quoted"
    ASSISTANT = "assistant"


class Origin(StrEnum):
    """Whose words a message holds: the first two are the speaker's own, the others are passed on."""

    OWN = "own"
    VOICE = "voice"
    FORWARDED = "forwarded"
    QUOTED = "quoted"
    DOCUMENT = "document"

    @property
    def is_own(self) -> bool:
        """Say whether the speaker vouches for these words."""
        return self in {Origin.OWN, Origin.VOICE}


class Role(StrEnum):
    """Who wrote a message of the transcript."""

    USER = "user"
    ASSISTANT = "assistant"


class Actor(StrEnum):
    """Who caused a change of memory."""

    REFLECTION = "reflection"
    PERSON = "person"
    MAINTENANCE = "maintenance"
    HYGIENE = "hygiene"


@dataclass(frozen=True, slots=True)
class Memory:
    """One short statement about one subject, with its standing. Times are aware UTC."""

    id: MemoryId
    agent_slug: AgentSlug
    scope: Scope
    text: str
    kind: Kind
    layer: Layer
    importance: int
    status: Status
    subject: str | None
    speaker: str | None
    speaker_id: int | None
    trust: Trust
    mentions: int
    uses: int
    created_at: datetime
    updated_at: datetime
    accessed_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    revision: int
    embedding_model: str | None
    superseded_by: MemoryId | None
    pinned: bool
    rated: int | None = None
    weighed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The message, and the span of it in code points, that supports a memory."""

    message_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Conversation:
    """Where talk happens: a chat, or one topic of a forum (``thread_id`` 0 means no topic)."""

    chat_id: int
    thread_id: int = 0

    @property
    def scope(self) -> Scope:
        """The scope of its memories."""
        return chat_scope(self.chat_id)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the transcript. ``id`` is ours; ``telegram_id`` is Telegram's, where there is one.

    ``speaker`` is the display name at the time; ``speaker_id`` the account. For passed-on words (``origin``)
    ``speaker`` names whose words they are and ``speaker_id`` who passed them on.
    """

    id: int
    conversation: Conversation
    role: Role
    speaker: str
    speaker_id: int | None
    origin: Origin
    text: str
    sent_at: datetime
    telegram_id: int | None = None
    reply_author: str | None = None
    reply_text: str | None = None
