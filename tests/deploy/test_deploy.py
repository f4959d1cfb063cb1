"""What is shipped for running Tidemark names only what exists, and keeps the promises of its README."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.names import KEYS_BY_NAME, SECRET_FILES
from config.settings import load_settings

TOP = Path(__file__).parents[2]
DEPLOY = TOP / "deploy"
TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"


def instructions() -> list[tuple[str, str]]:
    """Give the Dockerfile's instructions, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def last_stage() -> list[tuple[str, str]]:
    found = instructions()
    start = max(index for index, (name, _) in enumerate(found) if name == "FROM")
    return found[start:]


def copied() -> set[str]:
    """Give what the build takes from the repository."""
    sources: set[str] = set()
    for name, rest in instructions():
        if name == "COPY" and "--from" not in rest:
            sources.update(source.rstrip("/") for source in shlex.split(rest)[:-1])
    return sources


def packages() -> set[str]:
    project = tomllib.loads((TOP / "pyproject.toml").read_text())
    return set(project["tool"]["setuptools"]["packages"])


def compose() -> dict[str, Any]:
    loaded = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    assert isinstance(loaded, dict)
    return loaded


def unit() -> list[tuple[str, str]]:
    lines = (DEPLOY / "tidemark.service").read_text().splitlines()
    return [
        (line.partition("=")[0], line.partition("=")[2]) for line in lines if "=" in line and not line.startswith("#")
    ]


def test_every_package_is_copied_into_the_image():
    assert {package.partition(".")[0] for package in packages()} <= copied()


def test_every_folder_of_the_packages_is_a_package_that_gets_installed():
    """An editable install finds everything; an image finds only what the list names."""
    tops = {package.partition(".")[0] for package in packages()}
    found = {
        str(file.parent.relative_to(TOP)).replace("/", ".") for top in tops for file in (TOP / top).rglob("__init__.py")
    }
    assert found == packages()


@pytest.mark.parametrize(
    "name", ["requirements.lock", "pyproject.toml", "LICENSE", "bot", "config", "memory", "migrations"]
)
def test_what_the_image_copies_exists_and_is_let_through_by_its_ignore_file(name):
    assert name in copied()
    assert (TOP / name).exists()
    assert f"!{name}" in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()


def test_the_ignore_file_lets_exactly_the_copied_files_through():
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert {line[1:] for line in lines if line.startswith("!")} == copied()
    assert "*" in lines


def test_the_image_installs_by_hash_and_asks_no_index_for_the_rest():
    installs = [
        step for name, rest in instructions() if name == "RUN" for step in rest.split("&&") if "pip install" in step
    ]
    assert len(installs) == 2
    for step in installs:
        assert "--require-hashes" in step or ("--no-deps" in step and "--no-build-isolation" in step)
        assert "||" not in step, "a failed installation must fail the build"


def test_the_image_runs_as_a_numbered_user_and_reports_its_health_by_polling():
    stage = last_stage()
    users = [rest for name, rest in stage if name == "USER"]
    assert users[-1] == "10001:10001"
    assert next(rest for name, rest in stage if name == "HEALTHCHECK").endswith('CMD ["tidemark", "health"]')
    assert [rest for name, rest in stage if name == "ENTRYPOINT"] == ['["tidemark"]']


def test_the_image_holds_no_secret_and_sets_only_known_names():
    text = (DEPLOY / "Dockerfile").read_text()
    assert "TOKEN" not in text
    assert set(re.findall(r"TIDEMARK_\w+", text)) <= set(KEYS_BY_NAME)


def test_compose_passes_names_that_the_settings_take(tmp_path):
    """Its environment, with the secrets it mounts, loads; an unset variable says nothing."""
    service = compose()["services"]["tidemark"]
    environ = {name: re.sub(r"\$\{\w+:-\}", "", value) for name, value in service["environment"].items()}
    for secret, content in (("telegram_bot_token", TOKEN), ("model_api_key", "sk-x")):
        assert secret in service["secrets"]
        (tmp_path / secret).write_text(content)
    environ = {name: value.replace("/run/secrets", str(tmp_path)) for name, value in environ.items()}
    settings = load_settings(environ=environ, cwd=tmp_path)
    assert settings.telegram.token is not None
    assert settings.telegram.token.get_secret_value() == TOKEN
    assert settings.model.name == "offline"


def test_compose_closes_what_is_not_needed():
    service = compose()["services"]["tidemark"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["restart"] == "unless-stopped"
    assert service["volumes"] == ["data:/data"]
    assert "ports" not in service
    assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).resolve() == DEPLOY / "Dockerfile"
    assert int(service["stop_grace_period"].removesuffix("s")) > 20


def test_secrets_of_compose_stay_out_of_git():
    ignored = subprocess.run(
        ["git", "check-ignore", "-q", "deploy/secrets/telegram_bot_token"], cwd=TOP, check=False, capture_output=True
    )
    if ignored.returncode == 128:
        pytest.skip("not a git checkout")
    assert ignored.returncode == 0


def test_the_unit_sets_names_that_the_settings_take():
    names = {part.partition("=")[0] for key, value in unit() if key == "Environment" for part in shlex.split(value)}
    ours = {name for name in names if name.startswith(("TIDEMARK_", "TELEGRAM_"))}
    assert ours == {"TIDEMARK_HOME", "TELEGRAM_BOT_TOKEN_FILE"}
    assert ours <= set(KEYS_BY_NAME) | set(SECRET_FILES)


def test_the_unit_keeps_the_data_folder_and_closes_the_rest():
    settings = dict(unit())
    assert settings["StateDirectory"] == "tidemark"
    assert settings["StateDirectoryMode"] == "0700"
    assert settings["ProtectSystem"] == "strict"
    assert settings["NoNewPrivileges"] == "yes"
    assert settings["User"] not in {"", "root"}
    assert settings["RestartPreventExitStatus"] == "2"
    assert int(settings["TimeoutStopSec"]) > 20


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed here")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    """Verified with a program that exists here in place of the installed one."""
    text = (DEPLOY / "tidemark.service").read_text()
    there = tmp_path / "tidemark.service"
    there.write_text(text.replace("/opt/tidemark/venv/bin/tidemark run", sys.executable))
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(there)], check=False, capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout + result.stderr) == (0, "")


def test_the_readme_names_only_files_that_exist():
    text = (DEPLOY / "README.md").read_text()
    for name in re.findall(r"deploy/([\w.]+)", text):
        assert name in {"secrets", ".env"} or (DEPLOY / name).exists(), name
    for path in re.findall(r"\]\(([^)]+)\)", text):
        assert (DEPLOY / path).resolve().exists(), path
