"""What a recall gives: the memories, and for each how it came to be chosen."""

from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory import policy
from memory.domain import Memory, MemoryId


@dataclass(frozen=True, slots=True)
class Parts:
    """What a score was made of.

    ``cosine``, ``centred`` and ``company`` are None for a memory without a vector, or a question without one. ``bm25`` is the
    information of the shared words (nats), ``coverage`` its share of the question's, ``keyword_weight`` what that counts
    beside a cosine. ``evidence`` stands against ``bar``, the least that a question's best memory must have.
    """

    terms: tuple[str, ...]
    bm25: float
    cosine: float | None
    relevance: float
    importance: int
    recency: float
    score: float
    fired: tuple[str, ...] = ()  # the cue phrases that brought it up, whatever the score
    meant: tuple[str, ...] = ()  # those of them that the question means without saying them
    common: tuple[str, ...] = ()  # cue phrases that were said and force nothing, being said all the time
    exactness: float = 0.0  # how much the best of its cues asks for
    rested: float | None = None  # minutes since its cue brought it up here, where it rests
    tool: str = ""  # the tool it was put before
    coverage: float = 0.0
    centred: float | None = None
    company: float | None = None
    keyword_weight: float = policy.KEYWORD_WEIGHT
    near: float = 0.0
    evidence: float = 0.0
    bar: float = 0.0
    specific: bool = False  # its words alone prove it
    revived: bool = False  # it was archived
    stands_in: bool = False  # it came for a statement that it replaced
    newer: bool = False  # it stands before an older one that answers as well
    overtaken_by: str = ""  # the memory that says what changed since

    def explain(self) -> str:
        """Give one line for a person."""
        if self.tool:
            return f"it stands before {self.tool} · importance {self.importance}"
        shared = ", ".join(self.terms[: policy.TERMS_SHOWN])
        said = [
            f"score {self.score:.2f}",
            f"relevance {self.relevance:.2f}",
            f"shared words: {shared} ({self.coverage:.0%} of the question)" if shared else "no shared words",
            *self._meaning(),
            f"importance {self.importance}",
            f"freshness {self.recency:.2f}",
            *([f"fits the date {self.near:.2f}"] if self.near > 0 else []),
            *([f"evidence {self.evidence:.2f}, the best needs {self.bar:.2f}"] if self.bar > 0 else []),
            *self._ways(),
        ]
        return " · ".join(said)

    def _meaning(self) -> list[str]:
        if self.cosine is None:
            return []
        if self.centred is None or self.company is None:
            return [f"likeness of meaning {self.cosine:.2f}"]
        beyond = f"{self.centred:.2f} beyond what all here share, {self.company:.2f} the best of that day"
        return [f"likeness of meaning {self.cosine:.2f} ({beyond})"]

    def _ways(self) -> list[str]:
        ways = {
            "its words prove it": self.specific,
            "was archived": self.revived,
            "stands for what it replaced": self.stands_in,
            "newer than what answers as well": self.newer,
            "possibly outdated": bool(self.overtaken_by),
        }
        return [*(way for way, took in ways.items() if took), *self._cues()]

    def _cues(self) -> list[str]:
        said = [phrase for phrase in self.fired if phrase not in self.meant]
        meant = [phrase for phrase in self.fired if phrase in self.meant]
        return [
            *([f"cue: {', '.join(said)}"] if said else []),
            *([f"cue by its meaning: {', '.join(meant)}"] if meant else []),
            *([f"cue resting, it came up {_ago(self.rested)}"] if self.rested is not None else []),
            *([f"cue too common: {', '.join(self.common)}"] if self.common else []),
        ]


class Why(StrEnum):
    """Why a candidate was left out."""

    IRRELEVANT = "below the floor"
    UNASKED = "asleep or not settled, and nobody asked for it"
    CHANCE = "nothing but one common word fits"
    PASSING = "said in passing, and others of its kind fit better"
    LESSONS = "other lessons fitted more exactly"
    SAME = "says the same as a better one"
    NO_SLOT = "no slot left"
    NO_ROOM = "no room in the token budget"


@dataclass(frozen=True, slots=True)
class Former:
    """A statement that a memory replaced, with the time for which it was true, as far as that is known."""

    text: str
    valid_from: datetime | None
    valid_to: datetime | None


@dataclass(frozen=True, slots=True)
class Overtaken:
    """What has become true since a memory was stated, and may make it outdated: another memory, and since when it holds."""

    id: MemoryId
    text: str
    since: datetime | None


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that was chosen. ``former`` is what stood in its place before, oldest first, where the question asks for it.

    ``overtaken`` is set where it leans on a statement that was replaced since: it is possibly outdated.

    One that was ``revived`` is still archived in the file: whoever shows it resurrects it (`lifecycle.archive`).
    """

    memory: Memory
    parts: Parts
    former: tuple[Former, ...] = ()
    overtaken: Overtaken | None = None

    @property
    def revived(self) -> bool:
        """Say whether it comes from the archive."""
        return self.parts.revived


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
    """Give the parts of the chosen memories back, in their order; what an older version did not keep has its default."""
    return {MemoryId(entry["id"]): _parts(entry) for entry in saved["chosen"]}


def left_out_from_json(saved: Mapping[str, Any]) -> tuple[LeftOut, ...]:
    """Give back what was left out, best first, and why."""
    return tuple(LeftOut(MemoryId(entry["id"]), _parts(entry), Why(entry["why"])) for entry in saved["left_out"])


def _plain(parts: Parts) -> dict[str, Any]:
    rounded = {
        name: round(value, policy.DIGITS_KEPT) if isinstance(value, float) else value
        for name, value in asdict(parts).items()
    }
    return rounded | {name: list(getattr(parts, name)) for name in _PHRASES}


def _parts(entry: Mapping[str, Any]) -> Parts:
    values = {
        field.name: entry[field.name] for field in fields(Parts) if field.name in entry or field.default is MISSING
    }
    return Parts(**values | {name: tuple(entry.get(name, ())) for name in _PHRASES})


_PHRASES = ("terms", "fired", "meant", "common")


def _ago(minutes: float) -> str:
    whole = round(minutes)
    return "just now" if whole < 1 else "a minute ago" if whole == 1 else f"{whole} minutes ago"
