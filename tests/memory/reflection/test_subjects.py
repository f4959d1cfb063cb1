"""Whom a statement is about: what was said of somebody else never becomes a fact about the speaker, nor the other way round."""

import pytest

from memory.domain import Trust
from tests.memory.reflection.samples import GROUP, add, brief, outcome, said

ACCEPTED, UNSUPPORTED = "accept ok", "reject unsupported"


def in_group(text: str, words: str, *, by: str = "Leif", other: str = "Petra", subject: str | None = None) -> str:
    """Give the verdict on a statement that rests on what ``by`` said to ``other``."""
    messages = (
        said(words, 1, by=by, person=1, trust=Trust.MEMBER, scope=GROUP),
        said("ok", 2, by=other, person=2, trust=Trust.MEMBER, scope=GROUP),
    )
    return outcome(brief(*messages, scope=GROUP), op="ADD", text=text, subject=subject)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("My boss Henrik drives a Volvo.", "Drives a Volvo"),
        ("Our landlord hates noise.", "Hates noise"),
        ("My dog Pim is afraid of thunder.", "Is afraid of thunder"),
        ("My mother is 71.", "Is 71 years old"),
        ("Meine Schwester Ute wohnt in Kiel.", "Wohnt in Kiel"),
        ("Ma sœur habite à Nantes.", "Habite à Nantes"),
        ("Mi hermano vive en Cádiz.", "Vive en Cádiz"),
        ("Моя сестра живёт в Казани.", "Живёт в Казани"),
        ("我妹妹住在成都。", "住在成都"),
        ("私の妹は看護師です。", "看護師"),
        ("Petra plays the drums.", "Plays the drums"),
        ("She said she loves sailing.", "Loves sailing"),
        ("Leo needs glasses, I do not.", "Needs glasses"),
    ],
)
def test_what_is_said_of_another_is_no_fact_about_the_speaker(words: str, text: str) -> None:
    """A place or a make in the sentence does not name whom it is about."""
    assert add(text, words) == UNSUPPORTED


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("My boss Henrik drives a Volvo.", "Henrik drives a Volvo"),
        ("My boss Henrik drives a Volvo.", "Boss drives a Volvo"),
        ("My boss says I can work from home.", "Can work from home"),
        ("My wife gave me a canoe.", "Got a canoe from the wife"),
        ("My landlord raised the rent to 900.", "Rent was raised to 900"),
        ("My wife and I keep bees.", "Keeps bees"),
        ("My sister works at the zoo. She feeds the seals.", "Sister feeds the seals"),
        ("Tomas and I run a bakery.", "Runs a bakery with Tomas"),
        ("Coffee makes me nervous.", "Gets nervous from coffee"),
        ("Biscuit is my cat.", "Has a cat called Biscuit"),
        ("Tomorrow is the driving test.", "Driving test is on 30 November 2026"),
        ("Mein Bruder heißt Anselm.", "Hat einen Bruder namens Anselm"),
        ("我妹妹住在成都。", "妹妹住在成都"),
        ("私の妹は看護師です。", "妹は看護師"),
        ("저는 채식주의자예요.", "채식주의자이다"),
        ("I am 40.", "Is 40 years old"),
    ],
)
def test_a_statement_that_names_its_subject_stands(words: str, text: str) -> None:
    """Or one about the speaker, whoever else the sentence begins with."""
    assert add(text, words) == ACCEPTED


def test_a_subject_named_beside_the_text_counts() -> None:
    """The field says whom the words leave out."""
    assert add("Plays the drums", "Petra plays the drums.", subject="Petra") == ACCEPTED


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("Petra has a key to the cellar", "Leif has a key to the cellar"),
        ("Anna has a key to the cellar", "Leif has a key to the cellar"),
        ("Petra, I am allergic to nuts", "Petra is allergic to nuts"),
        ("Petra hates cilantro", "Leif hates cilantro"),
    ],
)
def test_in_a_group_a_fact_stays_with_whom_it_was_said_of(words: str, text: str) -> None:
    """Both names were said or are known; the sentence tells whose the fact is."""
    assert in_group(text, words) == UNSUPPORTED


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("Petra has a key to the cellar", "Petra has a key to the cellar"),
        ("Petra, I am allergic to nuts", "Leif is allergic to nuts"),
        ("Petra and I run the stall", "Leif and Petra run the stall"),
    ],
)
def test_in_a_group_the_right_name_is_accepted(words: str, text: str) -> None:
    """The speaker's own name counts as said."""
    assert in_group(text, words) == ACCEPTED


def test_names_without_capitals_and_blanks_are_told_apart() -> None:
    """小雨 and 大山 are people of the conversation."""
    assert in_group("大山住在杭州", "我住在杭州", by="大山", other="小雨") == ACCEPTED
    assert in_group("小雨住在杭州", "我住在杭州", by="大山", other="小雨") == UNSUPPORTED
    assert in_group("大山会弹钢琴", "小雨会弹钢琴", by="大山", other="小雨") == UNSUPPORTED
