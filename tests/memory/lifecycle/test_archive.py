from datetime import timedelta

from memory import journal, store
from memory.domain import Actor, Layer, Status
from memory.lifecycle.archive import RESURRECT, resurrect
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, ELSEWHERE, HERE, NOW, keep

LATER = NOW + timedelta(days=200)


def test_a_resurrected_memory_is_active_working_and_used_now(uow: UnitOfWork) -> None:
    """As if it had never slept; its words and its weight stay."""
    memory = keep(uow, "The locksmith is called Anacleto", status=Status.ARCHIVED, layer=Layer.BUFFER)
    back = resurrect(uow, AGENT, HERE, memory, now=LATER, turn_key="tg:1:2")
    assert back is not None
    assert (back.status, back.layer, back.accessed_at) == (Status.ACTIVE, Layer.WORKING, LATER)
    assert (back.text, back.uses, back.mentions) == (memory.text, memory.uses, memory.mentions)
    assert store.get(uow, AGENT, HERE, memory.id) == back


def test_it_is_journaled_once(uow: UnitOfWork) -> None:
    """A second call finds nothing to do."""
    memory = keep(uow, "The locksmith is called Anacleto", status=Status.ARCHIVED)
    resurrect(uow, AGENT, HERE, memory, now=LATER, turn_key="tg:1:2")
    assert resurrect(uow, AGENT, HERE, memory, now=LATER) is None
    entries = [one for one in journal.of_memory(uow, AGENT, HERE, memory.id) if one.operation == RESURRECT]
    assert [(one.actor, one.turn_key) for one in entries] == [(Actor.MAINTENANCE, "tg:1:2")]


def test_a_person_takes_it_back_with_undo_where_it_was_their_wish(uow: UnitOfWork) -> None:
    """With a person as cause it is that person's last change."""
    memory = keep(uow, "The locksmith is called Anacleto", status=Status.ARCHIVED)
    resurrect(uow, AGENT, HERE, memory, now=LATER, actor=Actor.PERSON, actor_id=7)
    operation = journal.last_undoable(uow, AGENT, HERE, 7, since=NOW)
    assert operation is not None
    journal.undo(uow, operation, now=LATER, by=7)
    again = store.get(uow, AGENT, HERE, memory.id)
    assert again is not None
    assert again.status is Status.ARCHIVED


def test_what_is_not_archived_or_not_to_be_seen_stays_as_it_is(uow: UnitOfWork) -> None:
    """Forgotten, confirmed by nobody, or of another chat."""
    active, hidden = keep(uow, "awake"), keep(uow, "doubtful", status=Status.QUARANTINED)
    other = keep(uow, "asleep elsewhere", scope=ELSEWHERE, status=Status.ARCHIVED)
    gone = keep(uow, "gone", status=Status.ARCHIVED)
    store.erase(uow, gone)
    assert [resurrect(uow, AGENT, HERE, one, now=LATER) for one in (active, hidden, other, gone)] == [None] * 4


def test_a_dated_matter_that_is_over_is_shown_and_stays_archived(uow: UnitOfWork) -> None:
    """Else it would be archived again at every pass; one yet to come wakes."""
    over = keep(uow, "Dentist on 1 December", status=Status.ARCHIVED, expires_at=LATER - timedelta(days=1))
    ahead = keep(uow, "Wedding on 1 July", status=Status.ARCHIVED, expires_at=LATER + timedelta(days=1))
    assert resurrect(uow, AGENT, HERE, over, now=LATER) is None
    assert resurrect(uow, AGENT, HERE, ahead, now=LATER) is not None
