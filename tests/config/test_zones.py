"""The machine's own zone is found, and nothing that is no zone passes for one."""

from pathlib import Path

import pytest

from config.zones import is_zone, machine_zone

NOWHERE = Path("/nonexistent/zone")


def test_the_tz_variable_goes_first(tmp_path):
    assert machine_zone({"TZ": ":Asia/Tokyo"}, localtime=NOWHERE, timezone=NOWHERE) == "Asia/Tokyo"


def test_a_tz_that_is_no_zone_is_passed_over_for_the_link(tmp_path):
    link = tmp_path / "localtime"
    link.symlink_to("/usr/share/zoneinfo/Europe/Lisbon")
    assert machine_zone({"TZ": "CET-1CEST"}, localtime=link, timezone=NOWHERE) == "Europe/Lisbon"


def test_a_copied_localtime_leaves_the_written_name(tmp_path):
    (tmp_path / "localtime").write_bytes(b"TZif2")
    (tmp_path / "timezone").write_text("America/Lima\n")
    assert machine_zone({}, localtime=tmp_path / "localtime", timezone=tmp_path / "timezone") == "America/Lima"


def test_a_machine_that_does_not_say_is_in_utc(tmp_path):
    (tmp_path / "timezone").write_bytes(b"\xff\xfe")
    assert machine_zone({}, localtime=NOWHERE, timezone=tmp_path / "timezone") == "UTC"


@pytest.mark.parametrize(
    "name", ["", ".", "Europe", "../etc/passwd", "/etc/localtime", "a\0b", "Mars/Olympus", "\ud800", "x" * 5000]
)
def test_what_is_no_zone_is_none(name):
    assert not is_zone(name)
