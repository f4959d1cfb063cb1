"""What arrives, whatever brought it: the one value that channels hand to the turn."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.domain import Conversation, Origin


class ChatKind(StrEnum):
    """What sort of chat a message came from."""

    PRIVATE = "private"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who wrote. ``person_id`` is the account; anonymous administrators and channels have none."""

    person_id: int | None
    name: str
    username: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyTo:
    """The message, or the passage of it, that a message answers."""

    author: str
    text: str
    is_ours: bool
    telegram_id: int | None = None  # none where it stands in another chat


@dataclass(frozen=True, slots=True)
class Incoming:
    """One message for the assistant. ``key`` names it for good: the same key is answered once."""

    key: str
    conversation: Conversation
    chat_kind: ChatKind
    speaker: Speaker
    text: str
    sent_at: datetime
    origin: Origin = Origin.OWN
    passed_on_from: str | None = None  # whose words they are, when forwarded
    telegram_id: int | None = None
    reply_to: ReplyTo | None = None
    inbox_id: int | None = None  # the row that is done when the answer is stored


@dataclass(frozen=True, slots=True)
class ChatSeen:
    """A chat as an update shows it."""

    chat_id: int
    kind: ChatKind
    title: str | None


@dataclass(frozen=True, slots=True)
class PersonSeen:
    """A person as an update shows them."""

    person_id: int
    name: str
    username: str | None
