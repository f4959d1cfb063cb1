"""A person's "remember that …" is kept even where the model overlooks it: being asked and forgetting is the worst of answers.

What such a request says is read by the offline model's rules and judged like any proposal; models of language stay in
charge of everything that nobody asked for in so many words.
"""

from collections.abc import Iterator

from bot.offline_reading import Wish, read
from bot.offline_reflection import EXPLICIT
from memory.domain import Role
from memory.reflection.operations import Brief, BriefMessage, Judgement, OpName, Outcome, Proposed, Reply

_KEPT = {Outcome.ACCEPT, Outcome.REINFORCE}


def unmet(brief: Brief, judgement: Judgement) -> Reply | None:
    """Give the requests of the new messages from which nothing was kept, as proposals; None when there are none."""
    met = {
        source[0] for v in judgement.verdicts if v.outcome in _KEPT and v.new is not None for source in v.new.sources
    }
    asked = tuple(
        request for heard in brief.messages if _speaks(heard) and heard.message.id not in met for request in _in(heard)
    )
    return Reply(asked) if asked else None


def _speaks(heard: BriefMessage) -> bool:
    return heard.is_new and heard.message.role is Role.USER and heard.message.origin.is_own


def _in(heard: BriefMessage) -> Iterator[Proposed]:
    for part in read(heard.message.text, heard.message.speaker):
        if part.wish is Wish.REMEMBER and part.keeps:
            yield Proposed(OpName.ADD, text=part.text, importance=EXPLICIT, evidence=(heard.n,))
