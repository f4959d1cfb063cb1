"""The judgement on errors of the model library."""

import inspect

import pytest

from bot import errors
from bot.model_client import _load
from bot.model_failures import KINDS, judge, retry_after


def test_every_exception_of_litellm_is_mapped() -> None:
    """A new class in a new version must be thought about, not swept up."""
    exceptions = _load().exceptions
    classes = {name for name, value in inspect.getmembers(exceptions, inspect.isclass) if issubclass(value, Exception)}
    assert classes == set(KINDS)


@pytest.mark.parametrize("error", [IndexError("list index out of range"), KeyError("x"), OSError(111, "refused")])
def test_what_nobody_expected_counts_as_unreachable(error: Exception) -> None:
    """Anything else that comes out of a provider's code is told as no answer, and tried again."""
    failure = judge(error, "openai/x")
    assert type(failure.error) is errors.ModelUnreachable
    assert failure.retry


class Hostile(Exception):
    """An error whose text cannot be read."""

    def __str__(self) -> str:
        raise ValueError


def test_an_error_without_a_readable_text_is_judged_as_well() -> None:
    """Judging never raises."""
    assert type(judge(Hostile(), "openai/x").error) is errors.ModelUnreachable


def test_the_log_line_names_class_status_code_and_model_but_no_text() -> None:
    """What a provider said may hold a prompt."""

    class BadRequestError(Exception):
        status_code = 400
        code = "invalid_value"

    failure = judge(BadRequestError("Anna's ferritin is eleven"), "openai/x")
    assert str(failure.error) == "BadRequestError · 400 · invalid_value · model openai/x"
    assert not failure.retry


def test_a_code_that_is_prose_is_left_out() -> None:
    """Some servers put sentences into the code."""

    class BadRequestError(Exception):
        code = "Anna's ferritin is eleven"

    assert "ferritin" not in str(judge(BadRequestError("x"), "openai/x").error)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:09 GMT", "date": "Sun, 29 Nov 2026 12:00:00 GMT"}, 9.0),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:00 GMT", "date": "Sun, 29 Nov 2026 12:00:09 GMT"}, 0.0),
        ({"retry-after": "Sun, 29 Nov 2026 12:00:09 GMT"}, None),
    ],
)
def test_retry_after_is_read_in_both_forms(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds or a date; nonsense is no wait."""
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    "said",
    [
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "too many tokens: total number of tokens in the prompt cannot exceed 4081",
        "Input is too long for requested model.",
        "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000",
        "prompt too long; exceeded max context length by 312 tokens",
        "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
        "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
        "Requested tokens (5000) exceed context window of 4096",
        "The number of tokens to keep from the initial prompt is greater than the context length",
        "Your request is too large",
    ],
)
def test_a_prompt_that_does_not_fit_is_known_in_many_words(said: str) -> None:
    """Providers agree on nothing, and the remedy is the same: a shorter prompt."""

    class BadRequestError(Exception):
        status_code = 400

    assert type(judge(BadRequestError(said), "openai/x").error) is errors.ModelPromptTooLong
