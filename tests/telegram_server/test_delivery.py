"""What reaches the bot: entities, replies, topics, identities, privacy mode."""

import pytest
from telegram import Bot, Message, Update

from tests.telegram_server import Chat, Person, TelegramServer
from tests.telegram_server.media import FILES, OTHERS
from tests.telegram_server.refusal import Json


@pytest.fixture
def ann(server: TelegramServer) -> Person:
    return server.add_person("Ann", username="ann", language_code="en")


@pytest.fixture
def group(server: TelegramServer, ann: Person) -> Chat:
    server.set_privacy(on=False)
    return server.add_chat("Club", members=[ann])


async def received(bot: Bot) -> list[Message]:
    return [update.message for update in await bot.get_updates() if update.message]


async def last(bot: Bot) -> Message:
    return (await received(bot))[-1]


async def test_entities_are_found_with_utf16_offsets(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.say(ann, "😀😀 @TidemarkTestBot /help@TidemarkTestBot x@y.example.org https://example.org/ü. #tag")
    parsed = (await last(bot)).parse_entities()
    assert [(str(entity.type), text) for entity, text in parsed.items()] == [
        ("mention", "@TidemarkTestBot"),
        ("bot_command", "/help@TidemarkTestBot"),
        ("email", "x@y.example.org"),
        ("url", "https://example.org/ü"),
        ("hashtag", "#tag"),
    ]


async def test_a_persons_own_entities_may_name_their_text(server: TelegramServer, bot: Bot, ann: Person) -> None:
    bob = server.add_person("Bob")
    own: list[Json] = [{"type": "text_mention", "text": "Bob", "user": bob.json()}, {"type": "mention", "text": "@ann"}]
    server.say(ann, "ask Bob @ann", entities=own)
    parsed = (await last(bot)).parse_entities()
    assert [(str(entity.type), text) for entity, text in parsed.items()] == [
        ("text_mention", "Bob"),
        ("mention", "@ann"),
    ]


@pytest.mark.parametrize("text", ["", " \n ", "x" * 4097])
def test_what_no_app_would_send_is_a_mistake_of_the_test(server: TelegramServer, ann: Person, text: str) -> None:
    with pytest.raises(ValueError, match="Telegram's apps"):
        server.say(ann, text)


async def test_hostile_text_arrives_unharmed(server: TelegramServer, bot: Bot, ann: Person) -> None:
    text = "\x00 lone \ud800 \u202eRTL\u202c é"
    server.say(ann, text)
    assert (await last(bot)).text == text


async def test_a_reply_shows_what_it_answers_but_not_what_that_answered(
    server: TelegramServer, bot: Bot, ann: Person, group: Chat
) -> None:
    first = server.say(ann, "one", chat=group)["message_id"]
    second = server.say(ann, "two", chat=group, reply_to=first)["message_id"]
    server.say(ann, "three", chat=group, reply_to=second, quote="w")
    message = await last(bot)
    assert message.reply_to_message is not None
    assert (message.reply_to_message.text, message.reply_to_message.reply_to_message) == ("two", None)
    assert message.quote is not None
    assert (message.quote.text, message.quote.position) == ("w", 1)


async def test_a_thread_of_replies_outside_forums_is_no_topic(
    server: TelegramServer, bot: Bot, ann: Person, group: Chat
) -> None:
    first = server.say(ann, "one", chat=group)["message_id"]
    server.say(ann, "two", chat=group, reply_to=first)
    message = await last(bot)
    assert (message.message_thread_id, message.is_topic_message) == (first, None)


async def test_messages_of_a_topic_carry_its_number_and_the_notice_that_opened_it(
    server: TelegramServer, bot: Bot, ann: Person
) -> None:
    server.set_privacy(on=False)
    forum = server.add_chat("Club", kind="forum", members=[ann])
    topic = server.create_topic(forum, "Tents", by_bot=True)
    server.say(ann, "hi", chat=forum, topic=topic)
    message = await last(bot)
    assert (message.message_thread_id, message.is_topic_message) == (topic, True)
    assert message.reply_to_message is not None
    assert message.reply_to_message.forum_topic_created is not None
    server.say(ann, "in General", chat=forum)
    assert (await last(bot)).message_thread_id is None


async def test_forwards_tell_where_they_come_from(server: TelegramServer, bot: Bot, ann: Person) -> None:
    channel = server.add_chat("News", kind="channel")
    for source in (ann, channel, "Somebody hidden", server.bot.id):
        server.say(ann, "passed on", forwarded_from=source)
    kinds = [message.forward_origin.type for message in await received(bot) if message.forward_origin]
    assert kinds == ["user", "channel", "hidden_user", "user"]


async def test_edits_come_as_edited_messages(server: TelegramServer, bot: Bot, ann: Person) -> None:
    number = server.say(ann, "helo @ann")["message_id"]
    server.edit(ann, number, "hello")
    server.touch(ann, number)
    edits = [update.edited_message for update in await bot.get_updates() if update.edited_message]
    assert [(one.text, one.entities, one.edit_date is not None) for one in edits] == [("hello", (), True)] * 2


@pytest.mark.parametrize("kind", [*FILES, *OTHERS])
async def test_every_kind_of_message_is_one_the_client_understands(
    server: TelegramServer, bot: Bot, ann: Person, kind: str
) -> None:
    server.send(ann, kind, caption="for @ann" if kind in {"photo", "document"} else "")
    message = await last(bot)
    assert getattr(message, kind)
    assert message.text is None
    if kind == "photo":
        assert list(message.parse_caption_entities().values()) == ["@ann"]


async def test_identities_that_are_no_people_look_as_on_telegram(
    server: TelegramServer, bot: Bot, ann: Person, group: Chat
) -> None:
    channel = server.add_chat("News", kind="channel", bot="administrator")
    server.say(ann, "as the group", chat=group, anonymous=True)
    server.say_as_channel(channel, group, "as a channel")
    server.post_in_channel(channel, "news", linked_group=group)
    post, *rest = [update for update in await bot.get_updates() if update.channel_post] + await received(bot)
    assert isinstance(post, Update)
    senders = [(one.from_user.id, one.sender_chat.id, one.is_automatic_forward) for one in rest]  # type: ignore[union-attr]
    assert senders == [
        (1087968824, group.id, None),
        (136817688, channel.id, None),
        (777000, channel.id, True),
    ]


async def test_other_bots_are_not_heard(server: TelegramServer, bot: Bot, group: Chat) -> None:
    server.say(server.add_person("Robot", is_bot=True), f"@{server.bot.username} hi", chat=group)
    assert await received(bot) == []


async def test_notices_are_heard_even_in_privacy_mode(
    server: TelegramServer, bot: Bot, ann: Person, group: Chat
) -> None:
    server.set_privacy(on=True)
    bob = server.add_person("Bob")
    server.service(group, "new_chat_members", [bob.json()], by=ann)
    assert [one.id for one in (await last(bot)).new_chat_members] == [bob.id]


async def test_privacy_mode_lets_through_only_what_is_meant_for_the_bot(
    server: TelegramServer, bot: Bot, ann: Person, group: Chat
) -> None:
    server.set_privacy(on=True)
    name = server.bot.username
    server.say(ann, "just talking", chat=group)
    server.say(ann, f"hey @{name}", chat=group)
    server.say(ann, "/help", chat=group)  # another bot may be meant
    server.say(ann, "/help@OtherBot", chat=group)
    server.say(ann, f"/help@{name.upper()}", chat=group)
    sent = await bot.send_message(group.id, "here I am")
    server.say(ann, "thanks", chat=group, reply_to=sent.message_id)
    server.say(ann, "/help again", chat=group)  # this bot spoke last
    server.say(ann, "between us", chat=group)
    heard = [message.text for message in await received(bot)]
    assert heard == [f"/help@{name.upper()}", "thanks", "/help again"]


@pytest.mark.parametrize("way", ["privacy off", "administrator", "mentions pass"])
async def test_mentions_come_through_where_the_bot_may_read(
    server: TelegramServer, bot: Bot, ann: Person, group: Chat, way: str
) -> None:
    server.set_privacy(on=way != "privacy off")
    server.world.mentions_pass_privacy = way == "mentions pass"
    if way == "administrator":
        server.set_bot(group, "administrator")
    server.say(ann, f"hey @{server.bot.username.lower()}", chat=group)
    assert (await last(bot)).text == f"hey @{server.bot.username.lower()}"


async def test_reply_to_the_notice_of_its_own_topic_is_no_reply_to_the_bot(
    server: TelegramServer, bot: Bot, ann: Person
) -> None:
    forum = server.add_chat("Club", kind="forum", members=[ann])
    topic = server.create_topic(forum, "Tents", by_bot=True)
    server.say(ann, "between us", chat=forum, topic=topic)
    assert await received(bot) == []


async def test_who_blocked_the_bot_cannot_write_to_it(server: TelegramServer, ann: Person) -> None:
    server.block(ann)
    with pytest.raises(ValueError, match="unblock first"):
        server.say(ann, "hello")


async def test_a_button_that_is_not_there_cannot_be_pressed(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.say(ann, "hello")
    sent = await bot.send_message(ann.id, "no buttons")
    with pytest.raises(ValueError, match="no button"):
        server.press(ann, ann, sent.message_id, "go")


async def test_a_chat_without_topics_gets_none(server: TelegramServer, group: Chat) -> None:
    with pytest.raises(ValueError, match="no topics"):
        server.create_topic(group, "Tents")


async def test_raw_gaps_repeats_and_disorder(server: TelegramServer, bot: Bot, ann: Person) -> None:
    first = server.inject({"unheard_of": {"x": 1}})
    server.skip_update_ids(5)
    server.say(ann, "after a gap")
    server.repeat_update(first)
    numbers = [update.update_id for update in await bot.get_updates()]
    assert numbers == [first, first + 6, first]
    server.repeat_update(first)
    assert [update.update_id for update in await bot.get_updates(offset=first + 7)] == [first]
    assert await bot.get_updates() == (), "a repeat comes once"
    for text in "abc":
        server.say(ann, text)
    server.shuffle_updates()
    assert [message.text for message in await received(bot)] == ["c", "b", "a"]
    server.restart_update_ids(10)
    server.say(ann, "renumbered")
    assert (await bot.get_updates())[-1].update_id == 10
