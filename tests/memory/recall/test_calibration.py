import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import policy
from memory.domain import Scope
from memory.embedding import Embedder
from memory.recall import floors
from memory.recall.calibration import calibrate, centre_of, due, floor_of
from memory.recall.floors import Calibration
from memory.recall.gate import usual_floor
from memory.recall.neutral import QUESTIONS
from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import AGENT, HERE, Store, StoreMaker, write

EMBEDDER = HashingEmbedder()
NEUTRAL = [EMBEDDER.embed_query(question) for question in QUESTIONS]
USUAL = (policy.USUAL_FLOOR, policy.USUAL_NULL)
BEST = st.lists(st.floats(0, 1), min_size=64, max_size=64)


def things(count: int) -> list[str]:
    return [f"thing number {n} stands on shelf {n % 7}" for n in range(count)]


def keep(store: Store, one: Calibration) -> None:
    with store.database.write() as uow:
        floors.keep(uow.connection, one)
        uow.commit()


def floor_in(store: Store, memories: int, scope: Scope = HERE) -> float:
    with store.database.read() as uow:
        return floors.floor(uow.connection, store.index, AGENT, scope, memories)


def test_the_neutral_questions_are_sixty_four_different_ones() -> None:
    """Enough for a tail, and none counts twice."""
    assert len(set(QUESTIONS)) == 64
    assert all(re.fullmatch(r"[A-Z].+[?.]", question) for question in QUESTIONS)


@given(BEST, st.integers(0, 10_000))
def test_a_floor_stays_within_its_bounds(best: list[float], memories: int) -> None:
    """Neither everything nor nothing may pass, whatever was measured, with a known model and an unknown."""
    for usual in (USUAL, None):
        assert policy.SMALL_FLOOR <= floor_of(best, memories, usual) <= policy.HIGHEST_FLOOR


def test_a_small_store_has_the_smallest_floor() -> None:
    """Its null tells nothing."""
    assert floor_of([0.9] * 64, policy.SMALL_STORE - 1, USUAL) == policy.SMALL_FLOOR
    assert floor_of([], 500, USUAL) == policy.SMALL_FLOOR


def test_the_usual_null_gives_the_usual_floor_and_a_higher_one_moves_it_by_a_quarter() -> None:
    """Of a model of which nothing is known the null decides."""
    assert floor_of([policy.USUAL_NULL] * 64, 200, USUAL) == pytest.approx(policy.USUAL_FLOOR)
    assert floor_of([policy.USUAL_NULL + 0.08] * 64, 200, USUAL) == pytest.approx(policy.USUAL_FLOOR + 0.02)
    assert floor_of([0.4] * 64, 200, None) == pytest.approx(0.4 * policy.USUAL_FLOOR / policy.USUAL_NULL)


def test_what_is_measured_decides_until_the_store_has_doubled(make_store: StoreMaker) -> None:
    """Then its size does, until maintenance comes; the former measurement is replaced."""
    store = make_store(*things(3), embedder=EMBEDDER)
    assert floor_in(store, 100) == usual_floor(100)
    keep(store, Calibration(AGENT, HERE, EMBEDDER.digest, 0.5, 100))
    keep(store, Calibration(AGENT, HERE, EMBEDDER.digest, 0.3, 100))
    assert [floor_in(store, memories) for memories in (100, 200, 201, 49)] == [
        0.3,
        0.3,
        usual_floor(201),
        usual_floor(49),
    ]
    assert floor_in(store, 100, Scope("chat:2")) == usual_floor(100)
    assert floor_in(Store(store.database, HashingEmbedder(digest="other")), 100) == usual_floor(100)


def test_calibration_counts_and_measures_only_what_is_visible(make_store: StoreMaker) -> None:
    """What other chats hold changes nothing."""
    rows = [{"text": text} for text in things(30)]
    alone = make_store(*rows, embedder=EMBEDDER)
    among = make_store(*rows, *({"text": q, "scope": "chat:2"} for q in QUESTIONS), embedder=EMBEDDER)
    found = []
    for store in (alone, among):
        with store.database.read() as uow:
            found.append(calibrate(uow.connection, store.index, NEUTRAL, AGENT, HERE))
    assert found[0] == found[1]
    assert found[0].memories == 30


def test_a_store_that_chance_finds_more_in_has_a_higher_floor(make_store: StoreMaker) -> None:
    """Memories that resemble the neutral questions."""
    far, near = make_store(*things(40), embedder=EMBEDDER), make_store(*QUESTIONS[:40], embedder=EMBEDDER)
    floors_ = []
    for store in (far, near):
        with store.database.read() as uow:
            floors_.append(calibrate(uow.connection, store.index, NEUTRAL, AGENT, HERE).floor)
    assert floors_[0] < floors_[1]


def test_with_the_real_embedder_no_neutral_question_passes(make_store: StoreMaker, english: Embedder) -> None:
    """And what the store knows still does."""
    store = make_store(*things(25), "The boat leaks at the bow", embedder=english)
    vectors = [english.embed_query(question) for question in QUESTIONS]
    with store.database.write() as uow:
        floors.keep_centre(uow.connection, english.digest, centre_of(vectors))
        uow.commit()
    with store.database.read() as uow:
        one = calibrate(uow.connection, store.index, vectors, AGENT, HERE)
    keep(store, one)
    passed = [question for question in QUESTIONS if store.ask(question).chosen]
    assert len(passed) <= 2
    assert store.texts("where does the boat leak?")[0] == "The boat leaks at the bow"
    assert store.index is not None
    assert store.index.neutral is not None


def test_wrong_numbers_of_vectors_are_refused(make_store: StoreMaker) -> None:
    """Each question has its own."""
    store = make_store(*things(3), embedder=EMBEDDER)
    with store.database.read() as uow, pytest.raises(ValueError, match="zip"):
        calibrate(uow.connection, store.index, NEUTRAL[:3], AGENT, HERE)


def test_a_scope_is_due_until_measured_and_again_when_it_has_grown(make_store: StoreMaker) -> None:
    """Small ones never are; what is global counts for every chat."""
    store = make_store(
        *({"text": text, "scope": "global"} for text in things(15)),
        *({"text": text} for text in things(10)),
        {"text": "alone", "scope": "chat:3", "status": "archived"},
        *({"text": text, "agent_slug": "other", "scope": "chat:9"} for text in things(30)),
        embedder=EMBEDDER,
    )

    def scopes() -> tuple[Scope, ...]:
        with store.database.read() as uow:
            return due(uow.connection, AGENT, EMBEDDER.digest)

    assert scopes() == (HERE,)
    keep(store, Calibration(AGENT, HERE, EMBEDDER.digest, 0.3, 25))
    assert scopes() == ()
    write(store.database, [{"text": text} for text in things(5)], EMBEDDER, first_pk=500)
    assert scopes() == (HERE,)


def test_a_centre_of_other_dimensions_is_left_alone(make_store: StoreMaker) -> None:
    """Damage in the file must not stop a question."""
    store = make_store(*things(3), embedder=EMBEDDER)
    with store.database.write() as uow:
        floors.keep_centre(uow.connection, EMBEDDER.digest, np.ones(3, np.float32))
        uow.commit()
    assert store.ask("thing").chosen
    assert store.index is not None
    assert store.index.neutral is None
