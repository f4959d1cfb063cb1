"""Which sentences a wish to forget takes away, and which it leaves."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import erasure
from memory.transcript import FORGOTTEN

CAT = "My cat is called Biscuit."


@pytest.mark.parametrize(
    ("about", "text", "left"),
    [
        ("Leontine Dray", "My ex is called Leontine Dray.", FORGOTTEN),
        ("leontine dray", "My ex is called Leontine Dray.", FORGOTTEN),
        ("Leontine Dray", f"{CAT} My ex is Leontine. I like tea.", f"{CAT} {FORGOTTEN} I like tea."),
        ("Leontine Dray", "Is LEONTINE’s flat big? Dray was late. Yes.", f"{FORGOTTEN} Yes."),
        ("Leontine Dray", "Léontine called.", FORGOTTEN),
        ("Leontine Dray", CAT, CAT),
        ("Leontine Dray", "Leo is a lion.", "Leo is a lion."),
        ("Леонтина", "Вчера видел Леонтину. Кот спит.", f"{FORGOTTEN} Кот спит."),
        ("李昂婷", "我的前任叫李昂婷。我的猫叫饼干。", f"{FORGOTTEN} 我的猫叫饼干。"),
        ("レオンティーヌ・ドレー", "元カノはレオンティーヌだ。猫はビスケット。", f"{FORGOTTEN} 猫はビスケット。"),
        ("레온틴", "전 여자친구는 레온틴이야. 고양이는 비스킷이야.", f"{FORGOTTEN} 고양이는 비스킷이야."),
        ("ليونتين دراي", "اسمها ليونتين. قطتي بسكويت.", f"{FORGOTTEN} قطتي بسكويت."),
        ("my dentist", "Who is my dentist? I like tea.", f"{FORGOTTEN} I like tea."),
        ("dentist on monday", "Lunch on Monday. Monday is my dentist day.", f"Lunch on Monday. {FORGOTTEN}"),
        ("0151 2345678", "Call 0151 2345678 or come.\nThanks", f"{FORGOTTEN} Thanks"),
        ("anna@example.org", "Write to anna@example.org please. Bye.", f"{FORGOTTEN} Bye."),
    ],
)
def test_naming_words_takes_their_sentences_and_no_other(about: str, text: str, left: str) -> None:
    wording = erasure.of_words(about)
    assert wording.strike(text) == left
    assert wording.matches(text) is (left != text)


@pytest.mark.parametrize(
    ("statement", "text", "left"),
    [
        ("My ex is called Leontine Dray.", "Noted: Leontine is your ex.", FORGOTTEN),
        ("My ex is called Leontine Dray.", "What is an ex?", "What is an ex?"),
        ("I am allergic to peanuts.", "Understood, no peanuts: you are allergic. Bye.", f"{FORGOTTEN} Bye."),
        ("I am allergic to peanuts.", "Peanuts grow underground.", "Peanuts grow underground."),
        (
            "The dentist is on Monday at 17:30.",
            "On Monday at half past 30 people come.",
            "On Monday at half past 30 people come.",
        ),
        ("Ich wohne in Köln.", "Köln ist schön. Ja.", f"{FORGOTTEN} Ja."),
    ],
)
def test_a_statement_takes_what_repeats_it(statement: str, text: str, left: str) -> None:
    assert erasure.of_statement(statement).strike(text) == left


def test_names_that_are_remembered_elsewhere_mean_nothing_by_themselves() -> None:
    wording = erasure.of_statement("Anna owes Bob 4711 crowns.", ["Anna sings.", "Bob"])
    assert wording.strike("Anna met Bob. It was 4711.") == f"Anna met Bob. {FORGOTTEN}"
    beside = erasure.of_words("Anna's birthday", ["Anna sings."])
    assert beside.strike("Anna sings. Anna has her birthday in May.") == f"Anna sings. {FORGOTTEN}"


def test_words_that_run_over_sentences_take_those_sentences() -> None:
    wording = erasure.of_words("Dr. Alvarez, Main St. 5")
    assert wording.strike("He is Dr. Alvarez, Main St. 5, I think.") == FORGOTTEN
    two = erasure.of_statement("She is gone. It hurts a lot.")
    assert two.strike(f"Hi. She is gone. It hurts a lot. {CAT}") == f"Hi. {FORGOTTEN} {CAT}"


@pytest.mark.parametrize("about", ["", " ", "?!", "\x00", "the", "и"])
def test_words_that_say_nothing_take_nothing(about: str) -> None:
    assert erasure.of_words(about).strike(f"the end. и так. ?! {CAT}") == f"the end. и так. ?! {CAT}"


@pytest.mark.parametrize(
    ("about", "text", "named"),
    [
        ("Leontine Dray", "Dray, Leontine is my ex", True),
        ("dray leontine", "My ex is called Leontine Dray.", True),
        ("the ex", "My ex is called Leontine Dray.", True),
        ("Leontine Smith", "My ex is called Leontine Dray.", False),
        ("is", "My ex is called Leontine Dray.", False),
        ("饼干", "我的猫叫饼干", True),
        ("кошку", "Мою кошку зовут Бисквит", True),
    ],
)
def test_all_words_in_any_order_and_form(about: str, text: str, named: bool) -> None:
    assert erasure.of_words(about).named_in(text) is named


@settings(max_examples=80)
@given(st.text(max_size=80), st.text(max_size=30), st.text(max_size=80))
def test_striking_never_fails_keeps_the_rest_and_is_done_at_once(before: str, about: str, after: str) -> None:
    wording = erasure.of_words(about) | erasure.of_statement(before)
    text = f"{before}. {about} {after}"
    once = wording.strike(text)
    assert not wording.matches(once.replace(FORGOTTEN, "xqxqx."))
    assert "".join(erasure.sentences(text)) == text


def test_a_very_long_text_is_struck_in_no_time() -> None:
    wording = erasure.of_words("Leontine Dray")
    text = "le " * 30_000 + "Leontine. " + "word " * 10_000
    assert "Leontine" not in wording.strike(text)
