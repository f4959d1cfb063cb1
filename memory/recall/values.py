"""What a recall gives: the memories, and for each how it came to be chosen."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from memory import policy
from memory.domain import Memory, MemoryId


@dataclass(frozen=True, slots=True)
class Parts:
    """What a score was made of. ``cosine`` is None for a memory without a vector, or a question without one."""

    terms: tuple[str, ...]
    bm25: float
    cosine: float | None
    relevance: float
    importance: int
    recency: float
    score: float
    fired: tuple[str, ...] = ()  # the trigger phrases found in the question

    def explain(self) -> str:
        """Give one line for a person."""
        shared = ", ".join(self.terms[: policy.TERMS_SHOWN])
        said = [
            f"score {self.score:.2f}",
            f"relevance {self.relevance:.2f}",
            f"shared words: {shared}" if shared else "no shared words",
            *([f"likeness of meaning {self.cosine:.2f}"] if self.cosine is not None else []),
            f"importance {self.importance}",
            f"freshness {self.recency:.2f}",
            *([f"cue: {', '.join(self.fired)}"] if self.fired else []),
        ]
        return " · ".join(said)


class Why(StrEnum):
    """Why a candidate was left out."""

    IRRELEVANT = "below the floor"
    SAME = "says the same as a better one"
    NO_SLOT = "no slot left"
    NO_ROOM = "no room in the token budget"


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that was chosen."""

    memory: Memory
    parts: Parts


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A memory that was looked at and not chosen."""

    memory_id: MemoryId
    parts: Parts
    why: Why


@dataclass(frozen=True, slots=True)
class Recall:
    """The chosen memories, best first, and what was left out, best first."""

    chosen: tuple[Recalled, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def parts_as_json(recall: Recall) -> dict[str, Any]:
    """Give ids and score parts, no texts, as plain JSON; of what was left out the best few."""
    kept = recall.left_out[: policy.LEFT_OUT_KEPT]
    return {
        "chosen": [{"id": found.memory.id, **_plain(found.parts)} for found in recall.chosen],
        "left_out": [{"id": out.memory_id, "why": out.why.value, **_plain(out.parts)} for out in kept],
    }


def parts_from_json(saved: Mapping[str, Any]) -> dict[MemoryId, Parts]:
    """Give the parts of the chosen memories back, in their order."""
    return {MemoryId(entry["id"]): _parts(entry) for entry in saved["chosen"]}


def _plain(parts: Parts) -> dict[str, Any]:
    rounded = {
        name: round(value, policy.DIGITS_KEPT) if isinstance(value, float) else value
        for name, value in asdict(parts).items()
    }
    return rounded | {"terms": list(parts.terms), "fired": list(parts.fired)}


def _parts(entry: Mapping[str, Any]) -> Parts:
    values = {name: entry[name] for name in Parts.__dataclass_fields__}
    return Parts(**values | {"terms": tuple(entry["terms"]), "fired": tuple(entry["fired"])})
