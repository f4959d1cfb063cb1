-- A little of everything that revision 0004 can hold, awkward text included.
INSERT INTO memories (pk, id, agent_slug, scope, text, normalised, kind, layer, importance, status, subject, speaker, speaker_id, trust, mentions, uses, created_at, updated_at, accessed_at, valid_from, valid_to, expires_at, revision, embedding, embedding_model, superseded_by, pinned) VALUES
 (7, '01JABCDEFGHJKMNPQRSTVWXYZ1', 'tidemark', 'chat:41', 'Anna''s dentist is Dr Alvarez', 'annas dentist is dr alvarez', 'semantic', 'working', 8, 'active', 'Anna', 'Anna', 41, 'owner', 2, 1, '2026-11-29 08:00:00.000000', '2026-11-29 08:00:00.000000', '2026-11-29 08:00:00.000000', NULL, NULL, '2026-12-03 23:00:00.000000', 3, x'0000803f', 'digest', NULL, 1),
 (9, '01JABCDEFGHJKMNPQRSTVWXYZ2', 'tidemark', 'global', '她住在里斯本 🌊', '她住在里斯本', 'semantic', 'core', 10, 'superseded', NULL, NULL, NULL, 'member', 0, 0, '2026-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000', '2025-01-01 00:00:00.000000', '2026-01-01 00:00:00.000000', NULL, 1, NULL, NULL, '01JABCDEFGHJKMNPQRSTVWXYZ1', 0);
INSERT INTO memories_fts (rowid, scope, terms) VALUES (7, 'chat41', 'anna dentist dr alvarez'), (9, 'global', '里斯 斯本');
INSERT INTO memory_sources VALUES ('01JABCDEFGHJKMNPQRSTVWXYZ1', 3, 0, 12);
INSERT INTO memory_versions (id, memory_id, revision, text, valid_from, valid_to) VALUES (1, '01JABCDEFGHJKMNPQRSTVWXYZ1', 2, 'Anna''s dentist is Dr Braun', NULL, '2026-11-29 08:00:00.000000');
INSERT INTO memory_days VALUES ('01JABCDEFGHJKMNPQRSTVWXYZ1', '2026-11-29', 'mention');
INSERT INTO memory_triggers (memory_id, phrase, terms) VALUES ('01JABCDEFGHJKMNPQRSTVWXYZ1', 'tooth ache', 'tooth ach');
INSERT INTO lived_days VALUES ('tidemark', 'chat:41', '2026-11-29');
INSERT INTO operations (id, agent_slug, scope, memory_id, operation, verdict, reason, "before", "after", actor, actor_id, turn_key, at) VALUES ('01JABCDEFGHJKMNPQRSTVWXYZ3', 'tidemark', 'chat:41', '01JABCDEFGHJKMNPQRSTVWXYZ1', 'UPDATE', 'accept', 'ok', '{"text": "Anna''s dentist is Dr Braun"}', '{"text": "…"}', 'reflection', 41, 'tg:1:2', '2026-11-29 08:00:00.000000');
INSERT INTO messages (id, agent_slug, chat_id, thread_id, role, speaker, speaker_id, origin, text, telegram_id, sent_at, turn_key) VALUES (3, 'tidemark', 41, 0, 'user', 'Anna', 41, 'own', 'Dr Alvarez now.', 2, '2026-11-29 08:00:00.000000', 'tg:1:2');
INSERT INTO conversations (agent_slug, chat_id, thread_id, reflected_to) VALUES ('tidemark', 41, 0, 3);
INSERT INTO tombstones VALUES ('tidemark', 'chat:41', 'abc', '2026-11-29 08:00:00.000000');
INSERT INTO keys VALUES ('tombstones', x'00ff');
INSERT INTO people (person_id, name, access, updated_at) VALUES (41, 'Anna', 'allowed', '2026-11-29 08:00:00.000000');
INSERT INTO chats (chat_id, kind, title, updated_at) VALUES (-10042, 'group', 'Family', '2026-11-29 08:00:00.000000');
INSERT INTO inbox (bot_id, update_id, chat_id, payload, state, received_at) VALUES (1, 2, 41, '{"update_id": 2}', 'done', '2026-11-29 08:00:00.000000');
INSERT INTO outbox (bot_id, turn_key, seq, chat_id, text, entities, state, created_at) VALUES (1, 'tg:1:2', 0, 41, 'Noted.', '[]', 'sent', '2026-11-29 08:00:01.000000');
INSERT INTO reflections (chat_id, turn_key, up_to, state, created_at) VALUES (41, 'tg:1:2', 3, 'done', '2026-11-29 08:00:01.000000');
INSERT INTO recalls (turn_key, chat_id, parts, at) VALUES ('tg:1:2', 41, '[]', '2026-11-29 08:00:01.000000');
INSERT INTO usage (at, purpose, model, prompt_tokens, completion_tokens) VALUES ('2026-11-29 08:00:01.000000', 'turn', 'offline', 10, 2);
INSERT INTO settings VALUES ('offset:1', '{"offset": 3}', '2026-11-29 08:00:00.000000');
INSERT INTO maintenance_runs (started_at, report) VALUES ('2026-11-29 08:00:00.000000', '{}');
UPDATE memory_changes SET number = 1; -- triggers made the rows; a migration numbers what it finds from one
INSERT INTO recall_floors (agent_slug, scope, digest, floor, memories) VALUES ('tidemark', 'chat:41', 'digest', 0.375, 120);
INSERT INTO recall_centres (digest, centre) VALUES ('digest', x'0000803f');
INSERT INTO memory_firings (memory_id, chat_id, thread_id, fired_at) VALUES ('01JABCDEFGHJKMNPQRSTVWXYZ1', -10042, 7, '2026-11-29 08:00:00.000000');
INSERT INTO memory_verdicts (question, one, other, one_stamp, other_stamp, verdict, at) VALUES ('merge', '01JABCDEFGHJKMNPQRSTVWXYZ1', '01JABCDEFGHJKMNPQRSTVWXYZ2', 3, 1, 'distinct', '2026-11-29 08:00:00.000000');
