"""What a person asks to be remembered is remembered, whatever the model makes of it."""

import json

import pytest

from tests.bot.assistant import Assistant

NOTHING = json.dumps({"operations": [{"op": "NOOP"}], "used": []})


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Remember that my locker number is 214.", "214"),
        ("Hello! Please remember: the spare key is with Tobin.", "Tobin"),
        ("Merk dir bitte, dass mein Zahnarzt Dr. Alvarez heißt.", "Alvarez"),
        ("Запомни, что мою кошку зовут Муся.", "Муся"),
    ],
)
async def test_a_request_survives_a_model_that_overlooks_it(here: Assistant, said: str, kept: str) -> None:
    here.thinker.script(NOTHING)
    await here.says(said)
    await here.settle()
    (memory,) = await here.held()
    assert kept in memory


async def test_a_request_survives_a_model_that_gets_it_wrong(here: Assistant) -> None:
    wrong = {"op": "ADD", "text": "Locker number is 241", "importance": 5, "evidence": [1]}
    here.thinker.script(json.dumps({"operations": [wrong]}))
    await here.says("Remember that my locker number is 214.")
    await here.settle()
    (memory,) = await here.held()
    assert "214" in memory


async def test_what_the_model_kept_is_not_kept_twice(here: Assistant) -> None:
    right = {"op": "ADD", "text": "Locker number is 214", "importance": 5, "evidence": [1]}
    here.thinker.script(json.dumps({"operations": [right]}))
    await here.says("Remember that my locker number is 214.")
    await here.settle()
    assert await here.held() == ["Locker number is 214"]


@pytest.mark.parametrize(
    "said", ["Do you remember my locker number?", "I can't remember.", "My PIN is 4711, remember it."]
)
async def test_what_is_no_request_or_a_secret_is_not_kept(here: Assistant, said: str) -> None:
    here.thinker.script(NOTHING)
    await here.says(said)
    await here.settle()
    assert await here.held() == []
