"""sendMessage and its relatives: what is refused, with Telegram's words."""

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, MessageEntity, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Forbidden

from tests.telegram_server import Chat, Person, TelegramServer
from tests.telegram_server.expecting import refused


@pytest.fixture
def ann(server: TelegramServer) -> Person:
    person = server.add_person("Ann", username="ann")
    server.say(person, "hello")
    return person


@pytest.fixture
def forum(server: TelegramServer, ann: Person) -> Chat:
    return server.add_chat("Club", kind="forum", members=[ann])


def keyboard(data: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton("Press", callback_data=data)]])


async def test_a_message_stands_in_the_chat_as_it_was_answered(server: TelegramServer, bot: Bot, ann: Person) -> None:
    sent = await bot.send_message(ann.id, "Hi there", entities=[MessageEntity("bold", 0, 2)])
    (seen,) = server.replies(ann)
    assert (seen["text"], seen["entities"]) == ("Hi there", [{"type": "bold", "offset": 0, "length": 2}])
    assert sent.message_id == seen["message_id"]
    assert sent.from_user is not None
    assert sent.from_user.id == server.bot.id


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (" \n\t ", "text must be non-empty"),
        ("\u200b\u2060".replace("\u2060", "\u200d"), "text must be non-empty"),
        ("x" * 4097, "message is too long"),
        ("😀" * 2049, "message is too long"),
        ("x" * 40_000, "text is too long"),
    ],
)
async def test_texts_without_content_or_measure_are_refused(bot: Bot, ann: Person, text: str, reason: str) -> None:
    with refused(BadRequest, f"{reason}"):
        await bot.send_message(ann.id, text)


async def test_an_empty_text_is_refused(bot: Bot, ann: Person) -> None:
    with refused(BadRequest, "Message text is empty"):
        await bot.send_message(ann.id, "")


async def test_4096_utf16_units_fit(server: TelegramServer, bot: Bot, ann: Person) -> None:
    await bot.send_message(ann.id, "😀" * 2048)
    await bot.send_message(ann.id, " " + "x" * 4096 + "\n")
    assert [len(one["text"]) for one in server.replies(ann)] == [2048, 4096]


@pytest.mark.parametrize("chat", [424242, -1, "@nobody"])
async def test_an_unknown_chat_is_not_found(bot: Bot, chat: int | str) -> None:
    with refused(BadRequest, "Chat not found"):
        await bot.send_message(chat, "hello")


async def test_a_person_who_never_wrote_cannot_be_written_to(server: TelegramServer, bot: Bot) -> None:
    with refused(Forbidden, "bot can't initiate conversation with a user"):
        await bot.send_message(server.add_person("Bob").id, "hello")


async def test_a_blocked_bot_is_forbidden_until_unblocked(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.block(ann)
    with refused(Forbidden, "Forbidden: bot was blocked by the user"):
        await bot.send_message(ann.id, "hello")
    server.unblock(ann)
    await bot.send_message(ann.id, "hello again")
    changes = [update.my_chat_member for update in await bot.get_updates() if update.my_chat_member]
    assert [change.new_chat_member.status for change in changes] == ["kicked", "member"]


async def test_a_deleted_account_is_forbidden(server: TelegramServer, bot: Bot, ann: Person) -> None:
    server.deactivate(ann)
    with refused(Forbidden, "user is deactivated"):
        await bot.send_message(ann.id, "hello")


@pytest.mark.parametrize("kind", ["group", "supergroup", "channel"])
async def test_a_bot_that_was_thrown_out_is_forbidden(server: TelegramServer, bot: Bot, ann: Person, kind: str) -> None:
    chat = server.add_chat("Club", kind=kind, members=[ann])
    server.kick(chat, by=ann)
    with refused(Forbidden, f"bot was kicked from the {kind} chat"):
        await bot.send_message(chat.id, "hello")
    before = len(server.waiting_updates())
    server.say(ann, f"/start@{server.bot.username}", chat=chat)
    assert len(server.waiting_updates()) == before, "it hears nothing from there any more"


async def test_a_bot_that_left_is_no_member(server: TelegramServer, bot: Bot, ann: Person) -> None:
    chat = server.add_chat("Club", members=[ann])
    await bot.leave_chat(chat.id)
    with refused(Forbidden, "bot is not a member of the supergroup chat"):
        await bot.send_message(chat.id, "hello")


async def test_a_muted_bot_lacks_the_rights(server: TelegramServer, bot: Bot, ann: Person) -> None:
    chat = server.add_chat("Club", members=[ann], bot="restricted")
    with refused(BadRequest, "Not enough rights to send text messages to the chat"):
        await bot.send_message(chat.id, "hello")


async def test_a_migrated_group_names_its_new_id_and_tells_both_chats(
    server: TelegramServer, bot: Bot, ann: Person
) -> None:
    group = server.add_chat("Club", kind="group", members=[ann])
    new = server.migrate(group)
    with pytest.raises(ChatMigrated) as caught:
        await bot.send_message(group.id, "hello")
    assert caught.value.new_chat_id == new.id
    call = server.calls("sendMessage")[-1]
    assert call.description == "Bad Request: group chat was upgraded to a supergroup chat"
    notices = [update.message for update in await bot.get_updates() if update.message]
    assert [one.migrate_to_chat_id for one in notices] == [None, new.id, None]
    assert [one.migrate_from_chat_id for one in notices] == [None, None, group.id]
    await bot.send_message(new.id, "hello")


async def test_topics_keep_their_messages_and_general_must_not_be_named(
    server: TelegramServer, bot: Bot, forum: Chat
) -> None:
    topic = server.create_topic(forum, "Tents")
    await bot.send_message(forum.id, "in the topic", message_thread_id=topic)
    await bot.send_message(forum.id, "in General")
    assert [one["text"] for one in server.replies(forum, topic=topic)] == ["in the topic"]
    for thread in (1, 999):
        with refused(BadRequest, "Message thread not found"):
            await bot.send_message(forum.id, "hello", message_thread_id=thread)
    assert await bot.send_chat_action(forum.id, "typing", message_thread_id=1)


async def test_a_closed_topic_is_closed_and_a_deleted_one_is_gone(
    server: TelegramServer, bot: Bot, forum: Chat
) -> None:
    topic = server.create_topic(forum, "Tents")
    server.close_topic(forum, topic)
    with refused(BadRequest, "topic_closed"):
        await bot.send_message(forum.id, "hello", message_thread_id=topic)
    server.close_topic(forum, topic, closed=False)
    await bot.send_message(forum.id, "hello", message_thread_id=topic)
    server.delete_topic(forum, topic)
    with refused(BadRequest, "Message thread not found"):
        await bot.send_message(forum.id, "hello", message_thread_id=topic)
    assert server.messages(forum) == []


async def test_a_thread_outside_a_forum_is_not_found(server: TelegramServer, bot: Bot, ann: Person) -> None:
    with refused(BadRequest, "Message thread not found"):
        await bot.send_message(ann.id, "hello", message_thread_id=7)


async def test_a_reply_goes_into_the_topic_of_what_it_answers(
    server: TelegramServer, bot: Bot, ann: Person, forum: Chat
) -> None:
    topic = server.create_topic(forum, "Tents")
    asked = server.say(ann, "who?", chat=forum, topic=topic)
    sent = await bot.send_message(forum.id, "me", reply_parameters=ReplyParameters(asked["message_id"], quote="who"))
    assert (sent.message_thread_id, sent.is_topic_message) == (topic, True)
    assert sent.reply_to_message is not None
    assert sent.reply_to_message.text == "who?"
    assert sent.quote is not None
    assert sent.quote.text == "who"


async def test_a_reply_to_nothing_is_refused_unless_allowed(server: TelegramServer, bot: Bot, ann: Person) -> None:
    with refused(BadRequest, "Message to be replied not found"):
        await bot.send_message(ann.id, "hello", reply_parameters=ReplyParameters(999))
    await bot.send_message(ann.id, "hello", reply_parameters=ReplyParameters(999, allow_sending_without_reply=True))
    assert "reply_to_message" not in server.replies(ann)[0]


async def test_a_quote_must_be_in_the_message(server: TelegramServer, bot: Bot, ann: Person) -> None:
    number = server.messages(ann)[0]["message_id"]
    with refused(BadRequest, "QUOTE_TEXT_INVALID"):
        await bot.send_message(ann.id, "hello", reply_parameters=ReplyParameters(number, quote="never said"))


async def test_callback_data_has_64_bytes(bot: Bot, ann: Person) -> None:
    await bot.send_message(ann.id, "choose", reply_markup=keyboard("é" * 32))
    with refused(BadRequest, "button_data_invalid"):
        await bot.send_message(ann.id, "choose", reply_markup=keyboard("é" * 32 + "x"))


async def test_a_button_that_does_nothing_is_refused(bot: Bot, ann: Person) -> None:
    with refused(BadRequest, "Text buttons are unallowed in the inline keyboard"):
        await bot.send_message(ann.id, "choose", reply_markup=InlineKeyboardMarkup([[InlineKeyboardButton("Press")]]))


async def test_an_edit_replaces_text_and_keyboard_and_keeps_the_past(
    server: TelegramServer, bot: Bot, ann: Person
) -> None:
    sent = await bot.send_message(ann.id, "draft", reply_markup=keyboard("a"))
    await bot.edit_message_text("final", ann.id, sent.message_id)
    (seen,) = server.replies(ann)
    assert (seen["text"], "reply_markup" in seen, "edit_date" in seen) == ("final", False, True)
    assert [one["text"] for one in server.versions(ann, sent.message_id)] == ["draft"]
    await bot.edit_message_reply_markup(ann.id, sent.message_id, reply_markup=keyboard("b"))
    assert server.replies(ann)[0]["reply_markup"]["inline_keyboard"][0][0]["callback_data"] == "b"


async def test_an_edit_that_changes_nothing_is_refused(server: TelegramServer, bot: Bot, ann: Person) -> None:
    sent = await bot.send_message(ann.id, "same")
    with refused(BadRequest, "Message is not modified: specified new message content and reply markup"):
        await bot.edit_message_text(" same ", ann.id, sent.message_id)
    assert server.versions(ann, sent.message_id) == []


async def test_what_is_not_there_or_not_its_own_cannot_be_edited(server: TelegramServer, bot: Bot, ann: Person) -> None:
    with refused(BadRequest, "Message to edit not found"):
        await bot.edit_message_text("x", ann.id, 999)
    with refused(BadRequest, "Message can't be edited"):
        await bot.edit_message_text("x", ann.id, server.messages(ann)[0]["message_id"])


async def test_deleting_own_messages_works_and_strangers_messages_in_groups_does_not(
    server: TelegramServer, bot: Bot, ann: Person
) -> None:
    group = server.add_chat("Club", members=[ann])
    sent = await bot.send_message(group.id, "oops")
    assert await bot.delete_message(group.id, sent.message_id)
    with refused(BadRequest, "Message to delete not found"):
        await bot.delete_message(group.id, sent.message_id)
    theirs = server.say(ann, "mine", chat=group)["message_id"]
    with refused(BadRequest, "Message can't be deleted"):
        await bot.delete_message(group.id, theirs)
    assert theirs == sent.message_id + 1, "the number of a deleted message does not return"
    assert await bot.delete_messages(group.id, [theirs, 999])
    assert len(server.messages(group)) == 1


async def test_messages_of_its_own_older_than_48_hours_stay(
    server: TelegramServer, bot: Bot, ann: Person, clock: object
) -> None:
    sent = await bot.send_message(ann.id, "old")
    clock.seconds += 48 * 3600  # type: ignore[attr-defined]
    with refused(BadRequest, "Message can't be deleted"):
        await bot.delete_message(ann.id, sent.message_id)


async def test_only_standard_emoji_are_reactions(server: TelegramServer, bot: Bot, ann: Person) -> None:
    number = server.messages(ann)[0]["message_id"]
    await bot.set_message_reaction(ann.id, number, "👀")
    assert server.reactions(ann, number) == [{"type": "emoji", "emoji": "👀"}]
    for emoji in ("✅", "🚀"):
        with refused(BadRequest, "reaction_invalid"):
            await bot.set_message_reaction(ann.id, number, emoji)
    await bot.set_message_reaction(ann.id, number, None)
    assert server.reactions(ann, number) == []


async def test_a_pressed_button_is_answered_once(server: TelegramServer, bot: Bot, ann: Person) -> None:
    sent = await bot.send_message(ann.id, "choose", reply_markup=keyboard("go"))
    query = server.press(ann, ann, sent.message_id, "go")
    seen = (await bot.get_updates())[-1].callback_query
    assert seen is not None
    assert (seen.id, seen.data) == (query, "go")
    with refused(BadRequest, "message_too_long"):
        await bot.answer_callback_query(query, "x" * 201)
    assert await bot.answer_callback_query(query)
    with refused(BadRequest, "Query is too old"):
        await bot.answer_callback_query(query)


async def test_an_unknown_chat_action_is_refused(bot: Bot, ann: Person) -> None:
    with refused(BadRequest, "Wrong parameter action in request"):
        await bot.send_chat_action(ann.id, "thinking")
