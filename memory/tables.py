"""The tables of memory and transcript. The full-text table is made by hand in the migrations and named in `lexical`."""

from sqlalchemy import (
    DDL,
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    event,
    text,
)

from memory.changes import TRIGGERS
from memory.columns import UtcDateTime

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

memories = Table(
    "memories",
    metadata,
    Column("pk", Integer, primary_key=True),  # the rowid that memories_fts shares
    Column("id", String(26), nullable=False, unique=True),
    Column("agent_slug", String(64), nullable=False),
    Column("scope", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("normalised", Text, nullable=False),  # case- and punctuation-blind form, for literal duplicates
    Column("kind", String(16), nullable=False),
    Column("layer", String(16), nullable=False),
    Column("importance", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("subject", Text),
    Column("speaker", Text),
    Column("speaker_id", BigInteger),
    Column("trust", String(16), nullable=False),
    Column("mentions", Integer, nullable=False, server_default=text("0")),
    Column("uses", Integer, nullable=False, server_default=text("0")),
    Column("created_at", UtcDateTime, nullable=False),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("accessed_at", UtcDateTime, nullable=False),
    Column("valid_from", UtcDateTime),
    Column("valid_to", UtcDateTime),
    Column("expires_at", UtcDateTime),
    Column("revision", Integer, nullable=False, server_default=text("1")),
    Column("embedding", LargeBinary),  # little-endian float32, unit length
    Column("embedding_model", String(64)),  # digest of the model that made it
    Column("superseded_by", String(26)),
    Column("pinned", Boolean(name="pinned"), nullable=False, server_default=text("0")),
    Column("rated", Integer),  # the importance a model gave it, before the inflation guard
    Column("weighed_at", UtcDateTime),  # when importance last fell for want of use
    CheckConstraint("importance BETWEEN 1 AND 10", name="importance"),
    CheckConstraint("length(text) BETWEEN 1 AND 600", name="text"),
    Index("ix_memories_visible", "agent_slug", "scope", "status"),
    Index("ix_memories_normalised", "agent_slug", "scope", "normalised"),
    Index("ix_memories_subject", "agent_slug", "scope", "subject"),
    Index("ix_memories_expires", "expires_at", sqlite_where=text("expires_at IS NOT NULL")),
    Index("ix_memories_superseded_by", "superseded_by", sqlite_where=text("superseded_by IS NOT NULL")),
    Index("ix_memories_rated", "agent_slug", "scope", sqlite_where=text("rated IS NOT NULL")),  # latest first, by row
)

memory_sources = Table(
    "memory_sources",
    metadata,
    Column("memory_id", String(26), ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("message_id", Integer, primary_key=True),  # outlives the message: retention trims the transcript
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
)

memory_versions = Table(
    "memory_versions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("memory_id", String(26), ForeignKey("memories.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("revision", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("valid_from", UtcDateTime),
    Column("valid_to", UtcDateTime),
    UniqueConstraint("memory_id", "revision"),
)

memory_days = Table(
    "memory_days",
    metadata,
    Column("memory_id", String(26), ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("what", String(8), primary_key=True),  # "mention" or "use"
)

memory_triggers = Table(
    "memory_triggers",
    metadata,
    Column("memory_id", String(26), ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("phrase", Text, primary_key=True),  # as a person wrote it
    Column("terms", Text, nullable=False),  # analysed, blank-separated
    Column("what", String(8), nullable=False, server_default=text("'phrase'")),  # "phrase" or "tool"
    Column("embedding", LargeBinary),  # of the phrase; little-endian float32, unit length
    Column("embedding_model", String(64)),
)

memory_firings = Table(
    "memory_firings",
    metadata,
    Column("memory_id", String(26), ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("chat_id", BigInteger, primary_key=True),
    Column("thread_id", BigInteger, primary_key=True),
    Column("fired_at", UtcDateTime, nullable=False),  # the last time its cue brought it up there
)

memory_verdicts = Table(
    "memory_verdicts",
    metadata,
    Column("question", String(8), primary_key=True),  # "merge", "core" or "phantom"
    Column("one", String(26), ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    # Other: the greater id of a pair; ``one`` again where the question is about one memory.
    Column("other", String(26), ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("one_stamp", Integer, nullable=False),  # what each was when it was judged: see `verdicts`
    Column("other_stamp", Integer, nullable=False),
    Column("verdict", String(16), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index("ix_memory_verdicts_other", "other"),
)

memory_changes = Table(
    "memory_changes",
    metadata,
    Column("agent_slug", String(64), primary_key=True),
    Column("scope", String(64), primary_key=True),
    Column("pk", Integer, primary_key=True),  # outlives the memory: a removal is a change
    Column("number", Integer, nullable=False),  # of the row's last change in this scope
    Index("ix_memory_changes_number", "agent_slug", "scope", "number"),
    sqlite_with_rowid=False,
)

for _table in (memories, memory_triggers):
    for _trigger in TRIGGERS[_table.name]:
        event.listen(_table, "after_create", DDL(_trigger))  # type: ignore[no-untyped-call]

recall_floors = Table(
    "recall_floors",
    metadata,
    Column("agent_slug", String(64), primary_key=True),
    Column("scope", String(64), primary_key=True),
    Column("digest", String(64), primary_key=True),  # of the embedder
    Column("floor", Float, nullable=False),  # the evidence below which nothing here is an answer
    Column("memories", Integer, nullable=False),  # of how many that was measured
)

recall_centres = Table(
    "recall_centres",
    metadata,
    Column("digest", String(64), primary_key=True),  # of the embedder
    Column("centre", LargeBinary, nullable=False),  # little-endian float32: where questions about nothing lie
)

lived_days = Table(
    "lived_days",
    metadata,
    Column("agent_slug", String(64), primary_key=True),
    Column("scope", String(64), primary_key=True),
    Column("day", Date, primary_key=True),
)

operations = Table(
    "operations",
    metadata,
    Column("id", String(26), primary_key=True),
    Column("agent_slug", String(64), nullable=False),
    Column("scope", String(64), nullable=False),
    Column("memory_id", String(26), index=True),
    # Operation: ADD, UPDATE, DELETE, REINFORCE, NOOP, FORGET, UNDO, MOVE, EXPIRE…
    Column("operation", String(16), nullable=False),
    Column("verdict", String(16), nullable=False),  # accept, reject, quarantine, reinforce
    Column("reason", Text, nullable=False),
    Column("before", JSON),
    Column("after", JSON),
    Column("actor", String(16), nullable=False),
    Column("actor_id", BigInteger),  # the person whose words or wish it was
    Column("turn_key", String(80)),
    Column("at", UtcDateTime, nullable=False),
    Column("undone_at", UtcDateTime),
    Index("ix_operations_scope_at", "agent_slug", "scope", "at"),
    Index("ix_operations_turn", "agent_slug", "turn_key"),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("agent_slug", String(64), nullable=False),
    Column("chat_id", BigInteger, nullable=False),
    Column("thread_id", BigInteger, nullable=False, server_default=text("0")),
    Column("role", String(16), nullable=False),
    Column("speaker", Text, nullable=False),
    Column("speaker_id", BigInteger),
    Column("origin", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("reply_author", Text),
    Column("reply_text", Text),
    Column("telegram_id", BigInteger),
    Column("sent_at", UtcDateTime, nullable=False),
    Column("turn_key", String(80), nullable=False),  # the same words are never recorded twice
    UniqueConstraint("agent_slug", "turn_key", "role"),
    Index("ix_messages_conversation", "agent_slug", "chat_id", "thread_id", "id"),
    Index("ix_messages_telegram", "chat_id", "telegram_id"),
    sqlite_autoincrement=True,  # ids are cited as evidence: never given twice
)

conversations = Table(
    "conversations",
    metadata,
    Column("agent_slug", String(64), primary_key=True),
    Column("chat_id", BigInteger, primary_key=True),
    Column("thread_id", BigInteger, primary_key=True),
    # History after: the message of the last /new; older ones stay out of prompts.
    Column("history_after", Integer, nullable=False, server_default=text("0")),
    Column("reflected_to", Integer, nullable=False, server_default=text("0")),  # the reflection cursor, a message id
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("agent_slug", String(64), primary_key=True),
    Column("scope", String(64), primary_key=True),
    Column("digest", String(64), primary_key=True),  # keyed hash of the forgotten, normalised text
    Column("at", UtcDateTime, nullable=False),
)

keys = Table(
    "keys",
    metadata,
    # Name: "tombstones" is random and never leaves the file; for "analysis" see `reanalysis`.
    Column("name", String(32), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
