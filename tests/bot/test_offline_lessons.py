"""Corrections in plain words, as the offline model hears them."""

import json

import pytest

from bot.offline_reflection import propose
from memory.domain import Kind
from tests.memory.reflection.samples import brief, judge, said

OWN = "No! Next time ask me before you book a hotel."


@pytest.mark.parametrize(
    ("said_so", "cue"),
    [
        ("Never book night trains again!", "book night trains"),
        ("Please don't reserve window seats again", "reserve window seats"),
        ("Next time you deploy, run the tests first.", "you deploy"),
        (OWN, "you book a hotel"),
        ("Buche nie wieder Nachtzüge!", "Buche Nachtzüge"),
        ("Nie wieder Nachtzüge buchen.", "Nachtzüge buchen"),
        ("Beim nächsten Mal frag mich, bevor du ein Hotel buchst.", "du ein Hotel buchst"),
        ("Nunca más reserves trenes nocturnos.", "reserves trenes nocturnos"),
        ("La próxima vez pregúntame antes de reservar un hotel.", "reservar un hotel"),
        ("Ne réserve plus jamais de train de nuit.", "réserve de train de nuit"),
        ("La prochaine fois, demande-moi avant de réserver un hôtel.", "réserver un hôtel"),
        ("Non prenotare mai più treni notturni.", "prenotare treni notturni"),
        ("La prossima volta chiedimi prima di prenotare un albergo.", "prenotare un albergo"),
        ("Não reserves comboios outra vez", "reserves comboios"),
        ("Da próxima vez pergunta-me antes de reservar um hotel.", "reservar um hotel"),
    ],
)
def test_the_offline_model_proposes_a_lesson_for_a_correction(said_so: str, cue: str) -> None:
    """In six languages; validation lets it through with its cue."""
    heard = brief(said(said_so))
    raw = propose(heard)
    assert [op["kind"] for op in json.loads(raw)["operations"]] == ["lesson"]
    new = judge(heard, *json.loads(raw)["operations"]).verdicts[0].new
    assert new is not None
    assert (new.kind, new.triggers, new.importance) == (Kind.LESSON, (cue,), 7)


@pytest.mark.parametrize(
    "text",
    ["Never mind.", "Don't do that again.", "Never again", "I will never eat there again.", "Next time I go to Rome I will take the train.", "My sister never called again.",
     "Will it never rain again?", "Ich esse nie wieder Fisch.", "Never say never", "La prochaine fois est en mai"],
)  # fmt: skip
def test_what_corrects_nothing_makes_no_lesson_offline(text: str) -> None:
    assert "lesson" not in propose(brief(said(text)))
