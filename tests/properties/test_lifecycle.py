"""Whatever is said, used, forgotten in the course of time and taken back: the rules of a memory's life hold."""

import json
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule
from sqlalchemy import select

from memory import journal, lived, snapshots, store
from memory.attachments import add_day, was_on
from memory.domain import Kind, Layer, Memory, MemoryId, Scope, Status
from memory.hygiene import clusters, literal, merging
from memory.lifecycle import core_question
from memory.lifecycle.decay import LASTING
from memory.reflection.rules import entry_layer, weightier
from memory.tables import memories, operations
from memory.unit_of_work import UnitOfWork
from tests.databases import new_database
from tests.memory.hygiene.twins import at
from tests.memory.lifecycle.lives import ENGINE, RULES, due, run_all
from tests.memory.samples import AGENT, CAUSE, DIGEST, ELSEWHERE, HERE, NOW, new

SCOPES = (HERE, ELSEWHERE)
scopes = st.sampled_from(SCOPES)
texts = st.sampled_from(
    [
        "Has a dog named Rex",
        "Owns a dog called Rex",
        "has a dog named REX",
        "Lives in Milan",
        "Lives in Berlin",
        "Never eats meat",
    ]
)
verdicts = st.sampled_from(["merge", "distinct", "contradiction"])
aliases = st.lists(st.sampled_from(["m1", "m2", "m3", "m9"]), max_size=3)


class Life(RuleBasedStateMachine):
    """Two chats over a year, with a model that says anything."""

    held = Bundle("held")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = new_database(Path(self.folder.name) / "t.db")
        self.now = NOW
        self.lines: list[str] = []
        self.scope_of: dict[str, str] = {}

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    def memories(self) -> list[Memory]:
        with self.database.read() as uow:
            return [m for scope in SCOPES for m in store.visible(uow, AGENT, scope, tuple(Status), limit=999)]

    def by_id(self, uow: UnitOfWork, memory_id: MemoryId) -> Memory | None:
        return next((m for scope in SCOPES if (m := store.get(uow, AGENT, scope, memory_id)) is not None), None)

    @rule(target=held, text=texts, scope=scopes, importance=st.integers(1, 10), kind=st.sampled_from(Kind),
          angle=st.sampled_from([0.0, 0.05, 1.5]), days=st.none() | st.integers(0, 40))  # fmt: skip
    def say(self, text: str, scope: Scope, importance: int, kind: Kind, angle: float, days: int | None) -> MemoryId:
        over = None if days is None else self.now + timedelta(days=days)
        said = new(text, scope, importance=importance, kind=kind, expires_at=over)
        with self.database.write() as uow:
            lived.mark(uow, AGENT, scope, self.now.date())
            written = store.insert(uow, said, agent=AGENT, now=self.now, cause=CAUSE, layer=entry_layer(said),
                                   vector=at(angle), digest=DIGEST)  # fmt: skip
            uow.commit()
        return written.memory.id

    @rule(memory_id=held, what=st.sampled_from(["use", "mention", "pin"]))
    def touch(self, memory_id: MemoryId, what: str) -> None:
        with self.database.write() as uow:
            memory = self.by_id(uow, memory_id)
            if memory is None or memory.status is not Status.ACTIVE:
                return
            if what == "use":
                store.use(uow, memory, now=self.now, cause=CAUSE)
            elif what == "pin":
                store.change(uow, memory, now=self.now, cause=CAUSE, pinned=True)
            elif not was_on(uow, memory, self.now, "mention"):
                add_day(uow, memory, self.now, "mention")
                store.change(uow, memory, now=self.now, cause=CAUSE, **weightier(memory, self.now))
            uow.commit()

    @rule(days=st.integers(1, 90), spoken=st.booleans())
    def wait(self, days: int, spoken: bool) -> None:
        with self.database.write() as uow:
            for day in range(days if spoken else 0):
                lived.mark(uow, AGENT, HERE, (self.now + timedelta(days=day)).date())
            uow.commit()
        self.now += timedelta(days=days)

    @rule()
    def maintain(self) -> None:
        """A second pass straight after the first finds nothing to do."""
        with self.database.write() as uow:
            run_all(uow, self.now)
            assert [move for rule_ in RULES for move in due(rule_, uow, self.now)] == []
            uow.commit()

    @rule(verdict=verdicts, members=aliases, superseded=aliases, text=texts)
    def tidy(self, verdict: str, members: list[str], superseded: list[str], text: str) -> None:
        """Merges, by the letter and by a model that may say anything: each cluster keeps a survivor."""
        raw = json.dumps({"verdict": verdict, "members": members, "superseded": superseded, "text": text})
        with self.database.write() as uow:
            for cluster in literal.due(uow, ENGINE):
                literal.settle(uow, ENGINE, cluster, now=self.now)
                self.survivors(uow, cluster)
            for group in clusters.groups(uow, ENGINE):
                pks, vectors = clusters.vectors_of(uow, ENGINE, group.pks)
                edges = [edge for block in clusters.near(pks, vectors, 0.72) for edge in block]
                for cluster in clusters.clusters(uow, edges):
                    answer = merging.read(raw, cluster)
                    assert answer is not None
                    merging.settle(uow, ENGINE, cluster, answer, now=self.now)
                    self.survivors(uow, cluster)
            uow.commit()

    def survivors(self, uow: UnitOfWork, cluster: clusters.Cluster) -> None:
        after = [self.by_id(uow, memory.id) for memory in cluster.memories]
        behind = {m.superseded_by for m in after if m is not None and m.status is Status.SUPERSEDED}
        results = [self.by_id(uow, MemoryId(one)) for one in behind if one]
        assert any(m is not None and m.status is Status.ACTIVE for m in (*after, *results))
        assert all(m is not None and m.scope == cluster.memories[0].scope for m in results)

    @rule(yes=st.booleans())
    def ask_for_the_core(self, yes: bool) -> None:
        with self.database.write() as uow:
            asked = core_question.candidates(uow, ENGINE, now=self.now)
            core_question.settle(uow, ENGINE, {m.id: yes for m in asked}, asked, now=self.now)
            assert not set(core_question.candidates(uow, ENGINE, now=self.now)) & set(asked)
            uow.commit()

    @precondition(lambda self: any(m.status is Status.SUPERSEDED for m in self.memories()))
    @rule()
    def undo(self) -> None:
        """Taking a merge back gives exactly what its inputs were."""
        with self.database.write() as uow:
            o = operations.c
            merge = (o.operation == "MERGE", o.undone_at.is_(None))
            found = uow.connection.execute(select(o.id, o.turn_key).where(*merge).order_by(o.id.desc())).first()
            if found is None:
                return
            parts = (o.turn_key == found.turn_key, o.operation == "SUPERSEDE")
            before = {
                r.memory_id: r.before for r in uow.connection.execute(select(o.memory_id, o.before).where(*parts))
            }
            if isinstance(journal.undo(uow, found.id, now=self.now, by=None), journal.Undone):
                for memory_id, state in before.items():
                    assert _plain(snapshots.take(uow, memory_id)) == _plain(state)
            uow.commit()

    @invariant()
    def core_pinned_lasting_and_weighty_memories_are_never_archived(self) -> None:
        for memory in self.memories():
            if memory.status is Status.ARCHIVED:
                assert memory.layer is not Layer.CORE
                assert not memory.pinned
                dated = memory.expires_at is not None
                assert dated or (memory.importance < 7 and memory.kind not in LASTING)

    @invariant()
    def nothing_leaves_the_journal_and_everything_is_in_it(self) -> None:
        with self.database.read() as uow:
            lines = list(uow.connection.scalars(select(operations.c.id).order_by(operations.c.id)))
            assert lines[: len(self.lines)] == self.lines
            self.lines = lines
            for memory_id in uow.connection.scalars(select(memories.c.id)):
                o = operations.c
                last = select(o.after).where(o.memory_id == memory_id).order_by(o.id.desc()).limit(1)
                assert uow.connection.scalar(last) == snapshots.take(uow, memory_id)

    @invariant()
    def no_operation_crosses_a_scope(self) -> None:
        for memory in self.memories():
            assert self.scope_of.setdefault(memory.id, memory.scope) == memory.scope


def _plain(state: Any) -> Any:
    return {**state, "memory": {k: v for k, v in state["memory"].items() if k != "revision"}}


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)
