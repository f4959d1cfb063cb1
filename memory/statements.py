"""What a statement says, taken apart: its content, numbers, names, dates and negations, and whether two say the same.

Similar is not the same: a cosine of 0.95 separates "works on Saturdays" from "no longer works on Saturdays" by nothing, so what decides here
are the parts that change the meaning.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import regex
import Stemmer

from memory.folding import Word, fold, words
from memory.lexicon import (
    AMBIGUOUS_NEGATIONS,
    CESSATION,
    CESSATION_PHRASES,
    FINITE_VERBS,
    FUNCTION_CHARACTERS,
    GENERIC_HEADS,
    IRREGULAR,
    NEGATIONS_WITHOUT_BLANKS,
    NO_NEGATION_WITHIN,
    STAND_INS,
    WITHOUT,
    folded,
    function_words,
    negation_words,
    words_by_language,
)
from memory.numerals import claims

_STEMMERS: Final = {
    "en": "english", "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch", "sv": "swedish",
    "da": "danish", "nb": "norwegian", "fi": "finnish", "pl": "polish", "cs": "czech", "ru": "russian", "tr": "turkish", "ro": "romanian",
    "hu": "hungarian", "el": "greek", "ar": "arabic", "hi": "hindi", "id": "indonesian",
}  # fmt: skip
_SCRIPTS: Final = (
    ("ja", regex.compile(r"[\p{Hiragana}\p{Katakana}]")), ("zh", regex.compile(r"\p{Han}")), ("ko", regex.compile(r"\p{Hangul}")),
    ("el", regex.compile(r"\p{Greek}")), ("ar", regex.compile(r"\p{Arabic}")), ("he", regex.compile(r"\p{Hebrew}")),
    ("hi", regex.compile(r"\p{Devanagari}")), ("th", regex.compile(r"\p{Thai}")),
)  # fmt: skip
_CYRILLIC: Final = regex.compile(r"\p{Cyrillic}")
_HANGUL: Final = regex.compile(r"\p{Hangul}")
_KOREAN_ENDING: Final = regex.compile(
    r"(?<=..)(?:이에요|예요|입니다|이었다|였다|이다|이야|에서|에게|으로|이라고|라고|은|는|이|가|을|를|에|도|의|와|과|로)$"
)
_UKRAINIAN: Final = regex.compile(r"[іїєґІЇЄҐ]")
_LETTER: Final = regex.compile(r"\p{L}")
_UPPER: Final = regex.compile(r"\p{Lu}")
_LOWER: Final = regex.compile(r"\p{Ll}")
_TURKISH_NEGATION: Final = regex.compile(r"\w{2,}(?:m[iu]yor|[ae]maz|[ie]mez|m[ae]m\b|m[ae]d[iu])\w*$")
_NOT_CZECH_NEGATION: Final = regex.compile(r"ne(?:bo|j|kd|co|del|moc|ter|chat|z|b|pal|utr|vest|met|mec|pt)\w*$")
_SENTENCE_END: Final = regex.compile(r"[.!?…:;。！？\n\"“”„»«(]\s*$")


@dataclass(frozen=True, slots=True)
class Statement:
    """A text taken apart. ``content`` are the folded words that carry meaning, in order, runs without blanks as bigrams."""

    text: str
    words: tuple[Word, ...]
    language: str | None
    content: tuple[str, ...]
    numbers: frozenset[frozenset[str]]
    names: tuple[Word, ...]
    negated: bool

    @property
    def stems(self) -> frozenset[str]:
        """The stems of the content."""
        return frozenset(stem(word, self.language) for word in self.content)


@lru_cache(maxsize=32)
def _stemmer(language: str) -> Callable[[str], str]:
    return Stemmer.Stemmer(_STEMMERS[language]).stemWord  # type: ignore[no-any-return]


@lru_cache(maxsize=32_768)
def stem(word: str, language: str | None) -> str:
    """Give the stem of a folded ``word``, English where the language is not known and the script is Latin."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if _HANGUL.match(word):
        return _KOREAN_ENDING.sub("", word)
    if language is None:
        language = "ru" if _CYRILLIC.match(word) else "en"
    return fold(_stemmer(language)(word)) if language in _STEMMERS else word


@lru_cache(maxsize=4096)
def languages(text: str) -> tuple[frozenset[str], int]:
    """Give the languages ``text`` may be in, as far as script and small words tell, and how many words told."""
    for name, script in _SCRIPTS:
        found = len(script.findall(text))
        if found and found * 4 >= len(_LETTER.findall(text)):
            return frozenset({name}), found
    tokens = [w.folded for w in words(text)]
    scores = {name: sum(t in known for t in tokens) for name, known in words_by_language().items()}
    if _CYRILLIC.search(text):
        scores = {name: scores[name] for name in ("ru", "uk")}
        scores["uk" if _UKRAINIAN.search(text) else "ru"] += 1
    best = max(scores.values(), default=0)
    return (frozenset(n for n, s in scores.items() if s == best) if best else frozenset()), best


def language_of(text: str) -> str | None:
    """Give the likeliest language of ``text``, or None where nothing tells."""
    likely, _ = languages(text)
    return next((name for name in words_by_language() if name in likely), next(iter(sorted(likely)), None))


@lru_cache(maxsize=2_048)
def normalise(text: str) -> str:
    """Give the form by which two texts are literally the same: folded words, one blank between, no punctuation."""
    return " ".join(w.folded for w in words(fold(text)))


def _bigrams(run: str) -> tuple[str, ...]:
    """Give the pairs between the function characters, and what stands alone there: 在成都 names a town, though 都 is "all"."""
    pieces = "".join(" " if c in FUNCTION_CHARACTERS else c for c in run).split()
    return tuple(part for piece in pieces for part in (map("".join, pairwise(piece)) if len(piece) > 1 else (piece,)))


@lru_cache(maxsize=1)
def _without_content() -> frozenset[str]:
    return function_words() | negation_words() | STAND_INS


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """Give the folded words of ``text`` that carry meaning; where everything is function words, all of them."""
    tokens = words(text)
    skipped = _without_content()
    spelled = {at for n in claims(text) if n.spelled for at in range(n.start, n.end)}
    found: list[str] = []
    for token in tokens:
        if token.is_run:
            found.extend(_bigrams(token.folded))
        elif token.folded not in skipped and not token.raw.isdecimal() and token.start not in spelled:
            found.append(token.folded)
    return tuple(found) or tuple(t.folded for t in tokens if not t.raw.isdecimal() and t.folded not in negation_words())


def is_negation(token: str, language_set: frozenset[str], *, first: bool = False) -> bool:
    """Say whether a folded word turns a clause round in one of these languages."""
    if token in negation_words():
        only = AMBIGUOUS_NEGATIONS.get(token)
        if only == _FINNISH:  # "en", "et" and "ei" are small words all over Europe: only in front do they deny
            return language_set == only or (first and bool(only & language_set))
        return only is None or not language_set or bool(only & language_set)
    if "tr" in language_set and len(language_set) == 1 and _TURKISH_NEGATION.match(token):
        return True
    return language_set == {"cs"} and len(token) > 4 and token.startswith("ne") and not _NOT_CZECH_NEGATION.match(token)


_FINNISH: Final = frozenset({"fi"})
_CONTRACTED: Final = regex.compile(r"\b(?:\w+n't|cannot|dont|doesnt|didnt|isnt|wont|cant|n't)\b")


@lru_cache(maxsize=8192)
def is_negated(clause: str, whole: str | None = None) -> bool:
    """Say whether ``clause`` denies something, or says that it is over; the language is read from ``whole``."""
    folded = fold(clause)
    if _CONTRACTED.search(folded) or any(f" {p} " in f" {folded} " for p in CESSATION_PHRASES):
        return True
    known, _ = languages(whole or clause)
    tokens = [w.folded for w in words(clause)]
    if any(is_negation(t, known, first=at == 0) or t in CESSATION or t in WITHOUT for at, t in enumerate(tokens)):
        return True
    masked = regex.sub(r"\L<idioms>", " ", clause, idioms=list(NO_NEGATION_WITHIN))
    return any(sign in masked for sign in NEGATIONS_WITHOUT_BLANKS)


def names_in(text: str, tokens: tuple[Word, ...], language: str | None) -> tuple[Word, ...]:
    """Give the words of ``text`` that are written like names: capitals inside a sentence, and a first word that acts as a subject."""
    if not _LOWER.search(text):
        return ()
    return tuple(token for at, token in enumerate(tokens) if _is_name(text, tokens, at, language))


def _is_name(text: str, tokens: tuple[Word, ...], at: int, language: str | None) -> bool:
    token = tokens[at]
    if not _UPPER.match(token.raw) or token.folded in STAND_INS or len(token.raw) == 1:
        return False
    begins = at == 0 or _SENTENCE_END.search(text, 0, token.start) is not None
    if token.folded in function_words() and (begins or token.folded in POLITE or not _LOWER.search(token.raw)):
        return False
    if begins:
        return _is_subject(text, tokens, at)
    return language != "de" or _stands_alone(tokens, at)


POLITE: Final = folded(
    "i i'm sie ihnen ihr ihre ihrem ihren ihrer ihres du dich dir dein deine deinen deinem deiner euch euer eure u uw je jij lei suo sua vi "
    "loro dem deres dere usted ustedes vous votre vos вы вас вам вами ваш ваша ваше вашу ваши the a an of and or in on at to for with "
    "from by de la le les el los las das der die den von und zu zur zum im am des del di da"
)
"""Function words that are written with a capital inside a sentence too: out of politeness, or in a title."""


def _is_subject(text: str, tokens: tuple[Word, ...], at: int) -> bool:
    """Say whether a first word is followed by a verb or by a possessive, as only a subject is."""
    token = tokens[at]
    if token.folded in GENERIC_HEADS or token.folded in FINITE_VERBS or at + 1 >= len(tokens):
        return False
    following = tokens[at + 1]
    between = text[token.end : following.start]
    if between in {"'", "’"}:
        return following.folded == "s"
    return between == " " and following.folded in FINITE_VERBS


def _stands_alone(tokens: tuple[Word, ...], at: int) -> bool:
    """Say whether a German noun has no article or adjective before it: then it may be a name."""
    before = tokens[at - 1]
    return (
        before.folded in _GERMAN_PREPOSITIONS
        or _UPPER.match(before.raw) is not None
        or before.folded in FINITE_VERBS | {"heisst", "namens"}
    )


_GERMAN_PREPOSITIONS: Final = frozenset(
    {"in", "nach", "aus", "bei", "von", "mit", "und", "oder", "fur", "an", "zu", "namens", "heisst"}
)


@lru_cache(maxsize=4096)
def take_apart(text: str) -> Statement:
    """Give the parts of ``text`` that decide what it says."""
    tokens = words(text)
    language = language_of(text)
    numbers = frozenset(n.forms for n in claims(text))
    return Statement(
        text, tokens, language, content_words(text), numbers, names_in(text, tokens, language), is_negated(text)
    )


def matches(word: str, others: Iterable[str], language: str | None) -> bool:
    """Say whether ``word`` is one of ``others`` (all folded), in some inflection."""
    pool = frozenset(others)
    return word in pool or Inflections(pool, language).has(word)


class Inflections:
    """A set of folded words that knows its members in other inflections: by stem, or by a long common beginning."""

    def __init__(self, members: Iterable[str], language: str | None) -> None:
        """Take the folded words and the language they are likely in."""
        self._members = frozenset(members)
        self._language = language
        self._stems = {stem(m, language) for m in self._members}
        self._by_start: dict[str, list[str]] = {}
        for member in self._members:
            self._by_start.setdefault(member[:2], []).append(member)

    def has(self, word: str, language: str | None = None) -> bool:
        """Say whether ``word`` is a member in some form."""
        if word in self._members or stem(word, self._language) in self._stems:
            return True
        if (
            language
            and language != self._language
            and stem(word, language) in {stem(m, language) for m in self._by_start.get(word[:2], ())}
        ):
            return True
        return any(_akin(word, member) for member in self._by_start.get(word[:2], ()))


def _akin(a: str, b: str) -> bool:
    """Say whether two words share so long a beginning that they are forms of one; short words must be equal."""
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    if not a.isascii() and regex.match(r"\p{Hangul}", a):
        return shared >= 2 and shared >= min(len(a), len(b)) - (1 if shared < 4 else 2)
    least = 3 if _CYRILLIC.match(a) else 4
    return shared >= least and shared >= 0.6 * max(len(a), len(b))


def missing_names(names: tuple[Word, ...], other: Statement) -> frozenset[str]:
    """Give the names that are missing from the other statement, however it spells them."""
    present = {w.folded for w in other.words}
    return frozenset(n.folded for n in names if n.folded not in present and f"{n.folded}s" not in present)


def content_overlap(one: str, other: str) -> float:
    """Give the share (0–1) of the shorter text's content that the other holds too."""
    left, right = take_apart(one), take_apart(other)
    fewer, more = sorted((left, right), key=lambda s: len(s.stems))
    pool = Inflections(more.content, more.language)
    return (
        sum(pool.has(w, fewer.language) for w in set(fewer.content)) / len(set(fewer.content)) if fewer.content else 0.0
    )


def facts_missing(old: str, new: str) -> bool:
    """Say whether ``new`` lost a number, a name or a negation of ``old``."""
    left, right = take_apart(old), take_apart(new)
    numbers = any(not any(a & b for b in right.numbers) for a in left.numbers)
    return numbers or bool(missing_names(left.names, right)) or left.negated != right.negated
