"""The scripted model itself: a bench that lies proves nothing."""

import json
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE
from pathlib import Path

import aiohttp
import pytest

from memory.domain import Origin, Role
from memory.reflection.brief import render
from tests.bot.offline_briefs import brief, noted, said
from tests.model_server import ModelServer, Say
from tests.model_server.replies import TOO_LONG, Fail, from_json, too_long


def turn(text: str, **fields: object) -> dict[str, object]:
    return {
        "model": "m",
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": text}],
        **fields,
    }


async def post(url: str, body: object) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as response:
        return response.status, await response.text()


async def test_a_stream_carries_the_same_text_as_a_whole_answer() -> None:
    """Events end with [DONE] and tell usage only when asked."""
    async with ModelServer() as server:
        server.script(Say("Grüße 😀 and so on"), Say("Grüße 😀 and so on"))
        _, whole = await post(f"{server.url}/chat/completions", turn("x"))
        _, events = await post(f"{server.url}/chat/completions", turn("x", stream=True))
    chunks = [json.loads(line[6:]) for line in events.splitlines() if line.startswith("data: {")]
    streamed = "".join(chunk["choices"][0]["delta"].get("content", "") for chunk in chunks)
    assert streamed == json.loads(whole)["choices"][0]["message"]["content"] == "Grüße 😀 and so on"
    assert events.endswith("data: [DONE]\n\n")
    assert not any("usage" in chunk for chunk in chunks)


async def test_without_a_script_the_message_is_echoed_without_the_blocks_before_it() -> None:
    """What was recalled must not come back through an echo."""
    asked = '<memories>\n<memory>Biscuit</memory>\n</memories>\n<message from="Mirela">\nWho is my cat?\n</message>'
    async with ModelServer() as server:
        _, answer = await post(f"{server.url}/chat/completions", turn(asked))
        assert server.requests[0].last == asked
    assert json.loads(answer)["choices"][0]["message"]["content"] == "You said: Who is my cat?"


async def test_reflections_and_comparisons_take_nothing_from_the_script_of_turns() -> None:
    """Each kind has its own."""
    async with ModelServer() as server:
        server.script("for the turn")
        for opening in ("You keep the memory of a chat.", "You compare two notes."):
            body = {
                "model": "m",
                "messages": [{"role": "system", "content": opening}, {"role": "user", "content": "x"}],
            }
            _, answer = await post(f"{server.url}/chat/completions", body)
            assert "for the turn" not in answer
        _, answer = await post(f"{server.url}/chat/completions", turn("x"))
        assert "for the turn" in answer
        assert [request.kind for request in server.requests] == ["reflection", "comparison", "turn"]


async def test_keep_statements_adds_every_new_own_statement_word_for_word() -> None:
    """It reads the prompt that reflection really renders."""
    of = brief(
        [
            said(1, "I owned a boat.", is_new=False),
            said(2, 'I like "tea"\nand rain.'),
            said(3, "Nice.", "assistant", role=Role.ASSISTANT),
            said(4, "The ferry stops.", "Westwind", origin=Origin.FORWARDED),
            said(5, "Where do I live?"),
            said(6, "I sing.", "Leif", origin=Origin.VOICE),
        ],
        [noted("m1", "old")],
    )
    body = {
        "messages": [{"role": "system", "content": "You keep the memory of x"}, {"role": "user", "content": render(of)}]
    }
    async with ModelServer() as server:
        server.behave("keep_statements", kind="reflection")
        _, answer = await post(f"{server.url}/chat/completions", body)
    operations = json.loads(json.loads(answer)["choices"][0]["message"]["content"])["operations"]
    assert [(one["text"], one["evidence"]) for one in operations] == [
        ('I like "tea"\nand rain.', [2]),
        ("I sing.", [6]),
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("hello", Say("hello")),
        ({"say": "hi", "pieces": ["h", "i"], "hang": "within"}, Say("hi", pieces=("h", "i"), hang="within")),
        ({"fail": 503}, Fail(503)),
        ({"too_long": "ollama"}, too_long("ollama")),
    ],
)
def test_a_script_is_read_from_json(written: object, read: object) -> None:
    """For the process and the control endpoint."""
    assert from_json(written) == read


@pytest.mark.parametrize("nonsense", [{"sing": "a song"}, 7, None, {"error": "nobody"}])
def test_nonsense_in_a_script_is_refused(nonsense: object) -> None:
    """A typing error in a test must not pass as a reply."""
    with pytest.raises(ValueError, match="scripted reply"):
        from_json(nonsense)


def test_every_wording_is_an_error_of_the_client() -> None:
    """A refusal has a status of its own."""
    assert all(status >= 400 and error["message"] for status, error in TOO_LONG.values())


async def test_it_runs_as_a_process_with_a_control_endpoint(tmp_path: Path) -> None:
    """What a conversation test starts beside the assistant."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turn": ["first", {"fail": 500}], "reflection": "keep_statements"}), encoding="utf-8")
    process = await create_subprocess_exec(
        sys.executable, "-m", "tests.model_server", "--port", "0", "--script", str(script), stdout=PIPE
    )
    assert process.stdout is not None
    url = (await process.stdout.readline()).decode().strip()
    root = url.removesuffix("/v1")
    assert "first" in (await post(f"{url}/chat/completions", turn("x")))[1]
    assert (await post(f"{url}/chat/completions", turn("x")))[0] == 500
    assert (await post(f"{root}/control/script", {"turn": ["second"]}))[0] == 200
    assert (await post(f"{root}/control/script", {"turn": [7]}))[0] == 400
    assert "second" in (await post(f"{url}/chat/completions", turn("x")))[1]
    async with aiohttp.ClientSession() as session, session.get(f"{root}/control/requests") as response:
        assert [request["kind"] for request in await response.json()] == ["turn"] * 3
    process.terminate()
    assert await process.wait() == 0
