"""How tests expect a refusal."""

import re
from typing import TypeVar

import pytest

E = TypeVar("E", bound=BaseException)


def refused(kind: type[E], words: str) -> "pytest.RaisesExc[E]":
    """Give a context that expects an error with these words, in any letter case: the client changes it."""
    return pytest.raises(kind, match="(?i)" + re.escape(words))
