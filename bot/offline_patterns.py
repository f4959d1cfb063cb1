"""The phrases of `offline_phrases` as patterns over folded text, compiled when the offline model is first asked."""

from collections.abc import Iterable, Sequence
from functools import cache

import regex

from bot import offline_phrases as phrases
from memory.folding import fold

_END_OF_WORD = r"(?![\p{L}\p{M}\p{N}'-])"
_ELISION = r"(?:qu|d)'"  # French joins its "that" to the next word


def remembering(text: str) -> "regex.Match[str] | None":
    """Find a request to remember; the group ``matter`` is what, ``told`` is set where a "that" or a colon leads to it."""
    return next((found for found in (pattern.match(text) for pattern in _remembering()) if found), None)


def forgetting(text: str) -> "regex.Match[str] | None":
    """Find a request to forget; the groups ``before`` and ``after`` hold what."""
    return next((found for found in (pattern.match(text) for pattern in _forgetting()) if found), None)


def correcting(text: str) -> "regex.Match[str] | None":
    """Find what to do or avoid next time; the groups ``matter`` and ``rest`` hold what."""
    return next((found for found in (pattern.match(text) for pattern in _correcting()) if found), None)


def situation(matter: str) -> tuple[int, int] | None:
    """Give where a lesson's situation stands in folded words: behind "before" or "when", or before a comma."""
    found = next((found for found in (pattern.search(matter) for pattern in _situations()) if found), None)
    return found.span("named") if found else None


def filler(text: str) -> int:
    """Give how far an opener before a comma reaches: "By the way, my …" is stored without it."""
    found = _filler().match(text)
    return found.end() if found else 0


class Phrases:
    """One alternation that is compiled at its first use."""

    def __init__(
        self, words: Iterable[str], seamless: Iterable[str] = (), *, opened: bool = True, whole: bool = False
    ) -> None:
        self._parts = (tuple(words), tuple(seamless), opened, whole)

    def match(self, text: str) -> bool:
        """Say whether ``text`` begins with one of the phrases, after what may stand before."""
        return _compiled(*self._parts).match(text) is not None


REMINISCENCE = Phrases(
    ["when|how|the (?:time|day)|what|who|where|why|me|wie|wer|was|als|quand|cuando|quando|когда|как"], opened=False
)
"""What follows "remember" where somebody only thinks back."""
SELF = Phrases(phrases.SELF, phrases.SELF_SEAMLESS)
NO_FACT = Phrases(phrases.NO_FACTS)
ASKING = Phrases(phrases.ASKING, [f".*?(?:{phrase})" for phrase in phrases.ASKING_SEAMLESS])
FOLLOWING = Phrases(phrases.FOLLOWING)
SMALL_TALK = Phrases([phrases.SMALL_TALK], opened=False, whole=True)


def _any(patterns: Sequence[str]) -> str:
    return "(?:" + "|".join(fold(pattern) for pattern in patterns) + ")"


@cache
def _opening() -> str:
    return rf"(?:{_any(phrases.OPENERS)}{_END_OF_WORD}[\s,.!:–-]*+)*"


@cache
def _filler() -> "regex.Pattern[str]":
    return regex.compile(rf"(?:(?!{_any(phrases.DENIALS)}{_END_OF_WORD}){_any(phrases.OPENERS)}\s*,\s*)*+")


@cache
def _compiled(
    words: tuple[str, ...],
    seamless: tuple[str, ...],
    opened: bool,
    whole: bool,
) -> "regex.Pattern[str]":
    start = rf"{_opening()}(?:{_any(phrases.TIMES)}{_END_OF_WORD}[^.!?,]{{0,40}}?[\s,]+)?" if opened else ""
    end = r"[\s.!。！,]*(?:[\p{L}]+)?[\s.!。！]*$" if whole else _END_OF_WORD
    first = rf"{start}{_any(words)}{end}"
    return regex.compile(rf"(?:{first}|{_any(seamless)})" if seamless else first, regex.DOTALL)


@cache
def _remembering() -> tuple["regex.Pattern[str]", ...]:
    strong = "|".join(rf"{_verb(verb)}(?<told>{_that(that)}|[\s,]*[:,–-])?" for verb, that in phrases.REMEMBER)
    weak = "|".join(rf"{_verb(verb)}(?<told>{_that(that)}|\s*:)" for verb, that in phrases.REMEMBER_IF_TOLD_WHAT)
    sources = (
        rf"{_opening()}(?:{strong})[\s,:–-]*(?<matter>.*)",
        rf"{_opening()}(?:{weak})[\s,:–-]*(?<matter>.*)",
        rf"{_any(phrases.REMEMBER_SEAMLESS)}\s*(?<matter>.+)",
        rf"(?<matter>.+?){_any(phrases.REMEMBER_AFTER)}[\s.!。]*$",
    )
    return tuple(regex.compile(source, regex.DOTALL) for source in sources)


def _verb(verb: str) -> str:
    return rf"(?:{fold(verb)}){_END_OF_WORD}(?:,? *(?:please|bitte|por favor|пожалуиста|alsjeblieft){_END_OF_WORD})?"


def _that(that: str) -> str:
    words = "|".join(word for word in fold(that).split("|") if not word.endswith("'"))
    return rf"(?:[\s,]+(?:(?:{words}){_END_OF_WORD}|{_ELISION}))+"


@cache
def _correcting() -> tuple["regex.Pattern[str]", ...]:
    end = r"[\s.!]*$"
    return tuple(regex.compile(rf"{_opening()}(?:{fold(source)}){end}", regex.DOTALL) for source in phrases.CORRECTIONS)


@cache
def _situations() -> tuple["regex.Pattern[str]", ...]:
    led = rf"(?:^|[\s,]){_any(phrases.SITUATIONS)}(?:{_END_OF_WORD}|(?<='))\s*(?<named>[^,;]+)"
    return tuple(regex.compile(source, regex.DOTALL) for source in (led, r"^(?<named>[^,;]+),"))


@cache
def _forgetting() -> tuple["regex.Pattern[str]", ...]:
    plain = rf"{_opening()}(?<before>){_any(phrases.FORGET)}{_END_OF_WORD}[\s,:–-]*(?<after>.+)"
    return tuple(
        regex.compile(source, regex.DOTALL)
        for source in (plain, *(rf"{fold(seamless)}[\s.!。]*$" for seamless in phrases.FORGET_SEAMLESS))
    )
