"""Settings come from four places, the last word counts, and every mistake is one line that helps."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from config.names import KEYS_BY_NAME
from config.schema import PACKAGED, dotted_keys
from config.settings import Settings, SettingsError, load_settings
from tests.config.loading import TOKEN, load, refusal


def value(settings: Settings, key: str) -> object:
    """Read a dotted key."""
    found: object = settings
    for name in key.split("."):
        found = getattr(found, name)
    return found


def test_an_empty_folder_and_a_clean_environment_give_a_working_offline_assistant(tmp_path):
    settings = load(tmp_path)
    assert settings.home == tmp_path / "data"
    assert (settings.model.name, settings.telegram.token, settings.owner_id) == ("offline", None, None)
    assert settings.telegram.api_url == "https://api.telegram.org"
    assert settings.persona()


def test_the_environment_overrides_dotenv_which_overrides_the_file_which_overrides_the_defaults(tmp_path):
    toml = '[model]\nname = "from-file"\nmax_output_tokens = 5\nidle_timeout_s = 7\n'
    settings = load(
        tmp_path,
        toml,
        "TIDEMARK_MODEL=from-dotenv\nTIDEMARK_MODEL_MAX_OUTPUT_TOKENS=6\n",
        TIDEMARK_MODEL="from-environment",
    )
    assert settings.model.name == "from-environment"
    assert settings.model.max_output_tokens == 6
    assert settings.model.idle_timeout_s == 7
    assert settings.model.total_timeout_s == 300


def test_each_value_knows_where_it_comes_from(tmp_path):
    settings = load(tmp_path, "owner_id = 7\n", "TIDEMARK_LOG_LEVEL=debug\n", TIDEMARK_MODEL="x")
    assert settings.origin("model.name") == "environment"
    assert settings.origin("log.level") == str(tmp_path / ".env")
    assert settings.origin("owner_id") == str(tmp_path / "tidemark.toml")
    assert settings.origin("agent").endswith("config/tidemark.toml")


def test_the_data_folders_file_overrides_the_working_folders(tmp_path):
    home = tmp_path / "elsewhere"
    home.mkdir()
    (home / "tidemark.toml").write_text('agent = "inner"\n')
    settings = load(tmp_path, 'home = "elsewhere"\nagent = "outer"\nowner_id = 7\n')
    assert (settings.agent, settings.owner_id) == ("inner", 7)


def test_a_file_in_the_data_folder_cannot_move_the_data_folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tidemark.toml").write_text('home = "elsewhere"\n')
    assert "TIDEMARK_HOME" in refusal(tmp_path)


def test_a_copy_of_the_packaged_file_works_wherever_a_users_file_may_stand(tmp_path):
    packaged = (PACKAGED / "tidemark.toml").read_text(encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tidemark.toml").write_text(packaged, encoding="utf-8")
    assert load(tmp_path, packaged) == load(tmp_path)


def test_a_named_file_is_the_only_one_read_and_must_exist(tmp_path):
    (tmp_path / "own.toml").write_text('agent = "named"\n')
    assert load(tmp_path, "owner_id = 7\n", TIDEMARK_CONFIG="own.toml").agent == "named"
    assert load(tmp_path, TIDEMARK_CONFIG="own.toml").owner_id is None
    assert "nowhere.toml" in refusal(tmp_path, TIDEMARK_CONFIG="nowhere.toml")


def test_files_handed_in_take_the_place_of_the_search(tmp_path):
    (tmp_path / "tidemark.toml").write_text('agent = "found"\n')
    given_file = tmp_path / "given.toml"
    given_file.write_text("owner_id = 9\n")
    settings = load_settings(environ={}, cwd=tmp_path, files=[given_file])
    assert (settings.agent, settings.owner_id) == ("tidemark", 9)


def test_every_key_stands_in_the_packaged_file_with_a_comment():
    """A reader finds every knob in one place, live or as a commented example."""
    lines = (PACKAGED / "tidemark.toml").read_text(encoding="utf-8").splitlines()
    section, seen = "", set()
    for line in lines:
        if line.startswith("["):
            section = line.strip("[]") + "."
        elif match := re.match(r"(?:# )?(\w+) = ", line):
            seen.add(section + match[1])
    assert seen == set(dotted_keys())


def test_every_key_can_be_set_by_its_own_variable(tmp_path):
    """TIDEMARK_SECTION_KEY works for each key, and the short names that scripts rely on mean the same."""
    samples = {
        "home": "h", "timezone": "Asia/Tokyo", "log.level": "ERROR", "telegram.token": TOKEN,
        "telegram.api_url": "http://127.0.0.1:1", "model.api_base": "http://127.0.0.1:2/v1",
    }  # fmt: skip
    for name, key in KEYS_BY_NAME.items():
        changed = load(tmp_path, **{name: samples.get(key, "1")})
        assert changed.origin(key) == "environment", name
        assert value(changed, key) != value(load(tmp_path), key), name


def test_an_empty_variable_says_nothing(tmp_path):
    """Compose files pass variables on that nobody has set."""
    assert load(tmp_path, TIDEMARK_MODEL="", TIDEMARK_OWNER_ID=" ", TELEGRAM_BOT_TOKEN_FILE="").model.name == "offline"


def test_two_names_of_one_key_may_agree_but_not_disagree(tmp_path):
    assert load(tmp_path, TIDEMARK_MODEL="a", TIDEMARK_MODEL_NAME="a").model.name == "a"
    line = refusal(tmp_path, TIDEMARK_MODEL="a", TIDEMARK_MODEL_NAME="b")
    assert "TIDEMARK_MODEL " in line
    assert "TIDEMARK_MODEL_NAME" in line


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("TIDEMARK_MODLE", "TIDEMARK_MODEL"),
        ("TIDEMARK_OWNER", "TIDEMARK_OWNER_ID"),
        ("TIDEMARK_TIME_ZONE", "TIDEMARK_TIMEZONE"),
        ("tidemark_model", "TIDEMARK_MODEL"),
        ("TIDEMARK_TELEGRAM_API", "TIDEMARK_TELEGRAM_API_URL"),
        ("TIDEMARK_MODEL_APIKEY", "TIDEMARK_MODEL_API_KEY"),
        ("TIDEMARK_REFLECTIONMODEL", "TIDEMARK_REFLECTION_MODEL"),
        ("TIDEMARK_RETENTION_TRANSCRIPT", "TIDEMARK_RETENTION_TRANSCRIPT_DAYS"),
        ("TIDEMARK_CONFIG_FILE", "TIDEMARK_CONFIG"),
        ("TIDEMARK_LOGLEVEL", "TIDEMARK_LOG_LEVEL"),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_right_name(tmp_path, name, meant):
    line = refusal(tmp_path, **{name: "x"})
    assert line == f'environment: {name} is not a setting; did you mean "{meant}"?'


@pytest.mark.parametrize(
    ("toml", "wrong", "meant"),
    [
        ('[model]\nnmae = "x"', "model.nmae", "model.name"),
        ("owner = 7", "owner", "owner_id"),
        ('token = "x"', "token", "telegram.token"),
        ('[telegram]\nbot_token = "x"', "telegram.bot_token", "telegram.token"),
        ('[bot]\ntoken = "x"', "bot", "telegram.token"),
        ('model = "gpt"', "model", "model.name"),
        ('TELEGRAM_BOT_TOKEN = "x"', "TELEGRAM_BOT_TOKEN", "telegram.token"),
        ('time-zone = "Europe/Berlin"', "time-zone", "timezone"),
        ("[retention]\ntranscripts_days = 3", "retention.transcripts_days", "retention.transcript_days"),
        ('[memory]\nmodel = "x"', "memory.model", "embedding.model"),
        ("[model.name]\nx = 1", "model.name", ""),
    ],
)
def test_an_unknown_key_of_a_file_is_refused_with_file_key_and_the_nearest_right_one(tmp_path, toml, wrong, meant):
    line = refusal(tmp_path, toml)
    assert line.startswith(f"{tmp_path / 'tidemark.toml'}: ")
    assert wrong in line
    assert meant in line


def test_what_is_no_toml_is_refused_with_its_line(tmp_path):
    line = refusal(tmp_path, 'agent = "a"\nmodel = = 3\n')
    assert "tidemark.toml: " in line
    assert "line 2" in line


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b'agent = "\xc3("\n', b"a" * 1_100_000])
def test_what_is_no_text_or_far_too_large_is_refused(tmp_path, content):
    (tmp_path / "tidemark.toml").write_bytes(content)
    assert "tidemark.toml: " in refusal(tmp_path)


@pytest.mark.parametrize(
    "toml",
    [
        "a = " + "[" * 50_000,
        "owner_id = " + "9" * 5000,
        "owner_id = 0x" + "f" * 5000,
        "[log]\nlevel = [0x" + "f" * 5000 + "]",
    ],
    ids=["nested", "decimal", "hexadecimal", "in a list"],
)
def test_what_strains_the_parser_is_refused_like_any_other_mistake(tmp_path, toml):
    assert "tidemark.toml: " in refusal(tmp_path, toml)


def test_a_file_saved_by_a_windows_editor_is_read(tmp_path):
    (tmp_path / "tidemark.toml").write_bytes('\ufeffagent = "b"\r\nowner_id = 5\r\n'.encode())
    (tmp_path / ".env").write_bytes("\ufeffTIDEMARK_LOG_LEVEL=error\r\n".encode())
    settings = load(tmp_path)
    assert (settings.agent, settings.owner_id, settings.log.level) == ("b", 5, "ERROR")


def test_secrets_are_masked_wherever_settings_are_shown(tmp_path):
    settings = load(tmp_path, TELEGRAM_BOT_TOKEN=TOKEN, TIDEMARK_MODEL_API_KEY="sk-secret")
    assert settings.telegram.token is not None
    assert settings.telegram.token.get_secret_value() == TOKEN
    for text in (str(settings), repr(settings), settings.model_dump_json(), str(settings.model_dump())):
        assert "AAHdqTcv" not in text
        assert "sk-secret" not in text


def test_settings_cannot_be_changed(tmp_path):
    settings = load(tmp_path)
    with pytest.raises(ValueError, match="frozen"):
        settings.owner_id = 3
    with pytest.raises(ValueError, match="frozen"):
        settings.model.name = "x"


def test_the_owners_persona_replaces_the_packaged_one_unless_it_is_blank(tmp_path):
    settings = load(tmp_path)
    packaged = settings.persona()
    settings.home.mkdir()
    (settings.home / "persona.md").write_text(" \n", encoding="utf-8")
    assert settings.persona() == packaged
    (settings.home / "persona.md").write_text("\ufeffDu bist Käpt'n Blaubär.\n", encoding="utf-8")
    assert settings.persona() == "Du bist Käpt'n Blaubär."


@pytest.mark.parametrize("content", [b"\xff\xfe", b"a" * 20_001])
def test_a_persona_that_is_no_text_or_endless_is_refused(tmp_path, content):
    settings = load(tmp_path)
    settings.home.mkdir()
    (settings.home / "persona.md").write_bytes(content)
    with pytest.raises(SettingsError, match=r"persona\.md"):
        settings.persona()


def test_a_data_folder_one_may_not_look_into_is_no_reason_to_crash(tmp_path, monkeypatch):
    """Settings load; that the folder is of no use is for the database to say."""

    def forbidden(self: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", forbidden)
    assert load(tmp_path, TIDEMARK_HOME="/root/secret").persona()


def line_of(**where: object) -> str:
    """Load, and give the refusal or nothing."""
    try:
        load_settings(**where)  # type: ignore[arg-type]
    except SettingsError as error:
        return str(error)
    return ""


@effort(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(KEYS_BY_NAME)), text=st.text(st.characters(exclude_characters="\0"), max_size=40))
def test_whatever_a_variable_holds_it_is_taken_or_refused_in_one_line(tmp_path_factory, name, text):
    line = line_of(environ={name: text}, cwd=tmp_path_factory.getbasetemp())
    assert line.isprintable()
    assert line.encode().startswith(b"environment: " if line else b"")


@effort(max_examples=60, deadline=None)
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_whatever_a_file_holds_it_is_taken_or_refused_in_one_line(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(content)
    line = line_of(environ={}, cwd=path.parent, files=[path])
    assert line.isprintable()
    assert line.startswith(f"{path}: " if line else "")
