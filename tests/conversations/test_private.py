"""A private chat with the real process."""

from tests.conversations.world import World
from tests.model_server import Say


async def test_a_message_is_answered_and_what_it_says_is_remembered_later(here: World) -> None:
    here.model.behave("keep_statements", kind="reflection")
    await here.start()
    here.model.script("Noted!", "Dr Alvarez.")
    here.telegram.say(here.owner, "My dentist is Dr Alvarez in Porto.")
    assert await here.replies(here.owner, 1) == ["Noted!"]
    await here.settled()
    here.telegram.say(here.owner, "/new")
    await here.replies(here.owner, 2)
    here.telegram.say(here.owner, "Who is my dentist?")
    assert (await here.replies(here.owner, 3))[-1] == "Dr Alvarez."
    prompt = here.prompts_for("turn")[-1]
    assert "<memories>" in prompt
    assert "My dentist is Dr Alvarez in Porto." in prompt


async def test_markdown_arrives_as_entities(here: World) -> None:
    await here.start()
    here.model.script("The pharmacy closes at **18:30**, says `List<int>`.")
    here.telegram.say(here.owner, "When?")
    await here.replies(here.owner, 1)
    message = here.telegram.replies(here.owner)[0]
    assert message["text"] == "The pharmacy closes at 18:30, says List<int>."
    assert [entity["type"] for entity in message["entities"]] == ["bold", "code"]


async def test_a_long_answer_arrives_whole_in_order(here: World) -> None:
    await here.start()
    here.model.script("\n\n".join(f"Paragraph {n} " + "word " * 150 for n in range(15)))
    here.telegram.say(here.owner, "Tell me everything")
    await here.settled()
    texts = [message["text"] for message in here.telegram.replies(here.owner)]
    assert len(texts) > 2
    assert all(len(text) <= 4096 for text in texts)
    joined = "\n\n".join(texts)
    assert [joined.index(f"Paragraph {n} ") for n in range(15)] == sorted(
        joined.index(f"Paragraph {n} ") for n in range(15)
    )


async def test_a_model_that_fails_is_explained_and_the_message_is_not_lost(here: World) -> None:
    here.model.behave("keep_statements", kind="reflection")
    await here.start(TIDEMARK_MODEL_API_BASE="http://127.0.0.1:9/v1")
    here.telegram.say(here.owner, "My cat is called Biscuit.")
    (answer,) = await here.replies(here.owner, 1)
    assert "could not reach my language model" in answer
    assert here.rows("SELECT text FROM messages") == [("My cat is called Biscuit.",)]


async def test_the_answer_comes_before_reflection_and_typing_before_the_answer(here: World) -> None:
    await here.start()
    here.telegram.say(here.owner, "I like tea.")
    await here.settled()
    calls = [call.method for call in here.telegram.calls() if call.method in {"sendChatAction", "sendMessage"}]
    assert calls[0] == "sendChatAction"
    assert [request.kind for request in here.model.requests] == ["turn", "reflection"]


async def test_stop_interrupts_a_turn_and_the_next_message_is_answered(here: World) -> None:
    await here.start()
    here.model.script(Say("", hang="before_headers"), "Here I am.")
    here.telegram.say(here.owner, "A long question")
    await here.model.until(1, 60)
    here.telegram.say(here.owner, "/stop")
    assert await here.replies(here.owner, 1) == ["Stopped."]
    here.telegram.say(here.owner, "Still there?")
    assert (await here.replies(here.owner, 2))[-1] == "Here I am."


async def test_a_picture_without_words_gets_an_honest_answer(here: World) -> None:
    await here.start()
    here.telegram.send(here.owner, "photo")
    (answer,) = await here.replies(here.owner, 1)
    assert "can't read pictures yet" in answer
    assert here.model.requests == []


async def test_a_stranger_is_told_once_and_nothing_reaches_the_model(here: World) -> None:
    stranger = here.telegram.add_person("Eve")
    await here.start()
    here.telegram.say(stranger, "hello")
    here.telegram.say(stranger, "hello?!")
    here.telegram.say(here.owner, "hi")
    await here.replies(here.owner, 1)
    await here.settled()
    (told,) = await here.replies(stranger, 1)
    assert str(stranger.id) in told
    assert all("hello" not in prompt for prompt in here.model.prompts)
    assert here.rows("SELECT count(*) FROM messages WHERE text LIKE 'hello%'") == [(0,)]


async def test_pairing_makes_an_owner_and_the_code_works_once(here: World) -> None:
    other = here.telegram.add_person("Eve")
    await here.start(TIDEMARK_OWNER_ID=None)
    code = (await here.said(r"/pair (\w+)")).group(1)
    here.telegram.say(other, "/pair WRONGCODE1")
    assert "not the code" in (await here.replies(other, 1))[0]
    here.telegram.say(here.owner, f"/pair {code}")
    assert "You are my owner now" in (await here.replies(here.owner, 1))[0]
    here.telegram.say(other, f"/pair {code}")
    await here.settled()
    assert "private assistant" in (await here.replies(other, 2))[1]
    here.telegram.say(here.owner, f"/allow {other.id}")
    await here.replies(here.owner, 2)
    here.telegram.say(other, "now?")
    await here.replies(other, 3)
    assert len(here.prompts_for("turn")) == 1


async def test_a_secret_is_not_kept_and_the_person_is_told(here: World) -> None:
    here.model.behave("keep_statements", kind="reflection")
    await here.start()
    here.model.script("All right.")
    here.telegram.say(here.owner, "My mail password is Quartz!Lamp77, keep it.")
    await here.settled()
    texts = await here.replies(here.owner, 2)
    assert "password" in texts[1]
    assert "removed" in texts[1]
    dump = "\n".join(
        str(here.rows(f"SELECT * FROM {table}"))
        for table in ("messages", "inbox", "outbox", "memories", "operations", "memories_fts")
    )
    assert "Lamp77" not in dump


async def test_forgetting_leaves_no_trace(here: World) -> None:
    here.model.behave("keep_statements", kind="reflection")
    await here.start()
    here.model.script("Noted.", "Noted.")
    here.telegram.say(here.owner, "My ex is called Leontine Dray.")
    here.telegram.say(here.owner, "My cat is called Biscuit.")
    await here.settled()
    here.telegram.say(here.owner, "/forget Leontine Dray")
    assert "Forgotten" in (await here.replies(here.owner, 3))[-1]
    await here.settled()
    here.telegram.say(here.owner, "Which names have I told you?")
    await here.replies(here.owner, 4)
    prompt = here.prompts_for("turn")[-1]
    assert "Biscuit" in prompt
    assert "Leontine" not in prompt
    assert "Dray" not in prompt


async def test_undo_takes_back_what_was_remembered(here: World) -> None:
    await here.start()
    here.telegram.say(here.owner, "/remember I eat no shellfish.")
    assert "shellfish" in (await here.replies(here.owner, 1))[0]
    here.telegram.say(here.owner, "/undo")
    assert "Taken back" in (await here.replies(here.owner, 2))[1]
    here.telegram.say(here.owner, "/memories")
    assert "nothing" in (await here.replies(here.owner, 3))[2]


async def test_why_tells_what_the_answer_could_use(here: World) -> None:
    await here.start()
    here.telegram.say(here.owner, "/remember The spare key hangs behind the boiler.")
    await here.replies(here.owner, 1)
    here.telegram.say(here.owner, "Where is the spare key?")
    await here.replies(here.owner, 2)
    here.telegram.say(here.owner, "/why")
    answer = (await here.replies(here.owner, 3))[2]
    assert "behind the boiler" in answer
    assert "relevance" in answer


async def test_a_quoted_message_is_in_the_prompt(here: World) -> None:
    await here.start()
    here.model.script("Saturday is dry.")
    here.telegram.say(here.owner, "Weather?")
    await here.replies(here.owner, 1)
    answered = here.telegram.replies(here.owner)[0]["message_id"]
    here.telegram.say(here.owner, "Are you sure?", reply_to=answered)
    await here.replies(here.owner, 2)
    assert '<reply_to from="you">\nSaturday is dry.' in here.prompts_for("turn")[-1]


async def test_shutdown_is_clean_and_prompt(here: World) -> None:
    await here.start()
    await here.polled()
    assert await here.stop() == 0
    assert not [line for line in here.printed if "Traceback" in line]


async def test_the_token_never_shows(here: World) -> None:
    await here.start(TIDEMARK_LOG_LEVEL="DEBUG")
    here.telegram.fault("status", "sendMessage", status=500)
    here.telegram.say(here.owner, "hello there, log")
    await here.replies(here.owner, 1)
    await here.stop()
    log = "\n".join(here.printed)
    assert here.telegram.token not in log
    assert here.telegram.token.split(":")[1] not in log
    assert "hello there, log" not in log
