"""Some weeks of use, played to the real engine with the real embedder: the goals of the long simulation hold in a short one."""

from collections.abc import Sequence

import pytest

from tests.bench.lifecycle import simulate
from tests.bench.simulation.measuring import Week
from tests.bench.simulation.world import World

DAYS, TURNS_A_DAY = 28, 15

Played = tuple[Sequence[Week], World]


@pytest.fixture(scope="module", params=[False, True], ids=["sane", "inflated"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Four weeks, a holiday in the middle; in the second run the model rates everything three points higher."""
    return simulate(7, DAYS, TURNS_A_DAY, inflate=request.param, cache=tmp_path_factory.getbasetemp() / "vectors")


def test_most_of_what_was_said_in_passing_is_gone(played: Played) -> None:
    """Noise is archived within days, and nothing of it settles."""
    weeks, _ = played
    assert weeks[-1].archived > weeks[-1].active / 2
    assert weeks[-1].junk_settled <= 0.02


def test_what_matters_is_found(played: Played) -> None:
    """Each important fact is in the top ten for its question, in its present state."""
    weeks, _ = played
    assert weeks[-1].important_found == 1.0
    assert weeks[-1].current_first in {None, 1.0}
    assert weeks[-1].stale_alone == 0


def test_what_nobody_said_is_nowhere(played: Played) -> None:
    """Echoes, inventions and hearsay, which the played model proposes every other day, become no memory."""
    weeks, world = played
    assert world.counts["invention: ADD reject"] > 5
    assert world.counts["hearsay: ADD quarantine"] > 2
    assert world.counts["echo: REINFORCE reject"] > 2
    assert max(week.phantoms_active for week in weeks) == 0
    assert weeks[-1].echoes_counted == 0


def test_nothing_is_lost_by_merging_or_by_a_holiday(played: Played) -> None:
    """A model that is wrong about some merges loses no fact, nor do days on which nobody speaks."""
    weeks, _ = played
    assert weeks[-1].lost_by_merging == 0
    assert weeks[-1].holiday_archived == 0
    assert weeks[-1].procedures_lost == 0


def test_a_second_pass_straight_after_the_first_changes_nothing(played: Played) -> None:
    """What a pass leaves behind is what its rules and the answers of the model make of it."""
    weeks, _ = played
    assert weeks[-1].second_pass == 0


def test_the_same_seed_plays_the_same_weeks(played: Played) -> None:
    """Figures can be compared: nothing in a run depends on the clock of the machine."""
    weeks, world = played
    again, _ = simulate(7, 3, TURNS_A_DAY, inflate=world.inflate > 0)
    once, _ = simulate(7, 3, TURNS_A_DAY, inflate=world.inflate > 0)
    assert again == once
    assert weeks
