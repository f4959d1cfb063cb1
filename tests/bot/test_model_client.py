"""The litellm adapter against a real HTTP server on loopback."""

import asyncio
import json
import logging
import random
import socket
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial

import pytest

from bot import errors
from bot.model import PromptMessage
from bot.model_client import LONGEST_PAUSE_S, LitellmModel, ModelSettings, connect
from tests.bot.model_requests import question
from tests.model_server import Fail, ModelServer, Recorded, Refuse, Say
from tests.model_server import replies as canned

# Litellm reads its own models so.
pytestmark = pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as running:
        yield running


class Pauses:
    """A sleep that only notes how long it should have been."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def client(server: ModelServer, pauses: Pauses | None = None, **changes: object) -> LitellmModel:
    settings = ModelSettings("openai/scripted", api_base=server.url, api_key="sk-test-7d1f")
    settings = replace(settings, **changes)  # type: ignore[arg-type]
    return LitellmModel(settings, rng=random.Random(7), sleep=pauses or Pauses())


async def test_an_answer_arrives_whole_and_in_pieces(server: ModelServer) -> None:
    """What `on_text` got, joined, is the answer; the provider's counts are the reply's."""
    server.script(Say("Dr Alvarez, on the second floor.", usage=(21, 9)))
    pieces: list[str] = []
    reply = await client(server).complete(question(), pieces.append)
    assert reply.text == "".join(pieces) == "Dr Alvarez, on the second floor."
    assert len(pieces) > 1
    assert (reply.prompt_tokens, reply.completion_tokens) == (21, 9)


async def test_the_request_is_what_was_asked(server: ModelServer) -> None:
    """Messages, model, limit and temperature reach the server; the key travels as a bearer token."""
    await client(server, temperature=0.3).complete(question("Hi", max_tokens=77))
    request = server.requests[0]
    assert request.messages == [
        {"role": "system", "content": "Answer briefly."},
        {"role": "user", "content": "Hi"},
    ]
    assert request.body["model"] == "scripted"
    assert request.body["temperature"] == 0.3
    assert 77 in (request.body.get("max_tokens"), request.body.get("max_completion_tokens"))
    assert request.headers["authorization"] == "Bearer sk-test-7d1f"


async def test_the_ceiling_of_the_settings_bounds_what_a_request_asks(server: ModelServer) -> None:
    """A request for more tokens than the settings allow is cut to that."""
    await client(server, max_output_tokens=50).complete(question(max_tokens=500))
    assert 50 in (server.requests[0].body.get("max_tokens"), server.requests[0].body.get("max_completion_tokens"))


async def test_a_server_of_ones_own_needs_no_key_and_never_gets_openais(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `api_base` and no key, a placeholder is sent, not the key in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-the-real-one")
    await client(server, api_key=None).complete(question())
    assert "sk-the-real-one" not in json.dumps(server.requests[0].headers)


async def test_tokens_are_estimated_where_the_provider_does_not_count(server: ModelServer) -> None:
    """Without usage in the stream, the reply still has a plausible count."""
    server.script(Say("Dr Alvarez.", usage=None))
    reply = await client(server).complete(question())
    assert 8 <= reply.prompt_tokens <= 40
    assert 2 <= reply.completion_tokens <= 12


async def test_the_price_of_a_server_of_ones_own_is_not_known(server: ModelServer) -> None:
    """A local model that borrows a famous name must not be billed at that name's price."""
    reply = await client(server, model="openai/gpt-4o-mini").complete(question())
    assert reply.cost_micro_usd is None


async def test_the_price_comes_from_the_list_in_the_package(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In millionths of a dollar, by the provider's own count."""
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_BASE", server.url)
    server.script(Say("Yes.", usage=(1000, 1000)))
    reply = await LitellmModel(ModelSettings("gpt-4o-mini", api_key="sk-x")).complete(question())
    assert reply.cost_micro_usd == 150 + 600


async def test_reasoning_before_the_answer_is_no_part_of_it(server: ModelServer) -> None:
    """A leading think block and a provider's separate reasoning are both left out, streamed or not."""
    pieces: list[str] = []
    server.script(Say("<think>the tag <b> matters</think>\n\nYes.", reasoning="hmm"))
    reply = await client(server).complete(question(), pieces.append)
    assert reply.text == "".join(pieces) == "Yes."


async def test_text_about_the_tag_is_text(server: ModelServer) -> None:
    """An answer that opens with the tag and never closes it is shown, unless it was cut off while thinking."""
    pieces: list[str] = []
    server.script(Say("<think> is not an HTML element."))
    reply = await client(server).complete(question(), pieces.append)
    assert reply.text == "".join(pieces) == "<think> is not an HTML element."
    server.script(Say("<think>so long that", finish="length"))
    with pytest.raises(errors.ModelEmptyReply):
        await client(server).complete(question())


async def test_a_long_ruler_is_no_endless_loop(server: ModelServer) -> None:
    """The same piece many times is an answer like any other."""
    server.script(Say(pieces=("-",) * 500))
    assert (await client(server).complete(question())).text == "-" * 500


async def test_a_character_cut_in_two_is_put_together(server: ModelServer) -> None:
    """Halves of a surrogate pair in two pieces make one character for both readers."""
    pieces: list[str] = []
    server.script(Say(pieces=("Good \ud83d", "\ude00 morning", " \ud83d")))
    reply = await client(server).complete(question(), pieces.append)
    assert reply.text == "".join(pieces) == "Good 😀 morning \ufffd"


@pytest.mark.parametrize(
    "text", ["lone \ud83d half", "nul \x00 byte", "\u202eright to left", "x " * 3_000, "👩‍👩‍👧‍👦" * 200]
)
async def test_hostile_text_reaches_the_server(server: ModelServer, text: str) -> None:
    """Whatever a person writes is sent as valid UTF-8 JSON."""
    await client(server).complete(question(text))
    sent = server.requests[0].last
    assert sent == text.replace("\ud83d half", "\ufffd half").replace("\x00", "\ufffd")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (canned.key_refused(), errors.ModelKeyRefused),
        (Fail(403, {"message": "not allowed for this project"}), errors.ModelKeyRefused),
        (canned.unknown_model(), errors.ModelUnknown),
        (Fail(404, "404 page not found"), errors.ModelUnknown),
        (Fail(400, {"message": "nobody is not a valid model ID"}), errors.ModelUnknown),
        (canned.out_of_quota(), errors.ModelRateLimited),
        (Fail(402, {"message": "This request requires more credits"}), errors.ModelRateLimited),
        (Fail(400, {"message": "Your credit balance is too low to access the API."}), errors.ModelRateLimited),
        (canned.filtered(), errors.ModelFiltered),
        (Say("", finish="content_filter"), errors.ModelFiltered),
        (Say("half an ans", finish="content_filter"), errors.ModelFiltered),
        (Say(""), errors.ModelEmptyReply),
        (Say(" \n\u200b\u00a0"), errors.ModelEmptyReply),
        (Say("<think>only this</think>"), errors.ModelEmptyReply),
        (Say("", reasoning="only this"), errors.ModelEmptyReply),
        (Fail(400, {"message": "messages: roles must alternate"}), errors.ModelRequestRefused),
        *((canned.too_long(wording), errors.ModelPromptTooLong) for wording in canned.TOO_LONG),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value)[:60],
)
async def test_what_a_provider_says_becomes_one_of_our_errors(
    server: ModelServer, reply: canned.Reply, expected: type[errors.ModelError]
) -> None:
    """Each refusal has its own class, and none of these is worth a pause and another try."""
    server.behave(lambda request: reply)
    pauses = Pauses()
    with pytest.raises(errors.ModelError) as caught:
        await client(server, pauses).complete(question())
    assert type(caught.value) is expected
    assert pauses.seconds == []


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
async def test_a_passing_trouble_is_tried_again(server: ModelServer, status: int) -> None:
    """Two failures and then an answer: the person only notices the pause, which grows and is never exact."""
    pauses = Pauses()
    server.script(canned.broken(status), canned.broken(status), Say("Here I am."))
    reply = await client(server, pauses).complete(question())
    assert reply.text == "Here I am."
    assert len(pauses.seconds) == 2
    assert 0 < pauses.seconds[0] < 1
    assert 0 < pauses.seconds[1] < 2


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (canned.broken(), errors.ModelUnreachable),
        (canned.rate_limited(), errors.ModelRateLimited),
        (Say("abc", cut=True), errors.ModelUnreachable),
        (Say(raw_body='data: {"id": "x\n\n'), errors.ModelUnreachable),
        (Fail(500, "<html>oops</html>"), errors.ModelUnreachable),
    ],
    ids=["500", "429", "cut", "truncated", "html"],
)
async def test_three_tries_are_enough(
    server: ModelServer, reply: canned.Reply, expected: type[errors.ModelError]
) -> None:
    """A trouble that lasts ends after three requests."""
    server.behave(lambda request: reply)
    with pytest.raises(expected):
        await client(server).complete(question())
    assert len(server.requests) == 3


async def test_a_server_that_is_not_there_is_unreachable(server: ModelServer) -> None:
    """A refused connection is tried again and then told as unreachable."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    pauses = Pauses()
    with pytest.raises(errors.ModelUnreachable):
        await client(server, pauses, api_base=address).complete(question())
    assert len(pauses.seconds) == 2


async def test_the_provider_says_how_long_to_wait(server: ModelServer) -> None:
    """`Retry-After` is honoured, in seconds and as a date, and never undercut by the jitter."""
    pauses = Pauses()
    later = {"Date": "Sun, 29 Nov 2026 12:00:00 GMT", "Retry-After": "Sun, 29 Nov 2026 12:00:09 GMT"}
    server.script(canned.rate_limited("7"), Fail(503, {"message": "busy"}, later), Say("Now."))
    await client(server, pauses).complete(question())
    assert 7 <= pauses.seconds[0] < 8
    assert 9 <= pauses.seconds[1] < 11


async def test_a_long_wait_is_told_instead_of_waited(server: ModelServer) -> None:
    """A provider that wants minutes gets them, but the person is told at once."""
    pauses = Pauses()
    server.behave(lambda request: canned.rate_limited(str(LONGEST_PAUSE_S + 1)))
    with pytest.raises(errors.ModelRateLimited):
        await client(server, pauses).complete(question())
    assert len(server.requests) == 1


@pytest.mark.parametrize("hang", ["before_headers", "before_first"])
async def test_a_model_that_does_not_begin_is_given_up(server: ModelServer, hang: canned.Hang) -> None:
    """Without a first token in time the connection is closed and the request made again."""
    server.script(Say("never", hang=hang), Say("Sorry, here."))
    reply = await client(server, first_token_timeout_s=0.2).complete(question())
    assert reply.text == "Sorry, here."
    await server.until_disconnected(1)


async def test_a_model_that_stalls_is_noticed_after_the_idle_time(server: ModelServer) -> None:
    """Silence within the answer has its own, shorter limit; what was passed on is not begun anew."""
    server.script(Say("I was about to", hang="within"))
    pieces: list[str] = []
    model = client(server, idle_timeout_s=0.2, first_token_timeout_s=3600.0, total_timeout_s=3600.0)
    with pytest.raises(errors.ModelUnreachable):
        await asyncio.wait_for(model.complete(question(), pieces.append), 30)
    assert "".join(pieces) == "I was about to"
    assert len(server.requests) == 1
    await server.until_disconnected(1)


async def test_an_answer_that_breaks_unseen_is_asked_for_again(server: ModelServer) -> None:
    """Nobody saw the first half, so the second try may replace it."""
    server.script(Say("I was ab", cut=True), Say("I was about to say yes."))
    assert (await client(server).complete(question())).text == "I was about to say yes."
    server.script(Say("I was ab", cut=True), Say("I was about to say yes."))
    with pytest.raises(errors.ModelUnreachable):
        await client(server).complete(question(), lambda piece: None)


async def test_the_whole_effort_has_an_end(server: ModelServer) -> None:
    """Tries and pauses together stay within the total time, and the last trouble is what is told."""
    server.behave(lambda request: canned.rate_limited())
    settings = ModelSettings("openai/scripted", api_base=server.url, total_timeout_s=0.5)
    forever = LitellmModel(settings, sleep=lambda seconds: asyncio.sleep(3600))
    with pytest.raises(errors.ModelRateLimited):
        await forever.complete(question())


async def test_cancelling_closes_the_connection(server: ModelServer) -> None:
    """`/stop` must reach the provider, or it goes on generating for money."""
    for hang in ("before_headers", "before_first", "within"):
        server.script(Say("On and on", hang=hang))
        task = asyncio.create_task(client(server).complete(question()))
        await server.until(len(server.requests) + 1)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    await server.until_disconnected(3)


async def test_an_error_of_the_listener_is_not_the_models(server: ModelServer) -> None:
    """A callback that raises is our own mistake and is not disguised."""

    def fail(piece: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await client(server).complete(question(), fail)


async def test_json_is_asked_for_and_given_up_where_it_is_refused(server: ModelServer) -> None:
    """A server without JSON mode is asked in words, and not bothered with it again."""
    model = client(server)
    server.script(Refuse(("response_format",), Say("{}")))
    await model.complete(question(json_reply=True))
    await model.complete(question(json_reply=True))
    asked = [request.body.get("response_format") for request in server.requests]
    assert asked == [{"type": "json_object"}, None, None]
    assert all("response_format" not in request.body for request in (await _plain(server)).requests[3:])


async def _plain(server: ModelServer) -> ModelServer:
    await client(server).complete(question())
    return server


async def test_a_server_that_cannot_stream_is_asked_without(server: ModelServer) -> None:
    """Usage first, then the stream itself is left out; the text still reaches the listener."""
    server.script(Refuse(("stream_options", "stream"), Say("All at once.")))
    pieces: list[str] = []
    reply = await client(server).complete(question(), pieces.append)
    assert reply.text == "".join(pieces) == "All at once."
    assert (reply.prompt_tokens, reply.completion_tokens) == (11, 7)


async def test_an_unexplained_refusal_costs_few_requests(server: ModelServer) -> None:
    """What is not understood is tried in simpler forms, then told."""
    server.behave(lambda request: Fail(400, {"message": "bad request"}))
    with pytest.raises(errors.ModelRequestRefused):
        await client(server).complete(question(json_reply=True))
    assert len(server.requests) == 4


async def test_fallbacks_answer_when_the_first_model_fails(server: ModelServer) -> None:
    """The second name is asked at the same server with the same key."""
    settings = ModelSettings("openai/first", api_base=server.url, api_key="sk-x", fallbacks=("openai/second",))
    server.script(canned.unknown_model("first"), Say("Second here."))
    reply = await connect(settings).complete(question())
    assert (reply.text, reply.model) == ("Second here.", "openai/second")
    assert server.requests[1].headers["authorization"] == "Bearer sk-x"


async def test_a_fallback_of_another_provider_never_gets_this_ones_address_or_key() -> None:
    """Each provider has its own server and key."""
    chain = connect(ModelSettings("openai/a", api_base="http://x", api_key="sk-x", fallbacks=("groq/b",)))
    fallback = chain._clients[1]._settings  # type: ignore[attr-defined]
    assert (fallback.model, fallback.api_base, fallback.api_key) == ("groq/b", None, None)


@pytest.mark.parametrize("model", ["nobody/knows", "nobody"])
async def test_a_name_without_a_provider_is_unknown(model: str) -> None:
    """Nothing is asked of anybody; the owner is told to choose a model."""
    with pytest.raises(errors.ModelUnknown):
        await LitellmModel(ModelSettings(model)).complete(question())


@pytest.mark.parametrize("model", ["openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"])
async def test_a_missing_key_is_told_as_such(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key nothing is sent, and the sentence speaks of the key."""
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(errors.ModelKeyRefused):
        await LitellmModel(ModelSettings(model), sleep=Pauses()).complete(question())


async def test_neither_prompts_nor_keys_are_logged_or_carried_by_errors(
    server: ModelServer, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A provider that echoes the prompt and the key gets neither into a log, the terminal or an error."""
    echo = {"message": "cannot read 'my ferritin is eleven' with key sk-test-7d1f"}
    with caplog.at_level(logging.DEBUG):
        for status in (400, 401, 404, 429, 500):
            server.behave(partial(_refuse, Fail(status, echo)))
            with pytest.raises(errors.ModelError) as caught:
                await client(server).complete(question("my ferritin is eleven"))
            assert caught.value.__context__ is None
            assert "ferritin" not in str(caught.value)
            assert "sk-test" not in str(caught.value)
    printed = "".join(capfd.readouterr())
    seen = printed + caplog.text
    assert "ferritin" not in seen
    assert "sk-test" not in seen
    assert "Give Feedback" not in seen


async def test_the_librarys_log_says_where_but_not_what(server: ModelServer, caplog: pytest.LogCaptureFixture) -> None:
    """Its warnings, and the tracebacks under them, hold prompts."""
    await client(server).warm_up()
    try:
        int("my ferritin is eleven")
    except ValueError:
        logging.getLogger("LiteLLM").exception("cannot send %s", "my ferritin is eleven")
    assert "ferritin" not in caplog.text
    assert "test_model_client.py" in caplog.text


def _refuse(reply: canned.Reply, request: Recorded) -> canned.Reply:
    return reply


def test_the_key_is_not_in_a_repr() -> None:
    """Settings may be logged."""
    assert "sk-secret" not in repr(ModelSettings("openai/x", api_key="sk-secret"))


GUARDED = """
    import asyncio, sys

    def guard(event, args):
        if event == "socket.connect" and isinstance(args[1], tuple) and args[1][0] not in ("127.0.0.1", "::1"):
            sys.exit(f"connects to {args[1]}")
        if event == "socket.getaddrinfo" and args[0] not in ("127.0.0.1", "::1", "localhost", None):
            sys.exit(f"looks up {args[0]}")

    sys.addaudithook(guard)
    from bot.errors import ModelUnknown
    from bot.model_client import LitellmModel, ModelSettings
    from tests.bot.model_requests import question
    assert "litellm" not in sys.modules, "imported too early"
    from tests.model_server import ModelServer

    async def main():
        longest, last = 0.0, asyncio.get_running_loop().time()
        async with ModelServer() as server:
            model = LitellmModel(ModelSettings("openai/scripted", api_base=server.url))
            reply = await model.complete(question("Hello"))
            assert reply.text == "You said: Hello", reply
            claude = LitellmModel(ModelSettings("anthropic/claude-sonnet-4-5", api_base=server.root, api_key="k"))
            try:
                await claude.complete(question("Hello"))
            except ModelUnknown:
                pass  # the server answers 404: it was reached, and nobody else
            await model.close()
        import litellm
        assert litellm.model_cost["gpt-4o-mini"]
        for name in ("callbacks", "input_callback", "success_callback", "failure_callback"):
            assert getattr(litellm, name) == [], name

    asyncio.run(main())
    print("quiet")
"""


def test_nothing_phones_home() -> None:
    """Import, a call and its clean-up open no connection but to loopback; litellm is imported only when needed."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(GUARDED)], capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.stdout, done.returncode) == ("quiet\n", 0), done.stderr
    assert done.stderr == ""


async def test_closing_what_was_never_used_imports_nothing() -> None:
    """A start that is broken off must not end with seconds of import."""
    code = """
        import asyncio, sys
        from bot.model_client import LitellmModel, ModelSettings
        asyncio.run(LitellmModel(ModelSettings("openai/x")).close())
        print("litellm" in sys.modules)
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(code), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert out == b"False\n"


async def test_the_event_loop_goes_on_while_litellm_is_imported() -> None:
    """The import happens in a thread: a clock on the loop keeps ticking."""
    code = """
        import asyncio, sys
        from bot.model_client import LitellmModel, ModelSettings

        async def main():
            ticks = 0
            task = asyncio.create_task(LitellmModel(ModelSettings("openai/x")).warm_up())
            while not task.done():
                await asyncio.sleep(0.01)
                ticks += 1
            print(ticks)

        asyncio.run(main())
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", textwrap.dedent(code), stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert int(out) > 20


async def test_messages_keep_their_roles(server: ModelServer) -> None:
    """History is sent as turns of both sides."""
    asked = question()
    talk = (PromptMessage("user", "a"), PromptMessage("assistant", "b"), PromptMessage("user", "c"))
    await client(server).complete(replace(asked, messages=talk))
    assert [m["role"] for m in server.requests[0].messages] == ["user", "assistant", "user"]


async def test_tokens_are_counted_as_a_known_model_does_and_estimated_for_others() -> None:
    text = "The dentist is on Thursday at half past three, Dr Alvarez."
    known, unknown = (LitellmModel(ModelSettings(model=name)) for name in ("openai/gpt-4o-mini", "openai/homemade"))
    estimate = unknown.count_tokens(text)
    assert known.count_tokens(text) == estimate  # nothing is loaded yet
    await known.warm_up()
    await unknown.warm_up()
    assert known.count_tokens(text) == 13
    assert unknown.count_tokens(text) == estimate
    assert known.count_tokens("\ud83d" + "x" * 100_000) > 0
