"""One proposal beside its evidence: what it acts on, whose words count, whether they say it."""

from functools import cached_property
from typing import Final

from memory.domain import Memory, Status
from memory.folding import fold, words
from memory.reflection.agreement import agrees
from memory.reflection.authority import asks_elsewhere, is_same_person, may_address, with_authority
from memory.reflection.drafting import draft
from memory.reflection.evidence import Evidence, Voice, assistant_said, cited, own_voices
from memory.reflection.operations import Brief, NewMemory, OpName, Outcome, Proposed, Reason, Verdict
from memory.reflection.requests import asks_to_forget, contradicts
from memory.reflection.support import claim, contradicts_numbers, coverage, objection
from memory.sameness import holds
from memory.statements import Inflections, content_words, take_apart

_SAID_AGAIN: Final = 0.5
"""The share of a memory's content that counts as saying it again."""


class Case:
    """One proposal with its evidence."""

    def __init__(self, brief: Brief, entry: Proposed) -> None:
        self.brief = brief
        self.entry = entry
        self.target = shown_as(brief, entry.id) if entry.op is not OpName.ADD else None
        self.evidence: Evidence = cited(brief, entry.evidence)

    def reject(self, reason: Reason, detail: str = "") -> Verdict:
        """Give a refusal."""
        return Verdict(self.entry.op, Outcome.REJECT, reason, detail, target=self.target)

    @cached_property
    def why_elsewhere(self) -> str:
        """Why the operation may not be done from this chat; nothing where it may."""
        if self.target is None:
            return "another scope" if asks_elsewhere(self.brief, self.entry) else ""
        if not may_address(self.brief, self.target.scope):
            return "another scope"
        own = self.evidence.own
        if self.entry.op is OpName.REINFORCE or not own or with_authority(self.brief, self.target, own):
            return ""
        return "neither of nor by this person"

    @property
    def is_elsewhere(self) -> bool:
        """Say whether the operation may not be done from this chat."""
        return bool(self.why_elsewhere)

    @cached_property
    def voices(self) -> tuple[Voice, ...]:
        """Whose word counts here: own words, at least partly new, of people who may change what is to be changed."""
        fresh = tuple(v for v in self.evidence.own if v.is_new)
        if self.target is None or self.entry.op is OpName.REINFORCE:
            return fresh
        return with_authority(self.brief, self.target, fresh)

    @property
    def has_human_evidence(self) -> bool:
        """Say whether anybody's own, new words are among the evidence."""
        return bool(self.voices)

    @cached_property
    def others(self) -> dict[str, frozenset[str]]:
        """For each speaker the folded names of everybody else in the conversation."""
        people = {
            m.message.speaker
            for m in self.brief.messages
            if m.message.origin.is_own and m.message.speaker_id is not None
        }
        people |= {m.message.speaker for m in self.brief.messages if m.message.origin.is_own}
        named = {p: frozenset(w.folded for w in words(p)) for p in people}
        everybody = frozenset().union(*named.values()) if named else frozenset()
        return {p: everybody - own for p, own in named.items()}

    def supporting(self) -> Voice | None:
        """Give the first voice that bears the operation out."""
        return next((v for v in self.voices if self._problem(v) is None), None)

    @property
    def objection(self) -> str:
        """What the first voice lacks, in a few words."""
        return next((p for v in self.voices if (p := self._problem(v))), "")

    def _problem(self, voice: Voice) -> str | None:
        match self.entry.op:
            case OpName.DELETE:
                return self._no_reason_to_delete(voice)
            case OpName.REINFORCE:
                return self._not_said_again(voice)
            case _:
                return self._not_said(voice)

    def _no_reason_to_delete(self, voice: Voice) -> str | None:
        held = self.target.text if self.target else ""
        return None if self.is_wish(voice) or contradicts(voice, held) else "nobody asked for that"

    def is_wish(self, voice: Voice) -> bool:
        """Say whether somebody asks to forget what the operation acts on."""
        return asks_to_forget(voice, self.target.text if self.target else "")

    def _not_said_again(self, voice: Voice) -> str | None:
        if self.target is None or not _is_about(self.target, voice):
            return "about another person"
        if coverage(self.target.text, voice) < _SAID_AGAIN or contradicts_numbers(self.target.text, voice):
            return "nobody said it again"
        return None if agrees(self.target, voice) else "something else was said"

    def _not_said(self, voice: Voice) -> str | None:
        if self.entry.verbatim:
            return None
        subject = self._wrong_subject(voice)
        known = self.target.text if self.target else ""
        others = self.others.get(voice.speaker, frozenset())
        made = claim(self.entry.text or "", voice, known=known, others=others, subject=self.entry.subject)
        return subject or objection(made, voice)

    def _wrong_subject(self, voice: Voice) -> str | None:
        """Another person of the conversation is the subject only where the words name them."""
        tokens = {w.folded for w in words(self.entry.subject or "")}
        foreign = tokens & self.others.get(voice.speaker, frozenset())
        said = {w for c in voice.clauses for w in c.words}
        return (
            "said by another person"
            if foreign - said and not is_same_person(self.entry.subject, voice.speaker)
            else None
        )

    @property
    def voices_touch(self) -> bool:
        """Say whether people's own words have anything to do with the statement."""
        content = content_words(self.entry.text or "")
        return any(_shares(v, content) for v in self.voices)

    @cached_property
    def is_echo(self) -> bool:
        """Say whether a held memory is repeated that in this brief only the assistant brought up."""
        held = self.target if self.entry.op is OpName.REINFORCE else self._held_literally()
        if held is None or not overlaps(held.text, assistant_said(self.brief)):
            return False
        return not any(coverage(held.text, v) >= _SAID_AGAIN for v in own_voices(self.brief))

    def _held_literally(self) -> Memory | None:
        text = self.entry.text or ""
        return next((s.memory for s in self.brief.memories if text and holds(s.memory.text, text)), None)

    def held_as(self, new: NewMemory) -> Memory | None:
        """Give the memory that states ``new`` already, of the same subject and writable from here."""
        for shown in self.brief.memories:
            held = shown.memory
            usable = held.status is Status.ACTIVE and may_address(self.brief, held.scope) and _same_subject(held, new)
            if usable and (holds(held.text, new.text) or holds(held.text, self.entry.text or "")):
                return held
        return None

    def hearsay(self) -> Verdict | None:
        """Give the statement as one to be kept aside, where somebody passed on words that say it."""
        if self.entry.text is None:
            return None
        for voice in self.evidence.passed_on:
            known = self.target.text if self.target else ""
            if voice.is_new and objection(claim(self.entry.text, voice, known=known), voice) is None:
                new = draft(self.brief, self.entry, voice, self.target)
                return Verdict(
                    self.entry.op,
                    Outcome.QUARANTINE,
                    Reason.NO_HUMAN_EVIDENCE,
                    "passed on",
                    self.target,
                    new,
                    actor_id=voice.speaker_id,
                )
        return None


def shown_as(brief: Brief, alias: str | None) -> Memory | None:
    """Give the memory that the model saw under ``alias``, in any letter case."""
    wanted = (alias or "").strip().lower()
    return next((s.memory for s in brief.memories if s.alias.lower() == wanted), None)


def _same_subject(held: Memory, new: NewMemory) -> bool:
    """Say whether both are about the same; where both speak of themselves, accounts decide and names do not."""
    if held.subject is None or new.subject is None:
        return True
    himself = is_same_person(held.subject, held.speaker) and is_same_person(new.subject, new.speaker)
    if himself and held.speaker_id is not None and new.speaker_id is not None:
        return held.speaker_id == new.speaker_id
    return is_same_person(held.subject, new.subject) or fold(held.subject) == fold(new.subject)


def _is_about(held: Memory, voice: Voice) -> bool:
    """Say whether a voice that repeats ``held`` speaks of the same person: itself, or somebody it names."""
    if (
        held.subject is None
        or voice.speaker_id == held.speaker_id is not None
        or is_same_person(held.subject, voice.speaker)
    ):
        return True
    said = {w for c in voice.clauses for w in c.words}
    return bool({w.folded for w in words(held.subject)} & said) or not is_same_person(held.subject, held.speaker)


def _shares(voice: Voice, content: tuple[str, ...]) -> bool:
    pool = Inflections((w for c in voice.clauses for w in c.words), voice.language)
    return any(pool.has(w) or (not w.isascii() and w in voice.text) for w in content)


def overlaps(text: str, other: str, least: float = _SAID_AGAIN) -> bool:
    """Say whether ``other`` holds enough of the content of ``text``."""
    content = set(content_words(text))
    pool = Inflections((w.folded for w in words(other)), take_apart(text).language)
    met = sum(pool.has(w) or (not w.isascii() and w in other) for w in content)
    return bool(content) and met >= least * len(content)
