"""What is kept for a time only: how long, how it is counted, and how it goes."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.storage import inbox, outbox, recalls, reflections
from bot.upkeep.kit import Retention
from memory import maintenance, transcript
from memory.engine import MemoryEngine
from memory.unit_of_work import UnitOfWork

OfOld = Callable[[UnitOfWork, MemoryEngine, datetime], int]


@dataclass(frozen=True, slots=True)
class Kept:
    """A kind of rows. ``old`` counts what ``trim``, repeated, takes out: both go by the same condition, and an instant.

    ``one`` and ``many`` say in plain words what they are.
    """

    one: str
    many: str
    age: Callable[[Retention], timedelta]
    trim: OfOld
    old: OfOld


KEPT = {
    "inbox_trimmed": Kept(
        "handled update",
        "handled updates",
        lambda keep: keep.inbox,
        lambda uow, _, before: inbox.trim(uow, before),
        lambda uow, _, before: inbox.old(uow, before),
    ),
    "outbox_trimmed": Kept(
        "sent answer",
        "sent answers",
        lambda keep: keep.outbox,
        lambda uow, _, before: outbox.trim(uow, before),
        lambda uow, _, before: outbox.old(uow, before),
    ),
    "recalls_trimmed": Kept(
        "explanation",
        "explanations",
        lambda keep: keep.outbox,
        lambda uow, _, before: recalls.trim(uow, before),
        lambda uow, _, before: recalls.old(uow, before),
    ),
    "reflections_trimmed": Kept(
        "finished reflection",
        "finished reflections",
        lambda keep: keep.outbox,
        lambda uow, _, before: reflections.trim(uow, before),
        lambda uow, _, before: reflections.old(uow, before),
    ),
    "journal_trimmed": Kept(
        "journal entry",
        "journal entries",
        lambda keep: keep.journal,
        maintenance.trim_journal,
        maintenance.old_in_journal,
    ),
    "messages_trimmed": Kept(
        "message",
        "messages",
        lambda keep: keep.transcript,
        lambda uow, engine, before: transcript.trim(uow, engine.agent, before),
        lambda uow, engine, before: transcript.old(uow, engine.agent, before),
    ),
}
"""By the name in ``Report.counts``, in the order in which they go."""
