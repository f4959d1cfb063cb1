from pathlib import Path

from sqlalchemy import select

from memory.domain import Kind, Layer, Status, Trust
from memory.rows import COLUMNS, memory_from_row
from memory.tables import memories
from tests.databases import new_database
from tests.memory.recall.stores import AGENT, HERE, NOW, write


def test_a_row_becomes_the_value_it_was(tmp_path: Path) -> None:
    """Enums are enums again, times are aware, and what is not part of the value is left behind."""
    database = new_database(tmp_path / "a.db")
    write(database, [{"text": "boat", "superseded_by": "01X", "pinned": True}])
    with database.read() as uow:
        memory = memory_from_row(uow.connection.execute(select(memories.c.pk, *COLUMNS)).one())
    database.close()
    assert (memory.agent_slug, memory.scope, memory.text, memory.superseded_by) == (AGENT, HERE, "boat", "01X")
    assert (memory.kind, memory.layer, memory.status, memory.trust) == (
        Kind.SEMANTIC, Layer.WORKING, Status.ACTIVE, Trust.OWNER,
    )  # fmt: skip
    assert isinstance(memory.status, Status)
    assert memory.created_at == NOW
    assert memory.pinned is True
