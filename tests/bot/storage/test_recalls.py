"""Which memories stood in the prompt of a turn."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.storage import recalls
from memory.domain import AgentSlug, Conversation, Kind, Layer, Memory, MemoryId, Scope, Status, Trust
from memory.recall.values import Parts, Recall, Recalled, parts_from_json
from memory.unit_of_work import UnitOfWork

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
TALK = Conversation(7)


def memory(memory_id: str) -> Memory:
    fields: dict[str, Any] = dict.fromkeys(
        ("subject", "speaker", "speaker_id", "valid_from", "valid_to", "expires_at", "embedding_model", "superseded_by")
    )
    fields |= {"kind": Kind.SEMANTIC, "layer": Layer.CORE, "status": Status.ACTIVE, "trust": Trust.OWNER}
    fields |= {"importance": 5, "mentions": 0, "uses": 0, "revision": 1, "pinned": False}
    times = dict.fromkeys(("created_at", "updated_at", "accessed_at"), NOW)
    return Memory(MemoryId(memory_id), AgentSlug("a"), Scope("chat:7"), "My ex is Leontine.", **fields, **times)


def recall(*ids: str) -> Recall:
    parts = Parts(("ex",), 1.5, None, 0.5, 5, 0.9, 0.7)
    return Recall(tuple(Recalled(memory(memory_id), parts) for memory_id in ids))


def test_the_latest_turn_of_a_conversation_is_given_back(unit: UnitOfWork) -> None:
    recalls.save(unit, "k1", TALK, recall("m1"), NOW)
    recalls.save(unit, "k2", TALK, recall("m2", "m3"), NOW + timedelta(minutes=1))
    recalls.save(unit, "k3", Conversation(7, 5), recall("m4"), NOW + timedelta(minutes=2))
    saved = recalls.last(unit, TALK)
    assert saved is not None
    assert list(parts_from_json(saved)) == ["m2", "m3"]
    assert recalls.last(unit, Conversation(9)) is None


def test_no_text_of_a_memory_is_kept(unit: UnitOfWork) -> None:
    recalls.save(unit, "k1", TALK, recall("m1"), NOW)
    assert "Leontine" not in str(recalls.last(unit, TALK))


def test_a_turn_taken_again_replaces_what_it_recalled(unit: UnitOfWork) -> None:
    recalls.save(unit, "k1", TALK, recall("m1"), NOW)
    recalls.save(unit, "k1", TALK, recall(), NOW)
    assert recalls.memory_ids(unit, ["k1"]) == ()


def test_several_turns_give_each_memory_once_latest_turn_first(unit: UnitOfWork) -> None:
    recalls.save(unit, "k1", TALK, recall("m1", "m2"), NOW)
    recalls.save(unit, "k2", TALK, recall("m2", "m3"), NOW + timedelta(minutes=1))
    assert recalls.memory_ids(unit, ["k1", "k2", "unknown"]) == ("m2", "m3", "m1")


def test_trimming_and_moving(unit: UnitOfWork) -> None:
    recalls.save(unit, "k1", TALK, recall("m1"), NOW)
    recalls.save(unit, "k2", TALK, recall("m2"), NOW + timedelta(days=2))
    assert recalls.old(unit, NOW + timedelta(days=1)) == 1
    assert [recalls.trim(unit, NOW + timedelta(days=1)) for _ in range(2)] == [1, 0]
    recalls.move_chat(unit, 7, -1007)
    assert recalls.last(unit, Conversation(-1007)) is not None
    assert recalls.last(unit, TALK) is None
