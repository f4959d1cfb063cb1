"""Small inputs with right answers; README.md beside this file says how to compare."""

import json
from pathlib import Path
from typing import Any


def load(name: str) -> list[dict[str, Any]]:
    """Give the cases of a file, such as ``addressing``."""
    lines = (Path(__file__).parent / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]
