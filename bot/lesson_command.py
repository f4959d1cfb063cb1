"""/lesson: what to heed in a certain situation, with the words that tell of it."""

from typing import TYPE_CHECKING

from bot import keeping
from bot.storage import scrub
from memory import forgetting, lessons, store
from memory.attachments import Triggers, triggers_of
from memory.domain import Kind, Memory
from memory.lessons import Lesson
from memory.reflection.operations import OpName, Outcome, Proposed
from memory.triggers.commonness import common_among, last_said
from memory.triggers.spoken import Spoken, read
from memory.triggers.wording import Unfit, unfit, unfit_tool
from memory.unit_of_work import UnitOfWork

if TYPE_CHECKING:
    from bot.commands import Asked

LISTED = 30
"""Lessons that one message holds; who has more reads the newest."""
IMPORTANCE = 8
"""Like what a person asks to remember."""
HOW = (
    "Say when, a colon, and what to do then:\n"
    "/lesson when deploying: run the tests first\n"
    "/lesson before running send_mail: show me the text\n"
    "I then think of it whenever those words come up, or before a tool of that name runs."
)
TOO_COMMON = "“{cue}” is said in so many messages here that the lesson would always come up. Please name the situation more exactly."


def lesson(uow: UnitOfWork, asked: "Asked") -> str:
    """Keep a lesson, or list those that there are."""
    written = asked.argument.strip()
    if not written:
        return _listed(uow, asked)
    spoken = read(written)
    if spoken is None:
        return HOW
    problem = keeping.too_long(spoken.text) or _refused(uow, asked, spoken)
    return problem or _kept(uow, asked, spoken)


def _refused(uow: UnitOfWork, asked: "Asked", spoken: Spoken) -> str | None:
    """Say why a cue cannot be one; a secret in it is removed from the records like any other."""
    for cue, why in [(p, unfit(p)) for p in spoken.phrases] + [(t, unfit_tool(t)) for t in spoken.tools]:
        if why is Unfit.SECRET:
            scrub.redact_message(uow, keeping.record(uow, asked), asked.now)
            return keeping.GIVEN_AWAY
        if why is not None:
            return f"“{_one_line(cue)[:60]}” cannot call up a lesson: it {why}.\n\n{HOW}"
    common = common_among(spoken.phrases, last_said(uow, asked.engine.agent, asked.scope))
    return TOO_COMMON.format(cue=min(common)) if common else None


def _kept(uow: UnitOfWork, asked: "Asked", spoken: Spoken) -> str:
    heard = keeping.record(uow, asked)
    verdict = keeping.keep(uow, asked, heard, spoken.text, lesson=_proposed(spoken))
    triggers = Triggers(spoken.phrases, spoken.tools)
    if verdict.outcome is Outcome.ACCEPT and verdict.new is not None:
        return f"I will heed: {verdict.new.text}\n{_cues(triggers)}"
    if verdict.outcome is Outcome.REINFORCE and verdict.target is not None:
        return _cued(uow, asked, verdict.target, triggers)
    return keeping.refusal(verdict.reason)


def _proposed(spoken: Spoken) -> Proposed:
    return Proposed(
        OpName.ADD,
        text=spoken.text,
        importance=IMPORTANCE,
        kind=Kind.LESSON,
        evidence=(1,),
        triggers=spoken.phrases,
        tools=spoken.tools,
        verbatim=True,
    )


def _cued(uow: UnitOfWork, asked: "Asked", known: Memory, triggers: Triggers) -> str:
    """Give a memory that says so already the cues it lacks."""
    engine, person = asked.engine, asked.incoming.speaker.person_id
    held, fresh = triggers_of(uow, known.id), store.get(uow, engine.agent, asked.scope, known.id)
    new = {*triggers.phrases, *triggers.tools} - {*held.phrases, *held.tools}
    if fresh is None or not new:
        return f"I knew that already.\n{_cues(held)}"
    key = f"{asked.incoming.key}:cue"
    lessons.cue(uow, fresh, triggers, now=asked.now, by=person, turn_key=key, index=engine.index)
    return f"I knew that already, and heed it from now on.\n{_cues(triggers_of(uow, known.id))}"


def _listed(uow: UnitOfWork, asked: "Asked") -> str:
    found = lessons.lessons(uow, asked.engine.agent, asked.scope, limit=LISTED)
    if not found:
        return f"There are no lessons here yet.\n\n{HOW}"
    lines = "\n".join(map(_line, found))
    return f"What I heed here, newest first:\n\n{lines}\n\nTo erase one: /forget and its mark."


def _line(one: Lesson) -> str:
    return f"{forgetting.mark(one.memory)} · {_one_line(one.memory.text)}\n  {_cues(one.triggers)}"


def _cues(triggers: Triggers) -> str:
    said = [f"“{phrase}”" for phrase in triggers.phrases if phrase not in triggers.common]
    parts = [
        *([f"comes up with {', '.join(said)}"] if said else []),
        *([f"stands before {', '.join(triggers.tools)}"] if triggers.tools else []),
        *(f"“{phrase}” is too common to call it up" for phrase in sorted(triggers.common)),
    ]
    return "; ".join(parts) or "has no cue of its own"


def _one_line(text: str) -> str:
    return " ".join(text.split())
