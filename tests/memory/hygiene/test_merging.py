"""What the model may do with a cluster, and that a wrong answer costs nothing that cannot be taken back."""

import json
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from memory import attachments, journal, snapshots, store, verdicts
from memory.domain import GLOBAL, Actor, Kind, Layer, Status, Trust, chat_scope
from memory.hygiene import merging
from memory.hygiene.clusters import Cluster
from memory.tables import memories
from memory.unit_of_work import UnitOfWork
from tests.databases import new_database
from tests.memory.hygiene.twins import cluster_of
from tests.memory.lifecycle.lives import ENGINE, fresh
from tests.memory.samples import AGENT, CAUSE, HERE, NOW, keep

LATER = NOW + timedelta(days=30)
DOG = ("Has a dog named Rex", "Owns a dog called Rex")


def settle(uow: UnitOfWork, cluster: Cluster, **answer: Any) -> merging.Settled:
    said = merging.read(json.dumps({"verdict": "merge", **answer}), cluster)
    assert said is not None
    return merging.settle(uow, ENGINE, cluster, said, now=LATER)


def judged(uow: UnitOfWork, cluster: Cluster) -> set[str]:
    return set(verdicts.of_pairs(uow, [memory.id for memory in cluster.memories]).values())


def test_the_model_sees_full_texts_under_aliases(uow: UnitOfWork) -> None:
    shown = [json.loads(line) for line in merging.question(cluster_of(uow, *DOG)).splitlines()]
    assert [one["id"] for one in shown] == ["m1", "m2"]
    assert [one["text"] for one in shown] == list(DOG)
    assert (shown[1]["noted"], shown[1]["said_by"]) == ("2026-11-30", "Anna")


def test_the_result_inherits_and_the_inputs_stand_behind_it(uow: UnitOfWork) -> None:
    one = keep(uow, DOG[0], importance=4, layer=Layer.WORKING, sources=((1, 0, 5),), trust=Trust.OWNER)
    other = keep(uow, DOG[1], importance=8, sources=((2, 0, 9),), trust=Trust.MEMBER, triggers=("walk",),
                 now=NOW + timedelta(days=1), kind=Kind.PROCEDURAL)  # fmt: skip
    for memory, day in ((one, 1), (other, 2)):
        attachments.add_day(uow, memory, NOW + timedelta(days=day), "mention")
        used = {"mentions": 2, "uses": 1, "accessed_at": NOW + timedelta(days=day)}
        store.change(uow, fresh(uow, memory), now=NOW, cause=CAUSE, **used)
    cluster = Cluster((fresh(uow, one), fresh(uow, other)))
    merged = settle(uow, cluster, text=DOG[0]).merged
    assert merged is not None
    assert (merged.importance, merged.layer, merged.mentions, merged.uses) == (8, Layer.WORKING, 4, 2)
    assert (merged.trust, merged.kind, merged.subject) == (Trust.MEMBER, Kind.PROCEDURAL, "Anna")
    assert (merged.accessed_at, merged.valid_from) == (NOW + timedelta(days=2), NOW)
    assert [source.message_id for source in attachments.sources_of(uow, merged.id)] == [1, 2]
    state = snapshots.take(uow, merged.id)
    assert state is not None
    assert (len(state["days"]), [cue[0] for cue in state["triggers"]]) == (2, ["walk"])
    assert {(m.status, m.superseded_by) for m in (fresh(uow, m) for m in (one, other))} == {
        (Status.SUPERSEDED, merged.id)
    }


@pytest.mark.parametrize("answer", [
    {"text": ""}, {"text": "   "}, {"text": "x" * 601}, {}, {"text": 7}, {"text": DOG[0], "members": ["m1"]},
    {"text": DOG[0], "members": ["m1", "m9"]}, {"text": DOG[0], "members": ["m1", "m2", "01ABC"]},
    {"text": DOG[0], "superseded": ["m1", "m2"]}, {"text": DOG[0], "superseded": ["m2"]}, {"text": DOG[0], "superseded": ["m7"]},
    {"text": "Has a dog"}, {"text": "Has no dog named Rex"}, {"text": "Has 2 dogs named Rex"}, {"text": "Has a dog named Bello"},
    {"text": "Has a dog named Rex and the PIN is 4711"}, {"text": "<script>alert(1)</script>"},
])  # fmt: skip
def test_a_hostile_or_careless_merge_changes_nothing_and_is_not_asked_again(
    uow: UnitOfWork, answer: dict[str, Any]
) -> None:
    cluster = cluster_of(uow, *DOG)
    settled = settle(uow, cluster, **answer)
    assert settled.merged is None
    assert settled.refused
    assert [fresh(uow, memory) for memory in cluster.memories] == list(cluster.memories)
    assert judged(uow, cluster) == {verdicts.DISTINCT}


@pytest.mark.parametrize(
    "raw", ["", "no", "{}", "[]", '{"verdict": "maybe"}', '{"verdict": ["merge"]}', "[" * 9000, "\ud800", "null"]
)
def test_rubbish_is_no_answer(uow: UnitOfWork, raw: str) -> None:
    assert merging.read(raw, cluster_of(uow, *DOG)) is None


@pytest.mark.parametrize(("texts", "said", "kept"), [
    (DOG, "Anna has a dog named Rex", "Has a dog named Rex"), (DOG, "ANNA  owns a dog called Rex", "Owns a dog called Rex"),
    (("Anna has a dog", "Anna owns a dog"), "Anna has a dog", "Anna has a dog"), (DOG, "Anna", "Anna"),
    (DOG, "Anna's dog is named Rex", "Anna's dog is named Rex"), (DOG, "Bob has a dog", "Bob has a dog"),
])  # fmt: skip
def test_the_name_of_whom_it_is_about_is_not_put_in_front(
    uow: UnitOfWork, texts: tuple[str, str], said: str, kept: str
) -> None:
    answer = merging.read(json.dumps({"verdict": "merge", "text": said}), cluster_of(uow, *texts))
    assert answer is not None
    assert answer.text == kept


def test_distinct_is_remembered_until_one_changes(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, *DOG)
    settle(uow, cluster, verdict="distinct")
    assert judged(uow, cluster) == {verdicts.DISTINCT}
    store.change(uow, fresh(uow, cluster.memories[0]), now=LATER, cause=CAUSE, text="Has a dog named Max")
    assert judged(uow, cluster) == set()


def test_a_contradiction_supersedes_nothing_but_stands_against_the_older(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, "Lives in Milan", "Lives in Berlin", "Lives by a river")
    settle(uow, cluster, verdict="contradiction", members=["m1", "m2"])
    assert sorted(verdicts.of_pairs(uow, [m.id for m in cluster.memories]).values()) == [
        "contradicts",
        "distinct",
        "distinct",
    ]
    assert all(fresh(uow, memory).status is Status.ACTIVE for memory in cluster.memories)


@pytest.mark.parametrize("members", [["m9"], ["m1", "m9"], ["m1", "m2", "m9"], []])
def test_a_contradiction_that_names_what_was_not_shown_stands_against_nothing(
    uow: UnitOfWork, members: list[str]
) -> None:
    cluster = cluster_of(uow, "Lives in Milan", "Lives in Berlin", "Lives by a river")
    settle(uow, cluster, verdict="contradiction", members=members)
    assert judged(uow, cluster) == {verdicts.DISTINCT}


@pytest.mark.parametrize(("answer", "why"), [
    ({"text": ""}, "the text is empty or too long"), ({"text": " .\u200b "}, "the text is empty or too long"),
    ({"text": f"{DOG[0]}{' Rex' * 150}"}, "the text is empty or too long"),
    ({"text": f"{DOG[0]}, password: hunter2secret"}, "the text holds a secret"),
    ({"text": DOG[0], "members": ["m1", "m7"]}, "it names memories that were not shown"),
    ({"text": DOG[0], "superseded": ["m7"]}, "it names memories that were not shown"),
    ({"text": DOG[0], "members": ["m2"]}, "it names fewer than two"),
    ({"text": DOG[0], "superseded": ["m1", "m2"]}, "nothing would be left"),
    ({"text": DOG[0], "members": ["m2", "m3"], "superseded": ["m1"]}, "it replaces what it does not name"),
    ({"text": DOG[0], "superseded": ["m3"]}, "nothing newer of the same matter replaces it"),
])  # fmt: skip
def test_each_refusal_says_why(uow: UnitOfWork, answer: dict[str, Any], why: str) -> None:
    shown = cluster_of(uow, *DOG, "Has a dog named Max") if "m3" in str(answer) else cluster_of(uow, *DOG)
    assert settle(uow, shown, **answer).refused == why


def test_what_was_replaced_does_not_come_back_in_the_text(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, "Lives in Milan", "Lives in Berlin")
    text = "Lives in Berlin, before that in Milan"
    assert "a name nobody said" in settle(uow, cluster, text=text, superseded=["m1"]).refused


def test_a_merge_of_explicitly_nobody_is_refused(uow: UnitOfWork) -> None:
    assert settle(uow, cluster_of(uow, *DOG), text=DOG[0], members=[]).refused == "it names fewer than two"


def test_the_newer_statement_of_the_same_matter_replaces_the_older(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, "Lives in Milan", "Lives in Berlin")
    merged = settle(uow, cluster, text="Lives in Berlin", superseded=["m1"]).merged
    assert merged is not None
    assert merged.valid_from == cluster.memories[1].valid_from
    older, newer = (fresh(uow, memory) for memory in cluster.memories)
    assert (older.valid_to, newer.valid_to) == (LATER, None)


@pytest.mark.parametrize("texts", [
    ("Gym locker is 214", "Office locker is 241"), ("Bob's birthday is 3 May", "Carl's birthday is 5 May"),
])  # fmt: skip
def test_another_matter_or_person_is_not_replaced(uow: UnitOfWork, texts: tuple[str, ...]) -> None:
    assert settle(uow, cluster_of(uow, *texts), text=texts[1], superseded=["m1"]).merged is None


def test_another_member_s_word_is_not_replaced(uow: UnitOfWork) -> None:
    one = keep(uow, "Carla lives in Milan", subject="Carla", speaker="Anna", speaker_id=1)
    other = keep(uow, "Carla lives in Berlin", subject="Carla", speaker="Bob", speaker_id=2, now=LATER)
    assert settle(uow, Cluster((one, other)), text=other.text, superseded=["m1"]).merged is None


def test_what_ends_on_different_days_stays_apart(uow: UnitOfWork) -> None:
    one = keep(uow, "Dentist soon", expires_at=LATER)
    other = keep(uow, "Soon to the dentist")
    assert "end on different days" in settle(uow, Cluster((one, other)), text="Dentist soon").refused


def test_what_changed_meanwhile_is_left_alone(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, *DOG)
    store.use(uow, cluster.memories[0], now=LATER, cause=CAUSE)
    assert settle(uow, cluster, text=DOG[0]).refused == "something changed meanwhile"
    assert judged(uow, cluster) == set()


# --- the way back


def undo(uow: UnitOfWork, person_id: int | None = None) -> journal.Undone | journal.CannotUndo:
    operation = journal.last_undoable(uow, AGENT, HERE, person_id, since=NOW)
    assert operation is not None
    return journal.undo(uow, operation, now=LATER, by=person_id)


def states(uow: UnitOfWork) -> dict[str, Any]:
    found = {i: snapshots.take(uow, i) for i in uow.connection.scalars(select(memories.c.id))}
    return {
        i: {**s, "memory": {k: v for k, v in s["memory"].items() if k != "revision"}} for i, s in found.items() if s
    }


def test_undo_restores_all_of_a_merge_at_once_and_for_good(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, *DOG, "Walks a dog named Rex")
    before = states(uow)
    assert settle(uow, cluster, text="Has a dog named Rex", members=["m1", "m2"]).merged is not None
    undone = undo(uow)
    assert isinstance(undone, journal.Undone)
    assert undone.summary == "these stand by themselves again: “Has a dog named Rex”, “Owns a dog called Rex”."
    assert states(uow) == before
    pair = verdicts.pair(*cluster.memories[:2])
    for _ in range(2):
        assert verdicts.of_pairs(uow, [m.id for m in cluster.memories])[pair] == verdicts.PARTED
        store.change(uow, fresh(uow, cluster.memories[0]), now=LATER, cause=CAUSE, importance=9)


def test_what_maintenance_did_to_the_result_does_not_stand_in_the_way(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, *DOG)
    merged = settle(uow, cluster, text=DOG[0]).merged
    assert merged is not None
    cause = type(CAUSE)("PROMOTE", Actor.MAINTENANCE, "said on 2 days")
    store.change(uow, merged, now=LATER, cause=cause, layer=Layer.WORKING)
    assert isinstance(undo(uow), journal.Undone)


def test_what_a_person_changed_since_stands_in_the_way_and_nothing_is_half_done(uow: UnitOfWork) -> None:
    cluster = cluster_of(uow, *DOG)
    merged = settle(uow, cluster, text=DOG[0]).merged
    assert merged is not None
    operation = journal.last_undoable(uow, AGENT, HERE, None, since=NOW)
    store.change(uow, merged, now=LATER, cause=type(CAUSE)("UPDATE", Actor.PERSON, "ok"), text="Has a dog named Max")
    before = states(uow)
    assert operation is not None
    assert isinstance(journal.undo(uow, operation, now=LATER, by=None), journal.CannotUndo)
    assert states(uow) == before


def test_a_member_cannot_take_a_merge_back(uow: UnitOfWork) -> None:
    settle(uow, cluster_of(uow, *DOG), text=DOG[0])
    operation = journal.last_undoable(uow, AGENT, HERE, 7, since=NOW)
    assert operation is not None
    assert isinstance(journal.undo(uow, operation, now=LATER, by=7), journal.CannotUndo), "only the addition before it"


def test_a_merge_of_global_memories_is_taken_back_in_the_chat_of_who_said_them(uow: UnitOfWork) -> None:
    cluster = Cluster(tuple(fresh(uow, keep(uow, text, GLOBAL)) for text in DOG))
    assert settle(uow, cluster, text=DOG[0]).merged is not None
    for elsewhere in (chat_scope(99), chat_scope(-8)):
        assert journal.last_undoable(uow, AGENT, elsewhere, None, since=NOW) is None
    assert isinstance(undo(uow), journal.Undone)
    assert {m.text for m in store.visible(uow, AGENT, GLOBAL)} == set(DOG)


TEXTS = st.sampled_from([*DOG, "Rex is a dog", "", "Has a dog named Rex and 3 cats", "Has no dog named Rex", "x" * 700])
ALIASES = st.lists(st.sampled_from(["m1", "m2", "m3", "m4", "m9", "", "M1"]), max_size=5)


@settings(max_examples=25, deadline=None)
@given(
    verdict=st.sampled_from(["merge", "distinct", "contradiction", "delete"]),
    members=ALIASES,
    superseded=ALIASES,
    text=TEXTS,
)
def test_whatever_the_model_says_somebody_survives_and_undo_restores(
    verdict: str, members: list[str], superseded: list[str], text: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = new_database(Path(folder) / "t.db")
        with database.write() as uow:
            cluster = cluster_of(uow, *DOG, "Rex the dog sleeps", "Has a dog named Rex")
            before = states(uow)
            raw = json.dumps({"verdict": verdict, "members": members, "superseded": superseded, "text": text})
            answer = merging.read(raw, cluster)
            settled = merging.settle(uow, ENGINE, cluster, answer, now=LATER) if answer else merging.Settled()
            alive = [m for m in store.visible(uow, AGENT, HERE) if m.status is Status.ACTIVE]
            assert alive
            assert all(m.scope == HERE and m.subject == "Anna" for m in alive)
            if settled.merged is not None:
                assert isinstance(undo(uow), journal.Undone)
            assert states(uow) == before
        database.close()
