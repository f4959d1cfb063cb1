"""The retrieval cases, with keywords alone and with the real embedder, and ten more of each kind."""

import json
from pathlib import Path
from typing import Any

import pytest

from memory.domain import Scope
from memory.embedding import Embedder
from tests.databases import new_database
from tests.memory.recall.invented import KINDS
from tests.memory.recall.stores import Store, StoreMaker, case_row, write

CASES = [json.loads(line) for line in (Path("tests/cases/retrieval.jsonl")).read_text(encoding="utf-8").splitlines()]

BYSTANDERS = (
    "Waters the balcony tomatoes every second evening",
    "Prefers window seats on trains",
    "Learning to bake rye bread",
    "The upstairs neighbour practises the trombone",
)
INVENTED = [(kind, *case) for kind, cases in KINDS.items() for case in cases]


def _params(*, with_embedder: bool) -> list[Any]:
    usable = [case for case in CASES if with_embedder or case["needs"] != "semantic"]
    return [pytest.param(case, id=case["id"]) for case in usable]


def _check(case: dict[str, Any], store: Store) -> None:
    chosen = [found.memory.id for found in store.ask(case["query"], scope=Scope(case["chat"])).chosen]
    expected = case["expect"]
    assert set(expected["must_include"]) <= set(chosen), case["why"]
    assert not set(expected["must_not_include"]) & set(chosen), case["why"]
    if expected["must_be_first"]:
        assert chosen[0] == expected["must_be_first"], case["why"]
    if expected.get("empty"):
        assert chosen == [], case["why"]


@pytest.mark.parametrize("case", _params(with_embedder=False))
def test_keywords_alone_pass_the_case(case: dict[str, Any], make_store: StoreMaker) -> None:
    """Without an embedder the words decide, and suffice for every case that does not ask for meaning."""
    _check(case, make_store(*map(case_row, case["store"])))


@pytest.mark.parametrize("case", _params(with_embedder=True))
def test_keywords_and_meaning_together_pass_the_case(
    case: dict[str, Any], make_store: StoreMaker, english: Embedder
) -> None:
    """The embedder adds what words cannot find, and spoils nothing where it cannot read."""
    _check(case, make_store(*map(case_row, case["store"]), embedder=english))


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory, english: Embedder) -> Any:
    """All invented cases in one database, each in a chat of its own; what must not win is the more important."""
    database = new_database(tmp_path_factory.mktemp("crowd") / "crowd.db")
    rows = [
        {"text": text, "scope": f"chat:{number}", "importance": 8 if text in others else 5}
        for number, (_, _, answer, others) in enumerate(INVENTED)
        for text in (*others, *BYSTANDERS, answer)
    ]
    write(database, rows, english)
    yield database
    database.close()


@pytest.mark.parametrize("with_embedder", [False, True], ids=["keywords", "both"])
@pytest.mark.parametrize("number", range(len(INVENTED)))
def test_an_invented_case_of_the_same_kind_passes(
    number: int, with_embedder: bool, crowd: Any, english: Embedder
) -> None:
    """The kinds are solved, not the samples: the answer is first, or at least there for a question in a paste."""
    kind, query, answer, _ = INVENTED[number]
    texts = Store(crowd, english if with_embedder else None).texts(query, scope=Scope(f"chat:{number}"))
    assert answer in (texts if "paste" in kind else texts[:1])
