"""Three weeks of use, played to the real engine with the real embedder: a short run keeps the goals of the long simulation."""

from collections.abc import Sequence

import pytest

from tests.bench.lifecycle import simulate
from tests.bench.simulation.diary import Diary
from tests.bench.simulation.measuring import Week
from tests.bench.simulation.world import World

SEED, DAYS, TURNS_A_DAY = 7, 21, 14

Played = tuple[Sequence[Week], World]


@pytest.fixture(scope="module", params=[False, True], ids=["sane", "inflated"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Three weeks, a holiday in the middle; in the second run the model rates everything three points higher."""
    vectors = tmp_path_factory.getbasetemp() / "vectors"
    return simulate(SEED, DAYS, TURNS_A_DAY, inflate=request.param, cache=vectors)


def test_what_was_said_in_passing_goes(played: Played) -> None:
    """Noise is archived; of a model that rates with measure, none of it settles."""
    weeks, world = played
    assert weeks[-1].archived > 0
    assert world.inflate or weeks[-1].junk_settled == 0


def test_what_matters_is_found_as_it_is_now(played: Played) -> None:
    """Each important fact is in the top ten for its question, and none is shown as it was without what it is."""
    weeks, _ = played
    assert weeks[-1].important_found == 1.0
    assert weeks[-1].stale_alone == 0


def test_what_nobody_said_is_no_memory(played: Played) -> None:
    """The played model proposes inventions, hearsay and echoes all the time; none is active, and no echo counts."""
    weeks, world = played
    assert world.counts["invention: ADD reject"] > 0
    assert world.counts["hearsay: ADD quarantine"] > 0
    assert world.counts["echo: REINFORCE reject"] > 0
    assert max(week.phantoms_active for week in weeks) == 0
    assert weeks[-1].echoes_counted == 0


def test_nothing_is_lost_by_merging_or_by_a_holiday(played: Played) -> None:
    """Wrong verdicts on merges cost no fact, days without a message no memory, and procedures stay."""
    weeks, _ = played
    assert weeks[-1].lost_by_merging == 0
    assert weeks[-1].holiday_archived == 0
    assert weeks[-1].procedures_lost == 0


def test_a_second_pass_straight_after_the_first_changes_nothing(played: Played) -> None:
    """A pass leaves nothing behind that its rules, or the answers of the model, would change."""
    weeks, _ = played
    assert weeks[-1].second_pass == 0


def test_the_same_seed_gives_the_same_days() -> None:
    """Runs can be compared; another seed gives other days."""
    one, same, other = (Diary(seed, turns_a_day=60, days=180) for seed in (1, 1, 2))
    assert [_said(one, day) for day in range(60)] == [_said(same, day) for day in range(60)]
    assert _said(one, 60) != _said(other, 60)


def test_nobody_speaks_on_holiday_and_every_other_day_has_its_turns() -> None:
    """Three weeks in the middle are empty."""
    diary = Diary(1, turns_a_day=60, days=180)
    turns = [len(diary.day(day)) for day in range(180)]
    assert turns.count(0) == 21
    assert {count for count in turns if count} == {60}


def _said(diary: Diary, day: int) -> list[str]:
    return [event.text for event in diary.day(day)]
