"""Estimating tokens without a tokenizer: every provider has another one, and budgets only need the high side."""

import math

_ALL = bytes(range(256))


def _others(kept: bytes) -> bytes:
    return bytes(sorted(set(_ALL) - set(kept)))


_WEIGHTS: tuple[tuple[bytes, float], ...] = (
    (_others(b"abcdefghijklmnopqrstuvwxyz "), 0.37),  # words: two to three letters of a foreign one make a token
    (_others(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 0.95),  # names, shouting, keys
    (_others(b"0123456789"), 1.0),  # several families read digit by digit
    (_others(bytes({*range(0x80)} - {*b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "})), 0.9),
    (_others(bytes({*range(0xC2, 0xCD), *range(0xD0, 0xD6)})), 0.85),  # two bytes: accented letters, Cyrillic, Armenian
    (_others(bytes({*range(0xCD, 0xD0), *range(0xD6, 0xE0)})), 1.2),  # two bytes: Greek, Hebrew, Arabic
    (_others(bytes(range(0xE0, 0xF0))), 1.7),  # three bytes: Indic scripts, Thai, Han, Kana, Hangul
    (_others(bytes(range(0xF0, 0xF5))), 3.0),  # four bytes: emoji and rare Han
)
"""For each class of first bytes, what a character costs at most in current vocabularies, on average over a text."""


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of ``text`` on the high side, from its bytes alone; 0 only for an empty text."""
    data = text.encode("utf-8", "surrogatepass")
    return math.ceil(sum(weight * len(data.translate(None, others)) for others, weight in _WEIGHTS))
