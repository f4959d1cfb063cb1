"""Who is who: closed by default, what the owner said outlives every new name."""

from datetime import UTC, datetime

import pytest

from bot.incoming import ChatKind, ChatSeen, PersonSeen
from bot.storage import directory, reflections
from bot.storage.directory import ChatFacts, PersonFacts
from memory.domain import Conversation
from memory.unit_of_work import UnitOfWork

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
GROUP = -8


def test_who_was_never_seen_is_neither_allowed_nor_denied(unit: UnitOfWork) -> None:
    assert directory.person(unit, 5) == PersonFacts(5)
    assert directory.person(unit, None) is None
    assert directory.chat(unit, GROUP) == ChatFacts(GROUP, ChatKind.GROUP)
    assert directory.chat(unit, 5) == ChatFacts(5, ChatKind.PRIVATE)
    assert not directory.chat(unit, None).allowed
    assert directory.facts(unit, 5, 5) == (ChatFacts(5, ChatKind.PRIVATE), PersonFacts(5))


def test_a_new_name_changes_nothing_the_owner_said(unit: UnitOfWork) -> None:
    directory.see_person(unit, PersonSeen(5, "Anna", "anna"), NOW)
    directory.allow_person(unit, 5, NOW)
    directory.refused(unit, 5, NOW)
    directory.see_person(unit, PersonSeen(5, "An\x00na\ud800 B.", None), NOW)
    expected = PersonFacts(5, allowed=True, refused_at=NOW, name="An\ufffdna\ufffd B.")
    assert directory.person(unit, 5) == expected
    assert directory.allowed_people(unit) == (expected,)


def test_a_new_title_changes_nothing_the_owner_said(unit: UnitOfWork) -> None:
    directory.set_chat_access(unit, GROUP, allowed=True, now=NOW)
    directory.set_listen(unit, GROUP, "all", NOW)
    directory.set_timezone(unit, GROUP, "Asia/Tokyo", NOW)
    directory.see_chat(unit, ChatSeen(GROUP, ChatKind.GROUP, "Trip"), NOW)
    directory.set_reachable(unit, GROUP, False, NOW)
    facts = directory.chat(unit, GROUP)
    assert facts == ChatFacts(GROUP, ChatKind.GROUP, True, False, "all", False, "Trip", "Asia/Tokyo")
    assert directory.timezone(unit, GROUP) == "Asia/Tokyo"
    assert directory.timezone(unit, 99) is None
    assert directory.allowed_chats(unit) == (facts,)


def test_a_chat_that_speaks_is_reachable_again(unit: UnitOfWork) -> None:
    directory.set_reachable(unit, GROUP, False, NOW)
    directory.see_chat(unit, ChatSeen(GROUP, ChatKind.GROUP, "Trip"), NOW)
    assert directory.chat(unit, GROUP).reachable


def test_the_last_word_of_the_owner_counts(unit: UnitOfWork) -> None:
    for allowed in (True, False):
        directory.set_person_access(unit, 5, allowed=allowed, now=NOW)
        directory.set_chat_access(unit, GROUP, allowed=allowed, now=NOW)
    person, chat = directory.person(unit, 5), directory.chat(unit, GROUP)
    assert person is not None
    assert (person.allowed, person.denied, chat.allowed, chat.denied) == (False, True, False, True)


def test_listening_is_one_of_two(unit: UnitOfWork) -> None:
    with pytest.raises(ValueError, match="addressed"):
        directory.set_listen(unit, GROUP, "some", NOW)


def test_a_migrated_group_keeps_what_was_said_about_it_and_its_work(unit: UnitOfWork) -> None:
    directory.see_chat(unit, ChatSeen(GROUP, ChatKind.GROUP, "Trip"), NOW)
    directory.set_chat_access(unit, GROUP, allowed=True, now=NOW)
    directory.set_listen(unit, GROUP, "all", NOW)
    reflections.enqueue(unit, "k", Conversation(GROUP), 3, NOW)
    for _ in range(2):  # Telegram tells it twice
        directory.migrate_chat(unit, GROUP, -1008, NOW)
    old, new = directory.chat(unit, GROUP), directory.chat(unit, -1008)
    assert new == ChatFacts(-1008, ChatKind.GROUP, allowed=True, listen="all", title="Trip")
    assert (old.migrated_to, old.reachable) == (-1008, False)
    assert reflections.due(unit, NOW)[0].conversation == Conversation(-1008)


def test_what_was_said_about_the_new_number_already_counts(unit: UnitOfWork) -> None:
    directory.set_chat_access(unit, GROUP, allowed=True, now=NOW)
    directory.set_chat_access(unit, -1008, allowed=False, now=NOW)
    directory.migrate_chat(unit, GROUP, -1008, NOW)
    assert directory.chat(unit, -1008).denied


def test_a_second_notice_does_not_undo_what_was_said_in_between(unit: UnitOfWork) -> None:
    directory.set_chat_access(unit, GROUP, allowed=True, now=NOW)
    directory.set_listen(unit, GROUP, "all", NOW)
    directory.migrate_chat(unit, GROUP, -1008, NOW)
    directory.set_chat_access(unit, -1008, allowed=False, now=NOW)
    directory.set_listen(unit, -1008, "addressed", NOW)
    directory.migrate_chat(unit, GROUP, -1008, NOW)
    assert directory.chat(unit, -1008).denied
    assert directory.chat(unit, -1008).listen == "addressed"


def test_migrating_what_was_never_seen_or_to_itself_is_harmless(unit: UnitOfWork) -> None:
    directory.migrate_chat(unit, GROUP, -1008, NOW)
    directory.migrate_chat(unit, GROUP, GROUP, NOW)
    assert not directory.chat(unit, -1008).allowed
