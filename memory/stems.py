"""Which language a text is in, as far as its small words tell, and the stems of its words."""

import threading
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import regex
import Stemmer

from memory import function_words
from memory.spelling import fold

ALL = tuple(function_words.LATIN)
"""Every language in Latin script we have a stemmer and small words for."""

LONGEST_STEMMED = 64
"""Longer runs of letters are no words; stemming them is wasted time."""

SHORTEST_SKELETON = 3
"""Consonants; most Arabic roots have three."""

_BY_SCRIPT = tuple(
    (regex.compile(rf"\p{{{script}}}"), languages)
    for script, languages in {
        "Cyrillic": ("russian",),
        "Greek": ("greek",),
        "Arabic": ("arabic", "persian"),
        "Devanagari": ("hindi",),
        "Tamil": ("tamil",),
        "Armenian": ("armenian",),
        "Hebrew": ("hebrew",),
    }.items()
)
_ARABIC = regex.compile(r"\p{Arabic}")
_ARABIC_VOWELS = regex.compile("[اويء]|ه$")
_LATIN = regex.compile(r"\p{Latin}")
_HEBREW_PREFIXES = "והבלמשכ"  # and, the, in, to, from, that, as: written onto the word
_stemmers = threading.local()  # a Snowball stemmer must not be shared between threads


def detect(words: Iterable[str]) -> tuple[str, ...]:
    """Give the languages that folded ``words`` in Latin script may be in, likeliest first; `ALL` when nothing tells.

    A text may mix languages, so every language with at least half the votes of the best stays.
    """
    distinct = set(words)
    votes = Counter({language: len(distinct & small) for language, small in function_words.LATIN.items()})
    best = max(votes.values())
    if not best:
        return ALL
    return tuple(language for language, count in votes.most_common() if 2 * count >= best)


def is_function_word(folded: str, languages: tuple[str, ...]) -> bool:
    """Say whether a word only holds a sentence together."""
    if folded in function_words.OTHER:
        return True
    return any(folded in function_words.LATIN[language] for language in languages if language in function_words.LATIN)


def languages_of(word: str, latin: tuple[str, ...]) -> tuple[str, ...]:
    """Give the languages to stem ``word`` in: those of its script, or ``latin``."""
    if _LATIN.match(word):
        return latin
    return next((languages for script, languages in _BY_SCRIPT if script.match(word)), ())


@lru_cache(maxsize=20_000)
def stem(word: str, language: str | None = None) -> str:
    """Give the folded stem of a normalised word; English, or what its script tells, without a ``language``."""
    if language is None:
        language = next(iter(languages_of(word, ("english",))), None)
    if language is None or not 2 < len(word) <= LONGEST_STEMMED:
        return fold(word)
    if language == "hebrew":
        return _without_prefix(fold(word))
    return fold(_stemmer(language).stemWord(word))


def italian_noun(word: str) -> str:
    """Give an Italian word without its last vowel where the stemmer took it for a verb: "chiavi" is no form of "chi"; else ""."""
    taken_for_a_verb = len(word) - len(stem(word, "italian")) > 2
    return fold(word[:-1]) if taken_for_a_verb and word[-1] in "aeio" else ""


def skeleton(folded: str) -> str:
    """Give the consonants of a word in Arabic script, which its plural shares ("kitab", "kutub"); "" when they are too few.

    Two consonants are left of too many words.
    """
    if not _ARABIC.match(folded):
        return ""
    bare = _ARABIC_VOWELS.sub("", folded.removeprefix("ال"))
    return bare if len(bare) >= SHORTEST_SKELETON else ""


def _without_prefix(word: str) -> str:
    return word[1:] if len(word) > 3 and word[0] in _HEBREW_PREFIXES else word


def _stemmer(language: str) -> Stemmer.Stemmer:
    known: dict[str, Stemmer.Stemmer] | None = getattr(_stemmers, "known", None)
    if known is None:
        known = _stemmers.known = {}
    if language not in known:
        known[language] = Stemmer.Stemmer(language, 0)
    return known[language]
