"""The types of single settings. Each takes what a file or the environment can hold and says in one sentence what it wants."""

import re
from typing import Annotated, Any
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from config.zones import is_zone, nearest_zone

_DIGITS = re.compile(r"-?[0-9]{1,19}")
_TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")
_BOT_PATH = re.compile(r"(?:/file)?/+bot(?:/*|[0-9<{%].*)$", re.IGNORECASE | re.DOTALL)
_LARGEST_ID = 2**52  # Telegram: at most 52 significant bits


class UnfitError(ValueError):
    """A value that does not fit its key; the message goes on where "source: key = value" ends."""


def _no_bool(value: Any) -> Any:
    if isinstance(value, bool):
        raise UnfitError("should be a number, not true or false")
    return value


def _plain_text(value: Any) -> Any:
    if not isinstance(value, str):
        raise UnfitError("should be text in quotes")
    value = value.strip()
    if not value:
        raise UnfitError("is empty: give a value, or leave the key out")
    if not all(char.isprintable() for char in value):
        raise UnfitError("holds control characters, or bytes that are no UTF-8")
    return value


def _person_id(value: Any) -> int:
    """Take an account's number as a number or as text; names change owner, numbers do not."""
    number = value.strip() if isinstance(value, str) else value
    if isinstance(number, str) and _DIGITS.fullmatch(number):
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int):
        raise UnfitError("should be your numeric Telegram id, such as 123456789 (the bot tells a stranger theirs)")
    if not 0 < number <= _LARGEST_ID:
        raise UnfitError("is no person's id: those are positive; negative ones are groups")
    return number


def _zone(name: str) -> str:
    if is_zone(name):
        return name
    near = nearest_zone(name)
    meant = f'did you mean "{near}"?' if near else 'write it like "Europe/Berlin"'
    raise UnfitError(f"is no IANA time zone; {meant}")


def _secret(value: Any) -> Any:
    text = value.get_secret_value() if isinstance(value, SecretStr) else value
    return _plain_text(text)


def _bot_token(value: Any) -> Any:
    token = _secret(value)
    if not _TOKEN.fullmatch(token):
        raise UnfitError("is no bot token: those look like 123456789:AbC… without blanks or quotes (from @BotFather)")
    return token


def _url(value: str) -> str:
    """Take a server's address; the sentences never repeat it, for a pasted one may hold a key."""
    parts = _parts(value)
    if parts.query or parts.fragment:
        raise UnfitError("should be an address without ? and #, such as http://127.0.0.1:8081")
    return value.rstrip("/")


def _api_url(value: str) -> str:
    """Take a Bot API server's address, and explain where the rest of a pasted one belongs."""
    parts = _parts(value)
    if match := _BOT_PATH.search(parts.path):
        host = parts.netloc.rpartition("@")[2]
        right = f"{parts.scheme}://{host}{parts.path[: match.start()].rstrip('/')}"
        raise UnfitError(f'should be the server alone: "{right}"; the token goes into TELEGRAM_BOT_TOKEN')
    return _url(value)


def _parts(value: str) -> SplitResult:
    try:
        parts = urlsplit(value)
        _ = parts.port  # only reading it checks it
    except ValueError:
        raise UnfitError("is no address of a server, such as http://127.0.0.1:8081") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname or " " in value:
        raise UnfitError("should be an address with http:// or https://, such as http://127.0.0.1:8081")
    return parts


def _log_level(value: str) -> str:
    levels = ("DEBUG", "INFO", "WARNING", "ERROR")
    if value.upper() not in levels:
        raise UnfitError(f"should be one of {', '.join(levels)}")
    return value.upper()


def _slug(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", value):
        raise UnfitError("should be a short name of a-z, 0-9, - and _")
    return value


def _names(value: Any) -> Any:
    """Take a list, or text with commas as the environment has it."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list | tuple):
        raise UnfitError('should be a list of names, such as ["openai/gpt-4o-mini"]')
    return tuple(value)


Words = Annotated[str, BeforeValidator(_plain_text)]
PersonId = Annotated[int, BeforeValidator(_person_id)]
ZoneName = Annotated[Words, AfterValidator(_zone)]
Secret = Annotated[SecretStr, BeforeValidator(_secret)]
BotToken = Annotated[SecretStr, BeforeValidator(_bot_token)]
ServerUrl = Annotated[Words, AfterValidator(_url)]
ApiUrl = Annotated[Words, AfterValidator(_api_url)]
LogLevel = Annotated[Words, AfterValidator(_log_level)]
Slug = Annotated[Words, AfterValidator(_slug)]
Names = Annotated[tuple[Words, ...], BeforeValidator(_names)]
Seconds = Annotated[float, BeforeValidator(_no_bool), Field(gt=0, le=86_400, allow_inf_nan=False)]
Days = Annotated[int, BeforeValidator(_no_bool), Field(ge=1, le=36_500)]
Minutes = Annotated[int, BeforeValidator(_no_bool), Field(ge=1, le=1_440)]
Tokens = Annotated[int, BeforeValidator(_no_bool), Field(ge=1, le=10_000_000)]
Count = Annotated[int, BeforeValidator(_no_bool), Field(ge=1, le=1_000)]
Temperature = Annotated[float, BeforeValidator(_no_bool), Field(ge=0, le=2, allow_inf_nan=False)]
Budget = Annotated[int, BeforeValidator(_no_bool), Field(ge=0, le=100_000_000)]
