"""Cues that people say all the time force nothing."""

import pytest

from memory import journal, store, transcript
from memory.attachments import Triggers, triggers_of
from memory.domain import GLOBAL, Conversation, Kind, Origin, Role, Scope, Status, chat_scope
from memory.triggers import commonness
from memory.unit_of_work import UnitOfWork
from tests.memory.lifecycle.lives import fresh
from tests.memory.reflection.test_application import LATER, verdict, write
from tests.memory.samples import AGENT, CHAT, HERE, NOW, Sink, keep, new, said


class Engine:
    agent = AGENT
    digest = None
    index = None


ENGINE = Engine()


def say(uow: UnitOfWork, *texts: str, **fields: object) -> None:
    for n, text in enumerate(texts):
        transcript.add(uow, **said(text, f"{sorted(fields)}{texts[0]}{n}", **fields))


def weigh(uow: UnitOfWork, scope: Scope = HERE) -> int:
    return commonness.mark_cues(uow, commonness.weigh_cues(uow, ENGINE, scope))


def undo(uow: UnitOfWork) -> None:
    change = journal.last_undoable(uow, AGENT, HERE, None, since=NOW)
    assert change is not None
    assert isinstance(journal.undo(uow, change, now=LATER, by=CHAT), journal.Undone)


@pytest.mark.parametrize(
    ("said_in", "among", "common"), [(5, 19, False), (19, 19, False), (4, 20, False), (5, 20, True), (40, 200, False), (41, 200, True)]
)  # fmt: skip
def test_more_than_a_fifth_of_at_least_twenty_is_common(said_in: int, among: int, common: bool) -> None:
    assert commonness.too_common(said_in, among) is common


def test_a_common_cue_is_marked_and_unmarked_and_a_second_look_changes_nothing(uow: UnitOfWork) -> None:
    memory = keep(uow, "Be brief", kind=Kind.LESSON, triggers=("work", "deploying"))
    say(uow, *(f"work again, day {n}" for n in range(6)), *(f"rain on day {n}" for n in range(16)))
    assert weigh(uow) == 1
    assert triggers_of(uow, memory.id).common == {"work"}
    assert weigh(uow) == 0
    say(uow, *(f"sun on day {n}" for n in range(100)))
    assert weigh(uow) == 1
    assert triggers_of(uow, memory.id).common == frozenset()


def test_only_people_themselves_are_counted_there(uow: UnitOfWork) -> None:
    """Not the assistant, not what was passed on, no commands, no other chat; the global scope hears all."""
    keep(uow, "Be brief", kind=Kind.LESSON, triggers=("work",))
    keep(uow, "Be kind", GLOBAL, kind=Kind.LESSON, triggers=("work",))
    many = [f"work {n}" for n in range(30)]
    say(uow, *many, role=Role.ASSISTANT)
    say(uow, *many, origin=Origin.FORWARDED)
    say(uow, *(f"/lesson work: {n}" for n in range(30)))
    assert weigh(uow) == weigh(uow, GLOBAL) == 0
    say(uow, *many, conversation=Conversation(-8))
    assert weigh(uow) == 0
    assert weigh(uow, GLOBAL) == 1
    assert commonness.scopes_with_cues(uow, ENGINE) == (HERE, GLOBAL)
    assert chat_scope(CHAT) == HERE


def test_a_mark_for_what_is_gone_meanwhile_changes_nothing(uow: UnitOfWork) -> None:
    memory = keep(uow, "Be brief", kind=Kind.LESSON, triggers=("work",))
    say(uow, *(f"work {n}" for n in range(30)))
    marks = commonness.weigh_cues(uow, ENGINE, HERE)
    store.erase(uow, memory, index=Sink())
    assert commonness.mark_cues(uow, marks) == 0


def test_a_cue_that_was_added_and_became_common_goes_when_the_change_is_undone(uow: UnitOfWork) -> None:
    memory = keep(uow, "Be brief", kind=Kind.LESSON, triggers=("deploying",))
    change = verdict("UPDATE", target=memory, new=new("Be very brief", kind=Kind.LESSON, triggers=("work",)))
    write(uow, change)
    assert set(triggers_of(uow, memory.id).phrases) == {"deploying", "work"}
    say(uow, *(f"work again, day {n}" for n in range(30)))
    assert weigh(uow) == 1
    undo(uow)
    assert triggers_of(uow, memory.id) == Triggers(("deploying",))


def test_a_lesson_that_comes_back_brings_no_cue_that_matches_everything(uow: UnitOfWork) -> None:
    """While it was away people came to say the cue all the time: it is weighed all the same."""
    memory = keep(uow, "Be brief", kind=Kind.LESSON, triggers=("work", "deploying"))
    write(uow, verdict("DELETE", target=memory))
    say(uow, *(f"work again, day {n}" for n in range(30)))
    assert weigh(uow) == 1
    undo(uow)
    assert fresh(uow, memory).status is Status.ACTIVE
    assert triggers_of(uow, memory.id).common == {"work"}
