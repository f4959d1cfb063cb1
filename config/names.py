"""What each setting is called in the environment, and which name was probably meant."""

import difflib
from collections.abc import Mapping

from config.schema import dotted_keys

SECRET_KEYS = frozenset({"telegram.token", "model.api_key"})

_SHORT = {
    "telegram.token": "TELEGRAM_BOT_TOKEN",
    "telegram.api_url": "TELEGRAM_API_URL",
    "model.name": "TIDEMARK_MODEL",
    "model.reflection_name": "TIDEMARK_REFLECTION_MODEL",
}
"""Names that scripts rely on, beside the regular ``TIDEMARK_SECTION_KEY``."""

CONFIG_FILE = "TIDEMARK_CONFIG"
"""Names the user's file; no setting itself."""

MISNOMERS = {
    "TELEGRAM_TOKEN": "TELEGRAM_BOT_TOKEN",
    "TELEGRAM_API_TOKEN": "TELEGRAM_BOT_TOKEN",
    "TELEGRAM_BOT_API_TOKEN": "TELEGRAM_BOT_TOKEN",
    "TELEGRAM_API_BASE": "TELEGRAM_API_URL",
    "TELEGRAM_BASE_URL": "TELEGRAM_API_URL",
    "TELEGRAM_API_ROOT": "TELEGRAM_API_URL",
}
"""What other bots call these. Refused in `.env`, which is ours; the environment belongs to every program."""


def regular_name(key: str) -> str:
    """Give the name that follows from the key: ``model.api_base`` is ``TIDEMARK_MODEL_API_BASE``."""
    return f"TIDEMARK_{key.replace('.', '_').upper()}"


KEYS_BY_NAME: Mapping[str, str] = {regular_name(key): key for key in dotted_keys()} | {
    name: key for key, name in _SHORT.items()
}
"""From a name in the environment to the key it sets."""

SECRET_FILES: Mapping[str, str] = {f"{name}_FILE": name for name, key in KEYS_BY_NAME.items() if key in SECRET_KEYS}
"""From the name of a variable that holds a path to the one whose value the file holds."""


def is_ours(name: str) -> bool:
    """Say whether a variable is meant for Tidemark."""
    return name in KEYS_BY_NAME or name in SECRET_FILES or name.upper().startswith("TIDEMARK_")


def nearest_name(name: str) -> str | None:
    """Give the variable that ``name`` probably means."""
    known = [*KEYS_BY_NAME, *SECRET_FILES, CONFIG_FILE]
    return _nearest(name.upper(), {candidate: candidate for candidate in known})


def nearest_key(dotted: str) -> str | None:
    """Give the key of a file that ``dotted`` probably means, also when it stands in the wrong section."""
    keys = dotted_keys()
    wanted = dotted.lower().replace("-", "_")
    names = {name.lower(): key for name, key in KEYS_BY_NAME.items()}
    leaf = wanted.rpartition(".")[2]
    if leaf in names:
        return names[leaf]
    leaves = [key for key in keys if key.rpartition(".")[2] == leaf]
    if leaves:
        return max(leaves, key=lambda key: difflib.SequenceMatcher(None, wanted, key).ratio())
    return _nearest(wanted, {key: key for key in keys}) or _nearest(
        leaf, names | {key.rpartition(".")[2]: key for key in keys}
    )


def _nearest(wanted: str, candidates: Mapping[str, str]) -> str | None:
    close = difflib.get_close_matches(wanted, candidates, n=1, cutoff=0.6)
    return candidates[close[0]] if close else None


def did_you_mean(near: str | None) -> str:
    """Give the end of a sentence about an unknown name."""
    return f'; did you mean "{near}"?' if near else "; config/tidemark.toml lists what there is"
