"""Which embedding model the memories' vectors are of, and how many have one: a change of model takes a while."""

from dataclasses import asdict, dataclass
from datetime import datetime

from bot.storage import kv
from memory import store
from memory.domain import AgentSlug
from memory.unit_of_work import UnitOfWork

KEY = "embedding:generation:{agent}"


@dataclass(frozen=True, slots=True)
class Generation:
    """A model by the name in the settings and the digest that stands with its vectors."""

    model: str
    digest: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of the memories have a vector of the present generation."""

    done: int
    total: int

    def __str__(self) -> str:
        return f"{self.done:,} of {self.total:,}"

    @property
    def complete(self) -> bool:
        """Whether all have one."""
        return self.done >= self.total


def present(uow: UnitOfWork, agent: AgentSlug) -> Generation | None:
    """Give the generation that the memories of ``agent`` are being brought to; None before the first pass."""
    saved = kv.get(uow, KEY.format(agent=agent))
    return Generation(str(saved["model"]), str(saved["digest"])) if isinstance(saved, dict) else None


def begin(uow: UnitOfWork, agent: AgentSlug, generation: Generation, now: datetime) -> None:
    """Note which generation the memories of ``agent`` are to have from now on."""
    if present(uow, agent) != generation:
        kv.put(uow, KEY.format(agent=agent), asdict(generation), now)


def progress(uow: UnitOfWork, agent: AgentSlug, digest: str) -> Progress:
    """Give how far the memories of ``agent`` are with the generation ``digest``."""
    return Progress(*store.count_vectors(uow, agent, digest))


def is_due(uow: UnitOfWork, agent: AgentSlug, model: str) -> bool:
    """Say whether the model was changed in the settings since, or a change was cut short."""
    generation = present(uow, agent)
    if generation is None:
        return False
    return generation.model != model or not progress(uow, agent, generation.digest).complete
