"""Parameters of a call, whatever way they came: query, form, multipart or JSON."""

import json
from typing import Any

from tests.telegram_server.refusal import Json, bad_request


class Params:
    """Typed reading of one call's parameters. Strings hold JSON where Telegram wants an object or a list."""

    def __init__(self, values: Json) -> None:
        self.values = values

    def text(self, name: str) -> str:
        """Give a string, empty if absent."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int | None:
        """Give an integer, None if absent; what is no number counts as absent, as with Telegram."""
        try:
            return int(self.text(name))
        except ValueError:
            return None

    def flag(self, name: str) -> bool:
        """Give a boolean, False if absent."""
        return self.text(name).lower() in {"true", "1", "yes"}

    def object(self, name: str) -> Json | None:
        """Give an object, None if absent."""
        value = self._json(name, "object")
        if value is not None and not isinstance(value, dict):
            raise bad_request(f"object expected as {name.replace('_', ' ')}")
        return value

    def array(self, name: str) -> list[Any] | None:
        """Give a list, None if absent."""
        value = self._json(name, "array")
        if value is not None and not isinstance(value, list):
            raise bad_request(f"expected an Array of {name.replace('_', ' ')}")
        return value

    def _json(self, name: str, kind: str) -> Any:
        value = self.values.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value) if value else None
        except ValueError:
            raise bad_request(f"can't parse {name.replace('_', ' ')} JSON {kind}") from None
