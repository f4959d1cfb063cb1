"""What others say or think of the speaker: "My boss says I am lazy" is the boss's word."""

from collections.abc import Sequence
from typing import Final

from memory.cues import FOLK, KIN
from memory.folding import Word, words
from memory.lexicon import folded
from memory.reflection.clauses import Clause
from memory.statements import Inflections, Statement

_SAYS: Final = folded(
    "says said tells told claims claimed complains sagt sagte behauptet dit raconte dice dijo ha diz disse zegt zei mowi говорит сказал сказала"
)
_THINKS: Final = folded(
    "thinks thought believes believed finds reckons feels meint findet denkt glaubt pense croit trouve piensa cree pensa crede acha "
    "vindt denkt uwaza mysli думает считает"
)
_ME: Final = folded("i im me ich mich je me j yo soy estoy tengo sono ho io eu sou ik ben mij ja jestem я меня")
_THEY: Final = folded(
    "he she they everyone everybody people some er sie alle man il elle on ils el ella todos lui lei tutti ele ela hij zij ze "
    "iedereen on ona wszyscy он она они все"
)
_SUBJECT_MAX: Final = 4
"""Among how many words from the beginning of a clause the one who says it and the verb stand."""
_ME_MAX: Final = 3


def is_of_opinion(made: Statement, asserted: Sequence[Clause]) -> bool:
    """Say whether all that speaks for a statement is somebody's opinion of the speaker, and the statement leaves out whose.

    What others say is left out only of a bare judgement of one word ("is lazy"): that the doctor said so makes no illness an opinion.
    """
    if any(word.folded in _SAYS | _THINKS for word in made.words):
        return False
    content = frozenset(made.content)
    verbs = _SAYS | _THINKS if len(content) == 1 and not made.names and not made.numbers else _THINKS
    named = {word.folded for word in made.words}
    touching = [
        _introduced(before, clause, verbs)
        for before, clause in zip((None, *asserted), asserted, strict=False)
        if any(map(Inflections(clause.words, made.language).has, content))
    ]
    return bool(touching) and all(_reports(tokens, verbs, named) for tokens in touching)


def _introduced(before: Clause | None, clause: Clause, verbs: frozenset[str]) -> tuple[Word, ...]:
    """Give the words of a clause, with those of the one before where a comma parts "Mein Chef sagt" from what he says."""
    opening = words(before.text) if before else ()
    return (*opening, *words(clause.text)) if opening and opening[-1].folded in verbs else words(clause.text)


def _reports(tokens: tuple[Word, ...], verbs: frozenset[str], named: set[str]) -> bool:
    """Say whether a clause begins with somebody who is not ``named``, goes on with one of the verbs, and then comes to the speaker."""
    at = next((at for at, word in enumerate(tokens[: _SUBJECT_MAX + 1]) if word.folded in verbs), 0)
    subject = {word.folded for word in tokens[:at]}
    someone = subject & (KIN | FOLK | _THEY)
    return bool(someone) and not someone & named and any(w.folded in _ME for w in tokens[at + 1 : at + 1 + _ME_MAX])
