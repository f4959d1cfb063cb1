"""Importance, freshness and dates decide between what answers a question, never about whether it does."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.domain import MemoryId
from memory.recall import recall
from memory.recall.values import Recall, Why
from memory.tables import memories
from tests.databases import new_database
from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import AGENT, HERE, NOW, Store, write

TOPICS = ("boat sail mast", "oven bread flour", "roof tile gutter", "violin bow strings", "tax letter office")
TEXTS = st.lists(
    st.tuples(st.sampled_from(TOPICS), st.integers(0, 99)).map(lambda pair: f"{pair[0]} {pair[1]}"),
    min_size=2,
    max_size=10,
    unique=True,
)
WEIGHTS = st.fixed_dictionaries(
    {"importance": st.integers(1, 10), "accessed_at": st.integers(0, 60).map(lambda days: NOW - timedelta(days=days))}
)
SETTINGS = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture(params=[None, HashingEmbedder()], ids=["keywords", "both"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    database = new_database(tmp_path / "a.db")
    yield Store(database, request.param)
    database.close()


def refill(store: Store, rows: list[dict[str, Any]]) -> None:
    with store.database.write() as uow:
        uow.connection.execute(memories.delete())
        uow.connection.exec_driver_sql("DELETE FROM memories_fts")
        uow.commit()
    write(store.database, rows, store.embedder)


def irrelevant(found: Recall) -> set[MemoryId]:
    return {out.memory_id for out in found.left_out if out.why is Why.IRRELEVANT}


@SETTINGS
@given(
    texts=TEXTS,
    topic=st.sampled_from((*TOPICS, "kite wind")),
    weights=st.lists(WEIGHTS, min_size=10, max_size=10),
    date=st.sampled_from(("", " on 30 November 2026")),
)
def test_nothing_irrelevant_comes_up_by_weight(
    texts: list[str], topic: str, weights: list[dict[str, Any]], date: str, store: Store
) -> None:
    """Asked, who is below the floor stays there with any importance, freshness or date, whatever those of the others are."""
    query = f"{topic.rsplit(' ', 1)[0]}{date}?"
    old = datetime(2020, 1, 1, tzinfo=UTC)
    refill(store, [{"text": text, "importance": 1, "accessed_at": old} for text in texts])
    plain = store.ask(query, limit=50, token_budget=10_000)
    refill(store, [{"text": text} | weight for text, weight in zip(texts, weights, strict=False)])
    weighed = store.ask(query, limit=50, token_budget=10_000)
    assert {one.memory.id for one in weighed.chosen} == {one.memory.id for one in plain.chosen}
    assert irrelevant(weighed) == irrelevant(plain)


@SETTINGS
@given(low=WEIGHTS, high=WEIGHTS)
def test_at_equal_relevance_the_fresher_and_the_more_important_come_first(
    low: dict[str, Any], high: dict[str, Any], store: Store
) -> None:
    """Two people said the same on the same day; everything else is equal."""
    importance, used = (
        sorted((low["importance"], high["importance"])),
        sorted((low["accessed_at"], high["accessed_at"])),
    )
    refill(
        store,
        [
            {"text": "the boat leaks", "subject": "Anna", "importance": importance[1], "accessed_at": used[1]},
            {"text": "the boat leaks", "subject": "Bob", "importance": importance[0], "accessed_at": used[0]},
        ],
    )
    first, second = store.ask("does the boat leak").chosen
    assert first.parts.relevance == pytest.approx(second.parts.relevance)
    assert first.parts.score >= second.parts.score
    if (importance[0], used[0]) != (importance[1], used[1]):
        assert first.memory.subject == "Anna"


@pytest.mark.parametrize(
    "vector", [np.zeros(3, np.float32), np.full(64, np.nan, np.float32), np.ones((2, 64), np.float32)]
)
@pytest.mark.parametrize("place", ["vector", "nameless"])
def test_vectors_of_another_length_or_without_numbers_are_refused(vector: Any, place: str, store: Store) -> None:
    """A caller's mistake is told, not searched with."""
    if store.embedder is None:
        pytest.skip("without an embedder there are no vectors to look at")
    refill(store, [{"text": "the boat leaks"}])
    good = store.embedder.embed_query("boat")
    with store.database.read() as uow, pytest.raises(ValueError, match="dimensions"):
        recall(uow.connection, store.index, "boat", *((vector, None) if place == "vector" else (good, vector)),
               agent=AGENT, scope=HERE, now=NOW, count_tokens=len)  # fmt: skip
