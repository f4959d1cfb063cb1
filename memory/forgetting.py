"""/forget: a person's wish. What is purged here is gone: memory, index entries, former texts, journal texts, transcript.

What waits in the channel's own tables is scrubbed by the caller with the same `Purged`, in the same transaction. The
bytes are gone from the file once `maintenance.vacuum` has run.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, or_, select, update

from memory import erasure, lexical, store, tombstones
from memory.analysis import tokens
from memory.attachments import sources_of
from memory.domain import GLOBAL, Actor, AgentSlug, Memory, MemoryId, Scope, Source, Status, chat_scope, visible_scopes
from memory.entries import FORGET, Cause, record
from memory.erasure import Wording
from memory.hygiene import parting
from memory.rows import COLUMNS, memory_from_row
from memory.statements import normalise
from memory.tables import memories, memory_versions, messages, operations
from memory.transcript import FORGOTTEN
from memory.unit_of_work import UnitOfWork

MARK_CHARS = 6
"""Of an id's random part: a million million times fewer memories than marks."""

ID_CHARS = 26

LOOKED_AT = 200
"""Hits of the index that are looked at closely; what holds all the words is among the best of them."""

GONE = {"forgotten": True}
"""What the journal keeps of a forgotten state."""


@dataclass(frozen=True, slots=True)
class Purged:
    """What was erased, and what the caller has to erase elsewhere. ``messages`` counts those that lost words."""

    memories: tuple[MemoryId, ...]
    messages: int
    wording: Wording


def mark(memory: Memory) -> str:
    """Give the short mark by which a person can name a memory."""
    return memory.id[-MARK_CHARS:].lower()


def candidates(uow: UnitOfWork, agent: AgentSlug, scope: Scope, about: str) -> tuple[Memory, ...]:
    """Give the visible memories, of any status, that ``about`` can mean.

    The first that finds something decides: id or mark; the exact text; all its words, in a former text too; some of
    its words, best first.
    """
    named, literal = _marked(uow, agent, scope, about), _literal(uow, agent, scope, about)
    return _without_twins(named or literal or _worded(uow, agent, scope, about))


def is_named(memory: Memory, about: str) -> bool:
    """Say whether ``about`` names the memory outright: its mark, its text, or every word of the wish is in it."""
    wanted = about.strip().removeprefix("#").lower()
    literal = normalise(memory.text) == normalise(about)
    return literal or wanted in {mark(memory), memory.id.lower()} or erasure.of_words(about).named_in(memory.text)


def purge(
    uow: UnitOfWork,
    agent: AgentSlug,
    memory: Memory,
    *,
    about: str,
    now: datetime,
    index: store.VectorSink | None = None,
    by: int | None = None,
) -> Purged:
    """Erase a memory and its words from everything memory keeps of its chat; reflection will not learn it again.

    What it was merged into goes as well, as do other inputs that say the same; the rest of a merge stands by itself again.

    Raises:
        store.StaleMemory: it vanished or moved since it was read.
    """
    gone = _going(uow, agent, memory, about)
    spans = tuple(span for memory_id in gone for span in sources_of(uow, memory_id))
    texts = tuple(text for held in gone.values() for text in (held.text, *_former_texts(uow, held.id)))
    behind = parting.inputs_of(uow, gone.keys())
    said = [text for text in texts if not _is_joined(text, gone.values(), behind)]
    others = [held.text for held in _held(uow, agent, memory.scope) if held.id not in gone]
    chats = _chats(uow, agent, memory.scope, spans)
    wording = _meant(said or texts, about, [*others, *_speakers(uow, agent, chats)])
    for held in gone.values():
        store.erase(uow, held, index=index)
    parting.restore(uow, gone.keys(), now=now, by=by, index=index)
    for text in dict.fromkeys(texts):
        tombstones.set_up(uow, agent, memory.scope, text, now)
    _clear_journal(uow, agent, (memory.scope, *map(chat_scope, chats)), wording, gone)
    struck = _strike_messages(uow, agent, chats, wording, spans)
    cause = Cause(FORGET, Actor.PERSON, "a person's wish", actor_id=by)
    record(uow, cause, agent=agent, scope=memory.scope, at=now, memory_id=memory.id, after=GONE)
    lexical.optimise(uow.connection)
    return Purged(tuple(gone), struck, wording)


def purge_words(
    uow: UnitOfWork, agent: AgentSlug, chat_id: int, about: str, *, now: datetime, by: int | None = None
) -> Purged:
    """Erase words that never became a memory from transcript and journal of a chat; the journal tells that somebody wished it."""
    scope = chat_scope(chat_id)
    kept = [memory.text for memory in _held(uow, agent, scope)]
    wording = erasure.of_words(about, [*kept, *_speakers(uow, agent, (chat_id,))])
    _clear_journal(uow, agent, (scope,), wording, ())
    struck = _strike_messages(uow, agent, (chat_id,), wording, ())
    if struck:
        record(uow, Cause(FORGET, Actor.PERSON, "a person's wish", actor_id=by), agent=agent, scope=scope, at=now)
    return Purged((), struck, wording)


def is_tombstoned(uow: UnitOfWork, agent: AgentSlug, scope: Scope, text: str) -> bool:
    """Say whether a person had exactly this text forgotten where ``scope`` can see."""
    return tombstones.stands(uow, agent, scope, text)


# --- finding


def _is_joined(text: str, gone: Collection[Memory], behind: Collection[Memory]) -> bool:
    """Say whether a text is a merge's own: it says more than what is to be forgotten, and its inputs say that."""
    merges = {memory.superseded_by for memory in behind}
    return any(memory.id in merges and memory.text == text for memory in gone)


def _going(uow: UnitOfWork, agent: AgentSlug, memory: Memory, about: str) -> dict[MemoryId, Memory]:
    """Give everything that a wish to forget ``memory`` erases: twins, merges that hold it, inputs that say the same."""
    twins = store.find_text(uow, agent, memory.scope, normalise(memory.text), tuple(Status))
    first = {twin.id: twin for twin in (memory, *twins)}
    holding = {result.id: result for result in parting.results_of(uow, first.values())}
    family = first | holding
    beyond = [
        held.text for held in _held(uow, agent, memory.scope) if held.id not in family and not parting.was_merged(held)
    ]
    marked = mark(memory) == about.strip().removeprefix("#").lower() or memory.id.lower() == about.strip().lower()
    whole = marked or normalise(about) == normalise(memory.text)
    wish = erasure.of_words(about, beyond)
    inputs = parting.meant_in(uow, first.values(), holding.values(), wish, whole=whole and not holding)
    return family | {one.id: one for one in inputs}


def _held(uow: UnitOfWork, agent: AgentSlug, scope: Scope, *narrower: ColumnElement[bool]) -> list[Memory]:
    query = select(*COLUMNS).where(_seen_in(agent, scope), *narrower).order_by(memories.c.pk.desc())
    return [memory_from_row(row) for row in uow.connection.execute(query)]


def _seen_in(agent: AgentSlug, scope: Scope) -> ColumnElement[bool]:
    return and_(memories.c.agent_slug == agent, memories.c.scope.in_(visible_scopes(scope)))


def _marked(uow: UnitOfWork, agent: AgentSlug, scope: Scope, about: str) -> list[Memory]:
    wanted = about.strip().removeprefix("#").upper()
    if not (wanted.isascii() and wanted.isalnum() and len(wanted) in {MARK_CHARS, ID_CHARS}):
        return []
    return [memory for memory in _held(uow, agent, scope, memories.c.id.endswith(wanted)) if memory.id.endswith(wanted)]


def _literal(uow: UnitOfWork, agent: AgentSlug, scope: Scope, about: str) -> list[Memory]:
    text, everything = normalise(about), tuple(Status)
    found = [store.find_text(uow, agent, where, text, everything) for where in visible_scopes(scope)] if text else []
    return [memory for memories_there in found for memory in memories_there]


def _worded(uow: UnitOfWork, agent: AgentSlug, scope: Scope, about: str) -> list[Memory]:
    """Give what holds every word, now or in a former text; failing that, what fits best."""
    found = lexical.search(uow.connection, agent, visible_scopes(scope), tokens(about), tuple(Status), limit=LOOKED_AT)
    scored = store.with_scores(uow, agent, scope, [(hit.pk, hit.bm25) for hit in found.hits])
    wording = erasure.of_words(about)
    best = max((score for _, score in scored), default=0.0)
    every = [memory for memory, _ in scored if wording.named_in(memory.text)]
    every += [m for m in _reworded(uow, agent, scope, wording) if m not in every]
    return every or [memory for memory, score in scored if wording.named and score >= best / 2]


def _reworded(uow: UnitOfWork, agent: AgentSlug, scope: Scope, wording: Wording) -> list[Memory]:
    """Give the memories of which a former text holds every word."""
    versions = select(memory_versions.c.memory_id, memory_versions.c.text).join(memories).where(_seen_in(agent, scope))
    found = {row.memory_id for row in uow.connection.execute(versions) if wording.named_in(row.text)}
    return _held(uow, agent, scope, memories.c.id.in_(found)) if found else []


def _without_twins(found: Sequence[Memory]) -> tuple[Memory, ...]:
    """Give one memory for each statement and scope, an active one where there is one: a purge takes twins and inputs along."""
    active_last = sorted(found, key=lambda memory: memory.status is Status.ACTIVE)
    chosen = {(memory.scope, normalise(memory.text)): memory.id for memory in active_last}
    there = {memory.id for memory in found}
    return tuple(
        m for m in found if m.id in chosen.values() and not (parting.was_merged(m) and m.superseded_by in there)
    )


def _former_texts(uow: UnitOfWork, memory_id: MemoryId) -> tuple[str, ...]:
    query = select(memory_versions.c.text).where(memory_versions.c.memory_id == memory_id)
    return tuple(uow.connection.scalars(query.order_by(memory_versions.c.id)))


def _meant(texts: Iterable[str], about: str, kept: Sequence[str]) -> Wording:
    """Give the words that have to go: those of the statement, and what the person named unless it was by mark."""
    wording, named = Wording(), erasure.of_words(about, kept)
    for text in texts:
        wording |= erasure.of_statement(text, kept)
        if named.touches(text):
            wording |= named
    return wording


# --- erasing


def _chats(uow: UnitOfWork, agent: AgentSlug, scope: Scope, spans: Sequence[Source]) -> tuple[int, ...]:
    """Give the chats where the words were said: the scope's own, or for ``global`` those of the sources."""
    if scope != GLOBAL:
        return (int(scope.removeprefix("chat:")),)
    ids = [span.message_id for span in spans]
    query = select(messages.c.chat_id).where(messages.c.agent_slug == agent, messages.c.id.in_(ids)).distinct()
    return tuple(uow.connection.scalars(query))


def _speakers(uow: UnitOfWork, agent: AgentSlug, chats: Sequence[int]) -> list[str]:
    """Give the names of those who speak for themselves there: they are no secret of one statement."""
    here = and_(messages.c.agent_slug == agent, messages.c.chat_id.in_(chats), messages.c.origin.in_(("own", "voice")))
    return list(uow.connection.scalars(select(messages.c.speaker).where(here).distinct()))


def _strike_messages(
    uow: UnitOfWork, agent: AgentSlug, chats: Sequence[int], wording: Wording, spans: Sequence[Source]
) -> int:
    """Take the words out of the transcript; give how many messages lost some."""
    cited = {span.message_id: span for span in spans}
    m = messages.c
    here = and_(m.agent_slug == agent, or_(m.chat_id.in_(chats), m.id.in_(list(cited))))
    query = select(m.id, m.text, m.reply_text, m.speaker, m.origin).where(here)
    struck = list(_struck(uow.connection.execute(query), wording, cited))
    for message_id, values in struck:
        uow.connection.execute(update(messages).where(m.id == message_id).values(values))
    return len(struck)


def _struck(rows: Iterable[Any], wording: Wording, cited: dict[int, Source]) -> Iterator[tuple[int, dict[str, str]]]:
    for row in rows:
        values = {"text": wording.strike(row.text)}
        if values["text"] == row.text and row.id in cited:
            values["text"] = _without_span(row.text, cited[row.id])
        if row.reply_text:
            values["reply_text"] = wording.strike(row.reply_text)
        if row.origin not in {"own", "voice"}:
            values["speaker"] = wording.strike(row.speaker)
        changed = {name: value for name, value in values.items() if value != getattr(row, name)}
        if changed:
            yield row.id, changed


def _without_span(text: str, span: Source) -> str:
    """Strike the sentences that a span touches."""
    parts, at = [], 0
    for sentence in erasure.sentences(text):
        touched = at < span.end and span.start < at + len(sentence)
        parts.append(FORGOTTEN if touched else sentence)
        at += len(sentence)
    return erasure.joined(parts) if FORGOTTEN in parts else text


def _clear_journal(
    uow: UnitOfWork, agent: AgentSlug, scopes: Sequence[Scope], wording: Wording, gone: Collection[MemoryId]
) -> None:
    """Take the words out of the journal and out of former texts; what other memories still say stays."""
    here = and_(memories.c.agent_slug == agent, memories.c.scope.in_(scopes), memories.c.id.not_in(gone))
    texts = {row.id: row.text for row in uow.connection.execute(select(memories.c.id, memories.c.text).where(here))}
    alive = {memory_id for memory_id, text in texts.items() if wording.matches(text)}
    o = operations.c
    query = select(o.id, o.memory_id, o.before, o.after).where(o.agent_slug == agent, o.scope.in_(scopes))
    for row in uow.connection.execute(query).all():
        if row.memory_id in gone or (row.memory_id not in alive and _says(row, wording)):
            states = {name: GONE for name in ("before", "after") if getattr(row, name) is not None}
            uow.connection.execute(update(operations).where(o.id == row.id).values(reason="forgotten", **states))
    v = memory_versions.c
    for version in uow.connection.execute(select(v.id, v.text).where(v.memory_id.in_(texts.keys() - alive))).all():
        if wording.matches(version.text):
            uow.connection.execute(delete(memory_versions).where(v.id == version.id))


def _says(row: Any, wording: Wording) -> bool:
    return any(wording.matches(text) for state in (row.before, row.after) for text in _texts_in(state))


def _texts_in(state: Any) -> Iterator[str]:
    """Give the statements inside a snapshot or a refused proposal."""
    if not isinstance(state, dict):
        return
    for part in (state.get("memory"), state.get("proposed")):
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part["text"]
    for version in state.get("versions", ()):
        yield version[1]
