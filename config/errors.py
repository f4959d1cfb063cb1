"""What goes wrong with settings, in one line that a person can act on."""

import re

_TOKEN_LIKE = re.compile(r"\d{5,}:[\w-]{20,}|(?:sk|pk|gsk|key|xai|hf)[-_][\w-]{12,}", re.ASCII)
_USERINFO = re.compile(r"//[^/@\s]+@")
_LONGEST_SHOWN = 60


class SettingsError(Exception):
    """The settings cannot be used. The message is one line: where, which key, what is wrong, what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


def one_line(text: str) -> str:
    """Give ``text`` as one printable line: control characters and what is no UTF-8 appear escaped."""
    shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    return shown.encode("utf-8", "backslashreplace").decode("utf-8")


def shown(value: object) -> str:
    """Give a value as an error may show it: short, and without what looks like a token pasted into the wrong place."""
    try:
        text = f'"{value}"' if isinstance(value, str) else str(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        text = "a number far too large"
    text = _USERINFO.sub("//…@", _TOKEN_LIKE.sub("…", text))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
