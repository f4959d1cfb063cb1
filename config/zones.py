"""Names of time zones: is this one, what was probably meant, and which one is this machine's."""

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

_LOCALTIME = Path("/etc/localtime")
_TIMEZONE = Path("/etc/timezone")


def is_zone(name: str) -> bool:
    """Say whether ``name`` is an IANA time zone that this machine or the tzdata package knows."""
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # no such key, a path that leaves the folder, a folder
        return False
    return True


def nearest_zone(name: str) -> str | None:
    """Give the zone that ``name`` probably means: other letter case, a blank for ``_``, the city alone, a typing error."""
    if re.search(r"[+-]\d", name):
        return None  # an offset, not a misspelt place: no zone is near it
    wanted = name.strip().replace(" ", "_").casefold()
    zones = {zone.casefold(): zone for zone in sorted(available_timezones())}
    cities = {zone.rpartition("/")[2].casefold(): zone for zone in sorted(available_timezones()) if "/" in zone}
    for names in (zones, cities):
        if wanted in names:
            return names[wanted]
    for names in (zones, cities):
        if close := difflib.get_close_matches(wanted, names, n=1, cutoff=0.75):
            return names[close[0]]
    return None


def machine_zone(environ: Mapping[str, str], *, localtime: Path = _LOCALTIME, timezone: Path = _TIMEZONE) -> str:
    """Give the zone this machine is set to, or ``UTC`` where it does not say."""
    for name in (environ.get("TZ", "").removeprefix(":"), _linked(localtime), _written(timezone)):
        if name and is_zone(name):
            return name
    return "UTC"


def _linked(localtime: Path) -> str:
    """Read the name out of the link that most systems keep."""
    return os.path.realpath(localtime).partition("zoneinfo/")[2]


def _written(timezone: Path) -> str:
    try:
        return timezone.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
