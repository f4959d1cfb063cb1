"""The verdict on every proposed operation: pure rules over what was shown, said and proposed. The first that fits decides."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import regex

from memory.domain import MAX_TEXT_CHARS, Memory, MemoryId
from memory.folding import fold
from memory.reflection.case import Case, overlaps, shown_as
from memory.reflection.drafting import draft, resolved
from memory.reflection.evidence import Voice, assistant_said
from memory.reflection.importance import on_scale
from memory.reflection.operations import (
    Brief,
    Judgement,
    Malformed,
    NewMemory,
    OpName,
    Outcome,
    Proposed,
    Reason,
    Reply,
    Verdict,
)
from memory.reflection.requests import is_lesson, is_order
from memory.reflection.succession import ASKED, linked
from memory.sameness import holds
from memory.secrets import find_secrets

MAX_OPERATIONS: Final = 8
"""No turn holds more that is worth keeping; what lies beyond is a model that ran away."""
BLANKED: Final = ("[forgotten]", "[secret removed]")
"""What stands in a message where words were taken out: no statement."""
_USED: Final = 0.5
"""The share of a memory's content that a reply which relied on it repeats; names and numbers count for themselves."""


def validate(
    brief: Brief,
    reply: Reply,
    *,
    current: Mapping[MemoryId, int] | None = None,
    tombstoned: Callable[[str], bool] = lambda _: False,
) -> Judgement:
    """Judge a reply: a verdict for every entry, in order, and the memories the assistant's answer relied on.

    ``current`` has the revisions as they are now; without it nothing is stale. ``tombstoned`` tells whether a person had a text
    forgotten for good. Never raises.
    """
    court = _Court(brief, current, tombstoned)
    for entry in reply.entries:
        court.verdicts.append(court.judge(len(court.verdicts), entry))
    return Judgement(linked(reply.entries, court.verdicts), _really_used(brief, reply))


@dataclass
class _Court:
    """The state of judging one reply: what was accepted so far decides what is a repetition."""

    brief: Brief
    current: Mapping[MemoryId, int] | None
    tombstoned: Callable[[str], bool]
    verdicts: list[Verdict] = field(default_factory=list)

    def judge(self, index: int, entry: Proposed | Malformed) -> Verdict:
        """Give the verdict on one entry."""
        if isinstance(entry, Malformed):
            return Verdict(entry.op, Outcome.REJECT, Reason.MALFORMED, entry.problem)
        if index >= MAX_OPERATIONS:
            return Verdict(entry.op, Outcome.REJECT, Reason.TOO_MANY)
        if entry.op is OpName.NOOP:
            return Verdict(entry.op, Outcome.ACCEPT, Reason.OK)
        case = Case(self.brief, entry)
        return self._form(case) or self._substance(case)

    def _form(self, case: Case) -> Verdict | None:
        """What can be said without weighing the evidence."""
        entry, text = case.entry, case.entry.text or ""
        if entry.op is not OpName.ADD and case.target is None:
            return case.reject(Reason.UNKNOWN_ID)
        if case.is_elsewhere:
            return case.reject(Reason.OUT_OF_SCOPE, case.why_elsewhere)
        if case.target is not None and self._is_stale(case.target):
            return case.reject(Reason.STALE)
        return self._wording(case, text) if text else None

    def _wording(self, case: Case, text: str) -> Verdict | None:
        """What the words alone forbid."""
        if any(mark in text for mark in BLANKED):
            return case.reject(Reason.MALFORMED, "quotes what was taken out")
        if len(text) > MAX_TEXT_CHARS:
            return case.reject(Reason.TOO_LONG)
        if find_secrets(text) or self._gives_away(text):
            return case.reject(Reason.SECRET, "holds a secret")
        return case.reject(Reason.TOMBSTONE) if self._is_forgotten(case, text) else None

    def _gives_away(self, text: str) -> bool:
        """Say whether a text holds what somebody called a password or the like, under whatever other name."""
        return any(regex.search(rf"(?<!\w){regex.escape(secret)}(?!\w)", text) for secret in self._secrets)

    @cached_property
    def _secrets(self) -> frozenset[str]:
        said = (entry.message.text for entry in self.brief.messages)
        return frozenset(text[s.start : s.end].strip("!?.") for text in said for s in find_secrets(text))

    def _is_stale(self, target: Memory) -> bool:
        changed = any(v.target is not None and v.target.id == target.id and v.op in _CHANGES for v in self._effective())
        return changed or (self.current is not None and self.current.get(target.id) != target.revision)

    def _is_forgotten(self, case: Case, text: str) -> bool:
        return self.tombstoned(text) or any(self.tombstoned(resolved(text, v)) for v in case.evidence.own)

    def _effective(self) -> list[Verdict]:
        return [v for v in self.verdicts if v.outcome in {Outcome.ACCEPT, Outcome.QUARANTINE}]

    def _substance(self, case: Case) -> Verdict:
        """What the evidence says."""
        supported = case.supporting()
        if (
            case.entry.text
            and supported is None
            and case.evidence.passed_on
            and (is_lesson(case.entry) or is_order(case.entry.text, case.evidence.passed_on))
        ):
            return case.reject(Reason.INSTRUCTION, "an order in passed-on words")
        if supported is None and case.is_echo:
            return case.reject(Reason.ECHO, "only the assistant said it")
        if not case.has_human_evidence:
            return self._without_human_word(case)
        if supported is None:
            waiting = case.hearsay() if not case.voices_touch else None
            return waiting or case.reject(Reason.UNSUPPORTED, case.objection)
        return self._repetition(case, supported) or self._accept(case, supported)

    def _without_human_word(self, case: Case) -> Verdict:
        waiting = case.hearsay()
        if waiting is None or waiting.new is None:
            return case.reject(Reason.NO_HUMAN_EVIDENCE, "" if case.entry.evidence else "no evidence named")
        again = self._repeats(waiting.new)
        return (again and Verdict(case.entry.op, Outcome.REJECT, Reason.DUPLICATE, within=again)) or waiting

    def _repetition(self, case: Case, voice: Voice) -> Verdict | None:
        """A statement that is held already, or that an earlier entry of the reply brings, is no new one."""
        if case.entry.text is None:
            return None
        new = draft(self.brief, case.entry, voice, case.target)
        earlier = self._repeats(new)
        if earlier is not None:
            return Verdict(case.entry.op, Outcome.REJECT, Reason.DUPLICATE, "said twice in one reply", within=earlier)
        held = case.held_as(new)
        if held is None:
            return None
        if self._is_stale(held):
            return case.reject(Reason.STALE)
        return Verdict(case.entry.op, Outcome.REINFORCE, Reason.DUPLICATE, target=held, actor_id=voice.speaker_id)

    def _repeats(self, new: NewMemory) -> int | None:
        """Give the index of the earlier entry that brings the same."""
        for index, verdict in enumerate(self.verdicts):
            kept = verdict.new if verdict.outcome in {Outcome.ACCEPT, Outcome.QUARANTINE} else None
            if (
                kept
                and kept.scope == new.scope
                and fold(kept.subject or "") == fold(new.subject or "")
                and holds(kept.text, new.text)
            ):
                return index
        return None

    def _accept(self, case: Case, voice: Voice) -> Verdict:
        entry = case.entry
        if entry.op is OpName.REINFORCE:
            return Verdict(entry.op, Outcome.REINFORCE, Reason.OK, target=case.target, actor_id=voice.speaker_id)
        if entry.op is OpName.DELETE:
            detail = ASKED if case.is_wish(voice) else ""
            return Verdict(entry.op, Outcome.ACCEPT, Reason.OK, detail, case.target, actor_id=voice.speaker_id)
        new = draft(self.brief, entry, voice, case.target)
        reason = Reason.OK if on_scale(entry.importance)[1] else Reason.BAD_IMPORTANCE
        return Verdict(entry.op, Outcome.ACCEPT, reason, target=case.target, new=new, actor_id=voice.speaker_id)


_CHANGES: Final = frozenset({OpName.UPDATE, OpName.DELETE})


def _really_used(brief: Brief, reply: Reply) -> tuple[Memory, ...]:
    """Give the memories named as used whose words the assistant's answer repeats."""
    answer = assistant_said(brief)
    named = dict.fromkeys(shown_as(brief, alias) for alias in reply.used)
    return tuple(m for m in named if m is not None and answer and overlaps(m.text, answer, _USED))
