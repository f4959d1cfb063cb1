"""What was judged is written once, under the lock, after a second look."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from memory import forgetting, journal, store, transcript
from memory.attachments import sources_of
from memory.domain import GLOBAL, Actor, Kind, Layer, Memory, Scope, Status, Trust
from memory.reflection.application import Applied, apply, entry_layer
from memory.reflection.operations import Brief, BriefMessage, Judgement, NewMemory, Outcome, Reason, Verdict
from memory.tables import memories, operations
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CHAT, DIGEST, ELSEWHERE, HERE, NOW, keep, new, said, vector

LATER = NOW + timedelta(hours=1)


def brief(scope: Scope = HERE, private: bool = True, messages: tuple[BriefMessage, ...] = ()) -> Brief:
    return Brief(scope, private, "Anna", "UTC", NOW, messages, ())


def verdict(op: str, outcome: Outcome = Outcome.ACCEPT, reason: Reason = Reason.OK, **fields: Any) -> Verdict:
    return Verdict(op, outcome, reason, **({"actor_id": CHAT} | fields))


def write(
    uow: UnitOfWork,
    *verdicts: Verdict,
    used: tuple[Memory, ...] = (),
    key: str = "k1",
    now: datetime = LATER,
    about: Brief | None = None,
    **options: Any,
) -> Applied:
    judgement = Judgement(verdicts, used)
    given = {"vectors": {}, "agent": AGENT, "now": now, "turn_key": key}
    return apply(uow, judgement, about or brief(), **(given | options))


def entries(uow: UnitOfWork) -> list[tuple[str, str, str]]:
    rows = uow.connection.execute(select(operations).order_by(operations.c.id))
    return [(row.operation, row.verdict, row.reason) for row in rows]


def held(uow: UnitOfWork, *statuses: Status) -> list[str]:
    return [memory.text for memory in store.visible(uow, AGENT, HERE, statuses or (Status.ACTIVE,))]


def test_an_addition_is_stored_with_its_vector_and_everything_that_was_resolved(uow: UnitOfWork) -> None:
    statement = new("Anna's tea is Assam.", sources=((1, 0, 5),), importance=6)
    applied = write(uow, verdict("ADD", new=statement), vectors={statement.text: vector()}, digest=DIGEST)
    (memory,) = applied.added
    assert (memory.layer, memory.importance, memory.embedding_model) == (Layer.BUFFER, 6, DIGEST)
    assert sources_of(uow, memory.id)[0].message_id == 1
    assert entries(uow) == [("ADD", "accept", "ok")]


@pytest.mark.parametrize(
    ("fields", "layer"),
    [
        ({}, Layer.BUFFER),
        ({"importance": 7}, Layer.BUFFER),
        ({"importance": 8}, Layer.WORKING),
        ({"explicit": True}, Layer.WORKING),
        ({"kind": Kind.PROCEDURAL}, Layer.WORKING),
        ({"kind": Kind.LESSON}, Layer.WORKING),
        ({"kind": Kind.EPISODIC}, Layer.BUFFER),
    ],
)
def test_a_statement_enters_the_layer_it_has_earned(fields: dict[str, Any], layer: Layer) -> None:
    assert entry_layer(new("x", **fields)) is layer


def test_the_same_turn_is_applied_once_whatever_the_second_answer_says(uow: UnitOfWork) -> None:
    write(uow, verdict("ADD", new=new("first")))
    again = write(uow, verdict("ADD", new=new("second")))
    assert again == Applied(repeated=True)
    assert held(uow) == ["first"]


def test_a_turn_without_anything_to_keep_counts_as_applied_too(uow: UnitOfWork) -> None:
    write(uow, verdict("NOOP"))
    assert write(uow, verdict("ADD", new=new("second"))).repeated
    assert held(uow) == []


def test_what_is_held_literally_already_is_reinforced_instead(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna's tea is Assam.")
    applied = write(uow, verdict("ADD", new=new("  anna's TEA is Assam", sources=((9, 0, 3),))))
    assert [m.id for m in applied.reinforced] == [memory.id]
    assert applied.reinforced[0].mentions == 1
    assert len(held(uow)) == 1
    assert sources_of(uow, memory.id)[0].message_id == 9
    assert entries(uow)[-1][:2] == ("REINFORCE", "reinforce")


@pytest.mark.parametrize(
    "other",
    [
        {"scope": ELSEWHERE},
        {"scope": GLOBAL},
        {"subject": "Bob"},
        {"speaker_id": 99},  # a namesake who speaks of herself
        {"status": Status.SUPERSEDED},
        {"status": Status.QUARANTINED},
    ],
)
def test_a_repetition_never_crosses_scope_subject_account_or_status(uow: UnitOfWork, other: dict[str, Any]) -> None:
    keep(uow, "drives a milk float", **other)
    applied = write(uow, verdict("ADD", new=new("drives a milk float")))
    assert len(applied.added) == 1


def test_what_another_said_of_her_and_she_repeats_is_one_memory(uow: UnitOfWork) -> None:
    keep(uow, "Anna sings.", speaker="Bob", speaker_id=99)
    assert write(uow, verdict("ADD", new=new("Anna sings."))).reinforced


def test_repetition_counts_once_a_day_and_every_third_raises_importance(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.", importance=9)
    seen = []
    for day in range(7):
        for hour in (1, 5):
            now = NOW + timedelta(days=day, hours=hour)
            fresh = store.get(uow, AGENT, HERE, memory.id)
            applied = write(uow, verdict("REINFORCE", Outcome.REINFORCE, target=fresh), key=f"{day}/{hour}", now=now)
            assert applied.reinforced
        seen.append((applied.reinforced[0].mentions, applied.reinforced[0].importance))
    assert seen == [(1, 9), (2, 9), (3, 10), (4, 10), (5, 10), (6, 10), (7, 10)]


def test_a_repetition_of_something_that_was_reworded_meanwhile_is_stale(uow: UnitOfWork) -> None:
    seen = keep(uow, "Anna sings.")
    store.change(uow, seen, now=NOW, cause=journal.Cause("UPDATE", Actor.PERSON, "ok"), text="Anna hums.")
    (refused,) = write(uow, verdict("REINFORCE", Outcome.REINFORCE, target=seen)).rejected
    assert refused.reason is Reason.STALE


@pytest.mark.parametrize(("explicit", "rated"), [(True, None), (False, 8)])
def test_what_a_person_asked_to_keep_is_measured_by_nobody(explicit: bool, rated: int | None, uow: UnitOfWork) -> None:
    """Else the guard against inflation would strike it by what a model once said of the former text."""
    memory = keep(uow, "The tent is in the cellar.", importance=4, rated=7)
    statement = new("The tent is in the car boot.", importance=9, rated=8, explicit=explicit)
    write(uow, verdict("UPDATE", Outcome.ACCEPT, target=memory, new=statement))
    changed = store.get(uow, AGENT, HERE, memory.id)
    assert changed is not None
    assert (changed.importance, changed.rated) == (9, rated)


def test_an_update_keeps_the_row_and_the_old_text_as_a_version(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna lives in Milan.", importance=8, sources=((1, 0, 3),))
    statement = new(
        "Anna lives in Berlin.", importance=5, speaker="Bob", speaker_id=99, trust=Trust.MEMBER, sources=((2, 0, 4),)
    )
    (updated,) = write(uow, verdict("UPDATE", target=memory, new=statement)).updated
    assert (updated.id, updated.text, updated.importance, updated.speaker) == (
        memory.id,
        "Anna lives in Berlin.",
        8,
        "Bob",
    )
    assert (updated.valid_from, updated.accessed_at, updated.revision) == (LATER, LATER, 2)
    assert [source.message_id for source in sources_of(uow, memory.id)] == [1, 2]
    assert held(uow) == ["Anna lives in Berlin."]


@pytest.mark.parametrize("op", ["UPDATE", "DELETE"])
def test_a_change_of_something_that_changed_meanwhile_is_stale(uow: UnitOfWork, op: str) -> None:
    seen = keep(uow, "Anna sings.")
    store.change(uow, seen, now=NOW, cause=journal.Cause("PIN", Actor.PERSON, "ok"), pinned=True)
    (refused,) = write(uow, verdict(op, target=seen, new=new("Anna hums."))).rejected
    assert refused.reason is Reason.STALE
    assert held(uow) == ["Anna sings."]


def test_one_reply_may_change_the_same_memory_twice(uow: UnitOfWork) -> None:
    memory = keep(uow, "one")
    applied = write(
        uow, verdict("UPDATE", target=memory, new=new("two")), verdict("UPDATE", target=memory, new=new("three"))
    )
    assert [m.text for m in applied.updated] == ["two", "three"]
    assert not applied.rejected


def test_a_deletion_supersedes_and_can_be_undone(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.")
    (effect,) = write(uow, verdict("DELETE", target=memory)).effects
    assert effect.memory is not None
    assert (effect.memory.status, effect.memory.valid_to) == (Status.SUPERSEDED, LATER)
    assert isinstance(journal.undo(uow, effect.operation_id, now=LATER, by=CHAT), journal.Undone)
    assert held(uow) == ["Anna sings."]


def test_an_update_that_says_the_same_is_a_repetition(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.")
    assert write(uow, verdict("UPDATE", target=memory, new=new("anna sings"))).reinforced


def test_a_claim_is_quarantined_once_and_never_stands_in_the_default_pool(uow: UnitOfWork) -> None:
    claim = verdict(
        "ADD", Outcome.QUARANTINE, Reason.NO_HUMAN_EVIDENCE, new=new("Bob is broke.", trust=Trust.QUOTED, importance=9)
    )
    (kept,) = write(uow, claim).quarantined
    assert (kept.status, kept.layer) == (Status.QUARANTINED, Layer.BUFFER)
    assert held(uow) == []
    assert write(uow, claim, key="k2").rejected
    assert len(held(uow, Status.QUARANTINED)) == 1


@pytest.mark.parametrize("op", ["UPDATE", "DELETE"])
def test_quarantined_changes_leave_their_target_alone(uow: UnitOfWork, op: str) -> None:
    memory = keep(uow, "Anna sings.")
    statement = new("Anna hums.") if op == "UPDATE" else None
    write(uow, verdict(op, Outcome.QUARANTINE, Reason.NO_HUMAN_EVIDENCE, target=memory, new=statement))
    assert store.get(uow, AGENT, HERE, memory.id) == memory


def test_every_refusal_is_journaled_and_a_secret_leaves_no_text(uow: UnitOfWork) -> None:
    refusals = (
        verdict("ADD", Outcome.REJECT, Reason.UNSUPPORTED, new=new("Petra is allergic.")),
        verdict("ADD", Outcome.REJECT, Reason.SECRET, new=new("The PIN is 4711.")),
        verdict(None, Outcome.REJECT, Reason.MALFORMED),  # type: ignore[arg-type]
    )
    assert len(write(uow, *refusals).rejected) == 3
    rows = uow.connection.execute(select(operations).order_by(operations.c.id)).all()
    assert [row.reason for row in rows] == ["unsupported", "secret", "malformed"]
    assert rows[0].after["proposed"]["text"] == "Petra is allergic."
    assert rows[1].after is None
    assert held(uow) == []


def test_what_repeats_an_entry_of_the_same_reply_is_stored_once(uow: UnitOfWork) -> None:
    twice = verdict("ADD", Outcome.REINFORCE, Reason.DUPLICATE, within=0, new=new("Anna sings."))
    write(uow, verdict("ADD", new=new("Anna sings.")), twice)
    (memory,) = store.visible(uow, AGENT, HERE)
    assert memory.mentions == 0


def test_a_group_writes_to_itself_only(uow: UnitOfWork) -> None:
    shared = keep(uow, "Anna is called Anna.", GLOBAL)
    group = brief(ELSEWHERE, private=False)
    applied = write(
        uow,
        verdict("ADD", new=new("x", GLOBAL)),
        verdict("ADD", new=new("y", HERE)),
        verdict("UPDATE", target=shared, new=new("z", ELSEWHERE)),
        verdict("REINFORCE", Outcome.REINFORCE, target=shared),
        about=group,
    )
    assert len(applied.rejected) == 4
    assert store.visible(uow, AGENT, ELSEWHERE) == (shared,)


def test_use_counts_once_a_day_for_what_is_visible_and_active(uow: UnitOfWork) -> None:
    used = (
        keep(uow, "here"),
        keep(uow, "shared", GLOBAL),
        keep(uow, "there", ELSEWHERE),
        keep(uow, "gone", status=Status.ARCHIVED),
    )
    write(uow, used=used)
    write(uow, used=used, key="k2")
    uses = {row.text: row.uses for row in uow.connection.execute(select(memories.c["text", "uses"]))}
    assert uses == {"here": 1, "shared": 1, "there": 0, "gone": 0}


def test_reflection_never_learns_a_forgotten_text_again_and_a_person_may_say_it_anew(uow: UnitOfWork) -> None:
    memory = keep(uow, "Anna sings.")
    forgetting.purge(uow, AGENT, memory, about="sings", now=NOW)
    (refused,) = write(uow, verdict("ADD", new=new("anna sings"))).rejected
    assert refused.reason is Reason.TOMBSTONE
    other = keep(uow, "Anna hums.")
    assert write(uow, verdict("UPDATE", target=other, new=new("Anna sings")), key="k2").rejected
    assert write(uow, verdict("ADD", new=new("Anna sings.")), key="k3", actor=Actor.PERSON).added


def test_words_that_were_forgotten_while_the_model_was_thinking_are_not_learned(uow: UnitOfWork) -> None:
    message = transcript.add(uow, **said("My ex is called Leontine Dray.", "k0"))
    seen = brief(messages=(BriefMessage(1, message, Trust.OWNER),))
    forgetting.purge_words(uow, AGENT, CHAT, "Leontine Dray", now=NOW)
    statement = new("Anna's former partner is Leontine.", sources=((message.id, 0, 5),))
    assert write(uow, verdict("ADD", new=statement), about=seen).rejected[0].reason is Reason.TOMBSTONE
    trimmed = replace(statement, sources=((message.id + 1, 0, 5),))
    assert write(uow, verdict("ADD", new=trimmed), about=seen, key="k2").added


def test_an_update_without_a_date_lets_a_matter_that_is_over_live_on(uow: UnitOfWork) -> None:
    over = keep(uow, "Dentist on 1 Nov.", expires_at=NOW - timedelta(days=1))
    ahead = keep(uow, "Dentist on 9 Dec.", expires_at=NOW + timedelta(days=9))
    statement: NewMemory = new("Dentist is Dr Alvarez.")
    applied = write(
        uow,
        verdict("UPDATE", target=over, new=statement),
        verdict("UPDATE", target=ahead, new=new("Dentist on 9 Dec at ten.")),
    )
    assert [m.expires_at for m in applied.updated] == [None, NOW + timedelta(days=9)]
