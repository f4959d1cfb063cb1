"""The rows that indexes propose, looked at once more."""

from collections.abc import Collection

from sqlalchemy import Connection

from memory.domain import Memory, Status
from memory.recall.question import Question
from memory.rows import by_pk


def read(
    connection: Connection, question: Question, pks: Collection[int], statuses: Collection[Status]
) -> dict[int, Memory]:
    """Give the rows of these numbers that the question may see: indexes propose, the row decides."""
    return {
        pk: memory
        for pk, memory in by_pk(connection, pks).items()
        if memory.agent_slug == question.agent and memory.scope in question.scopes and memory.status in statuses
    }
