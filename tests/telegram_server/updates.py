"""The queue of updates: numbers, offsets, kinds asked for, and one poller at a time."""

import copy
from dataclasses import dataclass

from tests.telegram_server.refusal import Json, Refusal, bad_request
from tests.telegram_server.signals import Signal

_KINDS = (
    "message edited_message channel_post edited_channel_post business_connection business_message "
    "edited_business_message deleted_business_messages guest_message message_reaction message_reaction_count "
    "inline_query chosen_inline_result callback_query shipping_query pre_checkout_query purchased_paid_media poll "
    "poll_answer my_chat_member chat_member chat_join_request chat_boost removed_chat_boost managed_bot"
)
KINDS = frozenset(_KINDS.split())
ONLY_IF_ASKED = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
LONGEST_POLL_S = 50
TWO_POLLERS = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_SET = "terminated by setWebhook request"
WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"


@dataclass(slots=True)
class Pending:
    """An update that waits. A stubborn one comes once whatever the offset: a repeat Telegram should not have sent."""

    update: Json
    stubborn: bool = False


class Poll:
    """A long poll that waits; ``ended_by`` is why it lost its place."""

    def __init__(self) -> None:
        self.ended_by: str | None = None


class UpdateQueue:
    """What the bot has not confirmed yet."""

    def __init__(self) -> None:
        self.next_id = 700_000_001
        self.allowed = KINDS - ONLY_IF_ASKED
        self.pending: list[Pending] = []
        self.delivered: dict[int, Json] = {}  # everything queued so far, for repeats
        self._poll: Poll | None = None

    def add(self, kind: str, payload: Json) -> None:
        """Queue an update, unless its kind is not among those asked for; number it."""
        if kind in self.allowed:
            self.add_raw({"update_id": self.next_id, kind: payload})

    def add_raw(self, update: Json) -> int:
        """Queue an update as it is and give its number; without ``update_id`` it gets the next one."""
        update = {"update_id": update.get("update_id", self.next_id)} | update
        number = int(update["update_id"])
        self.next_id = max(self.next_id, number + 1)
        self.delivered[number] = update
        self.pending.append(Pending(update))
        return number

    def repeat(self, number: int) -> None:
        """Queue an update a second time under its old number; KeyError if there was none."""
        self.pending.append(Pending(copy.deepcopy(self.delivered[number]), stubborn=True))

    def allow(self, kinds: list[str] | None) -> None:
        """Set what later updates are queued: None keeps the setting, an empty list means the default."""
        if kinds is not None:
            self.allowed = frozenset(kinds) & KINDS or KINDS - ONLY_IF_ASKED

    def confirm(self, offset: int) -> None:
        """Forget what lies before ``offset``; a negative one counts from the end."""
        if offset < 0:
            self.pending = self.pending[offset:]
        elif offset > 0:
            self.pending = [one for one in self.pending if one.stubborn or one.update["update_id"] >= offset]

    def take(self, limit: int) -> list[Json]:
        """Give the first ``limit`` updates. They stay until confirmed, except stubborn ones."""
        batch = self.pending[:limit]
        self.pending = [one for one in batch if not one.stubborn] + self.pending[limit:]
        return [one.update for one in batch]

    @property
    def is_waited_for(self) -> bool:
        """Whether a long poll waits."""
        return self._poll is not None

    def end_poll(self, reason: str) -> None:
        """Let a waiting poll answer 409 with ``reason``. Its signal must be given by the caller."""
        if self._poll is not None:
            self._poll.ended_by = reason
            self._poll = None

    async def wait(self, signal: Signal, timeout_s: float) -> None:
        """Return when there is an update or the time is over; raises a 409 when another poll takes the place."""
        self.end_poll(TWO_POLLERS)
        self._poll = poll = Poll()
        signal.notify()
        try:
            await signal.wait_for(lambda: self.pending or poll.ended_by, timeout_s)
        except TimeoutError:
            pass
        finally:
            if self._poll is poll:
                self._poll = None
                signal.notify()
        if poll.ended_by:
            raise Refusal(409, poll.ended_by)


def checked_kinds(value: object) -> list[str] | None:
    """Give the list of ``allowed_updates`` in small letters, None if absent; refuses what is no list of strings."""
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(kind, str) for kind in value):
        raise bad_request("can't parse allowed_updates: Expected an Array of String")
    return [kind.lower() for kind in value]
