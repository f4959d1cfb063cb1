"""Weeks of use in seconds: what matters is found, what passes is gone, and nothing is remembered that nobody said."""

from pathlib import Path

import pytest

from tests.bench.lifecycle import simulate


@pytest.mark.timeout(110)
@pytest.mark.parametrize("inflate", [False, True])
def test_a_small_simulation_keeps_what_matters_and_lets_the_rest_go(tmp_path: Path, inflate: bool) -> None:
    """Also against a model that calls everything important. A holiday lies in the middle."""
    weeks, world = simulate(3, 44, 14, inflate=inflate, cache=tmp_path)
    last = weeks[-1]
    assert last.active <= 120
    assert last.archived > 10
    assert (last.phantoms_active, last.lost_by_merging, last.holiday_archived, last.procedures_lost) == (0, 0, 0, 0)
    assert last.second_pass == 0
    assert last.junk_settled <= 0.1
    assert last.important_found is None or last.important_found >= 0.8
    assert not any(key.startswith("invention: ADD accept") for key in world.counts)
