"""One row of the inbox, from reading to done: who may speak, what is asked, which use case answers.

A row is finished in the same transaction that stores its consequences; a crash anywhere before that leaves it to be
taken up again, and everything here may be done twice without doing it twice to the person.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from bot import access_commands, commands, delivery
from bot.incoming import ChatKind, Incoming
from bot.ownership import Ownership
from bot.reflection_run import REDACTED_NOTE
from bot.storage import albums, directory, inbox, scrub
from bot.storage.inbox import InboxRow
from bot.telegram import access, updates
from bot.telegram.addressing import BotIdentity
from bot.telegram.formatting import plain
from bot.telegram.messenger import Messenger
from bot.telegram.splitting import split
from bot.telegram.typing import typing
from bot.telegram.updates import Edit, Ignored, Membership, Migration, Received, UpdateKind
from bot.telegram.withheld import withhold
from bot.turn import TurnKit, record_only, take_turn
from memory import secrets, transcript
from memory.domain import Conversation
from memory.errors import DatabaseBusy, DiskFull, TidemarkDatabaseError
from memory.unit_of_work import UnitOfWork

log = structlog.get_logger(__name__)

FAILURES = 3
"""Tries of an update that raises; then it is set aside and the lane goes on."""
STARTS = 60
"""Times an update may be begun at all. A process that dies on it every time comes up in the end; a process that is killed again and
again for other reasons (measured: 50 kills in a row) does not lose the message that happened to be first."""
PAUSES_S = (0.5, 5.0)
"""Between the tries of an update that raises."""
DATABASE_PAUSE_S = 15.0
"""Between tries while the database cannot be written; there the lane waits, since nothing can be kept."""

WAITING = "I cannot answer just now: {reason}. Your message is kept, and I will answer as soon as I can."

PARKED = (
    "I could not handle your last message, and have set it aside for my owner to look at. Please try it in other words."
)


@dataclass(frozen=True, slots=True)
class HandlerKit:
    """What handling works with; wired once."""

    turn: TurnKit
    ownership: Ownership
    messenger: Messenger
    identity: BotIdentity
    stop: Callable[[Conversation], bool]
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep


async def handle(kit: HandlerKit, row: InboxRow) -> None:
    """Handle a row to its end: done, or set aside after three failures. Never raises."""
    failures = 0
    told = False
    while True:
        try:
            starts = await kit.turn.executors.write(lambda uow: inbox.begin(uow, row.id, kit.turn.clock.now()))
            if starts == 0:  # done by somebody else meanwhile
                return
            if starts > STARTS:
                await _park(kit, row, "begun too often without an end")
                return
            await _process(kit, row)
        except TidemarkDatabaseError as error:
            log.error("the database refuses", inbox=row.id, error=str(error))
            told = told or await _tell_directly(kit, row, error)
            await kit.pause(DATABASE_PAUSE_S)
        except Exception as error:
            failures += 1
            log.exception("update failed", inbox=row.id, failures=failures)
            if failures >= FAILURES:
                await _park(kit, row, f"{type(error).__name__}")
                return
            await kit.pause(PAUSES_S[min(failures, len(PAUSES_S)) - 1] * (1 + random.random() / 4))  # noqa: S311 - jitter
        else:
            return


async def finish_stopped(kit: HandlerKit, row: InboxRow) -> None:
    """Close a row whose turn was stopped by a person. Never raises: the lane goes on."""
    try:
        await kit.turn.executors.write(lambda uow: inbox.finish(uow, row.id, kit.turn.clock.now()))
    except TidemarkDatabaseError as error:  # the row is taken up again at the next start
        log.error("could not close a stopped update", inbox=row.id, error=str(error))


def is_stop(kit: HandlerKit, row: InboxRow) -> bool:
    """Say whether a row is a /stop for this bot, which must not wait in its lane."""
    reading = updates.read(row.payload, kit.identity, listen="addressed")
    asked = reading.addressing.command if isinstance(reading, Received) else None
    return asked is not None and asked.name == "stop" and reading.addressing.should_reply  # type: ignore[union-attr]


async def _process(kit: HandlerKit, row: InboxRow) -> None:
    facts = await kit.turn.executors.read(lambda uow: directory.chat(uow, row.chat_id))
    match updates.read(row.payload, kit.identity, listen=facts.listen):
        case Received() as received:
            await _received(kit, row, received)
        case Edit() as edit:
            await _in_one(kit, row, lambda uow: _amend(kit, uow, edit), inbox.dismiss)
        case Membership() as membership:
            await _in_one(kit, row, lambda uow: _membership(kit, uow, row, membership))
        case Migration() as migration:
            await _in_one(kit, row, lambda uow: migrate(kit, uow, migration.old_chat, migration.new_chat))
        case Ignored(reason=reason):
            log.info("ignored", inbox=row.id, reason=reason)
            await _in_one(kit, row, lambda uow: None, inbox.dismiss)


async def _received(kit: HandlerKit, row: InboxRow, received: Received) -> None:
    granted = await kit.turn.executors.write(lambda uow: _admit(kit, uow, row, received))
    if not granted.allowed:
        log.info("refused", inbox=row.id, why=granted.why)
        kit.turn.wake()
        return
    incoming = await withhold(kit.turn.executors, row, replace(received.incoming, inbox_id=row.id))
    addressing = received.addressing
    if addressing.command is not None and addressing.should_reply:
        await _command(kit, row, incoming, addressing.command.name, addressing.command.argument)
    elif received.notice is not None and addressing.should_reply:
        await _notice(kit, row, received)
    elif addressing.should_reply:
        notices = (received.model_notice,) if received.model_notice else ()
        where = (received.chat.chat_id, received.typing_thread)
        async with typing(lambda: kit.messenger.typing(*where)):
            await take_turn(kit.turn, incoming, notices)
    elif addressing.record and incoming.text.strip():
        await record_only(kit.turn, incoming)
    else:
        log.info("not answered", inbox=row.id, reason=addressing.reason)
        await _in_one(kit, row, lambda uow: None, inbox.dismiss)


def _admit(kit: HandlerKit, uow: UnitOfWork, row: InboxRow, received: Received) -> access.Access:
    """See who it is, decide whether they may speak, and close the row when not."""
    now = kit.turn.clock.now()
    directory.see_chat(uow, received.chat, now)
    if received.person is not None:
        directory.see_person(uow, received.person, now)
    granted = _authorise(kit, uow, received)
    if not granted.allowed:
        if granted.tell and received.person is not None:
            directory.refused(uow, received.person.person_id, now)
            _put(kit, uow, f"{received.incoming.key}:refused", received.incoming.conversation, granted.tell)
        inbox.dismiss(uow, row.id, now)
    return granted


def _authorise(kit: HandlerKit, uow: UnitOfWork, said: Received | Edit) -> access.Access:
    command = said.addressing.command if isinstance(said, Received) else None
    return access.authorise(
        kind=UpdateKind.MESSAGE,
        chat=directory.chat(uow, said.chat.chat_id),
        person=directory.person(uow, said.person.person_id if said.person else None),
        owner_id=kit.ownership.owner_id,
        command=command.name if command else None,
        now=kit.turn.clock.now(),
    )


def _amend(kit: HandlerKit, uow: UnitOfWork, edit: Edit) -> None:
    """Follow an edit of what was kept, where its author may still speak here. Secrets are kept neither way."""
    if not _authorise(kit, uow, edit).allowed:
        return
    kept = transcript.said_as(uow, edit.chat.chat_id, edit.telegram_id)
    if kept is None:
        return
    had_secret = scrub.redact_message(uow, kept, kit.turn.clock.now())
    text = secrets.redact(edit.text)
    changed = transcript.amend(uow, edit.chat.chat_id, edit.telegram_id, text)
    if had_secret or (changed and text != edit.text):
        _put(kit, uow, f"edited:{edit.chat.chat_id}:{edit.telegram_id}", kept.conversation, REDACTED_NOTE)


async def _command(kit: HandlerKit, row: InboxRow, incoming: Incoming, name: str, argument: str) -> None:
    if name == "stop":
        await _stop(kit, row, incoming)
        return

    def run(uow: UnitOfWork) -> None:
        owner_id = kit.ownership.owner_id
        zone = directory.timezone(uow, incoming.conversation.chat_id) or kit.turn.timezone
        asked = commands.Asked(incoming, argument, kit.turn.engine, owner_id, zone, kit.turn.clock.now())
        if name in access_commands.COMMANDS:
            reply = access_commands.COMMANDS[name](uow, asked, kit.ownership)
        else:
            reply = commands.COMMANDS.get(name, commands.unknown)(uow, asked)
        _put(kit, uow, incoming.key, incoming.conversation, reply, _reply_to(incoming))

    await _in_one(kit, row, run)


async def _stop(kit: HandlerKit, row: InboxRow, incoming: Incoming) -> None:
    stopped = kit.stop(incoming.conversation)
    words = "Stopped." if stopped else "There is nothing to stop: I am not working on an answer here."
    await _in_one(kit, row, lambda uow: _put(kit, uow, incoming.key, incoming.conversation, words, _reply_to(incoming)))


async def _notice(kit: HandlerKit, row: InboxRow, received: Received) -> None:
    """Say honestly what cannot be read; an album gets one notice, and none where its caption is answered."""
    incoming = received.incoming
    chat_id = incoming.conversation.chat_id
    key = f"album:{chat_id}:{received.album_id}" if received.album_id else incoming.key
    words = received.notice or ""

    def say(uow: UnitOfWork) -> None:
        if received.album_id is None or not albums.has_caption(uow, chat_id, received.album_id):
            _put(kit, uow, key, incoming.conversation, words, _reply_to(incoming))

    await _in_one(kit, row, say)


def _membership(kit: HandlerKit, uow: UnitOfWork, row: InboxRow, membership: Membership) -> None:
    now = kit.turn.clock.now()
    directory.see_chat(uow, membership.chat, now)
    directory.set_reachable(uow, membership.chat.chat_id, membership.reachable, now)
    added_by_owner = membership.by is not None and membership.by.person_id == kit.ownership.owner_id
    group = membership.chat.kind is ChatKind.GROUP
    if group and membership.joined and added_by_owner and not directory.chat(uow, membership.chat.chat_id).allowed:
        _put(
            kit,
            uow,
            f"joined:{row.bot_id}:{row.update_id}",
            Conversation(membership.chat.chat_id),
            access_commands.WELCOME,
        )


def migrate(kit: HandlerKit, uow: UnitOfWork, old_chat: int, new_chat: int) -> None:
    """Take a group's memories, history and permissions along to its new id. Doing it twice is harmless."""
    now = kit.turn.clock.now()
    directory.migrate_chat(uow, old_chat, new_chat, now)
    kit.turn.engine.move_chat(uow, old_chat, new_chat)


async def _in_one(
    kit: HandlerKit,
    row: InboxRow,
    work: Callable[[UnitOfWork], object],
    close: Callable[[UnitOfWork, int, datetime], None] = inbox.finish,
) -> None:
    """Do the work and close the row together."""

    def unit(uow: UnitOfWork) -> None:
        work(uow)
        close(uow, row.id, kit.turn.clock.now())

    await kit.turn.executors.write(unit)
    kit.turn.wake()


def _put(
    kit: HandlerKit, uow: UnitOfWork, key: str, conversation: Conversation, text: str, reply_to: int | None = None
) -> None:
    letter = delivery.Letter(key, conversation, _compose_plain(text), reply_to)
    delivery.put(uow, kit.turn.bot_id, letter, kit.turn.clock.now())


def _compose_plain(text: str) -> list[delivery.Chunk]:
    """Compose words of our own, which hold no Markdown, and names or memories that may look like some."""
    return [(piece.text, []) for piece in split(plain(text))]


def _reply_to(incoming: Incoming) -> int | None:
    return incoming.telegram_id if incoming.chat_kind is ChatKind.GROUP else None


async def _park(kit: HandlerKit, row: InboxRow, error: str) -> None:
    """Set a row aside; tell its chat and the owner. Never raises: the lane goes on."""

    def park(uow: UnitOfWork) -> None:
        inbox.park(uow, row.id, error, kit.turn.clock.now())
        owner = kit.ownership.owner_id
        key = f"parked:{row.bot_id}:{row.update_id}"
        if row.chat_id is not None and row.chat_id != owner and _speaks_with(uow, row.chat_id):
            _put(kit, uow, key, Conversation(row.chat_id, row.thread_id), PARKED)
        if owner is not None:
            words = f"I set aside update {row.update_id} after {FAILURES} tries ({error}). The log has the details."
            _put(kit, uow, f"{key}:owner", Conversation(owner), words)

    try:
        await kit.turn.executors.write(park)
    except Exception:
        log.exception("could not set an update aside", inbox=row.id)
    kit.turn.wake()


def _speaks_with(uow: UnitOfWork, chat_id: int) -> bool:
    """Say whether the owner let this group or this person in."""
    if directory.chat(uow, chat_id).kind is ChatKind.GROUP:
        return directory.chat(uow, chat_id).allowed
    person = directory.person(uow, chat_id)
    return person is not None and person.allowed


async def explain(kit: HandlerKit, chat_id: int, sentence: str) -> None:
    """Tell a private chat that its message cannot be stored yet, if whoever is there may speak to us at all."""

    def may_speak(uow: UnitOfWork) -> bool:
        chat, person = directory.facts(uow, chat_id, chat_id)
        known = chat_id == kit.ownership.owner_id or (person is not None and person.allowed)
        return chat.kind is ChatKind.PRIVATE and known

    if await kit.turn.executors.read(may_speak):
        words = (
            f"I cannot keep anything right now, so your message waits at Telegram and I will answer later. {sentence}"
        )
        await kit.messenger.send(chat_id, 0, words, [], None)


async def _tell_directly(kit: HandlerKit, row: InboxRow, error: TidemarkDatabaseError) -> bool:
    """Say what is wrong without the outbox, which cannot be written now either. Never raises; gives True."""
    try:
        if row.chat_id is not None and await _expects_an_answer(kit, row):
            await kit.messenger.send(row.chat_id, row.thread_id, WAITING.format(reason=_reason(error)), [], None)
    except Exception:
        log.exception("could not tell that the database refuses", inbox=row.id)
    return True


async def _expects_an_answer(kit: HandlerKit, row: InboxRow) -> bool:
    """Say whether the row is for us and from somebody who may speak; only the owner where that cannot be looked up."""
    reading = updates.read(row.payload, kit.identity, listen=directory.ADDRESSED)
    if not isinstance(reading, Received) or not reading.addressing.should_reply:
        return False
    try:
        granted = await kit.turn.executors.read(lambda uow: _authorise(kit, uow, reading))
    except TidemarkDatabaseError:
        return row.chat_id == kit.ownership.owner_id
    return granted.allowed


def _reason(error: TidemarkDatabaseError) -> str:
    match error:
        case DiskFull():
            return "my disk is full"
        case DatabaseBusy():
            return "another program holds my database"
        case _:
            return "my database cannot be used"
