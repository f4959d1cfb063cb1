import json
from dataclasses import replace

from memory import policy
from memory.domain import MemoryId
from memory.recall.values import LeftOut, Recall, Recalled, Why, parts_as_json, parts_from_json
from tests.memory.recall.memories import PARTS, memory


def test_parts_survive_json_and_hold_no_text() -> None:
    """What is kept with a turn explains it later, in order, and gives no memory away."""
    pair = [
        Recalled(memory(id=MemoryId(str(n)), text="SECRET"), replace(PARTS, score=1 / 3 + n, cosine=None))
        for n in (2, 1)
    ]
    left = LeftOut(MemoryId("9"), PARTS, Why.NO_SLOT)
    saved = json.loads(json.dumps(parts_as_json(Recall(tuple(pair), (left,)))))
    assert "SECRET" not in json.dumps(saved)
    assert saved["left_out"][0] | {"id": "9", "why": "no slot left"} == saved["left_out"][0]
    back = parts_from_json(saved)
    assert list(back) == ["2", "1"]
    assert back[MemoryId("1")] == replace(PARTS, score=1.3333, cosine=None)


def test_of_what_was_left_out_only_the_best_are_kept() -> None:
    """A turn's record stays small."""
    left = tuple(LeftOut(MemoryId(str(n)), PARTS, Why.NO_SLOT) for n in range(100))
    assert len(parts_as_json(Recall((), left))["left_out"]) == policy.LEFT_OUT_KEPT


def test_an_explanation_names_every_part() -> None:
    """One line for a person."""
    line = replace(PARTS, fired=("invoice",)).explain()
    for part in ("0.60", "boat", "0.50", "importance 5", "freshness 1.00", "invoice"):
        assert part in line
    assert "no shared words" in replace(PARTS, terms=()).explain()
    assert "likeness" not in replace(PARTS, cosine=None).explain()
