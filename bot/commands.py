"""The commands about memory and conversation: one function each, from a request to the words of the reply.

They are synchronous and run inside the unit of work that also stores the reply, so a command is done exactly when
its answer is kept. Nothing here knows which channel asked.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot import keeping
from bot.explaining import explained
from bot.incoming import ChatKind, Incoming
from bot.lesson_command import lesson
from bot.listings import LISTINGS, NO_SUCH_LIST, which
from bot.storage import recalls, scrub
from memory import forgetting, journal, store, transcript
from memory.domain import GLOBAL, Memory, MemoryId, Scope, Status
from memory.engine import MemoryEngine
from memory.recall.values import left_out_from_json, parts_from_json
from memory.reflection.authority import is_same_person
from memory.reflection.operations import Outcome
from memory.unit_of_work import UnitOfWork

PAGE = 20
"""Memories on one page of /memories: one message where they are as short as memories are."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command with everything it may need."""

    incoming: Incoming
    argument: str
    engine: MemoryEngine
    owner_id: int | None
    timezone: str
    now: datetime

    @property
    def scope(self) -> Scope:
        """Where it was asked."""
        return self.incoming.conversation.scope

    @property
    def by_owner(self) -> bool:
        """Whether the owner asks."""
        return self.owner_id is not None and self.incoming.speaker.person_id == self.owner_id


Command = Callable[[UnitOfWork, Asked], str]

HELP = """I am Tidemark. Talk to me as you would to a person; I remember what matters and let the rest go.

/remember TEXT – keep something for certain
/lesson when CUE: TEXT – what to heed in a situation, or before a tool runs; alone it lists the lessons
/memories – what I remember in this chat; /memories archived – what sleeps; /memories unsure – what nobody confirmed
/forget WORDS – erase a memory and those words for good
/undo – take back the last change to my memory
/why – which memories my last answer could use
/new – begin a new conversation (memories stay)
/stop – stop the answer I am working on
/help – this list"""

GROUP_HELP = "\n\nIn a group I answer when you mention me or reply to me. What is said here stays here."

OWNER_HELP = """

For you as my owner:
/allow ID, /deny ID – let a person talk to me, or no longer
/allow and /deny inside a group – the same for that group"""


def help_text(_uow: UnitOfWork, asked: Asked) -> str:
    """List what can be asked."""
    group = GROUP_HELP if asked.incoming.chat_kind is ChatKind.GROUP else ""
    owner = OWNER_HELP if asked.by_owner and not group else ""
    return HELP + group + owner


def start(uow: UnitOfWork, asked: Asked) -> str:
    """Welcome a person."""
    return f"Hello {asked.incoming.speaker.name}!\n\n{help_text(uow, asked)}"


def new(uow: UnitOfWork, asked: Asked) -> str:
    """Begin a new conversation."""
    transcript.cut(uow, asked.engine.agent, asked.incoming.conversation)
    return "A new conversation. What I remember stays."


def remember(uow: UnitOfWork, asked: Asked) -> str:
    """Keep what a person asks to keep."""
    text = asked.argument.strip()
    if not text:
        return "What shall I remember? For example: /remember My dentist is Dr Alvarez."
    problem = keeping.too_long(text)
    if problem is not None:
        return problem
    verdict = keeping.keep(uow, asked, keeping.record(uow, asked), text)
    if verdict.outcome is Outcome.ACCEPT:
        return f"I will remember: {verdict.new.text if verdict.new else text}"
    if verdict.outcome is Outcome.REINFORCE:
        return "I knew that already, and hold it more firmly now."
    return keeping.refusal(verdict.reason)


def memories(uow: UnitOfWork, asked: Asked) -> str:
    """List what is remembered here, what sleeps, or what nobody confirmed, newest first."""
    wanted = which(asked.argument)
    if wanted is None:
        return NO_SUCH_LIST
    word, page = wanted
    listing = LISTINGS[word]
    found = asked.engine.memories(uow, asked.scope, [listing.status], limit=PAGE + 1, offset=(page - 1) * PAGE)
    aside = _aside(uow, asked) if not word else ""
    if not found:
        return (listing.nothing if page <= 1 else "There is no such page.") + aside
    lines = [_line(memory, asked.timezone, listing.since(memory)) for memory in found[:PAGE]]
    more = f"\n\nMore: {' '.join(['/memories', *word.split(), str(page + 1)])}" if len(found) > PAGE else ""
    return f"{listing.head}\n\n" + "\n".join(lines) + f"{more}\n\n{listing.hint}{aside}"


def _aside(uow: UnitOfWork, asked: Asked) -> str:
    """Tell how many memories are in the other lists."""
    counts = store.tally(uow, asked.engine.agent, asked.scope)
    asleep, unsure = counts.get(Status.ARCHIVED, 0), counts.get(Status.QUARANTINED, 0)
    told = [f"{asleep} asleep: /memories archived"] if asleep else []
    told += [f"{unsure} not confirmed: /memories unsure"] if unsure else []
    return "".join(f"\n{line}" for line in ["", *told]) if told else ""


def _line(memory: Memory, timezone: str, since: datetime | None = None) -> str:
    day = (since or memory.created_at).astimezone(ZoneInfo(timezone)).date().isoformat()
    return f"{forgetting.mark(memory)} · {' '.join(memory.text.split())} ({day})"


def forget(uow: UnitOfWork, asked: Asked) -> str:
    """Erase what the words mean, memory and words, for good. Guesses are asked about; what is named outright goes."""
    about = asked.argument.strip()
    if not about:
        return "What shall I forget? Send /forget with a few of its words, or with its mark from /memories."
    found = forgetting.candidates(uow, asked.engine.agent, asked.scope, about)
    mine = [memory for memory in found if _may_forget(memory, asked)]
    if found and not mine:
        return "That is about somebody else, and somebody else's word: only they or my owner can have it forgotten."
    if len(mine) > 1 and not all(forgetting.is_named(memory, about) for memory in mine):
        lines = "\n".join(_line(memory, asked.timezone) for memory in mine[:PAGE])
        return f"Several memories may be meant. Which one? Send /forget and its mark.\n\n{lines}"
    if not mine:
        return _forget_words(uow, asked, about)
    for memory in mine:
        _purge(uow, asked, memory, about)
    return "Forgotten: it is gone from my memory, and its words from everything I keep of this chat."


def _purge(uow: UnitOfWork, asked: Asked, memory: Memory, about: str) -> None:
    engine, person = asked.engine, asked.incoming.speaker.person_id
    purged = forgetting.purge(uow, engine.agent, memory, about=about, now=asked.now, index=engine.index, by=person)
    chats = {asked.incoming.conversation.chat_id}
    if memory.scope == GLOBAL and asked.owner_id is not None:
        chats.add(asked.owner_id)  # only there can it have been said
    for chat_id in chats:
        scrub.scrub(uow, chat_id, purged)


def _forget_words(uow: UnitOfWork, asked: Asked, about: str) -> str:
    """Erase words that never became a memory; in a group, where they may be anybody's, only for the owner."""
    if asked.incoming.chat_kind is ChatKind.GROUP and not asked.by_owner:
        return "I remember nothing like that in this chat."
    agent, chat_id, person = asked.engine.agent, asked.incoming.conversation.chat_id, asked.incoming.speaker.person_id
    purged = forgetting.purge_words(uow, agent, chat_id, about, now=asked.now, by=person)
    if not purged.messages:
        return "I remember nothing like that in this chat."
    scrub.scrub(uow, chat_id, purged)
    return "It was no memory yet; I have erased the words from what I keep of this chat."


def _may_forget(memory: Memory, asked: Asked) -> bool:
    """Say whether the asker may erase it: one's own words, what is about oneself, or anything for the owner."""
    if asked.by_owner:
        return True
    if memory.scope != asked.scope:
        return False
    if asked.incoming.chat_kind is ChatKind.PRIVATE:
        return True
    person = asked.incoming.speaker
    is_own_word = memory.speaker_id is not None and memory.speaker_id == person.person_id
    by_account = memory.speaker_id is not None and is_same_person(memory.subject, memory.speaker)
    # A namesake is not the person.
    return is_own_word or (is_same_person(memory.subject, person.name) and not by_account)


FORGOTTEN_SINCE = (
    "The last change here was a /forget, and what was forgotten is gone for good. Nothing was taken back. "
    "To take back the change before it, send /undo older."
)
NOTHING_BUT_FORGOTTEN = (
    "The last change here was a /forget, and what was forgotten is gone for good. "
    "Before it there is no change that could be taken back."
)


def undo(uow: UnitOfWork, asked: Asked) -> str:
    """Take back the last change; behind a forgetting, which nobody takes back, only the one who says "older"."""
    anything = asked.by_owner or asked.incoming.chat_kind is ChatKind.PRIVATE
    person = asked.incoming.speaker.person_id
    if not anything and person is None:
        return "I cannot tell whose changes to take back: you write anonymously."
    older = asked.argument.lower().split()[:1] == ["older"]
    result = asked.engine.undo_last(uow, asked.scope, person_id=None if anything else person, past_forgetting=older)
    if isinstance(result, journal.Forgotten):
        return FORGOTTEN_SINCE if result.is_anything_older else NOTHING_BUT_FORGOTTEN
    return result.why if isinstance(result, journal.CannotUndo) else f"Taken back: {result.summary}"


def why(uow: UnitOfWork, asked: Asked) -> str:
    """Tell which memories the last answer here could use, and why those."""
    saved = recalls.last(uow, asked.incoming.conversation)
    if saved is None:
        return "I have not answered anything here yet."
    chosen, left_out = parts_from_json(saved), left_out_from_json(saved)
    ids = [*chosen, *(out.memory_id for out in left_out), *(MemoryId(parts.overtaken_by) for parts in chosen.values())]
    texts = {m.id: m.text for m in store.by_ids(uow, asked.engine.agent, asked.scope, ids)}
    if chosen and not any(memory_id in texts for memory_id in chosen):
        return "The memories my last answer could use are gone by now."
    head = (
        "For my last answer I had these memories, best first:"
        if chosen
        else "My last answer used no memories: none fitted well enough."
    )
    return "\n".join([head, "", *explained(chosen, left_out, texts)]).strip()


def elsewhere(_uow: UnitOfWork, _asked: Asked) -> str:
    """Answer in the terminal a command that only makes sense on Telegram."""
    return "That command is for Telegram. Here you are the owner, and Ctrl-C ends me."


def unknown(_uow: UnitOfWork, _asked: Asked) -> str:
    """Answer a command that does not exist."""
    return "I don't know that command. /help lists what I can do."


COMMANDS: dict[str, Command] = {
    "start": start,
    "help": help_text,
    "new": new,
    "remember": remember,
    "lesson": lesson,
    "memories": memories,
    "forget": forget,
    "undo": undo,
    "why": why,
}

MENU = (
    ("remember", "Keep something for certain"),
    ("lesson", "What to heed in a situation"),
    ("memories", "What I remember in this chat"),
    ("forget", "Erase a memory and its words for good"),
    ("undo", "Take back the last change to my memory"),
    ("why", "Which memories my last answer could use"),
    ("new", "Begin a new conversation"),
    ("stop", "Stop the answer I am working on"),
    ("help", "What I can do"),
)
"""What the channel's command menu shows."""
