"""Which cues are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import policy
from memory.triggers.wording import Unfit, fit_phrases, fit_tools, unfit, unfit_tool


@pytest.mark.parametrize(
    "phrase",
    ["the", "and", "is it", "when", "a", "x", "7", "und die", "dans le", "para el", "это", "的", "のは", "어디에", "I", "of the"],
)  # fmt: skip
def test_small_words_single_letters_and_digits_name_nothing(phrase: str) -> None:
    assert unfit(phrase) is Unfit.NO_CONTENT


@pytest.mark.parametrize("phrase", ["", " ", "*", ".", "!?", "—", "\x00", "\ud800", "\u202e\u200b", "%_"])
def test_signs_are_no_words(phrase: str) -> None:
    assert unfit(phrase) is Unfit.EMPTY


@pytest.mark.parametrize(
    "phrase",
    ["deploy", "when deploying", "C++", "猫", "部署", "отпуск", "السفر", "טיסה", "🧾", "배포", "AT&T", "10:30"],
)
def test_what_names_something_is_a_cue_in_any_script(phrase: str) -> None:
    assert unfit(phrase) is None


def test_long_and_secret_cues_are_refused() -> None:
    assert unfit("deploy " + "x" * 94) is Unfit.TOO_LONG
    assert unfit("d" * policy.CUE_CHARS) is None
    assert unfit("my PIN is 4711") is Unfit.SECRET


@pytest.mark.parametrize("name", ["", "*", ".", "send mail", "rm -rf /;", "a" * 101, "\ud800", "-x"])
def test_what_is_no_name_is_no_tool(name: str) -> None:
    assert unfit_tool(name) is not None


def test_cues_are_cleaned_counted_once_and_limited() -> None:
    """In their order; case makes no other cue."""
    assert fit_phrases([" tax  return ", "the", "Tax return", "sail"]) == ("tax return", "sail")
    assert fit_tools(["send_mail", "*", "Send_Mail", "mcp:a/b"]) == ("send_mail", "mcp:a/b")
    assert len(fit_phrases(f"cue{n}" for n in range(20))) == policy.CUES_A_LESSON


@settings(max_examples=60)
@given(st.lists(st.text(max_size=120), max_size=12))
def test_no_text_raises_and_what_is_kept_is_fit(texts: list[str]) -> None:
    for phrase in fit_phrases(texts):
        assert unfit(phrase) is None
