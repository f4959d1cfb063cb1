"""The façade: every use case of memory, inside the caller's unit of work."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memory import journal, lived, store, transcript
from memory.clock import ManualClock
from memory.database import Database
from memory.domain import (
    GLOBAL,
    AgentSlug,
    Conversation,
    Kind,
    Layer,
    Memory,
    Message,
    Origin,
    Role,
    Scope,
    Status,
    Trust,
    chat_scope,
)
from memory.engine import MemoryEngine
from memory.errors import EmbedderUnavailable
from memory.reflection.gathering import BRIEF_CHARS, BRIEF_MESSAGES, CONTEXT_MESSAGES
from memory.reflection.operations import (
    Brief,
    Judgement,
    NewMemory,
    OpName,
    Outcome,
    Proposed,
    Reason,
    Reply,
    Verdict,
)
from memory.unit_of_work import UnitOfWork
from tests.fakes import HashingEmbedder
from tests.memory.samples import CAUSE

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
AGENT = AgentSlug("tidemark")
ANNA = 7
HERE = Conversation(ANNA)
GROUP = Conversation(-8)


def engine(load: Any = HashingEmbedder, clock: ManualClock | None = None) -> MemoryEngine:
    return MemoryEngine(AGENT, clock or ManualClock(NOW), load)


def say(uow: UnitOfWork, text: str, conversation: Conversation = HERE, **fields: Any) -> Message:
    given: dict[str, Any] = {
        "agent": AGENT, "turn_key": f"k{text[:20]}{len(text)}", "conversation": conversation, "role": Role.USER, "speaker": "Anna",
        "speaker_id": ANNA, "text": text, "sent_at": NOW,
    }  # fmt: skip
    return transcript.add(uow, **given | fields)


def brief_of(
    uow: UnitOfWork, made: MemoryEngine, up_to: int, conversation: Conversation = HERE, **more: Any
) -> Brief | None:
    given: dict[str, Any] = {"owner_id": ANNA, "timezone": "Europe/Berlin", "recalled": (), "vector": None}
    return made.brief(uow, conversation, up_to, **given | more)


def remember(
    uow: UnitOfWork, made: MemoryEngine, text: str, conversation: Conversation = HERE, **fields: Any
) -> Judgement:
    message = say(uow, f"/remember {text}", conversation, **fields)
    judgement, _ = made.remember(uow, message, text, owner_id=ANNA, timezone="Europe/Berlin", turn_key=f"t{message.id}")
    return judgement


def held(uow: UnitOfWork, made: MemoryEngine, scope: Scope = HERE.scope) -> list[Memory]:
    return list(made.memories(uow, scope, [Status.ACTIVE], limit=50))


# --- the embedder


def test_the_embedder_is_loaded_once_and_at_the_first_need() -> None:
    loaded: list[int] = []

    def load() -> HashingEmbedder:
        loaded.append(1)
        return HashingEmbedder()

    made = engine(load)
    assert (loaded, made.digest, made.index) == ([], None, None)
    assert made.embed_query("key") is not None
    assert made.embed_passages(["key", "box"]) is not None
    assert loaded == [1]
    assert made.digest == "hashing"
    assert made.index is not None


def test_a_missing_embedder_is_asked_for_once_and_its_problem_stays() -> None:
    asked: list[int] = []

    def load() -> HashingEmbedder:
        asked.append(1)
        raise EmbedderUnavailable("no weights")

    made = engine(load)
    assert (made.embed_query("key"), made.embed_passages(["key"]), made.load()) == (None, None, None)
    assert asked == [1]
    assert made.problem == "no weights"


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_without_words_there_is_no_vector(text: str) -> None:
    assert engine().embed_query(text) is None


# --- what to ask about


def test_a_brief_holds_what_is_new_and_what_came_before_as_context(uow: UnitOfWork) -> None:
    made = engine()
    before = [say(uow, f"earlier {n}") for n in range(CONTEXT_MESSAGES + 2)]
    made.move_cursor(uow, HERE, before[-1].id)
    new = say(uow, "My cat is called Biscuit.")
    brief = brief_of(uow, made, new.id)
    assert brief is not None
    assert [(e.message.text, e.is_new) for e in brief.messages] == [
        *((message.text, False) for message in before[-CONTEXT_MESSAGES:]),
        ("My cat is called Biscuit.", True),
    ]
    assert [e.n for e in brief.messages] == list(range(1, CONTEXT_MESSAGES + 2))
    assert (brief.private, brief.owner_name, brief.scope) == (True, "Anna", "chat:7")


def test_where_only_the_assistant_spoke_there_is_nothing_to_ask(uow: UnitOfWork) -> None:
    made = engine()
    answer = say(uow, "I am here.", role=Role.ASSISTANT, speaker="assistant", speaker_id=None)
    assert brief_of(uow, made, answer.id) is None
    assert made.new_words(uow, HERE, answer.id) == ""


def test_a_brief_is_never_longer_than_a_small_model_reads(uow: UnitOfWork) -> None:
    made = engine()
    for n in range(BRIEF_MESSAGES + 5):
        last = say(uow, f"message {n}")
    brief = brief_of(uow, made, last.id)
    assert brief is not None
    assert len(brief.messages) == BRIEF_MESSAGES
    made.move_cursor(uow, HERE, last.id)
    for n in range(4):
        last = say(uow, f"{n} " + "x" * (BRIEF_CHARS // 2))
    brief = brief_of(uow, made, last.id)
    assert brief is not None
    assert len([e for e in brief.messages if e.is_new]) == 1


def test_one_message_longer_than_that_is_asked_about_all_the_same(uow: UnitOfWork) -> None:
    """Else it would block its conversation for ever."""
    made = engine()
    endless = say(uow, "x" * (BRIEF_CHARS * 2))
    brief = brief_of(uow, made, endless.id)
    assert brief is not None
    assert brief.messages[-1].message.id == endless.id


def test_words_that_are_answered_have_their_own_author(uow: UnitOfWork) -> None:
    """Yes to Bob's words does not make them Anna's; to the assistant's it is no evidence."""
    made = engine()
    say(uow, "Yes!", reply_author="Bob", reply_text="I owe forty", turn_key="a")
    last = say(uow, "Sure", reply_author="assistant", reply_text="You live in Porto?", turn_key="b")
    brief = brief_of(uow, made, last.id)
    assert brief is not None
    assert [(e.message.text, e.message.speaker, e.trust) for e in brief.messages] == [
        ("I owe forty", "Bob", Trust.QUOTED),
        ("Yes!", "Anna", Trust.OWNER),
        ("You live in Porto?", "assistant", Trust.ASSISTANT),
        ("Sure", "Anna", Trust.OWNER),
    ]


@pytest.mark.parametrize(
    ("fields", "trust"),
    [
        ({}, Trust.OWNER),
        ({"speaker_id": 9}, Trust.MEMBER),
        ({"speaker_id": None}, Trust.MEMBER),
        ({"origin": Origin.FORWARDED}, Trust.QUOTED),
        ({"origin": Origin.VOICE}, Trust.OWNER),
        ({"origin": Origin.DOCUMENT, "speaker_id": 9}, Trust.QUOTED),
    ],
)
def test_trust_follows_from_who_vouches_for_the_words(uow: UnitOfWork, fields: dict[str, Any], trust: Trust) -> None:
    made = engine()
    message = say(uow, "The gate closes at ten.", GROUP, **fields)
    brief = brief_of(uow, made, message.id, GROUP)
    assert brief is not None
    assert brief.messages[0].trust is trust
    assert not brief.private


def test_without_an_owner_nobody_is_one(uow: UnitOfWork) -> None:
    made = engine()
    message = say(uow, "Hello", speaker_id=None)
    brief = brief_of(uow, made, message.id, owner_id=None)
    assert brief is not None
    assert (brief.private, brief.owner_name, brief.messages[0].trust) == (False, None, Trust.MEMBER)


def test_a_brief_shows_memories_of_its_chat_alone(uow: UnitOfWork) -> None:
    made = engine()
    remember(uow, made, "The boat is in the hall.")
    remember(uow, made, "The boat is sold.", GROUP)
    message = say(uow, "Where is the boat?")
    elsewhere = [memory.id for memory in held(uow, made, GROUP.scope)]
    brief = brief_of(uow, made, message.id, recalled=elsewhere)
    assert brief is not None
    assert [shown.memory.text for shown in brief.memories] == ["The boat is in the hall."]


# --- wishes


def test_a_wish_is_journaled_as_the_persons_and_can_be_undone(uow: UnitOfWork) -> None:
    made = engine()
    remember(uow, made, "I eat no shellfish.")
    (memory,) = held(uow, made)
    (entry,) = journal.of_memory(uow, AGENT, HERE.scope, memory.id)
    assert (entry.actor, entry.actor_id, entry.operation) == ("person", ANNA, "ADD")
    assert isinstance(made.undo_last(uow, HERE.scope, person_id=None), journal.Undone)
    assert held(uow, made) == []


def test_nothing_to_undo_is_a_sentence(uow: UnitOfWork) -> None:
    result = engine().undo_last(uow, HERE.scope, person_id=None)
    assert isinstance(result, journal.CannotUndo)
    assert result.why.endswith(".")


def test_what_is_too_old_is_not_undone(uow: UnitOfWork) -> None:
    clock = ManualClock(NOW)
    made = engine(clock=clock)
    remember(uow, made, "I eat no shellfish.")
    clock.set(NOW + timedelta(days=31))
    assert isinstance(made.undo_last(uow, HERE.scope, person_id=None), journal.CannotUndo)
    assert len(held(uow, made)) == 1


def test_a_wish_is_judged_like_everything_else(uow: UnitOfWork) -> None:
    made = engine()
    (verdict,) = remember(uow, made, "My PIN is 4711").verdicts
    assert (verdict.outcome, verdict.reason) == (Outcome.REJECT, Reason.SECRET)
    assert held(uow, made) == []


def test_the_same_wish_of_the_same_turn_is_granted_once(uow: UnitOfWork) -> None:
    """After a crash between the commit and the end of the row."""
    made = engine()
    message = say(uow, "/remember I eat no shellfish.")
    for _ in range(2):
        made.remember(uow, message, "I eat no shellfish.", owner_id=ANNA, timezone="UTC", turn_key="t")
    (memory,) = held(uow, made)
    assert memory.revision == 1


# --- moving


def test_a_chat_moves_with_everything_and_a_second_time_changes_nothing(uow: UnitOfWork) -> None:
    made = engine()
    made.load()
    remember(uow, made, "Our table is number seventeen.", Conversation(-5))
    transcript.mark_lived(uow, AGENT, chat_scope(-5), NOW.date())
    for _ in range(2):
        made.move_chat(uow, -5, -8)
    assert [memory.text for memory in held(uow, made, GROUP.scope)] == ["Our table is number seventeen."]
    assert held(uow, made, chat_scope(-5)) == []
    assert lived.days_lived(uow, AGENT, GROUP.scope) == (NOW.date(),)
    assert [message.text for message in transcript.recent(uow, AGENT, GROUP, 5)] == [
        "/remember Our table is number seventeen."
    ]
    assert isinstance(made.undo_last(uow, GROUP.scope, person_id=None), journal.Undone)


# --- neighbours


class Near(HashingEmbedder):
    """Thinks that all texts are nearly the same."""

    def __init__(self) -> None:
        super().__init__(dimensions=3)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return np.array([1.0, 0.0, 0.0], np.float32)

    def embed_passages(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [self.embed_query(text) for text in texts]


class Far(HashingEmbedder):
    """Sees no likeness anywhere."""

    def __init__(self) -> None:
        super().__init__(dimensions=64)
        self._seen: list[str] = []

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if text not in self._seen:
            self._seen.append(text)
        return np.eye(64, dtype=np.float32)[self._seen.index(text)]


def pairs_for(
    uow: UnitOfWork, made: MemoryEngine, texts: Sequence[str], subject: str = "Anna", conversation: Conversation = HERE
) -> list[tuple[str, str]]:
    """Give (new, neighbour) for additions about one subject, judged in one brief."""
    message = say(uow, " ".join(texts), conversation)
    brief = brief_of(uow, made, message.id, conversation)
    assert brief is not None
    proposals = tuple(
        Proposed(OpName.ADD, text=text, subject=subject, evidence=(brief.messages[-1].n,)) for text in texts
    )
    judgement = made.judge(uow, brief, Reply(proposals))
    vectors = made.embed_passages(list(texts)) or []
    found = made.near_pairs(uow, brief, judgement, dict(enumerate(vectors)), near_from=0.72)
    return [(pair.new_text, pair.neighbour.text) for pair in found]


def keep(uow: UnitOfWork, made: MemoryEngine, text: str, subject: str, conversation: Conversation = HERE) -> None:
    """Let reflection keep a statement about a subject."""
    message = say(uow, text, conversation)
    brief = brief_of(uow, made, message.id, conversation)
    assert brief is not None
    n = brief.messages[-1].n
    judgement = made.judge(uow, brief, Reply((Proposed(OpName.ADD, text=text, subject=subject, evidence=(n,)),)))
    vectors = made.embed_passages([text])
    assert vectors is not None
    made.apply(uow, judgement, brief, turn_key=text, vectors={text: vectors[0]})


def test_a_new_statement_is_paired_with_what_lies_near_about_the_same_subject(uow: UnitOfWork) -> None:
    made = engine(Near)
    keep(uow, made, "My desk is in room nine.", "Anna")
    keep(uow, made, "Bob has a desk in room two.", "Bob")
    assert pairs_for(uow, made, ["My desk is in room four."]) == [
        ("My desk is in room four.", "My desk is in room nine.")
    ]


def test_a_memory_is_the_neighbour_of_one_new_statement_at_most(uow: UnitOfWork) -> None:
    """Else the second would overwrite what the first became."""
    made = engine(Near)
    keep(uow, made, "My desk is in room nine.", "Anna")
    assert len(pairs_for(uow, made, ["My desk is in room four.", "My desk is in room six."])) == 1


@pytest.mark.parametrize(
    ("layer", "importance", "paired"), [("working", 2, True), ("buffer", 4, True), ("buffer", 3, False)]
)
def test_a_change_meets_what_mattered_and_sleeps(layer: str, importance: int, paired: bool, uow: UnitOfWork) -> None:
    """Else the archive would hold on to the old value beside the new one; passing talk that sleeps is over."""
    made = engine(Near)
    keep(uow, made, "My desk is in room nine.", "Anna")
    (memory,) = held(uow, made, HERE.scope)
    store.change(uow, memory, now=NOW, cause=CAUSE, status=Status.ARCHIVED, layer=Layer(layer), importance=importance)
    assert bool(pairs_for(uow, made, ["My desk is in room four."])) is paired


def test_a_statement_about_somebody_else_is_no_neighbour(uow: UnitOfWork) -> None:
    made = engine(Near)
    keep(uow, made, "Bob has a desk in room two.", "Bob")
    assert pairs_for(uow, made, ["My desk is in room four."]) == []


def accepted(
    uow: UnitOfWork, made: MemoryEngine, *before: Verdict, conversation: Conversation = HERE, **fields: Any
) -> list[str]:
    """Give the neighbours of an accepted addition that comes after other verdicts."""
    text = "My desk is in room four."
    given: dict[str, Any] = {"scope": conversation.scope, "trust": Trust.OWNER, "speaker_id": ANNA}
    new = NewMemory(text=text, kind=Kind.SEMANTIC, importance=5, subject="Anna", speaker="Anna", **given | fields)
    brief = brief_of(uow, made, say(uow, text, conversation).id, conversation)
    assert brief is not None
    judgement = Judgement((*before, Verdict("ADD", Outcome.ACCEPT, Reason.OK, new=new)))
    found = made.near_pairs(uow, brief, judgement, {len(before): Near().embed_query(text)}, near_from=0.72)
    return [pair.neighbour.text for pair in found]


def test_what_another_verdict_is_about_is_no_neighbour_any_more(uow: UnitOfWork) -> None:
    made = engine(Near)
    keep(uow, made, "My desk is in room nine.", "Anna")
    (memory,) = held(uow, made)
    assert accepted(uow, made) == [memory.text]
    assert accepted(uow, made, Verdict("DELETE", Outcome.ACCEPT, Reason.OK, target=memory)) == []


def test_what_is_known_everywhere_is_neither_changed_from_a_chat_nor_by_what_is(uow: UnitOfWork) -> None:
    made = engine(Near)
    keep(uow, made, "My desk is in room nine.", "Anna")
    assert accepted(uow, made, scope=GLOBAL) == []
    uow.connection.exec_driver_sql("UPDATE memories SET scope = 'global'")
    assert accepted(uow, made) == []
    assert accepted(uow, made, scope=GLOBAL) == []


@pytest.mark.parametrize(("speaker_id", "paired"), [(ANNA, True), (41, False)])
def test_in_a_group_only_who_said_it_may_change_it(speaker_id: int, paired: bool, uow: UnitOfWork) -> None:
    """A namesake is not the person."""
    made = engine(Near)
    keep(uow, made, "My desk is in room nine.", "Anna", GROUP)
    fields = {"trust": Trust.MEMBER, "speaker_id": speaker_id}
    assert bool(accepted(uow, made, conversation=GROUP, **fields)) is paired


def test_neighbours_are_never_of_another_chat(uow: UnitOfWork) -> None:
    made = engine(Near)
    keep(uow, made, "My desk is in room nine.", "Anna", GROUP)
    assert pairs_for(uow, made, ["My desk is in room four."]) == []


@pytest.mark.parametrize(("held_text", "new_text", "paired"), [
    ("My old tent is in the cellar.", "My old tent is in the car boot.", True),
    ("我的表哥王海涛住在青岛。", "我的表哥王海涛住在昆明。", True),
    ("My old tent is in the cellar.", "My uncle sings in the cellar.", False),
    ("The wine is in the cellar.", "The tent is in the cellar.", False),
    ("My old green tent fills half the cellar.", "My old uncle hums songs in the cellar.", False),
])  # fmt: skip
def test_what_shares_half_its_content_is_a_neighbour(
    held_text: str, new_text: str, paired: bool, uow: UnitOfWork
) -> None:
    """However far apart the embedder sees the two."""
    made = engine(Far)
    keep(uow, made, held_text, "Anna")
    (memory,) = held(uow, made, HERE.scope)
    store.change(uow, memory, now=NOW, cause=CAUSE, layer=Layer.WORKING)
    assert bool(pairs_for(uow, made, [new_text])) is paired


def test_passing_talk_is_a_neighbour_by_meaning_alone(uow: UnitOfWork) -> None:
    made = engine(Far)
    keep(uow, made, "My old tent is in the cellar.", "Anna")
    (memory,) = held(uow, made, HERE.scope)
    store.change(uow, memory, now=NOW, cause=CAUSE, layer=Layer.BUFFER, importance=3)
    assert pairs_for(uow, made, ["My old tent is in the car boot."]) == []


def test_what_is_far_is_no_neighbour(uow: UnitOfWork) -> None:
    made = engine()
    keep(uow, made, "My desk is in room nine.", "Anna")
    assert pairs_for(uow, made, ["I eat no shellfish."]) == []


def test_without_an_embedder_there_are_no_neighbours(database: Database) -> None:
    def broken() -> Any:
        raise EmbedderUnavailable("no weights")

    made = engine(broken)
    with database.write() as uow:
        remember(uow, made, "My desk is in room nine.")
        message = say(uow, "My desk is in room four.")
        brief = brief_of(uow, made, message.id)
        assert brief is not None
        reply = Reply((Proposed(OpName.ADD, text="My desk is in room four.", evidence=(brief.messages[-1].n,)),))
        judgement = made.judge(uow, brief, reply)
        assert made.near_pairs(uow, brief, judgement, {0: np.ones(3, np.float32)}, near_from=0.72) == ()
