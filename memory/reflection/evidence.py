"""The messages an operation names as its evidence, sorted by whose words they are."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memory.dates import DateMention, Moment, find_dates
from memory.domain import Role, Trust
from memory.folding import words
from memory.reflection.affirmation import affirmed
from memory.reflection.clauses import Clause, clauses
from memory.reflection.operations import Brief, BriefMessage
from memory.statements import Inflections, language_of, languages

_SHORT_ANSWER_WORDS = 5


@dataclass(frozen=True)
class Voice:
    """What one person said in the cited messages. Never empty; all messages have the same speaker and the same standing."""

    messages: tuple[BriefMessage, ...]
    timezone: str
    question: str = ""  # what the assistant had asked, where the words are a short answer to it
    affirmed: str = ""  # of that what a plain yes made this person's own words

    @property
    def speaker(self) -> str:
        """The display name of whose words these are."""
        return self.messages[0].message.speaker

    @property
    def speaker_id(self) -> int | None:
        """The account: the speaker's, or of who passed the words on."""
        return self.messages[0].message.speaker_id

    @property
    def trust(self) -> Trust:
        """How far the words are trusted."""
        return self.messages[0].trust if self.is_own else Trust.QUOTED

    @property
    def is_own(self) -> bool:
        """Say whether the speaker vouches for the words."""
        return self.messages[0].message.origin.is_own

    @property
    def is_new(self) -> bool:
        """Say whether any of it was not reflected on before."""
        return any(m.is_new for m in self.messages)

    @property
    def text(self) -> str:
        """All that was said, a message a line."""
        return "\n".join(m.message.text for m in self.messages)

    @property
    def moment(self) -> Moment:
        """When the last of it was said."""
        return Moment(self.messages[-1].message.sent_at, self.timezone)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all messages, in order."""
        return tuple(c for text in (*(m.message.text for m in self.messages), self.affirmed) for c in clauses(text))

    @cached_property
    def dates(self) -> tuple[DateMention, ...]:
        """The dates that were said, each resolved from its own message."""
        return (*self.dates_affirmed, *self.dates_denied)

    @cached_property
    def dates_affirmed(self) -> tuple[DateMention, ...]:
        """The dates outside denials."""
        said = tuple(d for m in self.messages for d, denied in _dates(m, self.timezone) if not denied)
        return (*said, *find_dates(self.affirmed, self.moment)) if self.affirmed else said

    @cached_property
    def dates_denied(self) -> tuple[DateMention, ...]:
        """The dates inside denials ("not on Thursday")."""
        return tuple(d for m in self.messages for d, denied in _dates(m, self.timezone) if denied)

    @cached_property
    def language(self) -> str | None:
        """The likeliest language of what was said."""
        return language_of(self.text)

    @cached_property
    def languages(self) -> tuple[frozenset[str], int]:
        """The languages it may be in, and how many words tell."""
        return languages(self.text)

    def pool(self, chosen: Iterable[Clause]) -> Inflections:
        """Give the words of some clauses, to be looked up in any inflection."""
        return Inflections((w for c in chosen for w in c.words), self.language)

    @cached_property
    def names(self) -> frozenset[str]:
        """The folded words of the speaker's own name."""
        return frozenset(w.folded for w in words(self.speaker)) if self.is_own else frozenset()


@dataclass(frozen=True)
class Evidence:
    """The cited messages as voices: ``own`` words of people, words ``passed_on``, and whether the assistant was cited."""

    own: tuple[Voice, ...]
    passed_on: tuple[Voice, ...]


def _dates(item: BriefMessage, timezone: str) -> Iterable[tuple[DateMention, bool]]:
    """Give the dates of a message and whether each stands in a denial."""
    denied = bytearray(len(item.message.text))
    for clause in clauses(item.message.text):
        denied[clause.start : clause.end] = bytes([clause.negated]) * (clause.end - clause.start)
    for mention in find_dates(item.message.text, Moment(item.message.sent_at, timezone)):
        yield mention, bool(denied[mention.start])


def cited(brief: Brief, numbers: Iterable[int] | None) -> Evidence:
    """Give the voices behind the numbers an operation names; numbers that were not shown count for nothing."""
    wanted = set(numbers or ())
    chosen = [m for m in brief.messages if m.n in wanted and m.message.role is Role.USER]
    return Evidence(
        _voices(brief, [m for m in chosen if m.message.origin.is_own]),
        _voices(brief, [m for m in chosen if not m.message.origin.is_own]),
    )


def own_voices(brief: Brief) -> tuple[Voice, ...]:
    """Give everything people said themselves in the brief, by speaker."""
    return cited(brief, [m.n for m in brief.messages]).own


def assistant_said(brief: Brief) -> str:
    """Give what the assistant said in the brief."""
    return "\n".join(m.message.text for m in brief.messages if m.message.role is Role.ASSISTANT)


def _voices(brief: Brief, chosen: list[BriefMessage]) -> tuple[Voice, ...]:
    """Group by account; without one, by name."""
    groups: dict[tuple[int | None, str], list[BriefMessage]] = {}
    for item in chosen:
        by_name = item.message.speaker if item.message.speaker_id is None or not item.message.origin.is_own else ""
        groups.setdefault((item.message.speaker_id, by_name), []).append(item)
    return tuple(
        _voice(tuple(g), brief.timezone, _question_before(brief, g), _affirmed(brief, g)) for g in groups.values()
    )


@lru_cache(maxsize=64)
def _voice(messages: tuple[BriefMessage, ...], timezone: str, question: str, affirmed_words: str) -> Voice:
    """Give one and the same voice for the same words: what it said is taken apart once, however many operations cite it."""
    return Voice(messages, timezone, question, affirmed_words)


def _affirmed(brief: Brief, group: list[BriefMessage]) -> str:
    """Give what own words, each a plain yes, made of the questions right before them."""
    own = [item for item in group if item.message.origin.is_own]
    return "\n".join(filter(None, (affirmed(_before(brief, item), item, private=brief.private) for item in own)))


def _before(brief: Brief, item: BriefMessage) -> list[BriefMessage]:
    return [other for other in brief.messages if other.n < item.n]


def _question_before(brief: Brief, group: list[BriefMessage]) -> str:
    """Give the assistant's question to which the words are a short answer, or nothing."""
    first = group[0]
    if sum(len(words(m.message.text)) for m in group) > _SHORT_ANSWER_WORDS:
        return ""
    before = [m.message for m in brief.messages if m.n < first.n]
    asked = before[-1].text if before and before[-1].role is Role.ASSISTANT else first.message.reply_text or ""
    return asked if "?" in asked or "？" in asked or "؟" in asked else ""
