"""What a merge would lose, bend or invent: the check that no model's word overrules.

Every number, name, date, address and negation of the inputs must be in the result, bound to what it was said of, and the
result may bring none that no input has. Inputs that each know something the other does not are not the same statement.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import regex

from memory import calendar_names, policy
from memory.folding import Word, words
from memory.hygiene.opposites import hedges, opposed
from memory.lexicon import CESSATION, CESSATION_PHRASES, DIRECTIONAL, FINITE_VERBS, negation_words
from memory.numerals import claims
from memory.reflection.clauses import clauses
from memory.roles import turned
from memory.statements import Inflections, Statement, content_words, stem, take_apart

_ADDRESS = regex.compile(
    r"\p{L}[\w+.-]*://\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.-]+|@\w{3,}|\b[\w-]+\.(?:com|org|net|io|de|at|ch|fr|es|it|eu|uk)\b\S*"
)
_SIGNS = regex.compile(r"[\p{S}%‰#]+|(?<![\p{L}\p{N}.,:/)])[-–](?=\p{Nd})")
"""Runs of symbols that are no punctuation, and the minus before a number: $5, C++, 3 > 2, -5, five stars."""
_TURNING = regex.compile(r"[\p{Sm}\p{Sc}%‰#-]")
"""Signs that say something else where they are missing; an emoji may."""
_LATIN = regex.compile(r"\p{Latin}")
_SHORTEST_MONTH = 4
_HEAD_WORDS = 2
_TRAILING = ".,;:!?)]}»”\"'"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a statement must not lose."""

    statement: Statement
    names: frozenset[str]
    days: frozenset[str]  # weekdays and months, as numbers
    addresses: frozenset[str]
    signs: frozenset[str]
    affirmed: frozenset[str]  # stems of what is said
    denied: frozenset[str]  # stems of what is said not to be
    order: tuple[tuple[frozenset[str], frozenset[str]], ...]  # each number with the stems beside it


def lost(inputs: Sequence[str], result: str) -> tuple[str, ...]:
    """Give what speaks against ``result`` in the place of all ``inputs``: reasons in plain words, none where nothing does.

    Eight long statements take a tenth of a second; asked again, as the writer does, what was found is remembered.
    """
    return _lost(tuple(inputs), result)


@lru_cache(maxsize=256)
def _lost(inputs: tuple[str, ...], result: str) -> tuple[str, ...]:
    made = facts(result)
    known = [facts(text) for text in inputs]
    found = [reason for one in known for reason in _missing(one, made)]
    found += [reason for one, other in combinations(known, 2) for reason in differing(one, other)]
    if any(_adds_up(one, other, made) and _adds_up(other, one, made) for one, other in combinations(known, 2)):
        found.append("it adds two statements up")
    if any(_left_out(one, made) for one in known):
        found.append("words that matter are lost")
    if any(_differ_in_a_detail(one, other) for one, other in combinations(known, 2)):
        found.append("each says another detail")
    if known and not any(_keeps_order(one, made) for one in known):
        found.append("the words stand in an order that nobody said")
    found += _invented(known, made)
    return tuple(dict.fromkeys(found))


def is_kept(old: str, new: str) -> bool:
    """Say whether ``new`` says all that ``old`` says."""
    return not _missing(facts(old), facts(new))


@lru_cache(maxsize=2_048)
def facts(text: str) -> Facts:
    """Take a statement apart."""
    statement = take_apart(text)
    signs = [(clause.negated, frozenset(_content(clause.text, statement.language))) for clause in clauses(text)]
    return Facts(
        statement,
        frozenset(word.folded for word in statement.names) - _denials(),  # "Never eats …" begins like a name
        frozenset(_days(text)),
        frozenset(found.rstrip(_TRAILING).casefold() for found in _ADDRESS.findall(text)),
        frozenset(_SIGNS.findall(text.replace("−", "-"))),
        frozenset(s for negated, stems in signs if not negated for s in stems),
        frozenset(s for negated, stems in signs if negated for s in stems),
        tuple(_bound_numbers(text, statement.language)),
    )


def days_in(text: str) -> frozenset[str]:
    """Give the weekdays and months a text names, as ``day 0`` (Monday) and ``month 1``."""
    return facts(text).days


def telling_words(text: str) -> tuple[str, ...]:
    """Give the folded words that matter: content but the commonest verbs, unless there is nothing else."""
    return tuple(_telling(facts(text)))


def differing(one: Facts, other: Facts) -> list[str]:
    """Give how two statements differ so that they are not the same: each holds something the other lacks, or denies it."""
    found = []
    if _lacking_numbers(one, other) and _lacking_numbers(other, one):
        found.append("other numbers")
    if _lacking_names(one, other) and _lacking_names(other, one):
        found.append("other names")
    if one.days - other.days and other.days - one.days:
        found.append("other days")
    if one.addresses - other.addresses and other.addresses - one.addresses:
        found.append("other addresses")
    if (one.signs and other.signs and one.signs != other.signs) or _TURNING.search("".join(one.signs ^ other.signs)):
        found.append("other signs")
    if opposed(_said(one), _said(other)) or hedges(_said(one)) != hedges(_said(other)):
        found.append("one says the opposite, or leaves it open")
    if _flipped(one, other) or _flipped(other, one):
        found.append("one denies what the other says")
    if _other_accents(one, other):
        found.append("another word but for its accent")
    if _turned(one, other):
        found.append("who and whom, or from and to, have changed places")
    return found


def same_matter(one: str, other: str) -> bool:
    """Say whether two statements are alike but for a value: one could be the later state of the other.

    "Lives in Milan" and "Lives in Berlin" are; another person's matter, or another matter, is not.
    """
    left, right = facts(one), facts(other)
    alike = _bare(left) == _bare(right) and _heads(left) == _heads(right)
    return alike and bool(_bare(left)) and bool(differing(left, right))


def _heads(one: Facts) -> frozenset[str]:
    """Give the names a statement begins with, or that own something in it: whom it is about."""
    tokens = one.statement.words
    owners = {tokens[at].folded for at in range(len(tokens) - 1) if tokens[at + 1].raw == "s"}
    first = {word.folded for word in tokens[:_HEAD_WORDS]}
    return frozenset(name for name in one.names if name in owners | first)


def _said(one: Facts) -> frozenset[str]:
    return frozenset(word.folded for word in one.statement.words)


def _missing(one: Facts, made: Facts) -> list[str]:
    found = []
    if opposed(_said(one), _said(made)) or hedges(_said(one)) - hedges(_said(made)):
        found.append("the opposite, or what was left open")
    if _lacking_numbers(one, made) or (len(one.order) > 1 and not _in_order(one, made)):
        found.append("a number is lost")
    if _lacking_names(one, made):
        found.append("a name is lost")
    if one.days - made.days:
        found.append("a day is lost")
    if one.addresses - made.addresses:
        found.append("an address is lost")
    if one.signs - made.signs:
        found.append("a sign is lost")
    if _other_accents(one, made):
        found.append("another word but for its accent")
    if _flipped(one, made):
        found.append("a denial is lost or turned round")
    if _coverage(one, made) < policy.KEPT_CONTENT:
        found.append("words that matter are lost")
    return found


def _invented(known: Sequence[Facts], made: Facts) -> list[str]:
    found = []
    if any(
        all(not (number & own) for one in known for own in one.statement.numbers) for number in made.statement.numbers
    ):
        found.append("a number nobody said")
    said = {word.folded for one in known for word in one.statement.words}
    if any(name not in said and name.removesuffix("s") not in said for name in made.names):
        found.append("a name nobody said")
    if made.days - frozenset().union(*(one.days for one in known)):
        found.append("a day nobody said")
    if made.addresses - frozenset().union(*(one.addresses for one in known)):
        found.append("an address nobody said")
    if made.signs - frozenset().union(*(one.signs for one in known)):
        found.append("a sign nobody said")
    if made.denied and not any(one.denied for one in known):
        found.append("a denial nobody said")
    pool = Inflections([w for one in known for w in one.statement.content], made.statement.language)
    if not all(pool.has(word) for word in _telling(made)):
        found.append("words nobody said")
    return found


def _other_accents(one: Facts, other: Facts) -> bool:
    """Say whether a word stands in both with other accents: "schon" is not "schön". Names are often written without."""
    mine, its = _accented(one), _accented(other)
    return any(mine[word].isdisjoint(its[word]) for word in mine.keys() & its.keys() - one.names - other.names)


def _accented(one: Facts) -> dict[str, set[str]]:
    """Give the spellings of the Latin words; elsewhere marks are left out at will (ё, vowels of Arabic and Hebrew)."""
    found: dict[str, set[str]] = {}
    for word in one.statement.words:
        if _LATIN.match(word.raw):
            found.setdefault(word.folded, set()).add(spelled(word))
    return found


def spelled(word: Word) -> str:
    """Give a word with its accents, without case."""
    return unicodedata.normalize("NFKC", word.raw).casefold()


def _turned(one: Facts, other: Facts) -> bool:
    """Say whether roles have changed places, or content where "than", "from" or "to" orders it."""
    if turned(one.statement, other.statement):
        return True
    if not all(any(word.folded in DIRECTIONAL for word in side.statement.words) for side in (one, other)):
        return False
    shared = frozenset(one.statement.content) & frozenset(other.statement.content)
    return _order(one, shared) != _order(other, shared)


def _order(one: Facts, among: frozenset[str]) -> list[str]:
    return list(dict.fromkeys(word.folded for word in one.statement.words if word.folded in among))


def _unsaid(one: Facts, other: Facts) -> list[str]:
    """Give the telling words of ``one`` that ``other`` has in no form: left out, or said in other words."""
    theirs = Inflections(other.statement.content, other.statement.language)
    return [word for word in _telling(one) if not theirs.has(word, one.statement.language)]


def _left_out(one: Facts, made: Facts) -> bool:
    """Say whether words are missing that no other words stand for: fewer came, or another name or number."""
    unsaid = _unsaid(one, made)
    other_matter = _lacking_names(made, one) or _lacking_numbers(made, one) or bool(made.days - one.days)
    return bool(unsaid) and (other_matter or len(unsaid) > len(_unsaid(made, one)))


def _differ_in_a_detail(one: Facts, other: Facts) -> bool:
    """Say whether two statements are alike but for one word each: "in the garden", "in the hall"."""
    return len(_unsaid(one, other)) == len(_unsaid(other, one)) == 1


def _keeps_order(one: Facts, made: Facts) -> bool:
    """Say whether what both hold stands in the same order: "owes Bob" is not "Bob owes"."""
    shared = frozenset(one.statement.content) & frozenset(made.statement.content)
    return _order(one, shared) == _order(made, shared)


def _adds_up(one: Facts, other: Facts, made: Facts) -> bool:
    """Say whether the result holds a telling word of ``one`` that ``other`` has in no form: "with milk or sugar"."""
    its = Inflections(made.statement.content, made.statement.language)
    return any(its.has(word, one.statement.language) for word in _unsaid(one, other))


def _lacking_numbers(one: Facts, other: Facts) -> bool:
    return any(not any(number & its for its in other.statement.numbers) for number in one.statement.numbers)


def _lacking_names(one: Facts, other: Facts) -> bool:
    present = {word.folded for word in other.statement.words}
    return any(name not in present and f"{name}s" not in present for name in one.names)


def _flipped(one: Facts, other: Facts) -> bool:
    """Say whether something that one affirms (or denies) alone is denied (or affirmed) alone by the other."""
    said, denied = one.affirmed - one.denied, one.denied - one.affirmed
    its_said, its_denied = other.affirmed - other.denied, other.denied - other.affirmed
    if bool(one.denied) and not other.denied:
        return True
    return bool(said & its_denied) or bool(denied & its_said)


def _coverage(one: Facts, made: Facts) -> float:
    """Give the share (0-1) of the telling words that the result holds in some form."""
    content = _telling(one)
    return 1 - len(_unsaid(one, made)) / len(content) if content else 1.0


def _telling(one: Facts) -> list[str]:
    """Give the words that matter: content but the commonest verbs, unless there is nothing else."""
    content = list(dict.fromkeys(one.statement.content))
    return [word for word in content if word not in FINITE_VERBS] or content


def _bare(one: Facts) -> frozenset[str]:
    """Give the stems of what is neither name nor number nor day nor denial."""
    days = calendar_names.weekdays()
    aside = one.names | _denials()
    kept = (word for word in one.statement.content if word not in aside and not days.fullmatch(word))
    return frozenset(stem(word, one.statement.language) for word in kept)


@lru_cache(maxsize=1)
def _denials() -> frozenset[str]:
    return negation_words() | CESSATION | {word for phrase in CESSATION_PHRASES for word in phrase.split()}


def _content(text: str, language: str | None) -> list[str]:
    return [stem(word, language) for word in content_words(text)]


def _days(text: str) -> Iterable[str]:
    """Give the weekdays and months a text names, whatever the language; months so short that they are words as well are none."""
    for found in calendar_names.weekdays().finditer(text):
        yield f"day {calendar_names.weekday_of(found['name'])}"
    for word in words(text):
        with suppress(KeyError):
            if len(word.folded) >= _SHORTEST_MONTH:
                yield f"month {calendar_names.month_of(word.folded)}"


def _bound_numbers(text: str, language: str | None) -> Iterable[tuple[frozenset[str], frozenset[str]]]:
    """Give each number with the stems of the clause it stands in."""
    for clause in clauses(text):
        for number in claims(clause.text):
            yield number.forms, frozenset(_content(clause.text, language))


def _in_order(one: Facts, made: Facts) -> bool:
    """Say whether several numbers still stand beside the words they stood beside."""
    return all(
        any(n & its and (not beside or beside & around) for its, around in made.order) for n, beside in one.order
    )
