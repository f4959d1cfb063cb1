"""Cues that would come up at every message are found out and marked, so that they no longer force their lesson.

The mark is the kind of the cue itself (``common`` instead of ``phrase``): it costs a turn nothing, and goes again when
people come to speak of other things.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, update

from memory import policy
from memory.analysis import tokens
from memory.domain import GLOBAL, AgentSlug, MemoryId, Origin, Role, Scope
from memory.steps import Engine
from memory.tables import memories, memory_triggers, messages
from memory.triggers.matching import by_term, met_by
from memory.triggers.wording import COMMON, PHRASE
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Mark:
    """A cue that is to become common, or no longer to be."""

    memory_id: MemoryId
    phrase: str
    common: bool


def too_common(said: int, among: int) -> bool:
    """Say whether a cue said in ``said`` of ``among`` messages tells no situation from another."""
    return among >= policy.COMMON_LEAST and said > policy.COMMON_SHARE * among


def common_among(phrases: Collection[str], texts: Sequence[str]) -> frozenset[str]:
    """Give the phrases that stand in too many of these messages."""
    heard = [by_term(tokens(text[: policy.COMMON_CHARS])) for text in texts]
    said = Counter(phrase for one in heard for phrase in set(phrases) if met_by(phrase, one))
    return frozenset(phrase for phrase, count in said.items() if too_common(count, len(texts)))


def scopes_with_cues(uow: UnitOfWork, engine: Engine) -> tuple[Scope, ...]:
    """Give the scopes that have cue phrases to be weighed."""
    m, t = memories.c, memory_triggers.c
    query = select(m.scope).distinct().join_from(memory_triggers, memories, m.id == t.memory_id)
    here = (m.agent_slug == engine.agent, t.what.in_((PHRASE, COMMON)))
    return tuple(Scope(scope) for scope in uow.connection.scalars(query.where(*here).order_by(m.scope)))


def weigh_cues(uow: UnitOfWork, engine: Engine, scope: Scope) -> tuple[Mark, ...]:
    """Give the cues of a scope whose mark is wrong by what people said there of late. Only reads; a second look finds none."""
    m, t = memories.c, memory_triggers.c
    query = select(t.memory_id, t.phrase, t.what).join_from(memory_triggers, memories, m.id == t.memory_id)
    here = (m.agent_slug == engine.agent, m.scope == scope, t.what.in_((PHRASE, COMMON)))
    rows = uow.connection.execute(query.where(*here)).all()
    common = common_among({row.phrase for row in rows}, last_said(uow, engine.agent, scope))
    marks = (Mark(MemoryId(row.memory_id), row.phrase, row.phrase in common) for row in rows)
    return tuple(mark for mark, row in zip(marks, rows, strict=True) if mark.common != (row.what == COMMON))


def mark_cues(uow: UnitOfWork, marks: Iterable[Mark]) -> int:
    """Set the marks; give how many cues were still there. What people wrote stays as it is, so no journal takes note."""
    t = memory_triggers.c
    done = 0
    for one in marks:
        here = (t.memory_id == one.memory_id, t.phrase == one.phrase, t.what == (PHRASE if one.common else COMMON))
        what = COMMON if one.common else PHRASE
        done += uow.connection.execute(update(memory_triggers).where(*here).values(what=what)).rowcount
    return done


def last_said(uow: UnitOfWork, agent: AgentSlug, scope: Scope) -> tuple[str, ...]:
    """Give the beginnings of people's last own messages in a scope, in any chat for the global one; commands are none."""
    msg = messages.c
    own = (Origin.OWN.value, Origin.VOICE.value)
    here = [msg.agent_slug == agent, msg.role == Role.USER, msg.origin.in_(own), msg.text.not_like("/%")]
    if scope != GLOBAL:
        here.append(msg.chat_id == int(scope.removeprefix("chat:")))
    beginning = func.substr(msg.text, 1, policy.COMMON_CHARS)
    query = select(beginning).where(*here).order_by(msg.id.desc()).limit(policy.COMMON_AMONG)
    return tuple(uow.connection.scalars(query))
