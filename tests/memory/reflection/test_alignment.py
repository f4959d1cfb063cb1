"""A wrong number loses no fact, and lets none in."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from memory.domain import Conversation, Message, Origin, Role, Scope, Trust
from memory.reflection.alignment import align
from memory.reflection.operations import Brief, BriefMessage, OpName, Outcome, Proposed, Reply
from memory.reflection.validation import validate

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def message(
    n: int, text: str, role: Role = Role.USER, origin: Origin = Origin.OWN, *, new: bool = True
) -> BriefMessage:
    trust = Trust.ASSISTANT if role is Role.ASSISTANT else Trust.OWNER
    return BriefMessage(n, Message(n, Conversation(1), role, "Mirela", 1, origin, text, NOW), trust, new)


BRIEF = Brief(
    scope=Scope("chat:1"),
    private=True,
    owner_name="Mirela",
    timezone="Europe/Ljubljana",
    now=NOW,
    messages=(
        message(1, "My brother plays chess.", new=False),
        message(2, "My sister Odile moved to Ghent in May."),
        message(3, "I know that Odile moved to Ghent and plays tennis.", Role.ASSISTANT),
        message(4, "The ferry stops in October.", origin=Origin.FORWARDED),
    ),
    memories=(),
)


def add(text: str, evidence: tuple[int, ...] | None) -> Reply:
    return Reply((Proposed(OpName.ADD, text=text, evidence=evidence),))


@pytest.mark.parametrize("cited", [(3,), (), None, (1,), (99,)])
def test_a_fact_of_a_person_survives_a_wrong_number(cited: tuple[int, ...] | None) -> None:
    mended = align(BRIEF, add("Sister Odile moved to Ghent in May", cited))
    assert isinstance(mended.entries[0], Proposed)
    assert mended.entries[0].evidence == (2,)
    assert validate(BRIEF, mended).verdicts[0].outcome is Outcome.ACCEPT


@pytest.mark.parametrize(
    "text",
    ["Odile plays tennis", "The ferry stops in October", "Brother plays chess", "Sister Odile moved to Ghent in June"],
)
def test_what_no_person_says_now_gets_in_by_no_number(text: str) -> None:
    for cited in ((3,), (4,), (1,), None):
        verdict = validate(BRIEF, align(BRIEF, add(text, cited))).verdicts[0]
        assert verdict.outcome in {Outcome.REJECT, Outcome.QUARANTINE}


def test_a_right_number_is_left_alone() -> None:
    brief = replace(BRIEF, messages=(*BRIEF.messages, message(5, "Yes, sister Odile moved to Ghent in May.")))
    reply = add("Sister Odile moved to Ghent in May", (5,))
    assert align(brief, reply) == reply


def test_a_reinforcement_is_never_mended() -> None:
    """An echo of the assistant's gains no weight by being near something a person says."""
    reply = Reply((Proposed(OpName.REINFORCE, id="m1", evidence=(3,)),))
    assert align(BRIEF, reply) == reply
