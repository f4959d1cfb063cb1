"""Brings the database file to the present shape at start, or refuses it untouched.

Alembic costs a tenth of a second and is imported only when there is something to do.
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError

from memory.copying import copy_database, read_only_uri
from memory.database import create_file, prepare_folder
from memory.errors import DatabaseBusy, DatabaseUnwritable, NotADatabase, SchemaTooNew, TidemarkDatabaseError
from memory.faults import faults_of

REVISIONS = ("0001", "0002", "0003", "0004")
"""Every revision, oldest first, so that a look at the file tells whether Alembic is needed."""

HEAD = REVISIONS[-1]

LOCK_PATIENCE_S = 60.0
"""How long to wait for another process that is migrating the same file: copying and changing a large one takes a while."""

_MAGIC = b"SQLite format 3\0"
_OURS = frozenset({"alembic_version", "memories"})


@dataclass(frozen=True, slots=True)
class Prepared:
    """What was done. ``before`` is the revision that was found (None: a new file), ``copy`` the file kept aside."""

    path: Path
    before: str | None
    revision: str
    copy: Path | None = None

    @property
    def created(self) -> bool:
        """Say whether the database is new."""
        return self.before is None

    @property
    def upgraded(self) -> bool:
        """Say whether an older database was changed."""
        return self.before not in {None, self.revision}


def prepare(path: Path, now: datetime, *, lock_patience_s: float = LOCK_PATIENCE_S) -> Prepared:
    """Make sure that there is a database of the present shape at ``path``; give what was done.

    The folder is created 0700 and the file 0600. One process at a time works here, through a lock beside the file.
    Before an older file is changed, it is copied aside to ``NAME.before-REVISION-TIME``.

    Raises:
        NotADatabase: the file is something else. It is untouched, as in every refusal.
        SchemaTooNew: a newer Tidemark wrote it.
        DatabaseUnwritable: folder or file refuse.
        DatabaseBusy: another process works on it for too long.
        DiskFull: there is no room for the copy or the change; the file is as before.
    """
    prepare_folder(path.parent)
    with _lock(path, lock_patience_s):
        before = revision_of(path)
        copy = None
        if before != HEAD:
            copy = None if before is None else _copy_aside(path, now)
            _upgrade(path)
        _keep_private(path)
    return Prepared(path, before, HEAD, copy)


def revision_of(path: Path) -> str | None:
    """Give the revision of the file at ``path``, or None where there is nothing yet. Reads only.

    Raises:
        NotADatabase: it is something else.
        SchemaTooNew: a newer Tidemark wrote it.
        DatabaseUnwritable: it cannot be read.
    """
    with faults_of(path):
        if not path.exists() or (path.is_file() and path.stat().st_size == 0):
            return None
        _refuse_other_formats(path)
        with closing(_open_untouched(path)) as connection:
            tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            found = (
                connection.execute("SELECT version_num FROM alembic_version").fetchall()
                if _OURS & tables == _OURS
                else []
            )
    if not tables - {"alembic_version", "sqlite_sequence"}:
        return None  # an empty database, as a first start that was cut short leaves it
    if len(found) != 1:
        raise NotADatabase(f"{path} is a database of another program. Name another folder with TIDEMARK_HOME.")
    return _known(path, str(found[0][0]))


def _known(path: Path, revision: str) -> str:
    if revision not in REVISIONS:
        raise SchemaTooNew(
            f"{path} was written by a newer Tidemark (schema {revision}; this one knows {HEAD}). "
            "Install the newer version again, or restore a backup from before it."
        )
    return revision


def _refuse_other_formats(path: Path) -> None:
    if not path.is_file():
        raise NotADatabase(f"{path} is no file. Move it away, or name another folder with TIDEMARK_HOME.")
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise NotADatabase(f"{path} is no SQLite database. Move it away, or restore a backup.")
    if not os.access(path, os.W_OK):
        raise DatabaseUnwritable(f"{path} cannot be written. Check its owner and permissions.")


def _open_untouched(path: Path) -> sqlite3.Connection:
    """Open the file so that not even a side file appears: with ``immutable`` where no write-ahead log says otherwise."""
    log = path.with_name(f"{path.name}-wal")
    options = {} if log.exists() and log.stat().st_size else {"immutable": "1"}
    return sqlite3.connect(read_only_uri(path, **options), uri=True)


@contextmanager
def _lock(path: Path, patience_s: float) -> Iterator[None]:
    """Hold the lock beside the file; the system lets go of it when the process dies, however it dies."""
    lock = path.with_name(f"{path.name}.lock")
    with faults_of(lock):
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _wait_for(descriptor, path, patience_s)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, path: Path, patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise DatabaseBusy(
                    f"Another process has been preparing {path} for {patience_s:.0f} s. Stop it first."
                ) from None
            time.sleep(0.05)
        else:
            return


def _copy_aside(path: Path, now: datetime) -> Path:
    """Keep the file as it was; a second attempt in the same second gets a name of its own."""
    stem = f"{path.name}.before-{HEAD}-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    target = path.with_name(stem)
    number = 1
    while target.exists():
        number += 1
        target = path.with_name(f"{stem}-{number}")
    copy_database(path, target)
    return target


def _upgrade(path: Path) -> None:
    """Run the missing revisions in one transaction: a crash, or a full disk, leaves the file as it was."""
    with faults_of(path):
        create_file(path)
    with _connected(path) as connection:
        run_alembic(connection, "upgrade", HEAD)
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise TidemarkDatabaseError(
                f"{path}: the change would break {len(broken)} references; nothing was changed."
            )


def run_alembic(connection: Connection, command: str, revision: str, **attributes: Any) -> None:
    """Run ``upgrade`` or ``downgrade`` on a connection that is in a transaction; the caller commits."""
    import alembic.command  # noqa: PLC0415 - 0.1 s that an up-to-date database does not pay
    import alembic.config  # noqa: PLC0415

    import migrations  # noqa: PLC0415

    config = alembic.config.Config(attributes={"connection": connection, **attributes})
    config.set_main_option("script_location", str(Path(str(migrations.__file__)).parent).replace("%", "%%"))
    getattr(alembic.command, command)(config, revision)


@contextmanager
def _connected(path: Path) -> Iterator[Connection]:
    """Give a connection that commits at the end. Foreign keys are off: a table is changed by replacing it."""
    engine = create_engine("sqlite://", creator=lambda: _open_for_change(path), poolclass=NullPool)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    with faults_of(path), _driver_errors(), engine.begin() as connection:
        yield connection


def _open_for_change(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=10)
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = OFF", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


@contextmanager
def _driver_errors() -> Iterator[None]:
    """Give SQLite's own errors in place of SQLAlchemy's wrapping."""
    try:
        yield
    except DBAPIError as error:
        raise (error.orig or error) from error


def _keep_private(path: Path) -> None:
    """Take others' permissions away, as after restoring with ``cp``; on a file of another owner that is not ours to do."""
    with suppress(OSError):
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
