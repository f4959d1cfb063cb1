"""Order within a conversation, independence between conversations."""

import asyncio

from bot.lanes import Lanes


class Recorder:
    """A handler whose items finish when they are released."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int]] = []
        self.done: list[tuple[str, int]] = []
        self.stopped: list[tuple[str, int]] = []
        self.gates: dict[tuple[str, int], asyncio.Event] = {}

    def gate(self, item: tuple[str, int]) -> asyncio.Event:
        return self.gates.setdefault(item, asyncio.Event())

    async def handle(self, item: tuple[str, int]) -> None:
        self.begun.append(item)
        await self.gate(item).wait()
        self.done.append(item)

    async def on_stopped(self, item: tuple[str, int]) -> None:
        self.stopped.append(item)


async def settle() -> None:
    """Let every task run as far as it can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_lane_handles_its_items_in_order_one_at_a_time() -> None:
    work = Recorder()
    lanes = Lanes(work.handle, work.on_stopped)
    for n in range(3):
        lanes.submit("a", ("a", n))
    await settle()
    assert work.begun == [("a", 0)]
    for n in range(3):
        work.gate(("a", n)).set()
    assert await lanes.drain(5)
    assert work.done == [("a", 0), ("a", 1), ("a", 2)]
    assert not lanes.busy


async def test_lanes_do_not_wait_for_each_other() -> None:
    work = Recorder()
    lanes = Lanes(work.handle, work.on_stopped)
    lanes.submit("a", ("a", 0))
    lanes.submit("b", ("b", 0))
    work.gate(("b", 0)).set()
    await settle()
    assert work.done == [("b", 0)]
    work.gate(("a", 0)).set()
    assert await lanes.drain(5)


async def test_stop_interrupts_what_runs_and_the_next_item_goes_on() -> None:
    work = Recorder()
    lanes = Lanes(work.handle, work.on_stopped)
    lanes.submit("a", ("a", 0))
    lanes.submit("a", ("a", 1))
    await settle()
    assert lanes.stop("a")
    work.gate(("a", 1)).set()
    assert await lanes.drain(5)
    assert work.stopped == [("a", 0)]
    assert work.done == [("a", 1)]


async def test_stop_of_an_idle_lane_says_so() -> None:
    work = Recorder()
    assert not Lanes(work.handle, work.on_stopped).stop("a")


async def test_drain_cancels_what_is_late_without_calling_it_stopped() -> None:
    """At shutdown an interrupted item stays unfinished in the inbox: it must not be closed as if a person stopped it."""
    work = Recorder()
    lanes = Lanes(work.handle, work.on_stopped)
    lanes.submit("a", ("a", 0))
    await settle()
    assert not await lanes.drain(0)
    assert work.stopped == []
    assert work.done == []
    assert not lanes.busy


async def test_held_lanes_finish_what_runs_and_leave_the_rest() -> None:
    work = Recorder()
    lanes = Lanes(work.handle, work.on_stopped)
    lanes.submit("a", ("a", 0))
    lanes.submit("a", ("a", 1))
    await settle()
    lanes.hold()
    work.gate(("a", 0)).set()
    assert await lanes.drain(5)
    assert work.begun == [("a", 0)]


async def test_no_more_items_run_at_once_than_the_limit() -> None:
    work = Recorder()
    lanes = Lanes(work.handle, work.on_stopped, limit=2)
    for n in range(5):
        lanes.submit(n, (str(n), 0))
    await settle()
    assert len(work.begun) == 2
    for n in range(5):
        work.gate((str(n), 0)).set()
    assert await lanes.drain(5)
    assert len(work.done) == 5
