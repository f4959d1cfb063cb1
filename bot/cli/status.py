"""``tidemark status`` and ``tidemark health``: how things stand, for a person and for a container."""

from datetime import UTC, datetime, timedelta

from bot.model import Purpose
from bot.storage import generations, usage
from bot.storage.health import Standing, last_poll, standing
from bot.upkeep.asking import midnight
from bot.upkeep.words import WORDS
from bot.wiring import database_path
from config.schema import Settings
from memory.database import Database
from memory.domain import AgentSlug
from memory.migrating import HEAD, revision_of
from memory.unit_of_work import UnitOfWork

POLL_FRESH = timedelta(seconds=150)
"""A long poll takes up to half a minute and is noted every ten seconds; the watchdog mends it after two minutes."""


def status(settings: Settings, now: datetime | None = None) -> int:
    """Print how things stand."""
    path = database_path(settings)
    if not path.exists():
        print(f"No database yet at {path}. `tidemark run` makes one.")
        return 0
    if revision_of(path) != HEAD:
        print(f"The database at {path} is of another shape. `tidemark run` brings it up to date.")
        return 0
    database = Database(path)
    try:
        with database.read() as uow:
            found = standing(uow)
            vectors = _vectors(uow, settings)
            spent = usage.tokens(uow, Purpose.MAINTENANCE, midnight(now or datetime.now(UTC)))
    finally:
        database.close()
    size = path.stat().st_size / 1024 / 1024
    print("\n".join([f"database     {path} ({size:.1f} MB)", *_lines(found, vectors), _budget(spent, settings)]))
    return 0


def health(settings: Settings, now: datetime | None = None) -> int:
    """Give 0 when Telegram was polled a moment ago, else 1 with the reason printed."""
    path = database_path(settings)
    if not path.exists() or revision_of(path) != HEAD:
        print("not started yet: no database")
        return 1
    database = Database(path)
    try:
        with database.read() as uow:
            seen = last_poll(uow)
    finally:
        database.close()
    age = (now or datetime.now(UTC)) - seen if seen else None
    if age is not None and age < POLL_FRESH:
        return 0
    print(
        "no poll has completed yet"
        if age is None
        else f"deaf: the last completed poll is {int(age.total_seconds())} s old"
    )
    return 1


def _vectors(uow: UnitOfWork, settings: Settings) -> list[str]:
    """Give how far the embedding of the memories is, where there is anything to tell."""
    agent, wanted = AgentSlug(settings.agent), settings.embedding.model
    generation = generations.present(uow, agent)
    if generation is None:
        return []
    progress = generations.progress(uow, agent, generation.digest)
    lines = [f"vectors      {progress} by {generation.model}"] if progress.total else []
    if progress.total and generation.model != wanted:
        lines.append(f"             once Tidemark starts again they are made anew by {wanted}, which the settings name")
    return lines


def _lines(found: Standing, vectors: list[str]) -> list[str]:
    lines = [
        f"memories     {_counts(found.memories)}",
        *vectors,
        f"messages     {found.messages}",
        f"inbox        {_counts(found.inbox)}",
        f"outbox       {_counts(found.outbox)}",
        f"reflections  {_counts(found.reflections)}",
        f"last poll    {found.last_poll.isoformat(timespec='seconds') if found.last_poll else 'never'}",
    ]
    if found.last_pass is None:
        return [*lines, "maintenance  never ran"]
    started, finished, report = found.last_pass
    lines.append(f"maintenance  {started.isoformat(timespec='seconds')}{'' if finished else ' (unfinished)'}")
    if report:
        counts = dict(report.get("counts") or {})  # type: ignore[call-overload]
        lines += [f"             {value} {WORDS.get(name, name)}" for name, value in counts.items() if value]
        lines += [f"             problem: {problem}" for problem in list(report.get("problems") or [])]  # type: ignore[call-overload]
    return lines


def _budget(spent: int, settings: Settings) -> str:
    return f"upkeep       {spent} of {settings.maintenance.daily_tokens} tokens of the language model used today"


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{number} {state}" for state, number in sorted(found.items())) or "none"
