"""The truth: what was said when, what it is worth, what it became. Made from a seed; nothing here knows the store."""

import random
from dataclasses import dataclass, field
from enum import StrEnum
from string import Formatter

from tests.bench.simulation import sentences
from tests.bench.simulation.facts import ENGLISH, FOREIGN, SLOTS
from tests.bench.simulation.sentences import Sentence

HOLIDAY_DAYS = 21
"""In a run of twelve weeks and more; a quarter of a shorter one, which is to have days before and after it."""

FOREIGN_SHARE = 0.1
"""How many of the facts are told in another language than English, which the English embedder hardly reads."""
NEEDED_WITHIN = 120
"""Days in which a fact that is needed again is needed: by then some sleep in the archive."""


class Sort(StrEnum):
    """What a turn is about."""

    FACT = "fact"
    AGAIN = "again"
    CHANGE = "change"
    NEED = "need"
    NOISE = "noise"
    DATED = "dated"
    PROCEDURE = "procedure"
    ECHO = "echo"
    INVENTION = "invention"
    HEARSAY = "hearsay"
    REQUEST = "request"
    TALK = "talk"


@dataclass(slots=True)
class Fact:
    """A durable fact. ``values`` are its states, each with the wordings that state it; the last one is true now."""

    sentence: Sentence
    slots: dict[str, str]
    importance: int
    group: bool
    values: list[tuple[str, ...]] = field(default_factory=list)
    procedure: bool = False

    @property
    def question(self) -> str:
        """What one asks when it is needed."""
        return self.sentence.asks.format(**self.slots)

    def change(self, rng: random.Random) -> None:
        """Let another value be true from now on."""
        assert self.sentence.value is not None
        slot = self.sentence.value
        others = [value for value in SLOTS[slot] if value != self.slots[slot]]
        self.slots = self.slots | {slot: rng.choice(others)}
        self.state()

    def state(self) -> None:
        """Note how the present state is said."""
        self.values.append(tuple(says.format(**self.slots) for says in self.sentence.says))


@dataclass(frozen=True, slots=True)
class Event:
    """One turn: the text a person says, and what the played model makes of it."""

    sort: Sort
    text: str
    statement: str = ""
    importance: int = 0
    fact: Fact | None = None
    group: bool = False


class Diary:
    """Days of turns. The same seed gives the same days."""

    def __init__(self, seed: int, *, turns_a_day: int, days: int) -> None:
        self.rng = random.Random(seed)
        self.turns_a_day = turns_a_day
        self.scale = turns_a_day / 60
        self.holiday = range(days // 2, days // 2 + min(HOLIDAY_DAYS, days // 4))
        self.facts: list[Fact] = []
        self.procedures: list[Fact] = []
        self.planned: dict[int, list[tuple[Sort, Fact]]] = {}
        self._used: set[str] = set()

    def day(self, number: int) -> list[Event]:
        """Give the turns of a day, in their order; none on holiday."""
        if number in self.holiday:
            return []
        events = [*self._facts(number), *self._planned(number), *self._wrong(), *self._passing(number)]
        events += [self._filler() for _ in range(self.turns_a_day - len(events))]
        self.rng.shuffle(events)
        return events

    def _some(self, a_day: float) -> int:
        """Give a whole number with this mean, for days of other length in proportion."""
        wanted = a_day * self.scale
        return int(wanted) + (self.rng.random() < wanted % 1)

    def _facts(self, number: int) -> list[Event]:
        events = self._change(number) if self.rng.random() < self.scale * 2 / 7 else []  # never of what is told today
        events += [self._new_fact(number) for _ in range(self._some(2 if number < 30 else 1))]
        if self.rng.random() < self.scale / 7:
            events.append(self._procedure(number))
        return events

    def _new_fact(self, number: int) -> Event:
        sentence, slots = self._unused(FOREIGN if self.rng.random() < FOREIGN_SHARE else ENGLISH)
        fact = Fact(sentence, slots, self.rng.randint(5, 9), self.rng.random() < 0.2)
        fact.state()
        self.facts.append(fact)
        if self.rng.random() < 0.1:
            self._plan(number + self.rng.randint(1, 20), Sort.AGAIN, fact)
        if self.rng.random() < 0.2:
            for _ in range(self.rng.randint(1, 3)):
                self._plan(number + self.rng.randint(1, NEEDED_WITHIN), Sort.NEED, fact)
        return self._said(Sort.FACT, fact, fact.values[-1][0])

    def _change(self, number: int) -> list[Event]:
        able = [fact for fact in self.facts if fact.sentence.value is not None]
        if not able:
            return []
        changed = [fact for fact in able if len(fact.values) > 1]
        fact = self.rng.choice(changed if changed and self.rng.random() < 0.3 else able)
        fact.change(self.rng)
        self._plan(number + self.rng.randint(1, 14), Sort.NEED, fact)
        return [self._said(Sort.CHANGE, fact, fact.values[-1][0], "Something has changed: {} now.")]

    def _procedure(self, number: int) -> Event:
        says, asks = self.rng.choice(sentences.PROCEDURES)
        sentence, slots = self._unused((Sentence((says,), asks),))
        fact = Fact(sentence, slots, self.rng.randint(4, 7), False, procedure=True)
        fact.state()
        self.procedures.append(fact)
        self._plan(number + self.rng.randint(20, 90), Sort.NEED, fact)
        return self._said(Sort.PROCEDURE, fact, fact.values[-1][0])

    def _planned(self, number: int) -> list[Event]:
        made = []
        for sort, fact in self.planned.pop(number, ()):
            if sort is Sort.NEED:
                made.append(Event(sort, fact.question, fact=fact, group=fact.group))
            else:
                made.append(self._said(sort, fact, fact.values[-1][-1]))
        return made

    def _plan(self, number: int, sort: Sort, fact: Fact) -> None:
        while number in self.holiday:
            number += 1
        self.planned.setdefault(number, []).append((sort, fact))

    def _wrong(self) -> list[Event]:
        told = [fact for fact in self.facts if not fact.group]
        echoes = [self.rng.choice(told) for _ in range(self._some(2))] if told else []
        made = [Event(Sort.ECHO, "OK, thanks.", fact.values[-1][-1], fact.importance, fact) for fact in echoes]
        made += [self._invention() for _ in range(self._some(2))]
        for _ in range(self._some(1)):
            text = self._fill(self.rng.choice(sentences.HEARSAY))
            made.append(Event(Sort.HEARSAY, text, text, 5, group=True))
        return made

    def _invention(self) -> Event:
        """Give what only the assistant makes up, in answer to something of the same matter."""
        said, made_up = self.rng.choice(sentences.INVENTIONS)
        slots = self._slots(said + made_up)
        return Event(Sort.INVENTION, said.format(**slots), made_up.format(**slots), 6)

    def _passing(self, number: int) -> list[Event]:
        noise = [self._remark() for _ in range(self._some(12))]
        made = [Event(Sort.NOISE, f"{text}.", text, self.rng.randint(2, 4)) for text in noise]
        if number % 2 == 0:
            text = self._fill(self.rng.choice(sentences.DATED))
            made.append(Event(Sort.DATED, f"{text}.", text, self.rng.randint(5, 6)))
        return made

    def _remark(self) -> str:
        """Give a passing remark; one in ten names somebody."""
        tails = self.rng.sample(sentences.TAILS, 2)
        company = sentences.COMPANY if self.rng.random() < 0.1 else ""
        return "".join(self._fill(part) for part in (self.rng.choice(sentences.NOISE), *tails, company))

    def _filler(self) -> Event:
        """Give a turn that tells and needs nothing: small talk, or a request that any assistant could meet."""
        if self.rng.random() < 0.5:
            return Event(Sort.TALK, self.rng.choice(sentences.SMALL_TALK))
        return Event(Sort.REQUEST, self._fill(self.rng.choice(sentences.REQUESTS)))

    def _said(self, sort: Sort, fact: Fact, statement: str, wrapper: str = "") -> Event:
        chosen = "{}." if fact.sentence.foreign else wrapper or self.rng.choice(sentences.WRAPPERS)
        return Event(sort, chosen.format(statement), statement, fact.importance, fact, fact.group)

    def _unused(self, kinds: tuple[Sentence, ...]) -> tuple[Sentence, dict[str, str]]:
        """Give a sentence and slots that answer a question nothing else answers."""
        while True:
            sentence = self.rng.choice(kinds)
            slots = self._slots("".join((*sentence.says, sentence.asks)))
            question = sentence.asks.format(**slots)
            if question not in self._used:
                self._used.add(question)
                return sentence, slots

    def _fill(self, template: str) -> str:
        return template.format(**self._slots(template))

    def _slots(self, template: str) -> dict[str, str]:
        wanted = sorted({name for _, name, _, _ in Formatter().parse(template) if name})
        slots = {name: self.rng.choice(SLOTS[name]) for name in wanted}
        if "relation" in slots:  # a person is one and the same relation
            slots["relation"] = sentences.RELATIONS[sentences.NAMES.index(slots["name"]) % len(sentences.RELATIONS)]
        return slots
