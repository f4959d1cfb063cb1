"""Column types that the tables share."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC datetime; stored without offset, sortable as text in SQLite."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Refuse naive times: they are the classic source of hour-off bugs."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime reached the database")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Give the instant back as aware UTC."""
        return None if value is None else value.replace(tzinfo=UTC)
