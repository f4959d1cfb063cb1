"""The server as a process: prints its address and the token as one line of JSON, and runs until it is stopped."""

import argparse
import asyncio
import contextlib
import json
import signal

from tests.telegram_server.server import TelegramServer


async def serve(port: int, token: str | None) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with TelegramServer(port=port, token=token) as server:
        print(json.dumps({"url": server.url, "token": server.token}), flush=True)
        await stop.wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m tests.telegram_server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--token", help="the bot's token; a made-up one by default")
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.port, arguments.token))


if __name__ == "__main__":
    main()
