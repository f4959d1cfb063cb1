"""Asking a model on maintenance's behalf, within what the day allows. Nothing here is urgent, so any trouble ends it quietly."""

from dataclasses import dataclass
from datetime import UTC, datetime, time
from importlib.resources import files

import structlog

from bot.errors import ModelError
from bot.model import ModelRequest, PromptMessage, Purpose
from bot.offline_model import OfflineModel
from bot.storage import usage
from bot.upkeep.kit import MaintenanceKit, Report

log = structlog.get_logger(__name__)

OVERHEAD_TOKENS = 12
"""What the frame of two messages takes."""


@dataclass(slots=True)
class Asker:
    """Asks while the budget of the day lasts. Nobody asks the built-in offline model: it reads no prose."""

    kit: MaintenanceKit
    report: Report
    over: bool = False

    @property
    def can(self) -> bool:
        """Say whether it is worth preparing a question."""
        model = self.kit.model
        return not self.over and model is not None and not isinstance(model, OfflineModel) and self.kit.daily_tokens > 0

    async def ask(self, prompt: str, question: str, max_tokens: int) -> str | None:
        """Give the answer; None when the budget is spent or the model fails, and then for the rest of the pass.

        The same is asked once a day; after that the answer is empty.
        """
        model = self.kit.model
        if not self.can or model is None:
            return None
        once = f"asked {self.kit.clock.now().date()} {hash((prompt, question))}"
        if once in self.kit.begun:  # it was not understood today: tomorrow is soon enough
            return ""
        self.kit.begun.add(once)
        system = _prompt(prompt)
        wanted = model.count_tokens(system) + model.count_tokens(question) + OVERHEAD_TOKENS + max_tokens
        if await spent_today(self.kit) + wanted > self.kit.daily_tokens:
            self.over = True
            self.report.add("questions_left_for_tomorrow", 1)
            return None
        messages = (PromptMessage("system", system), PromptMessage("user", question))
        return await self._complete(ModelRequest(Purpose.MAINTENANCE, messages, max_tokens, json_reply=True))

    async def _complete(self, request: ModelRequest) -> str | None:
        kit = self.kit
        assert kit.model is not None
        try:
            reply = await kit.model.complete(request)
        except ModelError as error:
            self.over = True
            log.warning("maintenance got no answer from the model", error=type(error).__name__)
            self.report.problems.append(f"the model could not be asked: {type(error).__name__}")
            return None
        now = kit.clock.now()
        await kit.executors.write(lambda uow: usage.record(uow, now=now, purpose=Purpose.MAINTENANCE, reply=reply))
        self.report.add("questions_asked", 1)
        return reply.text


async def spent_today(kit: MaintenanceKit) -> int:
    """Give the tokens that maintenance has used since midnight (UTC)."""
    return await kit.executors.read(lambda uow: usage.tokens(uow, Purpose.MAINTENANCE, midnight(kit.clock.now())))


def midnight(now: datetime) -> datetime:
    """Give the beginning of the day (UTC)."""
    return datetime.combine(now.astimezone(UTC).date(), time.min, UTC)


def _prompt(name: str) -> str:
    return (files("bot.prompts") / f"{name}.md").read_text(encoding="utf-8").strip()
