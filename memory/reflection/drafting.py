"""A proposal made ready to be stored: everything the model left open is filled in from what was really said."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import regex

from memory.dates import DateMention, Moment, Unit, end_of_day, find_dates, is_open_ended, write_out, zone
from memory.domain import MAX_TEXT_CHARS, Kind, Memory
from memory.folding import words
from memory.lexicon import STAND_INS
from memory.reflection.authority import is_same_person, scope_for
from memory.reflection.clauses import asks_to_remember
from memory.reflection.evidence import Voice
from memory.reflection.importance import on_scale
from memory.reflection.operations import Brief, BriefMessage, NewMemory, Proposed
from memory.statements import Inflections, content_words, language_of
from memory.triggers.wording import fit_phrases, fit_tools

_KINDS: Final = {
    "fact": Kind.SEMANTIC, "preference": Kind.SEMANTIC, "profile": Kind.SEMANTIC, "event": Kind.EPISODIC, "appointment": Kind.EPISODIC,
    "plan": Kind.EPISODIC, "instruction": Kind.PROCEDURAL, "procedure": Kind.PROCEDURAL, "how-to": Kind.PROCEDURAL, "rule": Kind.PROCEDURAL,
}  # fmt: skip
_SIGNS: Final = regex.compile(r"[\W_]+")
_AFTERMATH: Final = timedelta(days=7)
"""A model may let a dated matter end up to a week after its date (a trip), not later."""


def resolved(text: str, voice: Voice) -> str:
    """Give ``text`` with the words for dates replaced by the dates, if it still fits."""
    written = write_out(text, dates_of(text, voice), language_of(f"{voice.text[:2000]} {text}"))
    return written if len(written) <= MAX_TEXT_CHARS else text


def dates_of(text: str, voice: Voice) -> tuple[DateMention, ...]:
    """Give the dates in ``text``; a bare weekday means the one that whoever said it meant."""
    return tuple(_as_said(mention, voice) for mention in find_dates(text, voice.moment))


def _as_said(mention: DateMention, voice: Voice) -> DateMention:
    if mention.weekday is None or not mention.relative:
        return mention
    meant = next((d for d in voice.dates if d.weekday == mention.weekday), None)
    return (
        mention
        if meant is None
        else replace(mention, options=meant.options, relative=meant.relative, habitual=meant.habitual)
    )


def draft(brief: Brief, proposed: Proposed, voice: Voice, target: Memory | None = None) -> NewMemory:
    """Give the memory that ``proposed`` becomes on the word of ``voice``; for an update, what ``target`` becomes."""
    text = resolved(proposed.text or "", voice)
    mentions = dates_of(proposed.text or "", voice)
    kind = _kind(proposed, target, mentions, voice)
    subject = subject_of(brief, proposed, voice) if target is None else target.subject
    rated = proposed.importance if target is None or proposed.importance is not None else target.importance
    return NewMemory(
        scope=scope_for(brief, proposed, subject if not is_same_person(subject, voice.speaker) else None, kind)
        if target is None
        else target.scope,
        text=text,
        kind=kind,
        importance=on_scale(rated)[0],
        subject=subject,
        speaker=voice.speaker,
        speaker_id=voice.speaker_id,
        trust=voice.trust,
        expires_at=expiry(brief, proposed, kind, mentions, voice),
        triggers=fit_phrases(phrase for phrase in proposed.triggers if is_said(phrase, voice, text)),
        tools=fit_tools(tool for tool in proposed.tools if is_said(_SIGNS.sub(" ", tool), voice, text, whole=False)),
        explicit=voice.is_own and any(asks_to_remember(m.message.text) for m in _supporting(voice, text)),
        sources=tuple(_span(m, text) for m in _supporting(voice, text)),
    )


def is_said(cue: str, voice: Voice, text: str, *, whole: bool = True) -> bool:
    """Say whether a cue is made of a person's own words: each that tells something was said, or stands in the lesson.

    Without ``whole`` one of them is enough, since nobody says a tool's whole name. A lesson left without any cue comes up by
    what it says, like every memory.
    """
    said = f"{voice.text}\n{text}"
    pool = Inflections((w.folded for w in words(said)), voice.language)
    content = content_words(cue)
    met = [pool.has(word) or (not word.isascii() and word in said) for word in content]
    if not content:
        return voice.is_own and cue in said
    return voice.is_own and (all(met) if whole else any(met))


def _kind(proposed: Proposed, target: Memory | None, mentions: Iterable[DateMention], voice: Voice) -> Kind:
    """Give the kind as written; where none is, a coming day makes an episode and anything else a fact."""
    written = (proposed.kind or "").strip().lower()
    if written in set(Kind):
        return Kind(written)
    if written in _KINDS:
        return _KINDS[written]
    if target is not None:
        return target.kind
    return Kind.EPISODIC if _last_day(proposed.text or "", mentions, voice.moment) else Kind.SEMANTIC


def subject_of(brief: Brief, proposed: Proposed, voice: Voice) -> str | None:
    """Give whom the statement is about: as the model says, where the evidence or the statement names them; else who spoke.

    Passed-on words without a named subject are about nobody in particular.
    """
    written = (proposed.subject or "").strip()
    tokens = [w.folded for w in words(written)]
    if not tokens or STAND_INS.issuperset(tokens) or is_same_person(written, voice.speaker):
        return _first_named(brief, proposed, voice) or (voice.speaker if voice.is_own else None)
    said = {w for c in voice.clauses for w in c.words} | {w.folded for w in words(proposed.text or "")}
    named = [t for t in tokens if t in said or not t.isascii()]
    return written if named else (voice.speaker if voice.is_own else None)


def _first_named(brief: Brief, proposed: Proposed, voice: Voice) -> str | None:
    """Give the other person of the conversation with whom the statement begins ("Petra bakes the cake", said by Leif)."""
    first = next((w.folded for w in words(proposed.text or "")), None)
    people = dict.fromkeys(m.message.speaker for m in brief.messages if m.message.origin.is_own)
    others = [p for p in people if not is_same_person(p, voice.speaker)]
    return next((p for p in others if first in {w.folded for w in words(p)}), None)


def expiry(
    brief: Brief, proposed: Proposed, kind: Kind, mentions: Iterable[DateMention], voice: Voice
) -> datetime | None:
    """Give when the matter is over: the model's word where a date that was said bears it out, else the end of the last day named.

    Only matters with a coming date end. A habit, a birthday, or what began on a day does not.
    """
    last = _last_day(proposed.text or "", mentions, voice.moment) or _evidence_day(voice)
    written = _written_expiry(proposed.expires_at, brief.timezone)
    if written is not None and last is not None and last - timedelta(seconds=86_399) <= written <= last + _AFTERMATH:
        return written if written > brief.now else None
    if kind is not Kind.EPISODIC or last is None or _last_day(proposed.text or "", mentions, voice.moment) is None:
        return None
    return last if last > brief.now else None


def _last_day(text: str, mentions: Iterable[DateMention], said: Moment) -> datetime | None:
    """Give the end of the last coming day that ``text`` names for something that ends with it."""
    days = [
        m.value
        for m in mentions
        if m.unit is Unit.DAY
        and m.value
        and (m.relative or m.year)
        and m.value >= said.day
        and not is_open_ended(text, m)
    ]
    return end_of_day(max(days), said.timezone) if days else None


def _evidence_day(voice: Voice) -> datetime | None:
    days = [d.value for d in voice.dates if d.unit is Unit.DAY and d.value and d.value >= voice.moment.day]
    return end_of_day(max(days), voice.timezone) if days else None


def _written_expiry(written: str | None, timezone: str) -> datetime | None:
    """Read an ISO date (to the end of that local day) or an ISO instant (local without an offset)."""
    if not written:
        return None
    try:
        read = datetime.fromisoformat(written.strip())
        if len(written.strip()) <= len("2026-12-03"):
            return end_of_day(read.date(), timezone)
        return (read if read.tzinfo else read.replace(tzinfo=zone(timezone))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _supporting(voice: Voice, text: str) -> tuple[BriefMessage, ...]:
    """Give the messages that share content with ``text``, or all where none stands out."""
    content = content_words(text)
    sharing = tuple(m for m in voice.messages if _shares(m.message.text, content))
    return sharing or voice.messages


def _shares(message: str, content: Iterable[str]) -> bool:
    pool = Inflections(content_words(message), language_of(message))
    return any(pool.has(word) for word in content)


def _span(item: BriefMessage, text: str) -> tuple[int, int, int]:
    """Give the message and the span of it, from the first clause that shares content to the last."""
    voice = Voice((item,), "UTC")
    content = content_words(text)
    touching = [c for c in voice.clauses if _shares(c.text, content)]
    whole = len(item.message.text)
    return item.message.id, touching[0].start if touching else 0, touching[-1].end if touching else whole
