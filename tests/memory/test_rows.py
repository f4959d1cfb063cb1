from pathlib import Path

from sqlalchemy import select

from memory.domain import Kind, Layer, Status, Trust
from memory.rows import COLUMNS, by_pk, memory_from_row
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


def test_the_short_way_reads_the_same_values(tmp_path: Path) -> None:
    """Every field, empty or not; rows that are not there are left out."""
    database = new_database(tmp_path / "a.db")
    rich = {"text": "b", "subject": "Anna", "speaker": "Bo", "speaker_id": -5, "trust": "quoted", "valid_to": NOW, "uses": 3,
            "expires_at": NOW.replace(microsecond=7), "pinned": True, "superseded_by": "01X", "layer": "core"}  # fmt: skip
    write(database, [{"text": "boat", "status": "quarantined", "kind": "lesson"}, rich])
    with database.read() as uow:
        slow = {row.pk: memory_from_row(row) for row in uow.connection.execute(select(memories.c.pk, *COLUMNS))}
        assert by_pk(uow.connection, [2, 1, 77]) == slow
        assert by_pk(uow.connection, []) == {}
        assert type(by_pk(uow.connection, [2])[2].pinned) is bool
    database.close()
