"""Control: what the bot did, and waiting for it."""

from collections.abc import Callable
from typing import Any, Self, TypeVar

from tests.telegram_server.people import number_of
from tests.telegram_server.refusal import Json
from tests.telegram_server.state import Call, Chat, Person, World

T = TypeVar("T")


class Reading:
    """Looks at chats and calls. What is given is live: it changes with the next edit."""

    world: World

    def messages(
        self, where: Person | Chat | int, *, topic: int | None = None, from_bot: bool | None = None
    ) -> list[Json]:
        """Give the messages of a chat as they stand, oldest first; a person stands for the private chat with them."""
        every = self.world.chats[number_of(where)].messages.values()
        chosen = [one for one in every if from_bot is None or one.from_bot is from_bot]
        return [one.json for one in chosen if topic is None or one.topic == topic]

    def replies(self, where: Person | Chat | int, *, topic: int | None = None) -> list[Json]:
        """Give what the bot has sent there and not deleted, edits applied."""
        return self.messages(where, topic=topic, from_bot=True)

    def versions(self, where: Person | Chat | int, message_id: int) -> list[Json]:
        """Give what a message was before each of its edits, oldest first."""
        return self.world.chats[number_of(where)].messages[message_id].versions

    def reactions(self, where: Person | Chat | int, message_id: int) -> list[Json]:
        """Give the bot's reactions to a message."""
        return self.world.chats[number_of(where)].messages[message_id].reactions

    def calls(self, method: str | None = None, *, ok: bool | None = None) -> list[Call]:
        """Give the calls so far, of one method or of all, refused ones and those a fault struck included."""
        same = [one for one in self.world.calls if method is None or one.method.lower() == method.lower()]
        return [one for one in same if ok is None or one.ok is ok]

    def commands(self) -> dict[str, list[Json]]:
        """Give the bot's commands by scope, ``default`` or for example ``chat/5/en``."""
        return self.world.commands

    def waiting_updates(self) -> list[Json]:
        """Give the updates that the bot has not confirmed."""
        return [one.update for one in self.world.updates.pending]

    def is_polled(self) -> bool:
        """Whether the bot waits for updates right now."""
        return self.world.updates.is_waited_for

    async def wait_for(self, holds: Callable[[Self], T], timeout_s: float = 10.0) -> T:
        """Give the first true value of ``holds(server)``, looked at after every change; TimeoutError with the calls."""
        try:
            return await self.world.signal.wait_for(lambda: holds(self), timeout_s)
        except TimeoutError:
            raise TimeoutError(f"not within {timeout_s} s; calls so far: {self._summary()}") from None

    def _summary(self) -> str:
        shown = [f"{one.method} {one.fault or one.description or one.status}" for one in self.world.calls]
        return ", ".join(shown[-20:]) or "none"

    async def wait_until(
        self,
        *,
        chat: Person | Chat | int | None = None,
        replies: int = 0,
        method: str | None = None,
        calls: int = 0,
        timeout_s: float = 10.0,
    ) -> Any:
        """Wait until the bot has so many messages in ``chat``, or has finished so many calls; gives them."""

        def enough(server: Reading) -> list[Any] | None:
            if chat is not None:
                sent = server.replies(chat)
                return sent if len(sent) >= replies else None
            done = [one for one in server.calls(method) if one.status is not None]
            return done if len(done) >= calls else None

        return await self.wait_for(enough, timeout_s)
