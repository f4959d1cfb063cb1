"""What the scripted model can do with a request: plain values, each readable from JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Hang = Literal["never", "before_headers", "before_first", "within"]

TOO_LONG: Mapping[str, tuple[int, dict[str, Any]]] = {
    "openai": (
        400,
        {
            "message": "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        },
    ),
    "llama.cpp": (
        400,
        {
            "message": "request (9001 tokens) exceeds the available context size (4096 tokens), try increasing it",
            "type": "exceed_context_size_error",
            "code": 400,
            "n_prompt_tokens": 9001,
            "n_ctx": 4096,
        },
    ),
    "llama.cpp-500": (
        500,
        {
            "message": "the request exceeds the available context size. try increasing it",
            "type": "server_error",
            "code": 500,
        },
    ),
    "ollama": (
        400,
        {
            "message": "the input length exceeds the context length",
            "type": "invalid_request_error",
            "param": None,
            "code": None,
        },
    ),
    "vllm": (
        400,
        {
            "message": "'max_tokens' or 'max_completion_tokens' is too large: 1200. This model's maximum context length is "
            "4096 tokens and your request has 3900 input tokens (1200 > 4096 - 3900).",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
    ),
    "vllm-old": (
        400,
        {
            "message": "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
            "type": "BadRequestError",
            "code": 400,
        },
    ),
    "lm-studio": (
        400,
        {
            "message": "Trying to keep the first 8233 tokens when context the overflows. However, the model is loaded with "
            "context length of only 4096 tokens, which is not enough.",
        },
    ),
    "tgi": (
        422,
        {
            "message": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000",
            "type": "validation",
        },
    ),
    "mistral": (
        400,
        {
            "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
            "type": "invalid_request_prompt",
        },
    ),
    "groq": (
        413,
        {
            "message": "Request too large for model. Please reduce the length of the messages or completion.",
            "type": "tokens",
        },
    ),
    "xai": (
        400,
        {"message": "This model's maximum prompt length is 131072 but the request contains 200000 tokens."},
    ),
    "anthropic": (
        400,
        {"message": "prompt is too long: 210000 tokens > 200000 maximum", "type": "invalid_request_error"},
    ),
}
"""How providers say that a prompt does not fit: status and error body, by provider."""


@dataclass(frozen=True, slots=True)
class Say:
    """An answer. ``pieces`` are how it arrives when streamed; ``hang`` and ``cut`` make it break off.

    ``hang``: the connection stays open and silent from there on. ``cut``: the connection is reset after the pieces,
    before the end of the stream (or in the middle of the body).
    """

    text: str = ""
    pieces: tuple[str, ...] | None = None
    reasoning: str | None = None
    finish: str = "stop"
    usage: tuple[int, int] | None = (11, 7)
    delay_s: float = 0.0
    hang: Hang = "never"
    cut: bool = False
    raw_body: str | None = None  # sent as it is, for truncated JSON

    @property
    def streamed(self) -> tuple[str, ...]:
        """The pieces of the stream."""
        if self.pieces is not None:
            return self.pieces
        return tuple(self.text[i : i + 8] for i in range(0, len(self.text), 8))

    @property
    def whole(self) -> str:
        """The text when it is not streamed."""
        return self.text if self.pieces is None else "".join(self.pieces)


@dataclass(frozen=True, slots=True)
class Fail:
    """A refusal with an HTTP status and the provider's error body."""

    status: int
    error: Mapping[str, Any] | str = field(default_factory=lambda: {"message": "scripted failure"})
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refuse:
    """Refuses requests that carry one of ``fields``; others get ``then``."""

    fields: tuple[str, ...]
    then: Say
    status: int = 400


Reply = Say | Fail | Refuse


def key_refused() -> Fail:
    """A wrong key, in OpenAI's words."""
    message = "Incorrect API key provided: sk-wrong*****here. You can find your API key on the account page."
    return Fail(401, {"message": message, "type": "invalid_request_error", "code": "invalid_api_key"})


def unknown_model(name: str = "nobody") -> Fail:
    """A model that does not exist."""
    return Fail(404, {"message": f"model '{name}' not found", "type": "not_found_error", "code": "model_not_found"})


def rate_limited(retry_after: str | None = None) -> Fail:
    """Too many requests."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Fail(429, {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}, headers)


def out_of_quota() -> Fail:
    """An account without money."""
    message = "You exceeded your current quota, please check your plan and billing details."
    return Fail(429, {"message": message, "type": "insufficient_quota", "code": "insufficient_quota"})


def broken(status: int = 500) -> Fail:
    """A provider in trouble."""
    return Fail(status, {"message": "The server had an error while processing your request", "type": "server_error"})


def too_long(wording: str = "openai") -> Fail:
    """A prompt that does not fit, in the words of one of `TOO_LONG`."""
    status, error = TOO_LONG[wording]
    return Fail(status, error)


def filtered() -> Fail:
    """A prompt that the provider's filter refuses."""
    message = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    return Fail(400, {"message": message, "type": None, "param": "prompt", "code": "content_filter"})


_NAMED = {"key_refused": key_refused, "out_of_quota": out_of_quota, "filtered": filtered}


def from_json(value: Any) -> Reply:
    """Read one scripted reply.

    A string is an answer. An object is ``{"say": TEXT, …fields of Say}``, ``{"fail": STATUS, "error": …, "headers": …}``,
    ``{"too_long": WORDING}``, ``{"unknown_model": NAME}``, ``{"rate_limited": RETRY_AFTER}`` or ``{"error": NAME}`` with
    one of key_refused, out_of_quota, filtered. Raises `ValueError` for anything else.
    """
    match value:
        case str():
            return Say(value)
        case {"say": str()}:
            return _say(value)
        case {"fail": int(status)}:
            return Fail(status, value.get("error", {"message": "scripted failure"}), value.get("headers", {}))
        case {"too_long": str(wording)}:
            return too_long(wording)
        case {"unknown_model": str(name)}:
            return unknown_model(name)
        case {"rate_limited": None | str() as retry_after}:
            return rate_limited(retry_after)
        case {"error": str(name)} if name in _NAMED:
            return _NAMED[name]()
    raise ValueError(f"not a scripted reply: {value!r}")


def _say(value: Mapping[str, Any]) -> Say:
    fields = {name: field for name, field in value.items() if name != "say"}
    if fields.get("pieces") is not None:
        fields["pieces"] = tuple(fields["pieces"])
    if fields.get("usage") is not None:
        fields["usage"] = tuple(fields["usage"])
    return Say(value["say"], **fields)
