"""What an error of the model library means: a pure judgement, without importing that library.

Nothing of an error's own text is passed on: providers echo prompts, and pieces of keys, in what they say. A log line
gets the class, the status and a machine-readable code; a caller gets one of `bot.errors`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from bot.errors import (
    ModelError,
    ModelFiltered,
    ModelKeyRefused,
    ModelPromptTooLong,
    ModelRateLimited,
    ModelRequestRefused,
    ModelUnknown,
    ModelUnreachable,
)

KINDS: Mapping[str, type[ModelError]] = {
    "AuthenticationError": ModelKeyRefused,
    "CallerCredentialAuthenticationError": ModelKeyRefused,
    "PermissionDeniedError": ModelKeyRefused,
    "NotFoundError": ModelUnknown,
    "LiteLLMUnknownProvider": ModelUnknown,
    "ModelNotMappedError": ModelUnknown,
    "RateLimitError": ModelRateLimited,
    "CallerCredentialRateLimitError": ModelRateLimited,
    "PaymentRequiredError": ModelRateLimited,
    "BudgetExceededError": ModelRateLimited,
    "ContextWindowExceededError": ModelPromptTooLong,
    "ContentPolicyViolationError": ModelFiltered,
    "RejectedRequestError": ModelFiltered,
    "GuardrailRaisedException": ModelFiltered,
    "BlockedPiiEntityError": ModelFiltered,
    "ModifyResponseException": ModelFiltered,
    "SensitiveDataRouteException": ModelFiltered,
    "BadRequestError": ModelRequestRefused,
    "InvalidRequestError": ModelRequestRefused,
    "UnprocessableEntityError": ModelRequestRefused,
    "UnsupportedParamsError": ModelRequestRefused,
    "UnsupportedEndpointError": ModelRequestRefused,
    "EndpointNotSupportedByModelError": ModelRequestRefused,
    "MalformedRequestFieldError": ModelRequestRefused,
    "ImageFetchError": ModelRequestRefused,
    "VectorStoreSearchError": ModelRequestRefused,
    "Timeout": ModelUnreachable,
    "InternalServerError": ModelUnreachable,
    "ServiceUnavailableError": ModelUnreachable,
    "BadGatewayError": ModelUnreachable,
    "MidStreamFallbackError": ModelUnreachable,
    "APIError": ModelUnreachable,
    "APIConnectionError": ModelUnreachable,
    "APIResponseValidationError": ModelUnreachable,
    "JSONSchemaValidationError": ModelUnreachable,
    "MockException": ModelUnreachable,
    "OpenAIError": ModelUnreachable,
}
"""Every exception class of the library, by name."""

_BY_STATUS: Mapping[int, type[ModelError]] = {
    400: ModelRequestRefused,
    401: ModelKeyRefused,
    402: ModelRateLimited,
    403: ModelKeyRefused,
    404: ModelUnknown,
    413: ModelPromptTooLong,
    422: ModelRequestRefused,
    429: ModelRateLimited,
}

_TOO_LONG = re.compile(
    r"context.{0,3}length|context.{0,3}size|context.{0,3}window|context limit|exceed_context|context the overflows"
    r"|(?:prompt|input|request)\b.{0,60}?\b(?:is |are )?too (?:long|large)|too many (?:input )?tokens|maximum (?:prompt|input) length"
    r"|maximum model length|exceeds the maximum number of tokens|`inputs` (?:tokens|must have less)|current length is .{0,40}limit is"
    r"|reduce the length of the (?:messages|prompt|input)|input tokens exceed|token count .{0,40}exceeds",
    re.IGNORECASE | re.DOTALL,
)
_NO_MONEY = re.compile(
    r"insufficient.{0,3}(?:quota|balance|credit|funds)|exceeded your current quota|credit balance|(?:more|out of) credits|billing"
    r"|payment required",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content.{0,3}filter|content.{0,3}(?:management )?polic|response was filtered|safety system|flagged (?:by|as)|moderation",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"missing credentials|missing .{0,40}api.?key|api.?key .{0,40}(?:must be set|not valid|is (?:missing|required|invalid))"
    r"|no api.?key|invalid.{0,3}api.?key|incorrect api.?key",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"provider not provided|not a valid model|invalid model|unknown model|unmapped llm provider"
    r"|model\b.{0,120}\b(?:does not exist|not found|is not (?:found|supported|available)|not loaded)",
    re.IGNORECASE | re.DOTALL,
)
_REFUSALS = (ModelRequestRefused, ModelUnreachable, ModelRateLimited)  # classes too coarse to believe without the text
_RETRIED_STATUS = frozenset({408, 409, 425, 429, *range(500, 600)})
_CODE = re.compile(r"[a-z][a-z0-9_.-]{2,40}")


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong. ``said`` is the provider's text: for choosing what to leave out next, never for a log."""

    error: ModelError
    retry: bool
    retry_after_s: float | None = None
    said: str = ""


def judge(error: BaseException, model: str) -> Failure:
    """Give the meaning of an exception that a call of ``model`` ended with; never raises."""
    said, status = _text(error), _status(error)
    kind, lasting = _kind(error, said, status)
    retry = (
        not lasting and kind in {ModelUnreachable, ModelRateLimited} and (status is None or status in _RETRIED_STATUS)
    )
    return Failure(kind(_detail(error, status, model)), retry, retry_after(_headers(error)), said)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how many seconds a provider asks to wait; a date counts from the answer's own ``Date``."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        return _until(value, headers.get("date", ""))
    return seconds if 0 <= seconds < float("inf") else None


def _until(then: str, now: str) -> float | None:
    try:
        return max(0.0, (parsedate_to_datetime(then) - parsedate_to_datetime(now)).total_seconds())
    except (ValueError, TypeError, IndexError):
        return None


def _kind(error: BaseException, said: str, status: int | None) -> tuple[type[ModelError], bool]:
    """Give the kind, and whether waiting cannot help."""
    kind = next((KINDS[name] for name in _ancestry(error) if name in KINDS), ModelUnreachable)
    if kind not in _REFUSALS:
        return kind, False
    if status == 413 or _TOO_LONG.search(said):
        return ModelPromptTooLong, False
    if status == 402 or kind is ModelRateLimited:
        return ModelRateLimited, status == 402 or bool(_NO_MONEY.search(said))
    if _NO_KEY.search(said):
        return ModelKeyRefused, False
    if kind is ModelRequestRefused:
        return _refusal(error, said), True
    return _BY_STATUS.get(status or 0, kind), False


def _refusal(error: BaseException, said: str) -> type[ModelError]:
    if _NO_MONEY.search(said):
        return ModelRateLimited
    if _FILTERED.search(said) or _code(error) == "content_filter":
        return ModelFiltered
    return ModelUnknown if _NO_MODEL.search(said) else ModelRequestRefused


def _ancestry(error: BaseException) -> Iterator[str]:
    return (cls.__name__ for cls in type(error).__mro__)


def _text(error: BaseException) -> str:
    try:
        return str(error)[:4000]
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError):  # their __str__ is theirs
        return ""


def _status(error: BaseException) -> int | None:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _headers(error: BaseException) -> Mapping[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    return {str(name).lower(): str(value) for name, value in headers.items()}


def _code(error: BaseException) -> str | None:
    code = getattr(error, "code", None)
    return code if isinstance(code, str) and _CODE.fullmatch(code) else None


def _detail(error: BaseException, status: int | None, model: str) -> str:
    parts = [type(error).__name__, str(status) if status else None, _code(error), f"model {model}"]
    return " · ".join(part for part in parts if part)
