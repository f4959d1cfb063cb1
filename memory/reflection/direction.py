"""Who is older than whom, and from where to where: a statement must not turn round what was said."""

from collections.abc import Iterable, Sequence

from memory.folding import Word, words
from memory.lexicon import DIRECTIONAL, function_words
from memory.reflection.clauses import Clause
from memory.roles import turned
from memory.statements import Inflections, Statement, stem, take_apart

_Ends = dict[str, tuple[frozenset[str], str]]
"""For each word of direction the stems before it and the one after it."""


def is_turned(text: str, language: str | None, asserted: Iterable[Clause]) -> bool:
    """Say whether ``text`` swaps two things around a word such as "than", "to" or "over" that a clause has the other way."""
    made = _ends(words(text), language)
    return bool(made) and any(_swapped(made, _ends(words(clause.text), language)) for clause in asserted)


def changes_roles(text: str, asserted: Iterable[Clause], speaker: frozenset[str]) -> bool:
    """Say whether every clause that holds most of ``text`` has somebody else do it: "Owes Bob 20" is not "Bob owes me 20"."""
    made = take_apart(text)
    near = [said for clause in asserted if _holds_most(said := take_apart(clause.text), made)]
    return bool(near) and all(turned(made, said, speaker) for said in near)


def _holds_most(said: Statement, made: Statement) -> bool:
    pool = Inflections((word.folded for word in said.words), said.language)
    return 2 * sum(pool.has(word, made.language) for word in made.content) > len(made.content)


def _ends(tokens: Sequence[Word], language: str | None) -> _Ends:
    ends: _Ends = {}
    for at, token in enumerate(tokens):
        after = _next(tokens[at + 1 : at + 4], language)
        if token.folded in DIRECTIONAL and after:
            before = frozenset(stem(t.folded, language) for t in tokens[:at] if t.folded not in function_words())
            ends.setdefault(token.folded, (before, after))
    return ends


def _next(tokens: Sequence[Word], language: str | None) -> str:
    """Give the stem of the next word that means something."""
    return next((stem(t.folded, language) for t in tokens if t.folded not in function_words()), "")


def _swapped(made: _Ends, said: _Ends) -> bool:
    return any(
        made[word][1] != said[word][1] and made[word][1] in said[word][0] and said[word][1] in made[word][0]
        for word in made.keys() & said.keys()
    )
