"""What was said is kept once, in its conversation, and given back in order."""

from datetime import timedelta
from typing import Any

import pytest

from memory import transcript
from memory.domain import AgentSlug, Conversation, Message, Origin, Role
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CHAT, NOW, said

TALK = Conversation(CHAT)
TOPIC = Conversation(CHAT, 5)


def add(uow: UnitOfWork, text: str, key: str, **fields: Any) -> Message:
    return transcript.add(uow, **said(text, key, **fields))


def texts(messages: tuple[Message, ...]) -> list[str]:
    return [message.text for message in messages]


def test_a_message_is_given_back_as_it_was_said(uow: UnitOfWork) -> None:
    message = add(uow, "hello", "k", telegram_id=3, reply_author="assistant", reply_text="yes?", origin=Origin.VOICE)
    assert transcript.get(uow, AGENT, message.id) == message
    assert (message.conversation, message.role, message.speaker, message.speaker_id) == (TALK, Role.USER, "Anna", CHAT)
    assert (message.origin, message.sent_at, message.telegram_id) == (Origin.VOICE, NOW, 3)
    assert (message.reply_author, message.reply_text) == ("assistant", "yes?")
    assert transcript.get(uow, AgentSlug("other"), message.id) is None


def test_the_same_turn_is_kept_once_for_each_role(uow: UnitOfWork) -> None:
    first = add(uow, "hello", "k")
    assert not transcript.has_answer(uow, AGENT, "k")
    assert add(uow, "hello again", "k") == first
    answer = add(uow, "hi", "k", role=Role.ASSISTANT)
    assert transcript.has_answer(uow, AGENT, "k")
    assert texts(transcript.recent(uow, AGENT, TALK, 10)) == ["hello", "hi"]
    assert answer.id > first.id


@pytest.mark.parametrize("text", ["a\x00b\ud800c", "\udfff", "\u202emirror", "word " * 10_000, ""])
def test_any_text_can_be_kept(uow: UnitOfWork, text: str) -> None:
    kept = add(uow, text, "k", speaker=text, reply_text=text, reply_author=text)
    assert "\x00" not in kept.text + kept.speaker
    assert len(kept.text) == len(text)
    kept.text.encode("utf-8")


def test_recent_gives_the_latest_of_one_conversation_newest_last(uow: UnitOfWork) -> None:
    for number in range(4):
        add(uow, f"{number}", f"k{number}")
    add(uow, "topic", "t", conversation=TOPIC)
    add(uow, "other", "o", agent=AgentSlug("other"))
    assert texts(transcript.recent(uow, AGENT, TALK, 2)) == ["2", "3"]
    assert texts(transcript.recent(uow, AGENT, TOPIC, 9)) == ["topic"]


def test_new_keeps_older_messages_out_of_prompts_but_not_from_reflection(uow: UnitOfWork) -> None:
    old = add(uow, "old", "k1")
    add(uow, "topic", "t", conversation=TOPIC)
    transcript.cut(uow, AGENT, TALK)
    new = add(uow, "new", "k2")
    assert texts(transcript.recent(uow, AGENT, TALK, 9)) == ["new"]
    assert texts(transcript.preceding(uow, AGENT, TALK, new.id, 9)) == ["new"]
    assert texts(transcript.since(uow, AGENT, TALK, 0, new.id)) == ["old", "new"]
    assert texts(transcript.recent(uow, AGENT, TOPIC, 9)) == ["topic"]
    assert old.id < new.id


def test_a_cut_where_nothing_was_said_is_harmless(uow: UnitOfWork) -> None:
    transcript.cut(uow, AGENT, TALK)
    add(uow, "hello", "k")
    assert texts(transcript.recent(uow, AGENT, TALK, 9)) == ["hello"]


def test_since_and_preceding_meet_at_the_cursor(uow: UnitOfWork) -> None:
    ids = [add(uow, f"{number}", f"k{number}").id for number in range(5)]
    assert texts(transcript.since(uow, AGENT, TALK, ids[1], ids[3])) == ["2", "3"]
    assert texts(transcript.preceding(uow, AGENT, TALK, ids[1], 9)) == ["0", "1"]
    assert texts(transcript.preceding(uow, AGENT, TALK, ids[3], 2)) == ["2", "3"]


def test_the_cursor_starts_at_nothing_and_never_goes_back(uow: UnitOfWork) -> None:
    assert transcript.cursor(uow, AGENT, TALK) == 0
    for message_id in (4, 2):
        transcript.set_cursor(uow, AGENT, TALK, message_id)
    assert transcript.cursor(uow, AGENT, TALK) == 4
    assert transcript.cursor(uow, AGENT, TOPIC) == 0


def test_an_edit_changes_the_persons_words_only(uow: UnitOfWork) -> None:
    message = add(uow, "hello", "k", telegram_id=3)
    answer = add(uow, "hi", "k", role=Role.ASSISTANT, telegram_id=3)
    assert transcript.amend(uow, CHAT, 3, "hello\x00there") == 1
    assert transcript.amend(uow, CHAT, 3, "hello\x00there") == 0
    assert transcript.amend(uow, CHAT + 1, 3, "x") == 0
    assert texts(transcript.recent(uow, AGENT, TALK, 9)) == ["hello\ufffdthere", "hi"]
    assert transcript.get(uow, AGENT, answer.id) == answer
    assert message.text == "hello"


def test_an_edit_never_brings_forgotten_words_back(uow: UnitOfWork) -> None:
    add(uow, f"My cat is Biscuit. {transcript.FORGOTTEN}", "k", telegram_id=3)
    assert transcript.amend(uow, CHAT, 3, "My ex is called Leontine Dray.") == 0


def test_trimming_takes_old_messages_in_batches_and_never_gives_an_id_twice(uow: UnitOfWork) -> None:
    ids = [add(uow, "x", f"k{day}", sent_at=NOW + timedelta(days=day)).id for day in range(4)]
    assert transcript.old(uow, AGENT, NOW + timedelta(days=3)) == 3
    assert transcript.trim(uow, AGENT, NOW + timedelta(days=3), limit=2) == 2
    assert transcript.trim(uow, AGENT, NOW + timedelta(days=9), limit=9) == 2
    assert transcript.trim(uow, AGENT, NOW + timedelta(days=9)) == 0
    assert add(uow, "y", "k9").id > ids[-1]
