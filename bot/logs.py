"""Logging: one line an event, to standard error; no message texts, no secrets.

Libraries' records pass the same way. httpx tells every URL at INFO, and a Bot API URL holds the token: it is kept at
WARNING, and whatever looks like a token is masked wherever it turns up, tracebacks included.
"""

import logging
import re
import sys
from collections.abc import Sequence
from typing import Any

import structlog

_TOKEN = re.compile(
    r"(?<!\d)\d{6,12}(?::|%3A)[A-Za-z0-9_-]{30,}"  # a bot's; in a URL it follows the letters "bot"
    r"|\b(?:(?:sk|pk|rk|xai|nvapi)-|(?:gsk|hf|r8)_)[A-Za-z0-9_-]{16,}|\bAIza[A-Za-z0-9_-]{30,}"  # model providers'
    r"|(?<=Bearer )\S+",
    re.IGNORECASE,
)
QUIET = ("httpx", "httpcore", "telegram", "LiteLLM", "litellm", "openai", "alembic", "asyncio", "urllib3", "filelock")


def configure(level: str = "INFO", secrets: Sequence[str] = ()) -> None:
    """Send everything to standard error at ``level``; ``secrets`` never appear."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    render: list[Any] = [structlog.processors.format_exc_info, structlog.dev.ConsoleRenderer(colors=False)]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render, Mask(secrets)],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


class Mask:
    """The last step of every line: what must not be seen becomes ``***``."""

    def __init__(self, secrets: Sequence[str]) -> None:
        known = [re.escape(secret) for secret in secrets if len(secret) >= 6]
        self._known = re.compile("|".join(known)) if known else None

    def __call__(self, _logger: Any, _method: str, line: Any) -> str:
        """Give the rendered line without secrets."""
        text = _TOKEN.sub("***", str(line))
        return self._known.sub("***", text) if self._known else text
