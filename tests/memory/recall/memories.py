"""Memory values for the tests of pure judgement."""

from dataclasses import replace
from itertools import count
from typing import Any

from memory.domain import Kind, Layer, Memory, MemoryId, Status, Trust
from memory.recall.judged import Judged
from memory.recall.values import Parts
from tests.memory.recall.stores import AGENT, HERE, NOW

PLAIN = Memory(
    id=MemoryId("0"), agent_slug=AGENT, scope=HERE, text="The boat is blue", kind=Kind.SEMANTIC, layer=Layer.WORKING,
    importance=5, status=Status.ACTIVE, subject=None, speaker=None, speaker_id=None, trust=Trust.OWNER, mentions=0, uses=0,
    created_at=NOW, updated_at=NOW, accessed_at=NOW, valid_from=None, valid_to=None, expires_at=None, revision=1,
    embedding_model=None, superseded_by=None, pinned=False,
)  # fmt: skip
PARTS = Parts(("boat",), 1.5, 0.5, 0.5, 5, 1.0, 0.6)


_NUMBERS = count()


def memory(**fields: Any) -> Memory:
    """Give a memory that differs from a plain one in these fields."""
    return replace(PLAIN, **fields)


def judged(text: str, score: float, *, relevant: bool = True, fired: tuple[str, ...] = (), **fields: Any) -> Judged:
    """Give a candidate with this score."""
    fields = {"id": MemoryId(f"{next(_NUMBERS):026}")} | fields
    return Judged(memory(text=text, **fields), replace(PARTS, score=score, fired=fired), relevant=relevant)
