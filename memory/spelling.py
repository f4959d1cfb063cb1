"""One spelling for what a reader takes for the same letters: width, case, accents, invisible signs."""

import unicodedata

import regex

from memory import digits

_BREAKING = regex.compile(r"[\p{Cs}\p{Cc}\p{Zl}\p{Zp}]")
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Variation_Selector}\p{Emoji_Modifier}]")
# Marks are accents in these scripts; in Indic scripts they are vowels, in kana they tell "ga" from "ka".
_ACCENTS = regex.compile(
    r"(?<=[\p{Latin}\p{Greek}\p{Hebrew}\p{Arabic}])\p{Mn}+|(?<=\p{Cyrillic})[\p{Mn}--\u0306]+", regex.V1
)
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "æ": "ae", "œ": "oe", "ħ": "h", "ŋ": "n",
        "ς": "σ", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": "",
    }
)  # fmt: skip
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
# Vowel signs of scripts without blanks that stand on a letter of another script: no reader sees a syllable there.
_STRAY = regex.compile(
    r"(?<![\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}])[\p{M}&&[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]]+",
    regex.V1,
)
_KATAKANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}


def normalise(text: str) -> str:
    """Give ``text`` in one case, one width and the digits 0-9, without invisible signs; what is broken becomes blanks."""
    visible: str = _INVISIBLE.sub("", _BREAKING.sub(" ", text))
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())
    folded = _STRAY.sub("", _INVISIBLE.sub("", folded))
    return digits.plain(folded)


def fold(word: str) -> str:
    """Give a normalised word without its accents; katakana becomes hiragana."""
    if word.isascii():
        return word
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", bare).translate(_LETTERS).translate(_KATAKANA)


def spellings(word: str) -> tuple[str, ...]:
    """Give the folded forms of a normalised word: "schlussel" and "schluessel" for "schlüssel"."""
    folded = fold(word)
    if word.isascii():
        return (folded,)
    written_out = fold(word.translate(_WRITTEN_OUT))
    return (folded,) if written_out == folded else (folded, written_out)
