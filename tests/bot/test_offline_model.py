"""The answers of the built-in model."""

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import offline_model
from bot.model import Known, ModelRequest, PromptMessage, Purpose, Question
from bot.offline_model import OfflineModel, answer
from bot.offline_reflection import propose
from memory.reflection.operations import Outcome, Reply
from memory.reflection.parsing import parse
from memory.reflection.validation import validate
from tests.bot.offline_briefs import brief, said

DENTIST = Known("my dentist is Dr Alvarez", "Mirela", "2026-11-29")
BEES = Known("I keep two beehives behind the garage", "Mirela", "2026-11-28")
TRIP = Known("The trip is in May", "Tobin", "2026-11-27")


def ask(text: str, *known: Known, first: bool = False, passed_on: bool = False) -> str:
    return answer(Question(text, "Mirela", known, first, passed_on))


def test_the_first_answer_says_what_this_is_and_how_to_get_a_real_model() -> None:
    """Nobody takes it for more than it is; later answers do not repeat it."""
    first = ask("Remember that my dentist is Dr Alvarez.", first=True)
    assert first.startswith("I am Tidemark's built-in offline model")
    assert "not a language model" in first
    assert "TIDEMARK_MODEL=" in first
    assert "Dr Alvarez" in first
    assert "TIDEMARK_MODEL" not in ask("Remember that my dentist is Dr Alvarez.")


def test_a_question_is_answered_by_quoting_who_said_what_and_when() -> None:
    """Exactly as it was kept."""
    assert ask("Who is my dentist?", BEES, DENTIST, TRIP) == "You told me on 2026-11-29: “my dentist is Dr Alvarez”"
    assert ask("When is the trip?", DENTIST, TRIP) == "Tobin told me on 2026-11-27: “The trip is in May”"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Wer ist meine Zahnärztin?", "meine Zahnärztin heißt Dr. Alvarez"),
        ("¿Quién es mi dentista?", "mi dentista es la doctora Álvarez"),
        ("Кто мой стоматолог?", "мой стоматолог — доктор Альварес"),
        ("我的牙医是谁？", "我的牙医是王医生"),
        ("How many beehives have I got?", "I keep two beehives behind the garage"),
    ],
)
def test_the_note_that_shares_words_with_the_question_is_chosen(question: str, text: str) -> None:
    """In any script."""
    assert ask(question, TRIP, Known(text, "Mirela", "2026-11-01")) == f"You told me on 2026-11-01: “{text}”"


def test_a_question_without_a_fitting_note_is_not_bluffed() -> None:
    """The nearest note is offered as no more than that; without any, so it says."""
    assert ask("Where do I live?", BEES).startswith(offline_model.UNSURE)
    assert ask("Where do I live?") == offline_model.NOT_TOLD


def test_what_it_will_keep_is_confirmed_word_for_word_and_nothing_else() -> None:
    """The confirmation comes from the same rules as reflection."""
    assert ask("I like tea. Is it raining?") == f"Noted. I will remember: “I like tea”\n\n{offline_model.NOT_TOLD}"
    assert "remember:" not in ask("Write me a poem about my cat.")


def test_a_secret_is_not_promised() -> None:
    """Validation would refuse it; so does the answer."""
    reply = ask("Remember that my mail password is Quartz!Lamp77. I like tea.")
    assert "Quartz" not in reply
    assert "“I like tea”" in reply
    assert offline_model.NO_SECRETS in reply


def test_only_what_validation_lets_through_is_promised() -> None:
    """The answer and the reflection after it must agree."""
    essay = "Remember that " + "Quill, " * 40
    for text in (
        "Kannst du dir merken, dass ich am 3. Dezember Geburtstag habe?",
        "I like tea.",
        essay,
        "We are here.",
    ):
        reflection = brief([said(1, text)])
        verdicts = validate(reflection, cast("Reply", parse(propose(reflection)))).verdicts
        stored = [verdict.new for verdict in verdicts if verdict.outcome is Outcome.ACCEPT and verdict.new]
        assert ("I will remember" in ask(text)) == bool(stored), text


def test_passed_on_words_are_not_taken_for_the_persons() -> None:
    """A forwarded "remember …" is nobody's wish here."""
    assert ask("Remember that I like tea.", passed_on=True) == offline_model.NOT_YOURS


def test_forgetting_names_what_goes_or_says_that_nothing_fits() -> None:
    """And an open request points to the commands."""
    assert "“my dentist is Dr Alvarez”" in ask("Forget my dentist.", DENTIST, BEES)
    assert ask("Forget my car.", DENTIST) == offline_model.NOTHING_TO_FORGET
    assert ask("forget everything", DENTIST) == offline_model.FORGET_ALL


def test_anything_else_is_declined_honestly() -> None:
    """With what it can do."""
    assert ask("Translate this into French") == offline_model.CANNOT
    assert ask("Hello!") == offline_model.HELLO


@settings(max_examples=100)
@given(
    st.text(st.characters(), max_size=200), st.lists(st.text(st.characters(), max_size=50), max_size=3), st.booleans()
)
def test_any_message_gets_an_answer_and_always_the_same(text: str, notes: list[str], first: bool) -> None:
    """Never empty, never an exception."""
    known = tuple(Known(note, "Mirela", "2026-11-29") for note in notes)
    assert ask(text, *known, first=first).strip()
    assert ask(text, *known, first=first) == ask(text, *known, first=first)


async def test_without_material_it_gives_a_sign_of_life_or_no_opinion() -> None:
    """The doctor's call, and the comparison of two notes."""
    model = OfflineModel()
    plain = ModelRequest(Purpose.DOCTOR, (PromptMessage("user", "ping"),), 5)
    assert (await model.complete(plain)).text
    comparison = ModelRequest(Purpose.REFLECTION, (PromptMessage("user", "OLD: a\nNEW: b"),), 60, json_reply=True)
    assert (await model.complete(comparison)).text == '{"relation": "distinct"}'
    assert (await model.complete(plain)).cost_micro_usd == 0
