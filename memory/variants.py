"""Whether two statements may give another value of one matter: "the tent is in the cellar", "the tent is in the car boot".

It proposes and never decides: "likes jazz" and "likes olives" are alike in the same way, and both are true.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from memory import policy
from memory.statements import Inflections, Statement, take_apart


@lru_cache(maxsize=4_096)
def is_variant(one: str, other: str) -> bool:
    """Say whether two statements are alike but for one run of words, or hold half of each other's content, names aside."""
    left, right = take_apart(one), take_apart(other)
    bare, its = _bare(left), _bare(right)
    if not bare or not its:
        return False
    return _differ_in_one_run(left, right, bare) or _overlap(bare, its, left, right) >= policy.SAME_MATTER


def _differ_in_one_run(left: Statement, right: Statement, bare: Sequence[str]) -> bool:
    """Say whether a few words stand in the place of a few others, and what is around them says something."""
    one, other = _units(left), _units(right)
    begin = _shared(one, other)
    end = _shared(one[begin:][::-1], other[begin:][::-1])
    values = (len(one) - begin - end, len(other) - begin - end)
    few = min(values) > 0 and max(values) <= policy.VALUE_WORDS
    return few and begin + end >= policy.FRAME_WORDS and _say_something(one[:begin], one[len(one) - end :], bare)


def _units(statement: Statement) -> list[str]:
    """Give the folded words, of a script without blanks its characters."""
    return [unit for word in statement.words for unit in (word.folded if word.is_run else (word.folded,))]


def _say_something(before: Sequence[str], behind: Sequence[str], bare: Sequence[str]) -> bool:
    pairs = map("".join, (*pairwise(before), *pairwise(behind)))  # as content is counted where there are no blanks
    return not {*before, *behind, *pairs}.isdisjoint(bare)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Count the words at the beginning that are the same."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _overlap(bare: Sequence[str], its: Sequence[str], left: Statement, right: Statement) -> float:
    """Give the share (0-1) of the longer one's content that the shorter one holds in some form."""
    if len(bare) > len(its):
        return _overlap(its, bare, right, left)
    pool = Inflections(its, right.language)
    return sum(pool.has(word, left.language) for word in bare) / len(its)


def _bare(statement: Statement) -> list[str]:
    """Give the distinct content without names: much is told of one person."""
    names = {word.folded for word in statement.names}
    return [word for word in dict.fromkeys(statement.content) if word not in names]
