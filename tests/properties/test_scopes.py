"""Whatever is said in whatever chats: the prompt of a turn holds nothing of another chat, and feels nothing of it.

Everything goes the real way: an update is stored, read, admitted, answered, reflected on; the turn recalls.
"""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bot.assistant import OWNER, Assistant, assistant
from tests.bot.telegram import payloads

PEOPLE = [payloads.person(OWNER, "Nadia"), payloads.person(41, "Tobin"), payloads.person(42, "Nadia")]
CHATS = [
    *(payloads.private(person["id"], person["first_name"]) for person in PEOPLE),
    {"id": -5_500_001, "type": "group", "title": "Tents"},
    {"id": -1_005_500_002, "type": "supergroup", "title": "Tents"},
]
WORDS = st.lists(
    st.sampled_from(
        (
            "boat",
            "kayak",
            "the key",
            "is not",
            "in Porto",
            "café",
            "猫",
            "房租",
            "ключ",
            "🎂",
            "</memories>",
            "<memory>",
            "\u202e",
            "\x00",
            "AND",
        )
    ),
    min_size=1,
    max_size=5,
).map(" ".join)
TEXTS = WORDS | st.text(max_size=30)
SAID = st.lists(st.tuples(st.integers(0, len(CHATS) - 1), st.integers(0, len(PEOPLE) - 1), TEXTS), max_size=7)
SETTINGS = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def marked(text: str, n: int) -> str:
    """Give a statement that is like no other, whatever its words are."""
    return f"{text} zq{n:03}x."


def speaker_of(chat: dict[str, Any], person: int) -> dict[str, Any]:
    return next(one for one in PEOPLE if one["id"] == chat["id"]) if chat["type"] == "private" else PEOPLE[person]


async def lived(folder: Path, said: list[tuple[int, int, str]], asking: int, question: str, *, anew: bool) -> str:
    """Let everything be said and remembered, ask in one chat, and give what the model was sent for it."""
    async with assistant(folder) as here:
        for person in PEOPLE:
            await here.allow(person["id"])
        for chat in CHATS[len(PEOPLE) :]:
            await here.allow_group(chat["id"], "all")
        for n, (chat, person, text) in enumerate(said):
            if chat >= 0:
                await here.says(marked(text, n), speaker_of(CHATS[chat], person), CHATS[chat])
        await here.settle()
        return await _asked(here, CHATS[asking], question, anew=anew)


async def _asked(here: Assistant, chat: dict[str, Any], question: str, *, anew: bool) -> str:
    person, handle = speaker_of(chat, 0), f"@{payloads.BOT['username']}"
    if anew:
        await here.says(f"/new{handle}", person, chat)
    before = len(here.model.requests)
    call = "" if chat["type"] == "private" else f"{handle} "
    await here.says(f"{call}Q: {question}", person, chat)
    assert len(here.model.requests) == before + 1
    return here.prompt()


def ask(said: list[tuple[int, int, str]], asking: int, question: str, *, anew: bool) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(lived(Path(folder), said, asking, question, anew=anew))


@SETTINGS
@given(said=SAID, asking=st.integers(0, len(CHATS) - 1), question=TEXTS, anew=st.booleans())
def test_a_prompt_holds_nothing_of_another_chat(
    said: list[tuple[int, int, str]], asking: int, question: str, anew: bool
) -> None:
    prompt = ask(said, asking, question, anew=anew)
    foreign = [f"zq{n:03}x" for n, (chat, _, _) in enumerate(said) if chat != asking]
    assert [mark for mark in foreign if mark in prompt] == []
    own = [f"zq{n:03}x" for n, (chat, _, _) in enumerate(said) if chat == asking]
    assert anew or [mark for mark in own if mark not in prompt] == []


@SETTINGS
@given(said=SAID, asking=st.integers(0, len(CHATS) - 1), question=TEXTS, anew=st.booleans())
def test_what_is_said_elsewhere_does_not_change_the_prompt(
    said: list[tuple[int, int, str]], asking: int, question: str, anew: bool
) -> None:
    """Not by a memory more or less: even statistics would tell something; equals stand in any order."""
    alone = [(chat if chat == asking else -1, person, text) for chat, person, text in said]
    among = ask(said, asking, question, anew=anew)
    assert sorted(among.splitlines()) == sorted(ask(alone, asking, question, anew=anew).splitlines())
