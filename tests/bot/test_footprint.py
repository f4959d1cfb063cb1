"""Memory that nobody uses goes back to the system, and what stays loaded costs no pauses."""

import gc
import sys

import pytest

from bot.footprint import spare_what_is_loaded, trim


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux says how much is resident")
def test_what_was_freed_is_not_resident_any_more() -> None:
    def resident_kb() -> int:
        with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1])

    kept = [bytes(1000) for _ in range(60_000)]
    last = kept[-1]
    high = resident_kb()
    del kept
    if trim():
        assert resident_kb() < high - 20_000
    assert last == bytes(1000)


def test_what_is_loaded_is_looked_at_by_no_further_round_of_the_collector() -> None:
    held: list[object] = [{"a": []}]
    spare_what_is_loaded()
    try:
        assert not any(one is held for one in gc.get_objects())  # what the next full round looks at
    finally:
        gc.unfreeze()
    assert any(one is held for one in gc.get_objects())
