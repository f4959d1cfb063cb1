"""A new statement close to a held one: does it replace it, refine it, or stand beside it?

Similarity only proposes (two phone numbers lie as near as two paraphrases); the model says what the relation is, and
a replacement is an UPDATE like any other: the old text stays as a version and can be brought back.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import json_repair

from memory.domain import Memory
from memory.reflection.operations import OpName, Outcome, Verdict
from memory.statements import content_overlap, facts_missing


class Relation(StrEnum):
    """How a new statement stands to its neighbour."""

    REPLACES = "replaces"
    REFINES = "refines"
    DISTINCT = "distinct"


@dataclass(frozen=True, slots=True)
class Pair:
    """An accepted addition and the held memory nearest to it; ``index`` is the verdict's place."""

    index: int
    new_text: str
    neighbour: Memory


def question(pair: Pair) -> str:
    """Give what the model is asked about a pair."""
    return f"OLD: {_line(pair.neighbour.text)}\nNEW: {_line(pair.new_text)}"


def read_relation(raw: str) -> Relation:
    """Read the model's answer; whatever is not clearly one of the two changes means distinct."""
    try:  # the library raises ValueError too, where brackets nest too deep
        answer = json_repair.loads(raw[:2000]) if raw.strip() else None
        said = answer.get("relation") if isinstance(answer, dict) else None
        return Relation(str(said).strip().lower())
    except (ValueError, RecursionError):
        return Relation.DISTINCT


def resolve(verdict: Verdict, pair: Pair, relation: Relation) -> Verdict:
    """Give the verdict in the light of the relation: an addition that replaces or refines becomes an update.

    A refinement must hold every number and name of what it refines; else both stay.
    """
    if relation is Relation.DISTINCT or verdict.new is None:
        return verdict
    if relation is Relation.REFINES and facts_missing(pair.neighbour.text, pair.new_text):
        return verdict
    if not content_overlap(pair.neighbour.text, pair.new_text):  # nothing in common but the model's word
        return verdict
    detail = f"the addition {relation} what was held"
    return replace(verdict, op=OpName.UPDATE, outcome=Outcome.ACCEPT, target=pair.neighbour, detail=detail)


def _line(text: str) -> str:
    return " ".join(text.split())
