"""What goes wrong while the process runs: an answer of Telegram, the disk, the lock of the database."""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.conversations.world import World
from tests.telegram_server import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


@contextmanager
def full_disk(shared: World) -> Iterator[None]:
    """A limit on the size of files stands in for a full disk: what SQLite sees is a write that fails."""
    assert shared.process is not None
    _, hard = resource.prlimit(shared.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(shared.process.pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(shared.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


async def test_a_send_that_arrived_without_an_answer_is_repeated_once_and_marked(shared: World, guest: Person) -> None:
    shared.telegram.fault("reset", "sendMessage", after=True, chat_id=guest.id)
    shared.telegram.say(guest, "hello")
    first, second = await shared.replies(guest, 2)
    await shared.settled()
    assert first == "You said: hello"
    assert second.endswith("You said: hello")
    assert "not confirmed" in second
    assert len(shared.telegram.replies(guest)) == 2


async def test_a_send_that_was_refused_before_acceptance_is_retried_until_it_arrives(
    shared: World, guest: Person
) -> None:
    shared.telegram.fault("status", "sendMessage", status=429, retry_after=1, chat_id=guest.id)
    shared.telegram.say(guest, "hello")
    assert await shared.replies(guest, 1) == ["You said: hello"]


async def test_an_update_told_twice_is_answered_once(shared: World, guest: Person) -> None:
    shared.telegram.say(guest, "hello")
    await shared.replies(guest, 1)
    await shared.settled()
    number = shared.rows("SELECT update_id FROM inbox ORDER BY id DESC LIMIT 1")[0][0]
    shared.telegram.repeat_update(number)
    shared.telegram.say(guest, "next")
    await shared.replies(guest, 2)
    await shared.settled()
    assert [m["text"] for m in shared.telegram.replies(guest)] == ["You said: hello", "You said: next"]


async def test_a_disk_that_takes_no_more_is_explained_and_the_message_is_answered_once_it_does(
    shared: World, guest: Person
) -> None:
    shared.telegram.say(guest, "hello")
    await shared.replies(guest, 1)
    await shared.settled()
    with full_disk(shared):
        shared.telegram.say(guest, "this one matters")
        told = (await shared.replies(guest, 2))[1]
        assert "cannot keep anything" in told
    assert (await shared.replies(guest, 3))[2] == "You said: this one matters"
    assert shared.rows("PRAGMA integrity_check") == [("ok",)]


async def test_a_database_held_by_another_process_only_delays(shared: World, guest: Person) -> None:
    shared.telegram.say(guest, "hello")
    await shared.replies(guest, 1)
    await shared.settled()
    with sqlite3.connect(shared.home / "data" / "tidemark.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        shared.telegram.say(guest, "are you stuck?")
        await shared.telegram.wait_for(lambda server: not server.is_polled(), 60)
        other.execute("ROLLBACK")
    assert (await shared.replies(guest, 2))[1] == "You said: are you stuck?"
