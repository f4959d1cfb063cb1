"""Whether two statements may give another value of one matter: "the tent is in the cellar", "the tent is in the car boot".

It proposes and never decides: "likes jazz" and "likes olives" are alike in the same way, and both are true.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from memory import policy
from memory.statements import Statement, stem, take_apart


@dataclass(frozen=True, slots=True)
class _Side:
    """A statement as it is compared, made once: a question compares hundreds of pairs."""

    units: tuple[str, ...]
    content: frozenset[str]  # names aside: much is told of one person
    stems: frozenset[str]  # of the content
    owners: int  # "Jonas's sister's birthday" is another matter than Jonas's
    negated: bool


def is_variant(one: str, other: str) -> bool:
    """Say whether two statements are alike but for one run of words, or hold half of each other's content, names aside.

    Nothing that one denies and the other does not, and nothing of somebody's somebody, is a value of the same matter.
    """
    left, right = _side(one), _side(other)
    if left.negated != right.negated or left.owners != right.owners or not left.stems or not right.stems:
        return False
    shared, longer = left.stems & right.stems, max(len(left.stems), len(right.stems))
    return len(shared) >= policy.SAME_MATTER * longer or _differ_in_a_value(left, right)


def differ_in_a_value(one: str, other: str) -> bool:
    """Say whether a few words stand in the place of a few others, behind what says what it is about."""
    left, right = _side(one), _side(other)
    return left.negated == right.negated and _differ_in_a_value(left, right)


def _differ_in_a_value(left: _Side, right: _Side) -> bool:
    one, other = left.units, right.units
    begin = _shared(one, other)
    end = _shared(one[begin:][::-1], other[begin:][::-1])
    values = (len(one) - begin - end, len(other) - begin - end)
    few = min(values) > 0 and max(values) <= policy.VALUE_WORDS
    return few and begin + end >= policy.FRAME_WORDS and _says_something(one[:begin], left.content)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the words at the beginning that are the same."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _says_something(before: Sequence[str], content: frozenset[str]) -> bool:
    pairs = map("".join, pairwise(before))  # as content is counted where there are no blanks
    return not {*before, *pairs}.isdisjoint(content)


@lru_cache(maxsize=4_096)
def _side(text: str) -> _Side:
    statement = take_apart(text)
    names = {word.folded for word in statement.names}
    content = frozenset(word for word in statement.content if word not in names)
    stems = frozenset(stem(word, statement.language) for word in content)
    owners = sum(word.raw == "s" for word in statement.words)
    return _Side(_units(statement), content, stems, owners, statement.negated)


def _units(statement: Statement) -> tuple[str, ...]:
    """Give the folded words, of a script without blanks its characters."""
    return tuple(unit for word in statement.words for unit in (word.folded if word.is_run else (word.folded,)))
