"""The one place that calls the Bot API: python-telegram-bot's `Bot` with pools and time-outs of our choosing.

Sending gives a value for whatever can happen; the other calls raise `telegram.error.TelegramError`, except where a
failure does not matter (typing, deleting), which gives False.
"""

from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
import structlog
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    ChatMember,
    LinkPreviewOptions,
    Message,
    MessageEntity,
    ReplyParameters,
    User,
    WebhookInfo,
)
from telegram.constants import ChatAction
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

from bot.storage.outbox import well_formed
from bot.telegram.errors import TokenRefused
from bot.telegram.outcomes import Outcome, Sent, classify

log = structlog.get_logger(__name__)

PUBLIC_API = "https://api.telegram.org"

ALLOWED_UPDATES = ("message", "edited_message", "callback_query", "my_chat_member", "message_reaction")
"""Named outright: left out, Telegram keeps whatever list was in force before."""

GENERAL = 1
"""The id of a forum's General topic: sends must leave it out, typing must name it."""

_CONNECT_S = 10.0
_READ_S = 20.0  # Telegram answers in well under a second; later than this it is not going to
_WRITE_S = 20.0
_POOL_S = 10.0
_CALLS_AT_ONCE = 24  # sends, typing and commands of all chats
_POLL_SLACK_S = 10.0  # how much longer than asked a long poll may take before it counts as broken


class _RawBot(Bot):
    """A bot that gives updates as Telegram sent them, so that kinds the library does not know are kept too."""

    __slots__ = ()

    async def raw_updates(self, parameters: dict[str, Any], read_timeout_s: float) -> list[dict[str, Any]]:
        result = await self._post("getUpdates", parameters, read_timeout=read_timeout_s)
        return result if isinstance(result, list) else []

    async def raw_answer(self, method: str) -> Any:
        return await self._post(method)


class Messenger:
    """Talks to one Bot API server as one bot. ``bot`` is there for what is not wrapped here, such as files.

    Raises:
        TokenRefused: the token is not of the form that Telegram gives out.
    """

    def __init__(self, token: str, api_url: str = PUBLIC_API) -> None:
        self.bot_id = _bot_id(token)
        self._polling = _request(api_url, connections=2)
        self._calls = _request(api_url, connections=_CALLS_AT_ONCE)
        self.bot = _RawBot(
            token,
            base_url=f"{api_url}/bot",
            base_file_url=f"{api_url}/file/bot",
            request=self._calls,
            get_updates_request=self._polling,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._polling.shutdown()
        await self._calls.shutdown()

    async def updates(self, offset: int | None, timeout_s: int) -> list[dict[str, Any]]:
        """Wait up to ``timeout_s`` for updates from ``offset`` on; give them raw.

        Raises:
            TelegramError: no answer, or a refusal.
        """
        parameters: dict[str, Any] = {"timeout": timeout_s, "limit": 100, "allowed_updates": list(ALLOWED_UPDATES)}
        if offset is not None:
            parameters["offset"] = offset
        return await self.bot.raw_updates(parameters, timeout_s + _POLL_SLACK_S)

    async def rebuild_polling(self) -> None:
        """Throw away the connections that poll and make new ones."""
        with suppress(httpx.HTTPError, OSError, RuntimeError):  # a broken connection may not even close
            await self._polling.shutdown()
        await self._polling.initialize()

    async def send(
        self,
        chat_id: int,
        thread_id: int,
        text: str,
        entities: Sequence[Mapping[str, Any]],
        reply_to: int | None = None,
    ) -> Outcome:
        """Send one message and tell what became of it; ``thread_id`` 0 means no topic."""
        try:
            message: Message = await self.bot.send_message(
                chat_id,
                well_formed(text),
                entities=MessageEntity.de_list([dict(entity) for entity in entities], self.bot) or None,
                message_thread_id=thread_id if thread_id not in {0, GENERAL} else None,
                link_preview_options=LinkPreviewOptions(is_disabled=True),
                reply_parameters=_reply(reply_to),
            )
        except TelegramError as error:
            return classify(error)
        return Sent(message.message_id)

    async def is_reachable(self) -> bool:
        """Say whether the server answers a harmless question right now."""
        try:
            await self.bot.raw_answer("getMe")
        except TelegramError:
            return False
        return True

    async def is_member(self, chat_id: int) -> bool:
        """Say whether we are in the chat; False where Telegram does not tell."""
        try:
            member = await self.bot.get_chat_member(chat_id, self.bot_id)
        except TelegramError:
            return False
        return member.status not in {ChatMember.LEFT, ChatMember.BANNED}

    async def typing(self, chat_id: int, thread_id: int) -> bool:
        """Show "typing…" for about five seconds, in the right topic."""
        return await _harmless(
            "typing", self.bot.send_chat_action(chat_id, ChatAction.TYPING, message_thread_id=thread_id or None)
        )

    async def delete(self, chat_id: int, message_id: int) -> bool:
        """Delete a message; False where it is too old, not there, or not ours to delete."""
        return await _harmless("delete", self.bot.delete_message(chat_id, message_id))

    async def set_commands(
        self,
        commands: Sequence[tuple[str, str]],
        scope: BotCommandScope | None = None,
        language_code: str | None = None,
    ) -> bool:
        """Show ``commands`` (name, description) in the menu; False where that did not work."""
        menu = [BotCommand(name, description) for name, description in commands]
        return await _harmless("commands", self.bot.set_my_commands(menu, scope=scope, language_code=language_code))

    async def get_me(self) -> User:
        """Tell who we are."""
        return await self.bot.get_me()

    async def webhook_info(self) -> WebhookInfo:
        """Tell whether a webhook is set, and how many updates wait."""
        return await self.bot.get_webhook_info()

    async def delete_webhook(self) -> None:
        """Switch to polling. What waits is kept."""
        await self.bot.delete_webhook(drop_pending_updates=False)


async def _harmless(what: str, call: Awaitable[bool]) -> bool:
    try:
        return await call
    except TelegramError as error:
        log.debug("a call that does not matter failed", call=what, error=type(error).__name__)
        return False


def _reply(reply_to: int | None) -> ReplyParameters | None:
    return None if reply_to is None else ReplyParameters(reply_to, allow_sending_without_reply=True)


def _request(api_url: str, *, connections: int) -> HTTPXRequest:
    return HTTPXRequest(
        connection_pool_size=connections,
        connect_timeout=_CONNECT_S,
        read_timeout=_READ_S,
        write_timeout=_WRITE_S,
        pool_timeout=_POOL_S,
        httpx_kwargs={"trust_env": not _is_loopback(api_url)},
    )


def _bot_id(token: str) -> int:
    """Read our id off the token, so that it is known without a network."""
    number, colon, secret = token.partition(":")
    if not (number.isascii() and number.isdigit() and colon and secret):
        raise TokenRefused("The token has not the form 123456789:AAE… that BotFather gives out.")
    return int(number)


def _is_loopback(api_url: str) -> bool:
    """Recognise a server on this machine: a proxy from the environment must not stand between."""
    host = urlsplit(api_url).hostname or ""
    return host in {"localhost", "::1"} or host.startswith("127.")
