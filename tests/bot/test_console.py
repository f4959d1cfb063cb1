"""The terminal: a line is a turn or a command, and nothing that is typed or piped ends the conversation."""

import io
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.console import CONSOLE_BOT_ID, MAX_LINE_BYTES, Console, ConsoleSender
from bot.errors import TidemarkError
from bot.ownership import TERMINAL_CHAT
from tests.bot.assistant import Assistant, assistant


@pytest_asyncio.fixture
async def here(tmp_path: Path) -> AsyncIterator[Assistant]:
    async with assistant(tmp_path, owner=None, bot_id=CONSOLE_BOT_ID) as made:
        yield made


async def talk(here: Assistant, source: bytes, *, interactive: bool = False) -> list[str]:
    """Pipe bytes in and give the lines that are printed."""
    out = io.StringIO()
    sender = ConsoleSender(here.executors, here.clock, out)
    # while nobody is owner, the terminal speaks as the one who will be
    runner = type(here.runner)(replace(here.reflection, owner=lambda: here.ownership.terminal_id))
    console = Console(here.turn, here.ownership, sender, runner, interactive=interactive, out=out)
    await console.run(io.BytesIO(source))
    return out.getvalue().splitlines()


async def test_a_line_is_answered_and_reflected_on_before_the_next(here: Assistant) -> None:
    lines = await talk(here, b"My dentist is Dr Alvarez.\n/memories\n")
    assert lines[0] == "Understood."
    assert any("My dentist is Dr Alvarez." in line for line in lines[1:])
    assert await here.held(TERMINAL_CHAT) == ["My dentist is Dr Alvarez."]


async def test_the_last_line_needs_no_end(here: Assistant) -> None:
    assert await talk(here, b"one\ntwo") == ["Understood.", "Understood."]


@pytest.mark.parametrize("leave", [b"/quit", b"/exit", b"  /quit  "])
async def test_one_leaves_with_a_word(here: Assistant, leave: bytes) -> None:
    assert await talk(here, leave + b"\nnever said\n") == []
    assert here.model.requests == []


async def test_blank_lines_are_no_messages(here: Assistant) -> None:
    assert await talk(here, b"\n   \n\t\r\n") == []


async def test_a_line_that_is_too_long_is_refused_with_the_limit_and_the_next_is_answered(here: Assistant) -> None:
    lines = await talk(here, b"x" * 100_000 + b"\nhello\n")
    assert lines == ["That line is too long: at most 64 kB. Nothing of it was kept.", "Understood."]
    assert len(here.model.requests) == 1


async def test_a_line_as_long_as_may_be_is_taken(here: Assistant) -> None:
    lines = await talk(here, b"x " * (MAX_LINE_BYTES // 2 - 1) + b"x\n")
    assert lines == ["Understood."]


@pytest.mark.parametrize(
    "line", [b"\xff\xfe\x00", b"a\x00b", b"\xed\xa0\xbd", b"\xe2\x80\xae", b"//not a command", b"\x1b[31m"]
)
async def test_any_bytes_are_answered(here: Assistant, line: bytes) -> None:
    assert await talk(here, line + b"\n") == ["Understood."]


@pytest.mark.parametrize(
    "line", [b"/memories " + b"9" * 5000, b"/remember\tI eat no shellfish.", b"/", b"/ ", b"/dance", b"/HELP"]
)
async def test_any_command_is_answered(here: Assistant, line: bytes) -> None:
    lines = await talk(here, line + b"\nand on\n")
    assert lines[-1] == "Understood."
    assert len(lines) > 1
    assert TidemarkError.sentence not in lines


async def test_what_fails_is_told_and_the_conversation_goes_on(
    here: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise ValueError

    with monkeypatch.context() as patched:
        patched.setattr(here.engine, "recall", breaks)
        assert await talk(here, b"hello\n/help\n") != []
        assert TidemarkError.sentence in await talk(here, b"hello\n")
    assert await talk(here, b"hello\n") == ["Understood."]


async def test_at_a_prompt_reflection_is_not_waited_for(here: Assistant) -> None:
    lines = await talk(here, b"My cat is called Biscuit.\n", interactive=True)
    assert lines == ["> Understood.", "> "]
    assert await here.held(TERMINAL_CHAT) == []
