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


NO_SUCH_LIST = """I have no such list. There are these:

/memories – what I remember in this chat
/memories archived – what sleeps
/memories unsure – what nobody confirmed

A number asks for a further page, as in /memories 2 or /memories archived 2."""

LAST_PAGE = 99_999
"""No chat has as many; whoever asks for a later one is told that there is none."""


def which(argument: str) -> tuple[str, int] | None:
    """Read which list is meant, and its page from 1 to ``LAST_PAGE``: a number, a list, or a list and a number; None for more.

    The word for the first list is none.
    """
    words = argument.lower().split()
    named = words.pop(0) if words and words[0] in LISTINGS else ""
    if not words:
        return named, 1
    number = words[0].lstrip("0") or "0"
    if len(words) > 1 or not re.fullmatch(r"[0-9]+", number):
        return None
    return named, min(max(1, int(number[:6])), LAST_PAGE)
