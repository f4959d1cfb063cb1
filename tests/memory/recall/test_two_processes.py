"""The command line works beside the bot: what one process stores, the other finds."""

import json
import subprocess
import sys
from pathlib import Path

from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import StoreMaker

STORE = """
import json, sys
from pathlib import Path
from memory import store
from memory.database import Database
from memory.domain import Kind, Layer, Scope
from tests.fakes import HashingEmbedder
from tests.memory.samples import AGENT, CAUSE, NOW, new
embedder = HashingEmbedder()
database = Database(Path(sys.argv[1]))
with database.write() as uow:
    for text, cues in json.loads(sys.argv[2]):
        said = new(text, Scope("chat:1"), kind=Kind.LESSON, triggers=cues)
        store.insert(uow, said, agent=AGENT, now=NOW, cause=CAUSE, layer=Layer.WORKING,
                     vector=embedder.embed_query(text), digest=embedder.digest)
    uow.commit()
database.close()
"""


def elsewhere(path: Path, *said: tuple[str, list[str]]) -> None:
    subprocess.run([sys.executable, "-c", STORE, str(path), json.dumps(said)], check=True)


def test_what_another_process_stores_is_found_by_words_vector_and_cue(make_store: StoreMaker) -> None:
    """Although everything was held in memory before it came."""
    store = make_store("The boat is blue", embedder=HashingEmbedder())
    assert store.texts("kayak shed", limit=50) in ([], ["The boat is blue"])
    elsewhere(store.database.path, ("A kayak hangs in the shed", []), ("Check twice", ["paddle"]))
    found = store.ask("kayak shed").chosen
    assert found[0].memory.text == "A kayak hangs in the shed"
    assert found[0].parts.terms
    assert found[0].parts.cosine is not None
    assert "Check twice" in store.texts("where is the paddle")
