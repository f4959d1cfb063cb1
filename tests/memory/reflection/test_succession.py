"""A deletion and an addition that belong together make a chain, as an update does."""

from dataclasses import replace
from typing import Any

import pytest

from memory.reflection.operations import Judgement
from memory.reflection.succession import ASKED, succeeds
from tests.memory.reflection.samples import brief, judge, memory, said
from tests.memory.samples import new

MILAN = memory("Mirela lives in Milan", subject="Mirela", speaker="Mirela")
MOVED = "I no longer live in Milan, I live in Berlin"
DELETE = {"op": "DELETE", "id": "m1"}
BERLIN = {"op": "ADD", "text": "Mirela lives in Berlin"}


def judged(*operations: dict[str, Any], text: str = MOVED) -> Judgement:
    return judge(brief(said(text), memories=(MILAN,)), *operations)


@pytest.mark.parametrize("operations", [(DELETE, BERLIN), (BERLIN, DELETE)])
def test_what_is_contradicted_gets_the_addition_as_its_successor(operations: tuple[dict[str, Any], ...]) -> None:
    """In either order."""
    verdicts = judged(*operations).verdicts
    assert [v.outcome for v in verdicts] == ["accept", "accept"]
    (ended,) = [v for v in verdicts if v.op == "DELETE"]
    assert verdicts[ended.successor if ended.successor is not None else -1].op == "ADD"


def test_what_was_wished_away_has_none() -> None:
    """It would come up again as a former statement."""
    verdicts = judged(DELETE, BERLIN, text="Forget that I live in Milan. I live in Berlin").verdicts
    assert (verdicts[0].detail, verdicts[0].successor) == (ASKED, None)


def test_another_matter_is_no_successor() -> None:
    verdicts = judged(
        DELETE, {"op": "ADD", "text": "Mirela plays the cello"}, text=f"{MOVED} and play the cello"
    ).verdicts
    assert verdicts[0].outcome == "accept"
    assert verdicts[0].successor is None


@pytest.mark.parametrize(
    ("changes", "holds"),
    [({}, True), ({"subject": "Pavel"}, False), ({"text": "Anna owns a boat"}, False), ({"text": "Anna lebt in Berlin"}, False)],
)  # fmt: skip
def test_a_successor_shares_scope_subject_and_matter(changes: dict[str, Any], holds: bool) -> None:
    """The name of whom it is about is no matter."""
    held = memory("Anna lives in Milan", subject="Anna", speaker="Anna")
    addition = new("Anna lives in Berlin", scope=held.scope)
    assert succeeds(held, replace(addition, **changes)) is holds
    assert not succeeds(replace(held, scope=held.scope + "1"), addition)  # type: ignore[arg-type]
