"""The one authorisation function. Closed by default: who is not let in by a rule here is not let in."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.incoming import ChatKind
from bot.storage.directory import ChatFacts, PersonFacts
from bot.telegram.updates import UpdateKind

TOLD_EVERY = timedelta(days=1)
"""A stranger is told once a day; more would make the bot a toy for strangers."""

_PERSONAL = {UpdateKind.MESSAGE, UpdateKind.CALLBACK, UpdateKind.REACTION}


@dataclass(frozen=True, slots=True)
class Access:
    """The decision, what to tell the person, and why, for the log."""

    allowed: bool
    why: str
    tell: str | None = None


def authorise(
    *,
    kind: UpdateKind,
    chat: ChatFacts,
    person: PersonFacts | None,
    owner_id: int | None,
    command: str | None,
    now: datetime,
) -> Access:
    """Decide whether an update may be acted upon. Usernames never count: they change hands."""
    if kind not in _PERSONAL:
        return Access(allowed=False, why="kind of update")
    if chat.kind is ChatKind.PRIVATE:
        return _private(person, owner_id, command, now)
    return _group(chat, person, owner_id, command)


def _private(person: PersonFacts | None, owner_id: int | None, command: str | None, now: datetime) -> Access:
    if person is None:
        return Access(allowed=False, why="nobody")
    if owner_id is not None and person.person_id == owner_id:
        return Access(allowed=True, why="owner")
    if person.denied:
        return Access(allowed=False, why="denied")
    if command == "pair" and owner_id is None:
        return Access(allowed=True, why="pairing")
    if person.allowed:
        return Access(allowed=True, why="allowed person")
    return Access(allowed=False, why="stranger", tell=_refusal(person, owner_id, now))


def _refusal(person: PersonFacts, owner_id: int | None, now: datetime) -> str | None:
    if person.refused_at is not None and timedelta(0) <= now - person.refused_at < TOLD_EVERY:
        return None
    if owner_id is None:
        return (
            "This is a private assistant and has no owner yet. If it is yours, send /pair with the code that it "
            f"printed when it started. (Your numeric id is {person.person_id}.)"
        )
    return (
        "This is a private assistant. If you know its owner, give them your numeric id so that they can let you in: "
        f"{person.person_id}"
    )


def _group(chat: ChatFacts, person: PersonFacts | None, owner_id: int | None, command: str | None) -> Access:
    """Decide in a group. An anonymous administrator (no person) counts as the group itself."""
    if person is not None and owner_id is not None and person.person_id == owner_id:
        opening = chat.allowed or command in {"allow", "deny", "help"}
        return Access(allowed=opening, why="owner" if opening else "group not allowed")
    if not chat.allowed:
        return Access(allowed=False, why="group not allowed")
    if person is not None and person.denied:
        return Access(allowed=False, why="denied")
    return Access(allowed=True, why="member of an allowed group")
