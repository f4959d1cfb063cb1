"""A candidate with its score, and whether it may come up."""

from dataclasses import dataclass

from memory.domain import Memory
from memory.recall.values import Parts, Why


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate with its score; ``relevant`` says whether it passed the floor."""

    memory: Memory
    parts: Parts
    relevant: bool
    why: Why = Why.IRRELEVANT  # where it is not relevant

    @property
    def wanted(self) -> bool:
        """Say whether it may have a slot at all: it passed the floor, or its cue was said."""
        return self.relevant or bool(self.parts.fired)
