"""``tidemark reembed``: embed every memory anew, here and now, beside a running Tidemark if need be.

What is done stays done when this is interrupted: the next call, or the background task, goes on there.
"""

import sys
from contextlib import closing
from dataclasses import dataclass

from bot import hints
from bot.storage import generations
from bot.storage.generations import Generation, Progress
from bot.wiring import database_path
from config.schema import Settings
from memory import maintenance
from memory.clock import SystemClock
from memory.database import Database
from memory.domain import AgentSlug, Memory, MemoryId
from memory.embedding import Embedder, load
from memory.errors import EmbedderUnavailable
from memory.migrating import HEAD, revision_of

BATCH = 16
"""Memories in one transaction: a running Tidemark waits a few milliseconds for it."""
SHARES_TOLD = 20
"""Lines of progress where the terminal cannot rewrite one."""


@dataclass(slots=True)
class _Target:
    """What the steps of maintenance need: whose memories, and which generation they get. No vectors are held here."""

    agent: AgentSlug
    digest: str
    index: None = None


def reembed(settings: Settings, model: str | None) -> int:
    """Give every memory a vector of ``model``, or of the settings' one, with progress on stderr; 0, or 1 for a problem."""
    path, name = database_path(settings), model or settings.embedding.model
    if not path.exists() or revision_of(path) != HEAD:
        print(f"There is no database of this version at {path}. `tidemark run` makes one.", file=sys.stderr)
        return 1
    try:
        embedder = load(name, settings.home)
        with closing(Database(path)) as database:
            progress = _embed_all(database, AgentSlug(settings.agent), embedder, name)
    except EmbedderUnavailable as error:
        print(f"tidemark: {error}", file=sys.stderr)
        return 1
    _say_what_is_left(progress, name, settings.embedding.model)
    return 0 if progress.complete else 1


def _embed_all(database: Database, agent: AgentSlug, embedder: Embedder, name: str) -> Progress:
    target = _Target(agent, embedder.digest)
    with database.write() as uow:
        generations.begin(uow, agent, Generation(name, embedder.digest), SystemClock().now())
        uow.commit()
    _tell(_progress(database, target), None)
    while _sweep(database, target, embedder):
        pass  # what was said or changed meanwhile
    return _progress(database, target)


def _sweep(database: Database, target: _Target, embedder: Embedder) -> int:
    """Go once through the memories that lack a vector, newest first; give how many got one."""
    before = progress = _progress(database, target)
    last: MemoryId | None = None
    while texts := _lacking(database, target, last):
        last = texts[-1][0].id
        vectors = embedder.embed_passages([text for _, text in texts])
        with database.write() as uow:
            stored = maintenance.store_vectors(uow, target, zip(texts, vectors, strict=True))
            uow.commit()
        former, progress = progress, Progress(progress.done + stored, progress.total)
        _tell(progress, former)
    return progress.done - before.done


def _lacking(database: Database, target: _Target, last: MemoryId | None) -> tuple[tuple[Memory, str], ...]:
    with database.read() as uow:
        return maintenance.lacking_vectors(uow, target, limit=BATCH, after=last)


def _progress(database: Database, target: _Target) -> Progress:
    with database.read() as uow:
        return generations.progress(uow, target.agent, target.digest)


def _tell(now: Progress, former: Progress | None) -> None:
    """Show the progress: over and over in one line of a terminal, else in about twenty lines."""
    if sys.stderr.isatty():
        print(f"\rembedded {now}", end="\n" if now.complete else "", file=sys.stderr, flush=True)
    elif former is None or _share(now) != _share(former):
        print(f"embedded {now}", file=sys.stderr, flush=True)


def _share(progress: Progress) -> int:
    return SHARES_TOLD * progress.done // max(progress.total, 1)


def _say_what_is_left(progress: Progress, name: str, configured: str) -> None:
    print(f"{progress} memories are embedded by {name!r}.")
    if not progress.complete:
        print("The others came just now or could not be embedded; the background task tries again.")
    if name == configured:
        print("A Tidemark that has run with another model since before is to be started again.")
        return
    print(
        f"The settings still name {configured!r}. {hints.line(name)}, or set TIDEMARK_EMBEDDING_MODEL, then start Tidemark"
    )
    print("again. Until then it finds memories by keywords only; started without it, it goes back to the model it has.")
