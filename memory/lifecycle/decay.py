"""How a memory fades while nobody needs it, by its layer and in lived time."""

import math

from memory import policy
from memory.domain import Kind, Memory


def rate(memory: Memory) -> float:
    """Give the decay rate a lived week; how to do things does not fade with the layer."""
    if memory.kind in {Kind.PROCEDURAL, Kind.LESSON}:
        return policy.LASTING_RATE
    return policy.DECAY_RATES[memory.layer]


def recency(memory: Memory, idle_hours: float) -> float:
    """Give e^(-rate · idle_hours / 168), from 1 (just used) towards 0; times before the last use count as none."""
    return math.exp(-rate(memory) * max(idle_hours, 0.0) / policy.HOURS_OF_WEEK)
