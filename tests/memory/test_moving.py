"""A chat that gets another number takes everything of its own along, and nothing else."""

from datetime import date, timedelta

import pytest
from sqlalchemy import select

from memory import journal, lived, store, tombstones, transcript
from memory.domain import Actor, Conversation, chat_scope
from memory.moving import move_chat
from memory.tables import conversations
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CHAT, ELSEWHERE, HERE, NOW, keep, said

NEW = -1007
THERE = chat_scope(NEW)
DAY = date(2026, 11, 29)


def move(uow: UnitOfWork) -> int:
    return move_chat(uow, AGENT, CHAT, NEW, now=NOW, reason="the group has a new number")


def test_everything_of_the_chat_moves_and_only_that(uow: UnitOfWork) -> None:
    mine, theirs = keep(uow, "table seventeen"), keep(uow, "Fontaine suite", ELSEWHERE)
    topic = Conversation(CHAT, 5)
    first = transcript.add(uow, **said("hello", "k1"))
    transcript.add(uow, **said("in the topic", "k2", conversation=topic))
    transcript.cut(uow, AGENT, topic)
    transcript.set_cursor(uow, AGENT, Conversation(CHAT), first.id)
    tombstones.set_up(uow, AGENT, HERE, "gone", NOW)
    lived.mark(uow, AGENT, HERE, DAY)
    assert move(uow) == 1
    assert [m.id for m in store.visible(uow, AGENT, THERE)] == [mine.id]
    assert store.visible(uow, AGENT, HERE) == ()
    assert store.visible(uow, AGENT, ELSEWHERE) == (theirs,)
    assert [m.text for m in transcript.recent(uow, AGENT, Conversation(NEW), 9)] == ["hello"]
    assert transcript.recent(uow, AGENT, Conversation(NEW, 5), 9) == ()
    assert transcript.cursor(uow, AGENT, Conversation(NEW)) == first.id
    assert tombstones.stands(uow, AGENT, THERE, "gone")
    assert lived.days_lived(uow, AGENT, THERE) == (DAY,)
    assert lived.days_lived(uow, AGENT, HERE) == ()
    assert {row.chat_id for row in uow.connection.execute(select(conversations))} == {NEW}


def test_a_second_notice_of_the_move_changes_nothing(uow: UnitOfWork) -> None:
    keep(uow, "table seventeen")
    assert [move(uow), move(uow)] == [1, 0]
    assert move_chat(uow, AGENT, NEW, NEW, now=NOW, reason="same") == 0


def test_moving_into_a_chat_that_lives_already_joins_the_two(uow: UnitOfWork) -> None:
    for scope in (HERE, THERE):
        keep(uow, f"known in {scope}", scope)
        lived.mark(uow, AGENT, scope, DAY)
        tombstones.set_up(uow, AGENT, scope, "gone", NOW)
    for chat, cursor in ((CHAT, 3), (NEW, 5)):
        transcript.set_cursor(uow, AGENT, Conversation(chat), cursor)
    assert move(uow) == 1
    assert len(store.visible(uow, AGENT, THERE)) == 2
    assert lived.days_lived(uow, AGENT, THERE) == (DAY,)
    assert transcript.cursor(uow, AGENT, Conversation(NEW)) == 5
    assert tombstones.stands(uow, AGENT, THERE, "gone")


def test_what_happened_before_the_move_can_still_be_taken_back(uow: UnitOfWork) -> None:
    keep(uow, "table seventeen")
    move(uow)
    operation = journal.last_undoable(uow, AGENT, THERE, None, since=NOW - timedelta(days=1))
    assert operation is not None
    assert isinstance(journal.undo(uow, operation, now=NOW, by=None), journal.Undone)
    assert store.visible(uow, AGENT, THERE) == ()


@pytest.mark.parametrize("scope", [HERE, THERE])
def test_an_undo_after_the_move_stays_in_the_new_chat(uow: UnitOfWork, scope: str) -> None:
    """The scope of a change that did not touch it is not restored."""
    memory = keep(uow, "first")
    store.change(uow, memory, now=NOW, cause=journal.Cause("UPDATE", Actor.REFLECTION, "ok"), text="second")
    move(uow)
    operation = journal.last_undoable(uow, AGENT, THERE, None, since=NOW - timedelta(days=1))
    assert operation is not None
    journal.undo(uow, operation, now=NOW, by=None)
    assert [m.text for m in store.visible(uow, AGENT, chat_scope(int(scope[5:])))] == (
        ["first"] if scope == THERE else []
    )
