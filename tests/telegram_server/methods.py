"""The Bot API's methods, by name in small letters. What is not here, the server answers with 404."""

from collections.abc import Awaitable, Callable
from typing import Any

from tests.telegram_server import chat_methods, message_methods
from tests.telegram_server.params import Params
from tests.telegram_server.refusal import Json, Refusal, bad_request
from tests.telegram_server.state import World
from tests.telegram_server.updates import LONGEST_POLL_S, WEBHOOK_ACTIVE, WEBHOOK_SET, checked_kinds

Method = Callable[[World, Params], Awaitable[Any]]
MOST_COMMANDS = 100
LARGEST_DOWNLOAD = 20 * 1024 * 1024  # bytes


async def get_me(world: World, params: Params) -> Json:
    """Give the bot's account; ``can_read_all_group_messages`` tells that privacy mode is off."""
    return world.bot.json() | {
        "can_join_groups": True,
        "can_read_all_group_messages": not world.privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
    }


async def get_updates(world: World, params: Params) -> list[Json]:
    """Wait for updates; an offset confirms those before it, a second poller ends the first."""
    if world.webhook:
        raise Refusal(409, WEBHOOK_ACTIVE)
    world.updates.allow(checked_kinds(params.array("allowed_updates")))
    world.updates.confirm(params.number("offset") or 0)
    timeout_s = max(0, min(params.number("timeout") or 0, LONGEST_POLL_S))
    limit = max(1, min(params.number("limit") or 100, 100))
    await world.updates.wait(world.signal, timeout_s)
    return world.updates.take(limit)


async def set_webhook(world: World, params: Params) -> bool:
    """Remember the address; nothing is ever posted to it, but polling is refused."""
    url = params.text("url")
    if url and not url.lower().startswith("https://"):
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    world.updates.allow(checked_kinds(params.array("allowed_updates")))
    return _change_webhook(world, params, url)


async def delete_webhook(world: World, params: Params) -> bool:
    """Forget the address, and the waiting updates if told so."""
    return _change_webhook(world, params, "")


def _change_webhook(world: World, params: Params, url: str) -> bool:
    if params.flag("drop_pending_updates"):
        world.updates.pending.clear()
    if url:
        world.updates.end_poll(WEBHOOK_SET)
    world.webhook = url
    return True


async def get_webhook_info(world: World, params: Params) -> Json:
    """Give the address and how many updates wait."""
    waiting = len(world.updates.pending)
    return {"url": world.webhook, "has_custom_certificate": False, "pending_update_count": waiting}


def _scope(params: Params) -> str:
    scope = params.object("scope") or {"type": "default"}
    parts = [scope.get("type"), scope.get("chat_id"), scope.get("user_id"), params.text("language_code")]
    return "/".join(str(part) for part in parts if part)


async def set_my_commands(world: World, params: Params) -> bool:
    """Replace the list of commands of a scope and language."""
    commands = params.array("commands") or []
    if len(commands) > MOST_COMMANDS:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        _check_command(command)
    world.commands[_scope(params)] = commands
    return True


def _check_command(command: Json) -> None:
    name = str(command.get("command", "")).removeprefix("/")
    if not 1 <= len(name) <= 32 or not set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_"):
        raise bad_request("BOT_COMMAND_INVALID")
    if not 1 <= len(str(command.get("description", ""))) <= 256:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")


async def get_my_commands(world: World, params: Params) -> list[Json]:
    """Give the commands of a scope and language."""
    return world.commands.get(_scope(params), [])


async def delete_my_commands(world: World, params: Params) -> bool:
    """Forget the commands of a scope and language."""
    world.commands.pop(_scope(params), None)
    return True


async def get_file(world: World, params: Params) -> Json:
    """Give the path to download a file from."""
    file = world.files.get(params.text("file_id"))
    if file is None:
        raise bad_request("invalid file_id")
    if file.size > LARGEST_DOWNLOAD:
        raise bad_request("file is too big")
    return {"file_id": file.id, "file_unique_id": file.unique_id, "file_size": file.size, "file_path": file.path}


METHODS: dict[str, Method] = {
    "getme": get_me,
    "getupdates": get_updates,
    "setwebhook": set_webhook,
    "deletewebhook": delete_webhook,
    "getwebhookinfo": get_webhook_info,
    "sendmessage": message_methods.send_message,
    "editmessagetext": message_methods.edit_message_text,
    "editmessagereplymarkup": message_methods.edit_message_reply_markup,
    "deletemessage": message_methods.delete_message,
    "deletemessages": message_methods.delete_messages,
    "sendchataction": message_methods.send_chat_action,
    "setmessagereaction": message_methods.set_message_reaction,
    "answercallbackquery": message_methods.answer_callback_query,
    "setmycommands": set_my_commands,
    "getmycommands": get_my_commands,
    "deletemycommands": delete_my_commands,
    "getfile": get_file,
    "getchat": chat_methods.get_chat,
    "getchatmember": chat_methods.get_chat_member,
    "getchatadministrators": chat_methods.get_chat_administrators,
    "getchatmembercount": chat_methods.get_chat_member_count,
    "leavechat": chat_methods.leave_chat,
}
