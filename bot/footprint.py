"""Giving memory back: loading the two big libraries leaves some 60 MB that the allocator keeps for nobody."""

import ctypes
import sys


def trim() -> bool:
    """Hand freed memory back to the system; say whether that could be asked for (glibc only)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError):  # another C library
        return False
    return True
