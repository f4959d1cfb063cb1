"""What a message asks of the offline model: pure, by rules, and silent where no rule fits."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import regex

from bot import offline_patterns as patterns
from memory.analysis import content_terms
from memory.domain import MAX_TEXT_CHARS
from memory.folding import fold
from memory.triggers.wording import unfit

LONGEST_MESSAGE_CHARS = 20_000
"""Past this a message is a document, and rules about sentences say nothing about it."""
MOST_STATEMENTS = 8
"""More changes than this are refused from one reflection."""


class Wish(StrEnum):
    """What a part of a message is for."""

    REMEMBER = "remember"  # asked to be kept
    LESSON = "lesson"  # what to do or avoid next time
    STATEMENT = "statement"  # a plain sentence about the person
    FORGET = "forget"
    QUESTION = "question"
    GREETING = "greeting"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message. ``text`` is the matter in the person's own words, without the request around it.

    ``cue`` says what a lesson is about.
    """

    wish: Wish
    text: str
    cue: str = ""

    @property
    def keeps(self) -> bool:
        """Say whether this is to be stored."""
        return self.wish in {Wish.REMEMBER, Wish.STATEMENT, Wish.LESSON}


def read(text: str, speaker: str = "") -> tuple[Part, ...]:
    """Give the parts of a message in order; a leading "Name:" of the speaker's own is no part of what was said."""
    if len(text) > LONGEST_MESSAGE_CHARS:
        return (Part(Wish.OTHER, text[:MAX_TEXT_CHARS]),)
    if speaker and text.startswith(f"{speaker}:"):
        text = text[len(speaker) + 1 :]
    return tuple(_bounded(_joined(_classified(text))))


def _classified(text: str) -> Iterator[Part]:
    listing = False  # after "Remember:" every line is meant
    for sentence in _sentences(text):
        part = _classify(sentence)
        if part.wish is Wish.REMEMBER and not part.text:
            listing = True
        elif listing and part.wish in {Wish.OTHER, Wish.STATEMENT}:
            yield Part(Wish.REMEMBER, _stripped(sentence))
        else:
            yield part


def _joined(parts: Iterator[Part]) -> Iterator[Part]:
    """Join a sentence that speaks on ("Her number is …") to what it speaks of."""
    held: Part | None = None
    for part in parts:
        if (
            held
            and held.keeps
            and part.wish in {Wish.OTHER, Wish.STATEMENT}
            and patterns.FOLLOWING.match(fold(part.text))
        ):
            joined = f"{held.text}. {part.text}"
            if len(joined) <= MAX_TEXT_CHARS:
                held = replace(held, text=joined)
                continue
        if held:
            yield held
        held = part
    if held:
        yield held


def _bounded(parts: Iterator[Part]) -> Iterator[Part]:
    kept = 0
    for part in parts:
        fits = kept < MOST_STATEMENTS and len(part.text) <= MAX_TEXT_CHARS and bool(content_terms(part.text))
        kept += part.keeps and fits
        yield part if fits or not part.keeps else Part(Wish.OTHER, part.text[:MAX_TEXT_CHARS])


_ABBREVIATION = regex.compile(
    r"(?:^|[\s(])(?:\p{L}|dr|mr|mrs|ms|prof|st|str|nr|no|jr|sr|sra|srta|mme|mlle|dott|sig|ing|ul|ca|vs|etc|bzw|inkl|geb|tel|e\.g|i\.e|"
    r"z\.b|d\.h|u\.a|a\.m|p\.m|др|г|ул|д|डॉ)$",
    regex.IGNORECASE,
)
_ORDINAL = regex.compile(
    r"(?:^|\b(?:am|der|den|dem|des|zum|vom|beim|die|das|dne|dnia|den|d\.)\s+)\p{N}{1,2}$", regex.IGNORECASE
)
_END = regex.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[」』）]?|[؟।]+|\n+")


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        if end.group() == "." and _is_inside(text[start : end.start()], text[end.end() : end.end() + 2]):
            continue
        yield from _trimmed(text[start : end.end()])
        start = end.end()
    yield from _trimmed(text[start:])


def _is_inside(before: str, after: str) -> bool:
    """Say whether a stop belongs to an abbreviation or to an ordinal ("3. Dezember") and ends nothing."""
    if _ABBREVIATION.search(before[-8:]):
        return True
    return bool(_ORDINAL.search(before[-10:]) or (before[-1:].isdecimal() and after.lstrip()[:1].islower()))


def _trimmed(sentence: str) -> Iterator[str]:
    bare = regex.sub(r"^[\s\-–—•*>·¡]+", "", sentence).strip()
    if regex.search(r"[\p{L}\p{N}\p{So}]", bare):
        yield bare


def _stripped(sentence: str) -> str:
    """Give the sentence without the stop at its end, and without quotes around all of it."""
    bare = sentence.strip().rstrip(".。।!！…،,、;:： ").strip()
    quoted = regex.fullmatch(r"[\"“„«'‘]([^\"“”„«»]*)[\"”“»'’]", bare)
    return quoted.group(1).strip() if quoted else bare


def _classify(sentence: str) -> Part:
    folded = _Folded(sentence)
    plain = folded.text.rstrip("\"'”’»)]")
    asks = plain.endswith(("?", "؟", ";?")) or folded.text.startswith(("¿", "؟"))
    kept = _to_remember(folded, asks=asks)
    if kept is not None:
        return kept
    if asks or patterns.ASKING.match(folded.text):
        return Part(Wish.QUESTION, sentence)
    about = _to_forget(folded)
    if about is not None:
        return Part(Wish.FORGET, about)
    if patterns.SMALL_TALK.match(folded.text):
        return Part(Wish.GREETING, sentence)
    return _told(sentence, folded)


def _told(sentence: str, folded: "_Folded") -> Part:
    """Give what neither asks nor greets: a statement about oneself, a correction, or anything else."""
    if not patterns.SELF.match(folded.text):
        cue = _cue(folded)
        return Part(Wish.LESSON if cue else Wish.OTHER, _stripped(sentence), cue)
    if patterns.NO_FACT.match(folded.text):
        return Part(Wish.OTHER, _stripped(sentence))
    return Part(Wish.STATEMENT, _stripped(folded.original(patterns.filler(folded.text), len(folded.text))))


def _to_remember(folded: "_Folded", *, asks: bool) -> Part | None:
    found = patterns.remembering(folded.text)
    if found is None or (asks and not found.groupdict().get("told")):
        return None  # "Do you remember my dentist?" asks; "Can you remember that …?" tells
    matter = _stripped(folded.original(*found.span("matter")).rstrip("?？؟"))
    reminisces = patterns.REMINISCENCE.match(fold(matter))
    return Part(Wish.OTHER if reminisces else Wish.REMEMBER, matter)


def _to_forget(folded: "_Folded") -> str | None:
    found = patterns.forgetting(folded.text)
    if found is None:
        return None
    return _stripped("".join(folded.original(*found.span(name)) for name in ("before", "after")))


def _cue(folded: "_Folded") -> str:
    """Give what a correction is about, as words that call the lesson up; empty where it is none, or names nothing."""
    found = patterns.correcting(folded.text)
    if found is None:
        return ""
    matter = "".join(folded.original(*found.span(name)) for name in ("matter", "rest") if name in found.groupdict())
    named = patterns.situation(fold(matter)) if len(fold(matter)) == len(matter) else None
    cue = _stripped(matter if named is None else matter[named[0] : named[1]])
    return "" if unfit(cue) else cue


class _Folded:
    """A sentence in its folded form, able to give back what was written at a place of it."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence
        pieces = [fold(char) for char in sentence]
        self._origin = [at for at, piece in enumerate(pieces) for _ in piece] + [len(sentence)]
        self.text = "".join(pieces)

    def original(self, start: int, end: int) -> str:
        """Give what was written where ``text[start:end]`` is."""
        return self._sentence[self._origin[start] : self._origin[end]]
