"""Why these memories and not others: the words of /why and of `tidemark memories explain`."""

from collections.abc import Iterator, Mapping, Sequence

from memory.domain import MemoryId
from memory.recall.values import LeftOut, Parts

LEFT_OUT_SHOWN = 5
"""Of what was close but not chosen; more is for the command line."""


def explained(
    chosen: Mapping[MemoryId, Parts],
    left_out: Sequence[LeftOut],
    texts: Mapping[MemoryId, str],
    *,
    most_left_out: int = LEFT_OUT_SHOWN,
) -> Iterator[str]:
    """Give the lines for a person, best first; memories without a text here are gone or not theirs to see."""
    for memory_id, parts in chosen.items():
        if memory_id in texts:
            yield f"• {_one_line(texts[memory_id])}\n  {parts.explain()}{_since(parts, texts)}"
    cued = sorted(left_out, key=lambda out: not _is_cued(out))  # stable; a person who gave a cue wonders about it first
    close = [out for out in cued if out.memory_id in texts][:most_left_out]
    if close:
        yield "\nClose, but left out:"
    for out in close:
        yield f"• {_one_line(texts[out.memory_id])}\n  {out.why.value} · {out.parts.explain()}"


def _since(parts: Parts, texts: Mapping[MemoryId, str]) -> str:
    """Give what has changed since, where that is to be seen."""
    now = texts.get(MemoryId(parts.overtaken_by))
    return "" if now is None else f" · since then: {_one_line(now)}"


def _is_cued(out: LeftOut) -> bool:
    return bool(out.parts.fired or out.parts.common) or out.parts.rested is not None


def _one_line(text: str) -> str:
    return " ".join(text.split())
