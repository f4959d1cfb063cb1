"""Who is older than whom, and from where to where: a statement must not turn round what was said."""

from collections.abc import Iterable, Sequence
from typing import Final

from memory.folding import Word, words
from memory.lexicon import DIRECTIONAL, folded, function_words
from memory.reflection.clauses import Clause
from memory.roles import turned
from memory.statements import POLITE, Inflections, Statement, stem, take_apart

_Ends = dict[str, tuple[frozenset[str], str]]
"""For each word of direction the stems before it and the one after it."""


_SYMMETRIC: Final = folded(
    "and or with to married marries met meets resembles like same cousin cousins sibling siblings twin twins friend friends neighbour neighbor "
    "neighbours neighbors colleague colleagues roommate flatmate classmate partner spouse relative related dates dating und oder mit "
    "verheiratet traf trifft freund freundin kollege kollegin nachbar nachbarin et ou avec marie y o con casado casada e com en met i z и с"
)
"""Words by which two people are the same to each other, or named side by side."""
_LEFT_OUT: Final = folded("a an the his her their its my our der die das ein eine einen le la un une el il de het een")


def is_turned(text: str, language: str | None, asserted: Sequence[Clause]) -> bool:
    """Say whether ``text`` swaps two things around a word such as "than", "to" or "over" that a clause has the other way.

    Nor may two names have changed places where every other word stands as it was said: "Ben lent Anna a drill".
    """
    tokens = words(text)
    made = _ends(tokens, language)
    said = [words(clause.text) for clause in asserted]
    return any((bool(made) and _swapped(made, _ends(its, language))) or _exchanged(tokens, its) for its in said)


def _exchanged(made: Sequence[Word], said: Sequence[Word]) -> bool:
    """Say whether two statements differ in nothing but two names that stand in each other's place."""
    mine, its = ([w for w in tokens if w.folded not in _LEFT_OUT] for tokens in (made, said))
    apart = [at for at, (a, b) in enumerate(zip(mine, its, strict=False)) if a.folded != b.folded]
    if (
        len(mine) != len(its)
        or len(apart) != 2
        or apart[1] == apart[0] + 1
        or not _SYMMETRIC.isdisjoint(w.folded for w in mine)
    ):
        return False
    names = [mine[at] for at in apart]
    are_names = all(name.raw[:1].isupper() and name.folded not in POLITE for name in names)
    return are_names and [name.folded for name in names] == [its[at].folded for at in reversed(apart)]


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
            before = frozenset(stem(t.folded, language) for t in tokens[:at] if _means_something(t))
            ends.setdefault(token.folded, (before, after))
    return ends


def _next(tokens: Sequence[Word], language: str | None) -> str:
    """Give the stem of the next word that means something."""
    return next((stem(t.folded, language) for t in tokens if _means_something(t)), "")


def _means_something(token: Word) -> bool:
    """Say whether a word is no small one; "Ben" is a name, though "ben" is "I" in one language and "am" in another."""
    return token.folded not in function_words() or (token.raw[:1].isupper() and token.folded not in POLITE)


def _swapped(made: _Ends, said: _Ends) -> bool:
    return any(
        made[word][1] != said[word][1] and made[word][1] in said[word][0] and said[word][1] in made[word][0]
        for word in made.keys() & said.keys()
    )
