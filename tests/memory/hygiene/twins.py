"""What the tests of hygiene share: statements with vectors that lie as near as they are told to."""

from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.domain import Memory
from memory.hygiene.clusters import Cluster
from memory.unit_of_work import UnitOfWork
from tests.memory.lifecycle.lives import fresh
from tests.memory.samples import DIGEST, NOW, keep


def at(angle: float) -> NDArray[np.float32]:
    """Give a unit vector at an angle (radians) from the first axis."""
    return np.array([np.cos(angle), np.sin(angle), 0.0], np.float32)


def told(uow: UnitOfWork, *texts: str, **fields: Any) -> tuple[Memory, ...]:
    """Keep statements a day apart, all in one direction."""
    return tuple(
        keep(uow, text, now=NOW + timedelta(days=day), vector=at(0.01 * day), digest=DIGEST, **fields)
        for day, text in enumerate(texts)
    )


def cluster_of(uow: UnitOfWork, *texts: str, **fields: Any) -> Cluster:
    """Keep statements and give them as a cluster."""
    return Cluster(tuple(fresh(uow, memory) for memory in told(uow, *texts, **fields)))
