"""The ledger of model calls: what each cost, for whom, for what."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, select

from bot.model import ModelReply, Purpose
from bot.storage.tables import usage
from memory.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Total:
    """Calls of one model for one purpose, added up. ``unpriced`` calls have no known price and are not in the cost."""

    purpose: Purpose
    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_micro_usd: int  # millionths of a US dollar
    unpriced: int


def record(
    uow: UnitOfWork,
    *,
    now: datetime,
    purpose: Purpose,
    reply: ModelReply,
    chat_id: int | None = None,
    person_id: int | None = None,
    turn_key: str | None = None,
) -> None:
    """Note one call."""
    values = {
        "at": now,
        "purpose": purpose,
        "model": reply.model,
        "chat_id": chat_id,
        "person_id": person_id,
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "cost_micro_usd": reply.cost_micro_usd,
        "turn_key": turn_key,
    }
    uow.connection.execute(insert(usage), values)


def tokens(uow: UnitOfWork, purpose: Purpose, since: datetime) -> int:
    """Give the tokens, read and written, that calls for a purpose took since an instant."""
    u = usage.c
    query = select(func.coalesce(func.sum(u.prompt_tokens + u.completion_tokens), 0))
    return int(uow.connection.execute(query.where(u.purpose == purpose, u.at >= since)).scalar_one())


def totals(uow: UnitOfWork, since: datetime) -> tuple[Total, ...]:
    """Give the sums since an instant, by purpose and model."""
    u = usage.c
    query = select(
        u.purpose,
        u.model,
        func.count(),
        func.sum(u.prompt_tokens),
        func.sum(u.completion_tokens),
        func.coalesce(func.sum(u.cost_micro_usd), 0),
        func.count() - func.count(u.cost_micro_usd),
    )
    rows = uow.connection.execute(query.where(u.at >= since).group_by(u.purpose, u.model).order_by(u.purpose, u.model))
    return tuple(Total(Purpose(purpose), *rest) for purpose, *rest in rows)
