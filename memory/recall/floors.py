"""The floors that maintenance measured, as recall reads them; where there is none, the size of the store decides."""

from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert

from memory.domain import AgentSlug, Scope
from memory.recall.gate import usual_floor
from memory.tables import recall_centres, recall_floors
from memory.vectors import Vector, VectorIndex, unpack

_FLOOR = "SELECT floor, memories FROM recall_floors WHERE agent_slug = ? AND scope = ? AND digest = ?"
_CENTRE = "SELECT centre FROM recall_centres WHERE digest = ?"
STILL_FITS = 2.0
"""A store that has more than doubled or halved since is another store."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The floor of what is visible in a scope with one embedder, and of how many memories it was measured."""

    agent: AgentSlug
    scope: Scope
    digest: str
    floor: float
    memories: int


def floor(connection: Connection, index: VectorIndex | None, agent: AgentSlug, scope: Scope, memories: int) -> float:
    """Give the evidence, 0-1, that the best of ``memories`` visible ones must have to answer a question."""
    kept = None if index is None else held(connection, agent, scope, index.digest)
    if kept is not None and kept.memories / STILL_FITS <= memories <= kept.memories * STILL_FITS:
        return kept.floor
    return usual_floor(memories)


def held(connection: Connection, agent: AgentSlug, scope: Scope, digest: str) -> Calibration | None:
    """Give what was measured last for a scope and an embedder."""
    row = connection.exec_driver_sql(_FLOOR, (agent, scope, digest)).first()
    return None if row is None else Calibration(agent, scope, digest, row[0], row[1])


def keep(connection: Connection, calibration: Calibration) -> None:
    """Store a measurement in place of the former."""
    f = recall_floors.c
    here = (f.agent_slug == calibration.agent, f.scope == calibration.scope, f.digest == calibration.digest)
    connection.execute(delete(recall_floors).where(*here))
    connection.execute(
        insert(recall_floors).values(
            agent_slug=calibration.agent,
            scope=calibration.scope,
            digest=calibration.digest,
            floor=calibration.floor,
            memories=calibration.memories,
        )
    )


def lean(connection: Connection, index: VectorIndex | None) -> None:
    """Tell ``index`` where the neutral questions of its model lie, as soon as that is known."""
    if index is not None and index.neutral is None:
        blob = connection.exec_driver_sql(_CENTRE, (index.digest,)).scalar()
        centre = None if blob is None else unpack(blob)
        index.neutral = centre if centre is not None and centre.shape == (index.dimensions,) else None


def has_centre(connection: Connection, digest: str) -> bool:
    """Say whether it is known where the neutral questions of a model lie."""
    return connection.exec_driver_sql(_CENTRE, (digest,)).scalar() is not None


def keep_centre(connection: Connection, digest: str, centre: Vector) -> None:
    """Store where the neutral questions of a model lie."""
    connection.execute(delete(recall_centres).where(recall_centres.c.digest == digest))
    connection.execute(insert(recall_centres).values(digest=digest, centre=centre.astype("<f4").tobytes()))
