"""Two engines on one SQLite file: one writer that takes the lock at BEGIN, readers that cannot write."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import QueuePool

from memory import lexical
from memory.errors import DatabaseUnwritable
from memory.faults import of_sqlite
from memory.unit_of_work import UnitOfWork

BUSY_TIMEOUT_S = 10.0
"""How long a writer waits for another process before it gives up: longer than a backup's steps, shorter than patience."""


class Database:
    """The file behind everything. Use from worker threads, never from the event loop."""

    def __init__(self, path: Path, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> None:
        self.path = path
        held = {lexical.HELD: lexical.mirrors()}
        self._writer = _engine(path, busy_timeout_s, begin="BEGIN IMMEDIATE", read_only=False).execution_options(**held)
        self._readers = _engine(path, busy_timeout_s, begin="BEGIN", read_only=True).execution_options(**held)

    @contextmanager
    def write(self) -> Iterator[UnitOfWork]:
        """Give a unit of work that holds the write lock; leaving it without commit rolls back.

        Raises:
            DatabaseBusy: another process keeps the lock.
            DiskFull: nothing more can be written; nothing was half-written.
            DatabaseUnwritable: file or folder refuses.
        """
        with _translated(), self._writer.connect() as connection:
            try:
                connection.begin()
                yield UnitOfWork(connection)
            finally:
                if connection.in_transaction():
                    connection.rollback()

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        """Give a unit of work on one consistent snapshot; writing in it is an error."""
        with _translated(), self._readers.connect() as connection:
            yield UnitOfWork(connection)

    def close(self) -> None:
        """Let go of the file."""
        self._writer.dispose()
        self._readers.dispose()


def prepare_folder(folder: Path) -> None:
    """Create the data folder for its owner alone.

    Raises:
        DatabaseUnwritable: it cannot be created or written.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnwritable(f"The data folder {folder} cannot be created: {error.strerror}.") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise DatabaseUnwritable(f"The data folder {folder} cannot be written. Check its owner and permissions.")


def create_file(path: Path) -> None:
    """Make sure the database file exists and only its owner can read it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    os.close(descriptor)


def _engine(path: Path, busy_timeout_s: float, *, begin: str, read_only: bool) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=str(path)),  # a path may hold what a URL's text takes for its own
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=4,
        hide_parameters=True,  # an error's text goes to the log, and parameters are what people wrote
        connect_args={"timeout": busy_timeout_s, "check_same_thread": False},
    )

    @event.listens_for(engine, "connect")
    def _connect(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None  # the driver must not open transactions of its own
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL" if read_only else "PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # forgotten words leave no free page behind
        connection.execute(f"PRAGMA query_only = {'ON' if read_only else 'OFF'}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine


@contextmanager
def _translated() -> Iterator[None]:
    """Turn SQLite's errors into ours, where a caller can do something about them."""
    try:
        yield
    except (OperationalError, DatabaseError) as error:
        ours = of_sqlite(error.orig)
        if ours is None:
            raise
        raise ours from error
