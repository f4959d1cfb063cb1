"""getUpdates as Telegram does it: offsets, kinds, one poller, no webhook."""

import asyncio

import httpx
import pytest
from telegram import Bot
from telegram.error import BadRequest, Conflict, InvalidToken

from tests.telegram_server import TelegramServer
from tests.telegram_server.expecting import refused


def numbers(updates: tuple[object, ...]) -> list[int]:
    return [update.update_id for update in updates]  # type: ignore[attr-defined]


async def test_get_me_tells_who_the_bot_is_and_its_privacy_mode(server: TelegramServer, bot: Bot) -> None:
    me = await bot.get_me()
    assert (me.id, me.username, me.first_name) == (server.bot.id, server.bot.username, server.bot.name)
    assert me.can_read_all_group_messages is False
    server.set_privacy(on=False)
    assert (await bot.get_me()).can_read_all_group_messages is True


async def test_a_waiting_poll_is_answered_by_the_next_message(server: TelegramServer, bot: Bot) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=10))
    await server.wait_for(lambda s: s.calls("getUpdates"))
    server.say(server.add_person("Ann"), "hello")
    assert [update.message.text for update in await poll if update.message] == ["hello"]


async def test_updates_come_again_until_an_offset_confirms_them(server: TelegramServer, bot: Bot) -> None:
    ann = server.add_person("Ann")
    for text in ("one", "two", "three"):
        server.say(ann, text)
    first = numbers(await bot.get_updates())
    assert numbers(await bot.get_updates()) == first
    assert numbers(await bot.get_updates(offset=first[1])) == first[1:]
    assert numbers(await bot.get_updates()) == first[1:], "what was confirmed is gone for good"
    assert numbers(await bot.get_updates(offset=first[-1] + 1)) == []


async def test_a_limit_cuts_the_batch_and_a_negative_offset_keeps_the_last(server: TelegramServer, bot: Bot) -> None:
    ann = server.add_person("Ann")
    for text in "abcd":
        server.say(ann, text)
    every = numbers(await bot.get_updates())
    assert numbers(await bot.get_updates(limit=2)) == every[:2]
    assert numbers(await bot.get_updates(offset=-1)) == every[-1:]
    assert numbers(await bot.get_updates()) == every[-1:]


async def test_the_kinds_asked_for_stay_until_others_are_asked_for(server: TelegramServer, bot: Bot) -> None:
    ann = server.add_person("Ann")
    message = server.say(ann, "first")
    await bot.get_updates(allowed_updates=["edited_message"])
    server.say(ann, "not wanted")
    server.edit(ann, message["message_id"], "wanted")
    await bot.get_updates()  # no list: the setting stays
    server.say(ann, "not wanted either")
    kinds = [next(name for name in update.to_dict() if name != "update_id") for update in await bot.get_updates()]
    assert kinds == ["message", "edited_message"]
    await bot.get_updates(allowed_updates=[])  # the default again
    server.say(ann, "wanted again")
    assert (await bot.get_updates())[-1].message.text == "wanted again"  # type: ignore[union-attr]


async def test_reactions_come_only_to_who_asks_for_them(server: TelegramServer, bot: Bot) -> None:
    ann = server.add_person("Ann")
    number = server.say(ann, "hello")["message_id"]
    server.react(ann, ann, number, "👍")
    assert len(await bot.get_updates(allowed_updates=["message_reaction"])) == 1
    server.react(ann, ann, number, "👍")
    assert (await bot.get_updates())[-1].message_reaction is not None


async def test_a_second_poller_ends_the_first_with_409(server: TelegramServer, bot: Bot) -> None:
    first = asyncio.create_task(bot.get_updates(timeout=10))
    await server.wait_for(lambda s: s.calls("getUpdates"))
    second = asyncio.create_task(bot.get_updates(timeout=10))
    with refused(Conflict, "terminated by other getUpdates request; make sure that only one bot"):
        await first
    server.say(server.add_person("Ann"), "for the second")
    assert len(await second) == 1


async def test_a_poll_whose_client_is_gone_stops_waiting(server: TelegramServer) -> None:
    async with httpx.AsyncClient() as client:
        poll = asyncio.create_task(client.get(f"{server.url}/bot{server.token}/getUpdates?timeout=10", timeout=20))
        await server.wait_for(lambda s: s.calls("getUpdates"))
        poll.cancel()
    await server.wait_for(lambda s: not s.is_polled(), timeout_s=5)


async def test_polling_is_refused_while_a_webhook_is_set(server: TelegramServer, bot: Bot) -> None:
    poll = asyncio.create_task(bot.get_updates(timeout=10))
    await server.wait_for(lambda s: s.calls("getUpdates"))
    await bot.set_webhook("https://example.com/hook")
    with refused(Conflict, "terminated by setWebhook request"):
        await poll
    with refused(Conflict, "can't use getUpdates method while webhook is active"):
        await bot.get_updates()
    server.say(server.add_person("Ann"), "waits")
    info = await bot.get_webhook_info()
    assert (info.url, info.pending_update_count) == ("https://example.com/hook", 1)
    await bot.delete_webhook()
    assert len(await bot.get_updates()) == 1


async def test_deleting_the_webhook_drops_what_waits_only_if_told_so(server: TelegramServer, bot: Bot) -> None:
    server.say(server.add_person("Ann"), "hello")
    await bot.delete_webhook()
    assert len(await bot.get_updates()) == 1
    await bot.delete_webhook(drop_pending_updates=True)
    assert len(await bot.get_updates()) == 0


async def test_a_webhook_needs_https(bot: Bot) -> None:
    with refused(BadRequest, "An HTTPS URL must be provided"):
        await bot.set_webhook("http://example.com/hook")


async def test_a_wrong_token_is_unauthorized(server: TelegramServer) -> None:
    with pytest.raises(InvalidToken):
        await Bot("5550001:wrong", base_url=f"{server.url}/bot").initialize()
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"{server.url}/bot1:x/getMe")
    assert answer.status_code == 401
    assert answer.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}


async def test_what_the_server_does_not_know_is_404(server: TelegramServer) -> None:
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{server.url}/bot{server.token}/sendPhoto", data={"chat_id": "1"})
    assert (answer.status_code, answer.json()["description"]) == (404, "Not Found: method not found")


@pytest.mark.parametrize("how", ["query", "form", "json", "multipart"])
async def test_parameters_may_come_in_any_of_four_ways(server: TelegramServer, how: str) -> None:
    ann = server.add_person("Ann")
    server.say(ann, "hello")
    url, values = f"{server.url}/bot{server.token}/sendmessage", {"chat_id": str(ann.id), "text": "é & ü"}
    async with httpx.AsyncClient() as client:
        match how:
            case "query":
                answer = await client.get(url, params=values)
            case "form":
                answer = await client.post(url, data=values)
            case "json":
                answer = await client.post(url, json=values | {"chat_id": ann.id})
            case _:
                answer = await client.post(url, data=values, files={"ignored": b"x"})
    assert answer.json()["result"]["text"] == "é & ü"
