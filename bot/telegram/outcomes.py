"""What became of a message, and how to tell from an error: was it sent, was it not, or can nobody know?

Only what was provably not sent may be sent again without a word; python-telegram-bot's exceptions do not say which
it is, so this looks at the exception of httpx behind them, and else at Telegram's sentence.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)


@dataclass(frozen=True, slots=True)
class Sent:
    """Telegram took it; ``message_id`` is None where its answer did not say."""

    message_id: int | None


@dataclass(frozen=True, slots=True)
class RetryLater:
    """Telegram refuses for now and names the seconds to wait."""

    seconds: float


@dataclass(frozen=True, slots=True)
class NotSent:
    """It did not reach Telegram, or was turned away before it was read: safe to send again."""

    reason: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """It left, and no answer came back: it may have arrived."""

    reason: str


class GoneReason(StrEnum):
    """Why a chat cannot be written to."""

    BLOCKED = "blocked"
    KICKED = "kicked"
    DEACTIVATED = "deactivated"
    NOT_FOUND = "not found"
    NO_RIGHTS = "no rights"  # still there, but may not write
    FORBIDDEN = "forbidden"  # a 403 for a reason nobody foresaw


@dataclass(frozen=True, slots=True)
class Gone:
    """The chat cannot be written to."""

    reason: GoneReason


@dataclass(frozen=True, slots=True)
class Migrated:
    """The group became a supergroup with a new id."""

    new_chat_id: int


@dataclass(frozen=True, slots=True)
class TopicGone:
    """The topic was deleted or closed; the chat is there."""


@dataclass(frozen=True, slots=True)
class ReplyGone:
    """The message to be answered cannot be answered; the chat is there."""


@dataclass(frozen=True, slots=True)
class BadEntities:
    """Telegram does not accept the formatting."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Telegram does not accept the message; ``text`` is its sentence."""

    text: str


Outcome = Sent | RetryLater | NotSent | Ambiguous | Gone | Migrated | TopicGone | ReplyGone | BadEntities | Refused

DEFAULT_RETRY_S = 5.0
"""How long to wait where Telegram says "too many requests" without a number."""

_NEVER_LEFT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,  # raised while the tunnel is built
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
)

_FORBIDDEN: tuple[tuple[str, GoneReason], ...] = (
    ("blocked", GoneReason.BLOCKED),
    ("initiate conversation", GoneReason.BLOCKED),  # never started: as unreachable as a bot that was blocked
    ("deactivated", GoneReason.DEACTIVATED),
    ("deleted", GoneReason.DEACTIVATED),
    ("kicked", GoneReason.KICKED),
    ("not a member", GoneReason.KICKED),
    ("rights", GoneReason.NO_RIGHTS),
    ("chat_write_forbidden", GoneReason.NO_RIGHTS),
)

_BAD_REQUEST: tuple[tuple[str, Outcome], ...] = (
    ("thread not found", TopicGone()),
    ("topic_closed", TopicGone()),
    ("topic_deleted", TopicGone()),
    ("topic_id_invalid", TopicGone()),
    ("to be replied not found", ReplyGone()),
    ("replied message not found", ReplyGone()),
    ("reply message not found", ReplyGone()),
    ("reply_message_id_invalid", ReplyGone()),
    ("chat not found", Gone(GoneReason.NOT_FOUND)),
    ("user not found", Gone(GoneReason.NOT_FOUND)),
    ("peer_id_invalid", Gone(GoneReason.NOT_FOUND)),
    ("chat_id_invalid", Gone(GoneReason.NOT_FOUND)),
    ("chat was deactivated", Gone(GoneReason.DEACTIVATED)),
    ("user_deactivated", Gone(GoneReason.DEACTIVATED)),
    ("user_is_blocked", Gone(GoneReason.BLOCKED)),
    ("not enough rights", Gone(GoneReason.NO_RIGHTS)),
    ("no rights to send", Gone(GoneReason.NO_RIGHTS)),
    ("administrator rights", Gone(GoneReason.NO_RIGHTS)),
    ("chat_write_forbidden", Gone(GoneReason.NO_RIGHTS)),
    ("chat_restricted", Gone(GoneReason.NO_RIGHTS)),
    ("chat_admin_required", Gone(GoneReason.NO_RIGHTS)),
    ("chat_send_plain_forbidden", Gone(GoneReason.NO_RIGHTS)),
    ("entit", BadEntities()),  # "can't parse entities", "find end of the entity", "ENTITY_BOUNDS_INVALID"
)

_HTTP_PHRASE = re.compile(r"\((\d{3})\)")


def classify(error: TelegramError) -> Outcome:  # noqa: PLR0911  # one return a kind
    """Tell what became of a message whose send raised ``error``.

    An answer of 5xx counts as ambiguous: what stands before Telegram may have given up waiting for a server that
    had the message already.
    """
    match error:
        case RetryAfter():
            return RetryLater(seconds_of(error))
        case ChatMigrated():
            return Migrated(error.new_chat_id)
        case Forbidden():
            return Gone(_gone_reason(error.message))
        case BadRequest():
            return _refusal(error.message)
        case InvalidToken() | Conflict() | EndPointNotFound():
            return NotSent(type(error).__name__)  # turned away at the door; another token or server may take it
        case NetworkError():
            return _network(error)
        case _:
            return Ambiguous(type(error).__name__)


def seconds_of(error: RetryAfter) -> float:
    """Give the wait that Telegram asks for, in seconds, however the library is set to express it."""
    wait = error.retry_after
    return float(wait) if isinstance(wait, int) else wait.total_seconds()


def _gone_reason(message: str) -> GoneReason:
    lowered = message.lower()
    return next((reason for part, reason in _FORBIDDEN if part in lowered), GoneReason.FORBIDDEN)


def _refusal(message: str) -> Outcome:
    lowered = message.lower()
    return next((outcome for part, outcome in _BAD_REQUEST if part in lowered), Refused(message))


def _network(error: NetworkError) -> Outcome:
    cause = error.__cause__
    if isinstance(cause, UnicodeError):
        return Refused("the text cannot be encoded")
    if isinstance(cause, _NEVER_LEFT) or "*not* sent" in error.message or _is_closed(cause):
        return NotSent(type(cause or error).__name__)
    if cause is not None and not isinstance(cause, TelegramError):
        return Ambiguous(type(cause).__name__)
    return _answered(error.message)


def _is_closed(cause: BaseException | None) -> bool:
    """Recognise a client that was shut down: it refuses before it opens a connection."""
    return isinstance(cause, RuntimeError) and ("closed" in str(cause) or "not initialized" in str(cause))


def _answered(message: str) -> Outcome:
    """Judge an HTTP status without a Telegram error of its own: what is left of it is its phrase."""
    lowered = message.lower()
    if "too many requests" in lowered:
        return RetryLater(DEFAULT_RETRY_S)
    if "entity too large" in lowered or "content too large" in lowered:
        return Refused("message is too long")
    status = _HTTP_PHRASE.search(message)
    if status and status[1][0] in "34":
        return NotSent(f"HTTP {status[1]}")  # a redirect or a proxy's refusal: Telegram never saw it
    return Ambiguous(f"HTTP {status[1]}" if status else "server error")
