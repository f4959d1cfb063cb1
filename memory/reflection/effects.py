"""What became of a judgement: the value that an application gives back."""

from dataclasses import dataclass

from memory.domain import Memory
from memory.entries import OperationId
from memory.reflection.operations import OpName, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Effect:
    """What became of one verdict; ``verdict`` is the final one, ``memory`` as it stands after it."""

    verdict: Verdict
    memory: Memory | None
    operation_id: OperationId


@dataclass(frozen=True, slots=True)
class Applied:
    """The effects in the order of the verdicts; empty when the turn had been applied before."""

    effects: tuple[Effect, ...] = ()
    repeated: bool = False

    @property
    def added(self) -> tuple[Memory, ...]:
        """The memories that are new."""
        return self._memories(OpName.ADD, Outcome.ACCEPT)

    @property
    def updated(self) -> tuple[Memory, ...]:
        """The memories that say something else now."""
        return self._memories(OpName.UPDATE, Outcome.ACCEPT)

    @property
    def deleted(self) -> tuple[Memory, ...]:
        """The memories that hold no longer."""
        return self._memories(OpName.DELETE, Outcome.ACCEPT)

    @property
    def reinforced(self) -> tuple[Memory, ...]:
        """The memories that a person repeated."""
        return self._memories(None, Outcome.REINFORCE)

    @property
    def quarantined(self) -> tuple[Memory, ...]:
        """The claims that are kept aside."""
        return self._memories(None, Outcome.QUARANTINE)

    @property
    def rejected(self) -> tuple[Verdict, ...]:
        """What was not done, with the reasons."""
        return tuple(effect.verdict for effect in self.effects if effect.verdict.outcome is Outcome.REJECT)

    def _memories(self, op: OpName | None, outcome: Outcome) -> tuple[Memory, ...]:
        fitting = (e for e in self.effects if e.verdict.outcome is outcome and (op is None or e.verdict.op == op))
        return tuple(effect.memory for effect in fitting if effect.memory is not None)
