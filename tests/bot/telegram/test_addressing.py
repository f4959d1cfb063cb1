"""Whom a group message is for."""

from typing import Any

import pytest
from telegram import Message, Update

from bot.telegram.addressing import SERVICE, BotIdentity, decide
from bot.telegram.media import KINDS
from tests.bot.telegram import payloads as p
from tests.cases import load

BOT = BotIdentity(p.BOT["id"], p.BOT["username"], "Pebble", frozenset({"help", "memory"}))


def sender_fields(sender: dict[str, Any], chat: dict[str, Any]) -> dict[str, Any]:
    """Give ``from`` and ``sender_chat`` as Telegram fills them for each kind of sender."""
    kind, name = sender["kind"], sender.get("name", "x")
    account = {"id": sender.get("id", 1), "first_name": name, "is_bot": kind in {"bot", "self"}}
    if sender.get("username"):
        account["username"] = sender["username"]
    channel = {"id": sender.get("id", -1009), "type": "channel", "title": name}
    match kind:
        case "anonymous_admin":
            anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
            return {"from": anonymous, "sender_chat": chat}
        case "channel":
            masked = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
            return {"sender_chat": channel} if chat["type"] == "channel" else {"from": masked, "sender_chat": channel}
        case "linked_channel":
            return {"from": {"id": 777000, "is_bot": False, "first_name": "Telegram"}, "sender_chat": channel}
        case _:
            return {"from": account}


PHOTO = {"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}
FILE = PHOTO | {"duration": 1, "length": 1, "type": "regular", "is_animated": False, "is_video": False}


def service_fields(kind: str) -> dict[str, Any]:
    plain = {
        "connected_website": "x",
        "migrate_from_chat_id": -1,
        "migrate_to_chat_id": -2,
        "new_chat_title": "x",
    }
    flags = ("channel_chat_created", "delete_chat_photo", "group_chat_created", "supergroup_chat_created")
    lists = {"new_chat_members": [p.person(55, "Wenche")], "new_chat_photo": [PHOTO]}
    objects = {
        "forum_topic_created": {"name": "x", "icon_color": 1},
        "left_chat_member": p.person(55),
        "message_auto_delete_timer_changed": {"message_auto_delete_time": 60},
        "pinned_message": {"message_id": 1, "date": p.DATE, "chat": p.GROUP, "text": "x"},
        "proximity_alert_triggered": {"traveler": p.person(55), "watcher": p.person(56), "distance": 1},
        "video_chat_ended": {"duration": 1},
        "video_chat_participants_invited": {"users": [p.person(55)]},
        "video_chat_scheduled": {"start_date": p.DATE},
    }
    return {kind: (plain | dict.fromkeys(flags, True) | lists | objects).get(kind, {})}


def entities(text: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for one in found:
        more = {name: one[name] for name in ("url", "language", "custom_emoji_id") if name in one}
        if "user_id" in one:
            more["user"] = {"id": one["user_id"], "is_bot": False, "first_name": "x"}
        made.append(p.entity(text, one["type"], one["text"], **more))
    return made


def telegram_message(case: dict[str, Any], chat: dict[str, Any], m: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"message_id": 7, "date": p.DATE, "chat": chat, **sender_fields(m["sender"], chat)}
    for words, marks in (("text", "entities"), ("caption", "caption_entities")):
        if words in m:
            body[words] = m[words]
            body[marks] = entities(m[words], m.get(marks, []))
    if "media" in m:
        body[m["media"]] = [PHOTO] if m["media"] == "photo" else FILE
    if "service" in m:
        body |= service_fields(m["service"])
    names = {
        "thread_id": "message_thread_id",
        "is_topic_message": "is_topic_message",
        "automatic_forward": "is_automatic_forward",
    }
    body |= {field: m[flag] for flag, field in names.items() if flag in m}
    if "forward_from" in m:
        origin = {"type": "hidden_user", "date": p.DATE, "sender_user_name": m["forward_from"].get("name", "x")}
        body["forward_origin"] = origin
    if "reply_to" in m:
        body["reply_to_message"] = telegram_message(case, chat, m["reply_to"])
    if "quote" in m:
        body["quote"] = {"text": m["quote"], "position": 0}
    return body


@pytest.mark.parametrize("case", load("addressing"), ids=lambda c: c["id"])
def test_case(case: dict[str, Any]) -> None:
    bot = BotIdentity(
        case["bot"]["id"], case["bot"]["username"], case["bot"]["name"], frozenset(case["bot"]["commands"])
    )
    chat = {"id": case["chat"]["id"], "type": case["chat"]["type"], "title": "x", "is_forum": case["chat"]["forum"]}
    raw = {"update_id": 1, case["update"]: telegram_message(case, chat, case["message"])}
    decided = decide(Update.de_json(raw, None), bot, listen=case["chat"]["listen"])
    expect = case["expect"]
    assert (decided.should_reply, decided.record, decided.reason) == (
        expect["should_reply"],
        expect["record"],
        expect["reason"],
    ), case["why"]
    if "thread" in expect:
        assert decided.thread == expect["thread"]


def group(text: str, *found: dict[str, Any], listen: str = "addressed", **more: Any) -> Any:
    body = p.message(p.GROUP, text=text, entities=list(found), **more)
    return decide(Update.de_json(p.update(body), None), BOT, listen=listen)


def test_a_command_further_on_is_no_command() -> None:
    text = "please /help me"
    assert group(text, p.entity(text, "bot_command", "/help")).reason == "not_addressed"


def test_a_command_carries_its_argument_after_wide_symbols() -> None:
    text = "/memory@PebbleNoteBot 🪁🪁 tents"
    assert group(text, p.entity(text, "bot_command", "/memory@PebbleNoteBot")).command.argument == "🪁🪁 tents"


def test_the_first_mention_wins_whatever_the_order_of_the_entities() -> None:
    text = "@tobin ask @PebbleNoteBot"
    both = (p.entity(text, "mention", "@PebbleNoteBot"), p.entity(text, "mention", "@tobin"))
    assert group(text, *both).reason == "other_addressee"


def test_a_command_for_this_bot_counts_even_when_unknown() -> None:
    text = "/dance@pebblenotebot"
    assert group(text, p.entity(text, "bot_command", text)).should_reply


def test_someone_writing_as_a_channel_is_not_answered() -> None:
    channel = {"id": 136817688, "is_bot": True, "first_name": "Channel"}
    text = "@PebbleNoteBot hi"
    body = p.message(p.GROUP, channel, text, entities=[p.entity(text, "mention", "@PebbleNoteBot")])
    assert decide(Update.de_json(p.update(body), None), BOT, listen="all").reason == "channel"


def test_someone_shown_only_as_a_channel_is_not_answered() -> None:
    text = "@PebbleNoteBot hi"
    body = p.message(
        p.GROUP, text=text, entities=[p.entity(text, "mention", "@PebbleNoteBot")],
        sender_chat={"id": -1009, "type": "channel", "title": "News"},
    )  # fmt: skip
    assert decide(Update.de_json(p.update(body), None), BOT, listen="all").reason == "channel"


@pytest.mark.parametrize(
    "kind",
    ["new_chat_photo", "delete_chat_photo", "new_chat_title", "group_chat_created", "left_chat_member", "pinned_message",
     "forum_topic_closed", "forum_topic_created", "general_forum_topic_hidden", "message_auto_delete_timer_changed",
     "video_chat_started", "video_chat_ended", "migrate_to_chat_id", "connected_website", "write_access_allowed"],
)  # fmt: skip
def test_every_kind_of_notice_is_a_notice(kind: str) -> None:
    body = p.message(p.GROUP, **service_fields(kind))
    assert decide(Update.de_json(p.update(body), None), BOT, listen="all").reason == "service"


def test_in_private_everything_a_person_says_is_for_the_bot() -> None:
    decided = decide(Update.de_json(p.update(p.message(text="@tobin hello")), None), BOT, listen="addressed")
    assert decided.should_reply


def test_every_field_of_a_message_is_known() -> None:
    """A library that learns a new kind of message makes this fail: decide then whether it is talk or a notice."""
    meta = {
        "text", "caption", "entities", "caption_entities", "from_user", "sender_chat", "chat", "date", "message_id",
        "author_signature", "business_connection_id", "direct_messages_topic", "edit_date", "effect_id",
        "external_reply", "forward_origin", "guest_bot_caller_chat", "guest_bot_caller_user", "guest_query_id",
        "has_media_spoiler", "has_protected_content", "is_automatic_forward", "is_from_offline", "is_paid_post",
        "is_topic_message", "link_preview_options", "media_group_id", "message_thread_id", "paid_star_count", "quote",
        "reply_markup", "reply_to_checklist_task_id", "reply_to_message", "reply_to_poll_option_id", "reply_to_story",
        "sender_boost_count", "sender_business_bot", "sender_tag", "show_caption_above_media", "suggested_post_info",
        "via_bot",
    }  # fmt: skip
    public = {name for name in Message.__slots__ if not name.startswith("_")}
    assert public - meta - set(SERVICE) - set(KINDS) == set()
