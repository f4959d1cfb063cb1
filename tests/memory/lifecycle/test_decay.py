import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import Kind, Layer
from memory.lifecycle.decay import decay_score, hours_until, rate, recency
from tests.memory.recall.memories import memory

HOURS = st.floats(0, 1e6)


@given(st.sampled_from(Layer), st.sampled_from(Kind), HOURS, HOURS)
def test_recency_falls_from_one_and_never_below_nothing(layer: Layer, kind: Kind, one: float, other: float) -> None:
    """Older is never fresher."""
    sooner, later = sorted((one, other))
    faded = memory(layer=layer, kind=kind)
    assert 1 >= recency(faded, sooner) >= recency(faded, later) >= 0
    assert recency(faded, 0) == 1


@pytest.mark.parametrize(("layer", "fresh"), [(Layer.BUFFER, 0.0067), (Layer.WORKING, 0.3679), (Layer.CORE, 0.9900)])
def test_a_week_of_rest_costs_by_layer(layer: Layer, fresh: float) -> None:
    """Rates 5, 1 and 0.01 a week."""
    assert recency(memory(layer=layer), 168) == pytest.approx(fresh, abs=1e-4)


@pytest.mark.parametrize("kind", [Kind.PROCEDURAL, Kind.LESSON])
@pytest.mark.parametrize("layer", Layer)
def test_how_to_do_things_lasts_in_every_layer(kind: Kind, layer: Layer) -> None:
    """Needed seldom, and then badly."""
    assert rate(memory(kind=kind, layer=layer)) == 0.01


def test_a_clock_that_stepped_back_makes_nothing_fresher() -> None:
    """Idle time below nothing counts as none."""
    assert recency(memory(), -1e9) == 1


@given(st.sampled_from(Layer), st.sampled_from(Kind), st.integers(1, 10), HOURS, HOURS)
def test_the_score_falls_from_the_importance_and_never_rises(
    layer: Layer, kind: Kind, importance: int, one: float, other: float
) -> None:
    """Computed from what is stored, it depends on nothing but idle time."""
    sooner, later = sorted((one, other))
    held = memory(layer=layer, kind=kind, importance=importance)
    assert importance >= decay_score(held, sooner) >= decay_score(held, later) >= 0
    assert decay_score(held, 0) == decay_score(held, -1e9) == importance


@pytest.mark.parametrize(
    ("layer", "importance", "days"), [(Layer.WORKING, 2, 21), (Layer.BUFFER, 2, 4.2), (Layer.WORKING, 6, 28.7)]
)
def test_the_formula_turned_round_tells_when_a_memory_has_faded(layer: Layer, importance: int, days: float) -> None:
    """Importance 2 falls below a tenth after three weeks in working, after days in the buffer."""
    hours = hours_until(0.1, importance, layer)
    assert hours / 24 == pytest.approx(days, abs=0.1)
    assert decay_score(memory(layer=layer, importance=importance), hours) == pytest.approx(0.1)
