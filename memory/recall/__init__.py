"""Which memories help with what was just said: candidates, fusion, gate, scoring, selection, in this order."""

from memory.recall.names import names_in_question
from memory.recall.pipeline import recall

__all__ = ["names_in_question", "recall"]
