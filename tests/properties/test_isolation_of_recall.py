"""What one scope holds is never seen, and never felt, in another."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.domain import GLOBAL, AgentSlug, Scope
from memory.tables import memories
from tests.databases import new_database
from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import Store, write

WORDS = st.lists(
    st.sampled_from(("boat", "kayak", "sail", "roof", "key", "café", "猫", "房租", "ключ", "🎂", "not")),
    min_size=1,
    max_size=5,
).map(" ".join)
SCOPES = st.sampled_from([GLOBAL, *(Scope(f"chat:{number}") for number in (1, 12, -1, -12, 2))])
AGENTS = st.sampled_from([AgentSlug("tidemark"), AgentSlug("other")])
ROWS = st.lists(
    st.fixed_dictionaries({"text": WORDS, "scope": SCOPES, "agent_slug": AGENTS, "importance": st.integers(1, 10)}),
    max_size=12,
)
SETTINGS = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)

Fill = Callable[[list[dict[str, Any]]], Store]


@pytest.fixture(params=[None, HashingEmbedder()], ids=["keywords", "both"])
def fill(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Fill]:
    """Give a function that makes one store hold exactly these rows."""
    database = new_database(tmp_path / "a.db")

    def refill(rows: list[dict[str, Any]]) -> Store:
        with database.write() as uow:
            uow.connection.execute(memories.delete())
            uow.connection.exec_driver_sql("DELETE FROM memories_fts")
            uow.commit()
        write(database, rows, request.param)
        return Store(database, request.param)

    yield refill
    database.close()


@SETTINGS
@given(rows=ROWS, query=WORDS, scope=SCOPES, agent=AGENTS)
def test_only_the_asking_scope_and_what_is_global_answers(
    rows: list[dict[str, Any]], query: str, scope: Scope, agent: AgentSlug, fill: Fill
) -> None:
    """Neither among the chosen nor among the reasons is anything from elsewhere."""
    found = fill(rows).ask(query, scope=scope, agent=agent, limit=50)
    visible = {
        f"{pk:026}" for pk, row in enumerate(rows, 1) if row["agent_slug"] == agent and row["scope"] in {scope, GLOBAL}
    }
    assert {one.memory.id for one in found.chosen} | {out.memory_id for out in found.left_out} <= visible


@SETTINGS
@given(rows=ROWS, foreign=ROWS, query=WORDS, scope=SCOPES)
def test_what_other_scopes_hold_changes_neither_order_nor_score(
    rows: list[dict[str, Any]], foreign: list[dict[str, Any]], query: str, scope: Scope, fill: Fill
) -> None:
    """Even statistics leak: a word common elsewhere must weigh here what it weighed before."""
    agent = AgentSlug("tidemark")
    elsewhere = [row for row in foreign if row["agent_slug"] != agent or row["scope"] not in {scope, GLOBAL}]
    alone = fill(rows).ask(query, scope=scope, limit=50)
    among = fill([*rows, *elsewhere]).ask(query, scope=scope, limit=50)
    assert [(one.memory.id, one.parts) for one in among.chosen] == [(one.memory.id, one.parts) for one in alone.chosen]


@SETTINGS
@given(rows=ROWS, query=WORDS, order=st.randoms(use_true_random=False))
def test_the_order_of_writing_does_not_matter(rows: list[dict[str, Any]], query: str, order: Any, fill: Fill) -> None:
    """The same statements give the same scores, whoever came first."""
    shuffled = rows[:]
    order.shuffle(shuffled)
    scores = [sorted(one.parts.score for one in fill(each).ask(query, limit=50).chosen) for each in (rows, shuffled)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-5)
