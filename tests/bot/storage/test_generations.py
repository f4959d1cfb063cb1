"""Which generation the vectors are of, and how far it is."""

from bot.storage import generations
from bot.storage.generations import Generation, Progress
from memory import store
from memory.domain import AgentSlug
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, DIGEST, NOW, keep, vector

OURS = Generation("ours", DIGEST)


def test_a_generation_is_kept_for_each_assistant(unit: UnitOfWork) -> None:
    """Two in one database may have different models."""
    assert generations.present(unit, AGENT) is None
    generations.begin(unit, AGENT, OURS, NOW)
    generations.begin(unit, AgentSlug("other"), Generation("theirs", "d"), NOW)
    assert generations.present(unit, AGENT) == OURS
    assert generations.present(unit, AgentSlug("other")) == Generation("theirs", "d")


def test_progress_counts_the_vectors_of_one_generation(unit: UnitOfWork) -> None:
    """Those of other assistants do not count."""
    done, *_ = [keep(unit, text) for text in ("one", "two", "three")]
    keep(unit, "of another", agent=AgentSlug("other"))
    store.set_vector(unit, done, vector(1), DIGEST)
    progress = generations.progress(unit, AGENT, DIGEST)
    assert progress == Progress(1, 3)
    assert str(Progress(1_200, 10_000)) == "1,200 of 10,000"
    assert not progress.complete
    assert generations.progress(unit, AGENT, "another digest") == Progress(0, 3)


def test_it_is_due_after_a_change_of_model_and_after_one_cut_short(unit: UnitOfWork) -> None:
    """Before the first pass nothing is known, and the first pass comes soon anyway."""
    memory = keep(unit, "one")
    assert not generations.is_due(unit, AGENT, "ours")
    generations.begin(unit, AGENT, OURS, NOW)
    assert generations.is_due(unit, AGENT, "ours")
    store.set_vector(unit, memory, vector(1), DIGEST)
    assert not generations.is_due(unit, AGENT, "ours")
    assert generations.is_due(unit, AGENT, "another")
