"""Lessons in a turn: what stands in front of a tool's call, and what came up by a cue and rests for a while."""

from collections.abc import Iterator
from dataclasses import replace

from bot.executors import Executors
from bot.model import PromptMessage
from bot.prompting import Ingredients, before_call
from memory.clock import Clock
from memory.domain import Conversation, Memory, MemoryId
from memory.engine import MemoryEngine
from memory.recall.values import Parts, Recall, Recalled
from memory.triggers.firing import lessons_before_tool
from memory.unit_of_work import UnitOfWork


class ToolLessons:
    """The lessons that stood before the tool calls of one turn.

    Whoever runs tools asks `before` in front of each call. The answer's transaction notes what came up (`beside`), so that a
    turn that is taken again heeds the same lessons.
    """

    def __init__(self, executors: Executors, engine: MemoryEngine, conversation: Conversation, clock: Clock) -> None:
        self._executors = executors
        self._engine = engine
        self._conversation = conversation
        self._clock = clock
        self._came_up: list[Recalled] = []

    async def before(self, tool: str, parts: Ingredients) -> tuple[PromptMessage, ...]:
        """Give the messages to put in front of a call of ``tool``; none that the prompt of ``parts`` holds, or a call before."""
        shown = {memory.id for memory in parts.memories} | {found.memory.id for found in self._came_up}
        now, where = self._clock.now(), self._conversation

        def read(uow: UnitOfWork) -> tuple[Memory, ...]:
            return lessons_before_tool(uow, self._engine.agent, where.scope, where, tool, now=now, shown=shown)

        found = await self._executors.read(read)
        self._came_up += [Recalled(memory, _parts(memory, tool)) for memory in found]
        return before_call(tool, found, parts.timezone)

    def beside(self, recall: Recall) -> Recall:
        """Give a recall with what stood before tool calls, for /why and for reflection."""
        ids = {found.memory.id for found in self._came_up}
        left_out = tuple(out for out in recall.left_out if out.memory_id not in ids)
        return replace(recall, chosen=(*recall.chosen, *self._came_up), left_out=left_out)


def fired(recall: Recall) -> Iterator[MemoryId]:
    """Give the memories that a cue or a tool brought into the prompt: their cue rests from now on."""
    return (found.memory.id for found in recall.chosen if found.parts.fired or found.parts.tool)


def _parts(memory: Memory, tool: str) -> Parts:
    return Parts((), 0.0, None, 0.0, memory.importance, 0.0, 0.0, tool=tool)
