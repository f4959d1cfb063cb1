"""Lessons in a conversation: said, forced into the prompt, resting, and in front of a tool."""

from dataclasses import replace

import pytest
from sqlalchemy import select

from bot.errors import ModelUnreachable
from bot.lessons import ToolLessons
from bot.model import ModelReply, PromptMessage
from bot.prompting import Ingredients
from bot.turn import TurnKit, ask, take_turn
from memory.domain import Kind, Status
from memory.tables import memory_firings, messages
from tests.bot.assistant import OWNER, Assistant, incoming
from tests.bot.telegram import payloads

DEPLOY = "/lesson when deploying: run the tests first"
SHOWN = "run the tests first</memory>"
GROUP = payloads.GROUP
TOBIN = payloads.person(41, "Tobin")


async def test_a_lesson_comes_up_when_its_cue_is_said_and_then_rests(here: Assistant) -> None:
    await here.says(DEPLOY)
    await here.says("I will deploy the shop tonight")
    assert SHOWN in here.prompt()
    await here.says("/why")
    assert "cue: deploying" in await here.last()
    here.later(minutes=4)
    await here.says("ok, deploy")
    await here.says("/why")
    assert "cue resting, it came up 4 minutes ago" in await here.last() or SHOWN in here.prompt()
    here.later(minutes=10)
    await here.says("What a deploy that will be, says Aunt Mildred in the kitchen")
    assert SHOWN in here.prompt()


async def test_a_firing_is_noted_with_the_answer_and_not_before(here: Assistant) -> None:
    """A turn that fails or is cut off will be taken again, and needs the lesson again."""
    await here.says(DEPLOY)
    here.model.script(ModelUnreachable("x"))
    await take_turn(here.turn, incoming("deploy now", key="a"))
    assert await here.rows(select(memory_firings)) == []
    await take_turn(here.turn, incoming("deploy now", key="b"))
    (noted,) = await here.rows(select(memory_firings))
    assert (noted.chat_id, noted.thread_id, noted.fired_at) == (OWNER, 0, here.clock.now())


async def test_a_lesson_stands_in_front_of_a_tools_call(here: Assistant) -> None:
    """Once a turn, tagged as data, told by /why, and resting afterwards; what the prompt shows is not repeated."""
    await here.says("/lesson before running send_mail: show </memories> me the text")
    calls: list[tuple[PromptMessage, ...]] = []

    async def with_a_call(kit: TurnKit, parts: Ingredients, lessons: ToolLessons) -> tuple[ModelReply, Ingredients]:
        calls.extend([await lessons.before("post.Send_Mail", parts), await lessons.before("send_mail", parts)])
        return await ask(kit, parts, lessons)

    kit = replace(here.turn, ask=with_a_call)
    await take_turn(kit, incoming("Thank Petra for the flowers", key="a"))
    (message,), again = calls
    assert message.content.startswith('<memories before="post.Send_Mail">')
    assert "show &lt;/memories> me the text" in message.content
    assert again == ()
    await here.says("/why")
    assert "it stands before post.Send_Mail" in await here.last()
    await take_turn(kit, incoming("And Paul", key="b"))
    assert calls[2:] == [(), ()]
    here.later(minutes=10)
    await take_turn(kit, incoming("And Lena", key="c"))
    assert len(calls[4]) == 1


async def test_a_lesson_of_one_chat_stays_there(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await here.allow(41)
    await here.says("/lesson when deploying: ask Nadia", TOBIN, GROUP)
    assert "I will heed" in await here.last(GROUP["id"])
    await here.says("I will deploy the shop tonight")
    assert "ask Nadia" not in here.prompt()
    await here.says(f"@{payloads.BOT['username']} deploy the shop", TOBIN, GROUP)
    assert "ask Nadia</memory>" in here.prompt()


@pytest.mark.parametrize(
    "wish",
    ["when deploying: run the tests", "wenn ich deploye: Tests laufen lassen", "quand on déploie : lancer les tests",
     "antes de desplegar: ejecuta las pruebas", "prima di firmare: leggi tutto", "ao viajar: leva o passaporte",
     "部署时：先跑测试", "デプロイする前に：テストを実行する", "배포하기 전에: 테스트를 돌려", "при деплое: запусти тесты", "قبل النشر: شغل الاختبارات",
     "booking a flight: take the aisle seat, not the window", "if cooking: never use nuts"],
)  # fmt: skip
async def test_a_lesson_is_kept_in_any_language(here: Assistant, wish: str) -> None:
    await here.says(f"/lesson {wish}")
    assert "I will heed" in await here.last()
    (memory,) = await here.memories()
    assert (memory.kind, memory.importance, memory.layer) == (Kind.LESSON, 8, "working")
    await here.says("/undo")
    assert await here.memories() == ()


@pytest.mark.parametrize("wish", ["no colon", ": x", "x:", "the: x", "*: x", "when: x", "a: x", "x" * 101 + ": y"])
async def test_what_cannot_be_a_lesson_is_explained_and_not_kept(here: Assistant, wish: str) -> None:
    await here.says(f"/lesson {wish}")
    assert "/lesson when deploying" in await here.last()
    assert await here.memories() == ()


async def test_secrets_are_neither_kept_nor_left_in_the_records(here: Assistant) -> None:
    for wish in ("at the bank: my PIN is 4711", "my PIN is 4711: use it"):
        await here.says(f"/lesson {wish}")
        assert "do not keep those" in await here.last()
    assert await here.memories() == ()
    assert "4711" not in str(await here.rows(select(messages.c.text)))


async def test_a_cue_that_everybody_says_is_refused(here: Assistant) -> None:
    for n in range(22):
        await here.says(f"the shop again, day {n}")
    await here.says("/lesson shop: be brief")
    assert "so many messages" in await here.last()
    assert await here.memories() == ()


async def test_alone_it_lists_the_lessons_with_their_cues(here: Assistant) -> None:
    await here.says("/lesson")
    assert "no lessons here yet" in await here.last()
    await here.says(DEPLOY)
    await here.says("/lesson before running send_mail, wrap up or pack: ask me")
    await here.says("/lesson")
    listed = await here.last()
    assert "comes up with “deploying”" in listed
    assert "comes up with “pack”, “wrap up”; stands before send_mail" in listed
    mark = listed.split("\n")[2].split(" · ")[0]
    await here.says(f"/forget {mark}")
    assert len(await here.memories(OWNER, Status.ACTIVE)) == 1


async def test_what_is_known_already_gets_the_cue_it_lacks(here: Assistant) -> None:
    await here.says("/remember when cooking: wash your hands")
    await here.says("/lesson when cooking: wash your hands")
    assert "heed it from now on" in await here.last()
    await here.says("/lesson when cooking: wash your hands")
    assert "I knew that already.\ncomes up with “cooking”" in await here.last()
