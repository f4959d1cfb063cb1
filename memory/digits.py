"""The digits of all scripts as 0-9, so that whoever counts need not know scripts."""

import unicodedata

import regex

_OTHER = regex.compile(r"[\p{Nd}--0-9]", regex.V1)
UNKNOWN = "\ufffd"
"""What stands for a digit newer than Python's own tables: Unicode grows faster, and ``int`` would raise."""


def plain(text: str) -> str:
    """Give ``text`` with every digit as 0-9, character for character, so that places in it stay the same."""
    return str(_OTHER.sub(lambda found: _plain(found[0]), text))


def _plain(sign: str) -> str:
    value = unicodedata.digit(sign, None)
    return UNKNOWN if value is None else str(value)
