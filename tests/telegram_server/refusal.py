"""How the server says no."""

from typing import Any

Json = dict[str, Any]

PREFIXES = {
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
}


class Refusal(Exception):
    """An answer that is not ``ok``: HTTP status, description and, for some, parameters."""

    def __init__(self, status: int, reason: str = "", **parameters: int) -> None:
        prefix = PREFIXES.get(status, "Error")
        self.status = status
        self.description = f"{prefix}: {reason}" if reason else prefix
        self.parameters = parameters
        super().__init__(self.description)

    def json(self) -> Json:
        """Give the body that Telegram sends with it."""
        body: Json = {"ok": False, "error_code": self.status, "description": self.description}
        return body | ({"parameters": self.parameters} if self.parameters else {})


class Unauthorized(Refusal):
    """The token is not this bot's."""

    def __init__(self) -> None:
        super().__init__(401)
        self.description = "Unauthorized"


def bad_request(reason: str) -> Refusal:
    """Give a 400 with this reason, to be raised."""
    return Refusal(400, reason)


def too_many_requests(retry_after: int) -> Refusal:
    """Give a 429 that asks for a pause of so many seconds, to be raised."""
    return Refusal(429, f"retry after {retry_after}", retry_after=retry_after)
