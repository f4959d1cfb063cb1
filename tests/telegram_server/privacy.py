"""Which messages reach the bot."""

from tests.telegram_server.refusal import Json
from tests.telegram_server.state import Chat, ChatType, Message, Standing, World

_SERVICE = (
    "new_chat_members left_chat_member new_chat_title new_chat_photo delete_chat_photo group_chat_created "
    "supergroup_chat_created channel_chat_created migrate_to_chat_id migrate_from_chat_id pinned_message "
    "forum_topic_created forum_topic_edited forum_topic_closed forum_topic_reopened general_forum_topic_hidden "
    "general_forum_topic_unhidden video_chat_started video_chat_ended message_auto_delete_timer_changed "
    "chat_background_set boost_added write_access_allowed users_shared chat_shared"
)
SERVICE = frozenset(_SERVICE.split())
SHUT_OUT = frozenset({Standing.KICKED, Standing.LEFT})


def deliver(world: World, chat: Chat, message: Message, *, edited: bool = False) -> None:
    """Queue the update for a message, if the bot gets to see it."""
    if message.from_bot or chat.bot in SHUT_OUT or not reaches_bot(world, chat, message):
        return
    kind = "channel_post" if chat.type is ChatType.CHANNEL else "message"
    world.notify(f"edited_{kind}" if edited else kind, message.json)


def reaches_bot(world: World, chat: Chat, message: Message) -> bool:
    """Whether Telegram delivers it: bots never see other bots; privacy mode hides what is not meant for this one."""
    if message.json.get("from", {}).get("is_bot") and "sender_chat" not in message.json:
        return False
    if chat.type in {ChatType.PRIVATE, ChatType.CHANNEL} or not world.privacy or chat.bot is Standing.ADMINISTRATOR:
        return True
    if SERVICE & message.json.keys() or _answers_bot(world, message):
        return True
    return any(_calls_bot(world, chat, text) for text in _called(message.json))


def _answers_bot(world: World, message: Message) -> bool:
    replied: Json = message.json.get("reply_to_message", {})
    return bool(replied.get("from", {}).get("id") == world.bot.id and not SERVICE & replied.keys())


def _called(message: Json) -> list[str]:
    text = str(message.get("text") or message.get("caption") or "").encode("utf-16-le", "surrogatepass")
    entities = message.get("entities") or message.get("caption_entities") or []
    cut = [text[2 * one["offset"] : 2 * (one["offset"] + one["length"])] for one in entities if _is_call(one)]
    return [piece.decode("utf-16-le", "surrogatepass").lower() for piece in cut]


def _is_call(entity: Json) -> bool:
    return entity["type"] in {"bot_command", "mention"}


def _calls_bot(world: World, chat: Chat, text: str) -> bool:
    handle = f"@{world.bot.username.lower()}"
    if text.startswith("@"):
        return world.mentions_pass_privacy and text == handle
    command, _, addressee = text.partition("@")
    return f"@{addressee}" == handle if addressee else bool(command) and chat.last_bot_id == world.bot.id
