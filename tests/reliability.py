"""Killing a running process at random moments and counting what is lost. ``python -m tests.reliability --kills 50``.

Messages keep arriving while the process is killed again and again; at the end every message must have been answered
and reflected on, and no answer may stand twice without saying that it may be a repeat.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.conversations.world import World, world

MESSAGES_A_ROUND = 3
LONGEST_LIFE_S = 8.0
"""After the first poll: the model's library takes about four seconds to load, then turns, answers and reflections run."""
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
    texts: list[str] = []
    for round_number in range(kills):
        await here.start()
        started = time.monotonic()
        life_s = rng.uniform(0.2, 1.5)  # before or around the first poll
        if rng.random() < 0.8:
            await here.polled()
            started, life_s = time.monotonic(), rng.uniform(0.0, LONGEST_LIFE_S)
        for n in range(MESSAGES_A_ROUND):
            texts.append(f"Shelf {round_number} holds box {n}.")
            here.telegram.say(here.owner, texts[-1])
        await asyncio.sleep(max(0.0, started + life_s - time.monotonic()))
        await here.kill()
    await here.start()
    await here.polled()
    await here.settled(60 + 2 * len(texts))  # a chat gets about one message a second
    return _result(here, texts)


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
    print(f"{kills} kills, {result}")
    return 0 if result.is_clean else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    raise SystemExit(asyncio.run(_main(options.kills, options.seed)))
