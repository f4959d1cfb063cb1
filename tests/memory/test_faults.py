"""What SQLite and the system complain about arrives as the error a caller can act on, with the file's name."""

import errno
import sqlite3
from pathlib import Path

import pytest

from memory.errors import DatabaseBusy, DatabaseUnwritable, DiskFull, NotADatabase
from memory.faults import faults_of, of_sqlite


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("as SQLite says")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("raised", "ours"),
    [
        (sqlite_error(sqlite3.SQLITE_BUSY), DatabaseBusy),
        (sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT), DatabaseBusy),
        (sqlite_error(sqlite3.SQLITE_LOCKED_SHAREDCACHE), DatabaseBusy),
        (sqlite_error(sqlite3.SQLITE_FULL), DiskFull),
        (sqlite_error(sqlite3.SQLITE_READONLY_DIRECTORY), DatabaseUnwritable),
        (sqlite_error(sqlite3.SQLITE_CANTOPEN), DatabaseUnwritable),
        (sqlite_error(sqlite3.SQLITE_IOERR_WRITE), DatabaseUnwritable),
        (sqlite_error(sqlite3.SQLITE_NOTADB), NotADatabase),
        (sqlite_error(sqlite3.SQLITE_CORRUPT_VTAB), NotADatabase),
        (OSError(errno.ENOSPC, "No space left on device"), DiskFull),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), DiskFull),
        (PermissionError(errno.EACCES, "Permission denied"), DatabaseUnwritable),
        (OSError(errno.EROFS, "Read-only file system"), DatabaseUnwritable),
    ],
    ids=str,
)
def test_each_complaint_about_a_file_has_its_error_and_names_the_file(raised, ours):
    with pytest.raises(ours, match="/some/file") as caught, faults_of(Path("/some/file")):
        raise raised
    assert type(caught.value) is ours
    assert caught.value.__cause__ is raised


def test_a_mistake_of_the_program_passes_as_it_is():
    error = sqlite_error(sqlite3.SQLITE_ERROR)
    with pytest.raises(sqlite3.OperationalError) as caught, faults_of(Path("/some/file")):
        raise error
    assert caught.value is error
    assert of_sqlite(ValueError()) is None
