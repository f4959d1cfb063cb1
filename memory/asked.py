"""Which words of a question are looked up, and what they count: no small words, unless there is nothing else."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memory import policy
from memory.analysis import Token

SMALL_QUESTION_WEIGHT = 0.2
"""What a small word counts among nothing but small words: less than content ever does."""

UNSAID = Token(("?",))
"""Stands for what such a question leaves out, and is found nowhere: "was ist das" has no full answer in a memory that holds
these words. With it, two small words that few of ten memories hold cover a seventh of the question ("who is will"), one that
a third of them holds next to nothing ("how are you")."""


def looked_up(tokens: Iterable[Token]) -> list[Token]:
    """Give the distinct tokens of a question worth looking up.

    Every second row holds the small words, and they tell nothing; where a question has no others they are looked up
    all the same. A question of one single word or character (の, 的, "will") asks for just that, whatever it is.

    Of a very long text these are the tokens written least often, then the longest: the words of a question pasted among
    pages of something else occur once; what the pages are about recurs.
    """
    every = list(tokens)
    occurrences: dict[Token, int] = {}
    for token in [token for token in every if token.weight >= policy.CONTENT_WEIGHT] or _raised(every):
        occurrences[token] = occurrences.get(token, 0) + 1
    asked = list(occurrences)
    if len(asked) > policy.MOST_LOOKED_UP:
        asked.sort(key=lambda token: (-token.weight, occurrences[token], -len((*token.exact, *token.loose)[0])))
    return asked[: policy.MOST_LOOKED_UP]


def _raised(small: Sequence[Token]) -> list[Token]:
    whole = {token for token in small if not token.extra}
    if len(whole) == 1:
        return [replace(token, weight=SMALL_QUESTION_WEIGHT if token.extra else 1.0) for token in small]
    raised = [replace(token, weight=SMALL_QUESTION_WEIGHT) for token in small]
    return [*raised, UNSAID] if raised else []
