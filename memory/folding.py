"""One form for comparison: letters without case, accents and typographic apostrophes; and the words of a text in it."""

import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

import regex

_ACCENTS: Final = regex.compile(r"[\u0300-\u036f\u0610-\u061a\u064b-\u0652\u0670\u0640\u05b0-\u05c7]")
_QUIRKS: Final = str.maketrans(
    {
        "ı": "i",
        "’": "'",
        "ʼ": "'",
        "`": "'",
        "´": "'",
        "‘": "'",
        "ς": "σ",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "æ": "ae",
        "œ": "oe",
    }
)
_INVISIBLE: Final = regex.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")
_WITHOUT_BLANKS: Final = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_TOKEN: Final = regex.compile(
    rf"[{_WITHOUT_BLANKS}]+|[[\p{{L}}\p{{M}}\p{{N}}]--[{_WITHOUT_BLANKS}]][[\p{{L}}\p{{M}}\p{{N}}\u200b-\u200f\u2060\ufeff\u00ad]--[{_WITHOUT_BLANKS}]]*",
    regex.V1,
)
_RUN: Final = regex.compile(rf"[{_WITHOUT_BLANKS}]", regex.V1)


class Word(NamedTuple):
    """A word as written, its folded form, and where it stands (code points of the text)."""

    raw: str
    folded: str
    start: int
    end: int

    @property
    def is_run(self) -> bool:
        """Say whether this is a run of a script that sets no blanks between words."""
        return bool(_RUN.match(self.raw))


@lru_cache(maxsize=16_384)
def fold(text: str) -> str:
    """Give ``text`` in lower case, compatibility forms resolved, without accents and invisible marks. Blanks stay as they are."""
    decomposed = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", decomposed))).translate(_QUIRKS)


def words(text: str) -> tuple[Word, ...]:
    """Give the words of ``text`` in order; an apostrophe ends a word, so that ``Leif's`` is ``leif`` and ``s``."""
    return tuple(Word(found[0], fold(found[0]), found.start(), found.end()) for found in _TOKEN.finditer(text))


def is_blank(text: str) -> bool:
    """Say whether ``text`` holds neither a letter nor a digit."""
    return _TOKEN.search(text) is None
