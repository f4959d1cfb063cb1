"""Reflection: after the answer, from the durable queue, one conversation at a time.

What piled up in a conversation is reflected on together. A failure never touches the answer: the job stays, is tried
again later with growing pauses, and shows in ``tidemark status``.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any

import structlog

from bot import delivery, hints
from bot.errors import ModelError
from bot.executors import Executors
from bot.model import ModelClient, ModelReply, ModelRequest, PromptMessage, Purpose
from bot.requests_to_remember import unmet
from bot.storage import recalls, reflections, scrub, usage
from bot.storage.reflections import Job
from memory import transcript
from memory.clock import Clock
from memory.domain import GLOBAL, Message
from memory.engine import MemoryEngine
from memory.reflection import brief as briefing
from memory.reflection import neighbours, parsing
from memory.reflection.application import Applied
from memory.reflection.operations import Brief, Judgement, OpName, Outcome, Reply, Unreadable
from memory.unit_of_work import UnitOfWork

log = structlog.get_logger(__name__)

RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), timedelta(days=1))
"""Pauses between tries: a blip is over in a minute, a provider's bad day in a day; then the job is marked failed."""
MAX_OUTPUT_TOKENS = 1200
"""Eight operations of the longest kind fit."""
IDLE_S = 60.0
"""How long the runner sleeps without being woken; only a clock that jumped or a retry needs it."""

REDACTED_NOTE = (
    "I noticed a password, key or card number in what you wrote. I have not kept it, and I have removed it from my "
    "records. You may want to delete your message too."
)
GLOBAL_NOTE = "Noted for every chat of mine: {texts}\nIf you would rather not have that, send /undo."


@dataclass(frozen=True, slots=True)
class ReflectionKit:
    """What reflection works with; wired once."""

    executors: Executors
    engine: MemoryEngine
    model: ModelClient
    clock: Clock
    owner: Callable[[], int | None]
    timezone: str
    bot_id: int
    wake_sender: Callable[[], None]
    embedding_model: str = ""


class ReflectionRunner:
    """Works the queue off until it is cancelled."""

    def __init__(self, kit: ReflectionKit) -> None:
        self._kit = kit
        self._work = asyncio.Event()

    def notify(self) -> None:
        """Say that there may be work."""
        self._work.set()

    async def run(self) -> None:
        """Reflect whenever something is due, for ever."""
        while True:
            self._work.clear()
            try:
                await self.work_off()
            except Exception as error:  # what is not done stays in the queue
                log.exception("reflection interrupted", error=type(error).__name__)
            try:
                await asyncio.wait_for(self._work.wait(), IDLE_S)
            except TimeoutError:
                continue

    async def work_off(self) -> None:
        """Take up every job that is due, oldest first."""
        kit = self._kit
        while jobs := await kit.executors.read(lambda uow: reflections.due(uow, kit.clock.now())):
            for job in jobs:
                await _attempt(kit, job)
                await _hint(kit, job)


async def _attempt(kit: ReflectionKit, job: Job) -> None:
    try:
        await _reflect(kit, job)
    except ModelError as error:
        await _postpone(kit, job, f"{type(error).__name__}: {error}")
    except Exception as error:
        log.exception("reflection failed", chat=job.conversation.chat_id, error=type(error).__name__)
        await _postpone(kit, job, f"{type(error).__name__}")


async def _hint(kit: ReflectionKit, job: Job) -> None:
    """Tell the owner, in private and once, when another embedding model would know the languages spoken here."""
    if job.conversation.chat_id != kit.owner():
        return
    agent, model = kit.engine.agent, kit.embedding_model
    text = await kit.executors.read(lambda uow: hints.due(uow, agent, model))
    if text is None:
        return
    letter = delivery.Letter(hints.KEY, job.conversation, delivery.compose_plain(text))
    await kit.executors.write(lambda uow: hints.say(uow, kit.bot_id, letter, kit.clock.now()))
    kit.wake_sender()


async def _postpone(kit: ReflectionKit, job: Job, error: str) -> None:
    now = kit.clock.now()
    log.warning("reflection postponed", chat=job.conversation.chat_id, attempts=job.attempts + 1, error=error[:200])

    def note(uow: UnitOfWork) -> None:
        _redact_waiting(kit, uow, job)
        if job.attempts < len(RETRY_AFTER):
            reflections.retry(uow, job, now + RETRY_AFTER[job.attempts], error[:200])
        else:
            reflections.failed(uow, job, error[:200], now)

    await kit.executors.write(note)


async def _reflect(kit: ReflectionKit, job: Job) -> None:
    brief = await _brief(kit, job)
    if brief is None:
        await kit.executors.write(lambda uow: reflections.done(uow, job, job.up_to, kit.clock.now()))
        return
    reply, spent = await _ask(kit, brief)
    judgement = await kit.executors.read(lambda uow: _judge(kit, uow, brief, reply))
    judgement, more = await _compare(kit, brief, judgement)
    vectors = await _vectors(kit, judgement)
    await kit.executors.write(lambda uow: _apply(kit, uow, job, brief, judgement, vectors, (*spent, *more)))
    kit.wake_sender()


async def _brief(kit: ReflectionKit, job: Job) -> Brief | None:
    text = await kit.executors.read(lambda uow: kit.engine.new_words(uow, job.conversation, job.up_to))
    if not text:
        return None
    vector = await kit.executors.embed(lambda: kit.engine.embed_query(text))

    def read(uow: UnitOfWork) -> Brief | None:
        return kit.engine.brief(
            uow,
            job.conversation,
            job.up_to,
            owner_id=kit.owner(),
            timezone=kit.timezone,
            recalled=recalls.memory_ids(uow, job.turn_keys),
            vector=vector,
        )

    return await kit.executors.read(read)


async def _ask(kit: ReflectionKit, brief: Brief) -> tuple[Reply, tuple[ModelReply, ...]]:
    """Ask for operations; an unreadable answer is shown to the model once, with what is wrong with it."""
    request = ModelRequest(
        purpose=Purpose.REFLECTION,
        messages=(
            PromptMessage("system", _prompt("reflection")),
            PromptMessage("user", briefing.render(brief)),
        ),
        max_tokens=MAX_OUTPUT_TOKENS,
        json_reply=True,
        material=brief,
    )
    first = await kit.model.complete(request)
    reply = parsing.parse(first.text)
    if isinstance(reply, Reply):
        return reply, (first,)
    complaint = _prompt("reflection_retry").replace("{problem}", reply.problem)
    again = (PromptMessage("assistant", first.text[:4000]), PromptMessage("user", complaint))
    second = await kit.model.complete(replace(request, messages=(*request.messages, *again)))
    reply = parsing.parse(second.text)
    if isinstance(reply, Unreadable):
        raise ModelError(f"unreadable reflection twice: {reply.problem}")
    return reply, (first, second)


def _judge(kit: ReflectionKit, uow: UnitOfWork, brief: Brief, reply: Reply) -> Judgement:
    """Judge what the model proposes, and what a person asked to be remembered and the model left out."""
    judgement = kit.engine.judge(uow, brief, reply)
    asked = unmet(brief, judgement)
    if asked is None:
        return judgement
    more = kit.engine.judge(uow, brief, asked)
    return replace(judgement, verdicts=(*judgement.verdicts, *more.verdicts))


async def _compare(kit: ReflectionKit, brief: Brief, judgement: Judgement) -> tuple[Judgement, tuple[ModelReply, ...]]:
    """Put accepted additions to the model beside their nearest neighbour, where there is a near one."""
    texts = {i: v.new.text for i, v in enumerate(judgement.verdicts) if _is_addition(v.op, v.outcome) and v.new}
    if not texts:
        return judgement, ()
    vectors = await kit.executors.embed(lambda: kit.engine.embed_passages(list(texts.values())))
    if vectors is None:
        return judgement, ()
    near = dict(zip(texts, vectors, strict=True))
    near_from = await kit.executors.embed(kit.engine.near_from)
    pairs = await kit.executors.read(
        lambda uow: kit.engine.near_pairs(uow, brief, judgement, near, near_from=near_from)
    )
    verdicts = list(judgement.verdicts)
    spent: list[ModelReply] = []
    for pair in pairs:
        answer = await kit.model.complete(_comparison(pair))
        spent.append(answer)
        relation = neighbours.read_relation(answer.text)
        verdicts[pair.index] = neighbours.resolve(verdicts[pair.index], pair, relation)
    return replace(judgement, verdicts=tuple(verdicts)), tuple(spent)


def _is_addition(op: str | None, outcome: Outcome) -> bool:
    return op == OpName.ADD and outcome is Outcome.ACCEPT


def _comparison(pair: neighbours.Pair) -> ModelRequest:
    return ModelRequest(
        purpose=Purpose.REFLECTION,
        messages=(
            PromptMessage("system", _prompt("neighbour")),
            PromptMessage("user", neighbours.question(pair)),
        ),
        max_tokens=60,
        json_reply=True,
    )


async def _vectors(kit: ReflectionKit, judgement: Judgement) -> dict[str, Any]:
    texts = [verdict.new.text for verdict in judgement.verdicts if verdict.new is not None]
    if not texts:
        return {}
    made = await kit.executors.embed(lambda: kit.engine.embed_passages(texts))
    return {} if made is None else dict(zip(texts, made, strict=True))


def _apply(
    kit: ReflectionKit,
    uow: UnitOfWork,
    job: Job,
    brief: Brief,
    judgement: Judgement,
    vectors: Mapping[str, Any],
    spent: tuple[ModelReply, ...],
) -> None:
    """Memories, cursor, ledger and notes to the person: one transaction."""
    now = kit.clock.now()
    for reply in spent:
        usage.record(
            uow,
            now=now,
            purpose=Purpose.REFLECTION,
            reply=reply,
            chat_id=job.conversation.chat_id,
            turn_key=job.turn_keys[-1],
        )
    if _has_moved(kit, uow, job, brief):
        return
    covered = max(entry.message.id for entry in brief.messages)
    key = _key(job, covered)
    applied = kit.engine.apply(uow, judgement, brief, turn_key=key, vectors=vectors)
    notes = [*_redact(uow, (e.message for e in brief.messages if e.is_new), now), *_global_note(applied)]
    if notes:
        letter = delivery.Letter(f"{key}:noted", job.conversation, delivery.compose_plain("\n\n".join(notes)))
        delivery.put(uow, kit.bot_id, letter, now)
    reflections.done(uow, job, covered, now)
    kit.engine.move_cursor(uow, job.conversation, covered)


def _has_moved(kit: ReflectionKit, uow: UnitOfWork, job: Job, brief: Brief) -> bool:
    """Say whether the chat got a new number while the model was thinking; then its job waits there, undone."""
    last = transcript.get(uow, kit.engine.agent, brief.messages[-1].message.id)
    return last is not None and last.conversation != job.conversation


def _key(job: Job, covered: int) -> str:
    """Give the name of what is applied: a pile too high for one brief is several, and each counts once."""
    return job.turn_keys[-1] if covered >= job.up_to else f"{job.turn_keys[-1]}@{covered}"


def _redact(uow: UnitOfWork, said: Iterable[Message], now: datetime) -> list[str]:
    """Take secrets out of what was kept of these messages and of what they answer; say so once."""
    found = [message for message in said if scrub.redact_message(uow, message, now)]
    return [REDACTED_NOTE] if found else []


def _redact_waiting(kit: ReflectionKit, uow: UnitOfWork, job: Job) -> None:
    """Take out the secrets of what waits for a reflection: they must not wait for a model that answers."""
    agent, conversation = kit.engine.agent, job.conversation
    after = transcript.cursor(uow, agent, conversation)
    if notes := _redact(uow, transcript.since(uow, agent, conversation, after, job.up_to), kit.clock.now()):
        letter = delivery.Letter(f"{job.turn_keys[-1]}:redacted", conversation, delivery.compose_plain(notes[0]))
        delivery.put(uow, kit.bot_id, letter, kit.clock.now())


def _global_note(applied: Applied) -> list[str]:
    texts = [memory.text for memory in applied.added if memory.scope == GLOBAL]
    return [GLOBAL_NOTE.format(texts="; ".join(texts))] if texts else []


def _prompt(name: str) -> str:
    return (files("bot.prompts") / f"{name}.md").read_text(encoding="utf-8").strip()
