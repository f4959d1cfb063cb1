"""The port to a language model: one question, one answer. Adapters: `model_client` (litellm), `offline_model`."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Protocol

from memory.reflection.operations import Brief


class Purpose(StrEnum):
    """What a call is for; the ledger counts by it."""

    TURN = "turn"
    REFLECTION = "reflection"
    DOCTOR = "doctor"
    MAINTENANCE = "maintenance"


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Known:
    """A recalled memory as the prompt shows it."""

    text: str
    said_by: str | None
    said_on: str  # local date, ISO


@dataclass(frozen=True, slots=True)
class Question:
    """What a turn's prompt was rendered from, for a model that reads no prose."""

    text: str
    speaker: str
    known: tuple[Known, ...]
    first_answer: bool  # nothing was answered in this conversation yet
    passed_on: bool = False  # the text is somebody else's: forwarded, quoted, a document


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One call. ``material`` is what ``messages`` was rendered from; models of language ignore it."""

    purpose: Purpose
    messages: tuple[PromptMessage, ...]
    max_tokens: int
    json_reply: bool = False
    material: Question | Brief | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One answer with its price. Tokens are counted by the provider, or estimated where it keeps silent."""

    text: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost_micro_usd: int | None  # millionths of a US dollar; None where the price is not known


class ModelClient(Protocol):
    """Answers a request or raises one of `bot.errors.ModelError`."""

    @property
    def name(self) -> str:
        """The model's name, for people."""
        ...

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        """Give the whole answer; ``on_text`` gets its pieces as they arrive."""
        ...

    def count_tokens(self, text: str) -> int:
        """Count, or estimate on the high side, the tokens of ``text``. Fast and free of I/O."""
        ...
