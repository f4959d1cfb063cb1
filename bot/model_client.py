"""The adapter to litellm, and the only place that imports it: late, off the event loop, with every call home cut.

litellm costs seconds to import, fetches price lists and tokenizers when it may, prints, and logs what it is asked.
`_load` sees to all of that before and right after the import.
"""

import asyncio
import logging
import os
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any

import structlog

from bot.errors import ModelEmptyReply, ModelFiltered, ModelRequestRefused, ModelUnreachable
from bot.model import ModelClient, ModelReply, ModelRequest
from bot.model_chain import ModelChain
from bot.model_failures import Failure, judge
from bot.model_stream import Answer, Relay, read_chunk, read_whole, scalar_text, sendable
from bot.tokens import estimate_tokens

log = structlog.get_logger(__name__)

TRIES = 3
"""One request and two more: past that, a person waits too long for what will not come."""
BACKOFF_S = 1.0
"""The ceiling of the first pause; it doubles. Full jitter keeps many clients from coming back together."""
LONGEST_COUNTED = 8_000
"""Characters counted exactly: past this an estimate is as good, and a tokenizer meets its slow cases."""
LONGEST_PAUSE_S = 20.0
"""A provider that asks for a longer pause is not waited for: the person is told instead."""

_OFFLINE_SWITCHES: Mapping[str, str] = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # the price list of the package, not the one on the web
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "true",
    "LITELLM_OFFLINE_MODE": "true",  # nothing fetched of its own accord: catalogues, tokenizers, checks
    "LITELLM_MODE": "PRODUCTION",  # does not read whatever .env lies about
    "LITELLM_TELEMETRY": "False",
    "LITELLM_LOG": "WARNING",
}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore")
_JSON_BY_TOOL = frozenset({"anthropic", "bedrock"})
"""Here litellm would answer through a made-up tool; asking in words is safer."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """One model and how long to wait for it. Times are seconds; the key never shows in a repr.

    ``total_timeout_s`` bounds one model's whole effort, repeated tries and pauses included. ``fallbacks`` are asked in
    order when ``model`` fails; those of the same provider share ``api_base`` and ``api_key``.
    """

    model: str
    api_base: str | None = None
    api_key: str | None = field(default=None, repr=False)
    fallbacks: tuple[str, ...] = ()
    first_token_timeout_s: float = 60.0
    idle_timeout_s: float = 30.0
    total_timeout_s: float = 300.0
    max_output_tokens: int | None = None  # a ceiling for what requests ask
    temperature: float | None = None

    def for_model(self, model: str) -> "ModelSettings":
        """Give the same for another model; one of another provider must get neither this one's address nor its key."""
        if _provider(model) == _provider(self.model):
            return replace(self, model=model, fallbacks=())
        return replace(self, model=model, fallbacks=(), api_base=None, api_key=None)


class Feature(StrEnum):
    """What a request carries beyond the bare question; some servers refuse one or another. In order of leaving out."""

    JSON = "response_format"
    USAGE = "stream_options"
    TEMPERATURE = "temperature"
    STREAM = "stream"


@dataclass(frozen=True, slots=True)
class _Ready:
    """The library, imported, and what it knows of one model."""

    litellm: Any
    takes_json: bool
    count: Callable[[str], int] | None  # by the model's own tokenizer, where the library knows the model


def connect(settings: ModelSettings) -> ModelClient:
    """Give the client of ``settings.model``, with its fallbacks behind it."""
    first = LitellmModel(settings)
    others = [LitellmModel(settings.for_model(model)) for model in settings.fallbacks]
    return ModelChain((first, *others)) if others else first


class LitellmModel:
    """One model of any provider that litellm knows; is a `ModelClient`. ``rng`` and ``sleep`` are for the pauses."""

    def __init__(
        self,
        settings: ModelSettings,
        *,
        rng: random.Random | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._rng = rng or random.Random()  # noqa: S311 - spreads pauses, guards nothing
        self._sleep = sleep
        self._count: Callable[[str], int] | None = None
        self._refused: frozenset[Feature] = frozenset()  # learned from this server, kept for the next request

    @property
    def name(self) -> str:
        """The model's name, as litellm spells it."""
        return self._settings.model

    def count_tokens(self, text: str) -> int:
        """Count by the model's tokenizer once it is loaded and where it is known, else estimate on the high side."""
        if self._count is None or not 0 < len(text) <= LONGEST_COUNTED:
            return estimate_tokens(text)
        return self._count(scalar_text(text))

    async def warm_up(self) -> None:
        """Import litellm in a worker thread; returns at once when that is done already."""
        await self._prepared()

    async def _prepared(self) -> _Ready:
        ready = await asyncio.to_thread(_ready, self.name)
        self._count = ready.count
        return ready

    async def close(self) -> None:
        """Close the connections that litellm keeps for later; nothing is imported for that."""
        if _load.cache_info().currsize:
            await _load().close_litellm_async_clients()

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        """Give the whole answer; ``on_text`` gets its pieces. Cancelling closes the connection.

        Raises one of `bot.errors.ModelError`. Once a piece was passed on, nothing is tried again.
        """
        ready = await self._prepared()
        outcome = await self._persist(ready, request, on_text)
        if isinstance(outcome, Failure):
            raise outcome.error
        self._raise_if_none(outcome)
        prompt_tokens = outcome.prompt_tokens or sum(estimate_tokens(m.content) for m in request.messages)
        completion_tokens = outcome.completion_tokens or estimate_tokens(outcome.text)
        cost = None if self._is_own_server else _micro_usd(ready.litellm, self.name, prompt_tokens, completion_tokens)
        return ModelReply(outcome.text, self.name, prompt_tokens, completion_tokens, cost)

    async def _persist(
        self, ready: _Ready, request: ModelRequest, on_text: Callable[[str], None] | None
    ) -> Answer | Failure:
        """Try up to `TRIES` times within the total time."""
        outcome: Answer | Failure = self._silence("no answer", self._settings.total_timeout_s)
        try:
            async with asyncio.timeout(self._settings.total_timeout_s) as limit:
                for number in range(TRIES):
                    relay = Relay(on_text)
                    outcome = await self._negotiate(ready, request, relay)
                    pause = self._pause(outcome, number)
                    if pause is None or relay.delivered:
                        return outcome
                    await self._sleep(pause)
        except TimeoutError:
            if not limit.expired():
                raise
        return outcome

    async def _negotiate(self, ready: _Ready, request: ModelRequest, relay: Relay) -> Answer | Failure:
        """Ask; where the server refuses the form of the request, leave out one thing after another."""
        wanted = features = self._features(ready, request)
        while True:
            outcome = await self._once(ready, request, features, relay)
            if not isinstance(outcome, Failure):
                self._refused |= wanted - features
                return outcome
            dropped = None if relay.delivered else _to_leave_out(outcome, features)
            if dropped is None:
                return outcome
            features -= {dropped}

    async def _once(
        self, ready: _Ready, request: ModelRequest, features: frozenset[Feature], relay: Relay
    ) -> Answer | Failure:
        streamed = Feature.STREAM in features
        # Unstreamed there is nothing to see till the end.
        patience_s = self._settings.first_token_timeout_s if streamed else None
        try:
            async with asyncio.timeout(patience_s) as timer:
                call = ready.litellm.acompletion(**self._arguments(request, features))
                response = await _caught(call, self.name)
                if isinstance(response, Failure):
                    return response
                return await self._listen(response, relay, timer) if streamed else read_whole(response, relay)
        except TimeoutError:
            if not timer.expired():
                raise
            return self._silence("no token", patience_s or 0)

    async def _listen(self, stream: Any, relay: Relay, timer: asyncio.Timeout) -> Answer | Failure:
        """Read a stream to its end; every token winds the timer up again."""
        seen = Answer("")
        begun = False
        async with aclosing(stream):
            while True:
                chunk = await _caught(anext(stream, None), self.name)
                if isinstance(chunk, Failure):
                    return chunk
                if chunk is None:
                    return replace(seen, text=relay.finish(cut_off=seen.finish == "length"))
                piece, alive, seen = read_chunk(chunk, seen)
                begun = begun or alive
                if begun:
                    timer.reschedule(asyncio.get_running_loop().time() + self._settings.idle_timeout_s)
                relay.feed(piece)

    def _features(self, ready: _Ready, request: ModelRequest) -> frozenset[Feature]:
        features = {Feature.USAGE, Feature.STREAM}
        if request.json_reply and ready.takes_json:
            features.add(Feature.JSON)
        if self._settings.temperature is not None:
            features.add(Feature.TEMPERATURE)
        return frozenset(features) - self._refused

    def _arguments(self, request: ModelRequest, features: frozenset[Feature]) -> dict[str, Any]:
        settings = self._settings
        values: dict[str, Any] = {
            "model": settings.model,
            "messages": [{"role": m.role, "content": sendable(m.content)} for m in request.messages],
            "max_tokens": min(request.max_tokens, settings.max_output_tokens or request.max_tokens),
            "stream": Feature.STREAM in features,
            "api_base": settings.api_base,
            "api_key": settings.api_key or ("none" if self._is_own_server else None),
            "timeout": settings.total_timeout_s,
            "num_retries": 0,  # retries are ours alone: theirs know neither our clock nor the person waiting
            "max_retries": 0,
            "drop_params": True,
        }
        if Feature.STREAM in features and Feature.USAGE in features:
            values["stream_options"] = {"include_usage": True}
        if Feature.JSON in features:
            values["response_format"] = {"type": "json_object"}
        if Feature.TEMPERATURE in features:
            values["temperature"] = settings.temperature
        return values

    @property
    def _is_own_server(self) -> bool:
        """An OpenAI-compatible server: it must not be sent the key of OpenAI, and its prices are its own."""
        return self._settings.api_base is not None and _provider(self.name) == "openai"

    def _pause(self, outcome: Answer | Failure, number: int) -> float | None:
        """Give the seconds before the next try, or None when there is none."""
        if not isinstance(outcome, Failure) or not outcome.retry or number + 1 == TRIES:
            return None
        asked = outcome.retry_after_s or 0.0
        if asked > LONGEST_PAUSE_S:
            return None
        pause = asked + self._rng.uniform(0, BACKOFF_S * 2**number)
        log.info("asking the model again", model=self.name, error=str(outcome.error), pause_s=round(pause, 1))
        return pause

    def _silence(self, what: str, seconds: float) -> Failure:
        return Failure(ModelUnreachable(f"{what} within {seconds:g} s · model {self.name}"), retry=True)

    def _raise_if_none(self, answer: Answer) -> None:
        """Raise where an answer is none."""
        if answer.finish == "content_filter" or (answer.refusal and not answer.text.strip()):
            raise ModelFiltered(f"finish reason {answer.finish} · model {self.name}")
        if not any(char.isprintable() and not char.isspace() for char in answer.text):
            raise ModelEmptyReply(f"finish reason {answer.finish} · model {self.name}")


def _provider(model: str) -> str:
    """The part of a name before the first slash; plain names are OpenAI's."""
    provider, slash, _ = model.partition("/")
    return provider if slash else "openai"


def _to_leave_out(failure: Failure, features: frozenset[Feature]) -> Feature | None:
    """Choose what a server may have refused: what it names, else the next thing that not every server knows."""
    if not isinstance(failure.error, ModelRequestRefused):
        return None
    present = [feature for feature in Feature if feature in features]
    named = [feature for feature in present if feature.value in failure.said]
    return next(iter(named or [feature for feature in present if feature is not Feature.TEMPERATURE]), None)


async def _caught(call: Awaitable[Any], model: str) -> Any:
    """Await a call of litellm; an error becomes a `Failure`."""
    try:
        return await call
    except Exception as error:  # noqa: BLE001 - the border of a library that lets IndexError and the like through
        return judge(error, model)


@cache
def _ready(model: str) -> _Ready:
    """Import litellm and let it load what it loads late, for ``model``. Takes seconds the first time."""
    litellm = _load()
    parameters = _known(lambda: litellm.get_supported_openai_params(model=model)) or ()
    _micro_usd(litellm, model, 1, 1)
    takes_json = "response_format" in parameters and _provider(model) not in _JSON_BY_TOOL
    return _Ready(litellm, takes_json, _tokenizer(litellm, model))


def _tokenizer(litellm: Any, model: str) -> Callable[[str], int] | None:
    """Give what counts tokens as ``model`` does; None for a model that is not in the library's list."""
    if _known(lambda: litellm.get_model_info(model=model)) is None:
        return None

    def count(text: str) -> int:
        return len(litellm.encode(model=model, text=text))

    return count if _known(lambda: count("The tide turns.")) else None


@cache
def _load() -> Any:
    os.environ.update(_OFFLINE_SWITCHES)
    try:
        import litellm  # noqa: PLC0415 - seconds of import, see above
    except ImportError as error:
        raise ModelUnreachable(f"litellm cannot be imported: {error}") from error
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    litellm.redact_messages_in_exceptions = True
    litellm.disable_token_counter = True  # would load tokenizers to guess what the provider counts
    litellm.disable_hf_tokenizer_download = True
    litellm.REPEATED_STREAMING_CHUNK_LIMIT = 2**31  # a long ruler is no endless loop; max_tokens ends those
    for hooks in (litellm.callbacks, litellm.input_callback, litellm.success_callback, litellm.failure_callback):
        hooks.clear()
    _quieten()
    rehearsal = [{"role": "user", "content": "."}]
    for _ in litellm.completion(model="openai/rehearsal", messages=rehearsal, mock_response=".", stream=True):
        """Half of litellm is imported at its first call; better here than on the event loop."""
    return litellm


def _quieten() -> None:
    """Let the library's loggers say that something happened, and where, but not what was said."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.WARNING)
        logger.handlers.clear()
        logger.propagate = True
        logger.addFilter(_withhold)


def _withhold(record: logging.LogRecord) -> bool:
    """Strip a record of its text: it may hold prompts and keys."""
    record.msg, record.args = f"{record.filename}:{record.lineno} ({record.funcName}), text withheld", None
    record.exc_info = record.exc_text = record.stack_info = None
    return True


def _micro_usd(litellm: Any, model: str, prompt_tokens: int, completion_tokens: int) -> int | None:
    """Give the price in millionths of a dollar by litellm's list, or None where the model is not in it."""
    parts = _known(
        lambda: litellm.cost_per_token(model=model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
    )
    return None if parts is None else round(sum(parts) * 1_000_000)


def _known(ask: Callable[[], Any]) -> Any:
    """Ask litellm's lists; None where it does not know."""
    try:
        return ask()
    except Exception:  # noqa: BLE001 - it raises anything for a name it does not know
        return None
