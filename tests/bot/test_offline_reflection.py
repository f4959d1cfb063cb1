"""What the offline model proposes to remember."""

import json
from typing import Any

import pytest

from bot.offline_reflection import propose as propose_text
from bot.offline_reflection import quote
from memory.domain import Origin, Role
from memory.reflection.operations import Brief, Reason, Reply
from memory.reflection.parsing import parse
from memory.reflection.validation import validate
from tests.bot.offline_briefs import brief, noted, said


def propose(of: Brief) -> list[dict[str, Any]]:
    return list(json.loads(propose_text(of))["operations"])


NOTHING = [{"op": "NOOP"}]


def test_a_request_to_remember_is_an_addition_with_its_evidence() -> None:
    """In the person's own words, and weightier than what was only said."""
    found = propose(brief([said(1, "Remember that my dentist is Dr Alvarez."), said(2, "I like tea.")]))
    assert found == [
        {"op": "ADD", "text": "my dentist is Dr Alvarez", "importance": 8, "evidence": [1]},
        {"op": "ADD", "text": "I like tea", "importance": 5, "evidence": [2]},
    ]


@pytest.mark.parametrize(
    "heard",
    [
        said(1, "Who is my dentist?"),
        said(1, "Write me a poem about my dentist."),
        said(1, "I like tea.", is_new=False),
        said(1, "I like tea.", "assistant", role=Role.ASSISTANT),
        said(1, "I like tea.", origin=Origin.FORWARDED),
        said(1, "I like tea.", origin=Origin.QUOTED),
        said(1, "Remember that I like tea.", origin=Origin.DOCUMENT),
        said(1, "My mail password is Quartz!Lamp77."),
    ],
)
def test_what_is_not_the_persons_new_statement_proposes_nothing(heard: Any) -> None:
    """Questions, commands, old, assistant's and passed-on words, and secrets."""
    assert propose(brief([heard])) == NOTHING


def test_a_voice_note_is_the_persons_own() -> None:
    """As good as typed."""
    assert propose(brief([said(1, "I like tea.", origin=Origin.VOICE)]))[0]["op"] == "ADD"


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("my dentist is Dr Alvarez", "My dentist is Dr Okafor now."),
        ("My office is on floor 3", "Our office is on floor 8."),
        ("meine Zahnärztin heißt Dr. Alvarez", "Meine Zahnärztin heißt Dr. Okafor."),
        ("mi dentista es Alvarez", "Recuerda que mi dentista es Okafor."),
        ("мой стоматолог — Альварес", "Мой стоматолог — Окафор."),
        ("我的牙医是王医生", "我的牙医是李医生。"),
        ("I live in Berlin", "I moved to Ghent."),
        ("Ich wohne in Köln", "Ich wohne jetzt in Bonn."),
    ],
)
def test_another_value_of_the_same_matter_changes_the_memory(known: str, text: str) -> None:
    """The row stays, its text becomes what is true now."""
    (found,) = propose(brief([said(4, text)], [noted("m1", "I like tea"), noted("m2", known)]))
    assert (found["op"], found["id"], found["evidence"]) == ("UPDATE", "m2", [4])


@pytest.mark.parametrize(
    ("known", "text"),
    [("My sister is Anna", "My sister is a nurse."), ("My cat is called Biscuit", "My dog is called Rex.")],
)
def test_one_more_thing_said_of_somebody_is_no_change(known: str, text: str) -> None:
    """A name is not replaced by a description, nor one animal by another."""
    assert propose(brief([said(1, text)], [noted("m1", known)]))[0]["op"] == "ADD"


def test_what_is_said_again_is_reinforced() -> None:
    """No copy."""
    found = propose(brief([said(1, "My dentist is Dr. Alvarez!")], [noted("m1", "my dentist is Dr Alvarez")]))
    assert found == [{"op": "REINFORCE", "id": "m1", "evidence": [1]}]


def test_the_later_of_two_values_in_one_brief_stands() -> None:
    """People correct themselves."""
    found = propose(brief([said(1, "My dentist is Dr Alvarez."), said(2, "My dentist is Dr Okafor.")]))
    assert [(one["op"], one["text"]) for one in found] == [("ADD", "My dentist is Dr Okafor")]


def test_a_request_to_forget_sets_aside_what_it_names_and_nothing_else() -> None:
    """Every telling word must be in the memory."""
    memories = [noted("m1", "Gym membership number is 5512"), noted("m2", "Has a niece called Tamsin")]
    found = propose(brief([said(1, "Please forget my gym membership number.")], memories))
    assert found == [{"op": "DELETE", "id": "m1", "evidence": [1]}]


@pytest.mark.parametrize("text", ["Forget what I said about olives.", "Forget everything I told you about the olives"])
def test_words_about_having_said_it_name_nothing(text: str) -> None:
    """The answer promises to set the memory aside; reflection must do it."""
    memories = [noted("m1", "I don't like olives"), noted("m2", "Has a niece called Tamsin")]
    assert propose(brief([said(1, text)], memories)) == [{"op": "DELETE", "id": "m1", "evidence": [1]}]


@pytest.mark.parametrize("text", ["Forget it.", "forget everything", "Forget that!", "Vergiss alles", "忘记全部"])
def test_an_open_request_to_forget_takes_nothing_away(text: str) -> None:
    """Wiping the store is no matter for a rule."""
    assert propose(brief([said(1, text)], [noted("m1", "Reads everything in bed")])) == NOTHING


def test_in_a_group_the_speaker_is_the_subject() -> None:
    """Leif's allergy is Leif's."""
    found = propose(
        brief([said(1, "I'm allergic to walnuts.", "Leif"), said(2, "I bake the cake.", "Petra")], private=False)
    )
    assert [(one["subject"], one["text"]) for one in found] == [
        ("Leif", "I'm allergic to walnuts"),
        ("Petra", "I bake the cake"),
    ]


def test_in_a_group_nobody_changes_what_another_said_or_what_all_chats_share() -> None:
    """The same words by another person are another fact."""
    memories = [
        noted("m1", "my dentist is Dr Alvarez", "Petra", "chat:-5"),
        noted("m2", "my dentist is Dr Alvarez", "Leif", "global"),
    ]
    found = propose(brief([said(1, "My dentist is Dr Okafor.", "Leif")], memories, private=False))
    assert [one["op"] for one in found] == ["ADD"]


def test_used_are_the_memories_that_the_answer_quotes() -> None:
    """Shown is not used."""
    memories = [noted("m1", "my dentist is Dr Alvarez"), noted("m2", "tea")]
    answer = f"You told me on 2026-11-29: {quote('my dentist is Dr Alvarez')} (steadily)"
    reply = json.loads(
        propose_text(brief([said(1, "Who?"), said(2, answer, "assistant", role=Role.ASSISTANT)], memories))
    )
    assert reply["used"] == ["m1"]


def test_at_most_eight_changes_are_proposed() -> None:
    """More would be refused."""
    assert len(propose(brief([said(n, f"I own boat number {n}.") for n in range(1, 20)]))) == 8


@pytest.mark.parametrize(
    "text",
    [
        "Remember that my dentist is Dr Alvarez.",
        "By the way, my sister Odile moved to Ghent in May.",
        "I have 2 dogs!",
        "We meet at the Mill every Tuesday. It opens at 9 a.m. on weekdays.",
        "I will not eat meat any more.",
        "Remember to call mum on Friday.",
        "Merk dir bitte, dass meine Zahnärztin Dr. Alvarez heißt.",
        "Souviens-toi que mon dentiste s'appelle Dr Alvarez.",
        "Recuerda que mi dentista es la doctora Álvarez.",
        "Ricorda che il mio dentista è il dottor Alvarez.",
        "Lembra-te que o meu dentista é o Dr. Alvarez.",
        "Onthoud dat mijn tandarts Dr. Alvarez is.",
        "Zapamiętaj, że moja dentystka to dr Alvarez.",
        "Запомни, что мой стоматолог — доктор Альварес.",
        "请记住我的牙医是王医生。",
    ],
)
@pytest.mark.parametrize("private", [True, False])
def test_what_it_proposes_is_accepted(text: str, private: bool) -> None:
    """The person's own words are their own evidence."""
    of = brief([said(1, text)], private=private)
    reply = parse(propose_text(of))
    assert isinstance(reply, Reply)
    assert [verdict.reason for verdict in validate(of, reply).verdicts] == [Reason.OK]
