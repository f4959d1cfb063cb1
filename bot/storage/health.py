"""What `tidemark status` and `tidemark health` look at."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from bot.storage import kv, runs
from bot.storage.tables import inbox, outbox, reflections
from memory.tables import memories, messages
from memory.unit_of_work import UnitOfWork

POLL_KEY = "poll:last"


@dataclass(frozen=True, slots=True)
class Standing:
    """How things stand: counts by state, and when things last happened."""

    memories: dict[str, int]
    messages: int
    inbox: dict[str, int]
    outbox: dict[str, int]
    reflections: dict[str, int]
    last_poll: datetime | None
    last_pass: tuple[datetime, datetime | None, dict[str, object] | None] | None


def standing(uow: UnitOfWork) -> Standing:
    """Give how things stand."""
    return Standing(
        memories=_by_state(uow, memories.c.status),
        messages=int(uow.connection.execute(select(func.count()).select_from(messages)).scalar_one()),
        inbox=_by_state(uow, inbox.c.state),
        outbox=_by_state(uow, outbox.c.state),
        reflections=_by_state(uow, reflections.c.state),
        last_poll=last_poll(uow),
        last_pass=runs.last(uow),
    )


def last_poll(uow: UnitOfWork) -> datetime | None:
    """Give when Telegram last answered a poll."""
    saved = kv.get(uow, POLL_KEY)
    return datetime.fromisoformat(saved) if isinstance(saved, str) else None


def _by_state(uow: UnitOfWork, column: object) -> dict[str, int]:
    query = select(column, func.count()).group_by(column)  # type: ignore[call-overload]
    return {str(state): int(count) for state, count in uow.connection.execute(query)}
