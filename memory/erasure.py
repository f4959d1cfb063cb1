"""Which words a wish to forget means, and how they go from a text: sentence by sentence, so that the rest may stay.

A sentence goes when it holds what the person named, a name or number of the statement that nothing else remembers, or
most of what the statement says. What remains stays as it was said.
"""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import regex

from memory import calendar_names
from memory.analysis import content_terms, words
from memory.statements import take_apart
from memory.transcript import FORGOTTEN

SHARE = 0.6
"""From this share of a statement's content words on a sentence says the same: "noted, no peanuts" for an allergy."""

LONGEST_RUN = 12
"""Sentences that a statement of 600 characters may have, or what looks like some."""

_SENTENCE = regex.compile(r".+?(?:[.!?…。！？؟।]+(?=\s|$)\s*|[。！？]\s*|\n+|$)", regex.DOTALL)
_SEAMLESS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_KATAKANA = regex.compile(r"[\p{Katakana}ー]{3,}")
_CASELESS = regex.compile(r"\p{Lo}")
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*")
_TELLING_NUMBER = regex.compile(r"(?!(?:19|20)\d\d$)\d{4,}|(?=.*\d)(?=.*\p{L})[\p{L}\d]{4,}")
_ENDING = 3
"""Letters by which two forms of one word may differ in length: Leontine, Leontines, Леонтину."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What shall be gone. Build it with `of_statement` or `of_words`."""

    phrases: frozenset[str] = frozenset()  # spelled as `_padded` gives them
    together: frozenset[frozenset[str]] = frozenset()  # terms that mean it when one sentence holds them all
    telling: frozenset[str] = frozenset()  # words that mean it wherever they stand
    statements: frozenset[frozenset[str]] = frozenset()  # terms of which most in one sentence say the same
    named: frozenset[str] = frozenset()  # the words a person named, folded, without function words
    probes: frozenset[str] = field(default=frozenset(), compare=False)  # cheap necessary signs

    def __or__(self, other: "Wording") -> "Wording":
        """Give what either means."""
        return Wording(
            self.phrases | other.phrases,
            self.together | other.together,
            self.telling | other.telling,
            self.statements | other.statements,
            self.named | other.named,
            self.probes | other.probes,
        )

    def matches(self, text: str) -> bool:
        """Say whether something in ``text`` has to go."""
        return self._possible(text) and (self._spelled(text) or any(map(self._says, sentences(text))))

    def strike(self, text: str) -> str:
        """Give ``text`` without the sentences that have to go; wholly ``[forgotten]`` when none is left."""
        if not self._possible(text):
            return text
        parts = sentences(text)
        gone = [self._goes(sentence) for sentence in parts]
        whole = _padded(text)
        for phrase in (phrase for phrase in self.phrases if phrase in whole):
            _mark_runs(phrase, parts, gone)
        if not any(gone):
            return text
        return joined([FORGOTTEN if goes else part for part, goes in zip(parts, gone, strict=True)])

    def named_in(self, text: str) -> bool:
        """Say whether ``text`` holds every word a person named, in any form and order."""
        said, terms = words(text), frozenset(content_terms(text))
        every = all(any(_same_word(word, other) for other in said) for word in self.named)
        return self._spelled(text) or any(n <= terms for n in self.together) or (bool(self.named) and every)

    def touches(self, text: str) -> bool:
        """Say whether some word a person named stands in ``text``."""
        said, terms = words(text), frozenset(content_terms(text))
        shared = any(_same_word(word, other) for word in self.named for other in said)
        return shared or any(needed & terms for needed in self.together)

    def _goes(self, sentence: str) -> bool:
        return self._spelled(sentence) or self._says(sentence)

    def _possible(self, text: str) -> bool:
        plain = _plain(text)
        return any(probe in plain for probe in self.probes)

    def _spelled(self, text: str) -> bool:
        flat = _padded(text)
        return any(phrase in flat for phrase in self.phrases)

    def _says(self, sentence: str) -> bool:
        terms, said = frozenset(content_terms(sentence)), words(sentence)
        if any(needed <= terms for needed in self.together):
            return True
        if any(_same_word(word, telling) for word in said for telling in self.telling):
            return True
        return any(_mostly(statement, terms) for statement in self.statements)


def of_words(about: str, keep: Collection[str] = ()) -> Wording:
    """Give what a person means by naming words: the phrase, all its words together, each name or number in it.

    A name beside other words ("Anna's birthday") means nothing by itself when it is among the words of ``keep``.
    """
    terms = frozenset(content_terms(about))
    if not terms:
        return Wording()
    telling, rest = telling_words(about), [word for word in words(about) if content_terms(word)]
    if not all(word in telling for word in rest):
        telling = _without(telling, keep)
    return _with_probes(Wording(_phrases(about), frozenset({terms}), telling, named=frozenset(rest)), about)


def of_statement(text: str, keep: Collection[str] = ()) -> Wording:
    """Give what a statement's words mean; the words of ``keep`` are remembered elsewhere and mean nothing by themselves."""
    terms = frozenset(content_terms(text))
    statements = frozenset({terms}) if terms else frozenset()
    return _with_probes(Wording(_phrases(text), frozenset(), _without(names_in(text), keep), statements), text)


def telling_words(about: str) -> frozenset[str]:
    """Give the names and numbers among words that a person named, folded.

    Where nothing but names was said, all are; in a sentence it is as with a statement. A script without capitals shows
    no names: all its words may be some.
    """
    said = [word for word in _WORD.findall(about) if content_terms(word)]
    names = [word for word in said if _is_named(word) and not _is_date(word)]
    return _folded(names) if len(names) == len(said) else names_in(about)


def names_in(text: str) -> frozenset[str]:
    """Give the names and numbers of a statement, folded: not the days, and of first words only what acts as a name."""
    taken = take_apart(text)
    names = {word.raw for word in taken.names}
    inside = {word.raw for word in taken.words[1:]} if taken.language != "de" else set()
    others = {word for word in _WORD.findall(text) if not word[0].isupper()} | inside
    return _folded(word for word in names | {word for word in others if _is_named(word)} if not _is_date(word))


def sentences(text: str) -> list[str]:
    """Cut a text into sentences; joined again they give the text."""
    return list(_SENTENCE.findall(text))


def joined(parts: Iterable[str]) -> str:
    """Join sentences again; neighbouring marks become one, and a text of nothing else becomes the bare mark."""
    kept: list[str] = []
    for part in parts:
        if part == FORGOTTEN and kept and kept[-1] == f"{FORGOTTEN} ":
            continue
        kept.append(f"{FORGOTTEN} " if part == FORGOTTEN else part)
    rest = "".join(part for part in kept if part != f"{FORGOTTEN} ")
    return "".join(kept).rstrip() if rest.strip() else FORGOTTEN


def _folded(names: Iterable[str]) -> frozenset[str]:
    parts = (part for name in names for part in words(name))
    return frozenset(part for part in parts if len(part) > (3 if part.isdigit() else 1))


def _mark_runs(phrase: str, parts: Sequence[str], gone: list[bool]) -> None:
    """Mark the shortest runs of sentences that spell a phrase only together ("Dr. Alvarez, Main St. 5")."""
    for end in range(len(parts)):
        for start in range(end, max(end - LONGEST_RUN, -1), -1):
            run = parts[start : end + 1]
            if phrase in _padded("".join(run)):
                if phrase not in _padded("".join(run[:-1])):
                    gone[start : end + 1] = [True] * len(run)
                break


def _is_named(word: str) -> bool:
    if any(character.isdigit() for character in word):
        return _TELLING_NUMBER.fullmatch(word) is not None
    if _SEAMLESS.match(word) or len(word) < 2 or not content_terms(word):
        return False
    return word[0].isupper() or bool(_CASELESS.match(word))


def _is_date(word: str) -> bool:
    try:
        return calendar_names.weekdays().fullmatch(word) is not None or calendar_names.month_of(word) > 0
    except KeyError:
        return False


def _without(telling: frozenset[str], keep: Collection[str]) -> frozenset[str]:
    starts = {word[:3] for word in telling}
    near = (other for other in keep if any(start in _plain(other) for start in starts))
    kept = {word for other in near for word in words(other)}
    return frozenset(word for word in telling if not any(_same_word(word, other) for other in kept))


def _same_word(one: str, other: str) -> bool:
    """Say whether two folded words are one or forms of one: the beginning agrees, only a short ending differs."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(longer) - len(shorter) > _ENDING or any(character.isdigit() for character in longer):
        return False
    if _CASELESS.match(shorter):
        return len(shorter) > 1 and longer.startswith(shorter)
    shared = max(4, len(shorter) - 2)
    return (len(shorter) > 3 and longer.startswith(shorter)) or (
        len(shorter) > 5 and longer[:shared] == shorter[:shared]
    )


def _mostly(statement: frozenset[str], terms: frozenset[str]) -> bool:
    shared = len(statement & terms)
    return shared >= SHARE * len(statement) and shared >= min(2, len(statement))


def _phrases(text: str) -> frozenset[str]:
    """Give the spellings that mean it as they stand: the whole, and names in katakana, which blanks do not set apart."""
    flat = " ".join(words(text))
    whole = {flat if _SEAMLESS.search(flat) else f" {flat} "} if flat else set()
    return frozenset(whole | {fold for name in _KATAKANA.findall(text) for fold in words(name)})


def _padded(text: str) -> str:
    return f" {' '.join(words(text))} "


def _with_probes(wording: Wording, text: str) -> Wording:
    """Add what a text must hold, at the least, to be looked at closely: beginnings of its words."""
    spelled = {word for word in _plain(text).split() if word}
    starts = {_trimmed(word)[:3] for word in (*words(text), *content_terms(text), *spelled)}
    probes = frozenset(_plain(start) for start in starts if start)
    return replace(wording, probes=probes)


def _trimmed(word: str) -> str:
    return word.strip(".,;:!?()[]{}\"'«»„“”‚‘’…-–—")


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(character for character in decomposed if not unicodedata.combining(character))
