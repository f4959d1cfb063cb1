"""The places settings come from. Each becomes a `Layer`: keys, values, and what to call them in an error."""

import io
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dotenv.parser import parse_stream

from config.errors import SettingsError, shown
from config.files import exists, read_text
from config.names import (
    CONFIG_FILE,
    KEYS_BY_NAME,
    MISNOMERS,
    SECRET_FILES,
    did_you_mean,
    is_ours,
    nearest_key,
    nearest_name,
)
from config.schema import dotted_keys

ENVIRONMENT = "environment"
_LARGEST_SECRET_BYTES = 16_384
_KEYS = frozenset(dotted_keys())
_SECTIONS = frozenset(key.partition(".")[0] for key in _KEYS if "." in key)


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source says. ``names`` has each key as the source spells it."""

    source: str
    values: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


def toml_layer(path: Path) -> Layer:
    """Read a file of settings.

    Raises:
        SettingsError: it cannot be read, is no TOML, or holds a key that does not exist.
    """
    try:
        table = tomllib.loads(read_text(path))
    except RecursionError as error:
        raise SettingsError(f"{path}: is nested too deeply") from error
    except ValueError as error:  # beside its own kind, what Python says of numbers of thousands of digits
        raise SettingsError(f"{path}: is not valid TOML: {error}") from error
    values = dict(_flat(path, table))
    return Layer(str(path), values, {key: key for key in values})


def environment_layer(environ: Mapping[str, str], cwd: Path, source: str = ENVIRONMENT) -> Layer:
    """Take what variables say; an empty one says nothing. Secrets may stand in a file that ``NAME_FILE`` names.

    Raises:
        SettingsError: an unknown name, two names that disagree, a secret's file that cannot be read.
    """
    values: dict[str, str] = {}
    names: dict[str, str] = {}
    for name, value in _said(environ, cwd, source):
        key = KEYS_BY_NAME[SECRET_FILES.get(name, name)]
        if key in values and values[key] != value:
            raise SettingsError(f"{source}: {names[key]} and {name} both set {key}, to different values; keep one")
        values[key] = value
        names[key] = name
    return Layer(source, values, names)


def read_dotenv(path: Path) -> dict[str, str]:
    """Read a file of ``NAME=value`` lines; nothing in it is expanded, so that a key may hold a ``$``.

    Raises:
        SettingsError: it cannot be read, a line is none of that kind, or a name is what other bots call ours.
    """
    if not exists(path):
        return {}
    variables: dict[str, str] = {}
    for binding in parse_stream(io.StringIO(read_text(path))):
        if binding.error:
            raise SettingsError(f"{path}: line {binding.original.line} is not of the form NAME=value")
        if binding.key in MISNOMERS:
            raise SettingsError(f"{path}: {binding.key} is not a setting{did_you_mean(MISNOMERS[binding.key])}")
        if binding.key and binding.value is not None:
            variables[binding.key] = binding.value
    return variables


def read_secret(path: Path, source: str, name: str) -> str:
    """Give the one line that a secret's file holds.

    Raises:
        SettingsError: it cannot be read, is empty, or holds more than a line.
    """
    text = read_text(path, f"{source}: {name}", _LARGEST_SECRET_BYTES).strip()
    if not text:
        raise SettingsError(f"{source}: {name}: the file {path} is empty")
    if len(text.splitlines()) > 1:
        raise SettingsError(f"{source}: {name}: the file {path} should hold one line, the secret")
    return text


def _said(environ: Mapping[str, str], cwd: Path, source: str) -> Iterator[tuple[str, str]]:
    """Give the variables that are settings, contents in place of paths."""
    for name in sorted(filter(is_ours, environ)):
        value = environ[name].strip()
        if name != CONFIG_FILE and name not in KEYS_BY_NAME and name not in SECRET_FILES:
            raise SettingsError(f"{source}: {name} is not a setting{did_you_mean(nearest_name(name))}")
        if value and name in SECRET_FILES:
            yield name, read_secret(cwd / value, source, name)
        elif value and name != CONFIG_FILE:
            yield name, value


def _flat(path: Path, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if name in _SECTIONS and isinstance(value, Mapping):
            yield from ((_known(path, f"{name}.{inner}"), deep) for inner, deep in value.items())
        elif name in _SECTIONS:
            raise SettingsError(f'{path}: "{name}" is a section{did_you_mean(_first_key(name))}')
        elif isinstance(value, Mapping):
            raise SettingsError(f'{path}: there is no section "{name}"{_meant_in(name, value)}')
        else:
            yield _known(path, name), value


def _known(path: Path, key: str) -> str:
    if key not in _KEYS:
        raise SettingsError(f'{path}: unknown key "{key}"{did_you_mean(nearest_key(key))}')
    return key


def _first_key(section: str) -> str:
    """Give the key that a value right under a section's name is most likely for."""
    return next(key for key in dotted_keys() if key.startswith(f"{section}."))


def _meant_in(section: str, table: Mapping[str, Any]) -> str:
    """Guess by the first key under a section that does not exist."""
    return did_you_mean(nearest_key(".".join((section, *list(table)[:1]))))


def described(value: object, *, secret: bool) -> str:
    """Give the part of an error that shows a value; nothing of a secret."""
    return "" if secret else f" = {shown(value)}"
