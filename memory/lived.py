"""Lived time: a scope in which nobody speaks does not age."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime, time, timedelta

from memory.domain import GLOBAL, AgentSlug, Memory, Scope
from memory.unit_of_work import UnitOfWork

DAY_HOURS = 24.0

_MARK = "INSERT INTO lived_days (agent_slug, scope, day) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_DAYS = "SELECT day FROM lived_days WHERE agent_slug = ? AND scope = ? ORDER BY day"


def lived_hours(since: datetime, now: datetime, days: Collection[date]) -> float:
    """Give the hours between ``since`` and ``now`` that fall on one of ``days`` (UTC); 0 when ``now`` is not later.

    In daily use that is plain time; a holiday of three weeks counts nothing.
    """
    return _hours(since.astimezone(UTC), now.astimezone(UTC), sorted(set(days)))


def mark(uow: UnitOfWork, agent: AgentSlug, scope: Scope, day: date) -> None:
    """Note that somebody spoke in ``scope`` on a day (UTC); ``global`` lives when any chat of the assistant does."""
    for where in {scope, GLOBAL}:
        uow.connection.exec_driver_sql(_MARK, (agent, where, day.isoformat()))


def days_lived(uow: UnitOfWork, agent: AgentSlug, scope: Scope) -> tuple[date, ...]:
    """Give the days on which somebody spoke in ``scope``, in order."""
    rows = uow.connection.exec_driver_sql(_DAYS, (agent, scope))  # every recall reads all of them
    return tuple(date.fromisoformat(day) for (day,) in rows)


def lived_in(uow: UnitOfWork, agent: AgentSlug, now: datetime) -> Callable[[Memory], float]:
    """Give a function from a memory to its idle time in lived hours; a scope's days are read once."""
    return Ages(uow, agent, now).idle


class Ages:
    """What time has passed in each scope, in lived hours until ``now``; a scope's days are read once."""

    def __init__(self, uow: UnitOfWork, agent: AgentSlug, now: datetime) -> None:
        self._uow = uow
        self._agent = agent
        self._now = now
        self._days: dict[Scope, tuple[date, ...]] = {}

    def days(self, scope: Scope) -> tuple[date, ...]:
        """Give the days on which somebody spoke in ``scope``, in order."""
        if scope not in self._days:
            self._days[scope] = days_lived(self._uow, self._agent, scope)
        return self._days[scope]

    def since(self, scope: Scope, instant: datetime) -> float:
        """Give the lived hours of ``scope`` since an instant; 0 when it is yet to come."""
        return _hours(instant, self._now, self.days(scope))

    def idle(self, memory: Memory) -> float:
        """Give the lived hours since a memory was used or repeated."""
        return self.since(memory.scope, memory.accessed_at)

    def after(self, scope: Scope, instant: datetime, hours: float) -> datetime:
        """Give when ``hours`` had been lived in ``scope`` since an instant; now, if that is yet to come."""
        return min(_after(instant.astimezone(UTC), hours, self.days(scope)), self._now)


def _hours(since: datetime, now: datetime, days: Sequence[date]) -> float:
    """Sum the two partial days at the ends and the whole days between them; ``days`` are sorted."""
    first, last = since.date(), now.date()
    if now <= since:
        return 0.0
    if first == last:
        return _of_day(now) - _of_day(since) if _holds(days, first) else 0.0
    whole = bisect_left(days, last) - bisect_right(days, first)
    begin = DAY_HOURS - _of_day(since) if _holds(days, first) else 0.0
    end = _of_day(now) if _holds(days, last) else 0.0
    return begin + whole * DAY_HOURS + end


def _after(since: datetime, hours: float, days: Sequence[date]) -> datetime:
    """Walk from lived day to lived day until the hours are used up; the end of time when they never are."""
    left = hours
    for day in days[bisect_left(days, since.date()) :]:
        begin = max(since, datetime.combine(day, time.min, UTC))
        room = DAY_HOURS - _of_day(begin)
        if left <= room:
            return begin + timedelta(hours=left)
        left -= room
    return datetime.max.replace(tzinfo=UTC)


def _holds(days: Sequence[date], day: date) -> bool:
    at = bisect_left(days, day)
    return at < len(days) and days[at] == day


def _of_day(instant: datetime) -> float:
    """Give the hours since midnight."""
    return instant.hour + instant.minute / 60 + (instant.second + instant.microsecond / 1e6) / 3600
