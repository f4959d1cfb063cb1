"""One memory that is looked at more closely, and what each side knows of it."""

from dataclasses import dataclass

from memory import policy
from memory.domain import Memory
from memory.recall import fusion
from memory.recall.cues import SILENT, Cue
from memory.vectors import Seen


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory with what each side knows of it.

    ``keywords`` is the share of the question that its words cover, 0-1; ``cued`` the same with the words of its cue; ``cold``
    what the archived or replaced statement that brought it covers.
    """

    memory: Memory
    bm25: float = 0.0
    keywords: float = 0.0
    terms: tuple[str, ...] = ()
    seen: Seen | None = None
    cue: Cue = SILENT
    specific: bool = False
    revived: bool = False
    stands_in: bool = False
    cold: float = 0.0
    cued: float = 0.0

    @property
    def fired(self) -> tuple[str, ...]:
        """Give the cue phrases that bring it up whatever else fits."""
        return (*self.cue.phrases, *self.cue.meant) if self.cue.forces else ()

    @property
    def is_awake(self) -> bool:
        """Say whether it has something to do with the question by itself."""
        return self.seen is not None or self.keywords > 0 or bool(self.fired)

    def relevance(self, sight: float, weight: float) -> float:
        """Give the relevance for a question of which the embedder reads ``sight``, its words counting ``weight``."""
        own = covered = max(self.keywords, self.cued)
        if self.seen is not None:
            own = fusion.relevance(self.seen.centred, self.seen.company, covered, sight, weight)
        return max(policy.COLD_DISCOUNT * own if self.revived else own, policy.COLD_DISCOUNT * self.cold)

    def evidence(self, sight: float) -> float:
        """Give the evidence that it answers the question; its cue is none, which forces what it may by itself."""
        return self.keywords if self.seen is None else fusion.evidence(self.seen.cosine, self.keywords, sight)
