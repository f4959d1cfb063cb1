"""Lessons that come up by their cue: by words, by meaning, at most three, not twice in a sitting, not for what all say."""

from datetime import timedelta
from typing import Any

import pytest

from memory import policy
from memory.domain import Conversation, MemoryId, Scope
from memory.recall.values import Parts, Recall, Why, parts_as_json, parts_from_json
from memory.tables import memory_triggers
from memory.triggers import firing, meaning
from memory.vectors import pack
from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import HERE, NOW, Store, StoreMaker

TALK = Conversation(int(HERE.removeprefix("chat:")))
LESSON: dict[str, Any] = {"text": "Zzz qqq", "kind": "lesson", "triggers": ["sailing"]}


def fires(store: Store, query: str = "we go sailing", **options: Any) -> bool:
    return "Zzz qqq" in store.texts(query, **options)


def fired_at(store: Store, minutes_ago: float, where: Conversation = TALK) -> None:
    with store.database.write() as uow:
        firing.note(uow, where, [MemoryId(f"{1:026}")], now=NOW - timedelta(minutes=minutes_ago))
        uow.commit()


def parts_of(found: Recall) -> Parts:
    every = [(one.memory.id, one.parts) for one in found.chosen] + [
        (one.memory_id, one.parts) for one in found.left_out
    ]
    return dict(every)[MemoryId(f"{1:026}")]


def learn(store: Store, phrase: str, like: str) -> None:
    """Give a phrase the vector of other words: what it means."""
    assert store.embedder is not None
    values = {"embedding": pack(store.embedder.embed_query(like)), "embedding_model": store.embedder.digest}
    with store.database.write() as uow:
        uow.connection.execute(memory_triggers.update().where(memory_triggers.c.phrase == phrase).values(values))
        uow.commit()


def mark_common(store: Store) -> None:
    with store.database.write() as uow:
        uow.connection.execute(memory_triggers.update().values(what="common"))
        uow.commit()


def test_a_cue_that_fired_here_rests_for_ten_minutes(make_store: StoreMaker) -> None:
    """In this conversation only, and /why says so."""
    store = make_store(LESSON)
    fired_at(store, 4)
    assert not fires(store, conversation=TALK)
    assert fires(store, conversation=Conversation(TALK.chat_id, 9))
    assert fires(store)
    left = parts_of(store.ask("we go sailing", conversation=TALK))
    assert "cue resting, it came up 4 minutes ago" in left.explain()
    fired_at(store, 10)
    assert fires(store, conversation=TALK)


def test_a_lesson_whose_cue_rests_comes_up_by_its_own_relevance(make_store: StoreMaker) -> None:
    store = make_store(LESSON | {"text": "Sailing needs the red jacket and the whistle"}, "The cat sleeps")
    fired_at(store, 1)
    found = store.ask("red jacket whistle sailing", conversation=TALK)
    assert [one.memory.text for one in found.chosen] == ["Sailing needs the red jacket and the whistle"]
    assert found.chosen[0].parts.fired == ()


def test_a_common_cue_forces_nothing_and_says_so(make_store: StoreMaker) -> None:
    store = make_store(LESSON)
    assert fires(store)
    mark_common(store)
    assert not fires(store)
    assert "cue too common: sailing" in parts_of(store.ask("we go sailing")).explain()


def test_at_most_three_lessons_are_forced_the_most_exact_first(make_store: StoreMaker) -> None:
    """The rest must be relevant by itself."""
    many = [{"text": f"Zzz {n}", "kind": "lesson", "triggers": ["sailing"]} for n in range(5)]
    exact = {"text": "Qqq", "kind": "lesson", "triggers": ["sailing tomorrow with Anna"]}
    found = make_store(*many, exact).ask("tomorrow Anna and I go sailing", limit=9)
    assert len(found.chosen) == policy.LESSONS_A_TURN == 3
    assert "Qqq" in {one.memory.text for one in found.chosen}
    assert {out.why for out in found.left_out} == {Why.LESSONS}


@pytest.mark.parametrize("status", ["archived", "superseded", "quarantined"])
def test_only_active_lessons_fire(status: str, make_store: StoreMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by words nor by meaning."""
    monkeypatch.setitem(meaning.NEARNESS, "hashing", 0.9)
    store = make_store(LESSON | {"status": status}, embedder=HashingEmbedder())
    learn(store, "sailing", "boat trip")
    assert not fires(store)
    assert not fires(store, "boat trip")


def test_a_lesson_of_another_chat_never_fires(make_store: StoreMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A global one fires everywhere."""
    monkeypatch.setitem(meaning.NEARNESS, "hashing", 0.9)
    store = make_store(LESSON, embedder=HashingEmbedder())
    learn(store, "sailing", "boat trip")
    assert not fires(store, scope=Scope("chat:2"))
    assert not fires(store, "boat trip", scope=Scope("chat:2"))
    shared = make_store(LESSON | {"scope": "global"})
    assert fires(shared, scope=Scope("chat:2"))


def test_a_message_that_means_a_cue_fires_it(make_store: StoreMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only with an embedder whose nearness was measured, and not by a common cue."""
    store = make_store(LESSON, embedder=HashingEmbedder())
    learn(store, "sailing", "boat trip")
    assert not fires(store, "boat trip")
    monkeypatch.setitem(meaning.NEARNESS, "hashing", 0.9)
    found = store.ask("boat trip")
    assert [one.memory.text for one in found.chosen] == ["Zzz qqq"]
    assert "cue by its meaning: sailing" in found.chosen[0].parts.explain()
    assert not fires(store, "a quiet evening at home")
    fired_at(store, 1)
    assert not fires(store, "boat trip", conversation=TALK)
    mark_common(store)
    assert not fires(store, "boat trip")


def test_words_count_for_more_than_meaning(make_store: StoreMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(meaning.NEARNESS, "hashing", 0.5)
    monkeypatch.setattr(policy, "LESSONS_A_TURN", 1)
    meant = {"text": "Qqq", "kind": "lesson", "triggers": ["regatta"]}
    store = make_store(LESSON, meant, embedder=HashingEmbedder())
    learn(store, "regatta", "we go sailing")
    assert fires(store)


def test_what_an_older_version_kept_as_a_cue_and_is_none_fires_nothing(make_store: StoreMaker) -> None:
    assert not fires(make_store(LESSON | {"triggers": ["the", "is", "*"]}), "is the boat here")


def test_how_a_cue_came_up_survives_the_file(make_store: StoreMaker) -> None:
    store = make_store(LESSON)
    found = store.ask("we go sailing")
    (parts,) = parts_from_json(parts_as_json(found)).values()
    assert parts.fired == ("sailing",)
    assert "cue: sailing" in parts.explain()
    before = Parts((), 0.0, None, 0.0, 7, 0.0, 0.0, tool="send_mail")
    assert before.explain() == "it stands before send_mail · importance 7"


@pytest.mark.parametrize(("minutes", "said"), [(0.2, "just now"), (1.0, "a minute ago"), (8.6, "9 minutes ago")])
def test_the_pause_is_told_in_words(minutes: float, said: str) -> None:
    assert Parts((), 0.0, None, 0.0, 7, 0.0, 0.0, rested=minutes).explain().endswith(f"it came up {said}")
