"""Every setting, its section and its type. The defaults stand in tidemark.toml, with the reasons beside them."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, PrivateAttr
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from config.errors import SettingsError
from config.files import exists, read_text
from config.values import (
    ApiUrl,
    BotToken,
    Budget,
    Count,
    Days,
    LogLevel,
    Minutes,
    Names,
    PersonId,
    Seconds,
    Secret,
    ServerUrl,
    Slug,
    Temperature,
    Tokens,
    Words,
    ZoneName,
)

PACKAGED = Path(__file__).parent
LONGEST_PERSONA_CHARS = 20_000
"""A persona stands in every prompt: past this it would crowd out the conversation."""


class Section(BaseModel):
    """A table of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Telegram(Section):
    """The bot's account and its server."""

    token: BotToken | None = None
    api_url: ApiUrl
    poll_timeout_s: Seconds


class Model(Section):
    """The language model, by litellm's names."""

    name: Words
    api_base: ServerUrl | None = None
    api_key: Secret | None = None
    reflection_name: Words | None = None
    fallbacks: Names
    first_token_timeout_s: Seconds
    idle_timeout_s: Seconds
    total_timeout_s: Seconds
    max_output_tokens: Tokens
    context_tokens: Tokens
    temperature: Temperature | None = None


class Embedding(Section):
    """What turns text into vectors."""

    model: Words


class Memory(Section):
    """How much of the past a prompt holds."""

    history_tokens: Tokens
    recall_tokens: Tokens
    recall_limit: Count


class Retention(Section):
    """How long what is not a memory is kept."""

    transcript_days: Days
    inbox_days: Days
    outbox_days: Days
    journal_days: Days


class Maintenance(Section):
    """The background pass."""

    interval_minutes: Minutes
    daily_tokens: Budget


class Log(Section):
    """What is written to standard error."""

    level: LogLevel


class Settings(BaseSettings):
    """Everything Tidemark can be told. Made by `config.settings.load_settings`; frozen; secrets are masked."""

    model_config = SettingsConfigDict(frozen=True, extra="forbid")

    home: Path
    owner_id: PersonId | None = None
    timezone: ZoneName
    agent: Slug
    telegram: Telegram
    model: Model
    embedding: Embedding
    memory: Memory
    retention: Retention
    maintenance: Maintenance
    log: Log

    _origins: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the library's signature
        init_settings: PydanticBaseSettingsSource,
        *_rest: PydanticBaseSettingsSource,
        **_by_name: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Take only what `load_settings` gathered: it reads the environment once and remembers what came from where."""
        return (init_settings,)

    def origin(self, key: str) -> str:
        """Say where the value of a dotted key comes from, such as ``environment`` or a file's path."""
        return self._origins.get(key, "default")

    def persona(self) -> str:
        """Give who the assistant is: ``persona.md`` of the data folder if there is one, else the packaged text.

        Raises:
            SettingsError: the owner's file cannot be read, or is too long.
        """
        own = self.home / "persona.md"
        text = _read_persona(own) if exists(own) else ""
        return text or (PACKAGED / "persona.md").read_text(encoding="utf-8").strip()


def _read_persona(path: Path) -> str:
    text = read_text(path).strip()
    if len(text) > LONGEST_PERSONA_CHARS:
        raise SettingsError(f"{path}: has {len(text):,} characters; a persona has at most {LONGEST_PERSONA_CHARS:,}")
    return text.replace("\0", "")


def dotted_keys() -> tuple[str, ...]:
    """Give every key as a file writes it, sections dotted: ``model.name``."""
    keys: list[str] = []
    for name, info in Settings.model_fields.items():
        kind = info.annotation
        if isinstance(kind, type) and issubclass(kind, Section):
            keys.extend(f"{name}.{inner}" for inner in kind.model_fields)
        else:
            keys.append(name)
    return tuple(keys)
