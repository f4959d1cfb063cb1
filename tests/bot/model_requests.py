"""Requests that the tests of the model share."""

from bot.model import ModelRequest, PromptMessage, Purpose


def question(text: str = "Who is my dentist?", *, json_reply: bool = False, max_tokens: int = 200) -> ModelRequest:
    """Give a small request of a turn, without material."""
    messages = (PromptMessage("system", "Answer briefly."), PromptMessage("user", text))
    return ModelRequest(Purpose.TURN, messages, max_tokens, json_reply)
