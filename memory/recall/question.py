"""A question, taken apart once: who asks where, its words, its vectors, and how much of it the embedder can see."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
import regex

from memory import policy
from memory.analysis import Token, tokens
from memory.domain import AgentSlug, Conversation, Scope, visible_scopes
from memory.recall.asking import asks, asks_outright
from memory.recall.nearness import Range, ranges_of
from memory.recall.past import asks_about_the_past
from memory.vectors import Vector

_SEAMLESS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


@dataclass(frozen=True)
class Question:
    """What is asked, by whom and where. Without ``vector`` the words decide alone."""

    agent: AgentSlug
    scopes: tuple[Scope, ...]
    tokens: tuple[Token, ...]
    vector: Vector | None = None
    nameless: Vector | None = None
    words: int = 0
    ranges: tuple[Range, ...] = ()
    about_the_past: bool = False
    conversation: Conversation | None = None  # where a cue that fired a moment ago rests
    now: datetime | None = None
    asks: bool = False  # what is only told brings up less
    outright: bool = False  # a bare phrase wakes nothing by what it may mean

    @cached_property
    def sight(self) -> float:
        """Give the share of the question, 0-1, that its vector holds."""
        if self.vector is None:
            return 0.0
        return min(1.0, float(np.linalg.norm(self.vector))) * min(1.0, policy.BLUR_WORDS / max(self.words, 1))

    @cached_property
    def names(self) -> frozenset[str]:
        """Give the names in it, as words are shown."""
        return frozenset(word for token in self.tokens if token.weight >= policy.NAME_WEIGHT for word in token.exact)

    @cached_property
    def telling(self) -> frozenset[str]:
        """Give the words in it that say something, as words are shown; its names are among them."""
        return frozenset(word for token in self.tokens if token.weight >= policy.CONTENT_WEIGHT for word in token.exact)

    @property
    def pasted(self) -> bool:
        """Say whether it is longer than a question is."""
        return self.words > policy.BLUR_WORDS


def understand(
    query: str,
    vector: Vector | None,
    nameless: Vector | None,
    *,
    agent: AgentSlug,
    scope: Scope,
    now: datetime,
    timezone: str = "UTC",
    conversation: Conversation | None = None,
) -> Question:
    """Give the question that ``query`` asks in ``scope``; one without tokens asks for nothing."""
    ranges = ranges_of(query, now, timezone)
    return Question(
        agent,
        visible_scopes(scope),
        tokens(query),
        vector,
        nameless,
        count_words(query),
        ranges,
        asks_about_the_past(query) or any(last < now.date() for _, last in ranges),
        conversation,
        now,
        asks(query),
        asks_outright(query),
    )


def count_words(query: str) -> int:
    """Count words; two characters of a script without blanks make one."""
    return len(query.split()) + len(_SEAMLESS.findall(query)) // 2
