"""One message in, one answer out.

Persist the message → recall in the visible scopes → assemble → call the model → persist the answer with its outbox
rows and its reflection job in one transaction. Sending and reflecting follow from those rows, whoever is alive then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import structlog

from bot import delivery, history
from bot.errors import ModelEmptyReply, ModelError, ModelPromptTooLong
from bot.executors import Executors
from bot.incoming import ChatKind, Incoming
from bot.lessons import ToolLessons, fired
from bot.model import ModelClient, ModelReply, ModelRequest, Purpose, Question
from bot.prompting import Ingredients, assemble, fit, known, shorter
from bot.storage import directory, inbox, recalls, reflections, usage
from memory import transcript
from memory.clock import Clock
from memory.domain import Message, Role
from memory.engine import MemoryEngine, Vectors
from memory.recall.values import Recall
from memory.triggers import firing
from memory.unit_of_work import UnitOfWork

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """Budgets of a turn, in tokens but for ``recall_limit``, which counts memories."""

    context_tokens: int = 8000
    history_tokens: int = 3000
    recall_tokens: int = 1200
    recall_limit: int = 16
    max_output_tokens: int = 1200


@dataclass(frozen=True, slots=True)
class TurnKit:
    """What a turn works with; wired once."""

    executors: Executors
    engine: MemoryEngine
    model: ModelClient
    clock: Clock
    limits: TurnLimits
    persona: str
    timezone: str
    compose: delivery.Compose
    bot_id: int
    wake: Callable[[], None]  # tells the sender and the reflection runner that there is work
    ask: "Ask" = field(default_factory=lambda: ask)
    """How a prompt becomes an answer; a loop of tool calls takes its place."""


Ask = Callable[[TurnKit, Ingredients, ToolLessons], Awaitable[tuple[ModelReply, Ingredients]]]
"""Gives the answer, and what the prompt that was answered was made of. Before a tool runs it asks the third for lessons."""


class Query(NamedTuple):
    """What to recall by: words and, where there is an embedder, their vectors."""

    text: str
    vectors: Vectors


async def take_turn(kit: TurnKit, incoming: Incoming, notices: tuple[str, ...] = ()) -> None:
    """Answer one message. The same ``incoming.key`` is answered once, however often it is given."""
    (message, answered), query = await asyncio.gather(  # the embedder needs no write: both at once
        kit.executors.write(lambda uow: _persist(kit, uow, incoming)),
        _query(kit, incoming),
    )
    if answered:
        await kit.executors.write(lambda uow: _finish(kit, uow, incoming))
        return
    parts, recall = await _gather(kit, incoming, message, query, notices)
    lessons = ToolLessons(kit.executors, kit.engine, incoming.conversation, kit.clock)
    try:
        reply, parts = await kit.ask(kit, parts, lessons)
        chunks = await _composed(kit, reply)
    except ModelError as error:
        log.warning("no answer from the model", key=incoming.key, error=type(error).__name__, detail=str(error)[:300])
        sentence = error.sentence
        await kit.executors.write(lambda uow: _apologise(kit, uow, incoming, message, sentence))
    else:
        used = lessons.beside(_shown(recall, parts))
        await kit.executors.write(lambda uow: _keep(kit, uow, incoming, reply, chunks, used))
    kit.wake()


async def record_only(kit: TurnKit, incoming: Incoming) -> None:
    """Keep a message that was not meant for the assistant, in a group that lets it listen."""

    def keep(uow: UnitOfWork) -> None:
        message, _ = _persist(kit, uow, incoming)
        reflections.enqueue(uow, incoming.key, incoming.conversation, message.id, kit.clock.now())
        _finish(kit, uow, incoming)

    await kit.executors.write(keep)
    kit.wake()


def _persist(kit: TurnKit, uow: UnitOfWork, incoming: Incoming) -> tuple[Message, bool]:
    message = history.record(uow, kit.engine.agent, incoming)
    transcript.mark_lived(uow, kit.engine.agent, incoming.conversation.scope, incoming.sent_at.date())
    return message, transcript.has_answer(uow, kit.engine.agent, incoming.key)


async def _gather(
    kit: TurnKit, incoming: Incoming, message: Message, query: Query, notices: tuple[str, ...]
) -> tuple[Ingredients, Recall]:
    def read(uow: UnitOfWork) -> tuple[Recall, tuple[Message, ...], str]:
        zone = directory.timezone(uow, incoming.conversation.chat_id) or kit.timezone
        recall = kit.engine.recall(
            uow,
            incoming.conversation.scope,
            query.text,
            query.vectors,
            limit=kit.limits.recall_limit,
            token_budget=kit.limits.recall_tokens,
            count_tokens=kit.model.count_tokens,
            timezone=zone,
            conversation=incoming.conversation,
        )
        past = history.before(uow, kit.engine.agent, incoming.conversation, message.id)
        return recall, past, zone

    recall, past, zone = await kit.executors.read(read)
    parts = Ingredients(
        persona=kit.persona,
        incoming=incoming,
        history=past,
        memories=tuple(chosen.memory for chosen in recall.chosen),
        former={chosen.memory.id: chosen.former for chosen in recall.chosen if chosen.former},
        overtaken={chosen.memory.id: chosen.overtaken for chosen in recall.chosen if chosen.overtaken},
        now=kit.clock.now(),
        timezone=zone,
        notices=notices,
    )
    limits = kit.limits
    budget = limits.context_tokens - limits.max_output_tokens
    return fit(parts, budget_tokens=budget, history_tokens=limits.history_tokens, count=kit.model.count_tokens), recall


async def _query(kit: TurnKit, incoming: Incoming) -> Query:
    """What to recall by: the message, and what it answers, since "and on Sunday?" says little by itself."""
    answers = incoming.reply_to.text if incoming.reply_to else ""
    text = f"{incoming.text}\n{answers}".strip()
    scope = incoming.conversation.scope
    nameless = await kit.executors.read(lambda uow: kit.engine.names_in_question(uow, scope, text))
    return Query(text, await kit.executors.embed(lambda: kit.engine.embed_question(text, nameless)))


async def ask(kit: TurnKit, parts: Ingredients, _lessons: ToolLessons) -> tuple[ModelReply, Ingredients]:
    """Ask once, without tools; a prompt too long is made smaller."""
    while True:
        try:
            return await kit.model.complete(_request(kit, parts)), parts
        except ModelPromptTooLong:
            smaller = shorter(parts)
            if smaller is None:
                raise
            log.info("prompt too long, trying a smaller one", key=parts.incoming.key)
            parts = smaller


def _shown(recall: Recall, parts: Ingredients) -> Recall:
    """Give what was recalled without the memories that had no room in the prompt: the answer cannot rest on those."""
    ids = {memory.id for memory in parts.memories}
    return replace(recall, chosen=tuple(chosen for chosen in recall.chosen if chosen.memory.id in ids))


async def _composed(kit: TurnKit, reply: ModelReply) -> Sequence[delivery.Chunk]:
    """Compose off the event loop: a long answer takes a while. Nothing to show counts as no answer."""
    chunks = await asyncio.to_thread(kit.compose, reply.text)
    if not chunks:
        raise ModelEmptyReply("nothing in the answer can be shown")
    return chunks


def _request(kit: TurnKit, parts: Ingredients) -> ModelRequest:
    return ModelRequest(
        purpose=Purpose.TURN,
        messages=assemble(parts),
        max_tokens=kit.limits.max_output_tokens,
        material=Question(
            text=parts.incoming.text,
            speaker=parts.incoming.speaker.name,
            known=known(parts.memories, parts.timezone),
            passed_on=not parts.incoming.origin.is_own,
            first_answer=not any(message.role is Role.ASSISTANT for message in parts.history),
        ),
    )


def _keep(
    kit: TurnKit,
    uow: UnitOfWork,
    incoming: Incoming,
    reply: ModelReply,
    chunks: Sequence[delivery.Chunk],
    recall: Recall,
) -> None:
    """Persist the answer and everything that must follow from it, together."""
    now = kit.clock.now()
    answer = history.record_answer(uow, kit.engine.agent, incoming, reply.text, now)
    usage.record(
        uow,
        now=now,
        purpose=Purpose.TURN,
        reply=reply,
        chat_id=incoming.conversation.chat_id,
        person_id=incoming.speaker.person_id,
        turn_key=incoming.key,
    )
    recalls.save(uow, incoming.key, incoming.conversation, recall, now)
    firing.note(uow, incoming.conversation, fired(recall), now=now)
    kit.engine.resurrect(uow, incoming.conversation.scope, recall, turn_key=incoming.key)
    _send(kit, uow, incoming, chunks)
    reflections.enqueue(uow, incoming.key, incoming.conversation, answer.id, now)
    _finish(kit, uow, incoming)


def _apologise(kit: TurnKit, uow: UnitOfWork, incoming: Incoming, message: Message, sentence: str) -> None:
    """Tell the person what went wrong. What was said is still reflected on; the apology is no part of the history."""
    _send(kit, uow, incoming, delivery.compose_plain(sentence))
    reflections.enqueue(uow, incoming.key, incoming.conversation, message.id, kit.clock.now())
    _finish(kit, uow, incoming)


def _send(kit: TurnKit, uow: UnitOfWork, incoming: Incoming, chunks: Sequence[delivery.Chunk]) -> None:
    reply_to = incoming.telegram_id if incoming.chat_kind is ChatKind.GROUP else None
    letter = delivery.Letter(incoming.key, incoming.conversation, chunks, reply_to)
    delivery.put(uow, kit.bot_id, letter, kit.clock.now())


def _finish(kit: TurnKit, uow: UnitOfWork, incoming: Incoming) -> None:
    if incoming.inbox_id is not None:
        inbox.finish(uow, incoming.inbox_id, kit.clock.now())
