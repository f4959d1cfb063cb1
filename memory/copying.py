"""A copy of the database as it stands at one instant, made while others read and write it."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from memory.errors import CopyRefused, NotADatabase
from memory.faults import faults_of, of_sqlite

PAGES_PER_STEP = 1024
"""Four megabytes at a time: between two steps an interrupt gets through."""


def copy_database(source: Path, target: Path, *, replace: bool = False) -> int:
    """Copy ``source`` to ``target``, for its owner alone, checked, complete or not at all. Gives the size in bytes.

    The copy is one self-contained file: no write-ahead log belongs to it.

    Raises:
        CopyRefused: there is no source, or the target is taken (unless ``replace``), in use, or no place for a file.
        NotADatabase: the source is damaged; nothing was written.
        DiskFull, DatabaseUnwritable, DatabaseBusy: what stopped it; nothing was left behind.
    """
    with faults_of(target):
        _refuse_unfit(source, target, replace=replace)
    with _part_of(target) as part:
        with closing(_open_source(source)) as reading, closing(sqlite3.connect(part)) as writing:
            _copy(reading, writing, source)
        size = part.stat().st_size
        _sync(part)
        _publish(part, target, replace=replace)
    return size


def read_only_uri(path: Path, **options: str) -> str:
    """Give the address under which SQLite opens ``path`` without writing to it."""
    extra = "".join(f"&{name}={value}" for name, value in options.items())
    return f"file:{quote(str(path))}?mode=ro{extra}"


def _refuse_unfit(source: Path, target: Path, *, replace: bool) -> None:
    if not source.is_file():
        raise CopyRefused(f"There is no database at {source} to copy.")
    if target.is_dir():
        raise CopyRefused(f"{target} is a folder. Name the file that the copy shall be.")
    if not target.parent.is_dir():
        raise CopyRefused(f"There is no folder {target.parent}. Make it first, or name another place.")
    if target.exists() and target.samefile(source):
        raise CopyRefused(f"{target} is the database itself. Name another file.")
    if any(target.with_name(target.name + suffix).exists() for suffix in ("-wal", "-shm", "-journal")):
        raise CopyRefused(
            f"{target} belongs to a database in use (there is a write-ahead log beside it). Name another file."
        )
    if target.exists() and not replace:
        raise CopyRefused(f"{target} exists already. Name another file, or replace it with --force.")


@contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    """Give an empty file beside the target, for its owner alone; what is left of it goes."""
    with faults_of(target):
        descriptor, name = tempfile.mkstemp(prefix=".tidemark-", suffix=".part", dir=target.parent)
        os.close(descriptor)
    part = Path(name)
    try:
        with faults_of(target):
            yield part
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + suffix).unlink(missing_ok=True)


def _open_source(source: Path) -> sqlite3.Connection:
    """Open a snapshot: a reader that stays in its transaction is never overtaken, so that the copy is of one instant."""
    with faults_of(source):
        connection = sqlite3.connect(f"file:{quote(str(source))}?mode=rw", uri=True, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return connection


def _copy(reading: sqlite3.Connection, writing: sqlite3.Connection, source: Path) -> None:
    """Copy page by page, make the copy a single file, and make sure that it is whole."""
    try:
        reading.backup(writing, pages=PAGES_PER_STEP)
        writing.execute("PRAGMA journal_mode = DELETE")
        found = [row[0] for row in writing.execute("PRAGMA integrity_check(3)")]
    except sqlite3.Error as error:
        if not isinstance(of_sqlite(error), NotADatabase):
            raise
        found = [str(error)]
    if found != ["ok"]:
        raise NotADatabase(f"{source} is damaged ({'; '.join(found)}). Nothing was written.")


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _publish(part: Path, target: Path, *, replace: bool) -> None:
    """Give the finished copy its name; without ``replace`` a file that appeared meanwhile stays."""
    if replace:
        part.replace(target)
    else:
        try:
            target.hardlink_to(part)
        except FileExistsError:
            raise CopyRefused(f"{target} exists already. Name another file, or replace it with --force.") from None
        except OSError:  # file systems of memory sticks have no hard links
            part.rename(target)
    _sync(target.parent)
