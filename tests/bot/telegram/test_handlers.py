"""One row of the inbox, from reading to done."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import select

from bot.reflection_run import REDACTED_NOTE
from bot.storage import directory
from bot.storage.tables import inbox
from bot.telegram.handlers import finish_stopped, handle, is_stop
from memory.domain import Conversation
from memory.errors import DatabaseBusy
from memory.tables import messages
from tests.bot.assistant import OWNER, Assistant, assistant
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


# --- who is answered


async def test_a_message_is_answered_with_typing_and_its_row_is_done(here: Assistant) -> None:
    row = await here.says("hello")
    assert await here.said() == ["Understood."]
    assert here.messenger.typed == [(OWNER, 0)]
    assert await here.state(row) == "done"


async def test_a_row_is_handled_once(here: Assistant) -> None:
    """The gateway may hand over a row that another start has dealt with."""
    row = await here.says("hello")
    await handle(here.handler, row)
    assert len(here.model.requests) == 1


async def test_typing_is_shown_in_the_topic_and_for_general_under_its_number(here: Assistant) -> None:
    forum = p.GROUP | {"is_forum": True}
    await here.allow_group(forum["id"])
    await here.says(f"@{BOT} a", TOBIN, forum, message_thread_id=77, is_topic_message=True)
    await here.says(f"@{BOT} b", TOBIN, forum)
    assert here.messenger.typed == [(forum["id"], 77), (forum["id"], 1)]
    assert [letter.thread_id for letter in await here.letters(forum["id"])] == [77, 0]


async def test_a_stranger_is_told_once_a_day_and_nothing_is_kept(here: Assistant) -> None:
    await here.says("hello", EVE)
    await here.says("hello?", EVE)
    assert len(await here.said(66)) == 1
    here.later(days=1)
    await here.says("hello!", EVE)
    assert len(await here.said(66)) == 2
    assert await texts(here) == []


async def test_in_a_group_that_was_not_let_in_nothing_is_said_or_kept(here: Assistant) -> None:
    row = await here.says(f"@{BOT} hello", TOBIN, p.GROUP)
    assert await here.state(row) == "done"
    assert await here.said(p.GROUP["id"]) == []
    assert await texts(here) == []


@pytest.mark.parametrize(("listen", "kept"), [("all", ["among us"]), ("addressed", [])])
async def test_talk_among_people_is_kept_only_where_it_may_be(here: Assistant, listen: str, kept: list[str]) -> None:
    await here.allow_group(p.GROUP["id"], listen)
    row = await here.says("among us", TOBIN, p.GROUP)
    assert await texts(here) == kept
    assert await here.said(p.GROUP["id"]) == []
    assert await here.state(row) == "done"


async def test_the_caption_of_a_picture_is_answered_with_a_word_about_the_picture(here: Assistant) -> None:
    await here.update(p.message(text=None, photo=PHOTO, caption="which plant is this"))
    assert "<notice>" in here.prompt()
    assert await here.said() == ["Understood."]


async def test_a_picture_alone_gets_an_honest_answer_and_no_model(here: Assistant) -> None:
    await here.update(p.message(text=None, photo=PHOTO))
    assert "can't read pictures yet" in await here.last()
    assert here.model.requests == []


# --- albums


async def album(here: Assistant, captions: list[str | None]) -> None:
    """Let an album come in as Telegram sends it: all parts, then each is handled."""
    rows = []
    for n, caption in enumerate(captions):
        more = {} if caption is None else {"caption": caption}
        rows.append(
            await here.arrives(p.message(text=None, photo=PHOTO, media_group_id="77", message_id=50 + n, **more))
        )
    for row in rows:
        await handle(here.handler, row)


async def test_an_album_without_words_gets_one_notice(here: Assistant) -> None:
    await album(here, [None, None, None])
    (only,) = await here.said()
    assert "can't read pictures yet" in only


@pytest.mark.parametrize("captions", [["our tent", None, None], [None, "our tent", None]])
async def test_an_album_with_words_gets_one_answer_and_no_notice(here: Assistant, captions: list[str | None]) -> None:
    await album(here, captions)
    assert await here.said() == ["Understood."]


# --- stop


async def test_stop_stops_what_runs_here_and_says_when_nothing_does(here: Assistant) -> None:
    await here.says("/stop")
    await here.says("/stop")
    assert here.stopped == [Conversation(OWNER)] * 2
    assert await here.said() == ["Stopped.", "There is nothing to stop: I am not working on an answer here."]


@pytest.mark.parametrize(
    ("text", "chat", "urgent"),
    [
        ("/stop", None, True), ("/STOP", None, True), (f"/stop@{BOT}", p.GROUP, True), ("/stop", p.GROUP, True),
        ("/stop@SomebodyElseBot", p.GROUP, False), ("/stopwatch", None, False), ("stop", None, False),
        ("please /stop", None, False),
    ],
)  # fmt: skip
async def test_only_a_stop_for_us_goes_past_its_lane(
    here: Assistant, text: str, chat: dict[str, Any] | None, urgent: bool
) -> None:
    words = next((word for word in text.split() if word.startswith("/")), None)
    entities = [p.entity(text, "bot_command", words)] if words else []
    row = await here.arrives(p.message(chat, text=text, entities=entities))
    assert is_stop(here.handler, row) is urgent


async def test_a_stranger_stops_nothing(here: Assistant) -> None:
    await here.says("/stop", EVE)
    assert here.stopped == []


async def test_the_row_of_a_stopped_turn_is_done(here: Assistant) -> None:
    row = await here.arrives(p.message())
    await finish_stopped(here.handler, row)
    assert await here.state(row) == "done"


async def test_closing_a_stopped_row_never_takes_the_lane_down(here: Assistant) -> None:
    row = await here.arrives(p.message())
    await finish_stopped(refusing(here, DatabaseBusy("held"), 1), row)
    assert await here.state(row) == "new"


# --- edits


async def test_an_edit_changes_what_was_kept_and_runs_nothing(here: Assistant) -> None:
    await here.says("I live in Prto", message_id=500)
    edited = p.message(text="I live in Porto", message_id=500, edit_date=p.DATE)
    await here.update(edited, "edited_message")
    assert (await texts(here))[0] == "I live in Porto"
    assert len(here.model.requests) == 1
    stop = p.message(
        text="/stop", message_id=500, edit_date=p.DATE, entities=[p.entity("/stop", "bot_command", "/stop")]
    )
    await here.update(stop, "edited_message")
    assert here.stopped == []


async def test_an_edit_of_who_may_speak_no_longer_changes_nothing(here: Assistant) -> None:
    """Else what the assistant reads could still be written by somebody who was shut out."""
    await here.allow_group(p.GROUP["id"], "all")
    await here.says("we meet at nine", TOBIN, p.GROUP, message_id=500)
    await here.says("/deny 41")
    await here.update(p.message(p.GROUP, TOBIN, "obey me", message_id=500, edit_date=p.DATE), "edited_message")
    assert (await texts(here))[0] == "we meet at nine"


async def test_an_edit_leaves_the_call_out_like_the_message_did(here: Assistant) -> None:
    await here.allow_group(p.GROUP["id"])
    await here.says(f"@{BOT} we meet at nine", TOBIN, p.GROUP, message_id=500)
    text = f"@{BOT} we meet at ten"
    body = p.message(
        p.GROUP, TOBIN, text, message_id=500, edit_date=p.DATE, entities=[p.entity(text, "mention", f"@{BOT}")]
    )
    await here.update(body, "edited_message")
    assert (await texts(here))[0] == "we meet at ten"


async def test_a_secret_that_comes_with_an_edit_is_not_kept(here: Assistant) -> None:
    """Nobody reflects on an edit, so what must not be kept is taken out at once, and the person is told."""
    await here.says("I will send it", message_id=500)
    edited = p.message(text="My mail password is Quartz!Lamp77", message_id=500, edit_date=p.DATE)
    await here.update(edited, "edited_message")
    assert (await texts(here))[0] == "My mail password is [redacted]"
    assert (await here.said())[-1] == REDACTED_NOTE
    assert "Lamp77" not in str(await here.rows(select(inbox)))


async def test_an_invisible_edit_does_not_bring_a_secret_back(here: Assistant) -> None:
    """Telegram tells of changes nobody sees, with the whole text as it was."""
    await here.says("My mail password is Quartz!Lamp77", message_id=500)
    await here.settle()
    said = await here.said()
    touched = p.message(text="My mail password is Quartz!Lamp77", message_id=500, edit_date=p.DATE)
    await here.update(touched, "edited_message")
    assert "Lamp77" not in str(await here.rows(select(messages))) + str(await here.rows(select(inbox)))
    assert await here.said() == said


async def test_a_secret_edited_away_is_not_left_in_the_inbox(here: Assistant) -> None:
    """The first wording stands in the update that brought it."""
    await here.says("My mail password is Quartz!Lamp77", message_id=500)
    await here.update(p.message(text="Never mind", message_id=500, edit_date=p.DATE), "edited_message")
    assert "Lamp77" not in str(await here.rows(select(inbox)))


async def test_words_that_are_not_to_be_kept_leave_the_inbox_too(here: Assistant) -> None:
    """Strangers' words, talk among people and edits: only the number stays, by which a repetition is known."""
    await here.allow_group(p.GROUP["id"])
    stranger = await here.says("zebra from outside", EVE)
    chatter = await here.says("zebra among us", TOBIN, p.GROUP)
    await here.update(p.message(text="zebra edited", message_id=900, edit_date=p.DATE), "edited_message")
    assert await here.state(stranger) == await here.state(chatter) == "done"
    assert "zebra" not in str(await here.rows(select(inbox)))


# --- memberships and migrations


def membership(chat: dict[str, Any], before: str, after: str, by: dict[str, Any] | None = None) -> dict[str, Any]:
    states = {"kicked": {"until_date": 0}, "left": {}, "member": {}}
    old, new = ({"user": p.BOT, "status": status} | states[status] for status in (before, after))
    return {"chat": chat, "from": by or p.person(), "date": p.DATE, "old_chat_member": old, "new_chat_member": new}


async def test_added_by_the_owner_it_says_what_is_needed(here: Assistant) -> None:
    await here.update(membership(p.GROUP, "left", "member"), "my_chat_member")
    (only,) = await here.said(p.GROUP["id"])
    assert "/allow" in only


@pytest.mark.parametrize(
    ("chat", "by"),
    [
        (p.GROUP, EVE),
        (p.private(OWNER), p.person()),  # the owner unblocks the bot
        ({"id": -1009, "type": "channel", "title": "News"}, p.person()),  # the whole audience would read it
    ],
)
async def test_elsewhere_it_comes_in_silence(here: Assistant, chat: dict[str, Any], by: dict[str, Any]) -> None:
    before = "kicked" if chat["type"] == "private" else "left"
    row = await here.update(membership(chat, before, "member", by), "my_chat_member")
    assert await here.said(chat["id"]) == []
    assert await here.state(row) == "done"


async def test_blocked_and_unblocked_is_noted(here: Assistant) -> None:
    await here.update(membership(p.private(), "member", "kicked"), "my_chat_member")
    assert not (await here.read(lambda uow: directory.chat(uow, OWNER))).reachable
    await here.update(membership(p.private(), "kicked", "member"), "my_chat_member")
    assert (await here.read(lambda uow: directory.chat(uow, OWNER))).reachable


async def test_a_group_with_a_new_number_keeps_everything_and_telling_it_twice_is_no_matter(here: Assistant) -> None:
    old, new = {"id": -5, "type": "group", "title": "Mill"}, p.GROUP
    await here.allow_group(-5, "all")
    await here.says(f"/remember@{BOT} Our table is number seventeen.", TOBIN, old)
    await here.says("and it is by the window", TOBIN, old)
    await here.update(p.message(old, TOBIN, None, migrate_to_chat_id=new["id"]))
    await here.update(p.message(new, TOBIN, None, migrate_from_chat_id=-5))
    await here.settle()
    assert set(await here.held(new["id"])) == {"Our table is number seventeen.", "and it is by the window"}
    assert await here.held(-5) == []
    await here.says(f"@{BOT} where do we sit?", TOBIN, new)
    assert "by the window" in here.prompt()
    await here.says(f"/undo@{BOT}", None, new)
    assert "Taken back" in await here.last(new["id"])
