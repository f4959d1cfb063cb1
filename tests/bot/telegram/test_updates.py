"""From raw updates to values."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.incoming import ChatKind
from bot.telegram.addressing import BotIdentity
from bot.telegram.updates import Edit, Ignored, Membership, Migration, Received, clean_name, lane_of, read
from memory.domain import Conversation, Origin
from tests.bot.telegram import payloads as p

BOT = BotIdentity(p.BOT["id"], p.BOT["username"], "Pebble", frozenset({"help"}))


def received(body: dict[str, Any], listen: str = "addressed") -> Received:
    reading = read(p.update(body), BOT, listen=listen)
    assert isinstance(reading, Received), reading
    return reading


def test_a_private_message_names_its_person_and_chat() -> None:
    got = received(p.message(text="hi", sender=p.person(31, "Nadia", last_name="K", username="nadia_k")))
    assert got.incoming.speaker.name == "Nadia K"
    assert got.incoming.conversation == Conversation(31)
    assert got.incoming.chat_kind is ChatKind.PRIVATE
    assert got.incoming.key == "tg:5550001:11:7"
    assert got.person is not None
    assert got.person.username == "nadia_k"


def test_a_forward_keeps_whose_words_they_are() -> None:
    origin = {
        "type": "channel",
        "date": p.DATE,
        "message_id": 3,
        "chat": {"id": -100, "type": "channel", "title": "Westwind"},
    }
    got = received(p.message(text="The ferry stops", forward_origin=origin))
    assert (got.incoming.origin, got.incoming.passed_on_from) == (Origin.FORWARDED, "Westwind")


def test_a_quoted_passage_stands_for_the_message_answered() -> None:
    answered = p.message(text="Long talk. Saturday is dry. More talk.", sender=p.BOT, chat=p.private())
    got = received(
        p.message(text="sure?", reply_to_message=answered, quote={"text": "Saturday is dry.", "position": 11})
    )
    assert got.incoming.reply_to is not None
    assert (got.incoming.reply_to.text, got.incoming.reply_to.is_ours) == ("Saturday is dry.", True)


def test_an_answer_to_another_chat_brings_its_quote() -> None:
    external = {"origin": {"type": "hidden_user", "date": p.DATE, "sender_user_name": "Tobin"}}
    got = received(p.message(text="what?", external_reply=external, quote={"text": "bring the stove", "position": 0}))
    assert got.incoming.reply_to is not None
    assert (got.incoming.reply_to.author, got.incoming.reply_to.text) == ("Tobin", "bring the stove")


def test_a_topics_opening_notice_is_no_quote() -> None:
    notice = p.message(p.GROUP, p.BOT, None, forum_topic_created={"name": "x", "icon_color": 1})
    body = p.message(p.GROUP, text="ok", reply_to_message=notice, message_thread_id=77, is_topic_message=True)
    assert received(body, listen="all").incoming.reply_to is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("@PebbleNoteBot, what now?", "what now?"),
        ("what now @pebblenotebot", "what now"),
        ("When @PebbleNoteBot is free: go", "When @PebbleNoteBot is free: go"),
        ("@PebbleNoteBot", "@PebbleNoteBot"),
        ("@PebbleNoteBot 🪁 wind?", "🪁 wind?"),
    ],
)
def test_the_call_itself_is_left_out(text: str, left: str) -> None:
    handle = next(word.strip(",:") for word in text.split() if word.casefold().startswith("@pebble"))
    body = p.message(p.GROUP, text=text, entities=[p.entity(text, "mention", handle)])
    assert received(body).incoming.text == left


def test_an_anonymous_administrator_speaks_as_the_group() -> None:
    text = "@PebbleNoteBot hi"
    anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    got = received(
        p.message(p.GROUP, anonymous, text, sender_chat=p.GROUP, entities=[p.entity(text, "mention", "@PebbleNoteBot")])
    )
    assert got.person is None
    assert got.incoming.speaker.name == "Tents"


def test_a_picture_alone_gets_a_notice_and_with_a_caption_an_answer() -> None:
    photo = [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}]
    alone = received(p.message(text=None, photo=photo))
    assert alone.notice is not None
    assert "pictures" in alone.notice
    captioned = received(p.message(text=None, photo=photo, caption="which plant is this"))
    assert captioned.notice is None
    assert captioned.model_notice is not None
    assert captioned.incoming.text == "which plant is this"


def test_something_telegram_will_invent_is_not_met_with_silence() -> None:
    assert received(p.message(text=None, hologram={"id": 1})).notice is not None


def test_edits_memberships_and_migrations_are_told_apart() -> None:
    edit = read(p.update(p.message(text="new", edit_date=p.DATE), "edited_message"), BOT, listen="all")
    assert isinstance(edit, Edit)
    assert (edit.chat.chat_id, edit.person and edit.person.person_id, edit.telegram_id, edit.text) == (31, 31, 7, "new")
    member = {"user": p.BOT, "status": "member"}
    gone = {"user": p.BOT, "status": "left"}
    change = {"chat": p.GROUP, "from": p.person(), "date": p.DATE, "old_chat_member": gone, "new_chat_member": member}
    joined = read(p.update(change, "my_chat_member"), BOT, listen="all")
    assert isinstance(joined, Membership)
    assert (joined.reachable, joined.joined) == (True, True)
    moved = p.message({"id": -5, "type": "group", "title": "x"}, text=None, migrate_to_chat_id=-1005)
    assert read(p.update(moved), BOT, listen="all") == Migration(-5, -1005)
    arrived = p.message(p.GROUP, text=None, migrate_from_chat_id=-5)
    assert read(p.update(arrived), BOT, listen="all") == Migration(-5, p.GROUP["id"])


@pytest.mark.parametrize(
    "kind", ["channel_post", "poll", "inline_query", "business_message", "guest_message", "novelty"]
)
def test_other_kinds_are_ignored_with_a_reason(kind: str) -> None:
    bodies = {
        "poll": {"id": "1", "question": "q", "options": [], "total_voter_count": 0, "is_closed": False, "is_anonymous": True, "type": "regular", "allows_multiple_answers": False, "allows_revoting": True, "members_only": False},
        "inline_query": {"id": "1", "from": p.person(), "query": "x", "offset": ""},
        "novelty": {"anything": 1},
    }  # fmt: skip
    reading = read(p.update(bodies.get(kind, p.message(p.GROUP)), kind), BOT, listen="all")
    assert isinstance(reading, Ignored)


def test_text_that_cannot_be_stored_is_cleaned() -> None:
    assert received(p.message(text="a\x00b\ud800c")).incoming.text == "ab\ufffdc"


@pytest.mark.parametrize(
    ("payload", "lane"),
    [
        (p.update(p.message(p.GROUP)), (p.GROUP["id"], 0)),
        (p.update(p.message(p.GROUP, message_thread_id=77, is_topic_message=True)), (p.GROUP["id"], 77)),
        (p.update(p.message(p.GROUP, message_thread_id=77)), (p.GROUP["id"], 0)),
        (p.update(p.message(p.GROUP, message_thread_id=1, is_topic_message=True)), (p.GROUP["id"], 0)),
        (p.update({"id": "1", "message": p.message(p.GROUP)}, "callback_query"), (p.GROUP["id"], 0)),
        (p.update({"chat": p.GROUP, "message_id": 5}, "message_reaction"), (p.GROUP["id"], 0)),
        ({"update_id": 5, "poll": {"id": "1"}}, (None, 0)),
        ({"update_id": 5}, (None, 0)),
    ],
)
def test_the_lane_is_chat_and_topic(payload: dict[str, Any], lane: tuple[int | None, int]) -> None:
    assert lane_of(payload) == lane


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=5),
            lambda c: (
                st.lists(c, max_size=3)
                | st.dictionaries(st.sampled_from(["chat", "message", "id", "x"]), c, max_size=3)
            ),
            max_leaves=8,
        ),
        max_size=4,
    )
)
def test_any_shape_has_a_lane(payload: dict[str, Any]) -> None:
    chat_id, thread = lane_of(payload)
    assert chat_id is None or isinstance(chat_id, int)
    assert isinstance(thread, int)


@given(st.text())
def test_a_name_is_one_short_visible_line(name: str) -> None:
    cleaned = clean_name(name)
    assert cleaned
    assert len(cleaned) <= 64
    assert "\n" not in cleaned
    assert "\u202e" not in cleaned
    cleaned.encode()
