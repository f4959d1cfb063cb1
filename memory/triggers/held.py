"""The vectors of the cue phrases of one scope, held in memory in step with the file (`mirrors`)."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory.changes import as_array
from memory.domain import AgentSlug, Scope

Vectors = NDArray[np.float32]

_FROM = {
    True: "FROM memory_triggers AS t CROSS JOIN memories AS m ON m.id = t.memory_id",
    False: "FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.pk = wanted.value JOIN memory_triggers AS t ON t.memory_id = m.id",
}
_CUES = """
SELECT m.pk, t.phrase, t.embedding {rows}
WHERE m.agent_slug = ? AND m.scope = ? AND t.what = 'phrase' AND t.embedding_model = ? AND length(t.embedding) = ?
"""


class Meant(NamedTuple):
    """A cue phrase of a row of ``memories``, and how near a message lies to it: the cosine, -1 to 1."""

    pk: int
    phrase: str
    cosine: float


class CueVectors:
    """Phrases with their vectors, one a row."""

    worn = False  # gaps are filled at once

    def __init__(self, cues: Sequence[tuple[int, str]], rows: Vectors) -> None:
        self._cues = list(cues)
        self._rows = rows

    def __len__(self) -> int:
        return len(self._cues)

    def absorb(self, pks: Collection[int], fresh: "CueVectors") -> None:
        """Drop the phrases of the rows ``pks`` and take in those of ``fresh``."""
        gone = set(pks)
        stay = [place for place, (pk, _) in enumerate(self._cues) if pk not in gone]
        if len(stay) == len(self._cues) and not len(fresh):
            return
        self._cues = [self._cues[place] for place in stay] + fresh._cues  # noqa: SLF001 - of the same kind
        self._rows = np.concatenate([self._rows[stay], fresh._rows])  # noqa: SLF001

    def near(self, message: Vectors, least: float, hidden: Collection[int]) -> list[Meant]:
        """Give the phrases whose cosine with ``message`` is ``least`` or more, but for those of the rows ``hidden``."""
        cosines = np.vecdot(self._rows, message)
        found = (Meant(*self._cues[place], float(cosines[place])) for place in np.flatnonzero(cosines >= least))
        return [one for one in found if one.pk not in hidden]


def load(
    connection: Connection,
    agent: AgentSlug,
    scope: Scope,
    pks: Collection[int] | None,
    *,
    digest: str,
    dimensions: int,
) -> CueVectors:
    """Read the vectors of a model, of all rows of a scope or of those given; one that is no vector is left out."""
    bound = (agent, scope, digest, dimensions * 4)
    query = _CUES.format(rows=_FROM[pks is None])
    found = connection.exec_driver_sql(query, bound if pks is None else (as_array(pks), *bound)).fetchall()
    vectors = np.frombuffer(b"".join(blob for *_, blob in found), "<f4").reshape(len(found), dimensions)
    sound = np.flatnonzero(np.isfinite(vectors).all(axis=1)).tolist()
    return CueVectors([(found[place][0], found[place][1]) for place in sound], vectors[sound].astype(np.float32))
