"""Is a message meant for the bot, and may it be kept? The first rule that fits decides.

Handles ignore case and match whole, by Telegram's entities and never by looking for "@name" in the text: an e-mail
address or a longer handle may contain it. Offsets are UTF-16, so the library cuts the words out.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from telegram import Message, MessageEntity, Update
from telegram.constants import ChatType, MessageEntityType

ANONYMOUS_ADMIN = 1087968824
"""Telegram's account for administrators who write as their group."""
CHANNEL_BOT = 136817688
"""Telegram's account for those who write as a channel."""
CHANNEL_FEED = 777000
"""Telegram's account for posts copied from a linked channel."""

SERVICE = (
    "boost_added", "channel_chat_created", "chat_background_set", "chat_owner_changed", "chat_owner_left",
    "chat_shared", "checklist_tasks_added", "checklist_tasks_done", "connected_website", "delete_chat_photo",
    "direct_message_price_changed", "forum_topic_closed", "forum_topic_created", "forum_topic_edited",
    "forum_topic_reopened", "general_forum_topic_hidden", "general_forum_topic_unhidden", "gift", "gift_upgrade_sent",
    "giveaway_completed", "giveaway_created", "giveaway_winners", "group_chat_created", "left_chat_member",
    "managed_bot_created", "message_auto_delete_timer_changed", "migrate_from_chat_id", "migrate_to_chat_id",
    "new_chat_members", "new_chat_photo", "new_chat_title", "paid_message_price_changed", "passport_data",
    "pinned_message", "poll_option_added", "poll_option_deleted", "proximity_alert_triggered", "refunded_payment",
    "successful_payment", "suggested_post_approval_failed", "suggested_post_approved", "suggested_post_declined",
    "suggested_post_paid", "suggested_post_refunded", "supergroup_chat_created", "unique_gift", "users_shared",
    "video_chat_ended", "video_chat_participants_invited", "video_chat_scheduled", "video_chat_started",
    "web_app_data", "write_access_allowed",
)  # fmt: skip
"""The fields of a message that make it a notice."""

_MENTIONS = (MessageEntityType.MENTION, MessageEntityType.TEXT_MENTION)


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """Who this bot is; ``commands`` are the names it knows, in lower case."""

    id: int
    username: str
    name: str
    commands: frozenset[str]


@dataclass(frozen=True, slots=True)
class Command:
    """A leading command: its name in lower case and what follows it."""

    name: str
    argument: str


@dataclass(frozen=True, slots=True)
class Addressing:
    """The decision. ``thread`` is the topic of the conversation, where there is one."""

    should_reply: bool
    record: bool
    reason: str
    thread: int | None = None
    command: Command | None = None


def decide(update: Update, bot: BotIdentity, *, listen: str) -> Addressing:
    """Decide on an update. ``listen`` is "addressed" or "all": whether a group's other talk may be kept."""
    message = update.effective_message
    if message is None:
        return Addressing(should_reply=False, record=False, reason="no_message")
    refused = _not_talk(update, message)
    if refused:
        return Addressing(should_reply=False, record=False, reason=refused, thread=topic_of(message))
    return _talk(message, bot, listen == "all")


def topic_of(message: Message) -> int | None:
    """Give the topic a message stands in; a thread number counts only in a topic."""
    return message.message_thread_id if message.is_topic_message else None


def is_private(message: Message) -> bool:
    """Say whether a message stands in a private chat."""
    return message.chat.type == ChatType.PRIVATE


def entities_of(message: Message) -> Mapping[MessageEntity, str]:
    """Give the entities of a text or a caption with the words they cover, in the order of the text."""
    parsed = message.parse_entities() if message.text is not None else message.parse_caption_entities()
    return dict(sorted(parsed.items(), key=lambda item: item[0].offset))


def is_service(message: Message) -> bool:
    """Say whether a message is a notice of Telegram's rather than something a person sent."""
    return any(getattr(message, kind) for kind in SERVICE)


def _not_talk(update: Update, message: Message) -> str | None:
    """Give the reason for which an update is nobody's words to this bot."""
    if is_service(message):
        return "service"
    if _from_channel(update, message):
        return "channel"
    if update.edited_message is not None or update.edited_channel_post is not None:
        return "edit"
    if _from_bot(message):
        return "bot_sender"
    return None


def _from_channel(update: Update, message: Message) -> bool:
    if update.channel_post is not None or update.edited_channel_post is not None:
        return True
    if message.is_automatic_forward or message.chat.type == ChatType.CHANNEL:
        return True
    if message.sender_chat is not None and message.sender_chat.type == ChatType.CHANNEL:
        return True
    author = message.from_user.id if message.from_user else None
    return author in {CHANNEL_BOT, CHANNEL_FEED}


def _from_bot(message: Message) -> bool:
    author = message.from_user
    return author is not None and author.is_bot and author.id != ANONYMOUS_ADMIN


def _talk(message: Message, bot: BotIdentity, listening: bool) -> Addressing:
    """Decide on the words of a person."""
    thread = topic_of(message)
    private = is_private(message)
    if message.forward_origin is not None and not private:
        return Addressing(should_reply=False, record=listening, reason="forward", thread=thread)
    verdict = _leading_command(message, bot, private) if message.forward_origin is None else None
    if verdict is not None:
        return Addressing(verdict.should_reply, verdict.record, verdict.reason, thread, verdict.command)
    if private:
        return Addressing(should_reply=True, record=True, reason="private", thread=thread)
    reason = _first_mention(message, bot) or ("reply_to_bot" if _replies_to(message, bot) else "not_addressed")
    called = reason not in {"other_addressee", "not_addressed"}
    return Addressing(should_reply=called, record=called or listening, reason=reason, thread=thread)


def _leading_command(message: Message, bot: BotIdentity, private: bool) -> Addressing | None:
    found = _command_at_start(message)
    if found is None:
        return None
    name, addressee, argument = found
    if addressee and addressee != bot.username.casefold():
        return Addressing(should_reply=False, record=False, reason="other_bot_command")
    if addressee or private or name in bot.commands:
        return Addressing(should_reply=True, record=True, reason="command", command=Command(name, argument))
    return Addressing(should_reply=False, record=False, reason="unknown_command")


def _command_at_start(message: Message) -> tuple[str, str, str] | None:
    """Give name, addressee and argument of a command that begins the text; nothing for one further on."""
    text = message.text or message.caption or ""
    for entity, words in entities_of(message).items():
        if entity.type != MessageEntityType.BOT_COMMAND or entity.offset != 0:
            continue
        name, _, addressee = words.removeprefix("/").partition("@")
        return name.casefold(), addressee.casefold(), text[len(words) :].strip()
    return None


def _first_mention(message: Message, bot: BotIdentity) -> str | None:
    """Give the reason by the first one who is mentioned: this bot or somebody else."""
    for entity, words in entities_of(message).items():
        if entity.type not in _MENTIONS:
            continue
        if entity.type == MessageEntityType.TEXT_MENTION:
            return "text_mention" if entity.user is not None and entity.user.id == bot.id else "other_addressee"
        if words.removeprefix("@").casefold() != bot.username.casefold():
            return "other_addressee"
        return "mention" if message.text is not None else "caption_mention"
    return None


def _replies_to(message: Message, bot: BotIdentity) -> bool:
    """Say whether a message answers words of this bot; a topic's first message only seems to answer its notice."""
    answered = message.reply_to_message
    if answered is None or answered.from_user is None or answered.from_user.id != bot.id:
        return False
    return not is_service(answered)
