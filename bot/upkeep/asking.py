"""Asking a model on maintenance's behalf, within what the day allows. Nothing here is urgent, so any trouble ends it quietly."""

from dataclasses import dataclass
from datetime import UTC, datetime, time
from importlib.resources import files

import structlog

from bot.errors import ModelError
from bot.model import ModelClient, ModelRequest, PromptMessage, Purpose
from bot.offline_model import OfflineModel
from bot.storage import usage
from bot.upkeep.kit import MaintenanceKit, Report

log = structlog.get_logger(__name__)

OVERHEAD_TOKENS = 12
"""What the frame of two messages takes."""

ASKED = "asked "
"""How a question that was answered begins in ``MaintenanceKit.begun``; its day follows."""


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
        """Give the answer; None for a question that was answered today already, or when this pass asks no more (``can``)."""
        model, once = self.kit.model, self._mark(prompt, question)
        if not self.can or model is None or once in self.kit.begun:  # not understood today: tomorrow is soon enough
            return None
        system = _prompt(prompt)
        wanted = model.count_tokens(system) + model.count_tokens(question) + OVERHEAD_TOKENS + max_tokens
        if await spent_today(self.kit) + wanted > self.kit.daily_tokens:
            self.over = True
            self.report.add("questions_left_for_tomorrow", 1)
            return None
        messages = (PromptMessage("system", system), PromptMessage("user", question))
        text = await self._complete(model, ModelRequest(Purpose.MAINTENANCE, messages, max_tokens, json_reply=True))
        if text is not None:
            self.kit.begun.add(once)
        return text

    async def _complete(self, model: ModelClient, request: ModelRequest) -> str | None:
        kit = self.kit
        try:
            reply = await model.complete(request)
        except ModelError as error:
            self.over = True
            log.warning("maintenance got no answer from the model", error=type(error).__name__)
            self.report.problems.append(f"the model could not be asked: {type(error).__name__}")
            return None
        now = kit.clock.now()
        await kit.executors.write(lambda uow: usage.record(uow, now=now, purpose=Purpose.MAINTENANCE, reply=reply))
        self.report.add("questions_asked", 1)
        return reply.text

    def _mark(self, prompt: str, question: str) -> str:
        """Give how a question stands in ``kit.begun``; those of other days are taken out."""
        today = f"{ASKED}{midnight(self.kit.clock.now()).date()} "
        begun = self.kit.begun
        begun.difference_update({mark for mark in begun if mark.startswith(ASKED) and not mark.startswith(today)})
        return f"{today}{hash((prompt, question))}"


async def spent_today(kit: MaintenanceKit) -> int:
    """Give the tokens that maintenance has used since midnight (UTC)."""
    return await kit.executors.read(lambda uow: usage.tokens(uow, Purpose.MAINTENANCE, midnight(kit.clock.now())))


def midnight(now: datetime) -> datetime:
    """Give the beginning of the day (UTC)."""
    return datetime.combine(now.astimezone(UTC).date(), time.min, UTC)


def _prompt(name: str) -> str:
    return (files("bot.prompts") / f"{name}.md").read_text(encoding="utf-8").strip()
