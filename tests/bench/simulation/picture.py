"""The weeks as a picture: active memories by layer above, the shares that must stay high or low below."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from tests.bench.simulation.measuring import Week

WIDTH, HEIGHT, MARGIN = 900, 620, 60
_COUNTS = (
    ("active", "#1f4e79"),
    ("buffer", "#d98c1f"),
    ("working", "#3b8f5a"),
    ("core", "#a03050"),
)
_SHARES = (
    ("important_found", "#1f4e79"),
    ("current_first", "#3b8f5a"),
    ("junk_injected", "#d98c1f"),
    ("junk_settled", "#a03050"),
)


def draw(weeks: Sequence[Week], path: Path, title: str) -> None:
    """Write the picture of the weeks as a PNG."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    pen = ImageDraw.Draw(image)
    pen.text((MARGIN, 8), title, fill="black")
    most = max(1, *(week.active for week in weeks))
    _panel(pen, weeks, (30, HEIGHT // 2 - 20), most, _COUNTS, str)
    _panel(pen, weeks, (HEIGHT // 2 + 20, HEIGHT - 40), 1.0, _SHARES, lambda value: f"{value:.0%}")
    image.save(path)


def _panel(
    pen: ImageDraw.ImageDraw,
    weeks: Sequence[Week],
    span: tuple[int, int],
    most: float,
    lines: Sequence[tuple[str, str]],
    label: Callable[[float], str],
) -> None:
    top, bottom = span
    last = max(week.day for week in weeks) or 1
    pen.line([(MARGIN, top), (MARGIN, bottom), (WIDTH - 150, bottom)], fill="black")
    for share in (0.0, 0.5, 1.0):
        pen.text((4, bottom - (bottom - top) * share - 6), label(round(most * share, 2)), fill="black")
    pen.text((WIDTH - 190, bottom + 6), f"day {last}", fill="black")
    for place, (name, colour) in enumerate(lines):
        known = [(week.day, getattr(week, name)) for week in weeks if getattr(week, name) is not None]
        points = [
            (MARGIN + (WIDTH - 150 - MARGIN) * day / last, bottom - (bottom - top) * value / most)
            for day, value in known
        ]
        if len(points) > 1:
            pen.line(points, fill=colour, width=2)
        pen.text((WIDTH - 140, top + 16 * place), name.replace("_", " "), fill=colour)
