"""The commands about who may speak: pairing, allowing, denying."""

import re
from collections.abc import Callable

from bot.commands import Asked
from bot.incoming import ChatKind
from bot.ownership import Ownership, adopt_terminal
from bot.storage import directory, pairing
from memory.unit_of_work import UnitOfWork

AccessCommand = Callable[[UnitOfWork, Asked, Ownership], str]

WELCOME = "Hello! I am a private assistant and stay quiet here until my owner sends /allow in this group."
OWNER_ONLY = "Only my owner can do that."


def pair(uow: UnitOfWork, asked: Asked, ownership: Ownership) -> str:
    """Make the one who knows the code the owner."""
    person = asked.incoming.speaker.person_id
    if asked.incoming.chat_kind is not ChatKind.PRIVATE or person is None:
        return "Pairing works in a private chat with me only."
    if ownership.owner_id is not None:
        return "I know you as my owner already." if ownership.owner_id == person else "I have an owner already."
    outcome = pairing.attempt(uow, person, asked.argument, asked.now)
    if outcome is not pairing.Outcome.PAIRED:
        return pairing.SENTENCES[outcome]
    ownership.pair(uow, person, asked.now)
    adopt_terminal(uow, asked.engine, person, asked.now)
    return (
        "You are my owner now. Nobody else can talk to me until you send /allow with their numeric id; in a group, "
        "add me and send /allow there. What we spoke about in the terminal belongs to this chat from now on."
    )


def allow(uow: UnitOfWork, asked: Asked, ownership: Ownership) -> str:
    """Let a person, or this group, speak to the assistant."""
    return _set_access(uow, asked, ownership, allowed=True)


def deny(uow: UnitOfWork, asked: Asked, ownership: Ownership) -> str:
    """Let a person, or this group, speak no longer."""
    return _set_access(uow, asked, ownership, allowed=False)


def _set_access(uow: UnitOfWork, asked: Asked, ownership: Ownership, *, allowed: bool) -> str:
    if not asked.by_owner:
        return OWNER_ONLY
    argument = asked.argument.strip()
    if not argument:
        return _set_group(uow, asked, allowed=allowed)
    person = _numeric_id(argument)
    if person is None:
        return "Please give the numeric id, for example /allow 123456789. People can see theirs when they write to me."
    if person == ownership.owner_id:
        return "You are my owner; that stays."
    directory.set_person_access(uow, person, allowed=allowed, now=asked.now)
    return f"{person} may talk to me now." if allowed else f"{person} may no longer talk to me."


def _set_group(uow: UnitOfWork, asked: Asked, *, allowed: bool) -> str:
    if asked.incoming.chat_kind is not ChatKind.GROUP:
        return "Please give a numeric id, or send this inside a group."
    directory.set_chat_access(uow, asked.incoming.conversation.chat_id, allowed=allowed, now=asked.now)
    if allowed:
        return "Thank you. Everyone here may talk to me: mention me, or reply to me. What is said here stays here."
    return "I will be quiet in this group from now on."


def _numeric_id(argument: str) -> int | None:
    digits = argument.split(maxsplit=1)[0]
    return int(digits) if re.fullmatch(r"[1-9][0-9]{0,17}", digits) else None


COMMANDS: dict[str, AccessCommand] = {"pair": pair, "allow": allow, "deny": deny}
