"""The shared cases of reflection."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.memory.reflection.samples import judged

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "cases" / "reflection.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_a_case_ends_as_a_user_would_expect(case: dict[str, Any]) -> None:
    """Every proposed change meets its verdict, for its reason."""
    expected = [entry for entry in case["expect"] for _ in range(entry.get("repeat", 1))]
    actual = judged(case)
    assert len(actual) == len(expected)
    for got, wanted in zip(actual, expected, strict=True):
        assert got["op"] == wanted["op"]
        assert got["verdict"] in _any(wanted["verdict"]), (got, wanted)
        assert got["reason"] in _any(wanted["reason"]), (got, wanted)
        assert "id" not in wanted or got["id"] == wanted["id"]
        assert all(fragment.lower() in got["text"].lower() for fragment in wanted.get("contains", ()))
        assert _fits(got["importance"], wanted.get("importance"))


def _any(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def _fits(value: int | None, wanted: int | list[int] | None) -> bool:
    if wanted is None or value is None:
        return wanted is None
    return wanted[0] <= value <= wanted[1] if isinstance(wanted, list) else value == wanted
