"""May the bot do this there? Each check returns what it found or raises Telegram's refusal."""

import re

from tests.telegram_server.found import utf16
from tests.telegram_server.params import Params
from tests.telegram_server.refusal import Json, Refusal, bad_request
from tests.telegram_server.state import Chat, ChatType, Message, Standing, Topic, World

LONGEST_CALLBACK_DATA = 64  # bytes
MOST_BUTTONS = 100
GENERAL_TOPIC = 1  # exists in every forum; sends must leave it out, typing may name it
DELETABLE_FOR_S = 48 * 3600
_BUTTON_ACTIONS = (
    "url callback_data web_app login_url switch_inline_query switch_inline_query_current_chat "
    "switch_inline_query_chosen_chat copy_text callback_game pay"
)
BUTTON_ACTIONS = frozenset(_BUTTON_ACTIONS.split())
_REACTIONS = (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 "
    "😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"
)
REACTIONS = frozenset(_REACTIONS.split())


def find_chat(world: World, params: Params) -> Chat:
    """Give the chat that ``chat_id`` names, by number or by @username."""
    wanted = params.text("chat_id")
    if not wanted:
        raise bad_request("chat_id is empty")
    for chat in world.chats.values():
        by_name = chat.username is not None and wanted.lower() == f"@{chat.username.lower()}"
        if str(chat.id) == wanted or by_name:
            return _current(chat)
    raise bad_request("chat not found")


def _current(chat: Chat) -> Chat:
    if chat.migrated_to is not None:
        reason = "group chat was upgraded to a supergroup chat"
        raise Refusal(400, reason, migrate_to_chat_id=chat.migrated_to)
    if chat.deleted:
        raise Refusal(403, "the group chat was deleted")
    return chat


def check_access(chat: Chat) -> None:
    """Refuse (403) where the bot is shut out."""
    place = f"the {chat.type.value} chat"
    if chat.person is not None:
        _check_person(chat)
    elif chat.bot is Standing.KICKED:
        raise Refusal(403, f"bot was kicked from {place}")
    elif chat.bot in {Standing.LEFT, Standing.NEVER}:
        raise Refusal(403, f"bot is not a member of {place}")


def _check_person(chat: Chat) -> None:
    assert chat.person is not None
    if chat.person.deactivated:
        raise Refusal(403, "user is deactivated")
    if chat.person.is_bot:
        raise Refusal(403, "bots can't send messages to bots")
    if chat.bot is Standing.KICKED:
        raise Refusal(403, "bot was blocked by the user")
    if chat.bot is Standing.NEVER:
        raise Refusal(403, "bot can't initiate conversation with a user")


def check_write(chat: Chat) -> None:
    """Refuse where the bot may not send."""
    check_access(chat)
    if chat.bot is Standing.MUTED:
        raise bad_request("not enough rights to send text messages to the chat")
    if chat.type is ChatType.CHANNEL and chat.bot is not Standing.ADMINISTRATOR:
        raise bad_request("need administrator rights in the channel chat")


def find_topic(chat: Chat, thread: int | None, *, general_may_be_named: bool = False) -> Topic | None:
    """Give the topic a send goes to, None for the chat itself; refuses topics that are unknown or closed."""
    if not thread or (general_may_be_named and chat.is_forum and thread == GENERAL_TOPIC):
        return None
    topic = chat.topics.get(thread)
    if topic is None:
        raise bad_request("message thread not found")
    if topic.closed and chat.bot is not Standing.ADMINISTRATOR:
        raise bad_request("TOPIC_CLOSED")
    return topic


def find_reply_target(chat: Chat, params: Params) -> tuple[Message | None, str | None]:
    """Give the message that is answered and the passage quoted, both None where nothing is answered."""
    reply = params.object("reply_parameters") or {"message_id": params.number("reply_to_message_id")}
    if "message_id" not in reply:
        raise bad_request('can\'t find field "message_id"')
    if not reply["message_id"]:
        return None, None
    if str(reply.get("chat_id", chat.id)) != str(chat.id):
        raise Refusal(404, "this test server does not reply into another chat")
    target = chat.messages.get(int(reply["message_id"]))
    if target is None and not (reply.get("allow_sending_without_reply") or params.flag("allow_sending_without_reply")):
        raise bad_request("message to be replied not found")
    return target, _quote(target, reply.get("quote"))


def _quote(target: Message | None, quote: str | None) -> str | None:
    if target is None or not quote:
        return None
    if utf16(quote) > 1024 or quote not in (target.json.get("text") or target.json.get("caption") or ""):
        raise bad_request("QUOTE_TEXT_INVALID")
    return quote


def check_markup(markup: Json | None) -> Json | None:
    """Give the reply markup back when Telegram takes it."""
    if markup is None or "inline_keyboard" not in markup:
        return markup
    if not isinstance(markup["inline_keyboard"], list):
        raise bad_request('field "inline_keyboard" must be of type Array')
    buttons = [button for row in markup["inline_keyboard"] for button in row]
    for button in buttons:
        _check_button(button)
    if len(buttons) > MOST_BUTTONS:
        raise bad_request("reply markup is too long")
    return markup


def _check_button(button: Json) -> None:
    problem = "can't parse inline keyboard button: "
    if not button.get("text"):
        raise bad_request(problem + 'Can\'t find field "text"')
    if all(button.get(action) in (None, "") for action in BUTTON_ACTIONS):
        raise bad_request(problem + "Text buttons are unallowed in the inline keyboard")
    if len(str(button.get("callback_data", "")).encode()) > LONGEST_CALLBACK_DATA:
        raise bad_request("BUTTON_DATA_INVALID")
    url = str(button.get("url", "tg://"))
    if not re.match(r"(?:tg:|(?:https?://)?[^/?#]*\.)", url, re.IGNORECASE):
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: Wrong HTTP URL")


def find_editable(world: World, params: Params) -> tuple[Chat, Message]:
    """Give a message of the bot that may still be edited."""
    if not params.text("chat_id"):
        raise bad_request("message identifier is not specified")
    chat = find_chat(world, params)
    check_access(chat)
    message = chat.messages.get(params.number("message_id") or 0)
    if message is None:
        raise bad_request("message to edit not found")
    if not message.from_bot:
        raise bad_request("message can't be edited")
    return chat, message


def may_delete(world: World, chat: Chat, message: Message) -> bool:
    """Whether the bot may delete it: young ones of its own, anyone's in private or as administrator."""
    if chat.bot is Standing.ADMINISTRATOR:
        return True
    young = world.seconds() - int(message.json["date"]) < DELETABLE_FOR_S
    return young and (message.from_bot or chat.type is ChatType.PRIVATE)
