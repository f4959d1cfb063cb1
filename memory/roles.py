"""Who does it and to whom: whether two statements with the same words tell them apart by the order alone.

"Owes Bob 20" and "Bob owes me 20" share every word that counts. There is no parser here: what stands in front of a shared word
and what behind it, and the small word before a name, tell the roles. Where a language orders its words freely, two statements
that say the same may count as turned; that costs a reinforcement or a merge, never a fact.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import regex

from memory import calendar_names
from memory.cues import FOLK, KIN
from memory.folding import Word
from memory.lexicon import FINITE_VERBS, STAND_INS, folded, function_words
from memory.statements import POLITE, Statement, content_words, stem, take_apart

_SELF: Final = "\N{BULLET}"
"""The one who speaks, under whatever word."""
_I: Final = folded("i we ich wir je nous yo nosotros io noi eu ik wij jag vi jeg я мы ja my")
_ME: Final = folded("me us mich mir uns moi mi nos mij ons mig oss meg меня мне мной нас нам mnie")
_AND: Final = folded("and und et y e en och og i и та ja ve si kai και و ו और dan va und")
_IS: Final = folded("is are was were ist sind war heisst heissen est sont es son e sono sao ar er jest sa zijn")
_ARTICLES: Final = folded(
    "the a an my our his her their your der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner le la les l un "
    "une el los las una il lo gli o os as um uma de het een ett det mi mis mon ma mes"
)
_BY: Final = folded("by von durch par por da door av af przez od через")
"""Marks of the one who does it, where a sentence is turned to the passive."""
_OF: Final = "of"
_MARKS: Final = folded(
    "of to in on at by for with from into about after before than over under against near "
    "von zu zum zur in im an am auf bei mit fur nach aus um gegen uber unter vor durch seit "
    "de d des du dans en au aux par pour avec sur chez contre del a al por para con contra sobre "
    "di della dello dei del da dal in nel nella alla su per tra do dos na no nas nos em ao com "
    "van te op bij met voor naar uit i pa till for med av fran hos til fra w we z ze do od po u za dla przy "
    "в во с со на к ко у о об от до по за для из при"
)
"""What stands before a name that is neither subject nor object."""
_CLASSES: Final = {
    "von": _OF,
    "de": _OF,
    "d": _OF,
    "des": _OF,
    "del": _OF,
    "di": _OF,
    "della": _OF,
    "do": _OF,
    "da": _OF,
    "van": _OF,
}
_SUBJECT_ENDING: Final = regex.compile(r"(?:이|가|은|는)$")
_OBJECT_ENDING: Final = regex.compile(r"(?:을|를|에게|한테)$")
_PARTICLES: Final = {**dict.fromkeys("がは", "subject"), **dict.fromkeys("をに", "object")}
_PARTICLE: Final = regex.compile(r"([\p{Han}\p{Katakana}ー]+|\p{Hiragana}{2,})(?:さん|ちゃん|くん|君)?([がはをに])")
_CASED: Final = regex.compile(r"[\p{Lu}\p{Ll}]")
_UPPER: Final = regex.compile(r"\p{Lu}")
_PAIR: Final = regex.compile(
    r"^([\p{Han}\p{Katakana}ー]{1,6}?)[和与與跟と]([\p{Han}\p{Katakana}ー]{1,6}?)(?=[是都在有住はがも])"
)
_PAUSE: Final = regex.compile(r"[,;:()–—]")


@dataclass(frozen=True, slots=True)
class _Item:
    """A word that counts: its stem, where it stands among all words, and the small word that marks it ("" where none does)."""

    key: str
    at: int
    mark: str
    is_name: bool
    is_small: bool = False  # a verb like "is" or "has"


def turned(one: Statement, other: Statement, speaker: frozenset[str] = frozenset()) -> bool:
    """Say whether somebody who acts in ``one`` is acted upon in ``other``, or stands elsewhere among several names.

    A statement without a subject is about the person, whose folded names are ``speaker``.
    """
    if not _CASED.search(one.text + other.text):
        return _turned_without_capitals(one, other)
    left, right = _Side(one, other, speaker), _Side(other, one, speaker)
    if left.halves is not None and right.halves is not None and left.halves == right.halves[::-1]:
        return False  # "Anna is the boss of Ben", "The boss of Ben is Anna"
    return (
        _names_change_places(left, right)
        or _around_a_verb(left, right)
        or _is_done_to(left, right)
        or _is_done_to(right, left)
        or _passive(left) != _passive(right)
    )


class _Side:
    """One of two statements, seen beside the other."""

    def __init__(self, made: Statement, other: Statement, speaker: frozenset[str]) -> None:
        names = {_key(name, speaker) for name in (*_capitals(made), *_capitals(other))}
        names -= {first for first, _ in _pairs(made) & _pairs(other)}
        self.text = made.text
        self.words = made.words
        self.all = tuple(_items(made, names, speaker, _language(made, other)))
        self.items = tuple(item for item in self.all if not item.is_small)
        self.keys = {item.key for item in self.items}
        self.said = {word.folded for word in made.words}
        self.halves = self._halves()

    def first(self, key: str) -> _Item:
        """Give where a word that counts stands first."""
        return next(item for item in self.items if item.key == key)

    def place_of(self, verb: _Item) -> int | None:
        """Give where the same verb stands first here, a small one too."""
        return next((item.at for item in self.all if item.key == verb.key), None)

    def verb_between(self, begin: int, end: int) -> bool:
        """Say whether a small verb stands between two places."""
        return any(word.folded in FINITE_VERBS for word in self.words[begin + 1 : end])

    def pause_between(self, begin: int, end: int) -> bool:
        """Say whether a comma or the like stands between two places."""
        return _PAUSE.search(self.text, self.words[begin].end, self.words[end].start) is not None

    def _halves(self) -> tuple[list[str], list[str]] | None:
        """Give what counts before and after "is"."""
        copula = next((at for at, word in enumerate(self.words) if word.folded in _IS), None)
        if copula is None:
            return None
        return [i.key for i in self.items if i.at < copula], [i.key for i in self.items if i.at > copula]


def _key(word: Word, speaker: frozenset[str]) -> str:
    """Give a word, or the mark of the one who speaks; where nobody is known to speak, "I" is a small word like others."""
    return _SELF if word.folded in speaker or (speaker and word.folded in _I | _ME) else word.folded


def _capitals(made: Statement) -> tuple[Word, ...]:
    """Give the words that are written like names; the first one shows in the other statement whether it is one."""
    return _capitals_of(made.text)


@lru_cache(maxsize=1_024)
def _capitals_of(text: str) -> tuple[Word, ...]:
    made = take_apart(text)
    inner = [word for word in made.words[1:] if _UPPER.match(word.raw) and word.folded not in STAND_INS | POLITE]
    return tuple(word for word in (*made.names, *inner) if not _tells_time(word.folded))


def _pairs(made: Statement) -> frozenset[tuple[str, str]]:
    """Give the words that stand side by side with a capital each: "Dr Alvarez" is one person."""
    return frozenset(
        (one.folded, other.folded)
        for one, other in pairwise(made.words)
        if _UPPER.match(one.raw) and _UPPER.match(other.raw) and made.text[one.end : other.start].strip(".") == " "
    )


def _language(one: Statement, other: Statement) -> str | None:
    """Give the language whose stems both are compared in."""
    return min((made.language for made in (one, other) if made.language), default=None)


def _items(made: Statement, names: set[str], speaker: frozenset[str], language: str | None) -> list[_Item]:
    """Give the names, the speaker, and the other words that count, without numbers and times."""
    content = frozenset(made.content)
    found = []
    for at, word in enumerate(made.words):
        key = _key(word, speaker)
        if key in names or key == _SELF:
            found.append(_Item(key, at, _mark(made, at), is_name=True))
        elif word.folded in content and not _tells_time(word.folded):
            found.append(_Item(stem(word.folded, language), at, _mark(made, at), is_name=False))
        elif word.folded in FINITE_VERBS:
            found.append(_Item(word.folded, at, "", is_name=False, is_small=True))
    return found


@lru_cache(maxsize=4_096)
def _tells_time(folded_word: str) -> bool:
    times = (calendar_names.weekdays(), calendar_names.relative_words())
    return any(pattern.fullmatch(folded_word) for pattern in times)


def _mark(made: Statement, at: int) -> str:
    """Give the preposition of a word, past its article, or "of" where something is its own."""
    if (
        at + 1 < len(made.words)
        and made.words[at + 1].raw == "s"
        and made.words[at + 1].start == made.words[at].end + 1
    ):
        return _OF
    before = at - 1
    while before > 0 and made.words[before].folded in _ARTICLES - _MARKS:
        before -= 1
    mark = made.words[before].folded if before >= 0 else ""
    return _CLASSES.get(mark, mark) if mark in _MARKS else ""


def _names_change_places(left: _Side, right: _Side) -> bool:
    """Say whether names stand in another order, but for what has its own small word in both, or is joined by "and"."""
    both = {item.key for item in left.items if item.is_name} & right.keys
    marks = {key: left.first(key).mark for key in both if left.first(key).mark == right.first(key).mark != ""}
    if len(both) < 2:
        return False
    settled = len(both) - len(marks) <= 1 and len(set(marks.values())) == len(marks)  # "In Graz lives Anna"
    leaving_out = both if settled else frozenset()
    return _sequence(left, right, leaving_out) != _sequence(right, left, leaving_out)


def _sequence(side: _Side, other: _Side, leaving_out: AbstractSet[str]) -> list[str]:
    """Give what both hold in its order, names joined by "and" at either end of the statement in one order."""
    shared = [item for item in side.items if item.key in other.keys and item.key not in leaving_out]
    order = [item.key for item in shared]
    for begin, end in _joined(side, shared):
        order[begin:end] = sorted(order[begin:end])
    return list(dict.fromkeys(order))


def _joined(side: _Side, items: Sequence[_Item]) -> list[tuple[int, int]]:
    """Give the spans of names at the beginning or the end that only "and" and commas part, with an "and" among them."""
    spans, begin = [], 0
    for end in range(1, len(items) + 1):
        if end < len(items) and _side_by_side(side, items[end - 1], items[end]):
            continue
        run = items[begin:end]
        within = {word.folded for word in side.words[run[0].at : run[-1].at]}
        if within & _AND and (begin == 0 or end == len(items)) and all(item.is_name for item in run):
            spans.append((begin, end))
        begin = end
    return spans


def _side_by_side(side: _Side, one: _Item, other: _Item) -> bool:
    between = side.words[one.at + 1 : other.at]
    text = side.text[side.words[one.at].end : side.words[other.at].start]
    return all(word.folded in _AND for word in between) and (bool(between) or "," in text)


def _around_a_verb(left: _Side, right: _Side) -> bool:
    """Say whether two words without a preposition have changed sides of a third: "the dog bit the cat"."""
    places = {item.key: item for item in reversed(right.items)}
    shared = [item for item in left.items if item.key in places]
    for at, verb in enumerate(shared):
        if verb.is_name:
            continue
        gone = {i.key for i in shared[:at] if _is_bare(i, places) and places[i.key].at > places[verb.key].at}
        come = {i.key for i in shared[at + 1 :] if _is_bare(i, places) and places[i.key].at < places[verb.key].at}
        if gone - come and come - gone:
            return True
    return False


def _is_bare(item: _Item, places: dict[str, _Item]) -> bool:
    return not item.mark and not places[item.key].mark


def _is_done_to(acting: _Side, told: _Side) -> bool:
    """Say whether what begins ``acting`` comes behind the verb in ``told``, which leaves out that it is about the person."""
    if _speaks_of_me(acting, told):
        return True
    verb = next((item for item in told.all if item.key != _SELF), None)
    place = None if verb is None or verb.is_name else acting.place_of(verb)
    if verb is None or place is None or not _begins_with_a_verb(told, verb):
        return False
    front = [item for item in acting.items if item.at < place and item.key in told.keys and not item.mark]
    return any(
        _is_object(item, acting, told, verb, place) for item in front if not acting.pause_between(item.at, place)
    )


def _begins_with_a_verb(told: _Side, verb: _Item) -> bool:
    """Say whether nothing but small words comes before: no subject, and no time that would bring it behind the verb."""
    small = function_words() - _ARTICLES
    if any(word.folded not in small and word.folded not in STAND_INS for word in told.words[: verb.at]):
        return False
    return not verb.mark and told.words[verb.at].folded not in KIN | FOLK


def _is_object(item: _Item, acting: _Side, told: _Side, verb: _Item, place: int) -> bool:
    """Say whether what stands before the verb (at ``place``) in one stands behind it in the other, as somebody acted upon."""
    there = told.first(item.key)
    if there.at < verb.at or told.verb_between(verb.at, there.at):
        return False
    return (
        item.is_name
        or bool(acting.said & _ME)
        or (not there.mark and not acting.verb_between(item.at, place) and len(told.items) > len((verb, there)))
    )


def _speaks_of_me(acting: _Side, told: _Side) -> bool:
    """Say whether the person is acted upon here and acts there, with somebody else named in both: "Bob schuldet mir", "Bob schulde ich"."""
    named = any(not item.mark and item.key in told.keys for item in acting.items)
    to_me = bool(acting.said & _ME) and not acting.said & _I
    by_me = bool(told.said & _I) and not told.said & _ME
    return named and to_me and by_me


def _passive(side: _Side) -> bool:
    """Say whether a name is marked as the one who does it: "taught by Ben"."""
    return any(
        item.is_name and item.at > 0 and side.words[item.at - 1].folded in _BY and item.mark != _OF
        for item in side.items
    )


def _turned_without_capitals(one: Statement, other: Statement) -> bool:
    """Scripts without capitals do not show what a name is: there the order counts, but for what a particle marks."""
    left, right = _roles(one.text), _roles(other.text)
    both = left.keys() & right.keys()
    if any(left[who] != right[who] for who in both):
        return True
    mine, its = _order(one, both), _order(other, both)
    return [word for word in mine if word in its] != [word for word in its if word in mine]


def _order(made: Statement, marked: Iterable[str]) -> list[str]:
    """Give the stems in order, two names joined by "and" at the beginning always in the same."""
    text = _PAIR.sub(lambda found: "和".join(sorted(found.groups())), made.text)
    known = frozenset(part for who in marked for part in content_words(who))
    content = content_words(text) if text != made.text else made.content
    return list(dict.fromkeys(stem(word, made.language) for word in content if word not in known))


def _roles(text: str) -> dict[str, str]:
    """Give who is marked as subject or as object, by the particles of Japanese and Korean."""
    found = {name: _PARTICLES[mark] for name, mark in _PARTICLE.findall(text)}
    for word in text.split():
        for ending, role in ((_SUBJECT_ENDING, "subject"), (_OBJECT_ENDING, "object")):
            if len(word) > 1 and ending.search(word):
                found[ending.sub("", word)] = role
    return found
