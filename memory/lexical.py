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

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory import policy
from memory.analysis import MARK, Token, analyse
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

_NO_PLACES = np.empty(0, np.intp)
_NO_QUALITY = np.empty(0, np.float32)


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that holds some of the words asked for. ``bm25``: higher is better."""

    pk: int
    bm25: float
    terms: tuple[str, ...]  # as the question has them, without the mark of loose ones


@dataclass(frozen=True, slots=True)
class Found:
    """What the keywords brought.

    ``attainable`` is what a memory that answered the whole question would score, ``worth`` what each token may add.
    """

    hits: tuple[Hit, ...] = ()
    attainable: float = 0.0
    worth: Mapping[Token, float] = field(default_factory=dict)


@dataclass(slots=True)
class _Side:
    """What one scope has to say: its postings, which places may answer, and room to work in."""

    postings: Postings
    allowed: NDArray[np.bool_]
    quality: NDArray[np.float32]  # of the match in hand; zero between two

    def match(self, token: Token) -> tuple[Places, NDArray[np.float32]]:
        """Give where ``token`` occurs, in order, and how well it fits there."""
        found = [self._mark(token.loose, policy.LOOSE_QUALITY), self._mark(token.exact, 1.0)]
        if not any(found):
            return _NO_PLACES, _NO_QUALITY
        places = np.flatnonzero(self.quality != 0)  # of truths it is five times as fast as of numbers
        quality = self.quality[places]
        self.quality[places] = 0
        return places[self.allowed[places]], quality[self.allowed[places]]

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
    found: tuple[tuple[Places, NDArray[np.float32]], ...]
    worth: float

    @property
    def matched(self) -> bool:
        return any(len(places) for places, _ in self.found)


def add(connection: Connection, pk: int, agent: AgentSlug, scope: Scope, text: str) -> None:
    """Index the terms of ``text`` for a row that was just inserted."""
    connection.exec_driver_sql(
        "INSERT INTO memories_fts (rowid, scope, terms) VALUES (?, ?, ?)",
        (pk, _scope_token(agent, scope), " ".join(analyse(text))),
    )


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
    asked = _asked(tokens)
    if not asked or not scopes or not statuses:
        return Found()
    with _mirrors(connection).of(connection, agent, scopes) as parts:
        sides = [_side(part, statuses) for part in parts]
        clues = sorted(_clues(sides, asked), key=lambda clue: -clue.worth)
        hits = _best(sides, [clue for clue in clues if clue.matched][: policy.MOST_CLUES], limit)
    return Found(tuple(hits), _attainable(clues), {clue.token: clue.worth for clue in clues})


def cues(connection: Connection, agent: AgentSlug, scopes: Sequence[Scope]) -> list[tuple[int, str]]:
    """Give the rows of ``scopes`` that have cue phrases, of any status, with each phrase."""
    with _mirrors(connection).of(connection, agent, scopes) as parts:
        return [
            (pk, phrase)
            for part in parts
            for pk, phrases in part.held.cues.items()
            if pk not in part.hidden
            for phrase in phrases
        ]


def mirrors() -> Mirrors[Postings]:
    """Give a place in memory for the keywords of one file; whoever opens it hands this to its engines as `HELD`."""
    return Mirrors(load)


def _mirrors(connection: Connection) -> Mirrors[Postings]:
    held = connection.get_execution_options().get(HELD)
    return held if isinstance(held, Mirrors) else mirrors()


def _asked(tokens: Iterable[Token]) -> list[Token]:
    """Give the distinct tokens worth looking up: no small words, which every second row holds and which tell nothing.

    Of a very long text these are the tokens written least often, then the longest: the words of a question pasted among
    pages of something else occur once; what the pages are about recurs.
    """
    occurrences: dict[Token, int] = {}
    for token in (token for token in tokens if token.weight >= policy.CONTENT_WEIGHT):
        occurrences[token] = occurrences.get(token, 0) + 1
    asked = list(occurrences)
    if len(asked) > policy.MOST_LOOKED_UP:
        asked.sort(key=lambda token: (-token.weight, occurrences[token], -len((*token.exact, *token.loose)[0])))
    return asked[: policy.MOST_LOOKED_UP]


def _side(part: Part[Postings], statuses: Collection[Status]) -> _Side:
    allowed = part.held.allowed(statuses, part.hidden)
    return _Side(part.held, allowed, np.zeros(len(allowed), np.float32))


def _clues(sides: Sequence[_Side], asked: Iterable[Token]) -> Iterator[_Clue]:
    count = sum(int(np.count_nonzero(side.allowed)) for side in sides)
    for token in asked:
        found = tuple(side.match(token) for side in sides)
        df = sum(len(places) for places, _ in found)
        yield _Clue(token, found, token.weight * _idf(df, count))


def _best(sides: Sequence[_Side], clues: Sequence[_Clue], limit: int) -> list[Hit]:
    pks = np.concatenate([np.empty(0, np.int64), *(side.postings.pks for side in sides)])
    scores = np.concatenate([np.empty(0), *(_scores(side, clues, n) for n, side in enumerate(sides))])
    starts = np.cumsum([0, *(len(side.allowed) for side in sides)])
    chosen = greatest(scores, pks, limit)
    chosen = chosen[scores[chosen] > 0]
    ranked = chosen[np.lexsort((pks[chosen], -scores[chosen]))]
    held = [_terms(clue, starts, ranked) for clue in clues]
    names = [_shown(clue.token) for clue in clues]
    return [
        Hit(int(pks[at]), float(scores[at]), tuple(name for name, at_all in zip(names, held, strict=True) if at_all[n]))
        for n, at in enumerate(ranked)
    ]


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


def _idf(df: int, count: int) -> float:
    return math.log(1 + (count - df + 0.5) / (df + 0.5)) if count >= df else 0.0


def _scope_token(agent: AgentSlug, scope: Scope) -> str:
    """Give one token for assistant and scope; slugs and scopes hold no blank, and a slug no bar."""
    return f"{agent}|{scope}"
