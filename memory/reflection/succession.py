"""What takes the place of a statement that holds no longer, where a reply says it in two operations.

"I no longer live in Milan, I live in Berlin" comes as a DELETE and an ADD as often as an UPDATE; the chain of what was true
before must not depend on that.
"""

from collections.abc import Sequence
from dataclasses import replace

from memory.domain import Memory
from memory.folding import words
from memory.reflection.operations import Malformed, NewMemory, OpName, Outcome, Proposed, Verdict
from memory.reflection.rules import about_the_same
from memory.statements import Inflections, content_words, language_of

ASKED = "asked to forget"
"""The detail of a deletion that somebody wished for: what they wished away is nobody's former statement."""


def linked(entries: Sequence[Proposed | Malformed], verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Give the verdicts, in order, each contradicted statement with the index of the addition that takes its place."""
    return tuple(
        replace(verdict, successor=_successor(entry, verdict, entries, verdicts))
        if _is_contradicted(verdict)
        else verdict
        for entry, verdict in zip(entries, verdicts, strict=True)
    )


def succeeds(held: Memory, new: NewMemory) -> bool:
    """Say whether ``new`` is about the same matter as ``held``: same scope and subject, and content beyond their names shared."""
    if held.scope != new.scope or not about_the_same(held, new):
        return False
    names = {w.folded for name in (held.subject, held.speaker, new.subject, new.speaker) for w in words(name or "")}
    pool = Inflections(content_words(new.text), language_of(new.text))
    return any(pool.has(word) for word in content_words(held.text) if word not in names)


def _is_contradicted(verdict: Verdict) -> bool:
    return verdict.op == OpName.DELETE and verdict.outcome is Outcome.ACCEPT and verdict.detail != ASKED


def _successor(
    entry: Proposed | Malformed, verdict: Verdict, entries: Sequence[Proposed | Malformed], verdicts: Sequence[Verdict]
) -> int | None:
    """Give the first accepted addition that rests on a message of the deletion's and succeeds what it deletes."""
    for index, (other, made) in enumerate(zip(entries, verdicts, strict=True)):
        if made.op != OpName.ADD or made.outcome is not Outcome.ACCEPT or made.new is None or verdict.target is None:
            continue
        if _evidence(entry) & _evidence(other) and succeeds(verdict.target, made.new):
            return index
    return None


def _evidence(entry: Proposed | Malformed) -> frozenset[int]:
    return frozenset(entry.evidence or ()) if isinstance(entry, Proposed) else frozenset()
