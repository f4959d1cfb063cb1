"""Nothing is lost when the process dies, whenever it dies."""

import random
import resource
import sqlite3

import pytest

from tests.conversations.world import World
from tests.reliability import run


@pytest.mark.timeout(240)
async def test_eight_kills_at_random_moments_lose_nothing(here: World) -> None:
    result = await run(here, kills=8, rng=random.Random(7))
    assert result.is_clean, result


async def test_an_answer_that_was_made_but_not_sent_is_sent_after_the_restart(here: World) -> None:
    await here.start()
    here.telegram.fault("hang", "sendMessage")
    here.telegram.say(here.owner, "hello")
    await here.telegram.wait_for(lambda server: server.calls("sendMessage"), 60)
    await here.kill()
    await here.start()
    (answer,) = await here.replies(here.owner, 1)
    assert "You said: hello" in answer
    assert "not confirmed" in answer  # the first call may have arrived, so it says so
    assert len(here.prompts_for("turn")) == 1


async def test_a_send_that_arrived_without_an_answer_is_repeated_once_and_marked(here: World) -> None:
    await here.start()
    here.telegram.fault("reset", "sendMessage", after=True)
    here.telegram.say(here.owner, "hello")
    first, second = await here.replies(here.owner, 2)
    await here.settled()
    assert first == "You said: hello"
    assert second.endswith("You said: hello")
    assert "not confirmed" in second
    assert len(here.telegram.replies(here.owner)) == 2


async def test_a_send_that_was_refused_before_acceptance_is_retried_until_it_arrives(here: World) -> None:
    await here.start()
    here.telegram.fault("status", "sendMessage", status=429, retry_after=1)
    here.telegram.say(here.owner, "hello")
    assert await here.replies(here.owner, 1) == ["You said: hello"]


async def test_messages_sent_while_it_was_down_are_answered(here: World) -> None:
    here.telegram.say(here.owner, "are you awake?")
    await here.start()
    assert await here.replies(here.owner, 1) == ["You said: are you awake?"]


async def test_an_update_told_twice_is_answered_once(here: World) -> None:
    await here.start()
    here.telegram.say(here.owner, "hello")
    await here.replies(here.owner, 1)
    await here.settled()
    number = here.rows("SELECT update_id FROM inbox ORDER BY id DESC LIMIT 1")[0][0]
    here.telegram.repeat_update(number)
    here.telegram.say(here.owner, "next")
    await here.replies(here.owner, 2)
    await here.settled()
    assert [m["text"] for m in here.telegram.replies(here.owner)] == ["You said: hello", "You said: next"]


async def test_a_refused_token_ends_it_with_a_clear_word(here: World) -> None:
    here.telegram.fault("status", "getMe", status=401, description="Unauthorized", times=None)
    await here.start()
    assert here.process is not None
    assert await here.process.wait() == 1
    await here.said("TELEGRAM_BOT_TOKEN")


async def test_a_disk_that_takes_no_more_is_explained_and_the_message_is_answered_once_it_does(here: World) -> None:
    """A limit on the size of files stands in for a full disk: what SQLite sees is a write that fails."""
    await here.start()
    here.telegram.say(here.owner, "hello")
    await here.replies(here.owner, 1)
    await here.settled()
    assert here.process is not None
    _, hard = resource.prlimit(here.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(here.process.pid, resource.RLIMIT_FSIZE, (0, hard))
    here.telegram.say(here.owner, "this one matters")
    told = (await here.replies(here.owner, 2))[1]
    assert "cannot keep anything" in told
    resource.prlimit(here.process.pid, resource.RLIMIT_FSIZE, (hard, hard))
    assert (await here.replies(here.owner, 3))[2] == "You said: this one matters"
    assert here.rows("PRAGMA integrity_check") == [("ok",)]


async def test_a_database_held_by_another_process_only_delays(here: World) -> None:
    await here.start()
    here.telegram.say(here.owner, "hello")
    await here.replies(here.owner, 1)
    await here.settled()
    with sqlite3.connect(here.home / "data" / "tidemark.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        here.telegram.say(here.owner, "are you stuck?")
        await here.telegram.wait_for(lambda server: not server.is_polled(), 60)
        other.execute("ROLLBACK")
    assert (await here.replies(here.owner, 2))[1] == "You said: are you stuck?"
