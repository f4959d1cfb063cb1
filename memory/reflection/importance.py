"""The importance a model gives, brought onto the scale of 1 to 10."""

from typing import Final

from memory.folding import fold

DEFAULT: Final = 5
"""What nobody rated is of middling importance."""

_WORDS: Final = {
    "trivial": 1, "negligible": 1, "none": 1, "minimal": 2, "very low": 2, "minor": 2, "low": 3, "small": 3, "niedrig": 3, "gering": 3,
    "faible": 3, "baja": 3, "bajo": 3, "basso": 3, "baixa": 3, "laag": 3, "низкая": 3, "low-medium": 4, "medium": 5, "moderate": 5,
    "normal": 5, "average": 5, "mittel": 5, "moyen": 5, "media": 5, "medio": 5, "gemiddeld": 5, "средняя": 5, "medium-high": 7, "high": 8,
    "important": 8, "major": 8, "significant": 7, "strong": 7, "hoch": 8, "wichtig": 8, "eleve": 8, "haute": 8, "alta": 8, "alto": 8,
    "hoog": 8, "высокая": 8, "very high": 9, "very important": 9, "sehr hoch": 9, "vital": 9, "urgent": 8, "critical": 10, "crucial": 10,
    "essential": 9, "kritisch": 10, "critique": 10, "critica": 10, "highest": 10, "max": 10, "maximum": 10, "extreme": 10, "lowest": 1, "低": 3,
    "中": 5, "高": 8, "낮음": 3, "보통": 5, "높음": 8,
}  # fmt: skip


def on_scale(given: object) -> tuple[int, bool]:
    """Give the importance (1–10) meant by ``given``, and whether it was a whole number on the scale as it stood.

    Numbers are pulled onto the scale, words are mapped, nothing and what cannot be read become `DEFAULT`. A missing
    importance is no fault.
    """
    if given is None:
        return DEFAULT, True
    number = _number(given)
    if number is None:
        return (_WORDS.get(fold(given).strip(), DEFAULT) if isinstance(given, str) else DEFAULT), False
    clamped = int(min(10.0, max(1.0, number)) + 0.5)
    return clamped, not isinstance(given, str) and clamped == number


def _number(given: object) -> float | None:
    """Read a number; "7/10" and "7 of 10" are 7."""
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    if isinstance(given, str):
        given = given.split("/")[0].split(" of ")[0].strip()
    try:
        number = float(given)
    except (ValueError, OverflowError):
        return None
    return number if number == number else None  # noqa: PLR0124 - NaN is the number that differs from itself
