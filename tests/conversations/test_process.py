"""A process of its own for each test: whom it lets in, what it is set to, and how it ends."""

from tests.conversations.world import World


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


async def test_a_model_that_fails_is_explained_and_the_message_is_not_lost(here: World) -> None:
    here.model.behave("keep_statements", kind="reflection")
    await here.start(TIDEMARK_MODEL_API_BASE="http://127.0.0.1:9/v1")
    here.telegram.say(here.owner, "My cat is called Biscuit.")
    (answer,) = await here.replies(here.owner, 1)
    assert "could not reach my language model" in answer
    assert here.rows("SELECT text FROM messages") == [("My cat is called Biscuit.",)]


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


async def test_shutdown_is_clean_and_prompt(here: World) -> None:
    await here.start()
    await here.polled()
    assert await here.stop() == 0
    assert not [line for line in here.printed if "Traceback" in line]
