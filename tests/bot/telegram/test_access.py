"""Who is let in: one function, a table over every kind of update Telegram has, and over everybody who may turn up."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from telegram.constants import UpdateType

from bot.incoming import ChatKind
from bot.storage.directory import ChatFacts, PersonFacts
from bot.telegram.access import TOLD_EVERY, Access, authorise
from bot.telegram.messenger import ALLOWED_UPDATES
from bot.telegram.updates import UpdateKind
from memory.tables import messages
from tests.bot.assistant import OWNER, Assistant, assistant
from tests.bot.telegram import payloads as p

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
EVE = 66
PRIVATE = ChatFacts(EVE, ChatKind.PRIVATE)
CLOSED = ChatFacts(-100, ChatKind.GROUP)
OPEN = ChatFacts(-100, ChatKind.GROUP, allowed=True)
PEOPLE = {
    "owner": PersonFacts(OWNER),
    "allowed": PersonFacts(EVE, allowed=True),
    "denied": PersonFacts(EVE, denied=True),
    "stranger": PersonFacts(EVE),
    "anonymous": None,
}
COMMANDS = (
    None,
    "start",
    "help",
    "pair",
    "allow",
    "deny",
    "new",
    "stop",
    "remember",
    "memories",
    "forget",
    "undo",
    "why",
)


def decide(
    chat: ChatFacts,
    who: str,
    command: str | None = None,
    *,
    owner: int | None = OWNER,
    kind: UpdateKind = UpdateKind.MESSAGE,
) -> Access:
    return authorise(kind=kind, chat=chat, person=PEOPLE[who], owner_id=owner, command=command, now=NOW)


def let_in(chat: ChatFacts, owner: int | None = OWNER) -> dict[str, set[str | None]]:
    """Give for each person the commands (None: plain words) that are let in."""
    return {who: {command for command in COMMANDS if decide(chat, who, command, owner=owner).allowed} for who in PEOPLE}


EVERYTHING = set(COMMANDS)


def test_in_private_only_the_owner_and_whom_they_let_in() -> None:
    assert let_in(PRIVATE) == {
        "owner": EVERYTHING, "allowed": EVERYTHING, "denied": set(), "stranger": set(), "anonymous": set(),
    }  # fmt: skip


def test_without_an_owner_a_stranger_may_pair_and_nothing_else() -> None:
    assert let_in(PRIVATE, owner=None) == {
        "owner": {"pair"},  # not known as one yet
        "allowed": EVERYTHING, "denied": set(), "stranger": {"pair"}, "anonymous": set(),
    }  # fmt: skip


def test_in_a_group_that_was_not_let_in_only_the_owner_can_open_it() -> None:
    nobody = {who: set() for who in PEOPLE if who != "owner"}
    assert let_in(CLOSED) == nobody | {"owner": {"allow", "deny", "help"}}
    assert let_in(CLOSED, owner=None) == nobody | {"owner": set()}


def test_in_a_group_that_was_let_in_everybody_but_whom_the_owner_denied() -> None:
    assert let_in(OPEN) == {
        "owner": EVERYTHING, "allowed": EVERYTHING, "denied": set(), "stranger": EVERYTHING, "anonymous": EVERYTHING,
    }  # fmt: skip


@pytest.mark.parametrize("chat", [CLOSED, OPEN], ids=["closed", "open"])
@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("command", COMMANDS)
def test_in_groups_nobody_is_ever_told(chat: ChatFacts, who: str, command: str | None) -> None:
    assert decide(chat, who, command).tell is None


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("chat", [PRIVATE, CLOSED, OPEN], ids=["private", "closed", "open"])
def test_a_kind_of_update_nobody_thought_of_is_not_let_in(chat: ChatFacts, who: str) -> None:
    assert not decide(chat, who, kind=UpdateKind.OTHER).allowed


def test_a_stranger_is_told_their_number_once_a_day() -> None:
    told = decide(PRIVATE, "stranger").tell
    assert told is not None
    assert str(EVE) in told

    def again(after: timedelta) -> str | None:
        person = PersonFacts(EVE, refused_at=NOW - after)
        return authorise(
            kind=UpdateKind.MESSAGE, chat=PRIVATE, person=person, owner_id=OWNER, command=None, now=NOW
        ).tell

    assert again(timedelta(0)) is None
    assert again(TOLD_EVERY - timedelta(seconds=1)) is None
    assert again(TOLD_EVERY) is not None
    assert again(timedelta(hours=-5)) is not None  # the clock stepped back


def test_whom_the_owner_denied_is_told_nothing() -> None:
    assert decide(PRIVATE, "denied") == Access(allowed=False, why="denied")


def test_a_username_counts_for_nothing() -> None:
    """It changes hands: the owner's former handle opens nothing."""
    impostor = PersonFacts(EVE, name="Nadia", username="nadia_k")
    granted = authorise(kind=UpdateKind.MESSAGE, chat=PRIVATE, person=impostor, owner_id=OWNER, command=None, now=NOW)
    assert not granted.allowed


# --- every kind of update, through the handlers

_POLL = {
    "id": "1", "question": "q", "options": [], "total_voter_count": 0, "is_closed": False, "is_anonymous": True,
    "type": "regular", "allows_multiple_answers": False, "allows_revoting": True, "members_only": False,
}  # fmt: skip


def _body(kind: str, chat: dict[str, Any], sender: dict[str, Any]) -> dict[str, Any]:
    said = p.message(chat, sender, "let me in, quokka")
    membership = {"user": p.BOT, "status": "member"}
    bodies: dict[str, dict[str, Any]] = {
        "poll": _POLL,
        "callback_query": {"id": "1", "from": sender, "chat_instance": "x", "data": "quokka", "message": said},
        "inline_query": {"id": "1", "from": sender, "query": "quokka", "offset": ""},
        "my_chat_member": {
            "chat": chat, "from": sender, "date": p.DATE, "old_chat_member": membership | {"status": "left"},
            "new_chat_member": membership,
        },
        "message_reaction": {
            "chat": chat, "user": sender, "message_id": 5, "date": p.DATE, "old_reaction": [],
            "new_reaction": [{"type": "emoji", "emoji": "👍"}],
        },
    }  # fmt: skip
    return bodies.get(kind, said)


ANSWERED = {"message"}
"""Kinds that can lead to an answer when they come from somebody who may speak."""
PARSED_LATER = {"callback_query", "message_reaction"}
"""Asked for already, acted upon by no one yet; the authorisation knows them."""
NOT_WORDS = {"edited_message", "my_chat_member"}
"""Acted upon without an answer: an edit changes what was kept, a membership is about the bot itself."""


def test_every_kind_that_is_asked_for_is_in_the_table() -> None:
    assert set(ALLOWED_UPDATES) == ANSWERED | PARSED_LATER | NOT_WORDS


def test_every_kind_telegram_has_is_known_here() -> None:
    """A library that learns a new kind makes this fail: decide what it means before it comes in."""
    assert {kind.value for kind in UpdateType} == KNOWN


KNOWN = {
    "message", "edited_message", "channel_post", "edited_channel_post", "inline_query", "chosen_inline_result",
    "callback_query", "shipping_query", "pre_checkout_query", "poll", "poll_answer", "my_chat_member", "chat_member",
    "chat_join_request", "chat_boost", "removed_chat_boost", "message_reaction", "message_reaction_count",
    "business_connection", "business_message", "edited_business_message", "deleted_business_messages",
    "purchased_paid_media", "managed_bot", "guest_message",
}  # fmt: skip


@pytest.mark.parametrize("chat", [p.private(EVE, "Eve"), p.GROUP], ids=["private", "closed group"])
@pytest.mark.parametrize("kind", sorted(KNOWN))
async def test_no_kind_of_update_lets_a_stranger_reach_the_model_or_the_transcript(
    tmp_path: Path, kind: str, chat: dict[str, Any]
) -> None:
    async with assistant(tmp_path) as here:
        await _come(here, kind, chat, p.person(EVE, "Eve"))
        assert here.model.requests == []
        assert await _kept(here) == []
        told = await here.said(chat["id"])
        assert len(told) == (1 if kind == "message" and chat["type"] == "private" else 0)


@pytest.mark.parametrize("kind", sorted(KNOWN))
async def test_only_messages_are_answered_even_for_the_owner(tmp_path: Path, kind: str) -> None:
    async with assistant(tmp_path) as here:
        await _come(here, kind, p.private(OWNER), p.person(OWNER))
        assert (len(here.model.requests) == 1) is (kind in ANSWERED)


async def _come(here: Assistant, kind: str, chat: dict[str, Any], sender: dict[str, Any]) -> None:
    """Let an update of a kind come in; one whose shape the library refuses is set aside, which is as good."""
    row = await here.update(_body(kind, chat, sender), kind)
    assert await here.state(row) in {"done", "parked"}


async def _kept(here: Assistant) -> list[Any]:
    return await here.rows(select(messages))
