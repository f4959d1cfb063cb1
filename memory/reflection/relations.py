"""What somebody is to somebody, put in by the model: "my sister Ana" makes Tom no friend of hers."""

from typing import Final

from memory.folding import fold, words
from memory.lexicon import folded
from memory.reflection.evidence import Voice
from memory.statements import Inflections, Statement

_GROUPS: Final = (
    (
        (
            "friend friends freund freunde freundin freundinnen ami amie amis amies copain copine amigo amiga amigos amico amica "
            "amici vriend vriendin vrienden друг друзья подруга kolega przyjaciel"
        ),
        (
            "buddy buddies pal pals mate mates bestie besties friendly friendship befriended dating kumpel befreundet pote potes "
            "maat maatje boyfriend girlfriend schoolmate classmate flatmate roommate playmate companion приятель дружит дружим "
            "дружу"
        ),
    ),
    (
        "boss chef chefin jefe jefa capo baas начальник szef",
        (
            "manager supervisor director superior employer works work working leads lead head runs vorgesetzte leitet arbeite "
            "arbeitet travaille trabaja lavora werkt работает patron patronne dirige"
        ),
    ),
    (
        "colleague colleagues kollege kollegin kollegen collegue collegues colega colegas collega colleghi коллега коллеги",
        (
            "coworker coworkers workmate workmates teammate team office work works working job together arbeit arbeite arbeiten "
            "arbeitet buro travail travaille trabajo trabaja lavoro lavora werk werkt boss работе работаем работает"
        ),
    ),
    (
        (
            "neighbour neighbours neighbor neighbors nachbar nachbarin nachbarn voisin voisine voisins vecino vecina vicino vicina "
            "buurman buurvrouw сосед соседка sasiad sasiadka"
        ),
        (
            "door upstairs downstairs opposite flat floor house street building lives live wohnt nebenan gegenuber oben unten "
            "habite etage piso vive abita woont живет этаже напротив neighbourhood"
        ),
    ),
)
"""Words for a relation, and words for the same or from which it may be told, by relation."""
_RELATIONS: Final = tuple((folded(named), folded(named) | folded(hints)) for named, hints in _GROUPS)


def is_made_up(made: Statement, voice: Voice, known: str = "") -> bool:
    """Say whether a statement calls somebody a friend, boss, colleague or neighbour where no word of it was said.

    Relatives are left out: a brother's sister, a wife's husband follow from each other.
    """
    told = {word.folded for word in words(fold("\n".join((voice.text, voice.question, known))))}
    mine = {word.folded for word in made.words}
    return any(mine & named and not _is_said(told, hints, voice) for named, hints in _RELATIONS)


def _is_said(told: set[str], hints: frozenset[str], voice: Voice) -> bool:
    return not told.isdisjoint(hints) or any(map(Inflections(told, voice.language).has, hints))
