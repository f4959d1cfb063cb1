"""Plays a diary to the real engine: transcript, recall, brief, judgement, application, maintenance; only the model is played."""

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from bot.upkeep.rules import RULES
from memory import lived, maintenance, transcript
from memory.clock import ManualClock
from memory.database import Database
from memory.domain import AgentSlug, Conversation, Memory, Message, Origin, Role, Status
from memory.engine import MemoryEngine
from memory.hygiene import clusters, literal, merging, phantoms
from memory.hygiene.clusters import Cluster
from memory.lifecycle import core_question
from memory.lifecycle.moves import carry_out
from memory.policy import RECALL_LIMIT, RECALL_TOKENS
from memory.recall.neutral import QUESTIONS
from memory.recall.values import Recall
from memory.reflection import neighbours
from memory.reflection.application import Applied
from memory.reflection.operations import Brief, Judgement, OpName, Outcome, Proposed, Reply
from memory.statements import normalise
from memory.tables import memories, operations
from memory.unit_of_work import UnitOfWork
from tests.bench.simulation.diary import Diary, Event, Fact, Sort
from tests.bench.simulation.vectors import Kept
from tests.databases import new_database

AGENT = AgentSlug("tidemark")
OWNER = 7
HERE, GROUP = Conversation(OWNER), Conversation(-8)
JUNK = frozenset({Sort.NOISE, Sort.ECHO, Sort.INVENTION, Sort.HEARSAY})
WRONG = 0.05
"""How often the played model gives a wrong verdict in maintenance."""
MISSED = 0.15
"""How often it overlooks that something changed, and simply adds it."""
REPEATED = 0.5
"""How often it adds what it was shown once more, in other words, instead of reinforcing it."""
PASSES_A_DAY = 4


@dataclass
class Truth:
    """What each text in the store is, by its normalised form: the sort, and for facts which state of which."""

    sorts: dict[str, Sort] = field(default_factory=dict)
    facts: dict[str, tuple[Fact, int]] = field(default_factory=dict)

    def learn(self, event: Event) -> None:
        """Note what a statement is before it reaches the store; a fact stays a fact whoever repeats it."""
        key = normalise(event.statement)
        if event.fact is not None:
            for number, texts in enumerate(event.fact.values):
                self.facts |= {normalise(text): (event.fact, number) for text in texts}
        elif key not in self.facts:
            self.sorts.setdefault(key, event.sort)

    def fact(self, memory: Memory) -> tuple[Fact, int] | None:
        """Give the fact and the number of its state that a memory tells."""
        return self.facts.get(normalise(memory.text))

    def is_junk(self, memory: Memory) -> bool:
        """Say whether a memory is noise, an echo, an invention or hearsay."""
        return self.fact(memory) is None and self.sorts.get(normalise(memory.text)) in JUNK


class World:
    """The store and everything around it."""

    def __init__(self, folder: Path, embedder: Kept, diary: Diary, *, inflate: int, start: datetime) -> None:
        self.database: Database = new_database(folder / "t.db")
        self.clock = ManualClock(start)
        self.engine = MemoryEngine(AGENT, self.clock, lambda: embedder)
        self.engine.load()
        self.diary = diary
        self.inflate = inflate
        self.truth = Truth()
        self.rng = random.Random(diary.rng.random())
        self.counts: Counter[str] = Counter()
        self._turn = 0
        self._archived_before = 0
        self._near_from = self.engine.near_from()
        self._neutral = [self.engine.embed_query(text) for text in QUESTIONS]
        with self.database.write() as uow:
            uow.commit()
            driver = uow.connection.connection.driver_connection
            assert driver is not None
            driver.execute("PRAGMA synchronous = OFF")  # a simulation needs no durability

    # --- a day

    def live(self, number: int) -> None:
        """Play one day: its turns spread over it, and maintenance in between."""
        morning = self.clock.now()
        events = self.diary.day(number)
        for n in range(PASSES_A_DAY):
            part = events[n * len(events) // PASSES_A_DAY : (n + 1) * len(events) // PASSES_A_DAY]
            for at, event in enumerate(part):
                self.clock.set(morning + timedelta(hours=24 / PASSES_A_DAY * (n + (at + 1) / (len(part) + 2))))
                self.turn(event)
            self.clock.set(morning + timedelta(hours=24 / PASSES_A_DAY * (n + 1) - 0.1))
            self.maintain()
        self._note_holiday(number)
        self.clock.set(morning + timedelta(days=1))

    def turn(self, event: Event) -> None:
        """Play one turn: what is said, recalled, answered and reflected on."""
        where = GROUP if event.group else HERE
        if event.statement and event.sort is not Sort.ECHO:
            self.truth.learn(event)
        with self.database.read() as uow:
            found = self.ask(uow, where, event.text)
        self._count_injected(event, found)
        self._count_resurrected(event, found)
        reflects = bool(event.statement) or event.sort is Sort.NEED
        with self.database.write() as uow:
            said = self._say(uow, event, where)
            lived.mark(uow, AGENT, where.scope, said.sent_at.date())
            answer = self._answer(uow, event, where, found)
            self.engine.resurrect(uow, where.scope, found, turn_key=f"t{self._turn}")
            if not reflects:
                self.engine.move_cursor(uow, where, answer.id)
            uow.commit()
        if reflects:
            self._reflect(event, where, answer, found)
        self._turn += 1

    def ask(self, uow: UnitOfWork, where: Conversation, text: str, limit: int = RECALL_LIMIT) -> Recall:
        """Recall as a turn does, on a snapshot: nothing is used or resurrected by it."""
        nameless = self.engine.names_in_question(uow, where.scope, text)
        vectors = self.engine.embed_question(text, nameless)
        return self.engine.recall(
            uow, where.scope, text, vectors, limit=limit, token_budget=RECALL_TOKENS, count_tokens=lambda t: len(t) // 4 + 1,
            conversation=where,
        )  # fmt: skip

    def _say(self, uow: UnitOfWork, event: Event, where: Conversation) -> Message:
        passed_on = event.sort is Sort.HEARSAY
        return transcript.add(
            uow, agent=AGENT, turn_key=f"t{self._turn}", conversation=where, role=Role.USER,
            speaker="Somebody else" if passed_on else "Mira", speaker_id=OWNER,
            origin=Origin.FORWARDED if passed_on else Origin.OWN, text=event.text, sent_at=self.clock.now(),
        )  # fmt: skip

    def _answer(self, uow: UnitOfWork, event: Event, where: Conversation, found: Recall) -> Message:
        """Let the assistant answer: with what a question needed, an echo, an invention, or nothing much."""
        text = "Noted."
        if event.sort in {Sort.ECHO, Sort.INVENTION}:
            text = f"{event.statement}, as far as I know."
        elif event.sort is Sort.NEED:
            known = [m.memory.text for m in found.chosen if self._tells(m.memory, event.fact)]
            text = f"You told me: {known[0]}." if known else "I do not know."
        return transcript.add(
            uow, agent=AGENT, turn_key=f"t{self._turn}", conversation=where, role=Role.ASSISTANT, speaker="Tidemark",
            speaker_id=None, text=text, sent_at=self.clock.now(),
        )  # fmt: skip

    def _tells(self, memory: Memory, fact: Fact | None) -> bool:
        told = self.truth.fact(memory)
        return fact is not None and told is not None and told[0] is fact

    # --- reflection

    def _reflect(self, event: Event, where: Conversation, answer: Message, found: Recall) -> None:
        """Brief and judge on a snapshot, apply in a transaction, as the real runner does."""
        vector = self.engine.embed_query(event.text)
        recalled = [one.memory.id for one in found.chosen]
        with self.database.read() as uow:
            brief = self.engine.brief(
                uow, where, answer.id, owner_id=OWNER, timezone="UTC", recalled=recalled, vector=vector
            )
            assert brief is not None
            judgement = self._judged(uow, event, brief)
        texts = [v.new.text for v in judgement.verdicts if v.new is not None]
        vectors = dict(zip(texts, self.engine.embed_passages(texts) or (), strict=True)) if texts else {}
        with self.database.write() as uow:
            applied = self.engine.apply(uow, judgement, brief, turn_key=f"t{self._turn}", vectors=vectors)
            self.engine.move_cursor(uow, where, answer.id)
            uow.commit()
        self._note(event, applied)

    def _judged(self, uow: UnitOfWork, event: Event, brief: Brief) -> Judgement:
        """Judge the proposals, and put additions beside what lies near."""
        judgement = self.engine.judge(uow, brief, self._reply(event, brief))
        new = {i: v.new.text for i, v in enumerate(judgement.verdicts)
               if v.op == OpName.ADD and v.outcome is Outcome.ACCEPT and v.new}  # fmt: skip
        made = dict(zip(new, self.engine.embed_passages(list(new.values())) or (), strict=True))
        listed = list(judgement.verdicts)
        for pair in self.engine.near_pairs(uow, brief, judgement, made, near_from=self._near_from):
            listed[pair.index] = neighbours.resolve(listed[pair.index], pair, self._relation(pair, event))
        return Judgement(tuple(listed), judgement.used)

    def _note(self, event: Event, applied: Applied) -> None:
        for effect in applied.effects:
            self.counts[f"{event.sort}: {effect.verdict.op} {effect.verdict.outcome}"] += 1
            if effect.memory is not None and effect.memory.text != event.statement:  # a date was written out
                self._learn_again(event, effect.memory)

    def _learn_again(self, event: Event, memory: Memory) -> None:
        if self.truth.fact(memory) is None:
            self.truth.sorts.setdefault(normalise(memory.text), event.sort)

    def _reply(self, event: Event, brief: Brief) -> Reply:
        """Give what the played model proposes, right or wrong."""
        said = next(e.n for e in brief.messages if e.is_new and e.message.role is Role.USER)
        answered = next(e.n for e in reversed(brief.messages) if e.message.role is Role.ASSISTANT)
        if event.sort is Sort.NEED:
            used = [s.alias for s in brief.memories if self._tells(s.memory, event.fact)]
            return Reply((Proposed(OpName.NOOP),), used=tuple(used[:1]))
        shown = next((s for s in brief.memories if self._tells(s.memory, event.fact)), None)
        evidence = self._evidence(event, said, answered)
        repeats = event.sort is Sort.ECHO or (event.sort is Sort.AGAIN and self.rng.random() > REPEATED)
        if shown is not None and repeats:
            return Reply((Proposed(OpName.REINFORCE, id=shown.alias, evidence=evidence),))
        if shown is not None and event.sort is Sort.CHANGE and self.rng.random() > MISSED:
            return Reply((Proposed(OpName.UPDATE, id=shown.alias, text=event.statement, evidence=evidence),))
        kind = {Sort.PROCEDURE: "procedural", Sort.DATED: "episodic"}.get(event.sort, "semantic")
        rated = min(10, event.importance + self.inflate)
        return Reply((Proposed(OpName.ADD, text=event.statement, importance=rated, kind=kind, evidence=evidence),))

    def _evidence(self, event: Event, said: int, answered: int) -> tuple[int, ...]:
        """Give what the played model cites: for what only the assistant said its words, the person's, or both."""
        if event.sort in {Sort.ECHO, Sort.INVENTION}:
            return self.rng.choice(((answered,), (said,), (said, answered)))
        return (said,)

    def _relation(self, pair: neighbours.Pair, event: Event) -> neighbours.Relation:
        """Give the relation of an addition to its neighbour as a fairly good model would."""
        told = self.truth.fact(pair.neighbour)
        if event.fact is None or told is None or told[0] is not event.fact:
            return neighbours.Relation.DISTINCT
        if self.rng.random() < MISSED:
            return neighbours.Relation.DISTINCT
        return neighbours.Relation.REPLACES if event.sort is Sort.CHANGE else neighbours.Relation.REFINES

    def _count_resurrected(self, event: Event, found: Recall) -> None:
        """Count what comes back from the archive, and what of it the turn is not about."""
        back = [one.memory for one in found.chosen if one.revived]
        self.counts["resurrected"] += len(back)
        self.counts["resurrected_wrongly"] += sum(not self._is_meant(memory, event) for memory in back)

    def _is_meant(self, memory: Memory, event: Event) -> bool:
        """Say whether a memory tells the fact that a turn needs, or of somebody whom the turn names."""
        told = self.truth.fact(memory)
        name = told[0].slots.get("name") if told is not None else None
        return self._tells(memory, event.fact) or (name is not None and name in event.text)

    def _count_injected(self, event: Event, found: Recall) -> None:
        junk = sum(self.truth.is_junk(one.memory) for one in found.chosen)
        for key in ("", f" by {event.sort}"):
            self.counts["injected" + key] += len(found.chosen)
            self.counts["injected_junk" + key] += junk

    # --- maintenance

    def maintain(self) -> int:
        """Make a pass in the order of the real one, the model's part played; give how many changes were journaled."""
        now = self.clock.now()
        with self.database.write() as uow:
            before = self._journaled(uow)
            self._follow_rules(uow, now)
            for cluster in literal.due(uow, self.engine):
                literal.settle(uow, self.engine, cluster, now=now)
            self._fill_vectors(uow)
            if self._hygiene(uow, now):
                self._follow_rules(uow, now)
            self._second_looks(uow, now)
            changed = self._journaled(uow) - before
            uow.commit()
        self._calibrate()
        return changed

    def _journaled(self, uow: UnitOfWork) -> int:
        return uow.connection.scalar(select(func.count()).select_from(operations)) or 0

    def _follow_rules(self, uow: UnitOfWork, now: datetime) -> None:
        for rule in RULES.values():
            after: int | None = 0
            while after is not None:
                moves, after = rule(uow, self.engine, now=now, after=after)
                carry_out(uow, self.engine, moves, now=now)

    def _fill_vectors(self, uow: UnitOfWork) -> None:
        while lacking := maintenance.lacking_vectors(uow, self.engine):
            vectors = self.engine.embed_passages([text for _, text in lacking]) or ()
            maintenance.store_vectors(uow, self.engine, zip(lacking, vectors, strict=True))

    def _hygiene(self, uow: UnitOfWork, now: datetime) -> int:
        merged = self.counts["merged"]
        for group in clusters.groups(uow, self.engine):
            pks, vectors = clusters.vectors_of(uow, self.engine, group.pks)
            edges = [edge for block in clusters.near(pks, vectors, self._near_from) for edge in block]
            for cluster in clusters.clusters(uow, edges):
                self._merge(uow, cluster, now)
        return self.counts["merged"] - merged

    def _second_looks(self, uow: UnitOfWork, now: datetime) -> None:
        asked = core_question.candidates(uow, self.engine, now=now)
        core_question.settle(uow, self.engine, {m.id: self._is_core(m) for m in asked}, asked, now=now)
        for memory in phantoms.suspects(uow, self.engine, limit=50):
            phantoms.settle(uow, self.engine, memory, self._second_look(memory), now=now)

    def _merge(self, uow: UnitOfWork, cluster: Cluster, now: datetime) -> None:
        """Answer a merge question as a fairly good model does, and count what a wrong answer cost."""
        answer = merging.read(json.dumps(self._verdict(cluster)), cluster)
        assert answer is not None
        vector = (self.engine.embed_passages([answer.text]) or [None])[0] if answer.text else None
        settled = merging.settle(uow, self.engine, cluster, answer, now=now, vector=vector)
        self.counts["merged"] += settled.merged is not None
        self.counts["merges_refused"] += bool(settled.refused)
        self.counts["wrong_merges"] += self._is_wrong(cluster, answer) and settled.merged is not None

    def _is_wrong(self, cluster: Cluster, answer: merging.Answer) -> bool:
        """Say whether a merge puts together what are different facts, or has another text than any of them."""
        members = [cluster.memories[at] for at in answer.members]
        told = {id(known[0]) if (known := self.truth.fact(memory)) else memory.id for memory in members}
        return len(told) > 1 or normalise(answer.text) not in {normalise(memory.text) for memory in members}

    def _verdict(self, cluster: Cluster) -> dict[str, object]:
        told = [self.truth.fact(memory) for memory in cluster.memories]
        if self.rng.random() < WRONG:
            return {"verdict": "merge", "text": self._spoilt(cluster.memories[-1].text)}
        for fact, _ in (one for one in told if one is not None):
            members = [n for n, one in enumerate(told) if one is not None and one[0] is fact]
            if len(members) > 1:
                latest = max(members, key=lambda n: told[n][1])  # type: ignore[index]
                old = [f"m{n + 1}" for n in members if told[n][1] < told[latest][1]]  # type: ignore[index]
                text = cluster.memories[latest].text
                return {"verdict": "merge", "members": [f"m{n + 1}" for n in members], "text": text, "superseded": old}
        return {"verdict": "distinct"}

    def _spoilt(self, text: str) -> str:
        """Give what a wrong merge makes of a statement: the same, one without its last word or its numbers, the opposite."""
        shorter = text.rsplit(" ", 1)[0]
        return self.rng.choice(
            (text, shorter, "".join(c for c in text if not c.isdigit()), f"It is not so that {text}")
        )

    def _second_look(self, memory: Memory) -> phantoms.Answer:
        """Drop what is neither noise nor a fact, mostly."""
        right = self.truth.fact(memory) is None
        drop = right if self.rng.random() > WRONG else not right
        return phantoms.Answer.DROP if drop else phantoms.Answer.LEAVE

    def _is_core(self, memory: Memory) -> bool:
        told = self.truth.fact(memory)
        right = told is not None and told[0].importance >= 9
        return right if self.rng.random() > WRONG else not right

    def _calibrate(self) -> None:
        with self.database.read() as uow:
            due = maintenance.uncalibrated(uow, self.engine)
            found = [maintenance.measured(uow, self.engine, scope, self._neutral) for scope in due]
        if due:
            with self.database.write() as uow:
                kept = [one for one in found if one is not None]
                maintenance.recalibrate(uow, self.engine, kept, self._neutral)
                uow.commit()

    def _note_holiday(self, number: int) -> None:
        """Count what has left for the archive on holiday though it is not dated; the first day ends what was lived before."""
        if number == self.diary.holiday.start:
            self._archived_before = self._undated_in_archive()
        if number in self.diary.holiday:
            self.counts["holiday_archived"] = self._undated_in_archive() - self._archived_before

    def _undated_in_archive(self) -> int:
        undated = (memories.c.status == Status.ARCHIVED, memories.c.expires_at.is_(None))
        with self.database.read() as uow:
            return uow.connection.scalar(select(func.count()).select_from(memories).where(*undated)) or 0
