"""A plain yes makes the assistant's question the person's own words; nothing else the assistant says becomes a fact."""

import pytest

from memory.domain import Origin, Role, Trust
from memory.reflection.operations import BriefMessage, Outcome
from tests.memory.reflection.samples import GROUP, brief, judge, memory, said

AFFIRMED = [
    ("So you live in Graz now?", "Yes", "Lives in Graz"),
    ("Do you want me to remember that you are allergic to nuts?", "Yes, please!", "Is allergic to nuts"),
    ("Nice. Is your sister called Odile?", "Exactly.", "Sister is called Odile"),
    ("Good. You have two cats, right?", "yep", "Has two cats"),
    ("Who knows. Do you play the violin?", "That's right, thanks", "Plays the violin"),
    ("Du wohnst also in Graz?", "Ja, genau", "Wohnt in Graz"),
    ("Soll ich mir merken, dass du gegen Nüsse allergisch bist?", "Ja bitte", "Ist gegen Nüsse allergisch"),
    ("Tu habites à Lyon ?", "Oui", "Habite à Lyon"),
    ("Ты живёшь в Москве?", "Да", "Живёт в Москве"),
    ("你住在上海吗？", "是的", "住在上海"),
    ("Is your dentist appointment on Friday?", "Yes", "Dentist appointment on Friday 2026-12-04"),
]  # fmt: skip
NOT_AFFIRMED = [
    ("So you live in Graz now?", "No", "Lives in Graz"),
    ("So you live in Graz now?", "Yes, but only in summer", "Lives in Graz"),
    ("So you live in Graz now?", "Yes?", "Lives in Graz"),
    ("So you live in Graz now?", "Hm", "Lives in Graz"),
    ("So you live in Graz now.", "Yes", "Lives in Graz"),
    ("You live in Graz now. Shall I go on?", "Yes", "Lives in Graz"),
    ("Do you live in Graz? And are you allergic to nuts?", "Yes", "Lives in Graz"),
    ("Do you live in Graz or in Linz?", "Yes", "Lives in Graz"),
    ("Wohnst du in Graz oder in Linz?", "Ja", "Wohnt in Graz"),
    ("Vis-tu à Lyon ou à Nantes ?", "Oui", "Vit à Lyon"),
    ("你住在上海还是北京？", "是的", "住在上海"),
    ("You don't live in Graz?", "Yes", "Lives in Graz"),
    ("Why do you live in Graz?", "Yes", "Lives in Graz"),
    ("Shall I book a table at Rossi for you?", "Yes", "Has a table at Rossi"),
    ("Soll ich dir einen Tisch bei Rossi buchen?", "Ja", "Hat einen Tisch bei Rossi"),
    ("Did he say “Ana lives in Graz”?", "Yes", "Ana lives in Graz"),
    ("You don't live in Graz?", "Yes", "Does not live in Graz"),
    ("So you live in Graz now?", "Yes", "Lives in Linz"),
    ("Do you live in Graz?", "Yes", "Does not live in Graz"),
    ("So you live in Graz now?", "", "Lives in Graz"),
    ("¿Vives en Vigo?", "Sí, claro", "Vive en Vigo"),  # whose matter it is stands in an ending: too little
    ("So you live in Graz?", "Yeah right", "Lives in Graz"),
    ("So you live in Graz?", "Is that right", "Lives in Graz"),
    ("So you live in Graz?", "Yes 🙄", "Lives in Graz"),
    ("So you live in Graz?", "Yes /s", "Lives in Graz"),
    ("Is it a lie to say that you live in Graz?", "Yes", "Lives in Graz"),
    ("Is it false that you live in Graz?", "Yes", "Lives in Graz"),
    ("Does Tom think you live in Graz?", "Yes", "Lives in Graz"),
    ("Shall we pretend that you live in Graz?", "Yes", "Lives in Graz"),
    ("Do you want to live in Graz?", "Yes", "Lives in Graz"),
    ("Have you ever lived in Graz?", "Yes", "Lives in Graz"),
    ("Do you live in Graz/Linz?", "Yes", "Lives in Graz"),
    ("Do you live in Graz, Linz?", "Yes", "Lives in Graz"),
    ("Do you live in Graz vs Linz?", "Yes", "Lives in Graz"),
    ("Do you live in Graz, and are you allergic to nuts?", "Yes", "Lives in Graz"),
    ("Te Grazban vagy Linzben laksz?", "Igen", "Grazban lakik"),
    ("Locuiești tu în Graz sau Linz?", "Da", "Locuiește în Graz"),
]  # fmt: skip


def assistant(text: str, n: int = 2) -> BriefMessage:
    return said(text, n, by="assistant", role=Role.ASSISTANT)


def outcome(*messages: BriefMessage, text: str, group: bool = False, evidence: int | None = None) -> Outcome:
    asked = brief(*messages, scope=GROUP) if group else brief(*messages)
    (judged,) = judge(asked, {"op": "ADD", "text": text, "evidence": [evidence or messages[-1].n]}).verdicts
    return judged.outcome


@pytest.mark.parametrize(("question", "answer", "text"), AFFIRMED)
def test_a_plain_yes_says_what_the_question_says(question: str, answer: str, text: str) -> None:
    spoken = said("Hello.", 1, person=100), assistant(question), said(answer, 3, person=100)
    assert outcome(*spoken, text=text) is Outcome.ACCEPT


@pytest.mark.parametrize(("question", "answer", "text"), NOT_AFFIRMED)
def test_anything_else_says_nothing_of_it(question: str, answer: str, text: str) -> None:
    spoken = said("Hello.", 1, person=100), assistant(question), said(answer, 3, person=100)
    assert outcome(*spoken, text=text) is Outcome.REJECT


def test_the_yes_must_follow_the_question_at_once_and_answer_no_other_message() -> None:
    question, hello = assistant("So you live in Graz now?"), said("Hello.", 1, person=100)
    assert (
        outcome(hello, question, said("Well.", 3, person=100), said("Yes", 4, person=100), text="Lives in Graz")
        is Outcome.REJECT
    )
    other = said("Yes", 3, person=100, reply_text="Do you like opera?")
    assert outcome(hello, question, other, text="Lives in Graz") is Outcome.REJECT
    passed_on = said("Yes", 3, person=100, origin=Origin.FORWARDED)
    assert outcome(hello, question, passed_on, text="Lives in Graz") is Outcome.REJECT
    own = said("So you live in Graz now?", 2, person=100)
    assert outcome(hello, own, said("Yes", 3, person=100), text="Lives in Graz") is Outcome.REJECT
    assert outcome(hello, question, text="Lives in Graz") is Outcome.REJECT


@pytest.mark.parametrize("person", [1, 2])
def test_in_a_group_a_yes_alone_says_nothing(person: int) -> None:
    """Nobody can tell whom the question was for."""
    names = {1: "Leif", 2: "Petra"}
    spoken = (
        said("I moved.", 1, by="Leif", person=1, trust=Trust.MEMBER, scope=GROUP),
        assistant("You live in Graz now?"),
    )
    yes = said("Yes", 3, by=names[person], person=person, trust=Trust.MEMBER, scope=GROUP)
    assert outcome(*spoken, yes, text="Lives in Graz", group=True) is Outcome.REJECT


def test_a_yes_says_again_what_is_held() -> None:
    spoken = said("Hello.", 1, person=100), assistant("You still live in Graz?"), said("Yes", 3, person=100)
    held = memory("Lives in Graz", subject="Mirela", speaker="Mirela", speaker_id=100)
    (judged,) = judge(brief(*spoken, memories=(held,)), {"op": "REINFORCE", "id": "m1", "evidence": [3]}).verdicts
    assert judged.outcome is Outcome.REINFORCE
