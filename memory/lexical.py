"""Keywords: the index over analysed terms, and BM25 from what the asking scopes hold.

The full-text table keeps the terms; a question is answered from the postings of its scopes in memory (`postings`), so that
its cost grows with what is visible, and not with the store.

SQLite's own ``bm25()`` counts the whole table, so that what other chats hold would change the order here, and would show
through it. The statistics are therefore taken from the visible rows: how many there are, and in how many a token occurs.

    score(memory) = Σ over tokens  weight · idf · quality · (k1 + 1) / (1 + k1 · (1 - b + b · length / typical))
    idf           = ln(1 + (n - df + 0.5) / (df + 0.5))

(Robertson and Zaragoza 2009, with a term frequency of one: statements are too short to repeat a word for its sake.)
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory import policy, typos
from memory.analysis import MARK, Token, analyse
from memory.asked import looked_up
from memory.changes import touch
from memory.domain import AgentSlug, Scope, Status
from memory.mirrors import Mirrors, Part
from memory.postings import Places, Postings, load
from memory.vectors import best as greatest

CREATE_SQL = """
CREATE VIRTUAL TABLE memories_fts USING fts5(
    scope, terms, detail = column,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* P* S* C*'"
)
"""
"""The table, for the migration. Only blanks separate its tokens; its rowid is ``memories.pk``."""

HELD = "keywords"
"""The execution option of an engine under which its file's keywords are held in memory."""

_Found = tuple[Places, NDArray[np.float32]]
_NO_PLACES = np.empty(0, np.intp)
_NO_QUALITY = np.empty(0, np.float32)


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that holds some of the words asked for. ``bm25``: higher is better."""

    pk: int
    bm25: float
    terms: tuple[str, ...]  # as the question has them, without the mark of loose ones; misspelt ones as they are stored


@dataclass(frozen=True, slots=True)
class Found:
    """What the keywords brought.

    ``attainable`` is what a memory that answered the whole question would score, ``worth`` what each token may add.
    """

    hits: tuple[Hit, ...] = ()
    attainable: float = 0.0
    worth: Mapping[Token, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """A token of the question with the rows that hold it, as places in `Matches.pks`, and how well it fits in each."""

    token: Token
    name: str
    rows: Places
    quality: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Matches:
    """Every word of the question, row by row; ``taking_part`` says which rows are there and of a status asked for."""

    pks: NDArray[np.int64]
    statuses: NDArray[np.int8]
    taking_part: NDArray[np.bool_]
    words: tuple[Match, ...]


@dataclass(slots=True)
class _Side:
    """What one scope has to say: its postings, which places may answer, and room to work in."""

    postings: Postings
    allowed: NDArray[np.bool_]
    quality: NDArray[np.float32]  # of the match in hand; zero between two

    def match(self, token: Token) -> _Found:
        """Give where ``token`` occurs, in order, and how well it fits there."""
        return self.match_any(((token, 1.0),))

    def match_any(self, readings: Iterable[tuple[Token, float]]) -> _Found:
        """Give where some of ``readings`` occur, the better ones last, each as good as its number says."""
        found = [
            self._mark(terms, worth * quality)
            for token, worth in readings
            for terms, quality in ((token.loose, policy.LOOSE_QUALITY), (token.exact, 1.0))
        ]
        if not any(found):
            return _NO_PLACES, _NO_QUALITY
        places = np.flatnonzero(self.quality != 0)  # of truths it is five times as fast as of numbers
        quality = self.quality[places]
        self.quality[places] = 0
        return places[self.allowed[places]], quality[self.allowed[places]]

    def holds(self, term: str) -> bool:
        """Say whether a row that may answer holds ``term``."""
        return bool(self.allowed[self.postings.places(term)].any())

    def _mark(self, terms: Iterable[str], quality: float) -> bool:
        marked = False
        for term in terms:
            places = self.postings.places(term)
            if len(places):
                self.quality[places] = quality
                marked = True
        return marked


@dataclass(frozen=True, slots=True)
class _Clue:
    """A token with its statistics and, for each side, the places it occurs in and the quality of the match."""

    token: Token
    name: str
    found: tuple[_Found, ...]
    worth: float

    @property
    def matched(self) -> bool:
        return any(len(places) for places, _ in self.found)


def add(connection: Connection, pk: int, agent: AgentSlug, scope: Scope, text: str) -> None:
    """Index the terms of ``text`` for a row that was just inserted."""
    connection.exec_driver_sql(
        "INSERT INTO memories_fts (rowid, scope, terms) VALUES (?, ?, ?)",
        (pk, *entry(agent, scope, text)),
    )


def entry(agent: AgentSlug, scope: Scope, text: str) -> tuple[str, str]:
    """Give what the index holds for a text: the token of its place, and its terms."""
    return _scope_token(agent, scope), " ".join(analyse(text))


def index(connection: Connection, pk: int, agent: AgentSlug, scope: Scope, text: str) -> None:
    """Put the terms of ``text`` in place of those that row ``pk`` had."""
    remove(connection, pk)
    add(connection, pk, agent, scope, text)


def remove(connection: Connection, pk: int) -> None:
    """Take row ``pk`` out of the index; nothing happens when it is not there."""
    connection.exec_driver_sql("DELETE FROM memories_fts WHERE rowid = ?", (pk,))
    touch(connection, pk)


def optimise(connection: Connection) -> None:
    """Merge the index into one piece, so that removed terms are in none of its pages; a vacuum should follow."""
    connection.exec_driver_sql("INSERT INTO memories_fts (memories_fts) VALUES ('optimize')")


def search(
    connection: Connection,
    agent: AgentSlug,
    scopes: Sequence[Scope],
    tokens: Iterable[Token],
    statuses: Collection[Status] = (Status.ACTIVE,),
    limit: int = policy.CANDIDATES_PER_SIDE,
) -> Found:
    """Give the rows of ``scopes`` in one of ``statuses`` that hold the most telling of ``tokens``, best first.

    What the snapshot of ``connection`` does not know yet may appear: whoever reads the row decides.
    """
    asked = looked_up(tokens)
    if not asked or not scopes or not statuses:
        return Found()
    with _mirrors(connection).of(connection, agent, scopes) as parts:
        sides = [_side(part, statuses) for part in parts]
        clues = sorted(_clues(sides, asked), key=lambda clue: -clue.worth)
        hits = _best(sides, [clue for clue in clues if clue.matched][: policy.MOST_CLUES], limit)
    return Found(tuple(hits), _attainable(clues), {clue.token: clue.worth for clue in clues})


def matches(
    connection: Connection,
    agent: AgentSlug,
    scopes: Sequence[Scope],
    tokens: Iterable[Token],
    statuses: Collection[Status] = (Status.ACTIVE,),
) -> Matches:
    """Give what each row of ``scopes`` in one of ``statuses`` holds of ``tokens``, without weighing it.

    What the snapshot of ``connection`` does not know yet may appear: whoever reads the row decides.
    """
    asked = looked_up(tokens)
    with _mirrors(connection).of(connection, agent, scopes) as parts:
        sides = [_side(part, statuses) for part in parts]
        starts = np.cumsum([0, *(len(side.allowed) for side in sides)])
        words = tuple(_everywhere(clue, starts) for clue in _clues(sides, asked))
        return Matches(
            np.concatenate([np.empty(0, np.int64), *(side.postings.pks for side in sides)]),
            np.concatenate([np.empty(0, np.int8), *(side.postings.statuses for side in sides)]),
            np.concatenate([np.empty(0, np.bool_), *(side.allowed for side in sides)]),
            words,
        )


def cues(connection: Connection, agent: AgentSlug, scopes: Sequence[Scope]) -> list[tuple[int, str, bool]]:
    """Give the rows of ``scopes`` that have cue phrases, of any status, with each phrase and whether it is too common."""
    with _mirrors(connection).of(connection, agent, scopes) as parts:
        return [
            (pk, phrase, common)
            for part in parts
            for pk, phrases in part.held.cues.items()
            if pk not in part.hidden
            for phrase, common in phrases
        ]


def mirrors() -> Mirrors[Postings]:
    """Give a place in memory for the keywords of one file; whoever opens it hands this to its engines as `HELD`."""
    return Mirrors(load)


def _mirrors(connection: Connection) -> Mirrors[Postings]:
    held = connection.get_execution_options().get(HELD)
    return held if isinstance(held, Mirrors) else mirrors()


def _side(part: Part[Postings], statuses: Collection[Status]) -> _Side:
    allowed = part.held.allowed(statuses, part.hidden)
    return _Side(part.held, allowed, np.zeros(len(allowed), np.float32))


def _clues(sides: Sequence[_Side], asked: Sequence[Token]) -> Iterator[_Clue]:
    """Give what is known of each token; one found nowhere is taken for the stored words nearest to it, if there are any."""
    count = sum(int(np.count_nonzero(side.allowed)) for side in sides)
    found = [tuple(side.match(token) for side in sides) for token in asked]
    known = [any(len(places) for places, _ in of_token) for of_token in found]
    unknown = [token for token, is_known in zip(asked, known, strict=True) if not is_known and not token.literal]
    slips = {token for token in unknown if _may_be_misspelt(token)} if len(unknown) <= typos.MOST_UNKNOWN else set()
    for token, of_token in zip(asked, found, strict=True):
        corrected = _corrected(sides, token) if token in slips else None
        name, places = corrected or (_shown(token), of_token)
        df = sum(len(held) for held, _ in places)
        yield _Clue(token, name, places, token.weight * idf(df, count))


def _may_be_misspelt(token: Token) -> bool:
    telling = token.weight >= policy.CONTENT_WEIGHT and not token.extra
    return telling and any(map(typos.errors_allowed, token.exact))


def _corrected(sides: Sequence[_Side], token: Token) -> tuple[str, tuple[_Found, ...]] | None:
    """Give the stored words that ``token`` may mean, as one name, with the rows that hold one of them."""
    name = token.weight >= policy.NAME_WEIGHT
    worths: dict[str, float] = {}
    for asked, side in product(token.exact, sides):
        for word, errors in side.postings.near(asked, typos.errors_allowed(asked)):
            worth = typos.quality(asked, word, errors, name=name)
            if worth > worths.get(word, 0.0) and side.holds(word):
                worths[word] = worth
    near = sorted(worths, key=lambda word: -worths[word])[: typos.MOST_READINGS]
    words = {tuple(tuple(side.postings.places(word)) for side in sides): word for word in reversed(near)}
    readings = [(Token((word,)), worths[word]) for word in words.values()]
    names = " / ".join(reversed(words.values()))
    return (names, tuple(side.match_any(readings) for side in sides)) if near else None


def _best(sides: Sequence[_Side], clues: Sequence[_Clue], limit: int) -> list[Hit]:
    pks = np.concatenate([np.empty(0, np.int64), *(side.postings.pks for side in sides)])
    scores = np.concatenate([np.empty(0), *(_scores(side, clues, n) for n, side in enumerate(sides))])
    starts = np.cumsum([0, *(len(side.allowed) for side in sides)])
    chosen = greatest(scores, pks, limit)
    chosen = chosen[scores[chosen] > 0]
    ranked = chosen[np.lexsort((pks[chosen], -scores[chosen]))]
    held = [_terms(clue, starts, ranked) for clue in clues]
    names = [clue.name for clue in clues]
    return [
        Hit(int(pks[at]), float(scores[at]), tuple(name for name, at_all in zip(names, held, strict=True) if at_all[n]))
        for n, at in enumerate(ranked)
    ]


def _everywhere(clue: _Clue, starts: NDArray[np.int64]) -> Match:
    rows = np.concatenate(
        [_NO_PLACES, *(places + start for (places, _), start in zip(clue.found, starts, strict=False))]
    )
    return Match(clue.token, clue.name, rows, np.concatenate([_NO_QUALITY, *(q for _, q in clue.found)]))


def _scores(side: _Side, clues: Iterable[_Clue], number: int) -> NDArray[np.float64]:
    scores = np.zeros(len(side.allowed))
    for clue in clues:
        places, quality = clue.found[number]
        scores[places] += clue.worth * quality
    return scores * side.postings.factors


def _terms(clue: _Clue, starts: NDArray[np.int64], ranked: Places) -> list[bool]:
    """Say for each of the best whether it holds the clue."""
    everywhere = np.concatenate([places + start for (places, _), start in zip(clue.found, starts, strict=False)])
    at = np.searchsorted(everywhere, ranked)
    return (np.append(everywhere, -1)[at] == ranked).tolist()  # type: ignore[no-any-return]


def _shown(token: Token) -> str:
    return (*token.exact, *token.loose)[0].removesuffix(MARK)


def _attainable(clues: Sequence[_Clue]) -> float:
    """Give the score of a typical memory with every clue, or with the best few of a long question."""
    worths = sorted((clue.worth for clue in clues if clue.matched or not clue.token.extra), reverse=True)
    return sum(worths[: policy.CLUES_OF_A_FULL_ANSWER])


def idf(df: int, count: int) -> float:
    """Give the inverse document frequency of a token in ``df`` of ``count`` rows, in nats."""
    return math.log(1 + (count - df + 0.5) / (df + 0.5)) if count >= df else 0.0


def _scope_token(agent: AgentSlug, scope: Scope) -> str:
    """Give one token for assistant and scope; slugs and scopes hold no blank, and a slug no bar."""
    return f"{agent}|{scope}"
