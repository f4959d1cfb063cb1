"""Every use case of memory behind one door: the bot calls this, in worker threads, inside its unit of work."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from memory import forgetting, journal, moving, store, transcript
from memory.clock import Clock
from memory.domain import (
    GLOBAL,
    Actor,
    AgentSlug,
    Conversation,
    Memory,
    MemoryId,
    Message,
    Origin,
    Role,
    Scope,
    Status,
    Trust,
)
from memory.embedding import Embedder
from memory.errors import EmbedderUnavailable
from memory.hygiene.thresholds import calibrated
from memory.lifecycle import archive
from memory.lived import lived_in
from memory.policy import UNDO_DAYS
from memory.recall import names_in_question
from memory.recall import recall as recalling
from memory.recall.values import Recall
from memory.reflection import application, validation
from memory.reflection import brief as briefing
from memory.reflection.alignment import align
from memory.reflection.application import Applied
from memory.reflection.authority import may_change
from memory.reflection.neighbours import Pair
from memory.reflection.operations import (
    Brief,
    BriefMessage,
    Judgement,
    OpName,
    Proposed,
    Reply,
)
from memory.unit_of_work import UnitOfWork
from memory.vectors import VectorIndex

CONTEXT_MESSAGES = 6
"""Messages before the new ones that a brief shows, so that "yes, that one" can be understood."""
BRIEF_MESSAGES = 24
"""New messages in one brief; the rest waits for the next."""
BRIEF_CHARS = 12_000
"""Characters of new messages in one brief: about 3,000 tokens, which a small model still reads well."""


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
        new = self._new_messages(uow, conversation, up_to)
        return "\n".join(message.text for message in new if message.role is Role.USER)[-4000:]

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
        new = self._new_messages(uow, conversation, up_to)
        if not any(message.role is Role.USER for message in new):
            return None
        cursor = transcript.cursor(uow, self.agent, conversation)
        context = transcript.preceding(uow, self.agent, conversation, cursor, CONTEXT_MESSAGES)
        words = "\n".join(message.text for message in new if message.role is Role.USER)[-4000:]
        named = store.by_ids(uow, self.agent, conversation.scope, recalled)
        shown = [
            memory for memory in named if memory.status in {Status.ACTIVE, Status.ARCHIVED}
        ]  # it may have gone since
        nearest = self._nearest(uow, conversation.scope, words, vector)
        return Brief(
            scope=conversation.scope,
            private=owner_id is not None and conversation.chat_id == owner_id,
            owner_name=_owner_name((*context, *new), owner_id),
            timezone=timezone,
            now=self._clock.now(),
            messages=_numbered(context, new, owner_id),
            memories=briefing.alias_memories(shown, nearest),
        )

    def judge(self, uow: UnitOfWork, brief: Brief, reply: Reply) -> Judgement:
        """Judge a reply against its brief and against what changed since."""
        current = {shown.memory.id: shown.memory.revision for shown in brief.memories}
        fresh = store.by_ids(uow, self.agent, brief.scope, list(current))
        current |= {memory.id: memory.revision for memory in fresh}
        return validation.validate(
            brief,
            align(brief, reply),
            current=current,
            tombstoned=lambda text: forgetting.is_tombstoned(uow, self.agent, brief.scope, text),
        )

    def near_pairs(
        self, uow: UnitOfWork, brief: Brief, judgement: Judgement, vectors: Mapping[int, Any], *, near_from: float
    ) -> tuple[Pair, ...]:
        """Pair accepted additions with the held memory nearest to each, where that is at least as near as ``near_from``."""
        taken = {verdict.target.id for verdict in judgement.verdicts if verdict.target is not None}
        pairs: list[Pair] = []
        for index, vector in vectors.items():
            pair = self._near_pair(uow, brief, judgement, index, vector, taken, near_from)
            if pair is not None:
                pairs.append(pair)
                taken.add(pair.neighbour.id)  # one memory cannot become two
        return tuple(pairs)

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
        trust = Trust.OWNER if message.speaker_id is not None and message.speaker_id == owner_id else Trust.MEMBER
        brief = Brief(
            scope=message.conversation.scope,
            private=owner_id is not None and message.conversation.chat_id == owner_id,
            owner_name=None,
            timezone=timezone,
            now=self._clock.now(),
            messages=(BriefMessage(1, message, trust),),
            memories=briefing.alias_memories((), self._nearest(uow, message.conversation.scope, text, None)),
        )
        proposal = lesson or Proposed(OpName.ADD, text=text, importance=8, evidence=(1,))
        judgement = self.judge(uow, brief, Reply((proposal,)))
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
        """Bring back from the archive what a question named outright."""
        for found in recall.chosen:
            if found.revived:
                archive.resurrect(
                    uow, self.agent, scope, found.memory, now=self._clock.now(), index=self.index, turn_key=turn_key
                )

    def undo_last(self, uow: UnitOfWork, scope: Scope, *, person_id: int | None) -> journal.Undone | journal.CannotUndo:
        """Take back the last change in ``scope``; with ``person_id`` only one that came from that person's words."""
        now = self._clock.now()
        since = now - timedelta(days=UNDO_DAYS)
        operation = journal.last_undoable(uow, self.agent, scope, person_id, since=since)
        if operation is None:
            return journal.CannotUndo("There is no change here that could be taken back.")
        return journal.undo(uow, operation, now=now, by=person_id, index=self.index)

    # --- inside

    def _new_messages(self, uow: UnitOfWork, conversation: Conversation, up_to: int) -> tuple[Message, ...]:
        cursor = transcript.cursor(uow, self.agent, conversation)
        messages = transcript.since(uow, self.agent, conversation, cursor, up_to)[:BRIEF_MESSAGES]
        kept: list[Message] = []
        room = BRIEF_CHARS
        for message in messages:
            room -= len(message.text)
            if kept and room < 0:
                break
            kept.append(message)
        return tuple(kept)

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

    def _near_pair(
        self,
        uow: UnitOfWork,
        brief: Brief,
        judgement: Judgement,
        index: int,
        vector: Any,
        taken: Collection[MemoryId],
        near_from: float,
    ) -> Pair | None:
        new = judgement.verdicts[index].new
        if self.index is None or new is None or new.scope == GLOBAL:
            return None
        hits = self.index.search(uow.connection, self.agent, (new.scope,), vector, limit=3)
        for memory, cosine in store.with_scores(uow, self.agent, new.scope, hits):
            fits = (
                memory.status is Status.ACTIVE and _same_subject(memory.subject, new.subject) and memory.id not in taken
            )
            if cosine >= near_from and fits and (brief.private or may_change(memory, new)):
                return Pair(index, new.text, memory)
        return None


def _same_subject(one: str | None, other: str | None) -> bool:
    return (one or "").casefold() == (other or "").casefold()


def _owner_name(messages: Sequence[Message], owner_id: int | None) -> str | None:
    names = [m.speaker for m in messages if owner_id is not None and m.speaker_id == owner_id and m.origin.is_own]
    return names[-1] if names else None


def _numbered(context: Sequence[Message], new: Sequence[Message], owner_id: int | None) -> tuple[BriefMessage, ...]:
    numbered: list[BriefMessage] = []
    for message, is_new in [*((m, False) for m in context), *((m, True) for m in new)]:
        quoted = _quoted(message)
        if quoted is not None:
            numbered.append(BriefMessage(len(numbered) + 1, quoted, _trust(quoted, owner_id), is_new))
        numbered.append(BriefMessage(len(numbered) + 1, message, _trust(message, owner_id), is_new))
    return tuple(numbered)


def _quoted(message: Message) -> Message | None:
    """Give the words that a message answers as a message of their own, so that they have their own author."""
    if not message.reply_text:
        return None
    ours = message.reply_author == "assistant"
    return Message(
        id=message.id,
        conversation=message.conversation,
        role=Role.ASSISTANT if ours else Role.USER,
        speaker=message.reply_author or "someone",
        speaker_id=None,
        origin=Origin.OWN if ours else Origin.QUOTED,
        text=message.reply_text,
        sent_at=message.sent_at,
    )


def _trust(message: Message, owner_id: int | None) -> Trust:
    if message.role is Role.ASSISTANT:
        return Trust.ASSISTANT
    if not message.origin.is_own:
        return Trust.QUOTED
    return Trust.OWNER if owner_id is not None and message.speaker_id == owner_id else Trust.MEMBER
