"""Which phrases and tool names may bring a lesson up: pure rules over what somebody wrote."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache

import regex

from memory import policy
from memory.analysis import Token, tokens
from memory.cleaning import clean
from memory.secrets import find_secrets

PHRASE, COMMON, TOOL = "phrase", "common", "tool"
"""What a cue is, as its row says: a phrase, one that proved too common to force anything (`commonness`), or a tool's name."""

_TOOL = regex.compile(r"[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:/\-]*")


class Unfit(StrEnum):
    """Why a cue is refused, for a person to read after the cue."""

    EMPTY = "has no words"
    TOO_LONG = f"is longer than {policy.CUE_CHARS} characters"
    SECRET = "holds a secret"  # noqa: S105 - a reason, not a secret
    NO_CONTENT = "would come up at every message, since it names nothing in particular"
    NO_TOOL = "is no name of a tool"


@lru_cache(maxsize=1_024)
def unfit(phrase: str) -> Unfit | None:
    """Say why ``phrase`` cannot be a cue; None where it can. Function words, single letters and signs alone name nothing."""
    read = tokens(phrase)
    if not read:
        return Unfit.EMPTY
    if len(phrase) > policy.CUE_CHARS:
        return Unfit.TOO_LONG
    if find_secrets(phrase):
        return Unfit.SECRET
    return None if any(map(_tells, read)) else Unfit.NO_CONTENT


def unfit_tool(name: str) -> Unfit | None:
    """Say why ``name`` cannot be the name of a tool; None where it can."""
    if len(name) > policy.CUE_CHARS:
        return Unfit.TOO_LONG
    if find_secrets(name):
        return Unfit.SECRET
    return None if _TOOL.fullmatch(name) else Unfit.NO_TOOL


def fit_phrases(phrases: Iterable[str]) -> tuple[str, ...]:
    """Give the phrases that can be cues, cleaned, each once, the first `policy.CUES_A_LESSON` of them."""
    return _fit(phrases, unfit)


def fit_tools(names: Iterable[str]) -> tuple[str, ...]:
    """Give the names that tools can have, cleaned, each once, the first `policy.CUES_A_LESSON` of them."""
    return _fit(names, unfit_tool)


def _tells(token: Token) -> bool:
    """Say whether a token names something; a digit alone does not, no more than a letter."""
    digit = token.literal and len(token.exact[0]) == 1
    return token.weight >= policy.CONTENT_WEIGHT and not digit


def _fit(cues: Iterable[str], problem: Callable[[str], Unfit | None]) -> tuple[str, ...]:
    cleaned = (" ".join(clean(cue).split()) for cue in cues)
    by_form = {cue.casefold(): cue for cue in reversed(list(cleaned)) if problem(cue) is None}
    return tuple(reversed(by_form.values()))[: policy.CUES_A_LESSON]
