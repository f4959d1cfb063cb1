"""Becoming the owner, and letting people and groups in."""

import random
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import select

from bot.access_commands import COMMANDS
from bot.ownership import TERMINAL_CHAT, Ownership
from bot.storage import directory, kv, pairing
from bot.turn import take_turn
from memory.domain import Conversation
from memory.tables import memories
from tests.bot.assistant import NOW, OWNER, Assistant, assistant, incoming
from tests.bot.telegram import payloads

GROUP = payloads.GROUP
BOT = payloads.BOT["username"]
EVE = payloads.person(66, "Eve")


@pytest_asyncio.fixture
async def ownerless(tmp_path: Path) -> AsyncIterator[Assistant]:
    async with assistant(tmp_path, owner=None) as made:
        yield made


async def code_of(here: Assistant) -> str:
    return await here.write(lambda uow: pairing.issue(uow, here.clock.now(), random.Random(1)))


# --- pairing


async def test_who_knows_the_code_becomes_the_owner_for_good(ownerless: Assistant) -> None:
    here = ownerless
    code = await code_of(here)
    await here.says(f"/pair {code}")
    assert "You are my owner now" in await here.last()
    assert here.ownership.owner_id == OWNER
    after_restart = Ownership(None)
    await here.read(after_restart.load)
    assert after_restart.owner_id == OWNER
    await here.says("hello")
    assert await here.last() == "Understood."


async def test_the_code_may_be_typed_in_any_case_and_with_blanks(ownerless: Assistant) -> None:
    code = (await code_of(ownerless)).lower()
    await ownerless.says(f"/pair {code[:5]} {code[5:]}")
    assert ownerless.ownership.owner_id == OWNER


async def test_the_code_works_once(ownerless: Assistant) -> None:
    code = await code_of(ownerless)
    assert await ownerless.write(lambda uow: pairing.attempt(uow, 1, code, NOW)) is pairing.Outcome.PAIRED
    assert await ownerless.write(lambda uow: pairing.attempt(uow, 2, code, NOW)) is pairing.Outcome.NO_CODE


async def test_a_new_code_ends_the_former_one(ownerless: Assistant) -> None:
    former = await code_of(ownerless)
    await ownerless.write(lambda uow: pairing.issue(uow, NOW, random.Random(2)))
    assert await ownerless.write(lambda uow: pairing.attempt(uow, 1, former, NOW)) is pairing.Outcome.WRONG


async def test_the_code_itself_is_not_kept(ownerless: Assistant) -> None:
    code = await code_of(ownerless)
    assert code not in str(await ownerless.read(lambda uow: kv.get(uow, pairing.KEY)))
    assert re.fullmatch(f"[{pairing.ALPHABET}]{{{pairing.LENGTH}}}", code)


async def test_guessing_is_stopped_for_an_hour_and_for_the_guesser_alone(ownerless: Assistant) -> None:
    here = ownerless
    code = await code_of(here)
    for _ in range(pairing.TRIES):
        await here.says("/pair WRONG", EVE)
        assert "not the code" in await here.last(66)
    await here.says(f"/pair {code}", EVE)
    assert "Too many" in await here.last(66)
    assert here.ownership.owner_id is None
    later = NOW + timedelta(hours=1, seconds=1)
    assert await here.write(lambda uow: pairing.attempt(uow, 66, "WRONG", later)) is pairing.Outcome.WRONG
    await here.says(f"/pair {code}")
    assert here.ownership.owner_id == OWNER


@pytest.mark.parametrize("code", ["", "²", "\x00", "猫" * 900, "' OR 1=1", "A" * 4000])
async def test_nonsense_is_a_wrong_code(ownerless: Assistant, code: str) -> None:
    await code_of(ownerless)
    await ownerless.says(f"/pair {code}")
    assert "not the code" in await ownerless.last()


async def test_pairing_happens_in_private_only(ownerless: Assistant) -> None:
    """In a group everybody would read the code."""
    here = ownerless
    await here.allow_group(GROUP["id"])
    code = await code_of(here)
    await here.says(f"/pair@{BOT} {code}", None, GROUP)
    assert "private chat" in await here.last(GROUP["id"])
    assert here.ownership.owner_id is None


async def test_who_has_an_owner_is_not_paired_again(here: Assistant) -> None:
    code = await code_of(here)
    await here.allow(66)
    await here.says(f"/pair {code}", EVE)
    assert await here.last(66) == "I have an owner already."
    await here.says(f"/pair {code}")
    assert await here.last() == "I know you as my owner already."
    assert here.ownership.owner_id == OWNER


async def test_what_was_said_in_the_terminal_moves_to_the_owners_chat(ownerless: Assistant) -> None:
    """Memories, history, and what is still to be reflected on."""
    here = ownerless
    await take_turn(here.turn, incoming("My cat is called Biscuit.", chat=TERMINAL_CHAT))
    await here.settle()
    await take_turn(here.turn, incoming("I eat no shellfish.", key="k2", chat=TERMINAL_CHAT))
    await here.says(f"/pair {await code_of(here)}")
    await here.settle()
    assert set(await here.held()) == {"My cat is called Biscuit.", "I eat no shellfish."}
    assert await here.held(TERMINAL_CHAT) == []
    speakers = await here.read(lambda uow: uow.connection.execute(select(memories.c.speaker_id)).scalars().all())
    assert set(speakers) == {OWNER}
    await here.says("So?")
    assert "shellfish" in here.prompt()


async def test_a_pairing_that_is_rolled_back_makes_no_owner(ownerless: Assistant) -> None:
    def fails(uow: object) -> None:
        ownerless.ownership.pair(uow, OWNER, NOW)  # type: ignore[arg-type]
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        await ownerless.write(fails)
    assert ownerless.ownership.owner_id is None


def test_the_settings_decide_before_what_was_paired() -> None:
    assert (Ownership(5).owner_id, Ownership(None).owner_id) == (5, None)
    assert (Ownership(5).terminal_id, Ownership(None).terminal_id) == (5, TERMINAL_CHAT)


# --- allowing and denying


async def test_a_person_is_let_in_and_shut_out_by_number(here: Assistant) -> None:
    await here.says("/allow 66")
    assert await here.last() == "66 may talk to me now."
    await here.says("hi", EVE)
    assert await here.last(66) == "Understood."
    await here.says("/deny 66")
    await here.says("hi", EVE)
    assert await here.said(66) == ["Understood."]


async def test_whom_the_owner_denied_is_silent_in_groups_too(here: Assistant) -> None:
    await here.allow_group(GROUP["id"], "all")
    await here.says(f"@{BOT} hi", EVE, GROUP)
    await here.says("/deny 66")
    await here.says(f"@{BOT} hi again", EVE, GROUP)
    assert len(await here.said(GROUP["id"])) == 1
    assert all("hi again" not in message.content for request in here.model.requests for message in request.messages)


async def test_a_group_is_let_in_and_shut_out_from_inside(here: Assistant) -> None:
    await here.says(f"@{BOT} anyone?", EVE, GROUP)
    assert await here.said(GROUP["id"]) == []
    await here.says(f"/allow@{BOT}", None, GROUP)
    assert "Everyone here may talk to me" in await here.last(GROUP["id"])
    await here.says(f"@{BOT} anyone?", EVE, GROUP)
    assert await here.last(GROUP["id"]) == "Understood."
    await here.says(f"/deny@{BOT}", None, GROUP)
    await here.says(f"@{BOT} still there?", EVE, GROUP)
    assert "quiet" in await here.last(GROUP["id"])


@pytest.mark.parametrize("command", ["allow", "deny"])
async def test_nobody_but_the_owner_decides(here: Assistant, command: str) -> None:
    """Neither a member, nor an administrator who writes as the group."""
    await here.allow_group(GROUP["id"])
    await here.allow(66)
    anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    await here.says(f"/{command} 77", EVE)
    await here.says(f"/{command}@{BOT} 77", EVE, GROUP)
    await here.says(f"/{command}@{BOT}", anonymous, GROUP, sender_chat=GROUP)
    answers = [await here.last(66), *await here.said(GROUP["id"])]
    assert answers == ["Only my owner can do that."] * 3
    person = await here.read(lambda uow: directory.person(uow, 77))
    assert person is not None
    assert not person.allowed
    assert (await here.read(lambda uow: directory.chat(uow, GROUP["id"]))).allowed


@pytest.mark.parametrize(
    "argument", ["@eve", "eve", "0", "-5", "1.5", "²", "٣٣", "9" * 30, "9" * 4000, "007", str(2**63)]
)
async def test_only_a_number_names_a_person(here: Assistant, argument: str) -> None:
    """Usernames change hands."""
    await here.says(f"/allow {argument}")
    assert "numeric id" in await here.last()
    assert await here.read(directory.allowed_people) == ()


async def test_in_private_a_group_cannot_be_meant(here: Assistant) -> None:
    await here.says("/allow")
    assert "inside a group" in await here.last()


async def test_the_owner_cannot_be_shut_out(here: Assistant) -> None:
    await here.says(f"/deny {OWNER}")
    assert "owner; that stays" in await here.last()
    await here.says("hello?")
    assert await here.last() == "Understood."


async def test_a_word_behind_the_number_is_no_matter(here: Assistant) -> None:
    await here.says("/allow 66 Eve from work")
    assert [person.person_id for person in await here.read(directory.allowed_people)] == [66]


def test_these_are_all_the_commands_about_access() -> None:
    """A new one belongs into the table of `tests/bot/telegram/test_access.py`."""
    assert set(COMMANDS) == {"pair", "allow", "deny"}
    assert Conversation(TERMINAL_CHAT).scope == "chat:0"
