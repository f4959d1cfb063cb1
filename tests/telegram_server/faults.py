"""What goes wrong on purpose, and how often."""

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """RESET cuts the connection, HANG never answers, GARBAGE answers with something that is not the Bot API's JSON."""

    STATUS = "status"
    RESET = "reset"
    DELAY = "delay"
    HANG = "hang"
    GARBAGE = "garbage"


@dataclass(slots=True)
class Fault:
    """One planned failure.

    ``after`` says when it strikes: False before the call is accepted (nothing happens), True after (the message is
    there, only the answer fails). It strikes ``times`` matching calls (None: all) once ``skip`` of them have passed.
    """

    kind: FaultKind
    method: str = "*"
    after: bool = False
    times: int | None = 1
    skip: int = 0
    chat_id: int | None = None
    status: int = 500
    description: str | None = None
    retry_after: int | None = None
    delay_s: float = 0.0
    body: str = '{"ok": tru'

    def matches(self, method: str, chat_id: str) -> bool:
        """Whether it is meant for this call; ``chat_id`` as the bot wrote it."""
        same_method = self.method == "*" or self.method.lower() == method
        return same_method and (self.chat_id is None or str(self.chat_id) == chat_id)


class Faults:
    """The faults that are still to strike, first come, first served."""

    def __init__(self) -> None:
        self.planned: list[Fault] = []

    def take(self, method: str, chat_id: str) -> Fault | None:
        """Give the fault for this call and count it; ``method`` in small letters."""
        for fault in self.planned:
            if not fault.matches(method, chat_id):
                continue
            if fault.skip > 0:
                fault.skip -= 1
                continue
            return self._strike(fault)
        return None

    def _strike(self, fault: Fault) -> Fault:
        if fault.times is not None:
            fault.times -= 1
            if fault.times <= 0:
                self.planned.remove(fault)
        return fault
