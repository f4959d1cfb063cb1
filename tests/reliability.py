"""Killing a running process at random moments and counting what is lost. ``python -m tests.reliability --kills 50``.

Messages keep arriving while the process is killed again and again, as often in each phase of its life; at the end every
message must have been answered and reflected on, and no answer may stand twice without saying that it may be a repeat.
"""

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.conversations.world import PATIENCE_S, World, world

MESSAGES_A_ROUND = 2
"""One at work and one that waits. A chat is sent about one message a second, so the end takes a second for each."""
PHASES: Mapping[str, float] = {"starting": 1.5, "listening": 3.0, "turn": 0.5, "reflection": 0.5}
"""Where a life ends, and how many seconds in at most. Listening, it loads the model's library, which takes about four
seconds; turns and reflections run only then and are over soon: by the clock alone, most lives would end before them."""
REPEAT_MARK = "not confirmed"


@dataclass(frozen=True, slots=True)
class Result:
    """What a run came to."""

    messages: int
    unanswered: list[str]
    unreflected: int
    silent_repeats: list[str]
    marked_repeats: int
    parked: int

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost and nothing came twice in silence."""
        return not (self.unanswered or self.unreflected or self.silent_repeats or self.parked)


async def run(here: World, kills: int, rng: random.Random) -> Result:
    """Kill the process ``kills`` times while messages arrive, then let it finish."""
    here.model.behave("keep_statements", kind="reflection")
    phases = [phase for _ in range(kills) for phase in PHASES][:kills]
    rng.shuffle(phases)
    texts: list[str] = []
    for round_number, phase in enumerate(phases):
        said = [f"Shelf {round_number} holds box {n}." for n in range(MESSAGES_A_ROUND)]
        texts += said
        await _live(here, phase, said)
        await asyncio.sleep(rng.uniform(0.0, PHASES[phase]))
        await here.kill()
    await here.start()
    await here.polled()
    await here.settled(60 + 2 * len(texts))
    return _result(here, texts)


async def _live(here: World, phase: str, said: Sequence[str]) -> None:
    """Start, let messages arrive, and come as far as ``phase``."""
    before = len(here.prompts_for(phase))
    await here.start()
    if phase != "starting":
        await here.polled()
    for text in said:
        here.telegram.say(here.owner, text)
    if phase in {"turn", "reflection"}:
        async with asyncio.timeout(PATIENCE_S):
            while len(here.prompts_for(phase)) == before:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


def _result(here: World, texts: list[str]) -> Result:
    answers = Counter(message["text"] for message in here.telegram.replies(here.owner))
    plain = {text: answers[f"You said: {text}"] for text in texts}
    marked = {
        text: sum(n for a, n in answers.items() if a.endswith(f"You said: {text}") and REPEAT_MARK in a)
        for text in texts
    }
    reflected = "\n".join(here.prompts_for("reflection"))
    return Result(
        messages=len(texts),
        unanswered=[text for text in texts if plain[text] + marked[text] == 0],
        unreflected=sum(text not in reflected for text in texts),
        silent_repeats=[text for text in texts if plain[text] > 1],
        marked_repeats=sum(marked.values()),
        parked=here.rows("SELECT count(*) FROM inbox WHERE state = 'parked'")[0][0],
    )


async def _main(kills: int, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder)) as here:
            result = await run(here, kills, random.Random(seed))
    print(f"{kills} kills, seed {seed}: {result}")
    return 0 if result.is_clean else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    raise SystemExit(asyncio.run(_main(options.kills, options.seed)))
