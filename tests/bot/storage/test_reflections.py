"""The durable queue: nothing is lost, what piled up is one job, failures come to rest."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from bot.storage import reflections
from bot.storage.reflections import GIVE_UP_AFTER, Job, State
from memory.domain import Conversation
from memory.unit_of_work import UnitOfWork

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
TALK, TOPIC, OTHER = Conversation(7), Conversation(7, 5), Conversation(-8)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def enqueue(uow: UnitOfWork, key: str, up_to: int, conversation: Conversation = TALK) -> None:
    reflections.enqueue(uow, key, conversation, up_to, NOW)


def due(uow: UnitOfWork, now: datetime = NOW) -> tuple[Job, ...]:
    return reflections.due(uow, now)


def test_what_piled_up_in_a_conversation_is_one_job_up_to_the_newest(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4)
    enqueue(unit, "b", 3, OTHER)
    enqueue(unit, "c", 9)
    enqueue(unit, "d", 5, TOPIC)
    assert due(unit) == (Job(TALK, 9, ("a", "c"), 0), Job(OTHER, 3, ("b",), 0), Job(TOPIC, 5, ("d",), 0))


def test_the_same_turn_asks_once(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4)
    enqueue(unit, "a", 9)
    assert due(unit) == (Job(TALK, 4, ("a",), 0),)


def test_done_closes_what_was_covered_and_leaves_the_rest(unit: UnitOfWork) -> None:
    for key, up_to in (("a", 4), ("b", 9)):
        enqueue(unit, key, up_to)
    enqueue(unit, "t", 2, TOPIC)
    (job, topic) = due(unit)
    reflections.done(unit, job, 4, NOW)
    assert due(unit) == (Job(TALK, 9, ("b",), 0), topic)
    reflections.done(unit, job, 9, NOW)
    assert due(unit) == (topic,)
    assert reflections.counts(unit) == {State.DONE: 2, State.PENDING: 1}


def test_a_postponed_job_waits_for_its_time(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4)
    reflections.retry(unit, due(unit)[0], NOW + HOUR, "ModelUnreachable")
    assert due(unit) == ()
    assert reflections.next_due(unit) == NOW + HOUR
    assert due(unit, NOW + HOUR) == (Job(TALK, 4, ("a",), 1),)


def test_something_new_takes_along_what_waits_and_counts_its_own_tries(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4)
    reflections.retry(unit, due(unit)[0], NOW + HOUR, "x")
    enqueue(unit, "b", 6)
    assert due(unit) == (Job(TALK, 6, ("a", "b"), 0),)
    reflections.retry(unit, due(unit)[0], NOW + HOUR, "x")
    assert due(unit) == ()
    assert due(unit, NOW + HOUR) == (Job(TALK, 6, ("a", "b"), 1),)


def test_a_failed_job_is_kept_and_covered_by_a_later_success(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4)
    reflections.failed(unit, due(unit)[0], "x", NOW)
    assert due(unit) == ()
    assert reflections.counts(unit) == {State.FAILED: 1}
    enqueue(unit, "b", 6)
    reflections.done(unit, due(unit)[0], 6, NOW)
    assert reflections.counts(unit) == {State.DONE: 2}


def test_failed_jobs_are_taken_up_once_a_day_and_not_for_ever(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4)
    now, rounds = NOW, 0
    reflections.failed(unit, due(unit)[0], "x", now)
    assert reflections.take_up_failed(unit, now + HOUR) == 0
    while reflections.take_up_failed(unit, now := now + DAY):
        rounds += 1
        reflections.failed(unit, due(unit, now)[0], "x", now)
    assert rounds == GIVE_UP_AFTER - 1
    assert reflections.counts(unit) == {State.FAILED: 1}


def test_a_job_from_before_touches_nothing_that_came_since(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4)
    old = due(unit)[0]
    enqueue(unit, "b", 6)
    reflections.failed(unit, old, "x", NOW)
    assert due(unit) == (Job(TALK, 6, ("b",), 0),)


def test_only_done_rows_are_trimmed(unit: UnitOfWork) -> None:
    for number in range(3):
        enqueue(unit, f"k{number}", number)
    reflections.done(unit, due(unit)[0], 1, NOW)
    assert reflections.old(unit, NOW + HOUR) == 2
    assert [reflections.trim(unit, NOW + HOUR, limit=1) for _ in range(3)] == [1, 1, 0]
    assert len(due(unit)) == 1


def test_the_queue_follows_its_chat(unit: UnitOfWork) -> None:
    enqueue(unit, "a", 4, TOPIC)
    reflections.move_chat(unit, 7, -1007)
    assert due(unit) == (replace(Job(TOPIC, 4, ("a",), 0), conversation=Conversation(-1007, 5)),)
