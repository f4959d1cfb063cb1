"""Lessons come up when their cue is said, word by word in any form and order, or when a message means it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from memory import lexical
from memory.analysis import Token
from memory.recall.question import Question
from memory.triggers import firing
from memory.triggers.matching import by_term, length, met_by
from memory.triggers.meaning import NEARNESS
from memory.triggers.wording import unfit
from memory.vectors import VectorIndex


@dataclass(frozen=True, slots=True)
class Cue:
    """What of a row's cues a message said.

    ``phrases`` were said and ``meant`` are near; they force the row unless it ``rested`` for some minutes only. ``common`` ones
    force nothing. ``tokens`` are the words of the message that said them; ``exactness`` grows with the words a phrase asks for.
    """

    phrases: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    common: tuple[str, ...] = ()
    tokens: frozenset[Token] = field(default_factory=frozenset)
    exactness: float = 0.0
    rested_minutes: float | None = None

    @property
    def forces(self) -> bool:
        """Say whether it brings its row up whatever else fits."""
        return self.rested_minutes is None and bool(self.phrases or self.meant)


SILENT = Cue()


@dataclass(slots=True)
class _Heard:
    """A row's cues under way."""

    said: list[str] = field(default_factory=list)
    common: list[str] = field(default_factory=list)
    near: dict[str, float] = field(default_factory=dict)
    tokens: set[Token] = field(default_factory=set)

    def cue(self, rested_minutes: float | None) -> Cue:
        meant = {phrase: cosine for phrase, cosine in self.near.items() if phrase not in self.said}
        exact = max((float(length(phrase)) for phrase in self.said), default=0.0)
        return Cue(
            tuple(sorted(self.said)),
            tuple(sorted(meant)),
            tuple(sorted(self.common)),
            frozenset(self.tokens) if rested_minutes is None else frozenset(),
            max(exact, *meant.values()) if meant else exact,  # a cosine stays below one word
            rested_minutes if self.said or meant else None,
        )


def fired_by(connection: Connection, index: VectorIndex | None, question: Question) -> dict[int, Cue]:
    """Give the rows one of whose cue phrases the question says or means, of any status, with those that force nothing."""
    heard: dict[int, _Heard] = {}
    said = by_term(question.tokens)
    for pk, phrase, common in lexical.cues(connection, question.agent, question.scopes):
        met = met_by(phrase, said)
        if not met or unfit(phrase) is not None:  # an older version kept what is none
            continue
        here = heard.setdefault(pk, _Heard())
        (here.common if common else here.said).append(phrase)
        here.tokens |= frozenset() if common else met
    for pk, phrase, cosine in _meant(connection, index, question):
        heard.setdefault(pk, _Heard()).near[phrase] = cosine
    rested = dict(_rested(connection, question, heard))
    return {pk: one.cue(rested.get(pk)) for pk, one in heard.items()}


def _meant(connection: Connection, index: VectorIndex | None, question: Question) -> Collection[tuple[int, str, float]]:
    least = None if index is None else NEARNESS.get(index.digest)
    if index is None or least is None or question.vector is None:
        return ()
    return index.near_cues(connection, question.agent, question.scopes, question.vector, least)


def _rested(connection: Connection, question: Question, pks: Collection[int]) -> Iterator[tuple[int, float]]:
    """Give the rows that came up by a cue in this conversation a moment ago, and how many minutes ago."""
    if question.conversation is None or question.now is None:
        return
    for pk, at in firing.last_fired(connection, question.conversation, pks).items():
        if firing.rests(at, question.now):
            yield pk, _minutes(at, question.now)


def _minutes(at: datetime, now: datetime) -> float:
    return max(0.0, (now - at).total_seconds() / 60)
