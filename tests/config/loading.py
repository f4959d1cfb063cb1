"""Loading settings in a folder of its own, for the tests of what is taken and what is refused."""

from pathlib import Path

import pytest

from config.settings import Settings, SettingsError, load_settings

TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"


def load(tmp_path: Path, toml: str | None = None, dotenv: str | None = None, **environ: str) -> Settings:
    """Load from a folder of its own that nothing else speaks into."""
    if toml is not None:
        (tmp_path / "tidemark.toml").write_text(toml, encoding="utf-8")
    if dotenv is not None:
        (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
    return load_settings(environ=environ, cwd=tmp_path)


def refusal(tmp_path: Path, toml: str | None = None, dotenv: str | None = None, **environ: str) -> str:
    """Give the line that refuses; a test fails when nothing is refused."""
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, toml, dotenv, **environ)
    line = str(caught.value)
    assert "\n" not in line
    assert line.isprintable()
    return line
