"""``tidemark backup FILE``: a safe copy of the database while it is in use."""

import sys
from pathlib import Path

from memory.copying import copy_database
from memory.errors import CopyRefused


def backup(source: Path, target: Path, *, force: bool = False) -> int:
    """Copy the database and say so; give the exit status, 0 done or 1 refused.

    Raises:
        TidemarkDatabaseError: the database is damaged or the disk refuses; nothing is left behind.
    """
    target = target.expanduser()
    try:
        size = copy_database(source, target, replace=force)
    except CopyRefused as refusal:
        print(f"tidemark: {refusal}", file=sys.stderr)
        return 1
    print(f"Copied {source} to {target} ({_size(size)}), whole and checked.")
    return 0


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1_000_000:.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1000:.0f} kB"
