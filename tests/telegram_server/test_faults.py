"""Faults and flood limits, as a real client meets them."""

import asyncio
import json
from collections import deque
from datetime import timedelta

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from telegram import Bot
from telegram.error import BadRequest, NetworkError, RetryAfter, TelegramError, TimedOut

from tests.telegram_server import Person, TelegramServer
from tests.telegram_server.conftest import HandClock
from tests.telegram_server.expecting import refused
from tests.telegram_server.flood import CHAT_BURST, GROUP_A_MINUTE, OVERALL_A_SECOND, FloodLimits, window_wait


@pytest.fixture
def ann(server: TelegramServer) -> Person:
    person = server.add_person("Ann")
    server.say(person, "hello")
    return person


def seconds(error: RetryAfter) -> int:
    wait = error.retry_after
    return int(wait.total_seconds()) if isinstance(wait, timedelta) else wait


def texts(server: TelegramServer, person: Person) -> list[str]:
    return [one["text"] for one in server.replies(person)]


async def test_a_429_names_the_pause_and_strikes_once(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.fault("status", "sendMessage", retry_after=7)
    with pytest.raises(RetryAfter) as caught:
        await bot.send_message(ann.id, "hello")
    assert seconds(caught.value) == 7
    await bot.send_message(ann.id, "hello")
    assert texts(server, ann) == ["hello"]


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_server_error_before_acceptance_sends_nothing(
    server: TelegramServer, bot: Bot, ann: Person, status: int
) -> None:
    server.fault("status", "sendMessage", status=status, times=2)
    for _ in range(2):
        with pytest.raises(NetworkError):
            await bot.send_message(ann.id, "hello")
    assert texts(server, ann) == []
    await bot.send_message(ann.id, "hello")
    assert [call.status for call in server.calls("sendMessage")] == [status, status, 200]


async def test_a_refusal_of_any_wording_can_be_planned(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.fault("status", "sendMessage", status=400, description="Bad Request: can't parse entities: no")
    with refused(BadRequest, "can't parse entities: no"):
        await bot.send_message(ann.id, "hello")


@pytest.mark.parametrize(("after", "sent"), [(False, []), (True, ["hello"])])
async def test_a_reset_is_a_network_error_whether_or_not_the_message_is_there(
    server: TelegramServer, bot: Bot, ann: Person, after: bool, sent: list[str]
) -> None:
    server.fault("reset", "sendMessage", after=after)
    with pytest.raises(NetworkError) as caught:
        await bot.send_message(ann.id, "hello")
    assert isinstance(caught.value.__cause__, httpx.ReadError)
    assert texts(server, ann) == sent
    (call,) = server.calls("sendMessage")
    assert (call.fault, call.status) == ("reset", None)


@pytest.mark.parametrize(("after", "sent"), [(False, []), (True, ["hello"])])
async def test_a_hanging_call_times_out_at_the_client(
    server: TelegramServer, bot: Bot, ann: Person, after: bool, sent: list[str]
) -> None:
    server.fault("hang", "sendMessage", after=after)
    with pytest.raises(TimedOut):
        await bot.send_message(ann.id, "hello", read_timeout=0.1)
    assert texts(server, ann) == sent


async def test_a_delay_only_delays(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.fault("delay", "sendMessage", delay_s=0.05)
    started = asyncio.get_running_loop().time()
    await bot.send_message(ann.id, "hello")
    assert asyncio.get_running_loop().time() - started >= 0.05
    assert texts(server, ann) == ["hello"]


async def test_garbage_is_no_answer(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.fault("garbage", "getUpdates", body="<html>")
    with refused(TelegramError, "Invalid server response"):
        await bot.get_updates()
    assert len(await bot.get_updates()) == 1


async def test_a_fault_may_wait_spare_other_chats_and_last(server: TelegramServer, bot: Bot, ann: Person) -> None:
    bob = server.add_person("Bob")
    server.say(bob, "hello")
    server.fault("status", "sendMessage", status=500, chat_id=bob.id, skip=1, times=None)
    for text in ("one", "two", "three"):
        for person in (ann, bob):
            try:
                await bot.send_message(person.id, text)
            except NetworkError:
                assert person is bob
    assert (texts(server, ann), texts(server, bob)) == (["one", "two", "three"], ["one"])
    server.clear_faults()
    await bot.send_message(bob.id, "four")


async def test_a_server_that_is_down_refuses_and_comes_back_with_everything(
    server: TelegramServer, bot: Bot, ann: Person
) -> None:
    poll = asyncio.create_task(bot.get_updates(offset=-1, timeout=10))
    await poll
    poll = asyncio.create_task(bot.get_updates(offset=800_000_000, timeout=10))
    await server.wait_for(lambda s: s.is_polled())
    await server.stop()
    with pytest.raises(NetworkError):
        await poll
    with pytest.raises(NetworkError) as caught:
        await bot.send_message(ann.id, "hello")
    assert isinstance(caught.value.__cause__, httpx.ConnectError)
    await server.start()
    await bot.send_message(ann.id, "hello")
    assert texts(server, ann) == ["hello"]


async def test_flood_limits_are_off_until_switched_on(
    server: TelegramServer, bot: Bot, ann: Person, clock: HandClock
) -> None:
    for _ in range(CHAT_BURST + 2):
        await bot.send_message(ann.id, "hello")
    server.flood_limits(on=True)
    for _ in range(CHAT_BURST):
        await bot.send_message(ann.id, "hello")
    with pytest.raises(RetryAfter) as caught:
        await bot.send_message(ann.id, "one too many")
    assert "Too Many Requests: retry after 1" in str(server.calls("sendMessage")[-1].description)
    clock.seconds += seconds(caught.value)
    await bot.send_message(ann.id, "in time")
    assert texts(server, ann)[-1] == "in time"


def test_a_group_takes_20_messages_a_minute() -> None:
    limits = FloodLimits()
    limits.on = True
    assert [limits.admit(-5, float(second)) for second in range(GROUP_A_MINUTE)] == [0] * GROUP_A_MINUTE
    assert limits.admit(-5, 20.0) == 40
    assert limits.admit(5, 20.0) == 0, "a private chat has no such limit"
    assert limits.admit(-5, 60.0) == 0


def test_all_chats_together_take_30_messages_a_second() -> None:
    limits = FloodLimits()
    limits.on = True
    assert [limits.admit(chat, 0.5) for chat in range(OVERALL_A_SECOND)] == [0] * OVERALL_A_SECOND
    assert limits.admit(99, 1.0) == 1
    assert limits.admit(99, 1.5) == 0


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(-2, 2), st.floats(0, 3)), max_size=80))
def test_who_waits_as_long_as_told_is_let_in(steps: list[tuple[int, float]]) -> None:
    limits, at = FloodLimits(), 0.0
    limits.on = True
    for chat, pause in steps:
        at += pause
        wait = limits.admit(chat, at)
        if wait:
            at += wait
            assert limits.admit(chat, at) == 0


def test_a_window_forgets_what_has_left_it() -> None:
    times = deque([0.0, 1.0])
    assert window_wait(times, 1.5, 2, 2.0) == 0.5
    assert window_wait(times, 2.0, 2, 2.0) == 0.0
    assert window_wait(deque([0.0, 1.5, 1.5]), 2.25, 2, 2.0) == 1.25, "the first has left, the others count"


async def test_waiting_for_nothing_tells_what_was_called(server: TelegramServer, bot: Bot, ann: Person) -> None:
    await bot.get_me()
    with pytest.raises(TimeoutError, match="getMe 200"):
        await server.wait_for(lambda s: s.replies(ann), timeout_s=0.01)


async def test_a_body_that_is_no_json_is_a_bad_request(server: TelegramServer) -> None:
    url = f"{server.url}/bot{server.token}/getMe"
    async with httpx.AsyncClient() as client:
        answer = await client.post(url, content="{", headers={"content-type": "application/json"})
    assert (answer.status_code, json.loads(answer.text)["ok"]) == (400, False)
