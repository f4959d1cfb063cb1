"""`tidemark reembed`: every memory anew, in the foreground, beside a running Tidemark."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.cli import reembed as module
from bot.cli.main import main
from bot.cli.reembed import BATCH, SHARES_TOLD, reembed
from bot.cli.status import status
from bot.storage import generations
from config.schema import Settings
from config.settings import load_settings
from memory import store
from memory.database import Database
from memory.domain import AgentSlug, Scope
from memory.embedding import Vector
from memory.errors import EmbedderUnavailable
from memory.migrating import prepare
from memory.vectors import VectorIndex
from tests.fakes import HashingEmbedder
from tests.memory.samples import NOW, keep

AGENT = AgentSlug("tidemark")
COUNT = 5 * BATCH + 3


class Slow(HashingEmbedder):
    """Fails, or does something else, after a number of texts."""

    def __init__(self, digest: str, after: int = 10**9, then: Any = None) -> None:
        super().__init__(digest=digest)
        self.left, self.then = after, then
        self.embedded = 0

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        if self.left <= 0 and self.then is not None:
            then, self.then = self.then, None
            then()
        self.left -= len(texts)
        self.embedded += len(texts)
        return super().embed_passages(texts)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = load_settings(environ={"TIDEMARK_HOME": str(tmp_path / "data")}, files=[], cwd=tmp_path)
    prepare(found.home / "tidemark.db", NOW)
    return found


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let any name but "none" be a hashing embedder of its own generation; give a way to put another in."""
    special: dict[str, Any] = {}

    def load(name: str, home: Path) -> Any:
        if name == "none":
            raise EmbedderUnavailable("No embedding model is called 'none'.")
        return special.get(name) or HashingEmbedder(digest=f"of {name}")

    monkeypatch.setattr(module, "load", load)
    return special


def database(settings: Settings) -> Database:
    return Database(settings.home / "tidemark.db")


def fill(settings: Settings, count: int = COUNT) -> None:
    held = database(settings)
    with held.write() as uow:
        for n in range(count):
            keep(uow, f"Shelf {n} holds thing {n}.", agent=AGENT)
        uow.commit()
    held.close()


def digests(settings: Settings) -> dict[str | None, int]:
    held = database(settings)
    with held.read() as uow:
        rows = uow.connection.exec_driver_sql("SELECT embedding_model, count(*) FROM memories GROUP BY 1").all()
    held.close()
    return {row[0]: row[1] for row in rows}


def test_all_memories_get_a_vector_of_the_settings_model(
    settings: Settings, embedder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """With progress on stderr that is not a flood."""
    fill(settings)
    assert reembed(settings, None) == 0
    assert digests(settings) == {"of english": COUNT}
    said = capsys.readouterr()
    lines = said.err.splitlines()
    assert lines[0] == f"embedded 0 of {COUNT}"
    assert lines[-1] == f"embedded {COUNT} of {COUNT}"
    assert 3 < len(lines) <= SHARES_TOLD + 2
    assert "tidemark.toml" not in said.out


def test_another_model_is_used_and_the_line_for_the_settings_said(
    settings: Settings, embedder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The settings belong to the owner: nothing is written there."""
    fill(settings)
    before = sorted(path.name for path in settings.home.parent.rglob("*") if "tidemark.db" not in path.name)
    assert reembed(settings, 'odd "name"') == 0
    assert digests(settings) == {'of odd "name"': COUNT}
    printed = capsys.readouterr().out
    assert 'model = "odd \\"name\\""' in printed
    assert "[embedding]" in printed
    assert sorted(path.name for path in settings.home.parent.rglob("*") if "tidemark.db" not in path.name) == before


def test_a_second_call_embeds_nothing(settings: Settings, embedder: Any) -> None:
    fill(settings)
    reembed(settings, "other")
    embedder["other"] = Slow("of other")
    assert reembed(settings, "other") == 0
    assert embedder["other"].embedded == 0


def test_what_was_interrupted_goes_on_where_it_stopped(settings: Settings, embedder: Any) -> None:
    """Ctrl-C between two batches: what is done is kept, and the other model's vectors stay until their turn."""
    fill(settings)
    reembed(settings, "first")

    def interrupt() -> None:
        raise KeyboardInterrupt

    embedder["second"] = Slow("of second", 2 * BATCH, interrupt)
    with pytest.raises(KeyboardInterrupt):
        reembed(settings, "second")
    assert digests(settings) == {"of first": COUNT - 2 * BATCH, "of second": 2 * BATCH}
    embedder["second"] = Slow("of second")
    assert reembed(settings, "second") == 0
    assert embedder["second"].embedded == COUNT - 2 * BATCH
    assert digests(settings) == {"of second": COUNT}


def test_somebody_else_may_write_meanwhile_and_what_is_new_is_embedded_too(settings: Settings, embedder: Any) -> None:
    """No transaction is open while the model works."""
    fill(settings)
    embedder["other"] = Slow("of other", BATCH, lambda: fill(settings, 2))
    assert reembed(settings, "other") == 0
    assert digests(settings) == {"of other": COUNT + 2}


def test_a_running_index_of_the_former_model_never_shows_the_new_vectors(settings: Settings, embedder: Any) -> None:
    """Two generations of the same dimensions would give cosines that mean nothing."""
    fill(settings, 3)
    reembed(settings, "first")
    query = HashingEmbedder().embed_query("thing 1")
    index = VectorIndex("of first", 64)
    held = database(settings)
    scopes = [Scope("chat:31"), *_scopes(held)]
    with held.read() as uow:
        assert len(index.search(uow.connection, AGENT, scopes, query, limit=9)) == 3
    reembed(settings, "second")
    with held.read() as uow:
        assert index.search(uow.connection, AGENT, scopes, query, limit=9) == []
        assert len(VectorIndex("of second", 64).search(uow.connection, AGENT, scopes, query, limit=9)) == 3
    held.close()


def _scopes(held: Database) -> list[Scope]:
    with held.read() as uow:
        return [Scope(row[0]) for row in uow.connection.exec_driver_sql("SELECT DISTINCT scope FROM memories")]


def test_a_model_that_is_not_there_changes_nothing(
    settings: Settings, embedder: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(settings, 2)
    assert reembed(settings, "none") == 1
    assert "No embedding model is called 'none'." in capsys.readouterr().err
    assert digests(settings) == {None: 2}


def test_an_empty_store_is_done_at_once(settings: Settings, embedder: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert reembed(settings, None) == 0
    assert "0 of 0" in capsys.readouterr().out


def test_vectors_that_cannot_be_stored_are_told(
    settings: Settings, embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends, and says by its status that something is left."""
    fill(settings, 2)
    monkeypatch.setattr(store, "set_vector", lambda *_, **__: False)
    assert reembed(settings, None) == 1


def test_without_a_database_it_says_how_to_get_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = load_settings(environ={"TIDEMARK_HOME": str(tmp_path / "data")}, files=[], cwd=tmp_path)
    assert reembed(settings, None) == 1
    assert "tidemark run" in capsys.readouterr().err
    assert not settings.home.exists()


def test_the_status_shows_how_far_it_is(settings: Settings, embedder: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """And that the settings name another model."""
    fill(settings)

    def interrupt() -> None:
        raise KeyboardInterrupt

    embedder["second"] = Slow("of second", 2 * BATCH, interrupt)
    with pytest.raises(KeyboardInterrupt):
        reembed(settings, "second")
    status(settings)
    printed = capsys.readouterr().out
    assert f"{2 * BATCH} of {COUNT} by second" in printed
    assert "english, which the settings name" in printed
    reembed(settings, None)
    status(settings)
    printed = capsys.readouterr().out
    assert f"{COUNT} of {COUNT} by english" in printed
    assert "which the settings name" not in printed


def test_it_is_a_command(settings: Settings, embedder: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIDEMARK_HOME", str(settings.home))
    monkeypatch.chdir(tmp_path)
    fill(settings, 2)
    assert main(["reembed", "--model", "other"]) == 0
    assert digests(settings) == {"of other": 2}
    held = database(settings)
    with held.read() as uow:
        assert generations.present(uow, AGENT) == generations.Generation("other", "of other")
    held.close()
