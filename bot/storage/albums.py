"""Pictures sent together: one update each, and the words stand with only one of them."""

from sqlalchemy import exists, select

from bot.storage.tables import inbox
from memory.unit_of_work import UnitOfWork


def has_caption(uow: UnitOfWork, chat_id: int, album_id: str) -> bool:
    """Say whether any part of an album that has come in carries words."""
    message = inbox.c.payload["message"]
    of_album = message["media_group_id"].as_string() == album_id
    worded = message["caption"].as_string() != ""
    return bool(uow.connection.scalar(select(exists().where(inbox.c.chat_id == chat_id, of_album, worded))))
