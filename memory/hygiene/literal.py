"""What is literally the same twice, about the same: merged without asking anybody, offline too."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import func, select

from memory import policy, store, verdicts
from memory.domain import Memory, Status
from memory.folding import words
from memory.hygiene.clusters import Cluster, of_one_person
from memory.hygiene.joining import join
from memory.hygiene.loss import lost, spelled
from memory.rows import COLUMNS, memory_from_row
from memory.steps import BATCH, Engine
from memory.tables import memories
from memory.unit_of_work import UnitOfWork


def due(uow: UnitOfWork, engine: Engine, *, limit: int = BATCH) -> tuple[Cluster, ...]:
    """Give literal duplicates: active and unpinned, of one scope and subject, ending on the same day, never parted by a person."""
    m = memories.c
    here = (m.agent_slug == engine.agent, m.status == Status.ACTIVE, m.pinned.is_(False))
    twice = select(m.scope, m.normalised).where(*here).group_by(m.scope, m.normalised).having(func.count() > 1)
    found: list[Cluster] = []
    for scope, normalised in uow.connection.execute(twice.order_by(m.scope, m.normalised).limit(10 * limit)).all():
        same = select(*COLUMNS).where(*here, m.scope == scope, m.normalised == normalised).order_by(m.pk)
        rows = uow.connection.execute(same.limit(policy.CLUSTER_SIZE)).all()
        found += _alike(uow, [memory_from_row(row) for row in rows])
    return tuple(found[:limit])


def settle(uow: UnitOfWork, engine: Engine, cluster: Cluster, *, now: datetime) -> Memory | None:
    """Merge literal duplicates into one with the newest spelling; None when one of them changed meanwhile."""
    held = [store.get(uow, engine.agent, memory.scope, memory.id) for memory in cluster.memories]
    if any(one != memory for one, memory in zip(held, cluster.memories, strict=True)):
        return None
    reason = "they are the same word for word"
    return join(uow, engine, cluster.memories, cluster.memories[-1].text, now=now, reason=reason)


def _alike(uow: UnitOfWork, twins: Sequence[Memory]) -> Iterator[Cluster]:
    """Give what of equal texts can be one: each with the first that it fits to."""
    parted = {pair for pair, said in verdicts.of_pairs(uow, [m.id for m in twins]).items() if said == verdicts.PARTED}
    left = list(twins)
    while left:
        first = left.pop(0)
        same = [twin for twin in left if _fits(first, twin) and not _is_parted(twin, [first], parted)]
        same = [twin for at, twin in enumerate(same) if not _is_parted(twin, same[:at], parted)]
        left = [twin for twin in left if twin not in same]
        if same:
            yield Cluster((first, *same))


def _fits(one: Memory, other: Memory) -> bool:
    same = one.expires_at == other.expires_at and of_one_person(one, other) and _spelled(one) == _spelled(other)
    return same and not lost([one.text, other.text], other.text)


def _spelled(memory: Memory) -> list[str]:
    """Give the words with their accents: "schon" is not "schön"."""
    return [spelled(word) for word in words(memory.text)]


def _is_parted(twin: Memory, others: Sequence[Memory], parted: set[verdicts.Pair]) -> bool:
    return any(verdicts.pair(twin, other) in parted for other in others)
