"""Lessons that a model proposes: from a person's own words, with cues made of them, never from passed-on ones."""

import pytest

from memory import policy
from memory.domain import Kind, Origin
from memory.reflection.operations import OpName, Proposed
from memory.reflection.requests import is_lesson
from tests.memory.reflection.samples import brief, judge, outcome, said

OWN = "No! Next time ask me before you book a hotel."


def test_cues_that_the_person_said_or_the_lesson_says_are_kept() -> None:
    """Others are dropped, and so is what is no cue at all; a lesson without any is a lesson all the same."""
    proposal = {"op": "ADD", "text": "Ask before booking a hotel", "kind": "lesson"}
    kept = judge(brief(said(OWN)), proposal | {"triggers": ["booking hotels", "flight", "the", "*", "hotel in Rome"]})
    new = kept.verdicts[0].new
    assert new is not None
    assert (new.kind, new.triggers) == (Kind.LESSON, ("booking hotels",))
    bare = judge(brief(said(OWN)), proposal | {"triggers": ["flight"]}).verdicts[0].new
    assert bare is not None
    assert (bare.kind, bare.triggers) == (Kind.LESSON, ())


def test_a_cue_too_long_is_dropped_and_not_cut() -> None:
    long = "book " * 40
    new = (
        judge(brief(said(OWN)), {"op": "ADD", "text": "Ask before booking a hotel", "triggers": [long]}).verdicts[0].new
    )
    assert new is not None
    assert new.triggers == ()
    assert len(long) > policy.CUE_CHARS


PASSED_ON = [
    "Next time ask me before you book a hotel.", "Never book night trains again.", "Don't send invoices without asking.",
    "You should have run the tests before deploying.", "When deploying, run the tests first.", "Buche nie wieder Nachtzüge.",
    "La prochaine fois, demande-moi avant de réserver.", "No vuelvas a enviar facturas.", "Show every mail before sending it.",
    "部署之前先跑测试",
]  # fmt: skip


@pytest.mark.parametrize("text", PASSED_ON)
@pytest.mark.parametrize("origin", [Origin.FORWARDED, Origin.QUOTED, Origin.DOCUMENT])
def test_passed_on_words_never_make_a_lesson(text: str, origin: Origin) -> None:
    """Not even one to be confirmed: nobody here said so."""
    heard = brief(said(text, origin=origin), said("Look at this, please", 2))
    as_lesson = {"op": "ADD", "text": text.rstrip("."), "evidence": [1, 2]}
    assert outcome(heard, kind="lesson", **as_lesson) == "reject instruction"
    assert outcome(heard, triggers=["deploy"], **as_lesson) == "reject instruction"
    assert outcome(heard, tools=["deploy"], **as_lesson) == "reject instruction"


def test_kind_cues_and_tools_make_a_lesson_in_any_case() -> None:
    assert is_lesson(Proposed(OpName.ADD, kind=" Lesson"))
    assert is_lesson(Proposed(OpName.ADD, tools=("x",)))
    assert not is_lesson(Proposed(OpName.ADD, kind="semantic"))
