"""Reflection: after the answer, from the durable queue, and whatever goes wrong, later again."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.errors import ModelUnreachable
from bot.incoming import ChatKind, ReplyTo
from bot.model import ModelRequest, Purpose
from bot.reflection_run import GLOBAL_NOTE, REDACTED_NOTE, RETRY_AFTER, ReflectionRunner
from bot.storage import directory, reflections
from bot.storage.tables import inbox, outbox, usage
from bot.storage.tables import reflections as queue
from bot.turn import record_only, take_turn
from memory.domain import Conversation, Origin
from memory.errors import DatabaseBusy
from memory.reflection.gathering import BRIEF_MESSAGES
from memory.reflection.operations import Brief
from memory.tables import messages
from tests.bot.assistant import OWNER, Assistant, incoming, keep_statements
from tests.bot.telegram import payloads

GROUP = Conversation(-100)


def add(text: str, evidence: int = 1, **more: Any) -> str:
    return json.dumps({"operations": [{"op": "ADD", "text": text, "importance": 6, "evidence": [evidence], **more}]})


async def states(here: Assistant) -> list[tuple[str, int]]:
    rows = await here.rows(select(queue.c.state, queue.c.attempts).order_by(queue.c.id))
    return [(row.state, row.attempts) for row in rows]


async def say(here: Assistant, text: str, key: str, **changes: Any) -> None:
    await take_turn(here.turn, incoming(text, key=key, **changes))


def shown_to(request: ModelRequest) -> list[tuple[str, bool]]:
    assert isinstance(request.material, Brief)
    return [(entry.message.text, entry.is_new) for entry in request.material.messages]


# --- the usual way


async def test_what_was_said_is_remembered_in_its_chat(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    assert await here.held() == []
    await here.settle()
    assert await here.held() == ["My cat is called Biscuit."]
    assert await here.held(-100) == []
    assert await states(here) == [("done", 0)]
    assert [row.purpose for row in await here.rows(select(usage))] == [Purpose.TURN, Purpose.REFLECTION]


async def test_what_piled_up_in_a_chat_is_one_question(here: Assistant) -> None:
    for n, text in enumerate(("My cat is called Biscuit.", "I eat no shellfish.", "I live in Porto.")):
        await say(here, text, f"k{n}")
    await here.settle()
    assert len(here.thinker.requests) == 1
    assert await states(here) == [("done", 0)] * 3
    assert len(await here.held()) == 3


async def test_what_was_reflected_on_is_context_afterwards(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    await here.settle()
    await say(here, "She is seven.", "b")
    await here.settle()
    shown = shown_to(here.thinker.requests[-1])
    assert ("My cat is called Biscuit.", False) in shown
    assert ("She is seven.", True) in shown


async def test_chats_are_never_shown_together(here: Assistant) -> None:
    await say(here, "The jeweller is Quillfeather.", "a")
    await say(here, "We meet at nine.", "b", conversation=GROUP, chat_kind=ChatKind.GROUP)
    await say(here, "And in the hall?", "c", conversation=Conversation(-200, 7), chat_kind=ChatKind.GROUP)
    await here.settle()
    shown = ["\n".join(message.content for message in request.messages) for request in here.thinker.requests]
    assert len(shown) == 3
    for words in ("Quillfeather", "at nine", "in the hall"):
        assert sum(words in text for text in shown) == 1


async def test_a_pile_too_high_for_one_question_is_several_and_all_of_it_counts(here: Assistant) -> None:
    """The second part must not pass for a repetition of the first."""
    said = [f"Member {n} brings the {word}." for n, word in enumerate(f"thing{chr(97 + n)}" for n in range(26))]
    said += [f"Guest {n} owns the {word}." for n, word in enumerate(f"item{chr(97 + n)}" for n in range(26))]
    for n, text in enumerate(said):
        await record_only(here.turn, incoming(text, f"k{n}", conversation=GROUP, chat_kind=ChatKind.GROUP))
    await here.write(lambda uow: uow.connection.execute(queue.delete().where(queue.c.turn_key != f"k{len(said) - 1}")))

    def first_and_last(request: ModelRequest) -> str:
        if not isinstance(request.material, Brief):  # are the two the same? they look alike
            return '{"relation": "distinct"}'
        new = [entry for entry in request.material.messages if entry.is_new]
        return json.dumps(
            {"operations": [{"op": "ADD", "text": e.message.text, "evidence": [e.n]} for e in (new[0], new[-1])]}
        )

    here.thinker.script(*[first_and_last] * 3)
    await here.settle()
    kept = set(await here.held(-100))
    assert {said[0], said[BRIEF_MESSAGES - 1], said[BRIEF_MESSAGES], said[-1]} <= kept
    assert await states(here) == [("done", 0)]


async def test_where_nobody_said_anything_new_nobody_is_asked(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    await here.settle()
    await here.write(lambda uow: reflections.enqueue(uow, "again", Conversation(OWNER), 10**6, here.clock.now()))
    await here.settle()
    assert len(here.thinker.requests) == 1
    assert await states(here) == [("done", 0)] * 2


async def test_the_memories_of_the_turn_are_shown_so_that_a_correction_meets_them(here: Assistant) -> None:
    await say(here, "My dentist is Dr Alvarez.", "a")
    await here.settle()
    await say(here, "My dentist is Dr Okafor now, no longer Dr Alvarez.", "b")

    def correct(request: ModelRequest) -> str:
        assert isinstance(request.material, Brief)
        (shown,) = request.material.memories
        new = next(entry.n for entry in request.material.messages if entry.is_new)
        text = "My dentist is Dr Okafor"
        return json.dumps({"operations": [{"op": "UPDATE", "id": shown.alias, "text": text, "evidence": [new]}]})

    here.thinker.script(correct)
    await here.settle()
    assert await here.held() == ["My dentist is Dr Okafor"]


# --- notes to the person


async def test_a_secret_is_taken_out_everywhere_and_the_person_is_told_once(here: Assistant) -> None:
    await here.says("My mail password is Quartz!Lamp77, keep it.")
    await here.settle()
    assert (await here.said())[1:] == [REDACTED_NOTE]
    assert "Lamp77" not in str(await here.rows(select(messages)))
    await here.says("Thanks")
    await here.settle()
    assert (await here.said()).count(REDACTED_NOTE) == 1


async def test_a_secret_does_not_wait_for_a_model_that_answers(here: Assistant) -> None:
    """A model that is away for days must not keep a password in the transcript for days."""
    here.thinker.script(ModelUnreachable("down"))
    await here.says("My mail password is Quartz!Lamp77, keep it.")
    await here.settle()
    assert "Lamp77" not in str(await here.rows(select(messages))) + str(await here.rows(select(inbox)))
    here.later(days=1)
    await here.settle()
    assert (await here.said())[1:] == [REDACTED_NOTE]


async def test_a_secret_in_what_a_message_answers_is_taken_out(here: Assistant) -> None:
    """Whoever replies to a password brings it along."""
    answered = ReplyTo("Tobin", "My mail password is Quartz!Lamp77", is_ours=False)
    await say(here, "Thanks!", "a", reply_to=answered)
    await here.settle()
    assert "Lamp77" not in str(await here.rows(select(messages)))


async def test_what_becomes_true_everywhere_is_said_with_the_way_back(here: Assistant) -> None:
    await say(here, "I speak Portuguese.", "a")
    here.thinker.script(add("I speak Portuguese", scope="global"))
    await here.settle()
    assert await here.last() == GLOBAL_NOTE.format(texts="I speak Portuguese")
    assert "/undo" in GLOBAL_NOTE


async def test_in_a_chat_that_is_not_the_owners_nothing_becomes_global(here: Assistant) -> None:
    await here.allow(41)
    await here.says("I speak Portuguese.", payloads.person(41, "Tobin"))
    here.thinker.script(add("I speak Portuguese", scope="global"))
    await here.settle()
    assert await here.held(OWNER) == []
    assert await here.said(41) == ["Understood."]


# --- two notes about one matter


def judged(relation: str) -> Any:
    def line(request: ModelRequest) -> str:
        return keep_statements(request) if isinstance(request.material, Brief) else f'{{"relation": "{relation}"}}'

    return line


@pytest.mark.parametrize(
    ("relation", "held"),
    [
        ("replaces", ["My desk is by the door of room four."]),
        ("distinct", ["My desk is by the door of room four.", "My desk is by the door of room nine."]),
        ("nonsense", ["My desk is by the door of room four.", "My desk is by the door of room nine."]),
    ],
)
async def test_what_lies_near_a_held_memory_is_put_beside_it(here: Assistant, relation: str, held: list[str]) -> None:
    await say(here, "My desk is by the door of room nine.", "a")
    await here.settle()
    await say(here, "My desk is by the door of room four.", "b")
    here.thinker.script(*[judged(relation)] * 2)
    await here.settle()
    assert await here.held() == held
    assert "OLD: My desk is by the door of room nine.\nNEW: My desk" in here.thinker.requests[-1].messages[1].content


async def test_two_new_statements_do_not_replace_the_same_memory(here: Assistant) -> None:
    """The second would overwrite the first."""
    await say(here, "My desk is by the door of room nine.", "a")
    await here.settle()
    await say(here, "My desk is by the door of room four.", "b")
    await say(here, "My desk is by the door of room six.", "c")
    here.thinker.script(*[judged("replaces")] * 3)
    await here.settle()
    assert set(await here.held()) == {"My desk is by the door of room four.", "My desk is by the door of room six."}


# --- what goes wrong


async def test_a_model_that_fails_never_touches_the_answer_and_is_asked_later(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    here.thinker.script(ModelUnreachable("down"))
    await here.settle()
    assert await here.said() == ["Understood."]
    assert await states(here) == [("pending", 1)]
    await here.settle()
    assert len(here.thinker.requests) == 1
    here.clock.set(here.clock.now() + RETRY_AFTER[0])
    await here.settle()
    assert await here.held() == ["My cat is called Biscuit."]


async def test_after_the_last_pause_the_job_is_set_aside_and_kept(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    here.thinker.script(*[ModelUnreachable("down")] * (len(RETRY_AFTER) + 1))
    for pause in (timedelta(0), *RETRY_AFTER):
        here.clock.set(here.clock.now() + pause)
        await here.settle()
    assert await states(here) == [("failed", len(RETRY_AFTER) + 1)]
    (row,) = await here.rows(select(queue.c.error))
    assert row.error == "ModelUnreachable: down"


async def test_an_unreadable_reply_is_shown_to_the_model_with_what_is_wrong(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    here.thinker.script("I think it is all fine!", add("My cat is called Biscuit."))
    await here.settle()
    assert await here.held() == ["My cat is called Biscuit."]
    second = here.thinker.requests[1].messages
    assert [message.role for message in second[-2:]] == ["assistant", "user"]
    assert second[-2].content == "I think it is all fine!"
    assert len([row for row in await here.rows(select(usage)) if row.purpose == Purpose.REFLECTION]) == 2


async def test_a_reply_unreadable_twice_is_tried_again_later(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    here.thinker.script("what?", "what??")
    await here.settle()
    assert await states(here) == [("pending", 1)]
    assert await here.held() == []


async def test_a_failure_of_our_own_is_postponed_without_a_word_of_the_message(
    here: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(here, "My cat is called Biscuit.", "a")

    def breaks(*_: object, **__: object) -> None:
        raise ValueError("Biscuit")

    monkeypatch.setattr(here.engine, "judge", breaks)
    await here.settle()
    (row,) = await here.rows(select(queue.c.error))
    assert row.error == "ValueError"


async def test_one_chats_trouble_does_not_hold_up_another(here: Assistant) -> None:
    await say(here, "My cat is called Biscuit.", "a")
    await say(here, "We meet at nine.", "b", conversation=GROUP, chat_kind=ChatKind.GROUP)
    here.thinker.script(ModelUnreachable("down"))
    await here.settle()
    assert await here.held(-100) == ["We meet at nine."]


async def test_nothing_is_half_written(here: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories, cursor, ledger and notes are one transaction."""
    await say(here, "My cat is called Biscuit.", "a")

    def breaks(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(reflections, "done", breaks)
    await here.settle()
    assert await here.held() == []
    assert [row.purpose for row in await here.rows(select(usage))] == [Purpose.TURN]
    monkeypatch.undo()
    here.later(minutes=1)
    await here.settle()
    assert await here.held() == ["My cat is called Biscuit."]


async def test_a_database_that_refuses_does_not_end_the_runner(here: Assistant) -> None:
    """Once it is woken again it goes on where it was."""
    await say(here, "My cat is called Biscuit.", "a")
    refused = asyncio.Event()
    inner = here.executors

    class Refusing:
        async def read(self, use_case: Any) -> Any:
            if not refused.is_set():
                refused.set()
                raise DatabaseBusy("held")
            return await inner.read(use_case)

        async def write(self, use_case: Any) -> Any:
            done = await inner.write(use_case)
            if await states(here) == [("done", 0)]:
                finished.set()
            return done

        async def embed(self, work: Any) -> Any:
            return await inner.embed(work)

    finished = asyncio.Event()
    executors: Any = Refusing()
    runner = ReflectionRunner(replace(here.reflection, executors=executors))
    running = asyncio.create_task(runner.run())
    await refused.wait()
    await asyncio.sleep(0)  # the runner has taken notice and waits
    runner.notify()
    await asyncio.wait_for(finished.wait(), 20)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert await here.held() == ["My cat is called Biscuit."]


async def test_a_chat_that_gets_a_new_number_meanwhile_loses_nothing(here: Assistant) -> None:
    """What the model was thinking about has moved; it is thought about again where it is now."""
    where = {"conversation": Conversation(-5), "chat_kind": ChatKind.GROUP}
    await say(here, "We meet at nine.", "a", **where)
    loop = asyncio.get_running_loop()

    def move_and_answer(request: ModelRequest) -> str:
        moving = here.write(lambda uow: _move(here, uow))
        moved.append(loop.create_task(moving))
        return keep_statements(request)

    moved: list[asyncio.Task[None]] = []
    here.thinker.script(move_and_answer)
    await here.settle()
    await asyncio.gather(*moved)
    await here.settle()
    assert await here.held(-5) == []
    assert await here.held(-100) == ["We meet at nine."]
    assert [row.chat_id for row in await here.rows(select(queue.c.chat_id).where(queue.c.state == "done"))] == [-100]


def _move(here: Assistant, uow: Any) -> None:
    directory.migrate_chat(uow, -5, -100, here.clock.now())
    here.engine.move_chat(uow, -5, -100)


async def test_what_is_forgotten_while_the_model_thinks_stays_forgotten(here: Assistant) -> None:
    await here.says("My ex is called Leontine Dray.")
    gate = here.thinker.pause()
    thinking = asyncio.create_task(here.settle())
    await here.says("/forget Leontine Dray")
    gate.set()
    await thinking
    await here.settle()
    assert await here.held() == []
    assert "Leontine" not in str(await here.rows(select(messages)))


# --- whose words


async def test_words_passed_on_are_kept_aside_until_confirmed(here: Assistant) -> None:
    await say(here, "The ferry to Westwind is cancelled.", "a", origin=Origin.FORWARDED, passed_on_from="Eve")
    here.thinker.script(add("The ferry to Westwind is cancelled"))
    await here.settle()
    assert await here.held() == []
    (row,) = await here.rows(select(func.count()).select_from(outbox))
    assert row[0] == 1


async def test_the_assistants_own_answer_is_no_evidence(here: Assistant) -> None:
    here.model.script("Your sister lives in Graz.")
    await say(here, "Where does my sister live?", "a")
    here.thinker.script(add("Sister lives in Graz", evidence=2))
    await here.settle()
    assert await here.held() == []
