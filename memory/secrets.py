"""Finds what must never be kept: passwords, PINs, keys, recovery phrases, card, account and document numbers.

Written for what people say ("my PIN is 4711"), in some thirty languages: detectors made for source code find keys, but flag half of every
sentence and know no PIN. Saying that a secret exists, and numbers that open nothing (bookings, orders, telephones), are left alone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import Final

import regex

from memory.secret_words import (
    ACCESS_CODES,
    CONNECTIVES,
    DIGIT_WORDS,
    DOCUMENTS,
    HARMLESS_VALUES,
    KEYS,
    OF_WHAT,
    PASSWORDS,
    PHRASES,
    PINS,
    PLAIN_WORDS,
)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a secret stands (code points), and what it is."""

    start: int
    end: int
    kind: str


REDACTED: Final = "[redacted]"

_KNOWN_KEYS: Final = regex.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)"
    r"|\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}"
    r"|\bglpat-[\w-]{16,}|\bxox[abprs]-[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bhf_[A-Za-z0-9]{20,}"
    r"|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bya29\.[\w-]{20,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}"
    r"|\b\d{8,10}:[A-Za-z0-9_-]{35}\b|\b0x[0-9a-fA-F]{64}\b|\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b",
    regex.DOTALL,
)
_CREDENTIALS_IN_ADDRESS: Final = regex.compile(r"\b[a-z][a-z0-9+.-]{1,12}://[^\s:/@]{1,64}:(?P<value>[^\s@/]{1,128})@")
_SSN: Final = regex.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_CARD: Final = regex.compile(r"(?<![\p{Nd}.,])\p{Nd}{4}(?:[ \u00a0./-]?\p{Nd}){9,15}(?!\p{Nd})")
_IBAN: Final = regex.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_CHINESE_ID: Final = regex.compile(r"(?<!\d)\d{17}[\dXx](?![\dA-Za-z])")
_LONG_TOKEN: Final = regex.compile(r"(?<![\w/.@-])[A-Za-z0-9_+-]{20,200}(?![\w/@])")
_UUID_OR_DIGEST: Final = regex.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{40}|[0-9-]+", regex.IGNORECASE
)
_WORD_RUN: Final = regex.compile(r"(?:(?:\d{1,2}[.)]\s*)?\b[a-z]{3,8}\b[\s,]+){11,}(?:\d{1,2}[.)]\s*)?\b[a-z]{3,8}\b")
_VALUE: Final = regex.compile(r"[\"“”„«»'‘’「『`]?(?P<value>[^\s\"“”„«»「」『』`，。；、]{2,128})")
_QUOTED: Final = regex.compile(r"\s*[\"“”„«'‘「『`](?P<value>[^\"“”»'’」』`\n]{2,128})[\"“”»'’」』`]")
_DIGIT_GROUPS: Final = regex.compile(r"\p{Nd}(?:[ \u00a0-]?\p{Nd}){2,11}(?!\p{Nd})")
_ALONE: Final = regex.compile(r"\s*(?:$|[.!?,;:。，！\n]|(?:and|und|et|y|e|и|but|aber|please|bitte)\b)")


def find_secrets(text: str) -> tuple[Span, ...]:
    """Give the secrets in ``text`` in order, without overlaps; the spans cover the secret itself, not the words that name it."""
    found = [s for s in (*_shaped(text), *_named(text)) if REDACTED not in text[max(0, s.start - 1) : s.end + 1]]
    kept: list[Span] = []
    for span in sorted(found, key=lambda s: (s.start, -s.end)):
        if kept and span.start < kept[-1].end:
            kept[-1] = Span(kept[-1].start, max(kept[-1].end, span.end), kept[-1].kind)
        else:
            kept.append(span)
    return tuple(kept)


def redact(text: str) -> str:
    """Give ``text`` with each secret replaced by `REDACTED`."""
    for span in reversed(find_secrets(text)):
        text = text[: span.start] + REDACTED + text[span.end :]
    return text


def _shaped(text: str) -> Iterator[Span]:
    """Give what is known by its own shape, whatever is said about it."""
    yield from (Span(m.start(), m.end(), "key") for m in _KNOWN_KEYS.finditer(text))
    yield from (Span(m.start("value"), m.end("value"), "password") for m in _CREDENTIALS_IN_ADDRESS.finditer(text))
    yield from (Span(m.start(), m.end(), "card") for m in _CARD.finditer(text) if _is_card(m[0]))
    yield from (Span(m.start(), m.end(), "account") for m in _IBAN.finditer(text) if _is_iban(m[0]))
    yield from (Span(m.start(), m.end(), "document") for m in _SSN.finditer(text))
    yield from (Span(m.start(), m.end(), "document") for m in _CHINESE_ID.finditer(text) if _is_chinese_id(m[0]))
    yield from (Span(m.start(), m.end(), "key") for m in _LONG_TOKEN.finditer(text) if _is_random(m[0]))
    yield from (Span(m.start(), m.end(), "recovery phrase") for m in _WORD_RUN.finditer(text) if _is_word_list(m[0]))


def _digits(text: str) -> list[int]:
    return [int(c) for c in text if c.isdecimal()]


_ISSUERS: Final = range(2, 7)
"""The first digits of payment cards."""


def _is_card(found: str) -> bool:
    """Check the length and the check digit (ISO/IEC 7812, Luhn)."""
    digits = _digits(found)
    doubled = [d if i % 2 == 0 else d * 2 - 9 if d > 4 else d * 2 for i, d in enumerate(reversed(digits))]
    return 13 <= len(digits) <= 19 and digits[0] in _ISSUERS and sum(doubled) % 10 == 0 and len(set(digits)) > 1


def _is_iban(found: str) -> bool:
    """Check the remainder by 97 (ISO 13616)."""
    joined = found.replace(" ", "")
    moved = joined[4:] + joined[:4]
    return 15 <= len(joined) <= 34 and int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def _is_chinese_id(found: str) -> bool:
    """Check the last sign (GB 11643)."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(int(d) * w for d, w in zip(found, weights, strict=False))
    return "10X98765432"[total % 11] == found[-1].upper()


def _is_random(token: str) -> bool:
    """Say whether a long token looks drawn at random: letters and digits mixed, no identifier everybody may see."""
    digits, letters = sum(c.isdigit() for c in token), sum(c.isalpha() for c in token)
    if digits < 5 or letters < 5 or _UUID_OR_DIGEST.fullmatch(token):
        return False
    counts = [token.count(c) / len(token) for c in set(token)]
    return -sum(p * log2(p) for p in counts) > 3.0


def _is_word_list(run: str) -> bool:
    listed = regex.findall(r"[a-z]{3,8}", run)
    return "," not in run and not PLAIN_WORDS.intersection(listed) and len(set(listed)) * 4 >= len(listed) * 3


@lru_cache(maxsize=1)
def _cues() -> tuple[tuple["regex.Pattern[str]", str], ...]:
    sorts = (
        (PHRASES, "recovery phrase"),
        (PASSWORDS, "password"),
        (PINS, "pin"),
        (ACCESS_CODES, "pin"),
        (KEYS, "key"),
        (DOCUMENTS, "document"),
    )
    return tuple((regex.compile(rf"(?:{pattern})", regex.IGNORECASE), kind) for pattern, kind in sorts)


_CONNECTION: Final = regex.compile(CONNECTIVES, regex.IGNORECASE)


def _named(text: str) -> Iterator[Span]:
    """Give what the words before it say is a secret."""
    for pattern, kind in _cues():
        for cue in pattern.finditer(text):
            yield from _value_after(text, cue.end(), kind)
    yield from _before(text)


_BEFORE: Final = regex.compile(
    r"(?:^|[\s\"“'])(?P<value>[^\s\"”']{3,64})[\"”']?\s+(?:is|was|ist|est|es|è|é|это|jest)\s+(?:my|our|the|mein|meine|mon|mi|mio|minha|мой|moje)"
    r"\s+(?:\p{L}+\s+){0,2}(?:password|passcode|pin|passwort|mot de passe|contrase\p{L}+|пароль|has[lł]o|senha)\b",
    regex.IGNORECASE,
)


def _before(text: str) -> Iterator[Span]:
    """Give the value in "4711 is my PIN"."""
    for found in _BEFORE.finditer(text):
        value = found["value"]
        if _looks_made_up(value) or (value.isdecimal() and len(value) >= 3):
            yield Span(found.start("value"), found.end("value"), "password")


def _value_after(text: str, at: int, kind: str) -> Iterator[Span]:
    """Look for the value behind a cue: directly, or after "is" and its like within the same sentence."""
    judge = {"pin": _pin, "document": _document, "key": _key, "recovery phrase": _phrase}.get(kind, _password)
    for start, connected in _beginnings(text, at):
        quoted = _QUOTED.match(text, start) if connected and kind != "recovery phrase" else None
        span = quoted.span("value") if quoted else judge(text, start, connected=connected)
        if span:
            yield Span(span[0], span[1], kind)
            return
    aside = _ASIDE.match(text, at)
    span = judge(text, aside.end(), connected=False) if aside else None
    if span and span[1] - span[0] >= 4 and _DIGIT.search(text, *span):
        yield Span(span[0], span[1], kind)


def _beginnings(text: str, at: int) -> Iterator[tuple[int, bool]]:
    """Give where a value may begin, and whether something like "is" stands before it."""
    blank = _BLANK.match(text, at)
    yield (blank.end() if blank else at), False
    end = _STOP.search(text, at, min(len(text), at + _REACH))
    for found in _CONNECTION.finditer(text, at, end.start() if end else min(len(text), at + _REACH)):
        yield found.end(), True


_REACH: Final = 60
_BLANK: Final = regex.compile(r"\s+")
_DIGIT: Final = regex.compile(r"\p{Nd}")
_ASIDE: Final = regex.compile(rf",\s+|{OF_WHAT}", regex.IGNORECASE)
_DICTATED: Final = regex.compile(rf"(?:(?:{DIGIT_WORDS})[\s,-]+){{3,11}}(?:{DIGIT_WORDS})\b", regex.IGNORECASE)
_STOP: Final = regex.compile(r"[.!?](?=\s|$)|[。！？\n]")


def _pin(text: str, at: int, *, connected: bool) -> tuple[int, int] | None:
    """Three to twelve digits, also dictated, or a made-up code."""
    dictated = _DICTATED.match(text, at)
    if dictated:
        return dictated.span()
    found = _DIGIT_GROUPS.match(text, at)
    if found and not regex.match(
        r"[.,:/]\d|\s?(?:%|€|euro|digits?|stellig|stellen|chiffres|times|mal)",
        text[found.end() : found.end() + 10],
        regex.IGNORECASE,
    ):
        return found.span() if not _is_year(found[0]) or connected else None
    value = _VALUE.match(text, at)
    return (
        _trimmed(value)
        if value and connected and regex.search(r"\p{Nd}", value["value"]) and len(value["value"]) >= 4
        else None
    )


def _is_year(digits: str) -> bool:
    return len(digits) == 4 and digits[:2] in {"19", "20"}


def _document(text: str, at: int, *, connected: bool) -> tuple[int, int] | None:
    """Letters and digits, at least five digits in all; blanks, dots and dashes may group them."""
    found = regex.match(
        r"[A-Z]{0,3}[ -]?\p{Nd}[\p{Nd}A-Z]*(?:[ .\-/]?[\p{Nd}A-Z]*\p{Nd}[\p{Nd}A-Z]*){0,6}", text[at : at + 40]
    )
    if not found or len(_digits(found[0])) < (5 if connected else 6):
        return None
    return at, at + found.end()


def _key(text: str, at: int, *, connected: bool) -> tuple[int, int] | None:
    value = _VALUE.match(text, at)
    if not value:
        return None
    token = value["value"].rstrip(".,;:!?)")
    digits = sum(c.isdigit() for c in token)
    made_up = len(token) >= 8 and digits >= 1 and any(c.isalpha() for c in token)
    return (
        _trimmed(value)
        if made_up or (connected and len(token) >= 16 and regex.fullmatch(r"[\w+/=.-]+", token))
        else None
    )


def _phrase(text: str, at: int, *, connected: bool) -> tuple[int, int] | None:
    """Six words or more in a row that are no sentence."""
    if not connected and text[at : at + 1].isupper():
        return None
    found = regex.match(r"[\s:]*((?:(?:\d{1,2}[.)]\s*)?\p{L}{3,12}[\s,]+){5,}\p{L}{3,12})", text[at : at + 400])
    if not found or PLAIN_WORDS.intersection(regex.findall(r"\p{L}+", found[1].lower())):
        return None
    return at + found.start(1), at + found.end(1)


def _password(text: str, at: int, *, connected: bool) -> tuple[int, int] | None:
    """A made-up token; or, right after "is", a single word that ends the clause and describes nothing."""
    value = _VALUE.match(text, at)
    if not value:
        return None
    token = value["value"].rstrip(".,;:!?)")
    if _looks_made_up(token):
        return _trimmed(value)
    passphrase = regex.match(r"(?:\p{Ll}{3,12}[ -]){3,7}\p{Ll}{3,12}(?=\s*(?:$|[.!,;\n]))", text[at : at + 120])
    if connected and passphrase and not PLAIN_WORDS.intersection(regex.findall(r"\p{L}+", passphrase[0])):
        return at, at + passphrase.end()
    alone = _ALONE.match(text, value.start("value") + len(token)) is not None
    return _trimmed(value) if connected and alone and len(token) >= 4 and token.lower() not in HARMLESS_VALUES else None


def _looks_made_up(token: str) -> bool:
    """Say whether no dictionary would have ``token``: digits or signs among letters, capitals inside, or digits alone."""
    token = token.rstrip(".,;:!?)")
    if len(token) < 4 or (regex.fullmatch(r"[\p{L}'’-]+", token) and not regex.search(r"\p{Ll}\p{Lu}", token)):
        return False
    return not regex.fullmatch(
        r"https?://.*|[\w.+-]+@[\w.-]+|\p{Nd}{1,2}[.:/]\p{Nd}{1,2}.*|\(.*|\p{L}+/\p{L}+|\p{Nd}+(?:st|nd|rd|th|er|x)|(?:19|20)\d\d|\[redacted\]?",
        token,
    )


def _trimmed(value: "regex.Match[str]") -> tuple[int, int]:
    """Leave out the stop that ends the sentence; an exclamation mark at the end of a password stays unless a blank or nothing follows."""
    start, end = value.span("value")
    return start, end - (len(value["value"]) - len(value["value"].rstrip(".,;:)")))


def kinds(spans: Iterable[Span]) -> tuple[str, ...]:
    """Give what sorts of secret were found, each once, for telling the person."""
    return tuple(dict.fromkeys(s.kind for s in spans))
