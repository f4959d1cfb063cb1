"""Each kind of value is taken in the forms people write, and refused in one line that says what it should be."""

import pytest

from tests.config.loading import TOKEN, load, refusal


@pytest.mark.parametrize(
    ("toml", "key", "says"),
    [
        ("[model]\nmax_output_tokens = true", "model.max_output_tokens", "number"),
        ('[model]\nmax_output_tokens = "many"', "model.max_output_tokens", "integer"),
        ("[model]\nmax_output_tokens = 1.5", "model.max_output_tokens", "integer"),
        ("[model]\nmax_output_tokens = [1]", "model.max_output_tokens", "integer"),
        ("[model]\nmax_output_tokens = -1", "model.max_output_tokens", "greater"),
        ("[model]\ntemperature = inf", "model.temperature", "should be"),
        ("[model]\nname = 3", "model.name", "text"),
        ('[model]\nname = ""', "model.name", "empty"),
        ('[model]\nname = "a\\u0000b"', "model.name", "control"),
        ('[model]\nfallbacks = ["a", 3]', "model.fallbacks", "text"),
        ("[model]\nfallbacks = 3", "model.fallbacks", "list"),
        ('[model]\napi_base = "localhost:11434"', "model.api_base", "http://"),
        ('[log]\nlevel = "loud"', "log.level", "WARNING"),
        ('agent = "My Agent"', "agent", "a-z"),
        ("timezone = 3", "timezone", "text"),
        ('timezone = "UTC+2"', "timezone", "Europe/Berlin"),
        ("home = 3", "home", "path"),
        ('home = "a\\u0000b"', "home", "path"),
        ('home = "~nobody-of-that-name/x"', "home", "user"),
        ("[maintenance]\ndaily_tokens = -1", "maintenance.daily_tokens", "greater"),
        ("[maintenance]\ndaily_tokens = true", "maintenance.daily_tokens", "number"),
        ('[maintenance]\ndaily_tokens = "many"', "maintenance.daily_tokens", "integer"),
        ("[maintenance]\ndaily_tokens = 100_000_001", "maintenance.daily_tokens", "less"),
        ("[retention]\ninbox_days = 0", "retention.inbox_days", "greater"),
        ("[retention]\ninbox_days = 2026-01-01", "retention.inbox_days", "integer"),
    ],
)
def test_a_wrong_value_is_refused_with_file_key_and_what_it_should_be(tmp_path, toml, key, says):
    line = refusal(tmp_path, toml)
    assert line.startswith(f"{tmp_path / 'tidemark.toml'}: {key} = ")
    assert says in line.split(" = ", 1)[1]


def test_maintenance_may_be_given_nothing_to_ask_with(tmp_path):
    assert load(tmp_path, "[maintenance]\ndaily_tokens = 0").maintenance.daily_tokens == 0


@pytest.mark.parametrize(
    "written", ["owner_id = 4503599627370495", 'owner_id = "4503599627370495"', 'owner_id = " 4503599627370495 "']
)
def test_an_id_may_be_written_as_number_or_text(tmp_path, written):
    assert load(tmp_path, written).owner_id == 4503599627370495


@pytest.mark.parametrize(
    "written", ["true", "1.0", "-100123", "0", '"@anna"', '"12 34"', '"١٢٣"', "99999999999999999999", '"1e5"', "[7]"]
)
def test_what_is_no_persons_id_is_refused(tmp_path, written):
    assert "owner_id = " in refusal(tmp_path, f"owner_id = {written}")


@pytest.mark.parametrize(
    ("zone", "meant"),
    [
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("America/New York", "America/New_York"),
        ("Europe/Berlim", "Europe/Berlin"),
    ],
)
def test_a_misspelt_zone_is_refused_with_the_one_that_was_meant(tmp_path, zone, meant):
    assert refusal(tmp_path, TIDEMARK_TIMEZONE=zone).endswith(f'did you mean "{meant}"?')


@pytest.mark.parametrize(
    ("pasted", "right"),
    [
        (f"https://api.telegram.org/bot{TOKEN}", "https://api.telegram.org"),
        (f"https://api.telegram.org/bot{TOKEN}/getMe", "https://api.telegram.org"),
        (f"https://api.telegram.org/file/bot{TOKEN}/photo.jpg", "https://api.telegram.org"),
        (f"https://me:{TOKEN}@host:8081/tg//bot{TOKEN}/getUpdates?offset=3", "https://host:8081/tg"),
        (f"https://api.telegram.org/bot{TOKEN.replace(':', '%3A')}/getMe", "https://api.telegram.org"),
        ("http://127.0.0.1:8081/bot", "http://127.0.0.1:8081"),
        ("http://127.0.0.1:8081/bot/", "http://127.0.0.1:8081"),
        ("https://api.telegram.org/bot<token>/METHOD_NAME", "https://api.telegram.org"),
        ("https://api.telegram.org/bot{token}", "https://api.telegram.org"),
    ],
)
def test_a_pasted_full_bot_url_is_refused_with_the_right_form_and_without_the_token(tmp_path, pasted, right):
    line = refusal(tmp_path, TELEGRAM_API_URL=pasted)
    assert f'"{right}"' in line
    assert "TELEGRAM_BOT_TOKEN" in line
    assert "AAHdqTcv" not in line


@pytest.mark.parametrize(
    "url",
    [
        TOKEN,
        "127.0.0.1:8081",
        "ftp://host",
        "http://",
        "http://host:port",
        "http://[::1",
        "http://h/?a=1",
        "http://h h/",
    ],
)
def test_what_is_no_server_address_is_refused_without_repeating_it(tmp_path, url):
    line = refusal(tmp_path, TELEGRAM_API_URL=url)
    assert "http" in line
    assert "AAHdqTcv" not in line


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8081", "http://127.0.0.1:8081/", "https://host/botany//", "http://[::1]:8081/"]
)
def test_a_server_address_loses_only_its_last_slash(tmp_path, url):
    assert load(tmp_path, TELEGRAM_API_URL=url).telegram.api_url == url.rstrip("/")


@pytest.mark.parametrize(
    "pasted", [f"bot{TOKEN}", f"'{TOKEN}'", "AAHdqTcvCH1vGWJx", f"{TOKEN} # mine", f"{TOKEN}/getMe"]
)
def test_a_token_of_the_wrong_form_is_refused_and_not_repeated(tmp_path, pasted):
    line = refusal(tmp_path, TELEGRAM_BOT_TOKEN=pasted)
    assert "@BotFather" in line
    assert "AAHdqTcv" not in line


def test_a_token_pasted_into_another_key_is_not_repeated(tmp_path):
    assert "AAHdqTcv" not in refusal(tmp_path, TIDEMARK_OWNER_ID=TOKEN)
    assert "AAHdqTcv" not in refusal(tmp_path, f"[model]\ncontext_tokens = '{TOKEN}'")
    assert "AAHdqTcv" not in refusal(tmp_path, f"[telegram]\ntoken = ['{TOKEN}']")
