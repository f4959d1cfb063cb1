"""Cool-down, and the lessons that stand before a tool."""

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from memory import policy, store
from memory.domain import GLOBAL, AgentSlug, Conversation, Kind, Memory, Status
from memory.tables import memory_firings
from memory.triggers import firing
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CHAT, ELSEWHERE, HERE, NOW, keep

TALK = Conversation(CHAT)


def lesson(
    uow: UnitOfWork, text: str = "Show it first", *, tools: tuple[str, ...] = ("send_mail",), **fields: object
) -> Memory:
    return keep(uow, text, fields.pop("scope", HERE), kind=Kind.LESSON, tools=tools, **fields)  # type: ignore[arg-type]


def before(uow: UnitOfWork, tool: str = "send_mail", **options: object) -> list[str]:
    asked = {"scope": HERE, "conversation": TALK, "now": NOW} | options
    scope, where = asked.pop("scope"), asked.pop("conversation")
    found = firing.lessons_before_tool(uow, AGENT, scope, where, tool, **asked)  # type: ignore[arg-type]
    return [memory.text for memory in found]


@pytest.mark.parametrize(
    ("minutes", "rests"), [(0, True), (9.9, True), (10, False), (600, False), (-5, True), (-600, False)]
)
def test_a_cue_rests_ten_minutes_whatever_the_clock_did(minutes: float, rests: bool) -> None:
    assert firing.rests(NOW - timedelta(minutes=minutes), NOW) is rests


def test_what_never_fired_does_not_rest() -> None:
    assert not firing.rests(None, NOW)


@pytest.mark.parametrize(
    ("named", "called", "stands"),
    [("send_mail", "send_mail", True), ("Send_Mail", "SEND_MAIL", True), ("send_mail", "post.send_mail", True),
     ("send_mail", "mcp:post/send_mail", True), ("send_mail", "post__send_mail", True), ("post.send_mail", "send_mail", False),
     ("post", "post.send_mail", False), ("mail", "send_mail", False), ("send_mail", "send_mails", False), ("send_mail", "", False)],
)  # fmt: skip
def test_a_tool_is_named_with_or_without_its_namespace(named: str, called: str, stands: bool) -> None:
    assert firing.names(named, called) is stands


def test_a_lesson_stands_before_its_tool_only(uow: UnitOfWork) -> None:
    lesson(uow)
    assert before(uow) == ["Show it first"]
    assert before(uow, "read_mail") == []
    assert before(uow, "") == []


def test_lessons_of_other_chats_and_assistants_stay_there(uow: UnitOfWork) -> None:
    """Global ones are everybody's."""
    lesson(uow, "theirs", scope=ELSEWHERE)
    lesson(uow, "another's", agent=AgentSlug("other"))
    lesson(uow, "shared", scope=GLOBAL)
    assert before(uow) == ["shared"]


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.SUPERSEDED, Status.QUARANTINED])
def test_only_active_lessons_stand_before_tools(uow: UnitOfWork, status: Status) -> None:
    lesson(uow, status=status)
    assert before(uow) == []


def test_the_most_exact_and_then_the_weightiest_come_first(uow: UnitOfWork) -> None:
    for importance in (3, 9, 5, 7):
        lesson(uow, f"of weight {importance}", importance=importance)
    lesson(uow, "exact", tools=("post.send_mail",), importance=1)
    assert before(uow, "post.send_mail") == ["exact", "of weight 9", "of weight 7"]
    assert policy.LESSONS_A_TURN == 3


def test_a_lesson_rests_where_it_came_up_and_nowhere_else(uow: UnitOfWork) -> None:
    """A topic is a conversation of its own."""
    one = lesson(uow)
    firing.note(uow, TALK, [one.id], now=NOW)
    assert before(uow, now=NOW + timedelta(minutes=9)) == []
    assert before(uow, conversation=Conversation(CHAT, 5)) == ["Show it first"]
    assert before(uow, now=NOW + timedelta(minutes=10)) == ["Show it first"]
    firing.note(uow, TALK, [one.id], now=NOW + timedelta(minutes=10))
    assert before(uow, now=NOW + timedelta(minutes=19)) == []


def test_what_the_prompt_shows_already_is_not_shown_again(uow: UnitOfWork) -> None:
    assert before(uow, shown={lesson(uow).id}) == []


def test_firings_are_forgotten_with_their_time_and_their_memory(uow: UnitOfWork) -> None:
    old, fresh = lesson(uow, "old"), lesson(uow, "fresh")
    firing.note(uow, TALK, [old.id], now=NOW - timedelta(hours=1))
    firing.note(uow, TALK, [fresh.id], now=NOW)
    assert firing.forget_firings(uow, now=NOW) == 1
    store.erase(uow, fresh)
    assert uow.connection.scalar(select(func.count()).select_from(memory_firings)) == 0
