"""A scripted language model over HTTP, for tests; see `server.ModelServer`."""

from tests.model_server.behaviours import Recorded, echo, keep_nothing, keep_statements
from tests.model_server.replies import Fail, Refuse, Reply, Say
from tests.model_server.server import ModelServer

__all__ = ["Fail", "ModelServer", "Recorded", "Refuse", "Reply", "Say", "echo", "keep_nothing", "keep_statements"]
