"""From a raw update to our values. Pure: nothing is looked up, nothing is decided but who and what it is."""

from dataclasses import dataclass
from datetime import UTC
from enum import StrEnum
from typing import Any

import regex
from telegram import (
    Chat,
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
    Update,
    User,
)
from telegram.constants import ChatType, MessageEntityType

from bot.incoming import ChatKind, ChatSeen, Incoming, PersonSeen, ReplyTo, Speaker
from bot.storage.outbox import well_formed
from bot.telegram import media
from bot.telegram.addressing import (
    ANONYMOUS_ADMIN,
    Addressing,
    BotIdentity,
    decide,
    entities_of,
    is_service,
    topic_of,
)
from bot.telegram.messenger import GENERAL
from memory.domain import Conversation, Origin

MAX_NAME_CHARS = 64
"""Telegram's own limit for a first name; longer ones only crowd prompts."""
_UNSAFE = regex.compile(r"[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+")
_BLANKS = regex.compile(r"\s+")
_AROUND_HANDLE = " \t\r\n,:;–—-"


class UpdateKind(StrEnum):
    """The kinds of update that the door-keeper knows; everything else is ``OTHER`` and never let in."""

    MESSAGE = "message"
    CALLBACK = "callback"
    REACTION = "reaction"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Received:
    """Somebody said something. ``notice`` answers what cannot be read; ``model_notice`` goes along with a caption."""

    incoming: Incoming
    addressing: Addressing
    chat: ChatSeen
    person: PersonSeen | None
    kind: UpdateKind
    notice: str | None
    model_notice: str | None
    album_id: str | None
    typing_thread: int  # where "typing…" belongs: there the General topic has a number


@dataclass(frozen=True, slots=True)
class Edit:
    """A message was changed; ``text`` is what it says now."""

    chat: ChatSeen
    person: PersonSeen | None
    telegram_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Membership:
    """The bot's own standing in a chat changed."""

    chat: ChatSeen
    reachable: bool
    joined: bool
    by: PersonSeen | None


@dataclass(frozen=True, slots=True)
class Migration:
    """A group became a supergroup and has a new id."""

    old_chat: int
    new_chat: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing to do, and why."""

    reason: str


Reading = Received | Edit | Membership | Migration | Ignored


def lane_of(payload: dict[str, Any]) -> tuple[int | None, int]:
    """Give the (chat, topic) of a raw update, (None, 0) without a chat. Robust against any shape."""
    for value in payload.values():
        if not isinstance(value, dict):
            continue
        holder = value.get("message") if isinstance(value.get("message"), dict) else value
        chat = holder.get("chat") if isinstance(holder, dict) else None
        chat_id = chat.get("id") if isinstance(chat, dict) else None
        if isinstance(chat_id, int) and isinstance(holder, dict):
            thread = holder.get("message_thread_id") if holder.get("is_topic_message") else None
            return chat_id, _thread(thread if isinstance(thread, int) else None)
    return None, 0


def read(payload: dict[str, Any], bot: BotIdentity, *, listen: str) -> Reading:
    """Turn a raw update into what it means. Raises whatever the library raises on a shape it cannot read."""
    update = Update.de_json(_well_formed(payload), None)
    if update.my_chat_member is not None:
        return _membership(update.my_chat_member)
    message = update.message or update.edited_message
    if message is None:
        return Ignored(_kind_name(update))
    if update.message is not None and (message.migrate_to_chat_id or message.migrate_from_chat_id):
        return _migration(message)
    addressing = decide(update, bot, listen=listen)
    if update.edited_message is not None:
        return _edit(message, bot) if addressing.reason == "edit" else Ignored(addressing.reason)
    if not addressing.should_reply and not addressing.record:
        return Ignored(addressing.reason)
    return _received(update.update_id, message, addressing, bot)


def clean_name(name: str | None, fallback: str = "someone") -> str:
    """Give a name that is safe to show and to put into a prompt: one line, no control or direction marks."""
    cleaned = _BLANKS.sub(" ", _UNSAFE.sub("", (name or "").replace("\n", " "))).strip()
    return cleaned[:MAX_NAME_CHARS] or fallback


def _thread(thread: int | None) -> int:
    """Give the topic's number, 0 for none; the General topic (1) is the chat itself."""
    return 0 if thread in {None, GENERAL} else int(thread or 0)


def _typing_thread(message: Message) -> int:
    """Give the topic to type in, 0 for none. Without a number a forum shows it nowhere."""
    return topic_of(message) or (GENERAL if message.chat.is_forum else 0)


def _kind_name(update: Update) -> str:
    present = [name for name in update.to_dict() if name != "update_id"]
    return present[0] if present else "unknown"


def _received(update_id: int, message: Message, addressing: Addressing, bot: BotIdentity) -> Received:
    person = _person(message.from_user)
    speaker = Speaker(person.person_id, person.name, person.username) if person else _anonymous(message.chat)
    text, origin = message.text or message.caption or "", Origin.OWN
    if message.forward_origin is not None:
        origin = Origin.FORWARDED
    elif addressing.command is None:
        text = _without_call(message, text, bot)
    incoming = Incoming(
        key=_key(bot, update_id, message),
        conversation=Conversation(message.chat.id, _thread(topic_of(message))),
        chat_kind=_chat_kind(message.chat),
        speaker=speaker,
        text=_clean(text),
        sent_at=message.date.astimezone(UTC),
        origin=origin,
        passed_on_from=_origin_name(message),
        telegram_id=message.message_id,
        reply_to=_reply_to(message, bot),
    )
    return Received(
        incoming=incoming,
        addressing=addressing,
        chat=_chat(message.chat),
        person=person,
        kind=UpdateKind.MESSAGE,
        notice=media.notice(message),
        model_notice=media.model_notice(message),
        album_id=message.media_group_id,
        typing_thread=_typing_thread(message),
    )


def _well_formed(value: Any) -> Any:
    """Give plain JSON without lone surrogates, which the library chokes on; offsets in UTF-16 stay right."""
    match value:
        case str():
            return value if value.isascii() else well_formed(value)
        case list():
            return [_well_formed(item) for item in value]
        case dict():
            return {name: _well_formed(item) for name, item in value.items()}
    return value


def _key(bot: BotIdentity, update_id: int, message: Message) -> str:
    """Give the name of a message for good: Telegram numbers updates anew after an idle week, messages it does not."""
    return f"tg:{bot.id}:{update_id}:{message.message_id}"


def _clean(text: str) -> str:
    """Take out what ends a string in a database and shows nowhere."""
    return text.replace("\x00", "")


def _without_call(message: Message, text: str, bot: BotIdentity) -> str:
    """Take the bot's handle off where it is only the call; in the middle of a sentence it stays."""
    handle = f"@{bot.username}".casefold()
    calls = [
        words
        for entity, words in entities_of(message).items()
        if entity.type == MessageEntityType.MENTION and words.casefold() == handle
    ]
    for words in calls:
        if text.startswith(words):
            text = text[len(words) :].lstrip(_AROUND_HANDLE) or text
        elif text.endswith(words):
            text = text[: -len(words)].rstrip(_AROUND_HANDLE) or text
    return text


def _reply_to(message: Message, bot: BotIdentity) -> ReplyTo | None:
    """Give what a message answers: the passage quoted, else the whole; also from another chat."""
    quoted = message.quote.text if message.quote is not None else ""
    answered = message.reply_to_message
    if answered is not None and not is_service(answered):
        words = quoted or answered.text or answered.caption or ""
        author = answered.from_user
        ours = author is not None and author.id == bot.id
        return ReplyTo(_author_name(answered), _clean(words), ours, answered.message_id) if words.strip() else None
    if message.external_reply is not None and quoted.strip():
        return ReplyTo(_name_of_origin(message.external_reply.origin), _clean(quoted), is_ours=False)
    return None


def _author_name(message: Message) -> str:
    if message.forward_origin is not None:
        return _name_of_origin(message.forward_origin)
    if message.sender_chat is not None:
        return clean_name(message.sender_chat.title)
    return clean_name(message.from_user.full_name if message.from_user else None)


def _origin_name(message: Message) -> str | None:
    return None if message.forward_origin is None else _name_of_origin(message.forward_origin)


def _name_of_origin(origin: object) -> str:
    match origin:
        case MessageOriginUser():
            return clean_name(origin.sender_user.full_name)
        case MessageOriginHiddenUser():
            return clean_name(origin.sender_user_name)
        case MessageOriginChat():
            return clean_name(origin.sender_chat.title)
        case MessageOriginChannel():
            return clean_name(origin.chat.title)
        case _:
            return "someone"


def _person(user: User | None) -> PersonSeen | None:
    if user is None or user.id == ANONYMOUS_ADMIN:
        return None
    return PersonSeen(user.id, clean_name(user.full_name), user.username)


def _anonymous(chat: Chat) -> Speaker:
    return Speaker(None, clean_name(chat.title, "an administrator"))


def _chat(chat: Chat) -> ChatSeen:
    return ChatSeen(chat.id, _chat_kind(chat), clean_name(chat.title) if chat.title else None)


def _chat_kind(chat: Chat) -> ChatKind:
    return ChatKind.PRIVATE if chat.type == ChatType.PRIVATE else ChatKind.GROUP


def _edit(message: Message, bot: BotIdentity) -> Edit:
    text = message.text or message.caption or ""
    if message.forward_origin is None:
        text = _without_call(message, text, bot)
    return Edit(_chat(message.chat), _person(message.from_user), message.message_id, _clean(text))


def _membership(change: ChatMemberUpdated) -> Membership | Ignored:
    if change.chat.type == ChatType.CHANNEL:  # a channel is no conversation: nothing is said there
        return Ignored("channel")
    present, before = _is_in(change.new_chat_member), _is_in(change.old_chat_member)
    return Membership(_chat(change.chat), present, present and not before, _person(change.from_user))


def _is_in(member: ChatMember) -> bool:
    if isinstance(member, ChatMemberRestricted):
        return bool(member.is_member)
    return member.status not in {ChatMember.LEFT, ChatMember.BANNED}


def _migration(message: Message) -> Migration:
    if message.migrate_to_chat_id:
        return Migration(message.chat.id, message.migrate_to_chat_id)
    return Migration(int(message.migrate_from_chat_id or 0), message.chat.id)
