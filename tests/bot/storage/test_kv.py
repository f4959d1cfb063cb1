"""Small facts under a name."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bot.storage import kv
from memory.unit_of_work import UnitOfWork

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.mark.parametrize("value", [7, "text", None, {"a": [1, None, "ü"]}, [], True, 2**60])
def test_a_value_is_given_back_as_it_was(unit: UnitOfWork, value: Any) -> None:
    kv.put(unit, "key", value, NOW)
    assert kv.get(unit, "key") == value


def test_a_later_value_takes_the_place_and_a_removed_one_is_none(unit: UnitOfWork) -> None:
    kv.put(unit, "key", 1, NOW)
    kv.put(unit, "key", 2, NOW)
    assert kv.get(unit, "key") == 2
    kv.remove(unit, "key")
    kv.remove(unit, "key")
    assert kv.get(unit, "key") is None
