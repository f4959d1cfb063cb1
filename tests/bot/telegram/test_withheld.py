"""Words that were taken out stay out, also when somebody replies to the message that held them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import select

from bot.storage.tables import inbox, outbox
from memory.tables import messages
from tests.bot.assistant import Assistant, assistant
from tests.bot.telegram import payloads as p

SECRET = "My mail password is Quartz!Lamp77"
EX = "My ex is called Leontine Dray."


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[Assistant]:
    async with assistant(tmp_path) as made:
        yield made


async def everything(here: Assistant) -> str:
    rows = [await here.rows(select(table)) for table in (inbox, messages, outbox)]
    return str(rows) + str([request.messages for request in here.model.requests[1:]])


@pytest.mark.parametrize("quote", [{}, {"quote": {"text": "Quartz!Lamp77", "position": 0}}])
async def test_a_reply_to_a_redacted_message_does_not_bring_the_secret_back(
    here: Assistant, quote: dict[str, Any]
) -> None:
    """Telegram sends the answered message along, as it was written."""
    await here.says(SECRET, message_id=500)
    await here.settle()
    await here.says("see there", message_id=501, reply_to_message=p.message(text=SECRET, message_id=500), **quote)
    assert "Lamp77" not in await everything(here)
    assert "My mail password is [redacted]" in str(here.model.requests[-1].messages)


async def test_a_reply_to_a_forgotten_message_shows_what_is_left_of_it(here: Assistant) -> None:
    await here.says(EX, message_id=500)
    await here.settle()
    command = "/forget Leontine Dray"
    await here.says(command, message_id=501, entities=[p.entity(command, "bot_command", "/forget")])
    await here.says("and this?", message_id=502, reply_to_message=p.message(text=EX, message_id=500))
    assert "Leontine" not in await everything(here)


async def test_a_reply_to_words_of_ours_that_were_taken_out_does_not_either(here: Assistant) -> None:
    """The answer that repeated them is still there to be replied to."""
    await here.says("hello", message_id=500)
    await here.write(
        lambda uow: uow.connection.execute(outbox.update().values(sent_id=900, text="You said [forgotten]."))
    )
    ours = p.message(p.private(), p.BOT, "You said Leontine.", message_id=900)
    await here.says("what?", message_id=501, reply_to_message=ours)
    assert "Leontine" not in await everything(here)


async def test_any_other_reply_is_shown_as_it_is(here: Assistant) -> None:
    await here.says("We meet at nine", message_id=500)
    await here.says("sure?", message_id=501, reply_to_message=p.message(text="We meet at nine", message_id=500))
    assert "<reply_to" in str(here.model.requests[-1].messages)
    assert "We meet at nine" in str(here.model.requests[-1].messages).split("<reply_to")[1]
