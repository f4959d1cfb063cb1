"""Messages cut into clauses: what somebody asserted, denied, asked or only supposed."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from memory.cues import NOT_FORGET, POSSESSIVES, REMEMBER, TELLING_QUESTIONS
from memory.folding import fold, words
from memory.lexicon import COMMON_CONJUNCTIONS, CONDITIONALS, WITHOUT
from memory.numerals import forms
from memory.reflection.borrowed import is_borrowed, only_ascribes
from memory.statements import is_negated

_SENTENCE: Final = regex.compile(r"[^.!?。！？…\n;；]*(?:[.](?=\p{L}|\d)[^.!?。！？…\n;；]*)*[.!?。！？…\n;；]*")
_QUESTION: Final = regex.compile(r"[?？؟]|吗[。！]?\s*$|か[。]\s*$")
_NOT_FORGET: Final = regex.compile(fold(NOT_FORGET))
_TELLING: Final = regex.compile(fold(TELLING_QUESTIONS))
_REMEMBER: Final = regex.compile(
    r"(?:^|[.,;:!?\n]\s*|\b(?:please|pls|also|and|so|bitte|por favor|per favore|s'il te plait|пожалуйста|can you|could you|would you|you should|you must)[,:]?\s+)"
    rf"(?:{fold('|'.join(REMEMBER))})",
)
_REMEMBER_ANYWHERE: Final = regex.compile(
    fold("记住|記住|记得|別忘|别忘|不要忘|记下|覚えて|忘れないで|メモし|기억해|잊지 ?마|메모해|تذكر|זכור")
)
_AND: Final = r"\b(?:and|und|et|y|e|и|en|och|i|та)\s+(?=(?:no|not|never|kein\p{L}*|nicht|pas|не|nie|i|we|he|she|ich|wir|je|yo|я|мы|my|mein\p{L}*)\b)"
_CUT: Final = regex.compile(
    rf"[,，、:：()–—]+|\s-+\s|\b(?=(?:{'|'.join(sorted(WITHOUT, key=len, reverse=True))})\b)"
    rf"|\b(?=(?:{'|'.join(sorted(COMMON_CONJUNCTIONS, key=len, reverse=True))})\b)|{_AND}",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One assertion, denial, question or supposition, at ``start``–``end`` (code points) of its message."""

    text: str
    start: int
    end: int
    words: frozenset[str]  # folded
    numbers: frozenset[str]
    negated: bool
    asserted: bool  # neither asked nor only supposed


@lru_cache(maxsize=256)
def clauses(text: str) -> tuple[Clause, ...]:
    """Give the clauses of a message in order. Asking to remember is no denial: "don't forget" is taken out before anything is judged."""
    told = asks_to_remember(text) or _TELLING.search(fold(text)) is not None
    return tuple(
        clause
        for sentence in _SENTENCE.finditer(text)
        if sentence[0].strip()
        for clause in _of_sentence(sentence, text, told)
    )


def _of_sentence(sentence: "regex.Match[str]", text: str, told: bool) -> Iterator[Clause]:
    asked = _QUESTION.search(sentence[0]) is not None and not told
    pieces = list(_pieces(sentence.start(), sentence.end(), text))
    ascribed = False
    for at, (start, end) in enumerate(pieces):
        question = asked and at == len(pieces) - 1
        lent = ascribed or is_borrowed(text, start, end)
        ascribed = only_ascribes(text[start:end])
        yield _clause(text, start, end, asserted=not question and not lent)
        if question:
            yield from _presupposed(text, start, end)


def _pieces(start: int, end: int, text: str) -> Iterator[tuple[int, int]]:
    """Give the spans between commas and conjunctions; a comma inside a number parts nothing."""
    at = start
    for cut in _CUT.finditer(text, start, end):
        inside = (
            0 < cut.start() < len(text) - 1
            and text[cut.start() - 1].isdigit()
            and text[cut.start() + 1 : cut.start() + 2].isdigit()
        )
        if not inside and text[at : cut.start()].strip():
            yield at, cut.start()
            at = cut.end()
    if text[at:end].strip():
        yield at, end


def _clause(text: str, start: int, end: int, *, asserted: bool) -> Clause:
    piece = text[start:end]
    tokens = frozenset(w.folded for w in words(piece))
    judged = _NOT_FORGET.sub(" ", fold(piece))
    supposed = bool(CONDITIONALS & tokens)
    return Clause(piece, start, end, tokens, forms(piece), is_negated(judged, text[:2000]), asserted and not supposed)


def _presupposed(text: str, start: int, end: int) -> Iterator[Clause]:
    """Give what a question takes for granted: "my landlord Mr Braun" in "Can you write to my landlord Mr Braun?"."""
    tokens = words(text[start:end])
    owned = next((at for at, w in enumerate(tokens) if w.folded in POSSESSIVES), None)
    if owned is not None and owned >= 2:
        yield _clause(text, start + tokens[owned].start, end, asserted=True)


@lru_cache(maxsize=256)
def asks_to_remember(text: str) -> bool:
    """Say whether a person asks to keep what this message says."""
    folded = fold(text)
    return _REMEMBER.search(folded) is not None or _REMEMBER_ANYWHERE.search(folded) is not None
