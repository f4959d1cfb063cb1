"""Living with two big libraries: the memory that loading them leaves to nobody, and the pauses of collecting garbage."""

import ctypes
import gc
import sys


def spare_what_is_loaded() -> None:
    """Take all that lives now out of the rounds of the garbage collector.

    A full round looks at every object of the libraries and holds all threads for 100 ms and more; they live on anyway.
    """
    gc.collect()
    gc.freeze()


def trim() -> bool:
    """Hand freed memory, some 60 MB after loading, back to the system; say whether that could be asked for (glibc only)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    except (OSError, AttributeError):  # another C library
        return False
    return True
