"""Whether something stands against a memory: a newer statement that cannot be true beside it, as a model judged them."""

from collections.abc import Collection

from memory.changes import as_array
from memory.domain import Memory, MemoryId
from memory.unit_of_work import UnitOfWork

_AGAINST = """
SELECT wanted.value
FROM json_each(?) AS wanted
CROSS JOIN memories AS held ON held.id = wanted.value
CROSS JOIN memory_verdicts AS v ON v.question = 'merge' AND v.verdict = 'contradicts' AND {mine} = held.id AND {mine}_stamp = held.revision
CROSS JOIN memories AS newer ON newer.id = {its} AND newer.revision = {its}_stamp AND newer.status = 'active'
WHERE coalesce(newer.valid_from, newer.created_at) > coalesce(held.valid_from, held.created_at)
"""
_SQL = f"{_AGAINST.format(mine='v.one', its='v.other')} UNION {_AGAINST.format(mine='v.other', its='v.one')}"


def contradicted(uow: UnitOfWork, found: Collection[Memory]) -> frozenset[MemoryId]:
    """Give those of the memories that a newer active one contradicts, while neither has changed since that was judged."""
    ids = as_array([memory.id for memory in found])
    return frozenset(MemoryId(row[0]) for row in uow.connection.exec_driver_sql(_SQL, (ids, ids)))
