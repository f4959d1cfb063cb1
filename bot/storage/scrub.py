"""Words that have to go, taken out of the channel's own tables: what came in, what goes out, what was recalled.

Memory's part is done by `memory.forgetting`; both belong into one transaction.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlalchemy import and_, delete, select, update

from bot.storage import kv
from bot.storage.tables import inbox, outbox, recalls
from memory import secrets, transcript
from memory.domain import Message
from memory.forgetting import Purged
from memory.unit_of_work import UnitOfWork

_NAMES = {"from", "chat", "sender_chat", "entities", "caption_entities", "type", "date", "language_code"}
"""Parts of an update that hold nobody's words."""

ERASED = "erased:last"

Rewrite = Callable[[str], str]


def scrub(uow: UnitOfWork, chat_id: int, purged: Purged) -> None:
    """Take what a person wished forgotten out of inbox, outbox and recalls of a chat.

    Updates nobody has read yet stay as they are: what they say was said after the wish.
    """
    _rewrite_inbox(uow, chat_id, purged.wording.strike)
    _rewrite_outbox(uow, chat_id, purged.wording.strike)
    for row in uow.connection.execute(select(recalls.c.turn_key, recalls.c.parts).where(recalls.c.chat_id == chat_id)):
        if _rewritten(row.parts, purged.wording.strike) != row.parts:
            uow.connection.execute(delete(recalls).where(recalls.c.turn_key == row.turn_key))


def note_erased(uow: UnitOfWork, now: datetime) -> None:
    """Note that a secret was taken out of what is kept: no memory changed, and the journal tells nothing of it."""
    kv.put(uow, ERASED, now.isoformat(), now)


def last_erased(uow: UnitOfWork) -> datetime | None:
    """Give when that was last noted."""
    saved = kv.get(uow, ERASED)
    return datetime.fromisoformat(saved) if isinstance(saved, str) else None


def redact_message(uow: UnitOfWork, message: Message, now: datetime) -> bool:
    """Take the secrets of a message out of transcript, inbox and outbox of its chat; say whether there were any.

    Their bytes stay in the file until the next night.
    """
    texts = [text.replace(secrets.REDACTED, " ") for text in (message.text, message.reply_text or "")]
    words = {text[span.start : span.end] for text in texts for span in secrets.find_secrets(text)}
    if not words:
        return False
    anywhere = _as_pattern(words)

    def rewrite(text: str) -> str:
        return anywhere.sub(secrets.REDACTED, text)

    chat_id = message.conversation.chat_id
    transcript.rewrite(uow, chat_id, rewrite)
    _rewrite_inbox(uow, chat_id, rewrite)
    _rewrite_outbox(uow, chat_id, rewrite)
    note_erased(uow, now)
    return True


def _as_pattern(words: set[str]) -> re.Pattern[str]:
    """Give a pattern for the words, longest first, not inside others: the PIN 4711 is not the flight LH4711."""
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])" for word in ordered))


def _rewrite_inbox(uow: UnitOfWork, chat_id: int, rewrite: Rewrite) -> None:
    read = and_(inbox.c.chat_id == chat_id, inbox.c.state != "new")
    for row in uow.connection.execute(select(inbox.c.id, inbox.c.payload).where(read)).all():
        payload = _rewritten(row.payload, rewrite)
        if payload != row.payload:
            uow.connection.execute(update(inbox).where(inbox.c.id == row.id).values(payload=payload))


def _rewrite_outbox(uow: UnitOfWork, chat_id: int, rewrite: Rewrite) -> None:
    """Entities point into the old text, so they go with it."""
    for row in uow.connection.execute(select(outbox.c.id, outbox.c.text).where(outbox.c.chat_id == chat_id)).all():
        text = rewrite(row.text)
        if text != row.text:
            uow.connection.execute(update(outbox).where(outbox.c.id == row.id).values(text=text, entities=[]))


def _rewritten(value: Any, rewrite: Rewrite) -> Any:
    """Rewrite every text inside plain JSON."""
    if isinstance(value, str):
        return rewrite(value)
    if isinstance(value, list):
        return [_rewritten(item, rewrite) for item in value]
    if isinstance(value, dict):
        return {name: item if name in _NAMES else _rewritten(item, rewrite) for name, item in value.items()}
    return value
