"""Becoming the owner: a one-time code, kept as its hash, with few tries a person and hour."""

import hashlib
import hmac
import random
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from bot.storage import kv
from memory.unit_of_work import UnitOfWork

KEY = "pairing"
ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No letter that looks like a digit, nor the other way round."""
LENGTH = 10
"""31^10 is 2^49: with five tries an hour nobody guesses it."""
TRIES = 5
WINDOW = timedelta(hours=1)


class Outcome(StrEnum):
    """What came of a try."""

    PAIRED = "paired"
    WRONG = "wrong"
    TOO_MANY = "too many"
    NO_CODE = "no code"


SENTENCES = {
    Outcome.WRONG: "That is not the code. It was printed when I started; a restart prints a new one.",
    Outcome.TOO_MANY: "Too many wrong codes. Please wait an hour, or restart me for a new code.",
    Outcome.NO_CODE: "There is no code to pair with. Restart me to get one.",
}


def issue(uow: UnitOfWork, now: datetime, rng: random.Random) -> str:
    """Make a new code, which replaces any former one, and give it; only its hash is kept."""
    code = "".join(rng.choice(ALPHABET) for _ in range(LENGTH))
    kv.put(uow, KEY, {"hash": _hash(code), "tries": {}}, now)
    return code


def attempt(uow: UnitOfWork, person_id: int, code: str, now: datetime) -> Outcome:
    """Try a code; the right one works once."""
    state = kv.get(uow, KEY)
    if not isinstance(state, dict):
        return Outcome.NO_CODE
    tries = _recent(state, person_id, now)
    if len(tries) >= TRIES:
        return Outcome.TOO_MANY
    if hmac.compare_digest(_hash(_plain(code)), str(state.get("hash"))):
        kv.put(uow, KEY, None, now)
        return Outcome.PAIRED
    state["tries"] = {**state.get("tries", {}), str(person_id): [*tries, now.isoformat()]}
    kv.put(uow, KEY, state, now)
    return Outcome.WRONG


def _recent(state: dict[str, Any], person_id: int, now: datetime) -> list[str]:
    made = state.get("tries", {}).get(str(person_id), [])
    return [at for at in made if abs(now - datetime.fromisoformat(at)) < WINDOW]


def _plain(code: str) -> str:
    return "".join(code.split()).upper()[:64]


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode("utf-8", "replace")).hexdigest()
