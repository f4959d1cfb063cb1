"""Who is who: people and chats as they were last seen, and what the owner said about them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, insert, select, update

from bot.incoming import ChatKind, ChatSeen, PersonSeen
from bot.storage import recalls, reflections
from bot.storage.tables import chats, people
from memory.cleaning import clean, clean_or_none
from memory.unit_of_work import UnitOfWork

ALLOWED = "allowed"
DENIED = "denied"
ADDRESSED = "addressed"
"""The default for groups: only what is meant for the assistant is kept."""


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """What is known of a chat; one never seen is not allowed. ``timezone`` is None unless somebody set it."""

    chat_id: int
    kind: ChatKind
    allowed: bool = False
    denied: bool = False
    listen: str = ADDRESSED  # or "all"
    reachable: bool = True
    title: str | None = None
    timezone: str | None = None
    migrated_to: int | None = None


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """What is known of a person; one never seen is neither allowed nor denied."""

    person_id: int
    allowed: bool = False
    denied: bool = False
    refused_at: datetime | None = None  # when a stranger was last told
    name: str = ""
    username: str | None = None


def see_person(uow: UnitOfWork, person: PersonSeen, now: datetime) -> None:
    """Note how a person is called now; what the owner said about them stays."""
    values = {"name": clean(person.name), "username": clean_or_none(person.username), "updated_at": now}
    _put(uow, people, person.person_id, values)


def see_chat(uow: UnitOfWork, chat: ChatSeen, now: datetime) -> None:
    """Note how a chat is called now, and that it reaches us; what the owner said about it stays."""
    values = {"kind": chat.kind, "title": clean_or_none(chat.title), "reachable": True, "updated_at": now}
    _put(uow, chats, chat.chat_id, values)


def person(uow: UnitOfWork, person_id: int | None) -> PersonFacts | None:
    """Give what is known of a person; None for nobody in particular (an anonymous administrator, a channel)."""
    if person_id is None:
        return None
    row = uow.connection.execute(select(people).where(people.c.person_id == person_id)).first()
    return PersonFacts(person_id) if row is None else _person(row)


def chat(uow: UnitOfWork, chat_id: int | None) -> ChatFacts:
    """Give what is known of a chat. A private chat's id is its person's and positive; 0 is the terminal."""
    row = uow.connection.execute(select(chats).where(chats.c.chat_id == chat_id)).first()
    if row is None:
        return ChatFacts(chat_id or 0, ChatKind.GROUP if (chat_id or 0) < 0 else ChatKind.PRIVATE)
    return _chat(row)


def facts(uow: UnitOfWork, chat_id: int | None, person_id: int | None) -> tuple[ChatFacts, PersonFacts | None]:
    """Give what is known of a chat and of a person in it."""
    return chat(uow, chat_id), person(uow, person_id)


def allowed_people(uow: UnitOfWork) -> tuple[PersonFacts, ...]:
    """Give the people whom the owner let in."""
    return tuple(map(_person, uow.connection.execute(select(people).where(people.c.access == ALLOWED))))


def allowed_chats(uow: UnitOfWork) -> tuple[ChatFacts, ...]:
    """Give the groups that the owner let in."""
    return tuple(map(_chat, uow.connection.execute(select(chats).where(chats.c.access == ALLOWED))))


def set_person_access(uow: UnitOfWork, person_id: int, *, allowed: bool, now: datetime) -> None:
    """Let a person in, or keep them out; they need not have been seen yet."""
    _put(uow, people, person_id, {"access": ALLOWED if allowed else DENIED, "updated_at": now})


def set_chat_access(uow: UnitOfWork, chat_id: int, *, allowed: bool, now: datetime) -> None:
    """Let a group in, or keep it out."""
    _put(uow, chats, chat_id, {"access": ALLOWED if allowed else DENIED, "updated_at": now})


def allow_person(uow: UnitOfWork, person_id: int, now: datetime) -> None:
    """Let a person in."""
    set_person_access(uow, person_id, allowed=True, now=now)


def refused(uow: UnitOfWork, person_id: int, now: datetime) -> None:
    """Note that a stranger was told just now."""
    _put(uow, people, person_id, {"refused_at": now, "updated_at": now})


def set_listen(uow: UnitOfWork, chat_id: int, listen: str, now: datetime) -> None:
    """Choose what of a group is kept: ``addressed`` or ``all``.

    Raises:
        ValueError: it is neither.
    """
    if listen not in {ADDRESSED, "all"}:
        raise ValueError(f"a group is listened to when addressed, or to all: {listen!r}")
    _put(uow, chats, chat_id, {"listen": listen, "updated_at": now})


def set_reachable(uow: UnitOfWork, chat_id: int, reachable: bool, now: datetime) -> None:
    """Note whether messages reach a chat: not once the bot is blocked or kicked."""
    _put(uow, chats, chat_id, {"reachable": reachable, "updated_at": now})


def set_timezone(uow: UnitOfWork, chat_id: int, timezone: str | None, now: datetime) -> None:
    """Set the IANA time zone of a chat; None means the assistant's own."""
    _put(uow, chats, chat_id, {"timezone": timezone, "updated_at": now})


def timezone(uow: UnitOfWork, chat_id: int) -> str | None:
    """Give the time zone somebody set for a chat, or None."""
    return uow.connection.scalar(select(chats.c.timezone).where(chats.c.chat_id == chat_id))


def migrate_chat(uow: UnitOfWork, old_chat: int, new_chat: int, now: datetime) -> None:
    """Take what the owner said about a group, and the work waiting there, along to its new number.

    What was said about the new number already counts. A second call changes nothing.
    """
    if old_chat == new_chat:
        return
    old, new = (
        uow.connection.execute(select(chats).where(chats.c.chat_id == number)).first()
        for number in (old_chat, new_chat)
    )
    if old is not None and old.migrated_to != new_chat:
        kept = {"access": old.access, "listen": old.listen, "timezone": old.timezone, "title": old.title}
        if new is not None:
            said = {name: getattr(new, name) for name in kept}
            kept |= {name: value for name, value in said.items() if value is not None and value != ADDRESSED}
        _put(uow, chats, new_chat, kept | {"kind": ChatKind.GROUP, "reachable": True, "updated_at": now})
        _put(uow, chats, old_chat, {"migrated_to": new_chat, "reachable": False, "updated_at": now})
    move_work(uow, old_chat, new_chat)


def move_work(uow: UnitOfWork, old_chat: int, new_chat: int) -> None:
    """Take the reflections that wait in a chat, and what it recalled, along to another number."""
    reflections.move_chat(uow, old_chat, new_chat)
    recalls.move_chat(uow, old_chat, new_chat)


def _put(uow: UnitOfWork, table: Table, key: int, values: dict[str, Any]) -> None:
    """Change a row, or make it with plain defaults for what is not known yet."""
    (column,) = table.primary_key.columns
    if uow.connection.execute(update(table).where(column == key).values(values)).rowcount == 0:
        unknown: dict[str, Any] = {"name": ""} if table is people else {"kind": _kind_of(key)}
        uow.connection.execute(insert(table).values({column.name: key} | unknown | values))


def _kind_of(chat_id: int) -> ChatKind:
    return ChatKind.GROUP if chat_id < 0 else ChatKind.PRIVATE


def _person(row: Any) -> PersonFacts:
    return PersonFacts(
        person_id=row.person_id,
        allowed=row.access == ALLOWED,
        denied=row.access == DENIED,
        refused_at=row.refused_at,
        name=row.name,
        username=row.username,
    )


def _chat(row: Any) -> ChatFacts:
    return ChatFacts(
        chat_id=row.chat_id,
        kind=ChatKind(row.kind),
        allowed=row.access == ALLOWED,
        denied=row.access == DENIED,
        listen=row.listen,
        reachable=row.reachable,
        title=row.title,
        timezone=row.timezone,
        migrated_to=row.migrated_to,
    )
