"""The lists of /memories: what is remembered, what sleeps, what nobody confirmed; and the words around them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memory.domain import Memory, Status


@dataclass(frozen=True, slots=True)
class Listing:
    """One list and the words around it. ``since`` gives the day that stands beside a memory."""

    status: Status
    head: str
    nothing: str
    hint: str = "To erase one: /forget and its mark."
    since: Callable[[Memory], datetime] = lambda memory: memory.created_at


LISTINGS = {
    "": Listing(Status.ACTIVE, "What I remember here, newest first:", "I remember nothing in this chat yet."),
    "archived": Listing(
        Status.ARCHIVED,
        "What sleeps here, newest first, each with the day it fell asleep:",
        "Nothing sleeps here.",
        "To wake one, ask about it or say it again. To erase one: /forget and its mark.",
        lambda memory: memory.updated_at,
    ),
    "unsure": Listing(
        Status.QUARANTINED,
        "What I am unsure of, newest first: it was passed on, or the words it rests on are gone, and nobody confirmed it.",
        "There is nothing here that I am unsure of.",
        "To confirm one, say it yourself or send /remember and its words. To erase one: /forget and its mark.",
        lambda memory: memory.updated_at,
    ),
}
"""The lists by the word that asks for them."""


def which(argument: str) -> tuple[str, int]:
    """Read which list is meant, and its page from 1; whatever is no sensible one means the first page of the first."""
    word, _, rest = argument.strip().partition(" ")
    named = word.lower() if word.lower() in LISTINGS else ""
    number = rest.strip() if named else argument.strip()
    return named, max(1, int(number)) if re.fullmatch(r"[0-9]{1,5}", number) else 1
