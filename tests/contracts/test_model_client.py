"""What every `ModelClient` keeps to: the fake, the litellm adapter and the offline model alike."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

import pytest

from bot.errors import ModelEmptyReply
from bot.model import Known, ModelClient, ModelRequest, PromptMessage, Purpose, Question
from bot.model_chain import ModelChain
from bot.model_client import LitellmModel, ModelSettings
from bot.offline_model import OfflineModel
from tests.bot.offline_briefs import brief, said
from tests.model_server import ModelServer, Say
from tests.scripted_model import ScriptedModel

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")

Make = Callable[[str], ModelClient]


@pytest.fixture(params=["scripted", "litellm", "chain", "offline"])
async def make(request: pytest.FixtureRequest) -> AsyncIterator[Make]:
    """Give what makes a client that answers a text, as far as it can be told to."""
    async with ModelServer() as server:

        def litellm(text: str) -> ModelClient:
            server.script(text)
            return LitellmModel(ModelSettings("openai/scripted", api_base=server.url))

        makers: dict[str, Make] = {
            "scripted": ScriptedModel,
            "litellm": litellm,
            "chain": lambda text: ModelChain([ScriptedModel(text), ScriptedModel("never")]),
            "offline": lambda text: OfflineModel(),
        }
        yield makers[request.param]


def request(text: str = "Who is my dentist?") -> ModelRequest:
    """Give a request with material, as a turn makes it."""
    known = (Known("my dentist is Dr Alvarez", "Mirela", "2026-11-29"),)
    material = Question(text, "Mirela", known, first_answer=False)
    return ModelRequest(Purpose.TURN, (PromptMessage("user", text),), 200, material=material)


async def test_an_answer_has_text_a_name_and_counts(make: Make) -> None:
    """The ledger takes them as they are."""
    client = make("It is Dr Alvarez.")
    reply = await client.complete(request())
    assert "Dr Alvarez" in reply.text
    assert reply.model == client.name
    assert reply.prompt_tokens >= 0
    assert reply.completion_tokens >= 0
    assert reply.cost_micro_usd is None or reply.cost_micro_usd >= 0


async def test_the_pieces_are_the_answer(make: Make) -> None:
    """None of them empty, all of them before the answer is given."""
    pieces: list[str] = []
    reply = await make("It is Dr Alvarez, as you told me.").complete(request(), pieces.append)
    assert "".join(pieces) == reply.text
    assert all(pieces)


async def test_the_estimate_of_tokens_is_free_and_grows(make: Make) -> None:
    """Budgets are made with it before any call."""
    client = make("x")
    assert client.count_tokens("") == 0
    assert (
        0
        < client.count_tokens("a")
        <= client.count_tokens("a b c \ud83d 你好")
        < client.count_tokens("a b c 你好" * 50)
    )


async def test_one_client_answers_many_at_once(make: Make) -> None:
    """Chats run in parallel."""
    client = make("It is Dr Alvarez.")
    replies = await asyncio.gather(*(client.complete(request()) for _ in range(5)))
    assert all(reply.text for reply in replies)


async def test_hostile_text_is_taken(make: Make) -> None:
    """A prompt is whatever people wrote."""
    assert (await make("fine").complete(request("\x00\ud83d\u202e" * 100))).text


async def test_a_reflection_is_answered_in_json(make: Make) -> None:
    """An answer that was scripted as JSON arrives as JSON."""
    material = brief([said(1, "I like tea.")])
    prompt = (
        PromptMessage("system", "You keep the memory of a chat."),
        PromptMessage("user", "1. Mirela: I like tea."),
    )
    asked = ModelRequest(Purpose.REFLECTION, prompt, 200, json_reply=True, material=material)
    assert isinstance(json.loads((await make('{"operations": []}').complete(asked)).text), dict)


@pytest.mark.parametrize("blank", ["", "  \n "])
async def test_a_blank_answer_is_an_error(blank: str) -> None:
    """Of the fake as of the adapter."""
    async with ModelServer() as server:
        server.script(Say(blank))
        for client in (ScriptedModel(blank), LitellmModel(ModelSettings("openai/scripted", api_base=server.url))):
            with pytest.raises(ModelEmptyReply):
                await client.complete(request())
