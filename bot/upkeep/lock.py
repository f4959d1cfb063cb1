"""One pass at a time over one file, whichever process makes it. The system lets go when the holder dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory.faults import faults_of


@contextmanager
def the_only_pass(database: Path) -> Iterator[bool]:
    """Give whether nobody else is at it; never waits.

    Raises:
        DatabaseUnwritable: the file of the lock cannot be made beside the database.
    """
    path = database.with_name(f"{database.name}.maintenance")
    with faults_of(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)
