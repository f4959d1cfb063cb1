"""What was taken out of the records does not come back by way of a reply to it: Telegram still shows the old words."""

from dataclasses import replace
from typing import Any

from sqlalchemy import select, update

from bot.executors import Executors
from bot.incoming import Incoming
from bot.storage.inbox import InboxRow
from bot.storage.tables import inbox, outbox
from memory import transcript
from memory.secrets import REDACTED
from memory.unit_of_work import UnitOfWork


async def withhold(executors: Executors, row: InboxRow, incoming: Incoming) -> Incoming:
    """Give ``incoming`` with what it answers as it is kept now, if words were forgotten or redacted there."""
    answered = incoming.reply_to
    if answered is None or answered.telegram_id is None:
        return incoming
    chat_id, telegram_id = incoming.conversation.chat_id, answered.telegram_id
    kept = await executors.read(lambda uow: _kept_words(uow, chat_id, telegram_id))
    if kept is None:
        return incoming
    await executors.write(lambda uow: _rewrite(uow, row, kept))
    return replace(incoming, reply_to=replace(answered, text=kept))


def _kept_words(uow: UnitOfWork, chat_id: int, telegram_id: int) -> str | None:
    """Give a message of a person or of ours as it is kept; None where nothing was taken out of it."""
    said = transcript.said_as(uow, chat_id, telegram_id)
    sent = select(outbox.c.text).where(outbox.c.chat_id == chat_id, outbox.c.sent_id == telegram_id)
    text = said.text if said is not None else uow.connection.scalar(sent)
    gone = text is not None and (transcript.FORGOTTEN in text or REDACTED in text)
    return text if gone else None


def _rewrite(uow: UnitOfWork, row: InboxRow, kept: str) -> None:
    """Take the old words out of the stored update too, so that a second try finds what the first one did."""
    message: dict[str, Any] = {name: value for name, value in row.payload["message"].items() if name != "quote"}
    answered = message["reply_to_message"]
    bare = {name: answered[name] for name in ("message_id", "date", "chat", "from", "sender_chat") if name in answered}
    payload = row.payload | {"message": message | {"reply_to_message": bare | {"text": kept}}}
    uow.connection.execute(update(inbox).where(inbox.c.id == row.id).values(payload=payload))
