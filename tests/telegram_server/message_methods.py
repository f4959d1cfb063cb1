"""What the bot does with messages: send, edit, delete, react, type, answer a button."""

from tests.telegram_server.flood import COUNTED
from tests.telegram_server.found import utf16
from tests.telegram_server.markup import parse
from tests.telegram_server.params import Params
from tests.telegram_server.posting import post, replace
from tests.telegram_server.refusal import Json, bad_request, too_many_requests
from tests.telegram_server.rules import (
    REACTIONS,
    check_markup,
    check_write,
    find_chat,
    find_editable,
    find_reply_target,
    find_topic,
    may_delete,
)
from tests.telegram_server.state import Chat, ChatType, World
from tests.telegram_server.texts import fix_text, refuse_unreadable

_ACTIONS = (
    "typing upload_photo record_video upload_video record_voice upload_voice record_audio upload_audio "
    "upload_document choose_sticker find_location record_video_note upload_video_note"
)
ACTIONS = frozenset(_ACTIONS.split())
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
LONGEST_CALLBACK_ANSWER = 200
MOST_DELETIONS = 100


async def send_message(world: World, params: Params) -> Json:
    """Send a text; give the message as it stands in the chat."""
    text, entities = _read_text(params)
    markup = params.object("reply_markup")
    chat = find_chat(world, params)
    check_write(chat)
    reply_to, quote = find_reply_target(chat, params)
    topic = find_topic(chat, params.number("message_thread_id") or (reply_to.topic if reply_to else None))
    text, entities = fix_text(text, entities)
    content = _content(text, entities) | _markup(check_markup(markup))
    charge(world, "sendmessage", chat)
    sender = _sender(world, chat)
    message = post(world, chat, sender, content, topic=topic, reply_to=reply_to, quote=quote)
    world.signal.notify()
    return message.json


def _sender(world: World, chat: Chat) -> Json:
    return {"sender_chat": chat.json()} if chat.type is ChatType.CHANNEL else {"from": world.bot.json()}


def _read_text(params: Params) -> tuple[str, list[Json]]:
    text, mode = params.text("text"), params.text("parse_mode")
    refuse_unreadable(text)
    if mode and mode.lower() != "none":
        return parse(text, mode)
    return text, params.array("entities") or []


def _content(text: str, entities: list[Json]) -> Json:
    return {"text": text} | ({"entities": entities} if entities else {})


def _markup(markup: Json | None) -> Json:
    return {"reply_markup": markup} if markup and "inline_keyboard" in markup else {}


def charge(world: World, method: str, chat: Chat) -> None:
    """Count a call against the flood limits; 429 when it is one too many."""
    wait_s = world.flood.admit(chat.id, world.monotonic()) if method in COUNTED else 0
    if wait_s:
        raise too_many_requests(wait_s)


async def edit_message_text(world: World, params: Params) -> Json:
    """Replace text and keyboard of a message of the bot; a keyboard not given is removed."""
    text, entities = _read_text(params)
    chat, message = find_editable(world, params)
    check_write(chat)
    if "text" not in message.json:
        raise bad_request("there is no text in the message to edit")
    text, entities = fix_text(text, entities)
    markup = check_markup(params.object("reply_markup"))
    content: Json = {"entities": None, "reply_markup": None} | _content(text, entities) | _markup(markup)
    return _edit(world, chat, message.id, "editmessagetext", content)


async def edit_message_reply_markup(world: World, params: Params) -> Json:
    """Replace the keyboard of a message of the bot, or remove it."""
    chat, message = find_editable(world, params)
    markup = check_markup(params.object("reply_markup"))
    content: Json = {"reply_markup": None} | _markup(markup)
    return _edit(world, chat, message.id, "editmessagereplymarkup", content)


def _edit(world: World, chat: Chat, number: int, method: str, content: Json) -> Json:
    message = chat.messages[number]
    if all(message.json.get(name) == value for name, value in content.items()):
        raise bad_request(NOT_MODIFIED)
    charge(world, method, chat)
    replace(world, message, content)
    world.signal.notify()
    return message.json


async def delete_message(world: World, params: Params) -> bool:
    """Remove a message."""
    chat = find_chat(world, params)
    check_write(chat)
    message = chat.messages.get(params.number("message_id") or 0)
    if message is None:
        raise bad_request("message to delete not found")
    if not may_delete(world, chat, message):
        raise bad_request("message can't be deleted")
    del chat.messages[message.id]
    world.signal.notify()
    return True


async def delete_messages(world: World, params: Params) -> bool:
    """Remove those of the messages that are there and may be removed."""
    chat = find_chat(world, params)
    check_write(chat)
    numbers = params.array("message_ids") or []
    if not 1 <= len(numbers) <= MOST_DELETIONS:
        raise bad_request(
            "message identifiers are not specified" if not numbers else "too many message identifiers specified"
        )
    for number in numbers:
        message = chat.messages.get(int(number))
        if message is not None and may_delete(world, chat, message):
            del chat.messages[message.id]
    world.signal.notify()
    return True


async def send_chat_action(world: World, params: Params) -> bool:
    """Show that the bot is at work; the General topic may be named here."""
    chat = find_chat(world, params)
    check_write(chat)
    find_topic(chat, params.number("message_thread_id"), general_may_be_named=True)
    if params.text("action").lower() not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    return True


async def set_message_reaction(world: World, params: Params) -> bool:
    """Put one standard emoji under a message, or take it away."""
    chat = find_chat(world, params)
    check_write(chat)
    message = chat.messages.get(params.number("message_id") or 0)
    reactions = params.array("reaction") or []
    if message is None:
        raise bad_request("message to react not found")
    if len(reactions) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if any(one.get("type") != "emoji" or str(one.get("emoji", "")) not in REACTIONS for one in reactions):
        raise bad_request("REACTION_INVALID")
    message.reactions = reactions
    world.signal.notify()
    return True


async def answer_callback_query(world: World, params: Params) -> bool:
    """Take the clock off a pressed button; once."""
    query = params.text("callback_query_id")
    if world.callbacks.get(query, True):
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    if utf16(params.text("text")) > LONGEST_CALLBACK_ANSWER:
        raise bad_request("MESSAGE_TOO_LONG")
    world.callbacks[query] = True
    return True
