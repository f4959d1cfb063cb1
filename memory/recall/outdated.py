"""What may be outdated: statements that lean on another one which was replaced since.

Who moved from Milan to Berlin commutes by Milan's metro no longer; nobody said so, so the statement stands and the prompt
says what has changed. Nothing is stored: an undo takes the mark away with its reason.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import pairwise

import regex
from sqlalchemy import Connection

from memory.changes import as_array
from memory.domain import AgentSlug, Kind, Memory, MemoryId, Scope, Status
from memory.folding import Word, words
from memory.numerals import claims
from memory.recall.past import asks_about_the_past, keeps, successor_of
from memory.recall.values import Overtaken, Recall
from memory.rows import by_pk, instant
from memory.statements import Inflections, content_words, language_of, take_apart

MOST_REPLACED = 100
"""The latest replaced statements of each sort that are looked through: a year of changes at two a week."""

TELLING_DIGITS = 3
"""Fewer are chance ("2 cats", "2 bikes"), unless more than the number is shared."""

MOST_COMPARED = 12
"""Replaced statements that one memory is compared with word for word, the latest first."""

BEGINNING = 4
"""Letters by which words are looked up before they are compared in every inflection."""

_CASELESS = regex.compile(r"\p{Lo}")
_DIGIT = regex.compile(r"\p{Nd}")
_TELLING = regex.compile(r"[\p{Lu}\p{Lo}\p{N}]")

_REPLACED = """
SELECT m.pk, m.id, m.subject, v.text, v.valid_to, m.text
FROM (SELECT memory_id, text, valid_to FROM memory_versions WHERE valid_to > ? ORDER BY id DESC LIMIT ?) AS v
CROSS JOIN memories AS m ON m.id = v.memory_id
WHERE m.agent_slug = ? AND m.scope = ?
UNION ALL
SELECT o.pk, o.id, o.subject, o.text, o.valid_to, m.text
FROM (
    SELECT pk, id, subject, text, valid_to, superseded_by FROM memories
    WHERE agent_slug = ? AND scope = ? AND status = 'superseded' AND superseded_by IS NOT NULL AND valid_to > ?
    ORDER BY pk DESC LIMIT ?) AS o
CROSS JOIN memories AS m ON m.id = o.superseded_by
"""
_SPANS = """
SELECT s.memory_id, s.message_id, s.start, s."end"
FROM json_each(?) AS wanted CROSS JOIN memory_sources AS s ON s.memory_id = wanted.value
"""
_SPANS_IN = f"{_SPANS} WHERE s.message_id IN (SELECT value FROM json_each(?))"  # noqa: S608 - two constants
_SAID_AGAIN = """
SELECT d.memory_id, max(d.day)
FROM json_each(?) AS wanted CROSS JOIN memory_days AS d ON d.memory_id = wanted.value
WHERE d.what = 'mention' GROUP BY d.memory_id
"""


_SpansOf = dict[MemoryId, dict[int, tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A statement that held until ``at``. ``after`` is what its own row, or the row it went into, says now."""

    pk: int
    id: MemoryId
    subject: str
    text: str
    at: datetime
    after: str


def marked(connection: Connection, agent: AgentSlug, recall: Recall) -> Recall:
    """Give the recall with those of the chosen marked that are possibly outdated."""
    found = overtaken(connection, agent, [one.memory for one in recall.chosen])
    chosen = (
        replace(one, overtaken=by, parts=replace(one.parts, overtaken_by=by.id)) if by else one
        for one, by in ((one, found.get(one.memory.id)) for one in recall.chosen)
    )
    return replace(recall, chosen=tuple(chosen)) if found else recall


def overtaken(connection: Connection, agent: AgentSlug, memories: Sequence[Memory]) -> dict[MemoryId, Overtaken]:
    """Give what is true since for each of ``memories`` that is possibly outdated.

    It leans on a replaced statement of its own scope and subject when it was stated while that held, and either names what
    that named and its successor does not, or rests on the same words of the same message. What a person said again since
    stands by itself.
    """
    found: dict[MemoryId, Overtaken] = {}
    for scope in dict.fromkeys(memory.scope for memory in memories):
        here = [memory for memory in memories if memory.scope == scope and may_age(memory)]
        rows = _replaced(connection, agent, scope, here)
        said_again = _said_again(connection, here) if rows else {}
        for memory, leans_on in _suspects(connection, here, rows):
            old = next((o for o in leans_on if not confirmed_since(memory, said_again.get(memory.id), o.at)), None)
            found |= {} if old is None else _by_what(connection, memory, old)
    return found


def may_age(memory: Memory) -> bool:
    """Say whether a statement can be outdated: what happened stays true, and so does what tells of the past."""
    happened = memory.kind is Kind.EPISODIC and memory.expires_at is None
    return not happened and not asks_about_the_past(memory.text)


def confirmed_since(memory: Memory, mentioned_on: date | None, at: datetime) -> bool:
    """Say whether a person repeated ``memory`` after ``at``; on that very day (UTC) its last access tells."""
    day = at.astimezone(UTC).date()
    return mentioned_on is not None and (mentioned_on > day or (mentioned_on == day and memory.accessed_at > at))


@lru_cache(maxsize=4_096)
def names_what_is_gone(text: str, old: str, now: str) -> bool:
    """Say whether ``text`` names a name or number that ``old`` has and ``now`` lacks.

    In scripts without capitals any word may be a name. A number of one or two digits is chance, unless another word that
    carries meaning is shared too.
    """
    return _lost_name(text, old, now) or (_DIGIT.search(text) is not None and _lost_number(text, old, now))


# --- inside


def _replaced(connection: Connection, agent: AgentSlug, scope: Scope, memories: Sequence[Memory]) -> list[Replaced]:
    """Give what was replaced in ``scope`` since the oldest of ``memories`` was stated, the latest first."""
    if not memories:
        return []
    after = min(map(_stated_at, memories)).astimezone(UTC).replace(tzinfo=None).isoformat(sep=" ")
    given = (after, MOST_REPLACED, agent, scope, agent, scope, after, MOST_REPLACED)
    rows = connection.exec_driver_sql(_REPLACED, given).fetchall()
    ended = [(instant(end), pk, id_, subject, text, now) for pk, id_, subject, text, end, now in rows]
    found = [Replaced(pk, i, (who or "").casefold(), text, at, now) for at, pk, i, who, text, now in ended if at]
    return sorted(found, key=lambda old: old.at, reverse=True)


def _suspects(
    connection: Connection, memories: Sequence[Memory], rows: Sequence[Replaced]
) -> Iterator[tuple[Memory, Iterator[Replaced]]]:
    """Give each memory with what it leans on, the latest first, found only as far as it is asked for."""
    by_beginning: defaultdict[str, list[int]] = defaultdict(list)
    for number, old in enumerate(rows):
        for beginning in _gone(old.text, old.after):
            by_beginning[beginning].append(number)
    own, beside = _shared_spans(connection, memories, rows) if rows else ({}, {})
    for memory in memories:
        near = {n for beginning in _beginnings(memory.text) for n in by_beginning.get(beginning, ())}
        near |= {n for n, old in enumerate(rows) if old.id in beside} if memory.id in own else set()
        before = [rows[n] for n in sorted(near) if _before(memory, rows[n])][:MOST_COMPARED]
        yield memory, (old for old in before if _leans(memory, old, own, beside))


def _leans(memory: Memory, old: Replaced, own: _SpansOf, beside: _SpansOf) -> bool:
    if names_what_is_gone(memory.text, old.text, old.after):
        return True
    return _overlap(own.get(memory.id, {}), beside.get(old.id, {})) and not keeps(old.after, old.text)


def _shared_spans(
    connection: Connection, memories: Sequence[Memory], rows: Sequence[Replaced]
) -> tuple[_SpansOf, _SpansOf]:
    """Give the spans of the memories, and those of the replaced statements in the same messages."""
    own = _spans(connection, _SPANS, as_array([memory.id for memory in memories]))
    said_in = as_array(list({message for spans in own.values() for message in spans}))
    return own, _spans(connection, _SPANS_IN, as_array(list({old.id for old in rows})), said_in)


def _before(memory: Memory, old: Replaced) -> bool:
    """Say whether ``memory`` is another statement about the same, made while ``old`` held."""
    same = (memory.subject or "").casefold() == old.subject
    return same and memory.id != old.id and _stated_at(memory) < old.at


def _by_what(connection: Connection, memory: Memory, old: Replaced) -> dict[MemoryId, Overtaken]:
    """Give what stands now in the place of ``old``; nothing where that says the same again, or is the memory itself."""
    row = by_pk(connection, [old.pk]).get(old.pk)
    stands = (
        None
        if row is None
        else row
        if row.status is not Status.SUPERSEDED
        else successor_of(connection, row, [memory.scope])
    )
    if stands is None or stands.status is Status.QUARANTINED or stands.id == memory.id or keeps(stands.text, old.text):
        return {}
    return {memory.id: Overtaken(stands.id, stands.text, stands.valid_from)}


def _stated_at(memory: Memory) -> datetime:
    return memory.valid_from or memory.created_at


def _said_again(connection: Connection, memories: Sequence[Memory]) -> Mapping[MemoryId, date]:
    rows = connection.exec_driver_sql(_SAID_AGAIN, (as_array([memory.id for memory in memories]),))
    return {memory_id: date.fromisoformat(day) for memory_id, day in rows}


def _spans(connection: Connection, query: str, *given: str) -> _SpansOf:
    found: _SpansOf = {}
    for memory_id, message_id, start, end in connection.exec_driver_sql(query, given):
        found.setdefault(memory_id, {})[message_id] = start, end
    return found


def _overlap(one: Mapping[int, tuple[int, int]], other: Mapping[int, tuple[int, int]]) -> bool:
    shared = ((one[message], other[message]) for message in one.keys() & other.keys())
    return any(start < its_end and its_start < end for (start, end), (its_start, its_end) in shared)


def _lost_name(text: str, old: str, now: str) -> bool:
    gone = _gone(old, now)
    likely = {part for part in _parts(text) if _start(part) in gone}
    if not likely:
        return False
    names = {name.folded for said in (text, old) for name in take_apart(said).names}
    content = frozenset(content_words(text))
    telling = {word for word in likely if word in names or (word in content and _CASELESS.match(word))}
    before, after = Inflections(_parts(old), language_of(old)), Inflections(_parts(now), language_of(now))
    return any(before.has(word) and not after.has(word) for word in telling)


def _lost_number(text: str, old: str, now: str) -> bool:
    said, kept = [one.forms for one in claims(text)], [one.forms for one in claims(now)]
    lost = [one.forms for one in claims(old) if not any(one.forms & forms for forms in kept)]
    shared = [forms for forms in lost if any(forms & own for own in said)]
    long = any(len(min(forms, key=len)) >= TELLING_DIGITS for forms in shared)
    return long or (bool(shared) and bool(set(content_words(text)) & set(content_words(old))))


@lru_cache(maxsize=4_096)
def _gone(old: str, now: str) -> frozenset[str]:
    """Give the beginnings of words of ``old`` that may be names or numbers and are not in ``now``."""
    telling = (word for word in words(old) if _TELLING.search(word.raw))
    return frozenset(_start(part) for word in telling for part in _parts_of(word)) - _beginnings(now)


@lru_cache(maxsize=4_096)
def _beginnings(text: str) -> frozenset[str]:
    return frozenset(_start(part) for part in _parts(text))


def _start(part: str) -> str:
    """Give the beginning by which a word is looked up; a syllable of Hangul says as much as two letters."""
    return part[: BEGINNING // 2] if _CASELESS.match(part) else part[:BEGINNING]


def _parts(text: str) -> frozenset[str]:
    """Give the folded words of ``text``; of a run without blanks every two neighbouring characters."""
    return frozenset(part for word in words(text) for part in _parts_of(word))


def _parts_of(word: Word) -> Sequence[str]:
    whole = word.folded
    return [a + b for a, b in pairwise(whole)] if word.is_run and len(whole) > 1 else [whole]
