"""What a person says again comes back with its history, and a claim becomes that person's word."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from memory import journal, store, tombstones
from memory.attachments import sources_of
from memory.domain import Actor, Layer, Memory, Status, Trust
from memory.reflection.application import Applied, apply
from memory.reflection.operations import Brief, Judgement, NewMemory, Outcome, Reason, Verdict
from memory.reflection.waking import meant, woken
from memory.tables import memories, memory_versions
from memory.unit_of_work import UnitOfWork
from tests.memory.reflection.samples import memory
from tests.memory.samples import AGENT, CAUSE, CHAT, ELSEWHERE, HERE, NOW, keep, new

LATER = NOW + timedelta(days=40)
CLAIM: dict[str, Any] = {
    "status": Status.QUARANTINED, "subject": "Pavel", "speaker": "Pavel", "speaker_id": 41, "trust": Trust.QUOTED,
    "importance": 4, "sources": ((3, 0, 5),),
}  # fmt: skip
OWN: dict[str, Any] = {"subject": "Pavel", "sources": ((9, 0, 5),)}


def write(uow: UnitOfWork, *verdicts: Verdict, key: str = "k", now: Any = LATER, **options: Any) -> Applied:
    asked = Brief(HERE, True, "Anna", "UTC", now, (), ())
    return apply(
        uow, Judgement(verdicts), asked, **({"agent": AGENT, "now": now, "turn_key": key, "vectors": {}} | options)
    )


def saying(text: str, op: str = "ADD", outcome: Outcome = Outcome.ACCEPT, **fields: Any) -> Verdict:
    return Verdict(op, outcome, Reason.OK, new=new(text, **fields), actor_id=CHAT)


def held(uow: UnitOfWork, memory_id: Any) -> Memory:
    found = store.get(uow, AGENT, HERE, memory_id)
    assert found is not None
    return found


def count(uow: UnitOfWork) -> int:
    return int(uow.connection.scalar(select(func.count()).select_from(memories)) or 0)


@pytest.mark.parametrize("again", ["Pavel moved to Lyon", "pavel moved to LYON!", "Pavel has moved to Lyon"])
def test_a_claim_that_a_person_says_themselves_is_confirmed_in_its_row(uow: UnitOfWork, again: str) -> None:
    """With that person's trust, and the new source beside the old."""
    claim = keep(uow, "Pavel moved to Lyon", **CLAIM)
    (effect,) = write(uow, saying(again, importance=6, **OWN)).effects
    now = held(uow, claim.id)
    assert effect.memory == now
    assert (now.status, now.trust, now.speaker, now.speaker_id) == (Status.ACTIVE, Trust.OWNER, "Anna", CHAT)
    assert (now.text, now.mentions, now.importance, now.layer) == (claim.text, 1, 6, Layer.BUFFER)
    assert [source.message_id for source in sources_of(uow, claim.id)] == [3, 9]
    assert count(uow) == 1
    entry = journal.of_memory(uow, AGENT, HERE, claim.id)[-1]
    assert (entry.operation, entry.actor_id) == ("CONFIRM", CHAT)


def test_a_confirmation_enters_the_layer_it_has_earned_and_can_be_taken_back(uow: UnitOfWork) -> None:
    claim = keep(uow, "Pavel moved to Lyon", **CLAIM)
    write(uow, saying("Pavel moved to Lyon", explicit=True, **OWN), actor=Actor.PERSON)
    assert held(uow, claim.id).layer is Layer.WORKING
    operation = journal.last_undoable(uow, AGENT, HERE, CHAT, since=NOW)
    assert operation is not None
    journal.undo(uow, operation, now=LATER, by=CHAT)
    assert (held(uow, claim.id).status, held(uow, claim.id).trust) == (Status.QUARANTINED, Trust.QUOTED)


def test_hearsay_again_confirms_nothing(uow: UnitOfWork) -> None:
    """Neither a claim nor what sleeps."""
    claim = keep(uow, "Pavel moved to Lyon", **CLAIM)
    asleep = keep(uow, "Pavel sold the boat", **(CLAIM | {"status": Status.ARCHIVED}))
    for n, text in enumerate([claim.text, asleep.text]):
        passed_on = saying(text, outcome=Outcome.QUARANTINE, subject="Pavel", trust=Trust.QUOTED)
        (effect,) = write(uow, passed_on, key=f"k{n}").effects
        assert (effect.verdict.outcome, effect.verdict.reason) == (Outcome.REJECT, Reason.DUPLICATE)
    assert (held(uow, claim.id), held(uow, asleep.id)) == (claim, asleep)


@pytest.mark.parametrize(
    "other",
    [{"scope": ELSEWHERE}, {"status": Status.SUPERSEDED}, {"text": "Pavel never moved to Lyon"}, {"text": "Pavel moved to Nice"},
     {"text": "Moved to Lyon"}, {"text": "Pavel moved to Lyon with 2 dogs"}],
)  # fmt: skip
def test_another_scope_subject_status_or_statement_is_not_confirmed(uow: UnitOfWork, other: dict[str, Any]) -> None:
    """Another name, number or a "not" is another statement."""
    fields = CLAIM | {"text": "Pavel moved to Lyon", "scope": HERE} | other
    claim = keep(uow, fields.pop("text"), **fields)
    write(uow, saying("Pavel moved to Lyon" if claim.text != "Moved to Lyon" else "Moved to Lyon", subject="Anna"))
    kept = store.get(uow, AGENT, claim.scope, claim.id)
    assert kept == claim
    assert count(uow) == 2


def test_namesakes_do_not_confirm_each_other() -> None:
    """Who speaks of themselves is known by account."""
    claim = memory("Anna is allergic to nuts", subject="Anna", speaker="Anna", speaker_id=41)
    assert not meant(claim, new("Anna is allergic to nuts", speaker_id=42))
    assert meant(claim, new("Anna is allergic to nuts", speaker_id=41))


def test_what_sleeps_comes_back_when_it_is_said_again(uow: UnitOfWork) -> None:
    """Its versions, sources and days are all there, and the mention counts."""
    first = keep(uow, "The locksmith is Anacleto", sources=((3, 0, 5),))
    reworded = store.change(uow, first, now=NOW, cause=CAUSE, text="The locksmith in Porto is Anacleto").memory
    asleep = store.change(uow, reworded, now=NOW, cause=CAUSE, status=Status.ARCHIVED).memory
    (effect,) = write(uow, saying("The locksmith in Porto is Anacleto", sources=((9, 0, 5),))).effects
    now = held(uow, asleep.id)
    assert effect.memory == now
    assert (now.status, now.layer, now.mentions, now.accessed_at) == (Status.ACTIVE, Layer.WORKING, 1, LATER)
    assert [source.message_id for source in sources_of(uow, first.id)] == [3, 9]
    assert uow.connection.scalars(select(memory_versions.c.text)).all() == ["The locksmith is Anacleto"]
    assert journal.of_memory(uow, AGENT, HERE, first.id)[-1].operation == "RESURRECT"
    assert count(uow) == 1


def test_a_repetition_a_correction_and_an_end_reach_what_sleeps(uow: UnitOfWork) -> None:
    """The model may be shown it; a person's word about it is not lost."""
    one, two, three = (keep(uow, f"Gate code word is {n}", status=Status.ARCHIVED) for n in ("alpha", "beta", "gamma"))
    again = Verdict("REINFORCE", Outcome.REINFORCE, Reason.OK, target=one, actor_id=CHAT)
    changed = Verdict(
        "UPDATE", Outcome.ACCEPT, Reason.OK, target=two, new=new("Gate code word is delta"), actor_id=CHAT
    )
    ended = Verdict("DELETE", Outcome.ACCEPT, Reason.OK, target=three, actor_id=CHAT)
    write(uow, again, changed, ended)
    states = [(m.text, m.status) for m in (held(uow, one.id), held(uow, two.id), held(uow, three.id))]
    assert states == [
        (one.text, Status.ACTIVE), ("Gate code word is delta", Status.ACTIVE), (three.text, Status.SUPERSEDED),
    ]  # fmt: skip


@pytest.mark.parametrize("op", ["REINFORCE", "UPDATE", "DELETE"])
def test_no_operation_reaches_what_nobody_confirmed(uow: UnitOfWork, op: str) -> None:
    claim = keep(uow, "Pavel moved to Lyon", **CLAIM)
    outcome = Outcome.REINFORCE if op == "REINFORCE" else Outcome.ACCEPT
    addition: NewMemory | None = new("Pavel moved to Nice") if op == "UPDATE" else None
    (effect,) = write(uow, Verdict(op, outcome, Reason.OK, target=claim, new=addition, actor_id=CHAT)).effects
    assert effect.verdict.reason is Reason.STALE
    assert held(uow, claim.id) == claim


def test_a_matter_that_is_over_wakes_without_its_end() -> None:
    """It would fall asleep again at once."""
    over = memory("Dentist on Thursday", status=Status.ARCHIVED, expires_at=NOW)
    assert woken(over, new(over.text), LATER)["expires_at"] is None
    coming = memory("Dentist on Thursday", status=Status.ARCHIVED, expires_at=LATER)
    assert woken(coming, new(coming.text), NOW)["expires_at"] == LATER


def test_a_forgotten_text_does_not_wake(uow: UnitOfWork) -> None:
    claim = keep(uow, "Pavel moved to Lyon", **CLAIM)
    tombstones.set_up(uow, AGENT, HERE, claim.text, NOW)
    write(uow, saying(claim.text, **OWN))
    assert held(uow, claim.id) == claim


def test_a_deletion_with_a_successor_is_linked_to_it(uow: UnitOfWork) -> None:
    """Whichever comes first in the reply; each effect stays in its place."""
    milan = keep(uow, "Anna lives in Milan")
    ended = Verdict("DELETE", Outcome.ACCEPT, Reason.OK, target=milan, actor_id=CHAT, successor=1)
    effects = write(uow, ended, saying("Anna lives in Berlin")).effects
    assert [effect.verdict.op for effect in effects] == ["DELETE", "ADD"]
    gone, berlin = held(uow, milan.id), effects[1].memory
    assert berlin is not None
    assert (gone.status, gone.superseded_by, gone.valid_to) == (Status.SUPERSEDED, berlin.id, LATER)


def test_a_deletion_whose_successor_was_refused_stands_alone(uow: UnitOfWork) -> None:
    milan = keep(uow, "Anna lives in Milan")
    ended = Verdict("DELETE", Outcome.ACCEPT, Reason.OK, target=milan, actor_id=CHAT, successor=1)
    write(uow, ended, saying("Anna lives in Berlin", scope=ELSEWHERE))
    assert (held(uow, milan.id).status, held(uow, milan.id).superseded_by) == (Status.SUPERSEDED, None)
