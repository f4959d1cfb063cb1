"""What fails while a row is handled: it is told to whom it concerns, tried again, set aside; the lane goes on."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import select

from bot.storage import inbox
from bot.storage.tables import inbox as inbox_table
from bot.telegram import handlers
from bot.telegram.handlers import DATABASE_PAUSE_S, FAILURES, PARKED, STARTS, handle
from bot.telegram.updates import lane_of
from memory.errors import DatabaseBusy, DatabaseUnwritable, DiskFull, TidemarkDatabaseError
from memory.tables import messages
from tests.bot.assistant import NOW, OWNER, Assistant, Thinking, assistant
from tests.bot.telegram import payloads as p
from tests.bot.telegram.refusals import refusing

EVE = p.person(66, "Eve")
TOBIN = p.person(41, "Tobin")
BOT = p.BOT["username"]
PHOTO = [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}]


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[Assistant]:
    async with assistant(tmp_path) as made:
        yield made


async def texts(here: Assistant) -> list[str]:
    return [row.text for row in await here.rows(select(messages).order_by(messages.c.id))]


# --- trouble


async def test_an_update_that_fails_is_set_aside_and_its_chat_and_the_owner_are_told(
    here: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.allow(41)

    async def breaks(*_: object) -> None:
        raise ValueError("words of a message")

    monkeypatch.setattr(handlers, "take_turn", breaks)
    row = await here.says("hello", TOBIN)
    assert await here.state(row) == "parked"
    assert await here.said(41) == [PARKED]
    (told,) = await here.said()
    assert f"update {row.update_id}" in told
    assert "ValueError" in told
    assert "words of a message" not in told
    assert len(here.pauses) == FAILURES - 1
    monkeypatch.undo()
    await here.says("and now?", TOBIN)
    assert await here.last(41) == "Understood."


async def test_the_owners_own_update_that_fails_is_told_once(here: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(handlers, "take_turn", breaks)
    await here.says("hello")
    (told,) = await here.said()
    assert "set aside" in told


async def test_an_update_of_a_stranger_that_fails_is_not_answered(here: Assistant) -> None:
    """What cannot be read cannot be addressed to us either."""
    row = await here.update(p.message(sender=EVE, text=None, poll={"options": "no list"}))
    assert await here.state(row) == "parked"
    assert await here.said(66) == []
    assert len(await here.said()) == 1


async def test_an_update_that_was_begun_too_often_is_set_aside_unread(here: Assistant) -> None:
    """Each begin may have ended in a dead process."""
    row = await here.arrives(p.message())
    for _ in range(STARTS):
        await here.write(lambda uow: inbox.begin(uow, row.id, NOW))
    await handle(here.handler, row)
    assert await here.state(row) == "parked"
    assert here.model.requests == []


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DiskFull("x"), "disk is full"),
        (DatabaseBusy("x"), "another program"),
        (DatabaseUnwritable("/home/me"), "cannot be used"),
    ],
)
async def test_while_the_database_refuses_the_person_is_told_once_and_answered_later(
    here: Assistant, error: TidemarkDatabaseError, reason: str
) -> None:
    row = await here.arrives(p.message())
    await handle(refusing(here, error, 3), row)
    ((chat_id, text),) = here.messenger.sent
    assert chat_id == OWNER
    assert reason in text
    assert str(error) not in text or str(error) == "x"
    assert here.pauses == [DATABASE_PAUSE_S] * 3
    assert await here.said() == ["Understood."]
    assert await here.state(row) == "done"


@pytest.mark.parametrize("reads_too", [False, True])
@pytest.mark.parametrize(
    "body",
    [
        p.message(sender=EVE),
        p.message(p.GROUP, EVE, "talk among us"),
        p.message(p.GROUP, EVE, f"@{BOT} hi", entities=[p.entity(f"@{BOT} hi", "mention", f"@{BOT}")]),
    ],
    ids=["stranger", "group talk", "closed group"],
)
async def test_who_would_not_be_answered_is_not_told_of_trouble_either(
    here: Assistant, body: dict[str, Any], reads_too: bool
) -> None:
    row = await here.arrives(body)
    await handle(refusing(here, DiskFull("x"), 2, reads_too=reads_too), row)
    assert here.messenger.sent == []
    assert await here.state(row) == "done"


async def test_trouble_is_no_reason_to_butt_into_talk_among_people(here: Assistant) -> None:
    """It listens there, and would have said nothing."""
    await here.allow_group(p.GROUP["id"], "all")
    row = await here.arrives(p.message(p.GROUP, TOBIN, "talk among us"))
    await handle(refusing(here, DiskFull("x"), 2), row)
    assert here.messenger.sent == []
    assert await texts(here) == ["talk among us"]


async def test_the_owner_is_told_even_when_nothing_can_be_read(here: Assistant) -> None:
    row = await here.arrives(p.message())
    await handle(refusing(here, DiskFull("x"), 1, reads_too=True), row)
    assert [chat for chat, _ in here.messenger.sent] == [OWNER]


async def test_trouble_with_telling_of_trouble_ends_nothing(here: Assistant) -> None:
    here.messenger.fails = OSError("no network")
    row = await here.arrives(p.message())
    await handle(refusing(here, DiskFull("x"), 1), row)
    assert await here.state(row) == "done"


async def test_a_row_that_cannot_even_be_set_aside_does_not_take_the_lane_down(
    here: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise ValueError

    row = await here.arrives(p.message())
    monkeypatch.setattr(handlers, "take_turn", breaks)
    monkeypatch.setattr(inbox, "park", breaks)
    await handle(here.handler, row)
    assert await here.state(row) == "working"  # taken up again at the next start


async def test_being_cancelled_is_no_failure(here: Assistant) -> None:
    """At shutdown the row stays unfinished and is taken up at the next start."""
    thinking = Thinking()
    row = await here.arrives(p.message())
    kit = replace(here.handler, turn=replace(here.turn, model=thinking))
    task = asyncio.create_task(handle(kit, row))
    await thinking.began.wait()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    assert await here.state(row) == "working"


# --- bad input


@pytest.mark.parametrize(
    "text", ["\ud83d /help", "a\x00b", "\x00", "\u202e\u200f\u2066", "👩‍👩‍👧" * 800, "/", "/\ud800", "@" * 4000, "\u0301" * 3000]
)  # fmt: skip
async def test_any_text_is_answered_and_its_row_done(here: Assistant, text: str) -> None:
    kind = "bot_command" if text.startswith("/") else "bold"
    body = p.message(text=text, entities=[{"type": kind, "offset": 0, "length": max(1, units(text))}])
    row = await here.update(body)
    assert await here.state(row) == "done"
    assert len(await here.said()) == 1


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@pytest.mark.parametrize(
    "payload",
    [{}, {"message": {}}, {"message": None}, {"message": []}, {"message": {"chat": {"id": 5}}}, {"novelty": 1}],
)
async def test_an_update_of_any_shape_ends(here: Assistant, payload: dict[str, Any]) -> None:
    raw = {"update_id": 7} | payload
    (row,) = await here.write(lambda uow: inbox.accept(uow, here.turn.bot_id, [raw], lane_of, NOW))
    await handle(here.handler, row)
    assert await here.state(row) in {"done", "parked"}


async def test_after_an_idle_week_numbers_return_and_messages_are_answered_all_the_same(here: Assistant) -> None:
    """Telegram begins a new numbering; an old update's namesake is no repetition."""
    first = await here.arrives(p.message(text="one", message_id=1), update_id=5)
    await handle(here.handler, first)
    here.later(days=8)
    second = await here.arrives(p.message(text="two", message_id=2), update_id=5)
    await handle(here.handler, second)
    assert await here.said() == ["Understood.", "Understood."]
    assert (await texts(here))[::2] == ["one", "two"]


async def test_one_bad_row_leaves_the_others_alone(here: Assistant) -> None:
    await here.update(p.message(text=None, poll={"options": "no list"}))
    await here.says("hello")
    states = [row.state for row in await here.rows(select(inbox_table.c.state).order_by(inbox_table.c.id))]
    assert states == ["parked", "done"]
