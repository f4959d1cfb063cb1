"""Create the tables: memories and what belongs to them, the transcript, people, queues, ledgers."""

from alembic import op

revision = "0001"
down_revision = None

# Plain SQL, for this is what stands in the file. `memories` and `memories_fts` share rowids.
TABLES = {
    "memories": """
        CREATE TABLE memories (
            pk INTEGER NOT NULL,
            id VARCHAR(26) NOT NULL,
            agent_slug VARCHAR(64) NOT NULL,
            scope VARCHAR(64) NOT NULL,
            text TEXT NOT NULL,
            normalised TEXT NOT NULL,
            kind VARCHAR(16) NOT NULL,
            layer VARCHAR(16) NOT NULL,
            importance INTEGER NOT NULL,
            status VARCHAR(16) NOT NULL,
            subject TEXT,
            speaker TEXT,
            speaker_id BIGINT,
            trust VARCHAR(16) NOT NULL,
            mentions INTEGER DEFAULT 0 NOT NULL,
            uses INTEGER DEFAULT 0 NOT NULL,
            created_at DATETIME NOT NULL,
            updated_at DATETIME NOT NULL,
            accessed_at DATETIME NOT NULL,
            valid_from DATETIME,
            valid_to DATETIME,
            expires_at DATETIME,
            revision INTEGER DEFAULT 1 NOT NULL,
            embedding BLOB,
            embedding_model VARCHAR(64),
            superseded_by VARCHAR(26),
            pinned BOOLEAN DEFAULT 0 NOT NULL,
            CONSTRAINT pk_memories PRIMARY KEY (pk),
            CONSTRAINT ck_memories_importance CHECK (importance BETWEEN 1 AND 10),
            CONSTRAINT ck_memories_text CHECK (length(text) BETWEEN 1 AND 600),
            CONSTRAINT uq_memories_id UNIQUE (id)
        )
    """,
    "memories_fts": """
        CREATE VIRTUAL TABLE memories_fts USING fts5(
            scope, terms, detail=column, tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* P* S* C*'"
        )
    """,
    "memory_sources": """
        CREATE TABLE memory_sources (
            memory_id VARCHAR(26) NOT NULL,
            message_id INTEGER NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            CONSTRAINT pk_memory_sources PRIMARY KEY (memory_id, message_id),
            CONSTRAINT fk_memory_sources_memory_id FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
        )
    """,
    "memory_versions": """
        CREATE TABLE memory_versions (
            id INTEGER NOT NULL,
            memory_id VARCHAR(26) NOT NULL,
            revision INTEGER NOT NULL,
            text TEXT NOT NULL,
            valid_from DATETIME,
            valid_to DATETIME,
            CONSTRAINT pk_memory_versions PRIMARY KEY (id),
            CONSTRAINT uq_memory_versions_memory_id_revision UNIQUE (memory_id, revision),
            CONSTRAINT fk_memory_versions_memory_id FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
        )
    """,
    "memory_days": """
        CREATE TABLE memory_days (
            memory_id VARCHAR(26) NOT NULL,
            day DATE NOT NULL,
            what VARCHAR(8) NOT NULL,
            CONSTRAINT pk_memory_days PRIMARY KEY (memory_id, day, what),
            CONSTRAINT fk_memory_days_memory_id FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
        )
    """,
    "memory_triggers": """
        CREATE TABLE memory_triggers (
            memory_id VARCHAR(26) NOT NULL,
            phrase TEXT NOT NULL,
            terms TEXT NOT NULL,
            what VARCHAR(8) DEFAULT 'phrase' NOT NULL,
            CONSTRAINT pk_memory_triggers PRIMARY KEY (memory_id, phrase),
            CONSTRAINT fk_memory_triggers_memory_id FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
        )
    """,
    "lived_days": """
        CREATE TABLE lived_days (
            agent_slug VARCHAR(64) NOT NULL,
            scope VARCHAR(64) NOT NULL,
            day DATE NOT NULL,
            CONSTRAINT pk_lived_days PRIMARY KEY (agent_slug, scope, day)
        )
    """,
    "operations": """
        CREATE TABLE operations (
            id VARCHAR(26) NOT NULL,
            agent_slug VARCHAR(64) NOT NULL,
            scope VARCHAR(64) NOT NULL,
            memory_id VARCHAR(26),
            operation VARCHAR(16) NOT NULL,
            verdict VARCHAR(16) NOT NULL,
            reason TEXT NOT NULL,
            "before" JSON,
            "after" JSON,
            actor VARCHAR(16) NOT NULL,
            actor_id BIGINT,
            turn_key VARCHAR(80),
            at DATETIME NOT NULL,
            undone_at DATETIME,
            CONSTRAINT pk_operations PRIMARY KEY (id)
        )
    """,
    "messages": """
        CREATE TABLE messages (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            agent_slug VARCHAR(64) NOT NULL,
            chat_id BIGINT NOT NULL,
            thread_id BIGINT DEFAULT 0 NOT NULL,
            role VARCHAR(16) NOT NULL,
            speaker TEXT NOT NULL,
            speaker_id BIGINT,
            origin VARCHAR(16) NOT NULL,
            text TEXT NOT NULL,
            reply_author TEXT,
            reply_text TEXT,
            telegram_id BIGINT,
            sent_at DATETIME NOT NULL,
            turn_key VARCHAR(80) NOT NULL,
            CONSTRAINT uq_messages_agent_slug_turn_key_role UNIQUE (agent_slug, turn_key, role)
        )
    """,
    "conversations": """
        CREATE TABLE conversations (
            agent_slug VARCHAR(64) NOT NULL,
            chat_id BIGINT NOT NULL,
            thread_id BIGINT NOT NULL,
            history_after INTEGER DEFAULT 0 NOT NULL,
            reflected_to INTEGER DEFAULT 0 NOT NULL,
            CONSTRAINT pk_conversations PRIMARY KEY (agent_slug, chat_id, thread_id)
        )
    """,
    "tombstones": """
        CREATE TABLE tombstones (
            agent_slug VARCHAR(64) NOT NULL,
            scope VARCHAR(64) NOT NULL,
            digest VARCHAR(64) NOT NULL,
            at DATETIME NOT NULL,
            CONSTRAINT pk_tombstones PRIMARY KEY (agent_slug, scope, digest)
        )
    """,
    "keys": """
        CREATE TABLE keys (
            name VARCHAR(32) NOT NULL,
            value BLOB NOT NULL,
            CONSTRAINT pk_keys PRIMARY KEY (name)
        )
    """,
    "people": """
        CREATE TABLE people (
            person_id BIGINT NOT NULL,
            name TEXT NOT NULL,
            username TEXT,
            access VARCHAR(16),
            refused_at DATETIME,
            updated_at DATETIME NOT NULL,
            CONSTRAINT pk_people PRIMARY KEY (person_id)
        )
    """,
    "chats": """
        CREATE TABLE chats (
            chat_id BIGINT NOT NULL,
            kind VARCHAR(16) NOT NULL,
            title TEXT,
            access VARCHAR(16),
            listen VARCHAR(16) DEFAULT 'addressed' NOT NULL,
            reachable BOOLEAN DEFAULT 1 NOT NULL,
            migrated_to BIGINT,
            timezone VARCHAR(64),
            updated_at DATETIME NOT NULL,
            CONSTRAINT pk_chats PRIMARY KEY (chat_id)
        )
    """,
    "inbox": """
        CREATE TABLE inbox (
            id INTEGER NOT NULL,
            bot_id BIGINT NOT NULL,
            update_id BIGINT NOT NULL,
            chat_id BIGINT,
            thread_id BIGINT DEFAULT 0 NOT NULL,
            payload JSON NOT NULL,
            state VARCHAR(16) NOT NULL,
            attempts INTEGER DEFAULT 0 NOT NULL,
            error TEXT,
            received_at DATETIME NOT NULL,
            done_at DATETIME,
            CONSTRAINT pk_inbox PRIMARY KEY (id),
            CONSTRAINT uq_inbox_bot_id_update_id UNIQUE (bot_id, update_id)
        )
    """,
    "outbox": """
        CREATE TABLE outbox (
            id INTEGER NOT NULL,
            bot_id BIGINT NOT NULL,
            turn_key VARCHAR(80) NOT NULL,
            seq INTEGER NOT NULL,
            chat_id BIGINT NOT NULL,
            thread_id BIGINT DEFAULT 0 NOT NULL,
            reply_to BIGINT,
            text TEXT NOT NULL,
            entities JSON NOT NULL,
            state VARCHAR(16) NOT NULL,
            attempts INTEGER DEFAULT 0 NOT NULL,
            repeat BOOLEAN DEFAULT 0 NOT NULL,
            not_before DATETIME,
            sent_id BIGINT,
            error TEXT,
            created_at DATETIME NOT NULL,
            sent_at DATETIME,
            CONSTRAINT pk_outbox PRIMARY KEY (id),
            CONSTRAINT uq_outbox_turn_key_seq UNIQUE (turn_key, seq)
        )
    """,
    "reflections": """
        CREATE TABLE reflections (
            id INTEGER NOT NULL,
            chat_id BIGINT NOT NULL,
            thread_id BIGINT DEFAULT 0 NOT NULL,
            turn_key VARCHAR(80) NOT NULL,
            up_to INTEGER NOT NULL,
            state VARCHAR(16) NOT NULL,
            attempts INTEGER DEFAULT 0 NOT NULL,
            not_before DATETIME,
            error TEXT,
            created_at DATETIME NOT NULL,
            done_at DATETIME,
            CONSTRAINT pk_reflections PRIMARY KEY (id),
            CONSTRAINT uq_reflections_turn_key UNIQUE (turn_key)
        )
    """,
    "recalls": """
        CREATE TABLE recalls (
            turn_key VARCHAR(80) NOT NULL,
            chat_id BIGINT NOT NULL,
            thread_id BIGINT DEFAULT 0 NOT NULL,
            parts JSON NOT NULL,
            at DATETIME NOT NULL,
            CONSTRAINT pk_recalls PRIMARY KEY (turn_key)
        )
    """,
    "usage": """
        CREATE TABLE usage (
            id INTEGER NOT NULL,
            at DATETIME NOT NULL,
            purpose VARCHAR(16) NOT NULL,
            model TEXT NOT NULL,
            chat_id BIGINT,
            person_id BIGINT,
            prompt_tokens INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            cost_micro_usd BIGINT,
            turn_key VARCHAR(80),
            CONSTRAINT pk_usage PRIMARY KEY (id)
        )
    """,
    "settings": """
        CREATE TABLE settings (
            "key" VARCHAR(80) NOT NULL,
            value JSON NOT NULL,
            updated_at DATETIME NOT NULL,
            CONSTRAINT pk_settings PRIMARY KEY ("key")
        )
    """,
    "maintenance_runs": """
        CREATE TABLE maintenance_runs (
            id INTEGER NOT NULL,
            started_at DATETIME NOT NULL,
            finished_at DATETIME,
            report JSON,
            CONSTRAINT pk_maintenance_runs PRIMARY KEY (id)
        )
    """,
}

INDEXES = (
    "CREATE INDEX ix_memories_expires ON memories (expires_at) WHERE expires_at IS NOT NULL",
    "CREATE INDEX ix_memories_normalised ON memories (agent_slug, scope, normalised)",
    "CREATE INDEX ix_memories_visible ON memories (agent_slug, scope, status)",
    "CREATE INDEX ix_memory_versions_memory_id ON memory_versions (memory_id)",
    "CREATE INDEX ix_operations_memory_id ON operations (memory_id)",
    "CREATE INDEX ix_operations_scope_at ON operations (agent_slug, scope, at)",
    "CREATE INDEX ix_operations_turn ON operations (agent_slug, turn_key)",
    "CREATE INDEX ix_messages_conversation ON messages (agent_slug, chat_id, thread_id, id)",
    "CREATE INDEX ix_messages_telegram ON messages (chat_id, telegram_id)",
    "CREATE INDEX ix_inbox_state ON inbox (state, id)",
    "CREATE INDEX ix_outbox_state ON outbox (state, id)",
    "CREATE INDEX ix_reflections_state ON reflections (state, id)",
    "CREATE INDEX ix_recalls_chat ON recalls (chat_id, thread_id, at)",
    "CREATE INDEX ix_usage_at ON usage (at)",
)


def upgrade() -> None:
    """Create every table and index."""
    for statement in (*TABLES.values(), *INDEXES):
        op.execute(statement)


def downgrade() -> None:
    """Drop them, those that point at others first; their indexes go with them."""
    for name in reversed(TABLES):
        op.execute(f"DROP TABLE {name}")
