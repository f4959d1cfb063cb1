"""The maintenance passes: when they ran and what they did."""

from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from bot.storage.tables import maintenance_runs as t
from memory.unit_of_work import UnitOfWork

KEPT = 200
"""Four days of passes every half hour: enough to see a pattern."""


def begin(uow: UnitOfWork, now: datetime) -> int:
    """Note that a pass begins; give its id."""
    result = uow.connection.execute(insert(t).values(started_at=now))
    run_id = int(result.inserted_primary_key[0])  # type: ignore[index]
    uow.connection.execute(delete(t).where(t.c.id <= run_id - KEPT))
    return run_id


def finish(uow: UnitOfWork, run_id: int, now: datetime, report: dict[str, Any]) -> None:
    """Note that a pass is done."""
    uow.connection.execute(update(t).where(t.c.id == run_id).values(finished_at=now, report=report))


def last_start(uow: UnitOfWork) -> datetime | None:
    """Give when the last finished pass began."""
    query = select(t.c.started_at).where(t.c.finished_at.is_not(None)).order_by(t.c.id.desc()).limit(1)
    return uow.connection.execute(query).scalar_one_or_none()


def last(uow: UnitOfWork) -> tuple[datetime, datetime | None, dict[str, Any] | None] | None:
    """Give start, end and report of the last pass."""
    query = select(t.c.started_at, t.c.finished_at, t.c.report).order_by(t.c.id.desc()).limit(1)
    row = uow.connection.execute(query).first()
    return None if row is None else (row.started_at, row.finished_at, row.report)
