"""What goes into a brief: which messages are new, who vouches for each, and whose words an answer quotes."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from memory import transcript
from memory.domain import AgentSlug, Conversation, Message, Origin, Role, Trust
from memory.reflection.operations import Brief, BriefMessage, Shown
from memory.unit_of_work import UnitOfWork

CONTEXT_MESSAGES: Final = 6
"""Messages before the new ones that a brief shows, so that "yes, that one" can be understood."""
BRIEF_MESSAGES: Final = 24
"""New messages in one brief; the rest waits for the next."""
BRIEF_CHARS: Final = 12_000
"""Characters of new messages in one brief: about 3,000 tokens, which a small model still reads well."""
_CHARS_TO_FIND_BY: Final = 4_000
"""What was said last tells best which memories are near; more than this no embedder reads."""


def new_messages(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, up_to: int) -> tuple[Message, ...]:
    """Give the messages after the cursor, oldest first, as many as one brief takes; the first however long it is."""
    cursor = transcript.cursor(uow, agent, conversation)
    messages = transcript.since(uow, agent, conversation, cursor, up_to)[:BRIEF_MESSAGES]
    kept: list[Message] = []
    room = BRIEF_CHARS
    for message in messages:
        room -= len(message.text)
        if kept and room < 0:
            break
        kept.append(message)
    return tuple(kept)


def context_before(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation) -> tuple[Message, ...]:
    """Give the messages before the cursor that help to understand the new ones, oldest first."""
    cursor = transcript.cursor(uow, agent, conversation)
    return tuple(transcript.preceding(uow, agent, conversation, cursor, CONTEXT_MESSAGES))


def said_by_people(messages: Iterable[Message]) -> str:
    """Give the last of what people said, to find memories by; empty when nobody said anything."""
    return "\n".join(message.text for message in messages if message.role is Role.USER)[-_CHARS_TO_FIND_BY:]


def is_anybody_heard(messages: Iterable[Message]) -> bool:
    """Say whether a person is among those who spoke."""
    return any(message.role is Role.USER for message in messages)


def conversation_brief(
    context: Sequence[Message],
    new: Sequence[Message],
    memories: tuple[Shown, ...],
    *,
    conversation: Conversation,
    owner_id: int | None,
    timezone: str,
    now: datetime,
) -> Brief:
    """Give the brief about ``new`` messages of a conversation."""
    return Brief(
        scope=conversation.scope,
        private=_is_private(conversation, owner_id),
        owner_name=_owner_name((*context, *new), owner_id),
        timezone=timezone,
        now=now,
        messages=_numbered(context, new, owner_id),
        memories=memories,
    )


def wish_brief(
    message: Message, memories: tuple[Shown, ...], *, owner_id: int | None, timezone: str, now: datetime
) -> Brief:
    """Give the brief about one message by which a person asks to keep something. The words are that person's own."""
    trust = Trust.OWNER if message.speaker_id is not None and message.speaker_id == owner_id else Trust.MEMBER
    return Brief(
        scope=message.conversation.scope,
        private=_is_private(message.conversation, owner_id),
        owner_name=None,
        timezone=timezone,
        now=now,
        messages=(BriefMessage(1, message, trust),),
        memories=memories,
    )


def _is_private(conversation: Conversation, owner_id: int | None) -> bool:
    return owner_id is not None and conversation.chat_id == owner_id


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
