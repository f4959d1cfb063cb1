"""What every text goes through at the door, so that no byte of it can break a store, a prompt or a log."""

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """Give ``text`` without what cannot be stored: NUL ends strings in SQLite, lone surrogates have no UTF-8.

    Everything else stays as it was said, whatever the script. Positions in code points stay valid: each of the two is
    replaced one for one.
    """
    return _UNSTORABLE.sub(REPLACEMENT, text)


def clean_or_none(text: str | None) -> str | None:
    """Do the same where there may be no text."""
    return None if text is None else clean(text)
