"""Candidates for a merge: near, of one scope and subject, not judged yet, at most eight together."""

from datetime import timedelta

import numpy as np
import pytest

from memory import policy, store, verdicts
from memory.domain import Status
from memory.hygiene import clusters
from memory.hygiene.clusters import Cluster
from memory.rows import by_pk
from memory.unit_of_work import UnitOfWork
from tests.memory.hygiene.twins import at, told
from tests.memory.lifecycle.lives import ENGINE, fresh
from tests.memory.samples import CAUSE, DIGEST, ELSEWHERE, NOW, keep

THRESHOLD = 0.9


def found(uow: UnitOfWork) -> list[Cluster]:
    made: list[Cluster] = []
    for group in clusters.groups(uow, ENGINE):
        pks, vectors = clusters.vectors_of(uow, ENGINE, group.pks)
        edges = [edge for block in clusters.near(pks, vectors, THRESHOLD) for edge in block]
        made += clusters.clusters(uow, edges)
    return made


def edges_of(uow: UnitOfWork) -> list[clusters.Edge]:
    (group,) = clusters.groups(uow, ENGINE)
    pks, vectors = clusters.vectors_of(uow, ENGINE, group.pks)
    return [edge for block in clusters.near(pks, vectors, THRESHOLD) for edge in block]


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


def test_the_groups_themselves_hold_scope_subject_and_pins_apart(uow: UnitOfWork) -> None:
    given = {"vector": at(0), "digest": DIGEST}
    mine, too = keep(uow, "mine", **given), keep(uow, "mine too", subject="ANNA", **given)
    for fields in ({"scope": ELSEWHERE}, {"subject": "Bob"}, {"subject": None}):
        keep(uow, "alone", **given, **fields)
    store.change(uow, keep(uow, "pinned", **given), now=NOW, cause=CAUSE, pinned=True)
    (group,) = clusters.groups(uow, ENGINE)
    assert (group.scope, group.subject) == (mine.scope, "anna")
    assert set(by_pk(uow.connection, group.pks).values()) == {mine, too}


def test_a_pair_that_changed_since_it_was_found_is_looked_at_again(uow: UnitOfWork) -> None:
    """Between the product and the question somebody pins, parts, moves."""
    memories = told(uow, "one", "two"), told(uow, "three", "four")
    edges = edges_of(uow)
    store.change(uow, memories[0][0], now=NOW, cause=CAUSE, pinned=True)
    store.change(uow, memories[1][0], now=NOW, cause=CAUSE, subject="Bob")
    assert texts(list(clusters.clusters(uow, edges))) == [["four", "two"]]


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
    assert all(2 <= len(cluster.memories) <= 8 for cluster in made)
    assert sum(len(cluster.memories) for cluster in made) >= 16
    assert len({memory.id for cluster in made for memory in cluster.memories}) == sum(len(c.memories) for c in made)


def test_what_was_judged_does_not_take_the_room_of_what_was_not(
    uow: UnitOfWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy, "PAIRS_A_PASS", 1)
    nearest = told(uow, "one", "other")
    third = keep(uow, "third", vector=at(0.3), digest=DIGEST)
    verdicts.keep(uow, verdicts.Question.MERGE, *nearest, verdicts.DISTINCT, now=NOW)
    (group,) = clusters.groups(uow, ENGINE)
    pks, vectors = clusters.vectors_of(uow, ENGINE, group.pks)
    judged = verdicts.of_rows(uow, group.pks)
    edges = [edge for block in clusters.near(pks, vectors, THRESHOLD, judged) for edge in block]
    assert texts(list(clusters.clusters(uow, edges))) == [["other", third.text]]


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


@pytest.mark.parametrize("backwards", [False, True])
def test_judged_pairs_are_left_out_wherever_they_stand_and_no_other(backwards: bool) -> None:
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(2 * policy.HYGIENE_BLOCK + 7, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pks = np.arange(len(vectors), dtype=np.int64)[:: -1 if backwards else 1] * 3 + 10
    pairs = [edge[1:] for block in clusters.near(pks, vectors, 0.9) for edge in block]
    assert len(pairs) > 100
    judged = [*pairs[::3], *((other, one) for one, other in pairs[1::3]), (int(pks[0]), 999_999)]
    left = [edge[1:] for block in clusters.near(pks, vectors, 0.9, judged) for edge in block]
    assert left == pairs[2::3]


def test_an_embedder_that_sees_all_alike_fills_no_memory() -> None:
    """Text in a script that the model does not know: every cosine is 1."""
    rows = 3 * policy.HYGIENE_BLOCK
    vectors = np.tile(np.array([[1.0, 0.0]], np.float32), (rows, 1))
    edges = [edge for block in clusters.near(np.arange(rows), vectors, 0.72) for edge in block]
    assert policy.PAIRS_A_PASS <= len(edges) <= 2 * policy.PAIRS_A_PASS


def test_of_too_many_pairs_the_strongest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "PAIRS_A_PASS", 50)
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(policy.HYGIENE_BLOCK + 90, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    whole = np.sort((vectors @ vectors.T)[np.triu_indices(len(vectors), 1)])[::-1]
    edges = [edge for block in clusters.near(np.arange(len(vectors)), vectors, 0.5) for edge in block]
    strongest = sorted((edge[0] for edge in edges), reverse=True)[:50]
    assert strongest == pytest.approx(whole[:50].tolist(), abs=1e-5)
