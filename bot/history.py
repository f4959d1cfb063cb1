"""The transcript as the turn uses it: what was said before, and what is kept of a message."""

from datetime import datetime

from bot.incoming import Incoming
from memory import transcript
from memory.domain import AgentSlug, Conversation, Message, Role
from memory.unit_of_work import UnitOfWork

RECENT_MESSAGES = 60
"""More than any history budget holds: the budget in tokens cuts first."""


def record(uow: UnitOfWork, agent: AgentSlug, incoming: Incoming) -> Message:
    """Keep a person's message; the same key is kept once."""
    reply = incoming.reply_to
    return transcript.add(
        uow,
        agent=agent,
        turn_key=incoming.key,
        conversation=incoming.conversation,
        role=Role.USER,
        speaker=incoming.passed_on_from or incoming.speaker.name,
        speaker_id=incoming.speaker.person_id,
        origin=incoming.origin,
        text=incoming.text,
        sent_at=incoming.sent_at,
        telegram_id=incoming.telegram_id,
        reply_author=("assistant" if reply.is_ours else reply.author) if reply else None,
        reply_text=reply.text if reply else None,
    )


def record_answer(uow: UnitOfWork, agent: AgentSlug, incoming: Incoming, text: str, now: datetime) -> Message:
    """Keep the assistant's answer to a message."""
    return transcript.add(
        uow,
        agent=agent,
        turn_key=incoming.key,
        conversation=incoming.conversation,
        role=Role.ASSISTANT,
        speaker="assistant",
        text=text,
        sent_at=now,
    )


def before(uow: UnitOfWork, agent: AgentSlug, conversation: Conversation, message_id: int) -> tuple[Message, ...]:
    """Give the latest messages before ``message_id``, oldest first, not reaching back past the last /new."""
    recent = transcript.recent(uow, agent, conversation, RECENT_MESSAGES)
    return tuple(message for message in recent if message.id < message_id)
