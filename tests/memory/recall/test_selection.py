import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import MemoryId
from memory.recall.selection import select
from memory.recall.values import Recall, Why
from tests.memory.recall.memories import judged


def chosen(found: Recall) -> list[str]:
    return [one.memory.text for one in found.chosen]


def test_the_best_come_first_within_the_slots() -> None:
    """The rest has no slot left."""
    found = select(
        [judged("low", 0.1), judged("high", 0.9), judged("mid", 0.5)], limit=2, token_budget=99, count_tokens=len
    )
    assert chosen(found) == ["high", "mid"]
    assert [(out.parts.score, out.why) for out in found.left_out] == [(0.1, Why.NO_SLOT)]


def test_what_does_not_fit_makes_room_for_what_does() -> None:
    """A long memory does not lock out the short ones after it."""
    found = select([judged("x" * 50, 0.9), judged("short", 0.5)], limit=9, token_budget=10, count_tokens=len)
    assert chosen(found) == ["short"]
    assert found.left_out[0].why is Why.NO_ROOM


def test_below_the_floor_nothing_is_chosen() -> None:
    """Nothing is a good answer."""
    found = select([judged("important", 0.9, relevant=False)], limit=9, token_budget=99, count_tokens=len)
    assert chosen(found) == []
    assert found.left_out[0].why is Why.IRRELEVANT


def test_a_fired_lesson_has_its_slot_and_keeps_its_rank() -> None:
    """Whatever its score and whoever else wants in; the order stays that of the scores."""
    rivals = [judged(f"rival {number}", 0.9) for number in range(5)]
    found = select(
        [*rivals, judged("lesson", 0.1, relevant=False, fired=("cue",))], limit=3, token_budget=99, count_tokens=len
    )
    assert chosen(found)[-1] == "lesson"
    assert len(found.chosen) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [("Drinks oat milk in coffee", "Drinks oat milk in the coffee!"), ("Has two keys", "has TWO key"), ("家里的猫叫芝麻", "家里的猫叫芝麻。"),
     ("Der Schlüssel hängt am Haken", "Der Schlüssel hängt an einem Haken"), ("🎂 14 May", "14 May 🎂"), ("…", "…")],
)  # fmt: skip
def test_the_same_statement_takes_one_slot(one: str, other: str) -> None:
    """The better one stays."""
    found = select([judged(one, 0.8), judged(other, 0.7)], limit=9, token_budget=999, count_tokens=len)
    assert chosen(found) == [one]
    assert found.left_out[0].why is Why.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [("Number is 555 0133", "Number is 555 0134"), ("Likes fish", "Does not like fish"), ("Her birthday is in May", "His birthday is in May"),
     ("Swims on Monday", "Swims on Tuesday"), ("isst Fisch", "isst keinen Fisch"), ("любит рыбу", "не любит рыбу"), ("他喜欢鱼", "他不喜欢鱼"), ("…", "?!")],
)  # fmt: skip
def test_a_different_statement_keeps_its_slot(one: str, other: str) -> None:
    """Another number, negation, person or day is another statement, however alike the rest."""
    assert len(select([judged(one, 0.8), judged(other, 0.7)], limit=9, token_budget=999, count_tokens=len).chosen) == 2


def test_two_people_with_one_statement_are_two() -> None:
    """What is said about Anna is not said about Bob."""
    pair = [judged("Allergic to nuts", 0.8, subject="Anna"), judged("Allergic to nuts", 0.7, subject="Bob")]
    assert len(select(pair, limit=9, token_budget=999, count_tokens=len).chosen) == 2


def test_equal_scores_put_the_newest_first() -> None:
    """Ids grow with time; the order never depends on how rows came in."""
    pair = [judged("old", 0.5, id=MemoryId("01A")), judged("new", 0.5, id=MemoryId("01B"))]
    for candidates in (pair, pair[::-1]):
        assert chosen(select(candidates, limit=9, token_budget=99, count_tokens=len)) == ["new", "old"]


@given(
    st.lists(st.tuples(st.floats(0, 2), st.booleans(), st.booleans()), max_size=30),
    st.integers(0, 9),
    st.integers(0, 60),
)
def test_limits_always_hold_and_nobody_is_lost(rows: list[tuple[float, bool, bool]], limit: int, budget: int) -> None:
    """Every candidate is either chosen or left out with a reason."""
    candidates = [
        judged(f"text {number}", score, relevant=relevant, fired=("cue",) if fired else (), id=MemoryId(str(number)))
        for number, (score, relevant, fired) in enumerate(rows)
    ]
    found = select(candidates, limit=limit, token_budget=budget, count_tokens=len)
    assert len(found.chosen) <= limit
    assert sum(len(one.memory.text) for one in found.chosen) <= budget
    assert len(found.chosen) + len(found.left_out) == len(rows)
    assert [one.parts.score for one in found.chosen] == sorted((one.parts.score for one in found.chosen), reverse=True)
