"""Whether somebody agrees with a memory, or says another thing of the same matter: likeness alone reinforces the wrong fact."""

from collections.abc import Sequence
from typing import Final

import regex

from memory.domain import Memory
from memory.folding import fold, words
from memory.hygiene.loss import days_in, facts, telling_words
from memory.reflection.clauses import Clause
from memory.reflection.direction import changes_roles, is_turned
from memory.reflection.evidence import Voice
from memory.reflection.subjects import Stated, is_of_another
from memory.statements import Inflections, take_apart

_ENOUGH: Final = 2 / 3
"""The share of the telling words, the commonest verbs aside, that must be said again: of two, both."""


def agrees(held: Memory, voice: Voice) -> bool:
    """Say whether ``voice`` repeats what tells ``held`` from its like: its names, its days, most of its telling words.

    "I moved to Berlin" shares all but the town with "Lives in Milan", and reinforces nothing; nor does what is said of another
    person, or the other way round.
    """
    asserted = tuple(clause for clause in voice.clauses if clause.asserted)
    if _names_another_value(held, voice) or _is_of_another(held, voice, asserted):
        return False
    if is_turned(held.text, voice.language, asserted) or changes_roles(held.text, asserted, voice.names):
        return False
    return _says_enough(held, voice, asserted)


def _says_enough(held: Memory, voice: Voice, asserted: Sequence[Clause]) -> bool:
    people = {word.folded for name in (held.subject, held.speaker, voice.speaker) for word in words(name or "")}
    telling = [word for word in telling_words(held.text) if word not in people and not word.isdigit()]
    names = {name.folded for name in take_apart(held.text).names} - people
    said = _Said(asserted, voice.language)
    least = 1 if any(map(_UNPARTED.search, telling)) else _ENOUGH  # their names are not told by a capital
    return all(map(said.has, names)) and sum(map(said.has, telling)) >= least * len(telling)


def _is_of_another(held: Memory, voice: Voice, asserted: Sequence[Clause]) -> bool:
    named = frozenset(word.folded for text in (held.text, held.subject) for word in words(text or ""))
    own = voice.names | ({voice.speaker.casefold()} if voice.is_own else frozenset())
    content = take_apart(held.text).content
    return is_of_another(Stated(f"{held.text}\n{held.subject or ''}", named, content, frozenset(), own), asserted)


class _Said:
    """What a voice asserts, by words; where nobody writes blanks between them, by the letters."""

    def __init__(self, asserted: Sequence[Clause], language: str | None) -> None:
        self._words = Inflections({word for clause in asserted for word in clause.words}, language)
        self._text = fold("\n".join(clause.text for clause in asserted))

    def has(self, word: str) -> bool:
        """Say whether a folded word was said in some form."""
        return self._words.has(word) or (_UNPARTED.search(word) is not None and word in self._text)


_UNPARTED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


def _names_another_value(held: Memory, voice: Voice) -> bool:
    """Say whether other weekdays, months, or numbers of a counted thing (5月3日) are named than the memory's, or another address."""
    if not all(address in voice.text.casefold() for address in facts(held.text).addresses):
        return True
    mine, its = _values(held.text), _values(voice.text)
    return any(mine[kind].isdisjoint(its[kind]) for kind in mine.keys() & its.keys())


def _values(text: str) -> dict[str, set[str]]:
    """Give the days and counted things a text names, by their kind."""
    values: dict[str, set[str]] = {}
    named = [tuple(day.split()) for day in days_in(text)]
    for kind, value in [*named, *((unit, number) for number, unit in _COUNTED.findall(fold(text)))]:
        values.setdefault(kind, set()).add(value)
    return values


_COUNTED: Final = regex.compile(r"(\d+) ?([\p{Han}\p{Hangul}])")
