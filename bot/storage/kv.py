"""Small facts that outlive the process, as JSON under a name: the owner, the pairing code's hash, flags."""

from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from bot.storage.tables import settings
from memory.unit_of_work import UnitOfWork


def get(uow: UnitOfWork, key: str) -> Any:
    """Give the value, or None when there is none."""
    return uow.connection.scalar(select(settings.c.value).where(settings.c.key == key))


def put(uow: UnitOfWork, key: str, value: Any, now: datetime) -> None:
    """Keep a value under ``key``, in place of a former one."""
    here = settings.c.key == key
    changed = uow.connection.execute(update(settings).where(here).values(value=value, updated_at=now))
    if changed.rowcount == 0:
        uow.connection.execute(insert(settings).values(key=key, value=value, updated_at=now))


def remove(uow: UnitOfWork, key: str) -> None:
    """Drop a value; one that is not there is no error."""
    uow.connection.execute(delete(settings).where(settings.c.key == key))
