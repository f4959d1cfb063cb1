"""A message enters a chat, changes or goes."""

import copy

from tests.telegram_server.found import utf16
from tests.telegram_server.refusal import Json
from tests.telegram_server.state import Chat, ChatType, Message, Topic, World


def post(
    world: World,
    chat: Chat,
    sender: Json,
    content: Json,
    *,
    topic: Topic | None = None,
    reply_to: Message | None = None,
    quote: str | None = None,
) -> Message:
    """Give the new message, stored in the chat. ``sender`` holds ``from`` and, or, ``sender_chat``."""
    number = world.next_message_id(chat)
    body: Json = {"message_id": number, **sender, "chat": chat.json(), "date": world.seconds()}
    body |= _thread(chat, topic, reply_to) | _reply(chat, topic, reply_to) | _quoted(reply_to, quote) | content
    speaker = sender.get("from", {})
    message = Message(json=copy.deepcopy(body), from_bot=speaker.get("id") == world.bot.id)
    chat.messages[number] = message
    if speaker.get("is_bot") and "sender_chat" not in sender:
        chat.last_bot_id = speaker["id"]
    return message


def _thread(chat: Chat, topic: Topic | None, reply_to: Message | None) -> Json:
    if topic is not None:
        return {"message_thread_id": topic.id, "is_topic_message": True}
    if reply_to is not None and chat.type is ChatType.SUPERGROUP:  # a thread of replies, which is no topic
        return {"message_thread_id": reply_to.json.get("message_thread_id", reply_to.id)}
    return {}


def _reply(chat: Chat, topic: Topic | None, reply_to: Message | None) -> Json:
    """Messages of a topic that answer nothing carry the notice that opened the topic, as Telegram writes it."""
    target = reply_to or (chat.messages.get(topic.id) if topic is not None else None)
    if target is None:
        return {}
    shown = {key: value for key, value in target.json.items() if key not in {"reply_to_message", "quote"}}
    return {"reply_to_message": shown}


def _quoted(reply_to: Message | None, quote: str | None) -> Json:
    if reply_to is None or quote is None:
        return {}
    text = str(reply_to.json.get("text") or reply_to.json.get("caption") or "")
    position = utf16(text[: max(0, text.find(quote))])
    return {"quote": {"text": quote, "position": position, "is_manual": True}}


def replace(world: World, message: Message, content: Json) -> None:
    """Edit a message: ``content`` overrides what is there, None removes; what it was is kept in ``versions``."""
    message.versions.append(copy.deepcopy(message.json))
    body = message.json | copy.deepcopy(content) | {"edit_date": world.seconds()}
    message.json = {name: value for name, value in body.items() if value is not None}
