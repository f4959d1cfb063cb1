"""``tidemark memories explain "question" --chat ID``: what recall makes of a question, part by part."""

import asyncio

from bot.explaining import explained
from bot.ownership import Ownership
from bot.wiring import Foundation, database_path
from config.schema import Settings
from memory import store
from memory.domain import MemoryId, chat_scope
from memory.migrating import HEAD, revision_of
from memory.recall.values import Recall
from memory.unit_of_work import UnitOfWork

EVERYTHING = 1_000
"""Candidates shown of what was left out: recall looks at about a hundred."""


def explain(settings: Settings, question: str, chat_id: int | None) -> int:
    """Print what recall would give in a chat, and why; without ``chat_id`` in the owner's (or the terminal's)."""
    path = database_path(settings)
    if not path.exists() or revision_of(path) != HEAD:
        print(f"No database of the present shape at {path}. `tidemark run` makes one.")
        return 1
    return asyncio.run(_explain(settings, question, chat_id))


async def _explain(settings: Settings, question: str, chat_id: int | None) -> int:
    base = Foundation(settings)
    try:
        ownership = Ownership(settings.owner_id)
        await base.executors.read(ownership.load)
        scope = chat_scope(ownership.terminal_id if chat_id is None else chat_id)
        nameless = await base.executors.read(lambda uow: base.engine.names_in_question(uow, scope, question))
        vectors = await base.executors.embed(lambda: base.engine.embed_question(question, nameless))

        def read(uow: UnitOfWork) -> tuple[Recall, dict[MemoryId, str]]:
            found = base.engine.recall(
                uow,
                scope,
                question,
                vectors,
                limit=settings.memory.recall_limit,
                token_budget=settings.memory.recall_tokens,
                count_tokens=base.model.count_tokens,
                timezone=settings.timezone,
            )
            ids = [one.memory.id for one in found.chosen] + [out.memory_id for out in found.left_out]
            return found, {m.id: m.text for m in store.by_ids(uow, base.engine.agent, scope, ids)}

        recall, texts = await base.executors.read(read)
    finally:
        await base.close()
    chosen = {one.memory.id: one.parts for one in recall.chosen}
    print(f"In {scope}: {len(chosen)} chosen, {len(recall.left_out)} left out.")
    print("\n".join(explained(chosen, recall.left_out, texts, most_left_out=EVERYTHING)))
    return 0
