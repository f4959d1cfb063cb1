"""Who and what exists: the bot, people, chats, messages, files, calls."""

import copy
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from tests.telegram_server.faults import Faults
from tests.telegram_server.flood import FloodLimits
from tests.telegram_server.refusal import Json
from tests.telegram_server.signals import Signal
from tests.telegram_server.updates import UpdateQueue


class ChatType(StrEnum):
    """Telegram's four types; a forum is a supergroup with topics."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"
    CHANNEL = "channel"


class Standing(StrEnum):
    """What the bot is in a chat. NEVER: it knows the person, who has not written to it."""

    NEVER = "never"
    MEMBER = "member"
    ADMINISTRATOR = "administrator"
    MUTED = "restricted"
    LEFT = "left"
    KICKED = "kicked"


@dataclass(frozen=True, slots=True)
class BotAccount:
    """The bot under test."""

    id: int = 5550001
    username: str = "TidemarkTestBot"
    name: str = "Tidemark"

    def json(self) -> Json:
        """Give Telegram's User."""
        return {"id": self.id, "is_bot": True, "first_name": self.name, "username": self.username}


@dataclass(slots=True)
class Person:
    """An account that is not the bot under test."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    deactivated: bool = False

    def json(self) -> Json:
        """Give Telegram's User."""
        user: Json = {"id": self.id, "is_bot": self.is_bot, "first_name": self.first_name}
        optional = {"last_name": self.last_name, "username": self.username, "language_code": self.language_code}
        return user | {name: value for name, value in optional.items() if value is not None}


@dataclass(slots=True)
class Topic:
    """A topic of a forum; its id is that of the message that opened it."""

    id: int
    name: str
    closed: bool = False


@dataclass(slots=True)
class Message:
    """A message as it stands now. ``versions`` holds what it was before each edit, oldest first."""

    json: Json
    from_bot: bool
    versions: list[Json] = field(default_factory=list)
    reactions: list[Json] = field(default_factory=list)

    @property
    def id(self) -> int:
        """Its number in the chat."""
        return int(self.json["message_id"])

    @property
    def topic(self) -> int | None:
        """The topic it belongs to, if any."""
        return self.json["message_thread_id"] if self.json.get("is_topic_message") else None


@dataclass(slots=True)
class Chat:
    """A place where messages are."""

    id: int
    type: ChatType
    title: str | None = None
    username: str | None = None
    person: Person | None = None  # of a private chat
    is_forum: bool = False
    bot: Standing = Standing.MEMBER
    members: dict[int, str] = field(default_factory=dict)  # person's id → status
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    migrated_to: int | None = None
    deleted: bool = False
    last_message_id: int = 0
    last_bot_id: int | None = None  # which bot spoke last; privacy mode asks

    @property
    def numbers_its_own_messages(self) -> bool:
        """Supergroups and channels count for themselves, the others share the account's count."""
        return self.type in {ChatType.SUPERGROUP, ChatType.CHANNEL}

    def json(self) -> Json:
        """Give Telegram's Chat."""
        if self.person is not None:
            names = {key: value for key, value in self.person.json().items() if key not in {"is_bot", "language_code"}}
            return names | {"type": self.type.value}
        chat: Json = {"id": self.id, "type": self.type.value, "title": self.title}
        chat |= {"username": self.username} if self.username else {}
        return chat | ({"is_forum": True} if self.is_forum else {})


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that can be asked for. ``size`` may claim more than ``content`` holds."""

    id: str
    unique_id: str
    path: str
    content: bytes
    size: int


@dataclass(slots=True)
class Call:
    """A request of the bot. ``status`` is None while it runs, or when the connection was cut instead."""

    method: str
    params: Json
    at: float
    status: int | None = None
    description: str | None = None
    fault: str | None = None

    @property
    def ok(self) -> bool:
        """Whether it was answered as done."""
        return self.status == 200


@dataclass(slots=True)
class World:
    """Everything the server knows. ``now`` gives the time of messages, ``monotonic`` that of flood limits."""

    bot: BotAccount = field(default_factory=BotAccount)
    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic
    privacy: bool = True
    mentions_pass_privacy: bool = False  # sources disagree whether Telegram lets a plain @mention through
    people: dict[int, Person] = field(default_factory=dict)
    chats: dict[int, Chat] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    commands: dict[str, list[Json]] = field(default_factory=dict)
    callbacks: dict[str, bool] = field(default_factory=dict)  # id → answered
    webhook: str = ""
    calls: list[Call] = field(default_factory=list)
    signal: Signal = field(default_factory=Signal)
    updates: UpdateQueue = field(default_factory=UpdateQueue)
    faults: Faults = field(default_factory=Faults)
    flood: FloodLimits = field(default_factory=FloodLimits)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _message_ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def next_id(self) -> int:
        """Give a number not given before."""
        return next(self._ids)

    def next_message_id(self, chat: Chat) -> int:
        """Give the number of the next message of the chat; numbers of deleted messages do not return."""
        own = chat.numbers_its_own_messages
        chat.last_message_id = chat.last_message_id + 1 if own else next(self._message_ids)
        return chat.last_message_id

    def seconds(self) -> int:
        """Give the time as Telegram writes it."""
        return int(self.now())

    def notify(self, kind: str, payload: Json) -> None:
        """Queue an update for the bot and wake who waits."""
        self.updates.add(kind, copy.deepcopy(payload))
        self.signal.notify()
