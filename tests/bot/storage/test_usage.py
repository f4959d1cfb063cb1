"""The ledger of model calls."""

from datetime import UTC, datetime, timedelta

from bot.model import ModelReply, Purpose
from bot.storage import usage
from bot.storage.usage import Total
from memory.unit_of_work import UnitOfWork

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def record(uow: UnitOfWork, purpose: Purpose, model: str, cost: int | None, now: datetime = NOW) -> None:
    usage.record(uow, now=now, purpose=purpose, reply=ModelReply("hi", model, 10, 3, cost), chat_id=7, turn_key="k")


def test_calls_are_added_up_by_purpose_and_model_since_an_instant(unit: UnitOfWork) -> None:
    record(unit, Purpose.TURN, "a", 5)
    record(unit, Purpose.TURN, "a", None)
    record(unit, Purpose.TURN, "b", 1)
    record(unit, Purpose.REFLECTION, "a", 7)
    record(unit, Purpose.TURN, "a", 99, NOW - timedelta(days=2))
    assert usage.totals(unit, NOW - timedelta(days=1)) == (
        Total(Purpose.REFLECTION, "a", 1, 10, 3, 7, 0),
        Total(Purpose.TURN, "a", 2, 20, 6, 5, 1),
        Total(Purpose.TURN, "b", 1, 10, 3, 1, 0),
    )


def test_no_calls_make_no_totals(unit: UnitOfWork) -> None:
    assert usage.totals(unit, NOW) == ()


def test_the_answer_itself_is_not_kept(unit: UnitOfWork) -> None:
    usage.record(unit, now=NOW, purpose=Purpose.TURN, reply=ModelReply("Leontine", "a", 1, 1, None))
    assert "Leontine" not in str(unit.connection.exec_driver_sql("SELECT * FROM usage").all())
