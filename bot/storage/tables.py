"""The tables of the skin: who is who, what came in, what goes out, what is still to do."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from memory.columns import UtcDateTime
from memory.tables import metadata

people = Table(
    "people",
    metadata,
    Column("person_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("username", Text),
    Column("access", String(16)),  # "allowed", "denied", or nothing said
    Column("refused_at", UtcDateTime),  # when a stranger was last told
    Column("updated_at", UtcDateTime, nullable=False),
)

chats = Table(
    "chats",
    metadata,
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("title", Text),
    Column("access", String(16)),  # "allowed", "denied", or nothing said
    Column("listen", String(16), nullable=False, server_default=text("'addressed'")),  # "addressed" or "all"
    # Reachable: false once blocked or kicked.
    Column("reachable", Boolean(name="reachable"), nullable=False, server_default=text("1")),
    Column("migrated_to", BigInteger),
    Column("timezone", String(64)),
    Column("updated_at", UtcDateTime, nullable=False),
)

inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("bot_id", BigInteger, nullable=False),
    Column("update_id", BigInteger, nullable=False),
    Column("chat_id", BigInteger),  # the lane; empty for updates without a chat
    Column("thread_id", BigInteger, nullable=False, server_default=text("0")),
    Column("payload", JSON, nullable=False),  # the update as Telegram sent it
    Column("state", String(16), nullable=False),  # "new", "working", "done", "parked"
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("error", Text),
    Column("received_at", UtcDateTime, nullable=False),
    Column("done_at", UtcDateTime),
    UniqueConstraint("bot_id", "update_id"),
    Index("ix_inbox_state", "state", "id"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("bot_id", BigInteger, nullable=False),
    Column("turn_key", String(80), nullable=False),
    Column("seq", Integer, nullable=False),  # the chunk's place in the answer
    Column("chat_id", BigInteger, nullable=False),
    Column("thread_id", BigInteger, nullable=False, server_default=text("0")),
    Column("reply_to", BigInteger),
    Column("text", Text, nullable=False),
    Column("entities", JSON, nullable=False),
    Column("state", String(16), nullable=False),  # "pending", "sending", "sent", "failed"
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("repeat", Boolean(name="repeat"), nullable=False, server_default=text("0")),  # may have arrived already
    Column("not_before", UtcDateTime),
    Column("sent_id", BigInteger),  # Telegram's message id
    Column("error", Text),
    Column("created_at", UtcDateTime, nullable=False),
    Column("sent_at", UtcDateTime),
    UniqueConstraint("turn_key", "seq"),
    Index("ix_outbox_state", "state", "id"),
)

reflections = Table(
    "reflections",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("chat_id", BigInteger, nullable=False),
    Column("thread_id", BigInteger, nullable=False, server_default=text("0")),
    Column("turn_key", String(80), nullable=False, unique=True),
    Column("up_to", Integer, nullable=False),  # reflect on messages up to this one
    Column("state", String(16), nullable=False),  # "pending", "done", "failed"
    Column("attempts", Integer, nullable=False, server_default=text("0")),
    Column("not_before", UtcDateTime),
    Column("error", Text),
    Column("created_at", UtcDateTime, nullable=False),
    Column("done_at", UtcDateTime),
    Index("ix_reflections_state", "state", "id"),
)

recalls = Table(
    "recalls",
    metadata,
    Column("turn_key", String(80), primary_key=True),
    Column("chat_id", BigInteger, nullable=False),
    Column("thread_id", BigInteger, nullable=False, server_default=text("0")),
    Column("parts", JSON, nullable=False),  # memory ids and score parts; no texts
    Column("at", UtcDateTime, nullable=False),
    Index("ix_recalls_chat", "chat_id", "thread_id", "at"),
)

usage = Table(
    "usage",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", UtcDateTime, nullable=False),
    Column("purpose", String(16), nullable=False),  # "turn", "reflection", "doctor"…
    Column("model", Text, nullable=False),
    Column("chat_id", BigInteger),
    Column("person_id", BigInteger),
    Column("prompt_tokens", Integer, nullable=False),
    Column("completion_tokens", Integer, nullable=False),
    Column("cost_micro_usd", BigInteger),  # empty where the price is not known
    Column("turn_key", String(80)),
    Index("ix_usage_at", "at"),
)

settings = Table(
    "settings",
    metadata,
    Column("key", String(80), primary_key=True),
    Column("value", JSON, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
)

maintenance_runs = Table(
    "maintenance_runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("started_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime),
    Column("report", JSON),
)
