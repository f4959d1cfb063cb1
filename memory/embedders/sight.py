"""What a model can read: scripts, by which a question's vector is trusted, and languages, by which a better one is found."""

from typing import Final

import regex

from memory.statements import languages

ENGLISH: Final = "english"
MULTILINGUAL: Final = "multilingual"

_VISIBLE = regex.compile(r"[\p{L}\p{N}\p{So}]")

Scripts = regex.Pattern[str]
LATIN: Final[Scripts] = regex.compile(r"[\p{Latin}0-9]")
SIXTEEN: Final[Scripts] = regex.compile(
    r"[\p{Latin}\p{Cyrillic}\p{Arabic}\p{Han}\p{Hiragana}\p{Katakana}ー\p{Hangul}\p{Thai}\p{Nd}]"
)
"""The scripts of the sixteen languages of the multilingual model. (m) Of Greek, Hebrew, Hindi, Tamil and emoji it knows
letters at best: questions in them lie at -0.05 to 0.17 of anything, as chance has it."""

SIXTEEN_LANGUAGES: Final = frozenset(
    ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"]
)
"""Chinese counts twice there, by its two scripts. (m) Questions in Finnish, Swedish and Czech do not find the German statement."""

OTHER_LANGUAGE: Final = 0.5
"""Of the trust in the vector of a question in another language than English."""

_MANY = regex.compile(r"multilingual|multi-|bge-m3|gemma|qwen3|embeddings-v3|siglip|arctic-embed.*v2")
_SECOND = regex.compile(r"(?:bge|jina).*-(?P<language>zh|de|es)(?:-|$)")
_ENGLISH_NAMES = regex.compile(
    r"minilm|mpnet|mxbai|arctic-embed|gte-(?:base|large|small)$|nomic-embed|clip|stella|english|potion|e5-(?:small|base|large)"
    r"|-en(?:-|$)"
)


def legible(text: str, scripts: Scripts = LATIN) -> float:
    """Give the share, 0 to 1, of letters, digits and pictures of ``text`` that are of ``scripts``."""
    visible = len(_VISIBLE.findall(text))
    return min(1.0, len(scripts.findall(text)) / visible) if visible else 0.0


def fluency(text: str) -> float:
    """Give how far a model of English reads ``text``, 0 to 1: half of what is plainly in another language.

    To such a model all French is alike; what words it shares with a memory then tells more.
    """
    likely, telling = languages(text)
    return OTHER_LANGUAGE if telling and "en" not in likely else 1.0


def languages_of(model: str) -> frozenset[str] | None:
    """Give the languages (ISO 639-1) an embedding model knows by its name; None when the name does not tell, or all do."""
    name = model.strip().casefold().rstrip("/").rpartition("/")[2]
    if name == MULTILINGUAL:
        return SIXTEEN_LANGUAGES
    if _MANY.search(name):
        return None
    if second := _SECOND.search(name):
        return frozenset({"en", second["language"]})
    return frozenset({"en"}) if name == ENGLISH or _ENGLISH_NAMES.search(name) else None
