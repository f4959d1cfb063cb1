"""What was true before: whether a question asks for it, and the former statements behind a memory.

A statement that was replaced never answers alone: its successor does, with it beside.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import regex
from sqlalchemy import Connection

from memory.changes import as_array
from memory.domain import AgentSlug, Memory, MemoryId, Scope, Status
from memory.recall.values import Former
from memory.rows import by_pk, instant
from memory.spelling import normalise
from memory.statements import Inflections, content_words, facts_missing, language_of

MOST_HOPS = 8
"""Statements replaced in a row that are followed to the one that stands."""

MOST_FORMER = 5
"""The latest former statements of a memory that are worth their tokens."""

_NEVER = datetime.min.replace(tzinfo=UTC)

_CUES = regex.compile(
    r"""\b(?:before|previous(?:ly)?|former(?:ly)?|earlier|used\sto|did\b.{1,60}\buse\sto|once|ex-?|originally|in\sthe\spast|at\sfirst|until|no\slonger
    |(?:my|your|his|her|our|their|the)\sold
    |früher\w*|vorher\w*|vorherig\w*|damals|ehemal\w+|zuvor|alte[rsnm]?|ursprünglich\w*|einst
    |avant|auparavant|autrefois|ancien\w*|jadis|précédent\w*
    |antes|anterior\w*|solía\w*|antigu\w+|previo|previa
    |prima|precedente|una\svolta|in\spassato|anteriormente|antig\w+|costumava
    |vroeger|voorheen|vorige|destijds|eerder|tidigare|förr|förut|tidligere|før|aiemmin|ennen|entinen|entise\w+
    |kiedyś|wcześniej|poprzedni\w*|dawniej|dříve|předtím|bývalý|korábban|régen|înainte|fost[aă]?
    |раньше|прежде|прежн\w+|бывш\w+|когда-то|до\sэтого|раніше|колись|преди|някога|πριν|παλιά|προηγουμένως
    |önce|eskiden|önceki|eski|sebelum\w*|dulu|trước\s?đây|trước)\b
    |以前|之前|从前|從前|曾经|曾經|过去|過去|原来|原來|原先|かつて|昔|前に|前は|前の|元の|전에|예전|이전|옛날|과거|เมื่อก่อน|ก่อนหน้า|เคย
    |पहले|पूर्व|سابق\w*|قبل|كان\b|לפני|בעבר|פעם|قبلا""",
    regex.VERBOSE | regex.IGNORECASE,
)

_MERGED = """
SELECT m.superseded_by, m.id, m.text, m.valid_from, m.valid_to FROM memories AS m
WHERE m.agent_slug = ? AND m.scope IN (SELECT value FROM json_each(?)) AND m.status = 'superseded'
    AND m.superseded_by IN (SELECT value FROM json_each(?))
"""
_VERSIONS = """
SELECT v.memory_id, v.text, v.valid_from, v.valid_to
FROM json_each(?) AS wanted CROSS JOIN memory_versions AS v ON v.memory_id = wanted.value
"""
_BY_ID = "SELECT m.pk FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.id = wanted.value"


def asks_about_the_past(query: str) -> bool:
    """Say whether ``query`` asks how it was before, in any of some thirty languages."""
    return _CUES.search(normalise(query[:1_000])) is not None


def former_of(
    connection: Connection, agent: AgentSlug, scopes: Collection[Scope], memories: Collection[Memory]
) -> Mapping[MemoryId, tuple[Former, ...]]:
    """Give what stood in the place of each of ``memories`` before, oldest first, as far as ``scopes`` hold it."""
    roots = {memory.id: memory.id for memory in memories}
    found = _merged(connection, agent, scopes, roots)
    rows = connection.exec_driver_sql(_VERSIONS, (as_array(list(roots)),))
    found += [(roots[memory_id], Former(said, instant(start), instant(end))) for memory_id, said, start, end in rows]
    former: defaultdict[MemoryId, list[Former]] = defaultdict(list)
    for root, one in sorted(found, key=lambda pair: (pair[1].valid_to is not None, pair[1].valid_to or _NEVER)):
        former[root].append(one)
    told = {memory.id: untold(former[memory.id], memory.text)[-MOST_FORMER:] for memory in memories}
    return {memory_id: chain for memory_id, chain in told.items() if chain}


def untold(former: Sequence[Former], standing: str) -> tuple[Former, ...]:
    """Give the former statements, oldest first, that what came after them does not state still.

    A statement that was only put in other words or made more precise is one with its next, and was true from the earlier day.
    """
    told: list[Former] = []
    since: datetime | None = None
    for one, after in zip(former, [*(later.text for later in former), standing][1:], strict=True):
        start = since or one.valid_from
        since = start if keeps(after, one.text) else None
        if since is None and normalise(one.text) != normalise(standing):
            told.append(replace(one, valid_from=start))
    return tuple(told)


def keeps(later: str, earlier: str) -> bool:
    """Say whether ``later`` states all that ``earlier`` does: its content, numbers, names and negations."""
    if facts_missing(earlier, later):
        return False
    pool = Inflections(content_words(later), language_of(later))
    return all(pool.has(word) for word in content_words(earlier))


def _merged(
    connection: Connection, agent: AgentSlug, scopes: Collection[Scope], roots: dict[MemoryId, MemoryId]
) -> list[tuple[MemoryId, Former]]:
    """Give what was replaced by the memories in ``roots``, and by those in turn; ``roots`` learns to whom each belongs.

    A row that was merged into another and not named as replaced has no end: it is no former statement, what it replaced is.
    """
    found: list[tuple[MemoryId, Former]] = []
    fresh = list(roots)
    for _ in range(MOST_HOPS):
        rows = connection.exec_driver_sql(_MERGED, (agent, as_array(scopes), as_array(fresh))).all() if fresh else []
        news = [row for row in rows if row.id not in roots]
        roots |= {row.id: roots[row.superseded_by] for row in news}
        ended = (row for row in news if row.valid_to is not None)
        found += [(roots[r.id], Former(r.text, instant(r.valid_from), instant(r.valid_to))) for r in ended]
        fresh = [row.id for row in news]
    return found


def successor_of(connection: Connection, memory: Memory, scopes: Collection[Scope]) -> Memory | None:
    """Give the statement that stands in the place of a superseded one now, be it asleep; None when there is none to be seen."""
    seen: set[MemoryId] = set()
    while memory.superseded_by is not None and memory.id not in seen and len(seen) < MOST_HOPS:
        seen.add(memory.id)
        pks = connection.exec_driver_sql(_BY_ID, (as_array([memory.superseded_by]),)).scalars().all()
        found = list(by_pk(connection, pks).values())
        if not found or found[0].agent_slug != memory.agent_slug or found[0].scope not in scopes:
            return None
        memory = found[0]
    return memory if memory.status in {Status.ACTIVE, Status.ARCHIVED} else None
