"""Which memories help with what was just said: candidates, fusion, scoring, selection, in this order."""

from memory.recall.pipeline import recall

__all__ = ["recall"]
