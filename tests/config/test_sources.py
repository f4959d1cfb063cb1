"""Secrets may stand in files, `.env` is read as it is written, and providers' keys reach the environment."""

from pathlib import Path

import pytest

from config.settings import SettingsError, export_provider_keys, load_settings
from tests.config.loading import TOKEN


def test_a_secrets_file_gives_its_one_line(tmp_path):
    (tmp_path / "token").write_text(TOKEN + "\n")
    (tmp_path / "key").write_text("sk-1$x\r\n")
    settings = load_settings(
        environ={"TELEGRAM_BOT_TOKEN_FILE": str(tmp_path / "token"), "TIDEMARK_MODEL_API_KEY_FILE": "key"}, cwd=tmp_path
    )
    assert settings.telegram.token is not None
    assert settings.telegram.token.get_secret_value() == TOKEN
    assert settings.model.api_key is not None
    assert settings.model.api_key.get_secret_value() == "sk-1$x"


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "empty"), (b"\n \n", "empty"), (b"a\nb", "one line"), (b"\xff", "UTF-8"), (b"a" * 20_000, "large")],
)
def test_a_secrets_file_that_holds_no_single_line_is_refused_by_variable_and_path(tmp_path, content, says):
    (tmp_path / "token").write_bytes(content)
    with pytest.raises(SettingsError, match=f"environment: TELEGRAM_BOT_TOKEN_FILE: .*token.*{says}"):
        load_settings(environ={"TELEGRAM_BOT_TOKEN_FILE": "token"}, cwd=tmp_path)


def test_a_missing_secrets_file_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(environ={"TELEGRAM_BOT_TOKEN_FILE": "nowhere"}, cwd=tmp_path)


def test_a_secret_and_its_file_that_disagree_are_refused_without_showing_either(tmp_path):
    (tmp_path / "token").write_text("123456789:other")
    with pytest.raises(SettingsError) as caught:
        load_settings(environ={"TELEGRAM_BOT_TOKEN": TOKEN, "TELEGRAM_BOT_TOKEN_FILE": "token"}, cwd=tmp_path)
    assert "TELEGRAM_BOT_TOKEN_FILE" in str(caught.value)
    assert "AAHd" not in str(caught.value)
    assert "other" not in str(caught.value)


def dotenv(tmp_path: Path, content: str) -> None:
    (tmp_path / ".env").write_text(content, encoding="utf-8")


def test_dotenv_takes_quotes_comments_and_export_and_expands_nothing(tmp_path):
    dotenv(
        tmp_path,
        f"# mine\nexport TELEGRAM_BOT_TOKEN='{TOKEN}' # here\nTIDEMARK_MODEL_API_KEY=a$HOME${{X}}\nTIDEMARK_MODEL\n",
    )
    settings = load_settings(environ={}, cwd=tmp_path)
    assert settings.telegram.token is not None
    assert settings.telegram.token.get_secret_value() == TOKEN
    assert settings.model.api_key is not None
    assert settings.model.api_key.get_secret_value() == "a$HOME${X}"
    assert settings.model.name == "offline"


def test_dotenv_refuses_a_line_it_cannot_read_and_says_which(tmp_path):
    dotenv(tmp_path, "TIDEMARK_AGENT=a\n'broken\n")
    with pytest.raises(SettingsError, match="line 2"):
        load_settings(environ={}, cwd=tmp_path)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("TIDEMARK_MODLE=x", "TIDEMARK_MODEL"),
        ("TELEGRAM_TOKEN=x", "TELEGRAM_BOT_TOKEN"),
        ("TELEGRAM_API_BASE=x", "TELEGRAM_API_URL"),
    ],
)
def test_dotenv_refuses_a_misspelt_setting_and_what_other_bots_call_it(tmp_path, line, meant):
    dotenv(tmp_path, line)
    with pytest.raises(SettingsError, match=f'\\.env: .*did you mean "{meant}"'):
        load_settings(environ={}, cwd=tmp_path)


def test_other_programs_variables_are_none_of_our_business(tmp_path):
    dotenv(tmp_path, "TELEGRAM_API_ID=7\nPOSTGRES_HOST=x\n")
    assert load_settings(environ={"TELEGRAM_TOKEN": "x", "TIDE": "y"}, cwd=tmp_path).telegram.token is None


def test_dotenv_may_name_the_users_file_and_the_data_folder(tmp_path):
    dotenv(tmp_path, "TIDEMARK_CONFIG=own.toml\nTIDEMARK_HOME=/srv/../srv/tide\n")
    (tmp_path / "own.toml").write_text('agent = "named"\n')
    settings = load_settings(environ={}, cwd=tmp_path)
    assert (settings.agent, settings.home) == ("named", Path("/srv/tide"))


def test_provider_keys_of_dotenv_reach_the_environment_and_ours_do_not(tmp_path):
    dotenv(
        tmp_path,
        f"OPENAI_API_KEY=sk-a\nOLLAMA_API_BASE=http://h\nTELEGRAM_BOT_TOKEN={TOKEN}\nTIDEMARK_MODEL=m\nEMPTY=\n",
    )
    environ: dict[str, str] = {}
    assert export_provider_keys(environ, cwd=tmp_path) == ("OLLAMA_API_BASE", "OPENAI_API_KEY")
    assert environ == {"OPENAI_API_KEY": "sk-a", "OLLAMA_API_BASE": "http://h"}


def test_a_key_that_is_in_the_environment_already_stays(tmp_path):
    dotenv(tmp_path, "OPENAI_API_KEY=from-dotenv\nGROQ_API_KEY=from-dotenv\n")
    environ = {"OPENAI_API_KEY": "mine", "OPENAI_API_KEY_FILE": "not-even-read", "GROQ_API_KEY": ""}
    assert export_provider_keys(environ, cwd=tmp_path) == ("GROQ_API_KEY",)
    assert environ["OPENAI_API_KEY"] == "mine"
    assert environ["GROQ_API_KEY"] == "from-dotenv"


def test_a_providers_key_may_stand_in_a_file(tmp_path):
    (tmp_path / "k").write_text("sk-file\n")
    dotenv(tmp_path, "ANTHROPIC_API_KEY_FILE=k\n")
    environ = {"OPENAI_API_KEY_FILE": str(tmp_path / "k"), "AWS_WEB_IDENTITY_TOKEN_FILE": "/somewhere"}
    export_provider_keys(environ, cwd=tmp_path)
    assert environ["OPENAI_API_KEY"] == environ["ANTHROPIC_API_KEY"] == "sk-file"
    assert "AWS_WEB_IDENTITY_TOKEN" not in environ


def test_a_providers_key_file_that_is_missing_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="OPENAI_API_KEY_FILE"):
        export_provider_keys({"OPENAI_API_KEY_FILE": "nowhere"}, cwd=tmp_path)
