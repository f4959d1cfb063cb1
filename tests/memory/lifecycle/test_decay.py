import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import Kind, Layer
from memory.lifecycle.decay import rate, recency
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
