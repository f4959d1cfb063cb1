"""The methods by which the bot asks and sets up: commands, files, chats, members."""

import pytest
from telegram import Bot, BotCommand, BotCommandScopeChat
from telegram.error import BadRequest, InvalidToken, NetworkError

from tests.telegram_server import TelegramServer
from tests.telegram_server.expecting import refused


async def test_commands_are_kept_by_scope_and_language(server: TelegramServer, bot: Bot) -> None:
    await bot.set_my_commands([BotCommand("help", "What I can do")])
    await bot.set_my_commands([BotCommand("hilfe", "Was ich kann")], scope=BotCommandScopeChat(5), language_code="de")
    assert [one.command for one in await bot.get_my_commands()] == ["help"]
    assert set(server.commands()) == {"default", "chat/5/de"}
    await bot.delete_my_commands()
    assert await bot.get_my_commands() == ()


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ([("Help", "x")], "bot_command_invalid"),
        ([("a" * 33, "x")], "bot_command_invalid"),
        ([("help", "x" * 257)], "bot_command_description_invalid"),
        ([(f"c{number}", "x") for number in range(101)], "bot_commands_too_much"),
    ],
)
async def test_bad_commands_are_refused(bot: Bot, commands: list[tuple[str, str]], reason: str) -> None:
    with refused(BadRequest, f"{reason}"):
        await bot.set_my_commands(commands)


async def test_a_file_can_be_downloaded(server: TelegramServer, bot: Bot) -> None:
    server.send(server.add_person("Ann"), "document", content=b"\x00notes", fields={"file_name": "n.txt"})
    message = (await bot.get_updates())[0].message
    assert message is not None
    assert message.document is not None
    assert message.document.file_name == "n.txt"
    file = await message.document.get_file()
    assert await file.download_as_bytearray() == b"\x00notes"
    server.fault("status", "download", status=502)
    with pytest.raises(NetworkError):
        await file.download_as_bytearray()


async def test_a_file_beyond_20_mb_is_too_big(server: TelegramServer, bot: Bot) -> None:
    sent = server.send(server.add_person("Ann"), "video", size=20 * 1024 * 1024 + 1)
    with refused(BadRequest, "File is too big"):
        await bot.get_file(sent["video"]["file_id"])
    with refused(BadRequest, "Invalid file_id"):
        await bot.get_file("no such file")


async def test_a_download_needs_the_token(server: TelegramServer, bot: Bot) -> None:
    sent = server.send(server.add_person("Ann"), "voice")
    file = await bot.get_file(sent["voice"]["file_id"])
    assert file.file_path is not None
    with pytest.raises(InvalidToken):
        await bot.request.retrieve(file.file_path.replace(server.token, "1:other"))


async def test_chats_and_members_are_told(server: TelegramServer, bot: Bot) -> None:
    ann, bob = server.add_person("Ann"), server.add_person("Bob")
    chat = server.add_chat("Club", kind="forum", members=[ann, bob], bot="administrator")
    full = await bot.get_chat(chat.id)
    assert (full.title, full.is_forum, full.type) == ("Club", True, "supergroup")
    assert (await bot.get_chat_member(chat.id, ann.id)).status == "creator"
    assert (await bot.get_chat_member(chat.id, bob.id)).status == "member"
    assert {one.user.id for one in await bot.get_chat_administrators(chat.id)} == {ann.id, server.bot.id}
    assert await bot.get_chat_member_count(chat.id) == 3
    with refused(BadRequest, "participant_id_invalid"):
        await bot.get_chat_member(chat.id, 4)


@pytest.mark.parametrize("standing", ["member", "administrator", "restricted", "left", "kicked"])
async def test_the_bots_own_standing_is_told_in_every_state(server: TelegramServer, bot: Bot, standing: str) -> None:
    chat = server.add_chat("Club", members=[server.add_person("Ann")])
    server.set_bot(chat, standing)
    assert (await bot.get_chat_member(chat.id, server.bot.id)).status == standing
    update = (await bot.get_updates())[-1].my_chat_member
    assert update is not None
    assert update.new_chat_member.status == standing


async def test_a_private_chat_has_no_administrators_and_cannot_be_left(server: TelegramServer, bot: Bot) -> None:
    ann = server.add_person("Ann")
    server.say(ann, "hello")
    with refused(BadRequest, "There are no administrators in the private chat"):
        await bot.get_chat_administrators(ann.id)
    with refused(BadRequest, "can't be changed in private chats"):
        await bot.leave_chat(ann.id)
