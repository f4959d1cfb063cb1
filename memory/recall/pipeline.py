"""From a question to the memories that go into the prompt."""

from collections.abc import Callable
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from memory import policy
from memory.analysis import tokens
from memory.domain import AgentSlug, Memory, Scope, visible_scopes
from memory.recall import scoring
from memory.recall.candidates import Candidate, Question, gather
from memory.recall.fusion import is_relevant
from memory.recall.selection import Judged, select
from memory.recall.values import Recall
from memory.vectors import VectorIndex


def recall(
    connection: Connection,
    index: VectorIndex | None,
    query: str,
    vector: NDArray[np.float32] | None,
    *,
    agent: AgentSlug,
    scope: Scope,
    now: datetime,
    lived_hours: Callable[[Memory], float] | None = None,
    limit: int = policy.RECALL_LIMIT,
    token_budget: int = policy.RECALL_TOKENS,
    count_tokens: Callable[[str], int],
) -> Recall:
    """Give the memories visible in ``scope`` that help with ``query``, best first; nothing when nothing does.

    Args:
        connection: an open snapshot; every read happens in it.
        index: the vectors of the model that made ``vector``; without either, keywords alone decide.
        query: any text.
        vector: the question as the embedder sees it; shorter than 1 where it cannot read all of it.
        agent: whose memories.
        scope: where the question is asked; ``global`` memories are visible as well.
        now: the present, aware.
        lived_hours: gives a memory's idle time in lived hours; without it plain time counts.
        limit: the most memories to give.
        token_budget: the most tokens their texts may have together.
        count_tokens: counts the tokens of a text.
    """
    asked = tokens(query)
    if not asked or limit < 1:
        return Recall()
    question = Question(agent, visible_scopes(scope), asked, vector)
    sight = 0.0 if vector is None else float(np.linalg.norm(vector))
    idle_hours = lived_hours or (lambda memory: (now - memory.accessed_at).total_seconds() / 3600)
    judged = (_judge(candidate, sight, idle_hours) for candidate in gather(connection, index, question))
    return select(judged, limit=limit, token_budget=token_budget, count_tokens=count_tokens)


def _judge(candidate: Candidate, sight: float, idle_hours: Callable[[Memory], float]) -> Judged:
    parts = scoring.parts(candidate, sight, idle_hours)
    relevant = is_relevant(candidate.keywords, candidate.cosine)
    return Judged(candidate.memory, parts, relevant=relevant)
