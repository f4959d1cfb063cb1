"""From text to terms, for any language: what the keyword index stores and what a question looks for.

A text becomes *tokens*. A token is one thing somebody wrote (a word, a pair of Chinese characters, an e-mail address) with
the terms it may be found by: `exact` ones, and `loose` ones that also stand for its other forms (stems, a number without
its country code). Loose terms carry a mark, so that a stem never passes for a word of the same letters, and so that
analysing terms again gives the same terms.

Scripts that write no blanks (Chinese, Japanese, Thai…) become overlapping pairs and single characters; Korean words also
lose the particles glued to them. Addresses, links, dates and compounds are kept whole and in parts.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, dropwhile, pairwise, takewhile

import regex

from memory import function_words, policy
from memory.spelling import fold, normalise, spellings
from memory.stems import detect, is_function_word, italian_noun, languages_of, skeleton, stem

__all__ = ["MARK", "Token", "analyse", "content_terms", "distinct", "head", "shared_content", "stem", "tokens", "words"]

MARK = "≈"
"""Ends every loose term."""

VERSION = 2
"""Goes up whenever a text gets other terms than before: maintenance then indexes what is stored once more (`reanalysis`)."""

LONGEST_TERM = 100
"""Longer terms are cut, on both sides alike: enough for any address, and no key of the index grows without bound."""

_ATOM = r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*+"
_JOINT = r"(?:[._@:/+&'’#?=%~·\-‐‑–]{1,3}|(?<=\d),(?=\d))"
_SEGMENT = regex.compile(
    rf"""(?P<loose>{_ATOM}{MARK})
    | (?P<compound>{_ATOM}(?:{_JOINT}{_ATOM})++)
    | (?P<sign>\p{{L}}(?:\+\+|\#)(?![\p{{L}}\p{{N}}]))
    | (?P<word>{_ATOM})
    | (?P<picture>\p{{Regional_Indicator}}{{2}}|\p{{Extended_Pictographic}}|[\p{{So}}\p{{Sc}}])""",
    regex.VERBOSE,
)
_SEAMLESS = r"\p{Han}\p{Hiragana}\p{Katakana}ー々〆\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_PIECE = regex.compile(
    rf"""(?=[\p{{L}}\p{{N}}])(?:(?P<seamless>[{_SEAMLESS}]+)|(?P<hangul>\p{{Hangul}}+)|(?P<number>\p{{Nd}}+)
    |(?P<word>(?:(?![{_SEAMLESS}\p{{Hangul}}\p{{Nd}}])[\p{{L}}\p{{M}}\p{{N}}])+))""",
    regex.VERBOSE,
)
_HAN = regex.compile(r"[\p{Han}々〆]")
_HIRAGANA = regex.compile(r"[\p{Hiragana}ー]+")
_SCHEME = regex.compile(r"^(?:(?:https?|ftp)://)?(?:www\.)?(?=.)")
_LETTERS_ONLY = regex.compile(rf"{_ATOM}(?:['’\-‐‑–]{_ATOM})+|\p{{L}}(?:\.\p{{L}})+")
_HOST = regex.compile(rf"{_ATOM}(?:[.:_-]{_ATOM})+")
_THOUSANDS = regex.compile(r"\d{1,3}(?:[.,'’]\d{3})+")
_PHONE = regex.compile(r"(?<![\d\p{L}.:/\-])(?:\+|\(?0|\d(?=\d{6}))[\d().\-/]*(?:[ \u00a0]?[\d().\-/]+){0,8}")
AFTER_LATIN = "\u0250"
"""The letters of European languages in Latin script lie before it."""
_LARGE = regex.compile(r"(?<=[\p{Ll}\d][,;:]? )\p{Lu}\p{Ll}+")
_ZERO_FIRST = regex.compile(r"(?<!\d)0|\+")
_NO_DIGIT = regex.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Token:
    """One thing somebody wrote, and the terms that find it.

    ``weight`` says what it tells before any statistics (1 for a content word). A match of an ``extra`` token counts, its
    absence does not: its parts stand beside it. ``literal`` says that it is (part of) a number, an address or a code, where
    another letter makes another thing; two tokens that differ in nothing else are the same.
    """

    exact: tuple[str, ...]
    loose: tuple[str, ...] = ()
    weight: float = 1.0
    extra: bool = False
    literal: bool = field(default=False, compare=False)


def tokens(text: str) -> tuple[Token, ...]:
    """Give the tokens of ``text`` in order. Never raises, whatever the text."""
    flat = normalise(text)
    segments = [(match.lastgroup or "", match.group()) for match in _SEGMENT.finditer(flat)]
    spelt = tuple(chain.from_iterable(_latin(kind, part) for kind, part in set(segments)))
    languages = detect(spelt)
    found = [token for kind, part in segments for token in _of_segment(kind, part, languages)]
    is_german = "german" in languages and any(word < AFTER_LATIN for word in spelt)
    names = set() if is_german else _names(text)  # German writes every noun large
    numbers = () if any(kind == "loose" for kind, _ in segments) else _phones(flat)  # terms have had theirs
    return (*(_as_name(token) if names.intersection(token.exact) else token for token in found), *numbers)


def analyse(text: str) -> tuple[str, ...]:
    """Give the distinct terms of ``text``, the same for what is stored and what is asked; none holds a blank.

    Analysing the terms, joined by blanks, gives the same terms again.
    """
    return distinct(tokens(text))


def distinct(found: Iterable[Token]) -> tuple[str, ...]:
    """Give the distinct terms of some tokens, exact and loose, in order."""
    return tuple(dict.fromkeys(term for token in found for term in (*token.exact, *token.loose)))


def words(text: str) -> tuple[str, ...]:
    """Give the words, numbers and pictures of ``text`` in order, folded; compounds in their parts, no stems."""
    return tuple(
        fold(piece)
        for kind, part in ((match.lastgroup, match.group()) for match in _SEGMENT.finditer(normalise(text)))
        for piece in ([part] if kind in {"picture", "sign"} else [match.group() for match in _PIECE.finditer(part)])
    )


def content_terms(text: str) -> tuple[str, ...]:
    """Give one term per distinct token that says something about a subject: its stem in the likeliest language."""
    telling = filter(_says_something, tokens(text))
    return tuple(dict.fromkeys((token.loose or token.exact)[0].removesuffix(MARK) for token in telling))


@lru_cache(maxsize=4_096)
def head(text: str) -> tuple[frozenset[str], ...]:
    """Give the spellings of each word of the first run that says something: as a rule what a statement is about.

    Of "the sewing machine is in the cellar" two; of "dark chocolate gives me a headache" three, which name no thing by themselves.
    """
    plain = (token for token in tokens(text) if not token.extra)
    run = takewhile(_says_something, dropwhile(lambda token: not _says_something(token), plain))
    return tuple(frozenset(token.exact) for token in run)


def shared_content(asked: Iterable[Token], text: str) -> int:
    """Count the words of ``asked`` that say something in ``text`` too: "one" is a form of "on" somewhere, and small here."""
    held = {term for token in tokens(text) if _says_something(token) for term in (*token.exact, *token.loose)}
    return sum(_says_something(token) and not held.isdisjoint((*token.exact, *token.loose)) for token in asked)


def _says_something(token: Token) -> bool:
    return token.weight >= policy.CONTENT_WEIGHT and not token.extra


def _names(text: str) -> set[str]:
    """Give the words written large inside a sentence, folded: "Will" and "May" are people there, not small words."""
    return {fold(normalise(match.group())) for match in _LARGE.finditer(text)}


def _as_name(token: Token) -> Token:
    return replace(token, weight=max(token.weight, policy.NAME_WEIGHT))


@lru_cache(maxsize=20_000)
def _latin(kind: str, part: str) -> tuple[str, ...]:
    """Give the words of a segment that can tell its language, as `tokens` will spell them."""
    if kind not in {"word", "compound"}:
        return ()
    found = [match.group() for match in _PIECE.finditer(part) if match.lastgroup == "word"]
    if kind == "compound" and _LETTERS_ONLY.fullmatch(part):
        found.append("".join(match.group() for match in _PIECE.finditer(part)))
    return tuple(spelling for word in found for spelling in spellings(word))


@lru_cache(maxsize=20_000)
def _of_segment(kind: str, part: str, languages: tuple[str, ...]) -> tuple[Token, ...]:
    if kind == "loose":
        return (Token((), (part[: LONGEST_TERM - 1] if len(part) >= LONGEST_TERM else part,)),)
    if kind == "picture":
        return (Token((part,)),)
    if kind == "sign":
        return (Token((part,), extra=True), *_word(part[0], languages))
    pieces = [(match.lastgroup or "", match.group()) for match in _PIECE.finditer(part)]
    inner = [token for form, piece in pieces for token in _of_piece(form, piece, languages, len(pieces))]
    found = (*_whole(part, pieces, languages), *inner)
    if kind == "word" or _LETTERS_ONLY.fullmatch(part):
        return found
    return tuple(replace(token, literal=True) for token in found)


def _whole(part: str, pieces: list[tuple[str, str]], languages: tuple[str, ...]) -> Iterator[Token]:
    """Give what a compound is found by as a whole, unless it is a mere run of a script without blanks."""
    if len(pieces) < 2 or any(form in {"seamless", "hangul"} for form, _ in pieces):
        return
    if _LETTERS_ONLY.fullmatch(part) and all(form == "word" for form, _ in pieces):
        yield Token(*_forms("".join(piece for _, piece in pieces), languages), extra=True)
    whole = fold(_SCHEME.sub("", part))[:LONGEST_TERM]
    if _THOUSANDS.fullmatch(whole):
        digits = _NO_DIGIT.sub("", whole)
        yield Token((digits,), _as_a_phone(digits), extra=True)
    named = any(form == "number" for form, _ in pieces) or "@" in whole
    yield Token((whole,), _as_a_phone(whole), policy.IDENTIFIER_WEIGHT if named else 1.0, extra=True)
    host = regex.split(r"[/?#]", whole.rpartition("@")[2], maxsplit=1)[0]
    if host != whole and _is_host(host):
        yield Token((host,), _as_a_phone(host), extra=True)


def _is_host(part: str) -> bool:
    """Say whether this is a name with dots in it, which alone would be read as just that."""
    return (
        "." in part
        and bool(_HOST.fullmatch(part))
        and not (_THOUSANDS.fullmatch(part) or _LETTERS_ONLY.fullmatch(part))
    )


def _of_piece(form: str, piece: str, languages: tuple[str, ...], siblings: int) -> tuple[Token, ...]:
    if form == "seamless":
        return tuple(_seamless(piece))
    if form == "hangul":
        return tuple(_hangul(piece))
    if form == "number":
        return (_number(piece, siblings),)
    return () if siblings > 1 and piece in {"http", "https", "www"} else _word(piece, languages)


def _word(piece: str, languages: tuple[str, ...]) -> tuple[Token, ...]:
    exact, loose = _forms(piece, languages)
    single = len(exact[0]) == 1
    small = single or any(is_function_word(form, languages) for form in exact)
    return (Token(exact, loose, policy.FUNCTION_WORD_WEIGHT if small else 1.0),)


def _forms(word: str, languages: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the exact and the loose terms of a word in a script that writes blanks."""
    exact = tuple(form[:LONGEST_TERM] for form in spellings(word))
    possible = languages_of(word, languages)
    stems = [stem(form, language) for language in possible for form in (word, *exact)]
    loose = (*stems, *map(skeleton, exact), *(map(italian_noun, exact) if "italian" in possible else ()))
    return exact, tuple(dict.fromkeys(form[: LONGEST_TERM - 1] + MARK for form in loose if len(form) > 1))


def _number(piece: str, siblings: int) -> Token:
    digits = "".join(str(int(digit)) for digit in piece)[:LONGEST_TERM]
    short = digits[1:] if len(digits) == 2 and digits[0] == "0" else digits  # 05.04. is 5.4.
    weight = 1.0 if siblings == 1 else policy.PART_OF_NUMBER_WEIGHT
    return Token((short,), _as_a_phone(short), weight, literal=True)


def _as_a_phone(written: str) -> tuple[str, ...]:
    """Give the loose term of the digits of what may be, or begin, a telephone number.

    Among terms that are analysed again it shows that such numbers were looked for, so that two terms that happen to
    stand side by side ("012, 345678") do not become one.
    """
    digits = _NO_DIGIT.sub("", written)
    telling = len(digits) >= policy.SHORTEST_PHONE or (digits and _ZERO_FIRST.search(written))
    return (digits[: LONGEST_TERM - 1] + MARK,) if telling else ()


def _seamless(run: str) -> Iterator[Token]:
    """Give pairs and single characters; the singles of a longer run count little unless a lone Han stands between kana."""
    characters = regex.findall(r"\X", run)
    for first, second in pairwise(characters):
        yield Token((fold(first + second),), weight=_pair_weight(first + second))
    for place, character in enumerate(characters):
        around = characters[max(place - 1, 0) : place] + characters[place + 1 : place + 2]
        alone = not around or (_HAN.match(character) and not any(_HAN.match(other) for other in around))
        weight = policy.SINGLE_IN_RUN_WEIGHT if not alone else 1.0
        small = character in function_words.SEAMLESS or (around and _HIRAGANA.fullmatch(character))
        yield Token((fold(character),), weight=policy.FUNCTION_WORD_WEIGHT if small else weight, extra=not alone)


def _pair_weight(pair: str) -> float:
    if pair in function_words.SEAMLESS:
        return policy.FUNCTION_WORD_WEIGHT
    return policy.HIRAGANA_PAIR_WEIGHT if _HIRAGANA.fullmatch(pair) else 1.0


def _hangul(run: str) -> Iterator[Token]:
    """Give the word, with and without its particle, then pairs and syllables for words grown together."""
    small = run in function_words.OTHER
    yield _hangul_token(run, policy.FUNCTION_WORD_WEIGHT if small else 1.0, extra=False)
    for first, second in pairwise(run) if len(run) > 2 else ():
        yield _hangul_token(first + second, policy.FUNCTION_WORD_WEIGHT if small else policy.HANGUL_PAIR_WEIGHT)
    for syllable in run if len(run) > 1 else "":
        yield _hangul_token(syllable, policy.FUNCTION_WORD_WEIGHT)


def _hangul_token(part: str, weight: float, *, extra: bool = True) -> Token:
    bare = _without_particle(part)[: LONGEST_TERM - 1]
    return Token((part[:LONGEST_TERM],), (bare + MARK,), weight, extra)


def _without_particle(run: str) -> str:
    particle = next((ending for ending in function_words.KOREAN_PARTICLES if run.endswith(ending)), "")
    return run[: -len(particle)] if 0 < len(particle) < len(run) else run


def _phones(flat: str) -> Iterator[Token]:
    """Give long numbers by their digits alone, and loosely by the last seven: with or without a country's code."""
    for match in _PHONE.finditer(flat):
        digits = "".join(str(int(digit)) for digit in _NO_DIGIT.sub("", match.group()))
        if policy.SHORTEST_PHONE <= len(digits) <= policy.LONGEST_PHONE:
            loose = dict.fromkeys((digits[-policy.SHORTEST_PHONE :] + MARK, *_as_a_phone(digits)))
            yield Token((digits,), tuple(loose), extra=True, literal=True)
