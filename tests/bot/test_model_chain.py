"""Fallback models."""

import pytest

from bot import errors
from bot.model import ModelReply, ModelRequest
from bot.model_chain import ModelChain
from tests.bot.model_requests import question
from tests.scripted_model import ScriptedModel


async def test_the_first_that_answers_is_heard() -> None:
    """Later ones are not asked, and the reply names who answered."""
    models = [
        ScriptedModel(errors.ModelUnreachable("x"), name="a"),
        ScriptedModel("Hi", name="b"),
        ScriptedModel(name="c"),
    ]
    reply = await ModelChain(models).complete(question())
    assert (reply.text, reply.model) == ("Hi", "b")
    assert [len(model.requests) for model in models] == [1, 1, 0]


async def test_when_none_answers_the_first_trouble_is_told() -> None:
    """The owner should mend the model that was chosen, not the last resort."""
    models = [ScriptedModel(errors.ModelKeyRefused("x")), ScriptedModel(errors.ModelUnreachable("y"))]
    with pytest.raises(errors.ModelKeyRefused):
        await ModelChain(models).complete(question())


async def test_a_prompt_too_long_is_the_callers_matter() -> None:
    """The caller has a shorter prompt; another model is no remedy."""
    models = [ScriptedModel(errors.ModelPromptTooLong("x")), ScriptedModel("Hi")]
    with pytest.raises(errors.ModelPromptTooLong):
        await ModelChain(models).complete(question())
    assert models[1].requests == []


class Breaking(ScriptedModel):
    """Says half a sentence and fails."""

    async def complete(self, request: ModelRequest, on_text: object = None) -> ModelReply:
        if callable(on_text):
            on_text("I was ab")
        raise errors.ModelUnreachable("cut")


async def test_nobody_else_goes_on_with_a_begun_answer() -> None:
    """A person who saw a beginning does not see a second one; unseen, it may be replaced."""
    chain = ModelChain([Breaking(), ScriptedModel("Hello")])
    heard: list[str] = []
    with pytest.raises(errors.ModelUnreachable):
        await chain.complete(question(), heard.append)
    assert heard == ["I was ab"]
    assert (await chain.complete(question())).text == "Hello"


def test_a_chain_of_nothing_is_refused() -> None:
    """There is no answer to hope for."""
    with pytest.raises(ValueError, match="at least one"):
        ModelChain([])


async def test_a_chain_prepares_and_closes_its_members() -> None:
    """Those that can; others are left alone."""

    class Closable(ScriptedModel):
        done: tuple[str, ...] = ()

        async def warm_up(self) -> None:
            self.done += ("warm",)

        async def close(self) -> None:
            self.done += ("closed",)

    member = Closable()
    chain = ModelChain([ScriptedModel(), member])
    await chain.warm_up()
    await chain.close()
    assert member.done == ("warm", "closed")
