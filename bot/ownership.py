"""Who the owner is: set in the settings, or paired once with a code and kept in the database."""

from datetime import datetime

from bot.storage import directory, kv
from memory.engine import MemoryEngine
from memory.unit_of_work import UnitOfWork

OWNER_KEY = "owner"
TERMINAL_CHAT = 0
"""The terminal's chat while there is no owner: no Telegram chat has this id."""


class Ownership:
    """The owner's numeric id, once there is one. Reading it costs nothing; it changes once in a life."""

    def __init__(self, configured: int | None) -> None:
        self._configured = configured
        self._paired: int | None = None

    @property
    def owner_id(self) -> int | None:
        """The owner's account, or None while there is no owner."""
        return self._configured if self._configured is not None else self._paired

    @property
    def terminal_id(self) -> int:
        """Whom the terminal speaks as: the owner, or the one who will be."""
        return TERMINAL_CHAT if self.owner_id is None else self.owner_id

    def load(self, uow: UnitOfWork) -> None:
        """Read what pairing left."""
        saved = kv.get(uow, OWNER_KEY)
        self._paired = int(saved) if isinstance(saved, int | str) else None

    def pair(self, uow: UnitOfWork, person_id: int, now: datetime) -> None:
        """Make a person the owner; effective once the unit of work commits."""
        kv.put(uow, OWNER_KEY, person_id, now)

        def take_effect() -> None:
            self._paired = person_id

        uow.after_commit(take_effect)


def adopt_terminal(uow: UnitOfWork, engine: MemoryEngine, owner_id: int, now: datetime) -> None:
    """Move what was said and remembered in the terminal to the owner's private chat. Nothing to move is fine."""
    if owner_id != TERMINAL_CHAT:
        engine.move_chat(uow, TERMINAL_CHAT, owner_id)
        engine.rename_speaker(uow, TERMINAL_CHAT, owner_id)
        directory.move_work(uow, TERMINAL_CHAT, owner_id)
        directory.allow_person(uow, owner_id, now)
