"""Whatever happens to memory, in whatever order: undo restores, indexes keep step, scopes stay apart, nothing leaves the journal."""

import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule
from sqlalchemy import select

from memory import journal, snapshots, store
from memory.analysis import analyse
from memory.domain import GLOBAL, Actor, AgentSlug, Layer, MemoryId, Scope, Status, Trust
from memory.entries import Cause, OperationId
from memory.reflection.application import apply
from memory.reflection.operations import Brief, Judgement, Outcome, Reason, Verdict
from memory.statements import normalise
from memory.tables import memories, operations
from tests.databases import new_database
from tests.memory.samples import AGENT, CAUSE, DIGEST, ELSEWHERE, HERE, NOW, Sink, new, vector

SCOPES = (HERE, ELSEWHERE, GLOBAL)
scopes = st.sampled_from(SCOPES)
chats = st.sampled_from((HERE, ELSEWHERE))
texts = st.sampled_from(("Anna sings.", "anna SINGS", "我的猫叫饼干", "Bob's tea: Assam")) | st.text(
    min_size=1, max_size=20
).filter(lambda text: text.strip() != "")
ops = st.sampled_from(("ADD", "UPDATE", "DELETE", "REINFORCE"))
State = dict[str, Any] | None


def without_revision(state: State) -> State:
    return state and {
        **state,
        "memory": {k: v for k, v in state["memory"].items() if k not in {"revision", "embedding_model"}},
    }


class Memories(RuleBasedStateMachine):
    """Random work on three scopes through the paths that everybody uses."""

    held = Bundle("held")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = new_database(Path(self.folder.name) / "t.db")
        self.index = Sink()
        self.turns = 0
        self.lines: list[str] = []
        self.stack: list[tuple[OperationId, MemoryId, State]] = []  # what can be taken back, newest last

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    @property
    def now(self) -> Any:
        return NOW + timedelta(hours=7 * self.turns)

    def states(self) -> dict[MemoryId, State]:
        with self.database.read() as uow:
            ids = list(uow.connection.scalars(select(memories.c.id)))
            return {memory_id: snapshots.take(uow, memory_id) for memory_id in ids}

    @rule(target=held, text=texts, scope=scopes, embedded=st.booleans())
    def remember(self, text: str, scope: Scope, embedded: bool) -> MemoryId:
        self.turns += 1
        made = {"vector": vector(), "digest": DIGEST} if embedded else {}
        with self.database.write() as uow:
            written = store.insert(
                uow,
                new(text, scope),
                agent=AGENT,
                now=self.now,
                cause=CAUSE,
                layer=Layer.BUFFER,
                index=self.index,
                **made,
            )
            uow.commit()
        self.stack.append((written.operation_id, written.memory.id, None))
        return written.memory.id

    @rule(memory_id=held, op=ops, text=texts, chat=chats, private=st.booleans())
    def reflect(self, memory_id: MemoryId, op: str, text: str, chat: Scope, private: bool) -> None:
        """One judged operation, aimed at any memory from any chat, allowed there or not."""
        self.turns += 1
        before = self.states()
        brief = Brief(chat, private, None, "UTC", self.now, (), ())
        with self.database.write() as uow:
            target = next(
                (store.get(uow, AGENT, s, memory_id) for s in SCOPES if store.get(uow, AGENT, s, memory_id)), None
            )
            outcome = Outcome.REINFORCE if op == "REINFORCE" else Outcome.ACCEPT
            verdict = Verdict(op, outcome, Reason.OK, target=target, new=new(text, chat, trust=Trust.MEMBER))
            applied = apply(uow, Judgement((verdict,)), brief, agent=AGENT, now=self.now, turn_key=f"t{self.turns}",
                            vectors={}, index=self.index)  # fmt: skip
            uow.commit()
        after = self.states()
        writable = {chat, GLOBAL} if private else {chat}
        touched = {i for i in before | after if before.get(i) != after.get(i)}
        assert all((after[i] or {})["memory"]["scope"] in writable for i in touched), "an operation crossed its scope"
        for effect in applied.effects:
            if effect.memory is not None and effect.memory.id in touched:
                self.stack.append((effect.operation_id, effect.memory.id, before.get(effect.memory.id)))

    @rule(memory_id=held)
    def use(self, memory_id: MemoryId) -> None:
        with self.database.write() as uow:
            memory = store.get(uow, AGENT, ELSEWHERE, memory_id)
            if memory is not None:
                store.use(uow, memory, now=self.now, cause=CAUSE)
                uow.commit()
        # Its weight moved: there is no exact state to return to.
        self.stack = [entry for entry in self.stack if entry[1] != memory_id]

    @rule(memory_id=held, importance=st.integers(1, 10))
    def roll_back(self, memory_id: MemoryId, importance: int) -> None:
        """A unit of work that is left without commit leaves no trace, in no index either."""
        with self.database.write() as uow:
            for scope in SCOPES:
                memory = store.get(uow, AGENT, scope, memory_id)
                if memory is not None:
                    cause = Cause("UPDATE", Actor.PERSON, "ok")
                    store.change(
                        uow, memory, now=self.now, cause=cause, index=self.index, importance=importance, text="gone"
                    )
                    break

    @precondition(lambda self: self.stack)
    @rule()
    def undo(self) -> None:
        """Taking back the newest change gives exactly what was there before it."""
        operation, memory_id, former = self.stack.pop()
        with self.database.write() as uow:
            undone = journal.undo(uow, operation, now=self.now, by=None, index=self.index)
            uow.commit()
        assert isinstance(undone, journal.Undone), undone
        assert without_revision(self.states().get(memory_id)) == without_revision(former)

    @invariant()
    def full_text_keeps_step_with_the_rows(self) -> None:
        with self.database.read() as uow:
            rows = uow.connection.execute(select(memories)).all()
            entries = {
                row[0]: row[1:]
                for row in uow.connection.exec_driver_sql("SELECT rowid, scope, terms FROM memories_fts")
            }
        assert {pk: tuple(entry) for pk, entry in entries.items()} == {
            row.pk: (f"{row.agent_slug}|{row.scope}", " ".join(analyse(row.text))) for row in rows
        }
        assert all(row.normalised == normalise(row.text) for row in rows)

    @invariant()
    def vectors_keep_step_with_the_rows(self) -> None:
        with self.database.read() as uow:
            rows = uow.connection.execute(select(memories).where(memories.c.embedding.is_not(None))).all()
        assert set(self.index.held) == {(row.scope, row.pk) for row in rows}

    @invariant()
    def nothing_leaves_the_journal(self) -> None:
        with self.database.read() as uow:
            lines = list(uow.connection.scalars(select(operations.c.id).order_by(operations.c.id)))
        assert lines[: len(self.lines)] == self.lines
        self.lines = lines

    @invariant()
    def other_assistants_see_nothing(self) -> None:
        with self.database.read() as uow:
            assert store.visible(uow, AgentSlug("other"), HERE, tuple(Status)) == ()


TestMemories = Memories.TestCase
TestMemories.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)
