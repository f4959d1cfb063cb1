"""Dated matters leave by the calendar."""

from datetime import UTC, datetime, timedelta

import pytest

from memory import journal, store
from memory.domain import AgentSlug, Layer, Status
from memory.lifecycle import expiry
from memory.unit_of_work import UnitOfWork
from tests.memory.lifecycle.lives import ENGINE, due, run
from tests.memory.samples import AGENT, CAUSE, ELSEWHERE, HERE, NOW, keep


@pytest.mark.parametrize(
    ("over_at", "expired"),
    [
        (NOW - timedelta(days=1), 1),
        (datetime(2026, 11, 28, 23, 59, 59, tzinfo=UTC), 1),
        (datetime(2026, 11, 29, 0, 0, tzinfo=UTC), 0),
        (NOW - timedelta(hours=1), 0),  # still the day of the matter
        (NOW + timedelta(days=1), 0),
        (datetime(9999, 12, 31, tzinfo=UTC), 0),
        (datetime(1, 1, 1, tzinfo=UTC), 1),
        (None, 0),
    ],
)
def test_a_dated_matter_is_archived_the_day_after(uow: UnitOfWork, over_at: datetime | None, expired: int) -> None:
    memory = keep(uow, "Dentist", expires_at=over_at)
    assert len(run(expiry.due, uow, NOW)) == expired
    assert due(expiry.due, uow, NOW) == []
    found = store.get(uow, AGENT, HERE, memory.id)
    assert found is not None
    assert (found.status is Status.ARCHIVED) is bool(expired)


def test_what_settled_goes_through_working_and_what_is_pinned_stays(uow: UnitOfWork) -> None:
    over = NOW - timedelta(days=2)
    core, pinned = keep(uow, "core", expires_at=over, layer=Layer.CORE), keep(uow, "pinned", expires_at=over)
    store.change(uow, pinned, now=NOW, cause=CAUSE, pinned=True)
    keep(uow, "quarantined", expires_at=over, status=Status.QUARANTINED)
    keep(uow, "of another assistant", expires_at=over, agent=AgentSlug("other"))
    assert run(expiry.due, uow, NOW) == ["EXPIRE: the matter is over"]
    found = store.get(uow, AGENT, HERE, core.id)
    assert found is not None
    assert (found.layer, found.status) == (Layer.WORKING, Status.ARCHIVED)
    assert journal.of_memory(uow, AGENT, HERE, core.id)[-1].operation == "EXPIRE"


def test_batches_are_bounded_and_come_to_an_end(uow: UnitOfWork) -> None:
    for number in range(5):
        keep(uow, f"matter {number}", ELSEWHERE, expires_at=NOW - timedelta(days=2))
    moves, after = expiry.due(uow, ENGINE, now=NOW, limit=2)
    assert (len(moves), after is None) == (2, False)
    assert len(due(expiry.due, uow, NOW, limit=2)) == 5
