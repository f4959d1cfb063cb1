"""Keywords: the full-text index over analysed terms, and BM25 from what the asking scopes hold.

SQLite's own ``bm25()`` counts the whole table, so that what other chats hold would change the order here, and would show
through it. The statistics are therefore taken from the visible rows: how many there are, and in how many a token occurs.

    score(memory) = Σ over tokens  weight · idf · quality · (k1 + 1) / (1 + k1 · (1 - b + b · length / typical))
    idf           = ln(1 + (n - df + 0.5) / (df + 0.5))

(Robertson and Zaragoza 2009, with a term frequency of one: statements are too short to repeat a word for its sake.)
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from memory import policy
from memory.analysis import MARK, Token, analyse
from memory.domain import AgentSlug, Scope, Status

CREATE_SQL = """
CREATE VIRTUAL TABLE memories_fts USING fts5(
    scope, terms, detail = column,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* P* S* C*'"
)
"""
"""The table, for the migration. Only blanks separate its tokens; its rowid is ``memories.pk``."""

_CHUNK = 200  # branches of one compound SELECT; SQLite allows 500


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


@dataclass(frozen=True, slots=True)
class _Pool:
    """The rows that take part: nothing else is counted, matched or scored."""

    agent: AgentSlug
    scopes: tuple[Scope, ...]
    statuses: tuple[Status, ...]


@dataclass(frozen=True, slots=True)
class _Clue:
    """A token with its statistics and the rows it occurs in, each with the quality of the match."""

    token: Token
    rows: dict[int, float]
    lengths: dict[int, int]
    idf: float

    @property
    def worth(self) -> float:
        return self.token.weight * self.idf


def index(connection: Connection, pk: int, agent: AgentSlug, scope: Scope, text: str) -> None:
    """Put the terms of ``text`` in place of those that row ``pk`` had."""
    remove(connection, pk)
    connection.exec_driver_sql(
        "INSERT INTO memories_fts (rowid, scope, terms) VALUES (?, ?, ?)",
        (pk, _scope_token(agent, scope), " ".join(analyse(text))),
    )


def remove(connection: Connection, pk: int) -> None:
    """Take row ``pk`` out of the index; nothing happens when it is not there."""
    connection.exec_driver_sql("DELETE FROM memories_fts WHERE rowid = ?", (pk,))


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
    """Give the rows of ``scopes`` in one of ``statuses`` that hold the most telling of ``tokens``, best first."""
    asked, pool = _asked(tokens), _Pool(agent, tuple(scopes), tuple(statuses))
    if not asked or not scopes or not statuses:
        return Found()
    clues = sorted(_clues(connection, pool, asked), key=lambda clue: -clue.worth)
    hits = _best([clue for clue in clues if clue.rows][: policy.MOST_CLUES], limit)
    return Found(tuple(hits), _attainable(clues), {clue.token: clue.worth for clue in clues})


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


def _clues(connection: Connection, pool: _Pool, asked: Sequence[Token]) -> list[_Clue]:
    count = _count(connection, pool)
    rows: list[dict[int, float]] = [{} for _ in asked]
    lengths: dict[int, int] = {}
    branches = [(number, *match) for number, token in enumerate(asked) for match in _matches(token)]
    for start in range(0, len(branches), _CHUNK):
        for branch, pk, length in _postings(connection, pool, start, branches[start : start + _CHUNK]):
            number, quality, _ = branches[branch]
            rows[number][pk] = quality
            lengths[pk] = length
    return [_Clue(token, found, lengths, _idf(len(found), count)) for token, found in zip(asked, rows, strict=True)]


def _count(connection: Connection, pool: _Pool) -> int:
    row = connection.exec_driver_sql(
        f"SELECT count(*) FROM memories WHERE agent_slug = ? AND scope IN ({_marks(pool.scopes)}) "  # noqa: S608
        f"AND status IN ({_marks(pool.statuses)})",
        (pool.agent, *pool.scopes, *pool.statuses),
    )
    return int(row.scalar_one())


def _matches(token: Token) -> Iterator[tuple[float, str]]:
    """Give the qualities of match and what finds the rows of each; no row is found twice."""
    exact, loose = _any_of(token.exact), _any_of(token.loose)
    if token.exact:
        yield 1.0, f"terms : ({exact})"
    if token.loose:
        yield policy.LOOSE_QUALITY, f"(terms : ({loose}) NOT terms : ({exact}))" if exact else f"terms : ({loose})"


def _postings(
    connection: Connection, pool: _Pool, start: int, branches: Sequence[tuple[int, float, str]]
) -> Iterable[tuple[int, int, int]]:
    """Give (number of the branch, row, length of its text) for some branches, numbered from ``start``."""
    one = (
        "SELECT ?, m.pk, length(m.text) FROM memories_fts AS f JOIN memories AS m ON m.pk = f.rowid "  # noqa: S608
        f"WHERE f.memories_fts MATCH ? AND m.status IN ({_marks(pool.statuses)})"
    )
    here = f"scope : ({_any_of(_scope_token(pool.agent, scope) for scope in pool.scopes)})"
    bound = [
        value
        for number, (_, _, match) in enumerate(branches, start)
        for value in (number, f"{here} AND {match}", *pool.statuses)
    ]
    rows = connection.exec_driver_sql(" UNION ALL ".join([one] * len(branches)), tuple(bound))
    return [(branch, pk, length) for branch, pk, length in rows.all()]


def _any_of(terms: Iterable[str]) -> str:
    """Give an FTS5 expression that finds any of ``terms``; nothing in them is syntax."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def _best(clues: Sequence[_Clue], limit: int) -> list[Hit]:
    scores: dict[int, float] = {}
    for clue in clues:
        worth = clue.worth
        for pk, quality in clue.rows.items():
            scores[pk] = scores.get(pk, 0.0) + worth * quality
    for pk in scores:
        scores[pk] *= _length_factor(clues[0].lengths[pk])
    best = sorted(scores, key=lambda pk: (-scores[pk], pk))[:limit]
    return [Hit(pk, scores[pk], tuple(_shown(clue.token) for clue in clues if pk in clue.rows)) for pk in best]


def _shown(token: Token) -> str:
    return (*token.exact, *token.loose)[0].removesuffix(MARK)


def _length_factor(length: int) -> float:
    relative = 1 - policy.BM25_B + policy.BM25_B * length / policy.TYPICAL_LENGTH
    return (policy.BM25_K1 + 1) / (1 + policy.BM25_K1 * relative)


def _attainable(clues: Sequence[_Clue]) -> float:
    """Give the score of a typical memory with every clue, or with the best few of a long question."""
    worths = sorted((clue.worth for clue in clues if clue.rows or not clue.token.extra), reverse=True)
    return sum(worths[: policy.CLUES_OF_A_FULL_ANSWER])


def _idf(df: int, count: int) -> float:
    return math.log(1 + (count - df + 0.5) / (df + 0.5)) if count >= df else 0.0


def _scope_token(agent: AgentSlug, scope: Scope) -> str:
    """Give one token for assistant and scope; slugs and scopes hold no blank, and a slug no bar."""
    return f"{agent}|{scope}"


def _marks(values: Collection[object]) -> str:
    return ", ".join("?" * len(values))
