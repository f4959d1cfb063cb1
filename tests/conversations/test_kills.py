"""Nothing is lost when the process dies, whenever it dies."""

import random

import pytest

from tests.conversations.world import World
from tests.reliability import PHASES, run

SEED = 7


@pytest.mark.timeout(240)
async def test_a_kill_in_each_phase_of_a_life_loses_nothing(here: World) -> None:
    """`make reliability` kills fifty times."""
    result = await run(here, kills=len(PHASES), rng=random.Random(SEED))
    assert result.is_clean, f"seed {SEED}: {result}"


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


async def test_messages_sent_while_it_was_down_are_answered(here: World) -> None:
    here.telegram.say(here.owner, "are you awake?")
    await here.start()
    assert await here.replies(here.owner, 1) == ["You said: are you awake?"]


async def test_a_refused_token_ends_it_with_a_clear_word(here: World) -> None:
    here.telegram.fault("status", "getMe", status=401, description="Unauthorized", times=None)
    await here.start()
    assert here.process is not None
    assert await here.process.wait() == 1
    await here.said("TELEGRAM_BOT_TOKEN")
