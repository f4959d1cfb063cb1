"""Several models as one: the first that answers."""

from collections.abc import Callable, Sequence

import structlog

from bot.errors import ModelError, ModelPromptTooLong
from bot.model import ModelClient, ModelReply, ModelRequest

log = structlog.get_logger(__name__)


class ModelChain:
    """Asks ``clients`` in order until one answers; is a `ModelClient` itself.

    The next one is not asked when the prompt was too long (the caller has a better remedy: a shorter one), nor after a
    part of an answer was passed on (two beginnings make no answer).
    """

    def __init__(self, clients: Sequence[ModelClient]) -> None:
        if not clients:
            raise ValueError("a chain of models needs at least one")
        self._clients = tuple(clients)

    @property
    def name(self) -> str:
        """The first model's name."""
        return self._clients[0].name

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        """Give the first answer. Raises the first model's `bot.errors.ModelError` when none answers."""
        witness = _Witness(on_text)
        first: ModelError | None = None
        for client in self._clients:
            try:
                return await client.complete(request, witness if on_text else None)
            except ModelError as error:
                if isinstance(error, ModelPromptTooLong) or witness.spoken:
                    raise
                first = first or error
                log.warning("a model gave no answer", model=client.name, error=type(error).__name__, detail=str(error))
        assert first is not None
        raise first

    async def warm_up(self) -> None:
        """Let every client that can prepare itself do so."""
        await self._each("warm_up")

    async def close(self) -> None:
        """Close every client that holds something open."""
        await self._each("close")

    async def _each(self, name: str) -> None:
        for client in self._clients:
            act = getattr(client, name, None)
            if act is not None:
                await act()

    def count_tokens(self, text: str) -> int:
        """Estimate by the first model."""
        return self._clients[0].count_tokens(text)


class _Witness:
    """Passes text on and remembers that it did."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text = on_text
        self.spoken = False

    def __call__(self, text: str) -> None:
        self.spoken = True
        if self._on_text is not None:
            self._on_text(text)
