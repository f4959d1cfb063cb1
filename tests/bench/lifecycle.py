"""Months of use in minutes: does memory keep what matters, let the rest go, and never show what nobody said?

    python -m tests.bench.lifecycle [--seed 1] [--days 180] [--turns-a-day 60] [--inflate] [--cache DIR] [--plot FILE] [--json]

A seeded diary is played to the real engine (`tests.bench.simulation`); the model is played as well, mistakes included. Prints
a table by the week, the goals with what was reached, and writes a plot. ``--inflate`` is the run in which the model rates
everything three points higher. ``--cache`` keeps vectors for the next run.
"""

import argparse
import gc
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from threadpoolctl import threadpool_limits

from memory.embedding import load
from tests.bench.simulation.diary import Diary
from tests.bench.simulation.measuring import Week, measure
from tests.bench.simulation.picture import draw
from tests.bench.simulation.vectors import Kept
from tests.bench.simulation.world import World

START = datetime(2026, 1, 5, tzinfo=UTC)
INFLATION = 3
MONTH = 30
COLUMNS = ("day", "active", "archived", "buffer", "working", "core", "important_found", "current_first", "stale_alone", "junk_settled",
           "junk_injected", "near_duplicates", "phantoms_active", "echoes_counted", "procedures_lost", "resurrected", "resurrected_wrongly")  # fmt: skip

GOALS: dict[str, Callable[[Sequence[Week]], tuple[float, bool]]] = {
    "active after month one, at most 500": lambda weeks: _least(_at(weeks, MONTH).active, 500),
    "active at the end, at most 1000": lambda weeks: _least(weeks[-1].active, 1000),
    "important facts in the top ten, at least 0.97": lambda weeks: _most(weeks[-1].important_found, 0.97),
    "current value first, at least 0.98": lambda weeks: _most(weeks[-1].current_first, 0.98),
    "junk of working and core, at most 0.02": lambda weeks: _least(weeks[-1].junk_settled, 0.02),
    "junk of what is injected, at most 0.05": lambda weeks: _least(weeks[-1].junk_injected, 0.05),
    "near-duplicate pairs by row, at most 0.01": lambda weeks: _least(weeks[-1].near_duplicates, 0.01),
    "facts lost by merging, none": lambda weeks: _least(weeks[-1].lost_by_merging, 0),
    "archived on holiday, but for dated matters, none": lambda weeks: _least(weeks[-1].holiday_archived, 0),
    "phantoms active, none": lambda weeks: _least(weeks[-1].phantoms_active, 0),
    "echoes that count, none": lambda weeks: _least(weeks[-1].echoes_counted, 0),
    "procedures lost, none": lambda weeks: _least(weeks[-1].procedures_lost, 0),
    "a second pass changes nothing": lambda weeks: _least(weeks[-1].second_pass, 0),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Play, print, draw."""
    given = _parser().parse_args(argv)
    began = time.perf_counter()
    weeks, world = simulate(given.seed, given.days, given.turns_a_day, inflate=given.inflate, cache=given.cache)
    took = time.perf_counter() - began
    print(
        f"seed {given.seed}, {given.days} days of {given.turns_a_day} turns{', inflated' * given.inflate}: {took:.0f} s"
    )
    print("\n".join(table(weeks)))
    reached = {goal: judge(weeks) for goal, judge in GOALS.items()}
    print("\n".join(f"{'met ' if met else 'MISS'}  {goal}: {value:.3f}" for goal, (value, met) in reached.items()))
    draw(
        weeks,
        given.plot,
        f"seed {given.seed}, {given.turns_a_day} turns a day{', importance inflated' * given.inflate}",
    )
    if given.json:
        goals = {goal: {"value": value, "met": met} for goal, (value, met) in reached.items()}
        figures = {"seed": given.seed, "days": given.days, "inflate": given.inflate, "seconds": round(took, 1)}
        print(json.dumps(figures | {"goals": goals, "last": weeks[-1].as_json(), "counts": dict(world.counts)}))
    return 0


def simulate(
    seed: int, days: int, turns_a_day: int, *, inflate: bool, cache: Path | None = None
) -> tuple[list[Week], World]:
    """Play a diary; give the figures of each week and of the end."""
    gc.freeze()  # what was imported lives for ever
    gc.set_threshold(100_000, 50, 50)  # rows and vectors hold no cycles
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):  # more threads only spin beside one another
        embedder = Kept(load("english", Path(folder)), cache or Path(folder) / "vectors")
        diary = Diary(seed, turns_a_day=turns_a_day, days=days)
        world = World(Path(folder), embedder, diary, inflate=INFLATION * inflate, start=START)
        weeks = []
        for day in range(days):
            world.live(day)
            if (day % 7 == 6 or day + 1 == MONTH) and day < days - 1:
                weeks.append(measure(world, day + 1))
        world.maintain()  # the day is another one now
        world.counts["second_pass"] = world.maintain()
        weeks.append(measure(world, days, everything=True))
        world.database.close()
        embedder.save()
    return weeks, world


def table(weeks: Sequence[Week]) -> list[str]:
    """Give the figures as lines."""
    heads = [name.replace("_", " ").replace("resurrected wrongly", "wrongly") for name in COLUMNS]
    rows = [[_cell(getattr(week, name)) for name in COLUMNS] for week in weeks]
    widths = [max(len(head.split()[-1]), len(head.split()[0]), 6) for head in heads]
    lines = [
        "  ".join(f"{head.split()[0] if ' ' in head else '':>{w}}" for head, w in zip(heads, widths, strict=True)),
        "  ".join(f"{head.split()[-1]:>{w}}" for head, w in zip(heads, widths, strict=True)),
    ]
    return lines + ["  ".join(f"{cell:>{w}}" for cell, w in zip(row, widths, strict=True)) for row in rows]


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _at(weeks: Sequence[Week], day: int) -> Week:
    return next((week for week in weeks if week.day >= day), weeks[-1])


def _least(value: float, bound: float) -> tuple[float, bool]:
    return value, value <= bound


def _most(value: float | None, bound: float) -> tuple[float, bool]:
    return (1.0 if value is None else value), value is None or value >= bound


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=180)
    parser.add_argument("--turns-a-day", type=int, default=60)
    parser.add_argument("--inflate", action="store_true", help="the model adds three to every importance")
    parser.add_argument("--json", action="store_true", help="end with one machine-readable line")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "tidemark-simulation")
    parser.add_argument("--plot", type=Path, default=Path(tempfile.gettempdir()) / "tidemark-lifecycle.png")
    return parser


if __name__ == "__main__":
    sys.exit(main())
