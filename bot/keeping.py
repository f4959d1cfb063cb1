"""What a person asks to keep for certain, from the wish to the words of the reply: shared by /remember and /lesson."""

from typing import TYPE_CHECKING

from bot import history
from bot.storage import scrub
from memory import transcript
from memory.domain import MAX_TEXT_CHARS, Message
from memory.reflection.operations import Outcome, Proposed, Reason, Verdict
from memory.unit_of_work import UnitOfWork

if TYPE_CHECKING:
    from bot.commands import Asked

GIVEN_AWAY = (
    "That looks like a password, key or card number. I do not keep those, and I have removed it from my "
    "records. You may want to delete your message too."
)
TOMBSTONE = "You asked me to forget exactly that before, so I left it out. In other words I would keep it."
NOT_PLAIN = "I could not keep that as it stands. Please say it as one plain statement."


def too_long(text: str) -> str | None:
    """Give the reply to what does not fit into one memory; None where it does."""
    if len(text) <= MAX_TEXT_CHARS:
        return None
    return f"That is too long for one memory: {len(text)} of at most {MAX_TEXT_CHARS} characters. Please split it."


def record(uow: UnitOfWork, asked: "Asked") -> Message:
    """Keep the wish itself in the transcript, as evidence."""
    transcript.mark_lived(uow, asked.engine.agent, asked.scope, asked.incoming.sent_at.date())
    return history.record(uow, asked.engine.agent, asked.incoming)


def keep(uow: UnitOfWork, asked: "Asked", spoken: Message, text: str, *, lesson: Proposed | None = None) -> Verdict:
    """Keep ``text``, judged like everything else; a secret is taken out of what was ``spoken``, too."""
    judgement, _ = asked.engine.remember(
        uow,
        spoken,
        text,
        owner_id=asked.owner_id,
        timezone=asked.timezone,
        turn_key=asked.incoming.key,
        lesson=lesson,
    )
    verdict = judgement.verdicts[0]
    if verdict.reason is Reason.SECRET:
        scrub.redact_message(uow, spoken, asked.now)
    if verdict.outcome in {Outcome.ACCEPT, Outcome.REINFORCE}:
        spare_reflection(uow, asked, spoken)
    return verdict


def refusal(reason: Reason) -> str:
    """Give the reply to a wish that was not granted."""
    return {Reason.SECRET: GIVEN_AWAY, Reason.TOMBSTONE: TOMBSTONE}.get(reason, NOT_PLAIN)


def spare_reflection(uow: UnitOfWork, asked: "Asked", spoken: Message) -> None:
    """Let the next reflection begin behind a wish that was granted, unless something before it still waits."""
    agent, conversation = asked.engine.agent, asked.incoming.conversation
    cursor = transcript.cursor(uow, agent, conversation)
    if transcript.since(uow, agent, conversation, cursor, spoken.id) == (spoken,):
        asked.engine.move_cursor(uow, conversation, spoken.id)
