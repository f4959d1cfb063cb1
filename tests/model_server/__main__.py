"""The scripted model as a process: ``python -m tests.model_server --port N --script FILE.json``.

Prints the base URL when it serves; ``--port 0`` takes a free one. ``GET /control/requests`` shows what was asked,
``POST /control/script`` takes a script like the file's.
"""

import argparse
import asyncio
import contextlib
import json
import signal
from pathlib import Path
from typing import Any

from tests.model_server.server import ModelServer


async def serve(port: int, script: dict[str, Any]) -> None:
    """Serve until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    async with ModelServer(port) as server:
        server.load(script)
        print(server.url, flush=True)
        await stop.wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    options = parser.parse_args()
    script = json.loads(options.script.read_text(encoding="utf-8")) if options.script else {}
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(options.port, script))


if __name__ == "__main__":
    main()
