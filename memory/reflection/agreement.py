"""Whether somebody agrees with a memory, or says another thing of the same matter: likeness alone reinforces the wrong fact."""

from typing import Final

from memory.domain import Memory
from memory.folding import words
from memory.hygiene.loss import days_in, telling_words
from memory.reflection.evidence import Voice
from memory.statements import Inflections, take_apart

_ENOUGH: Final = 2 / 3
"""The share of the telling words, the commonest verbs aside, that must be said again: of two, both."""


def agrees(held: Memory, voice: Voice) -> bool:
    """Say whether ``voice`` repeats what tells ``held`` from its like: its names, its days, most of its telling words.

    "I moved to Berlin" shares all but the town with "Lives in Milan", and reinforces nothing.
    """
    said = Inflections({word for clause in voice.clauses if clause.asserted for word in clause.words}, voice.language)
    people = {word.folded for name in (held.subject, held.speaker, voice.speaker) for word in words(name or "")}
    telling = [word for word in telling_words(held.text) if word not in people and not word.isdigit()]
    names = {name.folded for name in take_apart(held.text).names} - people
    if not all(said.has(name) for name in names) or _names_another_day(held, voice):
        return False
    return sum(said.has(word) for word in telling) >= _ENOUGH * len(telling)


def _names_another_day(held: Memory, voice: Voice) -> bool:
    """Say whether other weekdays, or other months, are named than those of the memory."""
    mine, its = days_in(held.text), days_in(voice.text)
    kinds = {day.split()[0] for day in mine} & {day.split()[0] for day in its}
    return any(not {d for d in mine if d.startswith(kind)} & {d for d in its if d.startswith(kind)} for kind in kinds)
