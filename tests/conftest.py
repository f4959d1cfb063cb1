"""For all tests. Hypothesis plays the same examples in every run, so that green means green twice in a row.

``HYPOTHESIS_PROFILE=searching`` looks for new ones, ten times as many.
"""

import os

import structlog
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# Tracebacks as the assistant writes them: by default structlog draws them with every value, a third of a second each.
_plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
structlog.configure(processors=[*structlog.get_config()["processors"][:-1], _plain])
