"""One use case, one unit of work: leaving it without `commit` rolls everything back."""

from collections.abc import Callable

from sqlalchemy import Connection


class UnitOfWork:
    """An open transaction. SQL goes through ``connection``."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._after: list[Callable[[], None]] = []

    def commit(self) -> None:
        """Make the changes durable, then run what was waiting for that."""
        self.connection.commit()
        waiting, self._after = self._after, []
        for action in waiting:
            action()

    def after_commit(self, action: Callable[[], None]) -> None:
        """Run ``action`` once the changes are durable; never after a rollback. For in-memory indexes."""
        self._after.append(action)
