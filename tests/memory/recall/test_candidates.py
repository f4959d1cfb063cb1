import pytest

from memory.analysis import tokens
from memory.domain import visible_scopes
from memory.recall.candidate import Candidate
from memory.recall.candidates import gather
from memory.recall.question import Question
from memory.vectors import Seen
from tests.fakes import HashingEmbedder
from tests.memory.recall.memories import memory
from tests.memory.recall.stores import AGENT, HERE, Store, StoreMaker


def candidates(store: Store, query: str) -> dict[str, Candidate]:
    vector = store.embedder.embed_query(query) if store.embedder else None
    question = Question(AGENT, visible_scopes(HERE), tokens(query), vector)
    with store.database.read() as uow:
        return {found.memory.text: found for found in gather(uow.connection, store.index, question).candidates}


def test_both_sides_and_the_cues_bring_candidates(make_store: StoreMaker) -> None:
    """A keyword hit has its cosine, a near one its words, a fired one both and its phrase."""
    store = make_store(
        "blue boat", {"text": "check twice", "triggers": ["boat"]}, "green tea", embedder=HashingEmbedder()
    )
    found = candidates(store, "boat")
    assert found["blue boat"].terms == ("boat",)
    assert found["blue boat"].seen is not None
    assert found["blue boat"].keywords > 0
    assert found["check twice"].fired == ("boat",)
    assert (found["check twice"].keywords, found["check twice"].cued) == (0, 1)
    assert (found["green tea"].keywords, found["green tea"].terms, found["green tea"].fired) == (0, (), ())


def test_without_an_embedder_there_are_no_cosines(make_store: StoreMaker) -> None:
    """Only what shares a word is a candidate."""
    found = candidates(make_store("blue boat", "green tea"), "boat")
    assert {text: one.seen for text, one in found.items()} == {"blue boat": None}


def test_keywords_are_a_share(make_store: StoreMaker) -> None:
    """All of the question is 1, half of it less, however short the memory."""
    found = candidates(make_store("boat", "sail", "sail and boat"), "boat with a sail")
    assert found["sail and boat"].keywords == 1
    assert 0 < found["boat"].keywords < 1


@pytest.mark.parametrize("seen", [None, Seen(1, 0.9, 0.8, 0.8)], ids=["words", "both"])
def test_what_sleeps_stands_behind_what_is_as_relevant_awake(seen: Seen | None) -> None:
    """By a quarter; what a replaced statement covers counts for its successor as much."""
    awake, asleep = (Candidate(memory(), keywords=0.8, seen=seen, revived=revived) for revived in (False, True))
    assert awake.relevance(1.0, 0.5) == pytest.approx(0.8)
    assert asleep.relevance(1.0, 0.5) == pytest.approx(0.6)
    assert Candidate(memory(), stands_in=True, cold=0.8).relevance(1.0, 0.5) == pytest.approx(0.6)
