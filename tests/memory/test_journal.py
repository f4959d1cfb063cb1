"""Every change can be taken back, newest first, to exactly what was there before."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from memory import journal, snapshots, store
from memory.database import Database
from memory.domain import GLOBAL, Actor, AgentSlug, Layer, Memory, Status, chat_scope
from memory.entries import MOVE, Cause, OperationId
from memory.reflection.operations import Outcome, Reason
from memory.tables import memories, operations
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CAUSE, CHAT, DIGEST, ELSEWHERE, HERE, NOW, Sink, keep, new, vector

LATER = NOW + timedelta(hours=3)
SINCE = NOW - timedelta(days=30)
BOB = 99


def cause(operation: str, actor_id: int | None = CHAT, actor: Actor = Actor.REFLECTION) -> Cause:
    return Cause(operation, actor, "ok", actor_id=actor_id)


def change(
    uow: UnitOfWork, memory: Memory, operation: str = "UPDATE", actor_id: int | None = CHAT, **fields: Any
) -> store.Written:
    return store.change(uow, memory, now=LATER, cause=cause(operation, actor_id), **fields)


def undo(uow: UnitOfWork, operation: OperationId, **options: Any) -> journal.Undone | journal.CannotUndo:
    return journal.undo(uow, operation, now=LATER, by=CHAT, **options)


def last(uow: UnitOfWork, scope: Any = HERE, person: int | None = None) -> OperationId | None:
    return journal.last_undoable(uow, AGENT, scope, person, since=SINCE)


def state(uow: UnitOfWork, memory: Memory) -> Any:
    """Give everything but the revision, which only grows."""
    taken = snapshots.take(uow, memory.id)
    return taken and {**taken, "memory": {k: v for k, v in taken["memory"].items() if k != "revision"}}


def full_text(uow: UnitOfWork) -> list[tuple[Any, ...]]:
    return [
        tuple(row)
        for row in uow.connection.exec_driver_sql("SELECT rowid, scope, terms FROM memories_fts ORDER BY rowid")
    ]


@pytest.mark.parametrize(
    ("operation", "fields"),
    [
        ("UPDATE", {"text": "Anna lives in Berlin.", "importance": 9, "valid_from": LATER, "speaker": "Bob"}),
        ("DELETE", {"status": Status.SUPERSEDED, "valid_to": LATER}),
        ("REINFORCE", {"mentions": 1, "accessed_at": LATER, "mentioned": True}),
        ("MOVE", {"scope": GLOBAL}),
        ("PIN", {"pinned": True}),
        ("UPDATE", {"said_in": new("x", sources=((1, 2, 9), (2, 0, 3)), triggers=("Rome",))}),
    ],
)
def test_undo_restores_the_former_state(uow: UnitOfWork, operation: str, fields: dict[str, Any]) -> None:
    memory = keep(uow, "Anna lives in Milan.", sources=((1, 0, 4),), triggers=("Milan",))
    before, words = state(uow, memory), full_text(uow)
    written = change(uow, memory, operation, **fields)
    assert state(uow, memory) != before
    undone = undo(uow, written.operation_id)
    assert isinstance(undone, journal.Undone)
    assert undone.memory is not None
    assert (state(uow, memory), full_text(uow)) == (before, words)
    assert undone.memory.revision > written.memory.revision


def test_undoing_an_addition_leaves_nothing_but_the_journal(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        keep(uow, "Anna sings.", vector=vector(), digest=DIGEST, index=sink)
        operation = last(uow)
        assert operation is not None
        undone = undo(uow, operation, index=sink)
        assert isinstance(undone, journal.Undone)
        assert "Anna sings." in undone.summary
        assert (undone.memory, full_text(uow)) == (None, [])
        assert uow.connection.execute(select(memories)).all() == []
        assert [row.operation for row in uow.connection.execute(select(operations).order_by(operations.c.id))] == [
            "ADD",
            "UNDO",
        ]
        uow.commit()
    assert sink.held == {}


def test_a_vector_survives_an_undo_exactly_when_the_text_does(database: Database) -> None:
    sink = Sink()
    with database.write() as uow:
        memory = keep(uow, "Anna sings.", vector=vector(), digest=DIGEST, index=sink)
        weight = change(uow, memory, importance=9)
        undo(uow, weight.operation_id, index=sink)
        kept = store.get(uow, AGENT, HERE, memory.id)
        assert kept is not None
        assert kept.embedding_model == DIGEST
        words = change(uow, kept, text="Anna hums.", vector=vector(0, 1, 0), digest=DIGEST, index=sink)
        undone = undo(uow, words.operation_id, index=sink)
        assert isinstance(undone, journal.Undone)
        assert undone.memory is not None
        assert undone.memory.embedding_model is None
        uow.commit()
    assert sink.held == {}


def test_several_changes_are_taken_back_one_by_one_newest_first(uow: UnitOfWork) -> None:
    memory = keep(uow, "first")
    states = [state(uow, memory)]
    for text in ("second", "third"):
        memory = change(uow, memory, text=text).memory
        states.append(state(uow, memory))
    for expected in (states[1], states[0], None):
        operation = last(uow)
        assert operation is not None
        assert isinstance(undo(uow, operation), journal.Undone)
        assert state(uow, memory) == expected
    assert last(uow) is None


def test_a_change_under_a_later_one_is_refused_until_that_is_taken_back(uow: UnitOfWork) -> None:
    memory = keep(uow, "first")
    early = change(uow, memory, text="second")
    late = change(uow, early.memory, importance=9)
    refused = undo(uow, early.operation_id)
    assert isinstance(refused, journal.CannotUndo)
    assert "later change first" in refused.why
    assert isinstance(undo(uow, late.operation_id), journal.Undone)
    assert isinstance(undo(uow, early.operation_id), journal.Undone)


def test_a_change_that_bypassed_the_journal_is_never_overwritten(uow: UnitOfWork) -> None:
    memory = keep(uow, "first")
    written = change(uow, memory, subject="Bob")
    uow.connection.execute(memories.update().values(subject="Carl"))
    assert isinstance(undo(uow, written.operation_id), journal.CannotUndo)


def test_a_use_in_between_neither_blocks_an_undo_nor_is_lost(uow: UnitOfWork) -> None:
    memory = keep(uow, "first")
    written = change(uow, memory, text="second", accessed_at=LATER)
    used = store.use(uow, written.memory, now=LATER + timedelta(hours=2), cause=CAUSE)
    assert used is not None
    undone = undo(uow, written.operation_id)
    assert isinstance(undone, journal.Undone)
    assert undone.memory is not None
    assert (undone.memory.text, undone.memory.uses, undone.memory.accessed_at) == (
        "first",
        1,
        LATER + timedelta(hours=2),
    )


def test_what_maintenance_weighed_in_between_neither_blocks_an_undo_nor_is_lost(uow: UnitOfWork) -> None:
    memory = keep(uow, "first")
    written = change(uow, memory, text="second", importance=9)
    fade = Cause("FADE", Actor.MAINTENANCE, "unused")
    store.change(uow, written.memory, now=LATER, cause=fade, importance=8, layer=Layer.CORE)
    undone = undo(uow, written.operation_id)
    assert isinstance(undone, journal.Undone)
    assert undone.memory is not None
    assert (undone.memory.text, undone.memory.importance, undone.memory.layer) == ("first", 8, Layer.CORE)


def test_a_move_to_a_new_chat_number_does_not_stand_in_the_way(uow: UnitOfWork) -> None:
    memory = keep(uow, "first")
    written = change(uow, memory, text="second")
    store.move_scope(uow, AGENT, HERE, ELSEWHERE, now=LATER, cause=cause(MOVE, None, Actor.MAINTENANCE))
    undone = undo(uow, written.operation_id)
    assert isinstance(undone, journal.Undone)
    assert undone.memory is not None
    assert (undone.memory.text, undone.memory.scope) == ("first", ELSEWHERE)


def test_nothing_is_taken_back_twice(uow: UnitOfWork) -> None:
    written = change(uow, keep(uow, "first"), text="second")
    undo(uow, written.operation_id)
    again = undo(uow, written.operation_id)
    assert isinstance(again, journal.CannotUndo)
    assert "already" in again.why


def test_nothing_older_than_thirty_days_is_taken_back(uow: UnitOfWork) -> None:
    written = change(uow, keep(uow, "first"), text="second")
    late = journal.undo(uow, written.operation_id, now=LATER + timedelta(days=31), by=CHAT)
    assert isinstance(late, journal.CannotUndo)
    assert journal.last_undoable(uow, AGENT, HERE, None, since=LATER + timedelta(days=1)) is None


def test_an_unknown_change_and_an_undo_cannot_be_undone(uow: UnitOfWork) -> None:
    assert isinstance(undo(uow, OperationId("0" * 26)), journal.CannotUndo)
    written = change(uow, keep(uow, "first"), text="second")
    undone = undo(uow, written.operation_id)
    assert isinstance(undone, journal.Undone)
    assert isinstance(undo(uow, undone.operation_id), journal.CannotUndo)


def test_a_person_takes_back_only_what_came_from_their_own_words(uow: UnitOfWork) -> None:
    mine = keep(uow, "mine", cause=cause("ADD", BOB))
    keep(uow, "of somebody else", cause=cause("ADD", CHAT))
    operation = last(uow, person=BOB)
    assert operation is not None
    assert isinstance(undo(uow, operation), journal.Undone)
    assert store.get(uow, AGENT, HERE, mine.id) is None
    assert last(uow, person=BOB) is None
    assert last(uow) is not None


def test_the_last_change_is_never_one_of_another_chat_or_assistant(uow: UnitOfWork) -> None:
    keep(uow, "there", ELSEWHERE)
    keep(uow, "other", agent=AgentSlug("other"))
    assert last(uow) is None


def test_what_was_made_global_in_private_is_taken_back_there_and_in_no_group(uow: UnitOfWork) -> None:
    keep(uow, "Anna is called Anna.", GLOBAL, cause=cause("ADD", CHAT))
    assert last(uow, ELSEWHERE) is None
    assert last(uow, ELSEWHERE, person=CHAT) is None
    assert last(uow, chat_scope(CHAT)) is not None


def test_uses_refusals_upkeep_and_empty_repetitions_are_no_last_change(uow: UnitOfWork) -> None:
    memory = keep(uow, "first", cause=cause("ADD", None, Actor.MAINTENANCE))
    store.use(uow, memory, now=LATER, cause=CAUSE)
    journal.record(uow, cause("REINFORCE"), agent=AGENT, scope=HERE, at=LATER, memory_id=memory.id)
    rejected = Cause("ADD", Actor.REFLECTION, "unsupported", verdict=Outcome.REJECT)
    journal.refuse(
        uow,
        rejected,
        agent=AGENT,
        scope=HERE,
        at=LATER,
        reason=Reason.UNSUPPORTED,
        memory_id=memory.id,
        proposed={"text": "x"},
    )
    assert last(uow) is None


def test_a_refusal_is_kept_with_what_was_proposed(uow: UnitOfWork) -> None:
    rejected = Cause("ADD", Actor.REFLECTION, "unsupported: no such name", verdict=Outcome.REJECT)
    journal.refuse(
        uow, rejected, agent=AGENT, scope=HERE, at=NOW, reason=Reason.UNSUPPORTED, proposed={"text": "Petra\x00"}
    )
    row = uow.connection.execute(select(operations)).one()
    assert (row.verdict, row.reason, row.after) == (
        "reject",
        "unsupported: no such name",
        {"proposed": {"text": "Petra\ufffd"}},
    )


@pytest.mark.parametrize("reason", [Reason.SECRET, Reason.TOMBSTONE])
def test_a_refused_secret_or_forgotten_text_is_not_kept(uow: UnitOfWork, reason: Reason) -> None:
    journal.refuse(uow, cause("ADD"), agent=AGENT, scope=HERE, at=NOW, reason=reason, proposed={"text": "PIN is 4711"})
    assert uow.connection.execute(select(operations)).one().after is None


def test_trimming_takes_old_entries_in_small_batches(uow: UnitOfWork) -> None:
    for number in range(5):
        keep(uow, f"fact {number}", now=NOW + timedelta(days=number))
    assert journal.old(uow, AGENT, NOW + timedelta(days=3)) == 3
    assert journal.old(uow, AgentSlug("other"), NOW + timedelta(days=3)) == 0
    assert journal.trim(uow, AGENT, NOW + timedelta(days=3), limit=2) == 2
    assert journal.trim(uow, AGENT, NOW + timedelta(days=3), limit=2) == 1
    assert journal.trim(uow, AGENT, NOW + timedelta(days=3), limit=2) == 0
    assert journal.trim(uow, AgentSlug("other"), NOW + timedelta(days=99)) == 0
    assert len(uow.connection.execute(select(operations)).all()) == 2
