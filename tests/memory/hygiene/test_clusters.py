"""Candidates for a merge: near, of one scope and subject, not judged yet, at most eight together."""

from datetime import datetime, timedelta

import numpy as np
import pytest

from memory import policy, store, verdicts
from memory.domain import Status
from memory.hygiene import clusters
from memory.hygiene.clusters import Cluster
from memory.unit_of_work import UnitOfWork
from tests.memory.hygiene.twins import at, told
from tests.memory.lifecycle.lives import ENGINE, fresh
from tests.memory.samples import CAUSE, DIGEST, ELSEWHERE, NOW, keep

THRESHOLD = 0.9


def found(uow: UnitOfWork, now: datetime = NOW) -> list[Cluster]:
    made: list[Cluster] = []
    for group in clusters.groups(uow, ENGINE):
        pks, vectors = clusters.vectors_of(uow, ENGINE, group.pks)
        edges = [edge for block in clusters.near(pks, vectors, THRESHOLD) for edge in block]
        made += clusters.clusters(uow, edges, now=now)
    return made


def texts(made: list[Cluster]) -> list[list[str]]:
    return sorted(sorted(memory.text for memory in cluster.memories) for cluster in made)


def test_what_lies_near_comes_together_and_what_does_not_stays_out(uow: UnitOfWork) -> None:
    for text, angle in (("a", 0.0), ("b", 0.1), ("c", 0.2), ("far", 1.2), ("farther", 2.6), ("beside far", 1.3)):
        keep(uow, text, vector=at(angle), digest=DIGEST)
    assert texts(found(uow)) == [["a", "b", "c"], ["beside far", "far"]]


def test_nothing_crosses_a_scope_or_a_subject(uow: UnitOfWork) -> None:
    given = {"vector": at(0), "digest": DIGEST}
    keep(uow, "mine", **given)
    keep(uow, "elsewhere", ELSEWHERE, **given)
    keep(uow, "Bob's", subject="Bob", **given)
    keep(uow, "nobody's", subject=None, **given)
    keep(uow, "ANNA's too", subject="ANNA", **given)
    assert texts(found(uow)) == [["ANNA's too", "mine"]]


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.QUARANTINED, Status.SUPERSEDED])
def test_only_active_unpinned_memories_with_a_vector_of_this_model_take_part(uow: UnitOfWork, status: Status) -> None:
    keep(uow, "one", vector=at(0), digest=DIGEST)
    keep(uow, "asleep", vector=at(0), digest=DIGEST, status=status)
    keep(uow, "of another model", vector=at(0), digest="other")
    keep(uow, "without")
    pinned = keep(uow, "pinned", vector=at(0), digest=DIGEST)
    store.change(uow, pinned, now=NOW, cause=CAUSE, pinned=True)
    assert found(uow) == []


def test_a_judged_pair_is_no_candidate_until_one_of_it_changes(uow: UnitOfWork) -> None:
    one, other = told(uow, "one", "other")
    verdicts.keep(uow, verdicts.Question.MERGE, other, one, verdicts.DISTINCT, now=NOW)
    assert found(uow) == []
    store.change(uow, one, now=NOW, cause=CAUSE, importance=9)
    assert texts(found(uow)) == [["one", "other"]]


def test_a_newcomer_is_compared_without_asking_about_the_old_pair_again(uow: UnitOfWork) -> None:
    one, other = told(uow, "one", "other")
    verdicts.keep(uow, verdicts.Question.MERGE, one, other, verdicts.DISTINCT, now=NOW)
    verdicts.keep(
        uow, verdicts.Question.MERGE, one, keep(uow, "new", vector=at(0), digest=DIGEST), verdicts.DISTINCT, now=NOW
    )
    assert texts(found(uow)) == [["new", "other"]]


def test_a_crowd_becomes_clusters_of_eight(uow: UnitOfWork) -> None:
    told(uow, *(f"copy {n}" for n in range(20)))
    made = found(uow)
    assert all(2 <= len(cluster.memories) <= policy.CLUSTER_SIZE for cluster in made)
    assert sum(len(cluster.memories) for cluster in made) >= 16
    assert len({memory.id for cluster in made for memory in cluster.memories}) == sum(len(c.memories) for c in made)


def test_clusters_come_oldest_first(uow: UnitOfWork) -> None:
    young = keep(uow, "young", now=NOW + timedelta(days=5), vector=at(0), digest=DIGEST)
    old = keep(uow, "old", now=NOW - timedelta(days=5), vector=at(0), digest=DIGEST)
    assert found(uow)[0].memories == (fresh(uow, old), fresh(uow, young))


@pytest.mark.parametrize("rows", [1, 2, policy.HYGIENE_BLOCK, policy.HYGIENE_BLOCK + 1, 2 * policy.HYGIENE_BLOCK + 7])
def test_the_blocks_give_exactly_the_pairs_of_the_whole_product(rows: int) -> None:
    rng = np.random.default_rng(rows)
    vectors = rng.normal(size=(rows, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pks = np.arange(rows, dtype=np.int64) * 3 + 1
    whole = vectors @ vectors.T
    left, right = np.where(np.triu(whole >= 0.95, 1))
    expected = {(int(pks[a]), int(pks[b])) for a, b in zip(left, right, strict=True)}
    edges = [edge for block in clusters.near(pks, vectors, 0.95) for edge in block]
    assert {edge[1:] for edge in edges} == expected
    assert len(edges) == len(expected)
