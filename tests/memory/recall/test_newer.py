from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.domain import Trust
from memory.recall.judged import Judged
from memory.recall.newer import newer_first, with_later
from memory.recall.values import Why
from tests.memory.recall.memories import judged
from tests.memory.recall.stores import HERE, NOW, Aimed, StoreMaker

ASKED = "Where is the tent?"
BEFORE, AFTER = "The tent is in the cellar", "The tent is in the car boot"


def said(text: str, day: int, evidence: float, *terms: str, relevant: bool = True, **fields: Any) -> Judged:
    """Give a candidate that was said on a day and shares these words with the question."""
    one = judged(text, evidence, relevant=relevant, created_at=NOW + timedelta(days=day), **fields)
    return replace(one, parts=replace(one.parts, evidence=evidence, terms=terms))


def texts(ranked: list[Judged]) -> list[str]:
    return [one.memory.text for one in newer_first(ranked)]


@pytest.mark.parametrize(("one", "other"), [
    (BEFORE, AFTER),
    ("My brother Maelle works as a roofer", "My brother Maelle works as a beekeeper"),
    ("For the Puzzle Weekly I pay 19 euros every month", "My subscription to the Puzzle Weekly costs 5 euros a month"),
    ("Das Zelt liegt im Keller", "Das Zelt liegt im Kofferraum"), ("Палатка в подвале", "Палатка в гараже"), ("帐篷在地下室", "帐篷在后备箱"),
])  # fmt: skip
def test_of_two_values_that_answer_as_well_the_newer_comes_first(one: str, other: str) -> None:
    """Its own score stays a little lower; that two cosines differ by a hair says nothing about what holds now."""
    ranked = [said(one, 1, 0.60, "x"), said(other, 5, 0.51, "x")]
    assert texts(ranked) == [other, one]
    assert [placed.parts.newer for placed in newer_first(ranked)] == [True, False]
    assert texts(ranked[::-1]) == [other, one]
    assert not any(placed.parts.newer for placed in newer_first(ranked[::-1]))


@pytest.mark.parametrize("other", [
    said(AFTER, 0, 0.6, "tent"), said(AFTER, 1, 0.6, "tent"), said(AFTER, 5, 0.49, "tent"), said(AFTER, 5, 0.6),
    said(AFTER, 5, 0.6, "tent", subject="Ben"), said("Ben bought new lamps", 5, 0.6, "tent"), said(AFTER, 5, 0.6, "tent", scope="global"),
    said(AFTER, 5, 0.6, "tent", relevant=False), said(AFTER, 5, 0.6, "tent", speaker_id=9), said(AFTER, 5, 0.6, "tent", trust=Trust.QUOTED),
    said("The tent was in the attic", 5, 0.6, "tent"), said("The tent is not in the cellar", 5, 0.6, "tent"),
    said("Ben's tent is in the cellar", 5, 0.6, "tent"), said("The old tent is in the cellar", 5, 0.6, "tent"),
], ids=["older", "as old", "worse", "other words", "of somebody else", "another matter", "another chat", "not wanted", "another voice",
        "passed on", "as it was", "denied", "another's", "a former one"])  # fmt: skip
def test_anything_else_keeps_its_rank(other: Judged) -> None:
    assert texts([said(BEFORE, 1, 0.6, "tent"), other])[0] == BEFORE


def test_what_is_not_wanted_is_nothing_to_be_newer_than() -> None:
    placed = newer_first([said(BEFORE, 1, 0.6, "tent", relevant=False), said(AFTER, 5, 0.6, "tent")])
    assert not any(one.parts.newer for one in placed)


def test_what_answers_nothing_in_words_keeps_its_rank() -> None:
    assert texts([said(BEFORE, 1, 0.6), said(AFTER, 5, 0.6)]) == [BEFORE, AFTER]


def test_the_day_from_which_it_holds_counts_where_it_is_known() -> None:
    early = said(AFTER, 9, 0.6, "tent", valid_from=NOW)
    assert texts([said(BEFORE, 1, 0.6, "tent"), early]) == [BEFORE, AFTER]


@pytest.mark.parametrize(
    "fields",
    [{"pinned": True}, {"mentions": 1, "accessed_at": NOW + timedelta(days=9)}],
    ids=["pinned", "said again since"],
)
def test_what_a_person_holds_on_to_is_not_overtaken(fields: dict[str, Any]) -> None:
    assert texts([said(BEFORE, 1, 0.6, "tent", **fields), said(AFTER, 5, 0.6, "tent")]) == [BEFORE, AFTER]


def test_what_was_said_again_before_is_overtaken_all_the_same() -> None:
    again = {"mentions": 1, "accessed_at": NOW + timedelta(days=3)}
    assert texts([said(BEFORE, 1, 0.6, "tent", **again), said(AFTER, 5, 0.6, "tent")]) == [AFTER, BEFORE]


def test_of_two_former_values_the_later_comes_first() -> None:
    early, late = "The tent was in the cellar", "The tent was in the car boot"
    assert texts([said(early, 1, 0.6, "tent"), said(late, 5, 0.6, "tent")]) == [late, early]


@pytest.mark.parametrize("small", ["the", "where"])
def test_small_words_of_the_question_tell_nothing(small: str) -> None:
    assert texts([said(BEFORE, 1, 0.6, "tent", small), said(AFTER, 5, 0.6, "tent")]) == [AFTER, BEFORE]


def test_only_what_may_get_a_slot_is_compared() -> None:
    """Forty statements of other matters stand between the two."""
    others = [said(f"Owns kayak number {n}", 1, 0.59) for n in range(policy.COMPARED_FOR_AGE)]
    assert texts([said(BEFORE, 1, 0.6, "tent"), *others, said(AFTER, 5, 0.58, "tent")])[-1] == AFTER
    assert texts([said(BEFORE, 1, 0.6, "tent"), *others[2:], said(AFTER, 5, 0.58, "tent")])[0] == AFTER


@pytest.mark.parametrize(
    "asked", ["Where was the tent before?", "Where did the tent use to be?", "Where was the tent in October?"]
)
def test_a_question_about_the_past_keeps_the_order_of_the_scores(asked: str, make_store: StoreMaker) -> None:
    rows = [{"text": BEFORE, "created_at": NOW - timedelta(days=40)}, {"text": AFTER, "created_at": NOW}]
    store = make_store(*rows, "Waters the fern", embedder=Aimed({BEFORE: 0.8, AFTER: 0.78}))
    assert store.texts(asked)[0] == BEFORE
    assert store.texts(ASKED)[0] == AFTER


def test_of_three_the_newest_is_first_and_others_stay_where_they_are() -> None:
    third = "The tent is in the attic"
    ranked = [
        said(BEFORE, 1, 0.6, "tent"),
        said("Bob is tall", 9, 0.6),
        said(third, 9, 0.58, "tent"),
        said(AFTER, 5, 0.59, "tent"),
    ]
    assert texts(ranked) == [third, AFTER, BEFORE, "Bob is tall"]


@given(
    st.lists(
        st.tuples(st.sampled_from([BEFORE, AFTER, "Bob is tall", "Owls are nice"]), st.integers(0, 9), st.booleans())
    )
)
def test_nothing_is_lost_and_nothing_comes_twice(rows: list[tuple[str, int, bool]]) -> None:
    ranked = [said(text, day, 0.5, "tent", relevant=relevant) for text, day, relevant in rows]
    assert sorted(one.memory.id for one in newer_first(ranked)) == sorted(one.memory.id for one in ranked)


@pytest.mark.parametrize(("later", "wanted"), [
    (said(AFTER, 5, 0.55, "tent", relevant=False), True), (said(AFTER, 0, 0.55, "tent", relevant=False), False),
    (said(AFTER, 5, 0.45, "tent", relevant=False), False),
    (replace(said(AFTER, 5, 0.55, "tent", relevant=False), why=Why.PASSING), False),
    (replace(said(AFTER, 5, 0.55, "tent", relevant=False), why=Why.CHANCE), True),
], ids=["later", "earlier", "far below", "passing talk", "one word"])  # fmt: skip
def test_what_was_said_later_comes_along_though_it_fails_the_floor(later: Judged, wanted: bool) -> None:
    """A value that holds no longer must not stand alone because the present one lies a hair below."""
    assert [one.relevant for one in with_later([said(BEFORE, 1, 0.6, "tent"), later])] == [True, wanted]
    assert not any(one.relevant for one in with_later([said(BEFORE, 1, 0.6, "tent", relevant=False), later]))


def test_a_later_value_asleep_comes_with_the_earlier_one_awake(make_store: StoreMaker) -> None:
    """Beside it, though no better: what nobody noticed as a change leaves either of them asleep."""
    earlier, later = {"text": BEFORE, "created_at": NOW}, {"text": AFTER, "created_at": NOW + timedelta(days=5)}
    near = Aimed({BEFORE: 0.9, AFTER: 0.88})
    others = ("Waters the fern", "Owns a kayak")
    assert make_store(earlier, later | {"status": "archived"}, *others, embedder=near).texts(ASKED) == [AFTER, BEFORE]
    assert make_store(earlier | {"status": "archived"}, later, *others, embedder=near).texts(ASKED) == [AFTER]


@pytest.mark.parametrize(("awake", "asleep", "asked"), [
    ("The blue tent is in the cellar", "The green tent is in the cellar", "Where is the blue tent?"), ("The tent is blue", "The tent is green", "Is the tent blue?"),
])  # fmt: skip
def test_another_thing_asleep_is_no_later_value(awake: str, asleep: str, asked: str, make_store: StoreMaker) -> None:
    """It lacks a word of the question that the one awake has."""
    rows = (
        {"text": awake, "created_at": NOW},
        {"text": asleep, "created_at": NOW + timedelta(days=5), "status": "archived"},
    )
    store = make_store(*rows, "Waters the fern", "Owns a kayak", embedder=Aimed({awake: 0.9, asleep: 0.88}))
    assert store.texts(asked) == [awake]


def test_only_a_value_of_what_answers_is_news(make_store: StoreMaker) -> None:
    """Whatever else is alike in half of its words stays asleep, and so does what is news of something further down."""
    awake, beside = {"text": BEFORE, "created_at": NOW}, {"text": "The tent pole is in the hall", "created_at": NOW}
    later = {"created_at": NOW + timedelta(days=5), "status": "archived"}
    other = "In the car boot lies the tent"
    for text, answers in ((other, True), ("The tent pole is in the shed", False)):
        near = Aimed({BEFORE: 0.9, text: 0.88, beside["text"]: 0.9 if answers else 0.2})
        store = make_store(awake, beside, {"text": text} | later, "Owns a kayak", embedder=near)
        assert text not in store.texts(ASKED)


def test_a_woken_value_brings_the_later_one_that_fails_its_own_bar(make_store: StoreMaker) -> None:
    """What had settled answers about a rare thing from below the floor; what never settled does not, unless it is news."""
    asked = "Where is our lovely tent?"
    settled = {"text": BEFORE, "status": "archived", "created_at": NOW}
    news = {"text": AFTER, "status": "archived", "layer": "buffer", "created_at": NOW + timedelta(days=5)}
    near = Aimed({BEFORE: 0.45, AFTER: 0.45})
    found = make_store(settled, news, "Waters the fern", "Owns a kayak", embedder=near).ask(asked).chosen
    assert [one.memory.text for one in found] == [AFTER, BEFORE]
    assert all(0.7 * 0.41 < one.parts.evidence < 0.41 for one in found)
    assert not make_store(news, "Waters the fern", "Owns a kayak", embedder=near).texts(asked)


@pytest.mark.parametrize("day", [-5, 5])
def test_a_question_gets_the_later_value_first(day: int, make_store: StoreMaker) -> None:
    """The one said later leads, whichever lies nearer."""
    near = Aimed({BEFORE: 0.8, AFTER: 0.75})
    rows = [{"text": BEFORE, "created_at": NOW}, {"text": AFTER, "created_at": NOW + timedelta(days=day)}]
    store = make_store(*rows, "Waters the fern", embedder=near)
    assert store.texts(ASKED, scope=HERE)[:2] == ([AFTER, BEFORE] if day > 0 else [BEFORE, AFTER])
    assert store.ask(ASKED).chosen[0].parts.explain().endswith("newer than what answers as well") is (day > 0)
