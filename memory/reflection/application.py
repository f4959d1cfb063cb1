"""What was judged is written: each verdict becomes one change and one line of the journal, under the write lock.

Between the judgement and this moment others may have written; so revisions, literal duplicates, tombstones and
evidence are looked at once more. The same turn is applied once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from memory import journal, store, tombstones, transcript
from memory.attachments import was_on
from memory.domain import GLOBAL, Actor, AgentSlug, Layer, Memory, MemoryId, Scope, Status
from memory.entries import USE, Cause
from memory.lifecycle.inflation import guarded, recent_additions
from memory.reflection import waking
from memory.reflection.effects import Applied, Effect
from memory.reflection.operations import Brief, Judgement, NewMemory, OpName, Outcome, Reason, Verdict
from memory.reflection.rules import about_the_same, entry_layer, reworded, weightier
from memory.statements import normalise
from memory.unit_of_work import UnitOfWork

__all__ = ["Applied", "Effect", "apply", "entry_layer"]


def apply(
    uow: UnitOfWork,
    judgement: Judgement,
    brief: Brief,
    *,
    agent: AgentSlug,
    now: datetime,
    turn_key: str,
    vectors: Mapping[str, Any],
    digest: str | None = None,
    index: store.VectorSink | None = None,
    actor: Actor = Actor.REFLECTION,
) -> Applied:
    """Write what was judged. ``vectors`` holds unit vectors by new text; what is missing, maintenance fills in.

    With ``actor`` a person, the wish lifts the tombstone of a text; reflection never does.
    """
    if journal.applied(uow, agent, turn_key, actor):
        return Applied(repeated=True)
    writing = _Writing(uow, brief, agent, now, turn_key, vectors, digest, index, actor)
    effects = writing.all(judgement.verdicts)
    for memory in judgement.used:
        writing.use(memory)
    if not effects:
        writing.note_nothing()
    return Applied(effects)


@dataclass(frozen=True, slots=True)
class _Writing:
    """One application under way."""

    uow: UnitOfWork
    brief: Brief
    agent: AgentSlug
    now: datetime
    turn_key: str
    vectors: Mapping[str, Any]
    digest: str | None
    index: store.VectorSink | None
    actor: Actor
    written: dict[MemoryId, int] = field(default_factory=dict)  # revisions this very application made
    effects: dict[int, Effect] = field(default_factory=dict)  # by the verdict's place

    def all(self, verdicts: Sequence[Verdict]) -> tuple[Effect, ...]:
        """Write them all; what is succeeded by an addition ends after that was written."""
        for index, verdict in sorted(enumerate(verdicts), key=lambda pair: pair[1].successor is not None):
            if verdict.op != OpName.NOOP:
                self.effects[index] = self.one(verdict)
        return tuple(effect for _, effect in sorted(self.effects.items(), key=lambda pair: pair[0]))

    def one(self, verdict: Verdict) -> Effect:
        by_outcome = {
            Outcome.REJECT: self._refused,
            Outcome.QUARANTINE: self._quarantine,
            Outcome.REINFORCE: self._reinforce,
            Outcome.ACCEPT: self._accepted,
        }
        return by_outcome[verdict.outcome](self._weighed(verdict))

    def _accepted(self, verdict: Verdict) -> Effect:
        match verdict:
            case Verdict(op=OpName.ADD, new=NewMemory() as new):
                return self._add(verdict, new)
            case Verdict(op=OpName.UPDATE, new=NewMemory() as new):
                return self._update(verdict, new)
            case Verdict(op=OpName.DELETE):
                return self._delete(verdict)
            case Verdict(op=OpName.REINFORCE):
                return self._reinforce(replace(verdict, outcome=Outcome.REINFORCE))
        return self._refused(_rejected(verdict, Reason.MALFORMED, "accepted without anything to do"))

    def _weighed(self, verdict: Verdict) -> Verdict:
        """Give the verdict with an importance that a model cannot inflate; what a person asked for weighs as it is."""
        new = verdict.new
        if new is None or new.rated is not None or new.explicit or self.actor is Actor.PERSON:
            return verdict
        recent = recent_additions(self.uow, self.agent, new.scope)
        importance = guarded(new.importance, recent.ratings, recent.days)
        return replace(verdict, new=replace(new, importance=importance, rated=new.importance))

    def use(self, memory: Memory) -> None:
        fresh = store.get(self.uow, self.agent, self.brief.scope, memory.id)
        if fresh is not None and fresh.status is Status.ACTIVE:
            cause = Cause(USE, self.actor, "the reply relied on it", turn_key=self.turn_key)
            store.use(self.uow, fresh, now=self.now, cause=cause)

    def note_nothing(self) -> None:
        """Leave a line, so that a second answer to the same turn finds it was applied."""
        cause = Cause(OpName.NOOP, self.actor, "nothing worth keeping", turn_key=self.turn_key)
        journal.record(self.uow, cause, agent=self.agent, scope=self.brief.scope, at=self.now)

    def _add(self, verdict: Verdict, new: NewMemory) -> Effect:
        problem = self._unwanted(new)
        if problem is not None:
            return self._refused(_rejected(verdict, *problem))
        held = self._literally(new, Status.ACTIVE)
        if held is not None:
            again = replace(verdict, outcome=Outcome.REINFORCE, reason=Reason.DUPLICATE, target=held)
            return self._reinforce(again)
        asleep = waking.asleep(self.uow, self.agent, new)
        if asleep is not None:
            return self._wake(verdict, asleep)
        return self._insert(verdict, new, entry_layer(new), Status.ACTIVE)

    def _wake(self, verdict: Verdict, held: Memory) -> Effect:
        cause = replace(self._cause(verdict), operation=waking.operation(held))
        fields = waking.woken(held, verdict.new, self.now)
        written = store.change(
            self.uow, held, now=self.now, cause=cause, index=self.index, said_in=verdict.new, mentioned=True, **fields
        )
        return self._done(verdict, written)

    def _quarantine(self, verdict: Verdict) -> Effect:
        new = verdict.new
        if new is None:
            return self._noted(verdict)
        problem = self._unwanted(new)
        if problem is not None:
            return self._refused(_rejected(verdict, *problem))
        if self._literally(new, Status.ACTIVE, *waking.ASLEEP) is not None:
            return self._refused(_rejected(verdict, Reason.DUPLICATE, "already held"))
        return self._insert(verdict, new, Layer.BUFFER, Status.QUARANTINED)

    def _insert(self, verdict: Verdict, new: NewMemory, layer: Layer, status: Status) -> Effect:
        vector = self.vectors.get(new.text) if self.digest is not None else None
        written = store.insert(
            self.uow,
            new,
            agent=self.agent,
            now=self.now,
            cause=self._cause(verdict),
            layer=layer,
            status=status,
            vector=vector,
            digest=self.digest,
            index=self.index,
        )
        return self._done(verdict, written)

    def _update(self, verdict: Verdict, new: NewMemory) -> Effect:
        fresh = self._fresh(verdict)
        if fresh is None:
            return self._refused(_rejected(verdict, Reason.STALE, "it changed meanwhile"))
        problem = self._unwanted(new)
        if problem is not None:
            return self._refused(_rejected(verdict, *problem))
        if normalise(new.text) == normalise(fresh.text):
            return self._reinforce(replace(verdict, outcome=Outcome.REINFORCE, reason=Reason.DUPLICATE, target=fresh))
        written = store.change(
            self.uow,
            fresh,
            now=self.now,
            cause=self._cause(verdict),
            vector=self.vectors.get(new.text) if self.digest is not None else None,
            digest=self.digest,
            index=self.index,
            said_in=new,
            **reworded(fresh, new, self.now) | waking.awake(fresh),
        )
        return self._done(verdict, written)

    def _delete(self, verdict: Verdict) -> Effect:
        fresh = self._fresh(verdict)
        if fresh is None:
            return self._refused(_rejected(verdict, Reason.STALE, "it changed meanwhile"))
        gone: dict[str, Any] = {
            "status": Status.SUPERSEDED,
            "valid_to": self.now,
            "superseded_by": self._successor(verdict),
        }
        written = store.change(self.uow, fresh, now=self.now, cause=self._cause(verdict), index=self.index, **gone)
        return self._done(verdict, written)

    def _successor(self, verdict: Verdict) -> MemoryId | None:
        effect = None if verdict.successor is None else self.effects.get(verdict.successor)
        made = effect.memory.id if effect and effect.memory else None
        return None if verdict.target is not None and made == verdict.target.id else made

    def _reinforce(self, verdict: Verdict) -> Effect:
        target = verdict.target
        if target is None:  # it repeats another entry of the same reply, which is stored once
            return self._noted(verdict)
        fresh = store.get(self.uow, self.agent, self.brief.scope, target.id)
        if fresh is None or fresh.status not in _STANDING or fresh.text != target.text or not self._writable(fresh):
            return self._refused(_rejected(verdict, Reason.STALE, "it changed meanwhile"))
        if fresh.status is Status.ARCHIVED:
            return self._wake(verdict, fresh)
        if was_on(self.uow, fresh, self.now, "mention"):
            return replace(self._noted(verdict, "counted today already"), memory=fresh)
        written = store.change(
            self.uow,
            fresh,
            now=self.now,
            cause=self._cause(verdict),
            index=self.index,
            said_in=verdict.new,
            mentioned=True,
            **weightier(fresh, self.now),
        )
        return self._done(verdict, written)

    def _fresh(self, verdict: Verdict) -> Memory | None:
        """Give the target as it stands, if it is still what was judged."""
        target = verdict.target
        if target is None:
            return None
        fresh = store.get(self.uow, self.agent, self.brief.scope, target.id)
        if fresh is None or fresh.status not in _STANDING or not self._writable(fresh):
            return None
        return fresh if fresh.revision == self.written.get(fresh.id, target.revision) else None

    def _writable(self, memory: Memory) -> bool:
        return _may_write(self.brief, memory.scope)

    def _unwanted(self, new: NewMemory) -> tuple[Reason, str] | None:
        """Say why a text may not be stored any more, if so."""
        if not _may_write(self.brief, new.scope):
            return Reason.OUT_OF_SCOPE, "not this chat's to write"
        if tombstones.stands(self.uow, self.agent, self.brief.scope, new.text):
            if self.actor is not Actor.PERSON:
                return Reason.TOMBSTONE, "a person wished it forgotten"
            tombstones.lift(self.uow, self.agent, self.brief.scope, new.text)
        if self._evidence_forgotten(new):
            return Reason.TOMBSTONE, "the words it rests on were forgotten"
        return None

    def _evidence_forgotten(self, new: NewMemory) -> bool:
        """Say whether a person had the words forgotten while the model was thinking."""
        seen = {entry.message.id: entry.message.text for entry in self.brief.messages}
        for message_id in {source[0] for source in new.sources}:
            message = transcript.get(self.uow, self.agent, message_id)
            forgotten = message is not None and transcript.FORGOTTEN in message.text
            if forgotten and transcript.FORGOTTEN not in seen.get(message_id, ""):
                return True
        return False

    def _literally(self, new: NewMemory, *statuses: Status) -> Memory | None:
        """Give what says the same already, about the same subject."""
        held = store.find_text(self.uow, self.agent, new.scope, normalise(new.text), statuses)
        return next((memory for memory in held if about_the_same(memory, new)), None)

    def _refused(self, verdict: Verdict) -> Effect:
        entry = journal.refuse(
            self.uow,
            self._cause(verdict),
            agent=self.agent,
            scope=self.brief.scope,
            at=self.now,
            reason=verdict.reason,
            memory_id=verdict.target.id if verdict.target else None,
            proposed=_as_proposed(verdict),
        )
        return Effect(verdict, None, entry)

    def _noted(self, verdict: Verdict, why: str = "") -> Effect:
        target = verdict.target.id if verdict.target else None
        cause = self._cause(verdict, why)
        entry = journal.record(self.uow, cause, agent=self.agent, scope=self.brief.scope, at=self.now, memory_id=target)
        return Effect(verdict, None, entry)

    def _done(self, verdict: Verdict, written: store.Written) -> Effect:
        self.written[written.memory.id] = written.memory.revision
        return Effect(verdict, written.memory, written.operation_id)

    def _cause(self, verdict: Verdict, why: str = "") -> Cause:
        details = (str(verdict.reason), verdict.detail, why)
        return Cause(
            operation=_operation(verdict),
            actor=self.actor,
            reason=": ".join(part for part in details if part),
            actor_id=verdict.actor_id,
            turn_key=self.turn_key,
            verdict=verdict.outcome,
        )


_STANDING = {Status.ACTIVE, Status.ARCHIVED}
"""What a person may correct, take back or say again; what nobody confirmed is never shown."""


def _operation(verdict: Verdict) -> str:
    if verdict.outcome is Outcome.REINFORCE:
        return OpName.REINFORCE.value
    known = {name.value for name in OpName}
    return verdict.op if verdict.op in known else "UNKNOWN"


def _may_write(brief: Brief, scope: Scope) -> bool:
    return scope == brief.scope or (scope == GLOBAL and brief.private)


def _rejected(verdict: Verdict, reason: Reason, detail: str) -> Verdict:
    return replace(verdict, outcome=Outcome.REJECT, reason=reason, detail=detail)


def _as_proposed(verdict: Verdict) -> dict[str, Any] | None:
    new = verdict.new
    return None if new is None else {"text": new.text, "kind": new.kind, "importance": new.importance}
