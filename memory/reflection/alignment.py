"""Mending the evidence a model cites: small models name the assistant's echo, or no number, for what a person did say.

Only the numbers change. Whether those messages really say it is for `validation` to judge, as strictly as ever; a
statement that no person's new message comes near keeps the evidence it came with, and fails by it.
"""

from dataclasses import replace

from memory.domain import Role
from memory.reflection.operations import Brief, BriefMessage, OpName, Proposed, Reply
from memory.statements import content_overlap

NEAR = 0.5
"""The share of content that validation asks for, too; a message below it could not support the statement anyway."""


def align(brief: Brief, reply: Reply) -> Reply:
    """Give the reply with additions and updates citing the person's own message, where they cite none and there is one."""
    own = [entry for entry in brief.messages if _vouches(entry)]
    numbers = {entry.n for entry in own}
    return replace(
        reply,
        entries=tuple(
            _mended(entry, own) if isinstance(entry, Proposed) and _cites_nobody(entry, numbers) else entry
            for entry in reply.entries
        ),
    )


def _vouches(entry: BriefMessage) -> bool:
    message = entry.message
    return entry.is_new and message.role is Role.USER and message.origin.is_own


def _cites_nobody(entry: Proposed, numbers: set[int]) -> bool:
    return entry.op in {OpName.ADD, OpName.UPDATE} and not numbers.intersection(entry.evidence or ())


def _mended(entry: Proposed, own: list[BriefMessage]) -> Proposed:
    near = [(content_overlap(entry.text or "", said.message.text), said.n) for said in own]
    share, number = max(near, default=(0.0, 0))
    return replace(entry, evidence=(number,)) if share >= NEAR else entry
