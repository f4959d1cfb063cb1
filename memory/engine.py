"""Every use case of memory behind one door: the bot calls this, in worker threads, inside its unit of work."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from memory import forgetting, journal, moving, store, transcript
from memory.clock import Clock
from memory.domain import Actor, AgentSlug, Conversation, Memory, MemoryId, Message, Scope, Status
from memory.embedding import Embedder
from memory.errors import EmbedderUnavailable
from memory.hygiene.thresholds import calibrated
from memory.lifecycle import archive
from memory.lived import lived_in
from memory.policy import UNDO_DAYS
from memory.recall import names_in_question
from memory.recall import recall as recalling
from memory.recall.values import Recall
from memory.reflection import application, gathering, validation
from memory.reflection import brief as briefing
from memory.reflection.alignment import align
from memory.reflection.application import Applied
from memory.reflection.near_pairs import near_pairs as pairing
from memory.reflection.neighbours import Pair
from memory.reflection.operations import Brief, Judgement, OpName, Proposed, Reply
from memory.unit_of_work import UnitOfWork
from memory.vectors import VectorIndex


class Vectors(NamedTuple):
    """A question as the embedder sees it, and without the names in it; None where there is no such vector."""

    whole: Any = None
    nameless: Any = None


class MemoryEngine:
    """The façade. Methods that take a ``UnitOfWork`` run in its transaction; embedding ones never do.

    The embedder is loaded on first use, on the embedder's thread; when it cannot be, ``problem`` says why and
    keywords serve.
    """

    def __init__(self, agent: AgentSlug, clock: Clock, load_embedder: Callable[[], Embedder]) -> None:
        self.agent = agent
        self.problem: str | None = None
        self.index: VectorIndex | None = None
        self._clock = clock
        self._load = load_embedder
        self._embedder: Embedder | None = None
        self._near_from: float | None = None

    # --- vectors: on the embedder's thread

    def load(self) -> Embedder | None:
        """Give the embedder, loading it at the first call; None when it cannot be had."""
        if self._embedder is None and self.problem is None:
            try:
                self._embedder = self._load()
                self.index = VectorIndex(self._embedder.digest, self._embedder.dimensions)
            except EmbedderUnavailable as error:
                self.problem = str(error)
        return self._embedder

    @property
    def digest(self) -> str | None:
        """The digest of the loaded embedder."""
        return self._embedder.digest if self._embedder else None

    def embed_query(self, text: str) -> Any:
        """Give the vector of a question, or None without an embedder or without words."""
        embedder = self.load()
        return embedder.embed_query(text) if embedder and text.strip() else None

    def embed_question(self, text: str, nameless: str) -> Vectors:
        """Give the vectors of a question and of the same without the names in it (`names_in_question`)."""
        whole = self.embed_query(text)
        return Vectors(whole, self.embed_query(nameless) if whole is not None and nameless else None)

    def embed_passages(self, texts: Sequence[str]) -> list[Any] | None:
        """Give the vectors of statements, or None without an embedder."""
        embedder = self.load()
        return list(embedder.embed_passages(texts)) if embedder else None

    def near_from(self) -> float:
        """Give the cosine from which two statements are worth comparing, measured once for the embedder in use."""
        if self._near_from is None:
            self._near_from = calibrated(self.embed_passages)
        return self._near_from

    # --- reading

    def names_in_question(self, uow: UnitOfWork, scope: Scope, query: str) -> str:
        """Give the question without the subjects it names, empty when it names none."""
        return names_in_question(uow.connection, self.agent, scope, query)

    def recall(
        self,
        uow: UnitOfWork,
        scope: Scope,
        query: str,
        vectors: Vectors,
        *,
        limit: int,
        token_budget: int,
        count_tokens: Callable[[str], int],
        timezone: str = "UTC",
        gated: bool = True,
        conversation: Conversation | None = None,
    ) -> Recall:
        """Give the memories visible in ``scope`` that help with ``query``, best first, with their score's parts.

        With ``gated`` off the nearest come, whether or not they fit. In a ``conversation`` cues that fired a moment ago rest.
        """
        return recalling(
            uow.connection,
            self.index,
            query,
            vectors.whole,
            vectors.nameless,
            agent=self.agent,
            scope=scope,
            now=self._clock.now(),
            timezone=timezone,
            gated=gated,
            conversation=conversation,
            lived_hours=lived_in(uow, self.agent, self._clock.now()),
            limit=limit,
            token_budget=token_budget,
            count_tokens=count_tokens,
        )

    def memories(
        self, uow: UnitOfWork, scope: Scope, statuses: Sequence[Status], *, limit: int, offset: int = 0
    ) -> tuple[Memory, ...]:
        """Give the memories visible in ``scope``, newest first."""
        return store.visible(uow, self.agent, scope, statuses, limit=limit, offset=offset)

    # --- reflection

    def new_words(self, uow: UnitOfWork, conversation: Conversation, up_to: int) -> str:
        """Give what people said since the last reflection, for finding related memories; empty when nobody did."""
        return gathering.said_by_people(gathering.new_messages(uow, self.agent, conversation, up_to))

    def brief(
        self,
        uow: UnitOfWork,
        conversation: Conversation,
        up_to: int,
        *,
        owner_id: int | None,
        timezone: str,
        recalled: Sequence[MemoryId],
        vector: Any,
    ) -> Brief | None:
        """Say what to ask about the messages up to ``up_to``; None when nobody said anything new."""
        new = gathering.new_messages(uow, self.agent, conversation, up_to)
        if not gathering.is_anybody_heard(new):
            return None
        named = store.by_ids(uow, self.agent, conversation.scope, recalled)
        still_there = [memory for memory in named if memory.status in {Status.ACTIVE, Status.ARCHIVED}]
        nearest = self._nearest(uow, conversation.scope, gathering.said_by_people(new), vector)
        return gathering.conversation_brief(
            gathering.context_before(uow, self.agent, conversation),
            new,
            briefing.alias_memories(still_there, nearest),
            conversation=conversation,
            owner_id=owner_id,
            timezone=timezone,
            now=self._clock.now(),
        )

    def judge(self, uow: UnitOfWork, brief: Brief, reply: Reply, *, wished: bool = False) -> Judgement:
        """Judge a reply against its brief and against what changed since; what is ``wished`` may have been forgotten before."""
        current = {shown.memory.id: shown.memory.revision for shown in brief.memories}
        fresh = store.by_ids(uow, self.agent, brief.scope, list(current))
        current |= {memory.id: memory.revision for memory in fresh}
        return validation.validate(
            brief,
            align(brief, reply),
            current=current,
            tombstoned=lambda text: not wished and forgetting.is_tombstoned(uow, self.agent, brief.scope, text),
        )

    def near_pairs(
        self, uow: UnitOfWork, brief: Brief, judgement: Judgement, vectors: Mapping[int, Any], *, near_from: float
    ) -> tuple[Pair, ...]:
        """Pair accepted additions with the held memory nearest to each, where that is at least as near as ``near_from``."""
        return pairing(uow, self.agent, self.index, brief, judgement, vectors, near_from=near_from)

    def apply(
        self,
        uow: UnitOfWork,
        judgement: Judgement,
        brief: Brief,
        *,
        turn_key: str,
        vectors: Mapping[str, Any],
        actor: Actor = Actor.REFLECTION,
    ) -> Applied:
        """Write what was judged; the same turn is applied once."""
        return application.apply(
            uow,
            judgement,
            brief,
            agent=self.agent,
            now=self._clock.now(),
            turn_key=turn_key,
            vectors=vectors,
            digest=self.digest,
            index=self.index,
            actor=actor,
        )

    def move_cursor(self, uow: UnitOfWork, conversation: Conversation, message_id: int) -> None:
        """Remember that everything up to ``message_id`` was reflected on."""
        transcript.set_cursor(uow, self.agent, conversation, message_id)

    # --- a person's wishes

    def remember(
        self,
        uow: UnitOfWork,
        message: Message,
        text: str,
        *,
        owner_id: int | None,
        timezone: str,
        turn_key: str,
        lesson: Proposed | None = None,
    ) -> tuple[Judgement, Applied]:
        """Keep what a person asks to keep, judged like everything else; a ``lesson`` comes with the cues that bring it up."""
        nearest = self._nearest(uow, message.conversation.scope, text, None)
        brief = gathering.wish_brief(
            message,
            briefing.alias_memories((), nearest),
            owner_id=owner_id,
            timezone=timezone,
            now=self._clock.now(),
        )
        proposal = lesson or Proposed(OpName.ADD, text=text, importance=8, evidence=(1,))
        judgement = self.judge(uow, brief, Reply((proposal,)), wished=True)
        return judgement, self.apply(
            uow, judgement, brief, turn_key=f"{turn_key}:remember", vectors={}, actor=Actor.PERSON
        )

    def move_chat(self, uow: UnitOfWork, old_chat: int, new_chat: int) -> None:
        """Take everything memory keeps of a chat along to its new number. A second call changes nothing."""
        moving.move_chat(
            uow,
            self.agent,
            old_chat,
            new_chat,
            now=self._clock.now(),
            reason="the chat has a new number",
            index=self.index,
        )

    def rename_speaker(self, uow: UnitOfWork, old_id: int, new_id: int) -> None:
        """Count what one account said as another's."""
        moving.rename_speaker(uow, self.agent, old_id, new_id)

    def resurrect(self, uow: UnitOfWork, scope: Scope, recall: Recall, *, turn_key: str) -> None:
        """Bring back from the archive what a question asked for."""
        for found in recall.chosen:
            if found.revived:
                archive.resurrect(
                    uow, self.agent, scope, found.memory, now=self._clock.now(), index=self.index, turn_key=turn_key
                )

    def undo_last(
        self, uow: UnitOfWork, scope: Scope, *, person_id: int | None, past_forgetting: bool = False
    ) -> journal.Undone | journal.CannotUndo | journal.Forgotten:
        """Take back the last change in ``scope``; with ``person_id`` only one that came from that person's words.

        Where something was forgotten after it (by that person), nothing is taken back, unless ``past_forgetting``.
        """
        now = self._clock.now()
        since = now - timedelta(days=UNDO_DAYS)
        operation = journal.last_undoable(uow, self.agent, scope, person_id, since=since)
        if not past_forgetting and journal.was_forgotten_since(
            uow, self.agent, scope, person_id, since=since, after=operation
        ):
            return journal.Forgotten(is_anything_older=operation is not None)
        if operation is None:
            return journal.CannotUndo("There is no change here that could be taken back.")
        return journal.undo(uow, operation, now=now, by=person_id, index=self.index)

    # --- inside

    def _nearest(self, uow: UnitOfWork, scope: Scope, words: str, vector: Any) -> tuple[Memory, ...]:
        recall = self.recall(
            uow,
            scope,
            words,
            Vectors(vector),
            limit=20,
            token_budget=4000,
            count_tokens=lambda text: len(text) // 3,
            gated=False,
        )
        return tuple(chosen.memory for chosen in recall.chosen)
