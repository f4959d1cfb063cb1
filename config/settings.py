"""Settings: the packaged defaults, then the user's file, then ``.env``, then the environment; the last word counts.

The only reader of the environment.
"""

import os
import re
from collections.abc import Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from config.errors import SettingsError
from config.files import exists
from config.names import CONFIG_FILE, SECRET_KEYS, is_ours, regular_name
from config.schema import PACKAGED, Settings
from config.sources import ENVIRONMENT, Layer, described, environment_layer, read_dotenv, read_secret, toml_layer
from config.zones import machine_zone

__all__ = ["Settings", "SettingsError", "export_provider_keys", "load_settings"]

USER_FILE = "tidemark.toml"
_PROVIDER_SECRET_FILE = re.compile(r"[A-Z0-9_]+_(?:API_KEY|ACCESS_KEY_ID|SECRET_ACCESS_KEY|AUTH_TOKEN)_FILE")


def load_settings(
    *,
    environ: Mapping[str, str] | None = None,
    files: Sequence[Path] | None = None,
    cwd: Path | None = None,
) -> Settings:
    """Gather all settings. Relative paths count from ``cwd``; ``files`` takes the place of the search for the user's file.

    Raises:
        SettingsError: one line that names the source, the key, what is wrong and what would be right.
    """
    environ = os.environ if environ is None else environ
    cwd = Path.cwd() if cwd is None else cwd.absolute()
    dotenv = cwd / ".env"
    spoken = [
        environment_layer(read_dotenv(dotenv), cwd, str(dotenv)),
        environment_layer(environ, cwd),
    ]
    base = [Layer("this machine", {"timezone": machine_zone(environ)}), toml_layer(PACKAGED / USER_FILE)]
    if files is None:
        named = environ.get(CONFIG_FILE, "").strip() or read_dotenv(dotenv).get(CONFIG_FILE, "").strip()
        read = [toml_layer(cwd / Path(named).expanduser())] if named else _found_files(base, spoken, cwd)
    else:
        read = [toml_layer(path) for path in files]
    return _validated([*base, *read, *spoken], cwd)


def export_provider_keys(
    environ: MutableMapping[str, str] | None = None, *, cwd: Path | None = None
) -> tuple[str, ...]:
    """Put what ``.env`` and the providers' ``…_FILE`` variables hold into the environment, where litellm looks for it.

    What is there already stays. Gives the names that were added.

    Raises:
        SettingsError: a file cannot be read.
    """
    environ = os.environ if environ is None else environ
    cwd = Path.cwd() if cwd is None else cwd.absolute()
    dotenv = cwd / ".env"
    added = {name: value for name, value in read_dotenv(dotenv).items() if value and not is_ours(name)}
    for name, path in {**added, **environ}.items():
        if path and _PROVIDER_SECRET_FILE.fullmatch(name) and not is_ours(name):
            source = ENVIRONMENT if name in environ else str(dotenv)
            plain = name.removesuffix("_FILE")
            if not environ.get(plain):
                added[plain] = read_secret(cwd / path, source, name)
    added = {name: value for name, value in added.items() if not environ.get(name)}
    environ.update(added)
    return tuple(sorted(added))


def _found_files(base: Sequence[Layer], spoken: Sequence[Layer], cwd: Path) -> list[Layer]:
    """Read the user's file in the working folder and the one in the data folder; the latter is nearer to the data."""
    here = cwd / USER_FILE
    read = [toml_layer(here)] if exists(here) else []
    home = _home([*base, *read, *spoken], cwd)
    there = home / USER_FILE
    if exists(there) and there.resolve() != here.resolve():
        read.append(toml_layer(there))
        if _home([*base, *read, *spoken], cwd) != home:
            raise SettingsError(f'{there}: "home" cannot be set inside the data folder; set TIDEMARK_HOME')
    return read


def _home(layers: Sequence[Layer], cwd: Path) -> Path:
    """Give the absolute data folder that the layers agree on."""
    layer = next(layer for layer in reversed(layers) if "home" in layer.values)
    said = layer.values["home"]
    if not isinstance(said, str) or not said.strip() or not said.isprintable():
        raise SettingsError(
            f"{layer.source}: {layer.names['home']}{described(said, secret=False)} is no path of a folder"
        )
    try:
        return Path(os.path.normpath(cwd / Path(said.strip()).expanduser()))
    except RuntimeError as error:  # ~nobody-here
        raise SettingsError(f"{layer.source}: {layer.names['home']} = {said}: there is no such user") from error


def _validated(layers: Sequence[Layer], cwd: Path) -> Settings:
    merged: dict[str, tuple[Any, Layer]] = {}
    for layer in layers:
        merged |= {key: (value, layer) for key, value in layer.values.items()}
    merged["home"] = (_home(layers, cwd), merged["home"][1])
    try:
        settings = Settings(**_nested({key: value for key, (value, _) in merged.items()}))
    except ValidationError as error:
        raise SettingsError(_explained(error, {key: layer for key, (_, layer) in merged.items()})) from None
    settings._origins.update({key: layer.source for key, (_, layer) in merged.items()})  # noqa: SLF001 - made here
    return settings


def _nested(values: Mapping[str, Any]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        if section:
            tree.setdefault(section, {})[name] = value
        else:
            tree[name] = value
    return tree


def _explained(error: ValidationError, origins: Mapping[str, Layer]) -> str:
    """Give the first thing wrong in one line; the others come up when it is put right."""
    details = error.errors(include_url=False, include_context=False)
    first = details[0]
    key = next(k for k in (".".join(map(str, first["loc"][:n])) for n in (2, 1)) if k in origins)
    layer = origins[key]
    wrong = first["msg"].removeprefix("Value error, ").replace("Input should", "should")
    secret = key in SECRET_KEYS or key == "telegram.api_url"  # people paste the token with the address
    name = layer.names.get(key, regular_name(key))
    more = f" ({len(details) - 1} more)" if len(details) > 1 else ""
    return f"{layer.source}: {name}{described(first['input'], secret=secret)} {wrong}{more}"
