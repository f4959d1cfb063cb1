"""What was true before: whether a question asks for it, and the former statements behind a memory.

A statement that was replaced never answers alone: its successor does, with it beside.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

import regex
from sqlalchemy import Connection

from memory.changes import as_array
from memory.domain import AgentSlug, Memory, MemoryId, Scope, Status
from memory.recall.values import Former
from memory.rows import by_pk, instant
from memory.spelling import normalise

MOST_HOPS = 8
"""Statements replaced in a row that are followed to the one that stands."""

MOST_FORMER = 5
"""The latest former statements of a memory that are worth their tokens."""

_CUES = regex.compile(
    r"""\b(?:before|previous(?:ly)?|former(?:ly)?|earlier|used\sto|once|ex-?|originally|in\sthe\spast|at\sfirst|until|no\slonger
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

_REPLACED = """
SELECT m.superseded_by, m.text, m.valid_from, m.valid_to, m.updated_at
FROM json_each(?) AS wanted JOIN memories AS m ON m.superseded_by = wanted.value
WHERE m.agent_slug = ? AND m.scope IN (SELECT value FROM json_each(?)) AND m.status = 'superseded'
"""
_VERSIONS = """
SELECT v.memory_id, v.text, v.valid_from, v.valid_to, v.valid_to
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
    ids = as_array([memory.id for memory in memories])
    rows = [
        *connection.exec_driver_sql(_REPLACED, (ids, agent, as_array(scopes))),
        *connection.exec_driver_sql(_VERSIONS, (ids,)),
    ]
    standing = {memory.id: memory.text for memory in memories}
    former: defaultdict[MemoryId, dict[str, Former]] = defaultdict(dict)
    for memory_id, text, start, end, until in sorted(rows, key=lambda row: row[3] or row[4] or ""):
        if text != standing[memory_id]:
            former[memory_id][text] = Former(text, instant(start), instant(end or until))
    return {memory_id: tuple(texts.values())[-MOST_FORMER:] for memory_id, texts in former.items()}


def successor_of(connection: Connection, memory: Memory, scopes: Collection[Scope]) -> Memory | None:
    """Give the active statement that stands in the place of a superseded one now; None when there is none to be seen."""
    seen: set[MemoryId] = set()
    while memory.superseded_by is not None and memory.id not in seen and len(seen) < MOST_HOPS:
        seen.add(memory.id)
        pks = connection.exec_driver_sql(_BY_ID, (as_array([memory.superseded_by]),)).scalars().all()
        found = list(by_pk(connection, pks).values())
        if not found or found[0].agent_slug != memory.agent_slug or found[0].scope not in scopes:
            return None
        memory = found[0]
    return memory if memory.status is Status.ACTIVE else None
