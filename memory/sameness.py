"""Whether two texts state the same: the same content, and no other number, name, negation or role."""

from memory.lexicon import DIRECTIONAL
from memory.roles import turned
from memory.statements import Inflections, Statement, missing_names, normalise, stem, take_apart


def same_statement(one: str, other: str) -> bool:
    """Say whether two texts state the same: literally, or in the same content with no other number, name, date or negation."""
    return normalise(one) == normalise(other) or (_holds(one, other) and _holds(other, one))


def holds(known: str, said: str) -> bool:
    """Say whether ``known`` states already what ``said`` states: the same, or the same and a little more."""
    return normalise(known) == normalise(said) or _holds(known, said)


def _holds(known: str, said: str) -> bool:
    left, right = take_apart(known), take_apart(said)
    if left.negated != right.negated or not right.content or not _same_numbers(left, right):
        return False
    if missing_names(left.names, right) != missing_names(right.names, left):
        return False
    own, its = list(dict.fromkeys(left.content)), list(dict.fromkeys(right.content))
    pool = Inflections(own, left.language)
    if not all(pool.has(word, right.language) for word in its):
        return False
    return 3 * len(its) >= 2 * len(own) and _same_order(left, right)


def _same_numbers(left: Statement, right: Statement) -> bool:
    return len(left.numbers) == len(right.numbers) and all(any(a & b for b in right.numbers) for a in left.numbers)


def _same_order(left: Statement, right: Statement) -> bool:
    """Say whether what both name comes in the same order, where the order matters ("from Ghent to Milan")."""
    if turned(left, right):
        return False
    if not any(w.folded in DIRECTIONAL for s in (left, right) for w in s.words):
        return True
    shared = left.stems & right.stems
    first = [s for s in dict.fromkeys(stem(w, left.language) for w in left.content) if s in shared]
    return first == [s for s in dict.fromkeys(stem(w, right.language) for w in right.content) if s in shared]
