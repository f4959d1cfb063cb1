"""What a person waits for and what a small machine pays: start-up, turn overhead, resident memory. ``make bench``.

Each figure stands beside a floor measured in the same run, since machines differ: for the start the bare imports, for
a turn one embedding and one commit, for memory a process that has loaded nothing but the two big libraries.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bot import delivery
from bot.incoming import ChatKind, Incoming, Speaker
from bot.turn import take_turn
from bot.wiring import Foundation, database_path
from config.settings import load_settings
from memory.domain import Actor, Conversation, Kind, Layer, Status, Trust, chat_scope
from memory.entries import Cause
from memory.migrating import prepare
from memory.reflection.operations import NewMemory
from memory.store import insert
from tests.conversations.world import world
from tests.scripted_model import ScriptedModel

GOALS = {"start_s": 2.0, "turn_ms": 15.0, "resident_mb": 450.0}
MEMORIES = 1_000
TURNS = 60
CHAT = 1
IMPORTS = "import telegram, sqlalchemy, structlog, pydantic_settings, numpy"
LIBRARIES = """
import os; os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
import litellm, fastembed, onnxruntime
print(open("/proc/self/status").read().split("VmRSS:")[1].split()[0])
"""


async def start_s() -> float:
    """Measure from the start of the process to its first poll."""
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder)) as here:
            began = time.perf_counter()
            await here.start()
            await here.telegram.wait_for(lambda server: server.calls("getUpdates"), 60)
            return time.perf_counter() - began


async def resident_mb() -> tuple[float, float]:
    """Measure a process that has answered, with embedder and litellm loaded: (idle, peak)."""
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder)) as here:
            await here.start()
            here.telegram.say(here.owner, "I keep two beehives behind the garage.")
            await here.replies(here.owner, 1)
            await here.settled()
            assert here.process is not None
            status = _status_of(here.process.pid)
            return _kb(status, "VmRSS") / 1024, _kb(status, "VmHWM") / 1024


def _status_of(pid: int) -> str:
    return Path(f"/proc/{pid}/status").read_text()


def _kb(status: str, field: str) -> float:
    return float(status.partition(f"{field}:")[2].split()[0])


def floor_start_s() -> float:
    """Measure the bare imports in a fresh interpreter."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", IMPORTS], check=True)
    return time.perf_counter() - began


def floor_resident_mb() -> float:
    """Measure a process with the two big libraries and nothing else."""
    done = subprocess.run([sys.executable, "-c", LIBRARIES], check=True, capture_output=True, text=True)
    return float(done.stdout) / 1024


async def turn_ms() -> tuple[list[float], list[float]]:
    """Measure turns at 1,000 memories with a model that answers at once, and the floor of each: (turns, floors)."""
    with tempfile.TemporaryDirectory() as folder:
        settings = load_settings(
            environ={"TIDEMARK_HOME": folder, "PATH": os.environ["PATH"]}, files=[], cwd=Path(folder)
        )
        prepare(database_path(settings), datetime.now(UTC))
        base = Foundation(settings)
        base.model = ScriptedModel(*["It is noted."] * (TURNS + 5))
        kit = base.turn(0, delivery.compose_plain)
        await fill(base)
        turns, floors = [], []
        for n in range(TURNS + 5):
            incoming = _incoming(f"Where is box {n * 13 % MEMORIES} with the winter things?", n)
            began = time.perf_counter()
            await take_turn(kit, incoming)
            turns.append((time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            await base.executors.embed(lambda n=n: base.engine.embed_query(f"Where is thing {n}?"))  # type: ignore[misc]
            await base.executors.write(lambda uow: uow.connection.exec_driver_sql("UPDATE chats SET title = title"))
            floors.append((time.perf_counter() - began) * 1000)
        await base.close()
        return turns[5:], floors[5:]


async def fill(base: Foundation) -> None:
    """Put 1,000 memories with vectors into the store."""
    texts = [
        f"Box {n} with {what} stands on shelf {n % 17}" for n, what in enumerate(["skis", "jars", "maps", "wool"] * 250)
    ]
    vectors = await base.executors.embed(lambda: base.engine.embed_passages(texts))
    assert vectors is not None
    now = datetime.now(UTC)

    def write(uow: object) -> None:
        for text, vector in zip(texts, vectors, strict=True):
            new = NewMemory(chat_scope(CHAT), text, Kind.SEMANTIC, 5, None, "Anna", CHAT, Trust.OWNER)
            insert(
                uow, new, agent=base.engine.agent, now=now, vector=vector, digest=base.engine.digest,
                status=Status.ACTIVE, layer=Layer.WORKING, cause=Cause("ADD", Actor.REFLECTION, "bench"),
                index=base.engine.index,
            )  # type: ignore[arg-type] # fmt: skip

    await base.executors.write(write)


def _incoming(text: str, n: int) -> Incoming:
    return Incoming(f"bench:{n}", Conversation(CHAT), ChatKind.PRIVATE, Speaker(CHAT, "Anna"), text, datetime.now(UTC))


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one machine-readable line last")
    options = parser.parse_args()
    starts = [asyncio.run(start_s()) for _ in range(5)]
    start_floor = statistics.median(floor_start_s() for _ in range(5))
    turns, floors = asyncio.run(turn_ms())
    idle, peak = asyncio.run(resident_mb())
    memory_floor = floor_resident_mb()
    figures = {
        "start_s": (statistics.median(starts), start_floor),
        "turn_ms": (statistics.median(turns), statistics.median(floors)),
        "resident_mb": (idle, memory_floor),
    }
    for name, (value, floor) in figures.items():
        print(f"{name:<12} {value:8.2f}   goal {GOALS[name]:7.1f}   floor {floor:8.2f}   ratio {value / floor:5.2f}")
    print(f"turn_ms p95  {statistics.quantiles(turns, n=20)[18]:8.2f}")
    print(f"peak_mb      {peak:8.2f}   above idle {peak - idle:.1f}")
    if options.json:
        print(
            json.dumps(
                {name: {"value": value, "floor": floor} for name, (value, floor) in figures.items()} | {"peak_mb": peak}
            )
        )


if __name__ == "__main__":
    main()
