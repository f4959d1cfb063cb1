"""Control: faults, flood limits and the queue of updates."""

import random
from typing import Any

from tests.telegram_server.faults import Fault, FaultKind
from tests.telegram_server.refusal import Json
from tests.telegram_server.state import World


class Trouble:
    """Makes things go wrong."""

    world: World

    def fault(self, kind: str, method: str = "*", **details: Any) -> None:
        """Plan a fault: status, reset, delay, hang or garbage; ``details`` are the other fields of ``Fault``.

        ``fault("status", "sendMessage", retry_after=3)`` is a 429, ``fault("reset", "sendMessage", after=True)`` cuts the
        connection once the message is there, ``times=None`` strikes for ever.
        """
        self.world.faults.planned.append(Fault(FaultKind(kind), method, **details))

    def clear_faults(self) -> None:
        """Forget the faults that have not struck yet."""
        self.world.faults.planned.clear()

    def flood_limits(self, *, on: bool) -> None:
        """Switch flood limits; they are off at first."""
        self.world.flood.on = on

    def inject(self, update: Json) -> int:
        """Queue a raw update whatever its kind and give its number; without ``update_id`` it gets the next one."""
        number = self.world.updates.add_raw(update)
        self.world.signal.notify()
        return number

    def skip_update_ids(self, count: int) -> None:
        """Leave a gap in the numbers."""
        self.world.updates.next_id += count

    def restart_update_ids(self, number: int) -> None:
        """Number on from here, as Telegram does after an idle week."""
        self.world.updates.next_id = number

    def repeat_update(self, number: int) -> None:
        """Deliver an update once more, even if it was confirmed; KeyError if it was never queued."""
        self.world.updates.repeat(number)
        self.world.signal.notify()

    def shuffle_updates(self, seed: int | None = None) -> None:
        """Reverse the order of the waiting updates, or shuffle it by ``seed``."""
        pending = self.world.updates.pending
        if seed is None:
            pending.reverse()
        else:
            random.Random(seed).shuffle(pending)
