"""What became of a message: every exception of the library and of httpx has its judgement."""

from datetime import timedelta

import httpx
import pytest
import telegram.error
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    InvalidToken,
    NetworkError,
    PassportDecryptionError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from bot.telegram.outcomes import (
    DEFAULT_RETRY_S,
    Ambiguous,
    BadEntities,
    Gone,
    GoneReason,
    Migrated,
    NotSent,
    Outcome,
    Refused,
    ReplyGone,
    RetryLater,
    TopicGone,
    classify,
    seconds_of,
)

EVERY_ERROR: dict[str, tuple[TelegramError, Outcome]] = {
    "BadRequest": (BadRequest("Message is too long"), Refused("Message is too long")),
    "ChatMigrated": (ChatMigrated(-100), Migrated(-100)),
    "Conflict": (Conflict("terminated by other getUpdates request"), NotSent("Conflict")),
    "EndPointNotFound": (EndPointNotFound("sendMessage"), NotSent("EndPointNotFound")),
    "Forbidden": (Forbidden("bot was blocked by the user"), Gone(GoneReason.BLOCKED)),
    "InvalidToken": (InvalidToken("Unauthorized"), NotSent("InvalidToken")),
    "NetworkError": (NetworkError("Bad Gateway"), Ambiguous("server error")),
    "PassportDecryptionError": (PassportDecryptionError("x"), Ambiguous("PassportDecryptionError")),
    "RetryAfter": (RetryAfter(17), RetryLater(17.0)),
    "TelegramError": (TelegramError("Invalid server response"), Ambiguous("TelegramError")),
    "TimedOut": (TimedOut(), Ambiguous("server error")),
}


def test_every_error_of_the_library_is_judged() -> None:
    """A new version with a new error has to be looked at."""
    assert set(telegram.error.__all__) == set(EVERY_ERROR)


@pytest.mark.parametrize("name", EVERY_ERROR)
def test_errors_of_the_library(name: str) -> None:
    error, outcome = EVERY_ERROR[name]
    assert classify(error) == outcome


NEVER_LEFT = ["ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol", "InvalidURL"]


@pytest.mark.parametrize("name", NEVER_LEFT)
def test_what_never_left_is_safe_to_send_again(name: str) -> None:
    assert classify(caused_by(getattr(httpx, name)("x"))) == NotSent(name)


OTHER_TROUBLE = sorted(
    name
    for name, kind in vars(httpx).items()
    if isinstance(kind, type) and issubclass(kind, httpx.TransportError) and name not in NEVER_LEFT
)


def test_the_list_of_other_trouble_is_not_empty() -> None:
    assert {"ReadTimeout", "WriteTimeout", "ReadError", "RemoteProtocolError"} <= set(OTHER_TROUBLE)


@pytest.mark.parametrize("name", OTHER_TROUBLE)
def test_any_other_trouble_of_the_connection_is_ambiguous(name: str) -> None:
    """Whatever httpx can raise and is not provably before the request left."""
    assert classify(caused_by(getattr(httpx, name)("x"))) == Ambiguous(name)


def caused_by(cause: Exception, message: str = "x") -> TelegramError:
    error = TimedOut() if isinstance(cause, httpx.TimeoutException) else NetworkError(message)
    error.__cause__ = cause
    return error


def test_a_full_pool_is_recognised_by_its_sentence_as_well() -> None:
    assert isinstance(classify(TimedOut("Pool timeout: … Request was *not* sent to Telegram.")), NotSent)


@pytest.mark.parametrize(
    "words", ["This HTTPXRequest is not initialized!", "Cannot send a request, as the client has been closed."]
)
def test_a_closed_client_sends_nothing(words: str) -> None:
    assert isinstance(classify(caused_by(RuntimeError(words))), NotSent)
    assert isinstance(classify(caused_by(RuntimeError("something else"))), Ambiguous)


def test_text_that_cannot_be_encoded_is_refused_not_repeated() -> None:
    cause = UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
    assert isinstance(classify(caused_by(cause)), Refused)


@pytest.mark.parametrize(
    "message",
    [
        "Bad Gateway",
        "Internal Server Error",
        "Gateway Timeout (504)",
        "Service Unavailable (503)",
        "Unknown HTTPError (520)",
    ],
)
def test_an_answer_of_5xx_is_ambiguous(message: str) -> None:
    """What stands before Telegram may have passed the message on before it gave up."""
    assert isinstance(classify(NetworkError(message)), Ambiguous)


def test_an_unreadable_answer_of_5xx_is_ambiguous() -> None:
    error = NetworkError("Bad Gateway (502). Parsing the server response b'<html>' failed")
    error.__cause__ = TelegramError("Invalid server response")
    assert classify(error) == Ambiguous("HTTP 502")


@pytest.mark.parametrize("message", ["Found (302)", "Proxy Authentication Required (407)", "Request Timeout (408)"])
def test_a_redirect_or_a_proxys_refusal_means_that_telegram_never_saw_it(message: str) -> None:
    assert isinstance(classify(NetworkError(message)), NotSent)


def test_too_many_requests_without_a_number_waits_a_little() -> None:
    assert classify(NetworkError("Too Many Requests: retry later")) == RetryLater(DEFAULT_RETRY_S)


def test_a_body_too_large_is_refused() -> None:
    assert isinstance(classify(NetworkError("Request Entity Too Large (413)")), Refused)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Forbidden: bot was blocked by the user", GoneReason.BLOCKED),
        ("Forbidden: bot can't initiate conversation with a user", GoneReason.BLOCKED),
        ("Forbidden: user is deactivated", GoneReason.DEACTIVATED),
        ("Forbidden: the group chat was deleted", GoneReason.DEACTIVATED),
        ("Forbidden: bot was kicked from the group chat", GoneReason.KICKED),
        ("Forbidden: bot was kicked from the supergroup chat", GoneReason.KICKED),
        ("Forbidden: bot is not a member of the channel chat", GoneReason.KICKED),
        ("Forbidden: not enough rights to send text messages to the chat", GoneReason.NO_RIGHTS),
        ("Forbidden: CHAT_WRITE_FORBIDDEN", GoneReason.NO_RIGHTS),
        ("Forbidden: something of the year 2031", GoneReason.FORBIDDEN),
    ],
)
def test_the_ways_of_being_shut_out(message: str, reason: GoneReason) -> None:
    assert classify(Forbidden(message)) == Gone(reason)


@pytest.mark.parametrize(
    ("message", "outcome"),
    [
        ("Bad Request: chat not found", Gone(GoneReason.NOT_FOUND)),
        ("Bad Request: PEER_ID_INVALID", Gone(GoneReason.NOT_FOUND)),
        ("Bad Request: group chat was deactivated", Gone(GoneReason.DEACTIVATED)),
        ("Bad Request: not enough rights to send text messages to the chat", Gone(GoneReason.NO_RIGHTS)),
        ("Bad Request: have no rights to send a message", Gone(GoneReason.NO_RIGHTS)),
        ("Bad Request: need administrator rights in the channel chat", Gone(GoneReason.NO_RIGHTS)),
        ("Bad Request: message thread not found", TopicGone()),
        ("Bad Request: TOPIC_CLOSED", TopicGone()),
        ("Bad Request: TOPIC_DELETED", TopicGone()),
        ("Bad Request: message to be replied not found", ReplyGone()),
        ("Bad Request: can't parse entities: can't find end of the entity starting at byte offset 3", BadEntities()),
        ("Bad Request: ENTITY_BOUNDS_INVALID", BadEntities()),
        ("Bad Request: entity beyond the end of the text", BadEntities()),
        ("Bad Request: message text is empty", Refused("Message text is empty")),
        ("Bad Request: message is too long", Refused("Message is too long")),
    ],
)
def test_the_ways_of_being_refused(message: str, outcome: Outcome) -> None:
    assert classify(BadRequest(message)) == outcome


def test_seconds_are_read_however_the_library_expresses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert seconds_of(RetryAfter(3)) == 3.0
    monkeypatch.setenv("PTB_TIMEDELTA", "1")
    assert seconds_of(RetryAfter(timedelta(seconds=3))) == 3.0
