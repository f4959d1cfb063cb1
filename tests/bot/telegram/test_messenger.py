"""The messenger against a real HTTP server that behaves like Telegram's."""

import logging
from collections.abc import AsyncIterator

import pytest
from telegram.error import InvalidToken, NetworkError

from bot.telegram.errors import TokenRefused
from bot.telegram.messenger import Messenger
from bot.telegram.outcomes import (
    Ambiguous,
    BadEntities,
    Gone,
    GoneReason,
    Migrated,
    NotSent,
    Refused,
    RetryLater,
    Sent,
    TopicGone,
)
from tests.telegram_server import Person, TelegramServer


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as server:
        yield server


@pytest.fixture
async def messenger(server: TelegramServer) -> AsyncIterator[Messenger]:
    messenger = Messenger(server.token, server.url)
    yield messenger
    await messenger.close()


@pytest.fixture
def ann(server: TelegramServer) -> Person:
    person = server.add_person("Ann")
    server.say(person, "hello")
    return person


async def test_a_message_arrives_with_its_formatting_and_without_previews(
    server: TelegramServer, messenger: Messenger, ann: Person
) -> None:
    code = {"type": "pre", "offset": 3, "length": 4, "language": "python"}
    outcome = await messenger.send(ann.id, 0, "😀 code", [code])
    [reply] = server.replies(ann)
    assert outcome == Sent(reply["message_id"])
    assert reply["text"] == "😀 code"
    assert reply["entities"] == [code]
    [call] = server.calls("sendMessage")
    assert '"is_disabled": true' in str(call.params["link_preview_options"])
    assert "message_thread_id" not in call.params
    assert "reply_parameters" not in call.params


@pytest.mark.parametrize("text", ["\ud800 lone", "nul \x00 nul", "\u202e abc", "👩‍👩‍👧" * 300, "ж" * 4096, "ﷺ"])
async def test_any_text_can_be_sent(server: TelegramServer, messenger: Messenger, ann: Person, text: str) -> None:
    assert isinstance(await messenger.send(ann.id, 0, text, []), Sent)
    assert len(server.replies(ann)) == 1


async def test_a_reply_to_a_message_that_is_not_there_arrives_all_the_same(
    server: TelegramServer, messenger: Messenger, ann: Person
) -> None:
    assert isinstance(await messenger.send(ann.id, 0, "hi", [], 4711), Sent)
    said = server.say(ann, "again")
    await messenger.send(ann.id, 0, "hi", [], said["message_id"])
    assert server.replies(ann)[1]["reply_to_message"]["message_id"] == said["message_id"]


async def test_topics_are_kept_and_general_is_left_out_of_sends_but_not_of_typing(
    server: TelegramServer, messenger: Messenger, ann: Person
) -> None:
    forum = server.add_chat("Forum", kind="forum", members=[ann])
    topic = server.create_topic(forum, "Plans", by=ann)
    assert isinstance(await messenger.send(forum.id, topic, "in it", []), Sent)
    assert isinstance(await messenger.send(forum.id, 1, "in general", []), Sent)
    assert [reply["text"] for reply in server.replies(forum, topic=topic)] == ["in it"]
    assert await messenger.typing(forum.id, topic) is True
    assert await messenger.typing(forum.id, 1) is True
    threads = [call.params.get("message_thread_id") for call in server.calls("sendChatAction")]
    assert [int(thread) for thread in threads] == [topic, 1]
    server.delete_topic(forum, topic)
    assert await messenger.send(forum.id, topic, "gone", []) == TopicGone()


async def test_what_telegram_refuses_is_told_apart(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    assert await messenger.send(4711, 0, "hi", []) == Gone(GoneReason.NOT_FOUND)
    assert isinstance(await messenger.send(ann.id, 0, "x" * 4097, []), Refused)
    assert isinstance(await messenger.send(ann.id, 0, " ", []), Refused)
    beyond = {"type": "bold", "offset": 1, "length": 50}
    assert isinstance(await messenger.send(ann.id, 0, "hi", [beyond]), BadEntities | Sent)
    server.fault("status", "sendMessage", retry_after=7)
    assert await messenger.send(ann.id, 0, "hi", []) == RetryLater(7.0)
    server.block(ann)
    assert await messenger.send(ann.id, 0, "hi", []) == Gone(GoneReason.BLOCKED)


async def test_a_migrated_group_names_its_new_id(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    group = server.add_chat("Old", kind="group", members=[ann])
    new = server.migrate(group)
    assert await messenger.send(group.id, 0, "hi", []) == Migrated(new.id)


async def test_a_group_that_threw_us_out(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    group = server.add_chat("Group", members=[ann])
    assert await messenger.is_member(group.id) is True
    server.kick(group, by=ann)
    assert await messenger.send(group.id, 0, "hi", []) == Gone(GoneReason.KICKED)
    assert await messenger.is_member(group.id) is False


async def test_bad_entities_are_recognised(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    server.fault("status", "sendMessage", status=400, description="Bad Request: can't parse entities: whatever")
    assert await messenger.send(ann.id, 0, "hi", []) == BadEntities()


@pytest.mark.parametrize("after", [False, True])
async def test_a_connection_cut_in_the_middle_is_ambiguous(
    server: TelegramServer, messenger: Messenger, ann: Person, after: bool
) -> None:
    server.fault("reset", "sendMessage", after=after)
    assert isinstance(await messenger.send(ann.id, 0, "hi", []), Ambiguous)
    assert len(server.replies(ann)) == int(after)


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_broken_server_is_ambiguous(
    server: TelegramServer, messenger: Messenger, ann: Person, status: int
) -> None:
    server.fault("status", "sendMessage", status=status)
    assert isinstance(await messenger.send(ann.id, 0, "hi", []), Ambiguous)


async def test_an_unreadable_answer_is_ambiguous(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    server.fault("garbage", "sendMessage", after=True)
    assert isinstance(await messenger.send(ann.id, 0, "hi", []), Ambiguous)


async def test_a_server_that_is_not_there_got_nothing(
    server: TelegramServer, messenger: Messenger, ann: Person
) -> None:
    assert await messenger.is_reachable() is True
    await server.stop()
    assert isinstance(await messenger.send(ann.id, 0, "hi", []), NotSent)
    assert await messenger.is_reachable() is False
    assert await messenger.typing(ann.id, 0) is False


async def test_a_closed_messenger_sends_nothing(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    await messenger.close()
    assert isinstance(await messenger.send(ann.id, 0, "hi", []), NotSent)
    assert server.replies(ann) == []


async def test_updates_come_raw_whatever_their_kind(server: TelegramServer, messenger: Messenger) -> None:
    number = server.inject({"something_new_in_2031": {"field": [1, "ж"]}})
    [update] = await messenger.updates(None, 0)
    assert update == {"update_id": number, "something_new_in_2031": {"field": [1, "ж"]}}
    assert await messenger.updates(number + 1, 0) == []
    assert server.waiting_updates() == []


async def test_reactions_are_asked_for(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    await messenger.updates(None, 0)
    await messenger.send(ann.id, 0, "hi", [])
    server.react(ann, ann, server.replies(ann)[0]["message_id"], "👍")
    assert any("message_reaction" in update for update in await messenger.updates(None, 0))


async def test_polling_goes_on_after_its_connections_are_rebuilt(server: TelegramServer, messenger: Messenger) -> None:
    await messenger.updates(None, 0)
    await messenger.rebuild_polling()
    assert await messenger.updates(None, 0) == []


async def test_who_we_are_is_known_without_a_network_and_confirmed_with_one(
    server: TelegramServer, messenger: Messenger
) -> None:
    assert messenger.bot_id == server.bot.id
    me = await messenger.get_me()
    assert (me.id, me.username) == (server.bot.id, server.bot.username)


async def test_a_webhook_is_seen_and_taken_off(server: TelegramServer, messenger: Messenger, ann: Person) -> None:
    await messenger.bot.set_webhook("https://example.org/hook")
    assert (await messenger.webhook_info()).url == "https://example.org/hook"
    await messenger.delete_webhook()
    assert (await messenger.webhook_info()).url == ""
    assert len(server.waiting_updates()) == 1


async def test_commands_are_shown(server: TelegramServer, messenger: Messenger) -> None:
    assert await messenger.set_commands([("help", "What I can do")]) is True
    assert server.commands()["default"] == [{"command": "help", "description": "What I can do"}]
    assert await messenger.set_commands([("Not A Command", "")]) is False


async def test_a_message_is_deleted_and_one_that_is_not_there_is_no_matter(
    server: TelegramServer, messenger: Messenger, ann: Person
) -> None:
    outcome = await messenger.send(ann.id, 0, "hi", [])
    assert isinstance(outcome, Sent)
    assert await messenger.delete(ann.id, outcome.message_id or 0) is True
    assert await messenger.delete(ann.id, 4711) is False
    assert server.replies(ann) == []


async def test_a_wrong_token_is_refused(server: TelegramServer) -> None:
    other = Messenger(f"{server.bot.id}:wrong", server.url)
    with pytest.raises(InvalidToken):
        await other.get_me()
    with pytest.raises(InvalidToken):
        await other.updates(None, 0)
    assert isinstance(await other.send(1, 0, "hi", []), NotSent)
    await other.close()


@pytest.mark.parametrize("token", ["", "abc", "987", "987:", ":abc", "x1:abc", "١٢٣:abc"])
def test_a_token_of_another_form_is_refused_without_being_repeated(token: str) -> None:
    with pytest.raises(TokenRefused) as caught:
        Messenger(token)
    assert not token.strip(":") or token.strip(":") not in str(caught.value)


async def test_a_proxy_from_the_environment_does_not_stand_before_a_local_server(
    server: TelegramServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    local = Messenger(server.token, server.url)
    assert (await local.get_me()).id == server.bot.id
    await local.close()
    away = Messenger(server.token, "http://bot-api.invalid")
    with pytest.raises(NetworkError):
        await away.get_me()
    await away.close()


async def test_the_token_is_in_no_message_of_an_error(
    server: TelegramServer, messenger: Messenger, ann: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    await server.stop()
    with pytest.raises(NetworkError) as caught:
        await messenger.get_me()
    assert server.token not in str(caught.value)
    assert server.token not in caplog.text
