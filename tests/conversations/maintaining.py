"""`tidemark maintain` as a process of its own, over the file of a world."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.conversations.world import ROOT, World


@asynccontextmanager
async def maintaining(here: World, *options: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Give a running `tidemark maintain` over the file of this world, with the built-in model."""
    environment = {"PATH": here.environment["PATH"], "HOME": str(here.home), "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "maintain", *options,
        cwd=here.home, env=environment | {"TIDEMARK_HOME": str(here.home / "data")},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def maintained(here: World, *options: str) -> tuple[int | None, str, str]:
    """Run `tidemark maintain` to its end; give status, output and errors."""
    async with maintaining(here, *options) as process:
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()
