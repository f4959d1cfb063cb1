"""What SQLite and the file system complain about, as errors of ours, where a caller can do something about it."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory.errors import DatabaseBusy, DatabaseUnwritable, DiskFull, NotADatabase, TidemarkDatabaseError

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_UNWRITABLE = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_AUTH}
)
_NO_DATABASE = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def of_sqlite(error: BaseException | None) -> TidemarkDatabaseError | None:
    """Give our error for one of SQLite's, or nothing where it is a mistake of the program."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte; the rest refines it
    if code in _BUSY:
        return DatabaseBusy("The database is held by another process. Close it, or try again in a moment.")
    if code == sqlite3.SQLITE_FULL:
        return DiskFull("The disk is full: nothing could be saved. Free some space and send it again.")
    if code in _UNWRITABLE:
        return DatabaseUnwritable(f"The database cannot be written ({error}).")
    if code in _NO_DATABASE:
        return NotADatabase(f"The file is no intact SQLite database ({error}).")
    return None


@contextmanager
def faults_of(path: Path) -> Iterator[None]:
    """Translate what goes wrong with a file: SQLite's errors and the system's.

    Raises:
        TidemarkDatabaseError: the kind that fits; the message names ``path``.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        ours = _of_file(path, error)
        if ours is None:
            raise
        raise ours from error


def _of_file(path: Path, error: sqlite3.Error | OSError) -> TidemarkDatabaseError | None:
    ours = of_sqlite(error)
    if isinstance(ours, DiskFull) or (isinstance(error, OSError) and error.errno in _FULL):
        return DiskFull(f"{path}: the disk is full. Free some space and try again.")
    if isinstance(error, OSError):
        return DatabaseUnwritable(f"{path} cannot be read or written: {error.strerror}.")
    return ours and type(ours)(f"{path}: {ours}")
