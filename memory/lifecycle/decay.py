"""How a memory fades while nobody needs it, by its layer and in lived time.

The form is the exponential forgetting curve (Ebbinghaus) as Generative Agents use it for recency and engram-rs for its three
layers: strength times e to the minus rate times time, the rate falling from layer to layer. It is computed when needed and
never stored, so how often maintenance runs changes nothing.
"""

import math

from memory import policy
from memory.domain import Kind, Layer, Memory

LASTING = frozenset({Kind.PROCEDURAL, Kind.LESSON})
"""Kinds that do not fade with the layer and are never archived: needed seldom, and then badly."""


def rate(memory: Memory) -> float:
    """Give the decay rate a lived week; how to do things does not fade with the layer."""
    return policy.LASTING_RATE if memory.kind in LASTING else policy.DECAY_RATES[memory.layer]


def recency(memory: Memory, idle_hours: float) -> float:
    """Give e^(-rate · idle_hours / 168), from 1 (just used) towards 0; times before the last use count as none."""
    return math.exp(-rate(memory) * max(idle_hours, 0.0) / policy.HOURS_OF_WEEK)


def decay_score(memory: Memory, idle_hours: float) -> float:
    """Give importance · e^(-rate · idle_hours / 168), from 10 towards 0; ``idle_hours`` are lived hours since the last use."""
    return memory.importance * recency(memory, idle_hours)


def hours_until(score: float, importance: int, layer: Layer) -> float:
    """Give the idle hours after which ``importance`` in ``layer`` has faded to ``score``: the formula above, turned round."""
    return policy.HOURS_OF_WEEK / policy.DECAY_RATES[layer] * math.log(importance / score)
