"""An answer becomes rows of the outbox, in the transaction of whatever made it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.storage import outbox
from memory.domain import Conversation
from memory.unit_of_work import UnitOfWork

Chunk = tuple[str, list[dict[str, Any]]]
"""Plain text with its entities as JSON, ready to be sent."""

Compose = Callable[[str], Sequence[Chunk]]
"""A channel's way of turning Markdown into chunks it can show."""


@dataclass(frozen=True, slots=True)
class Letter:
    """What to say, where, composed for the channel. ``key`` names it for good: the same key is sent once."""

    key: str
    conversation: Conversation
    chunks: Sequence[Chunk]
    reply_to: int | None = None


def put(uow: UnitOfWork, bot_id: int, letter: Letter, now: datetime) -> None:
    """Add the letter to the outbox; one without chunks adds nothing."""
    outbox.add(
        uow,
        bot_id,
        letter.key,
        letter.conversation.chat_id,
        letter.conversation.thread_id,
        letter.chunks,
        letter.reply_to,
        now,
    )


def compose_plain(text: str) -> Sequence[Chunk]:
    """Compose for a channel that shows text as it is."""
    return [(text, [])] if text.strip() else []
