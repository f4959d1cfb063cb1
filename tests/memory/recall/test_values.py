import json
from dataclasses import replace

from memory import policy
from memory.domain import MemoryId
from memory.recall.values import LeftOut, Recall, Recalled, Why, left_out_from_json, parts_as_json, parts_from_json
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


def test_parts_of_an_older_version_are_read() -> None:
    """What was not kept then has its default."""
    old = {"id": "1", "terms": ["boat"], "bm25": 1.5, "cosine": 0.5, "relevance": 0.5, "importance": 5, "recency": 1.0,
           "score": 0.6, "fired": []}  # fmt: skip
    saved = {
        "chosen": [old, {name: value for name, value in old.items() if name != "fired"} | {"id": "2"}],
        "left_out": [],
    }
    assert list(parts_from_json(saved).values()) == [PARTS, PARTS]
    assert "likeness of meaning 0.50" in PARTS.explain()


def test_what_was_left_out_comes_back_with_its_reason() -> None:
    """So that it can be told later why a memory was not used."""
    left = LeftOut(MemoryId("9"), replace(PARTS, evidence=0.1, bar=0.4, revived=True), Why.IRRELEVANT)
    saved = json.loads(json.dumps(parts_as_json(Recall((), (left,)))))
    assert left_out_from_json(saved) == (left,)


def test_an_explanation_tells_how_it_came_up() -> None:
    """The evidence against the bar, the date, and the special ways in."""
    parts = replace(PARTS, evidence=0.31, bar=0.22, near=0.5, coverage=0.4, centred=0.3, company=0.45, revived=True,
                    specific=True, stands_in=True)  # fmt: skip
    line = parts.explain()
    for part in ("0.31", "0.22", "date 0.50", "40%", "0.30", "0.45", "archived", "prove", "replaced"):
        assert part in line
