"""A private chat with the real process."""

import pytest

from tests.conversations.maintaining import maintained
from tests.conversations.world import World
from tests.model_server import Say
from tests.telegram_server import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_message_is_answered_and_what_it_says_is_remembered_later(shared: World, guest: Person) -> None:
    shared.model.behave("keep_statements", kind="reflection")
    shared.model.script("Noted!", "Dr Alvarez.")
    shared.telegram.say(guest, "My dentist is Dr Alvarez in Porto.")
    assert await shared.replies(guest, 1) == ["Noted!"]
    await shared.settled()
    shared.telegram.say(guest, "/new")
    await shared.replies(guest, 2)
    shared.telegram.say(guest, "Who is my dentist?")
    assert (await shared.replies(guest, 3))[-1] == "Dr Alvarez."
    prompt = shared.prompts_for("turn")[-1]
    assert "<memories>" in prompt
    assert "My dentist is Dr Alvarez in Porto." in prompt


async def test_markdown_arrives_as_entities(shared: World, guest: Person) -> None:
    shared.model.script("The pharmacy closes at **18:30**, says `List<int>`.")
    shared.telegram.say(guest, "When?")
    await shared.replies(guest, 1)
    message = shared.telegram.replies(guest)[0]
    assert message["text"] == "The pharmacy closes at 18:30, says List<int>."
    assert [entity["type"] for entity in message["entities"]] == ["bold", "code"]


async def test_a_long_answer_arrives_whole_in_order(shared: World, guest: Person) -> None:
    shared.model.script("\n\n".join(f"Paragraph {n} " + "word " * 150 for n in range(15)))
    shared.telegram.say(guest, "Tell me everything")
    await shared.settled()
    texts = [message["text"] for message in shared.telegram.replies(guest)]
    assert len(texts) > 2
    assert all(len(text) <= 4096 for text in texts)
    joined = "\n\n".join(texts)
    assert [joined.index(f"Paragraph {n} ") for n in range(15)] == sorted(
        joined.index(f"Paragraph {n} ") for n in range(15)
    )


async def test_the_answer_comes_before_reflection_and_typing_before_the_answer(shared: World, guest: Person) -> None:
    shared.telegram.say(guest, "I like tea.")
    await shared.settled()
    calls = [call.method for call in shared.telegram.calls() if str(call.params.get("chat_id")) == str(guest.id)]
    assert calls[:2] == ["sendChatAction", "sendMessage"]
    assert [request.kind for request in shared.model.requests] == ["turn", "reflection"]


async def test_stop_interrupts_a_turn_and_the_next_message_is_answered(shared: World, guest: Person) -> None:
    shared.model.script(Say("", hang="before_headers"), "Here I am.")
    shared.telegram.say(guest, "A long question")
    await shared.model.until(1, 60)
    shared.telegram.say(guest, "/stop")
    assert await shared.replies(guest, 1) == ["Stopped."]
    shared.telegram.say(guest, "Still there?")
    assert (await shared.replies(guest, 2))[-1] == "Here I am."


async def test_a_picture_without_words_gets_an_honest_answer(shared: World, guest: Person) -> None:
    shared.telegram.send(guest, "photo")
    (answer,) = await shared.replies(guest, 1)
    assert "can't read pictures yet" in answer
    assert shared.model.requests == []


async def test_a_secret_is_not_kept_and_the_person_is_told(shared: World, guest: Person) -> None:
    shared.model.behave("keep_statements", kind="reflection")
    shared.model.script("All right.")
    shared.telegram.say(guest, "My mail password is Quartz!Lamp77, keep it.")
    await shared.settled()
    texts = await shared.replies(guest, 2)
    assert "password" in texts[1]
    assert "removed" in texts[1]
    dump = "\n".join(
        str(shared.rows(f"SELECT * FROM {table}"))
        for table in ("messages", "inbox", "outbox", "memories", "operations", "memories_fts")
    )
    assert "Lamp77" not in dump


async def test_forgetting_leaves_no_trace(shared: World, guest: Person) -> None:
    shared.model.behave("keep_statements", kind="reflection")
    shared.model.script("Noted.", "Noted.")
    shared.telegram.say(guest, "My ex is called Leontine Dray.")
    shared.telegram.say(guest, "My cat is called Biscuit.")
    await shared.settled()
    shared.telegram.say(guest, "/forget Leontine Dray")
    assert "Forgotten" in (await shared.replies(guest, 3))[-1]
    await shared.settled()
    shared.telegram.say(guest, "Which names have I told you?")
    await shared.replies(guest, 4)
    prompt = shared.prompts_for("turn")[-1]
    assert "Biscuit" in prompt
    assert "Leontine" not in prompt
    assert "Dray" not in prompt


async def test_after_a_vacuum_beside_it_no_byte_of_what_was_forgotten_stays(shared: World, guest: Person) -> None:
    words = ("Ottoline", "ottoline", "Quay")
    shared.model.behave("keep_statements", kind="reflection")
    shared.model.script("Noted.")
    shared.telegram.say(guest, "My ex is called Ottoline Quay.")
    await shared.replies(guest, 1)
    await shared.settled()
    assert any(word.encode() in shared.file_bytes() for word in words)
    shared.telegram.say(guest, "/forget Ottoline Quay")
    assert "Forgotten" in (await shared.replies(guest, 2))[-1]
    await shared.settled()
    status, printed, err = await maintained(shared, "--vacuum")
    assert status == 0, err
    assert "file rewritten" in printed
    assert "maintenance done" not in printed, "the log does not stand between the plain words"
    left = shared.file_bytes()
    assert [word for word in words if word.encode() in left] == []
    shared.telegram.say(guest, "still there?")
    assert "still there?" in (await shared.replies(guest, 3))[-1]


async def test_undo_takes_back_what_was_remembered(shared: World, guest: Person) -> None:
    shared.telegram.say(guest, "/remember I eat no shellfish.")
    assert "shellfish" in (await shared.replies(guest, 1))[0]
    shared.telegram.say(guest, "/undo")
    assert "Taken back" in (await shared.replies(guest, 2))[1]
    shared.telegram.say(guest, "/memories")
    assert "nothing" in (await shared.replies(guest, 3))[2]


async def test_why_tells_what_the_answer_could_use(shared: World, guest: Person) -> None:
    shared.telegram.say(guest, "/remember The spare key hangs behind the boiler.")
    await shared.replies(guest, 1)
    shared.telegram.say(guest, "Where is the spare key?")
    await shared.replies(guest, 2)
    shared.telegram.say(guest, "/why")
    answer = (await shared.replies(guest, 3))[2]
    assert "behind the boiler" in answer
    assert "relevance" in answer


async def test_a_quoted_message_is_in_the_prompt(shared: World, guest: Person) -> None:
    shared.model.script("Saturday is dry.")
    shared.telegram.say(guest, "Weather?")
    await shared.replies(guest, 1)
    answered = shared.telegram.replies(guest)[0]["message_id"]
    shared.telegram.say(guest, "Are you sure?", reply_to=answered)
    await shared.replies(guest, 2)
    assert '<reply_to from="you">\nSaturday is dry.' in shared.prompts_for("turn")[-1]
