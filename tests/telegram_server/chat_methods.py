"""What the bot asks about chats and members."""

from tests.telegram_server.params import Params
from tests.telegram_server.refusal import Json, Refusal, bad_request
from tests.telegram_server.rules import check_access, find_chat
from tests.telegram_server.state import Chat, ChatType, Standing, World

_ADMINISTRATOR_RIGHTS = (
    "can_be_edited is_anonymous can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members "
    "can_promote_members can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories"
)
ADMINISTRATOR_RIGHTS = _ADMINISTRATOR_RIGHTS.split()
_MEMBER_RIGHTS = (
    "can_send_messages can_send_audios can_send_documents can_send_photos can_send_videos can_send_video_notes "
    "can_send_voice_notes can_send_polls can_send_other_messages can_add_web_page_previews can_change_info "
    "can_invite_users can_pin_messages can_manage_topics can_react_to_messages can_edit_tag"
)
MEMBER_RIGHTS = _MEMBER_RIGHTS.split()


def member_json(user: Json, status: str) -> Json:
    """Give Telegram's ChatMember for a user and a status (creator, administrator, member, restricted, left, kicked)."""
    member: Json = {"user": user, "status": status}
    if status == "creator":
        member["is_anonymous"] = False
    elif status == "administrator":
        member |= dict.fromkeys(ADMINISTRATOR_RIGHTS, False) | {"can_manage_chat": True, "can_delete_messages": True}
    elif status == "restricted":
        member |= dict.fromkeys(MEMBER_RIGHTS, False) | {"is_member": True, "until_date": 0}
    elif status == "kicked":
        member["until_date"] = 0
    return member


def bot_member(world: World, chat: Chat) -> Json:
    """Give the bot's own ChatMember."""
    status = Standing.MEMBER if chat.bot is Standing.NEVER else chat.bot
    return member_json(world.bot.json(), status.value)


async def get_chat(world: World, params: Params) -> Json:
    """Give Telegram's ChatFullInfo, its required fields only."""
    chat = find_chat(world, params)
    check_access(chat)
    gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
    return chat.json() | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(gifts, False),
    }


async def get_chat_member(world: World, params: Params) -> Json:
    """Give a member. Unlike elsewhere, Telegram answers for the bot itself even after it was removed."""
    chat = find_chat(world, params)
    number = params.number("user_id")
    if number == world.bot.id:
        return bot_member(world, chat)
    check_access(chat)
    if number not in world.people:
        raise bad_request("invalid user_id specified" if number is None else "PARTICIPANT_ID_INVALID")
    return member_json(world.people[number].json(), chat.members.get(number, "left"))


async def get_chat_administrators(world: World, params: Params) -> list[Json]:
    """Give those who run a group or channel."""
    chat = find_chat(world, params)
    check_access(chat)
    if chat.type is ChatType.PRIVATE:
        raise bad_request("there are no administrators in the private chat")
    ranks = {"creator", "administrator"}
    people = [member_json(world.people[one].json(), rank) for one, rank in chat.members.items() if rank in ranks]
    return people + ([bot_member(world, chat)] if chat.bot is Standing.ADMINISTRATOR else [])


async def get_chat_member_count(world: World, params: Params) -> int:
    """Count the members, the bot included."""
    chat = find_chat(world, params)
    check_access(chat)
    return 1 + sum(status not in {"left", "kicked"} for status in chat.members.values())


async def leave_chat(world: World, params: Params) -> bool:
    """Let the bot go."""
    chat = find_chat(world, params)
    if chat.type is ChatType.PRIVATE:
        raise Refusal(400, "chat member status can't be changed in private chats")
    check_access(chat)
    chat.bot = Standing.LEFT
    world.signal.notify()
    return True
