"""Who may write what: the scope an addition goes to, and whose word may change a memory."""

from collections.abc import Iterable
from typing import Final

import regex

from memory.cues import GLOBAL_CUES, SENSITIVE, SENSITIVE_WHOLE, SENSITIVE_WITHOUT_BLANKS
from memory.domain import GLOBAL, Kind, Memory, Scope, Trust
from memory.folding import fold, words
from memory.lexicon import STAND_INS
from memory.reflection.evidence import Voice
from memory.reflection.operations import Brief, NewMemory, Proposed
from memory.secrets import find_secrets
from memory.statements import take_apart

_HERE: Final = frozenset({"", "chat", "local", "private", "user", "this", "here", "group", "conversation"})
_PREFIX_CHARS: Final = 4
_ZONE_NAME: Final = regex.compile(r"\b[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_-]+)+")


def may_address(brief: Brief, scope: Scope) -> bool:
    """Say whether memories of ``scope`` may be written from this chat at all: its own, and ``global`` from the owner's private chat."""
    return scope == brief.scope or (brief.private and scope == GLOBAL)


def asks_elsewhere(brief: Brief, proposed: Proposed) -> bool:
    """Say whether an addition asks for a scope that may not be written from this chat."""
    asked = (proposed.scope or "").strip().casefold()
    if asked in _HERE or asked == brief.scope:
        return False
    return not brief.private if asked == GLOBAL else asked.startswith("chat:")


def scope_for(brief: Brief, proposed: Proposed, subject: str | None, kind: Kind) -> Scope:
    """Give the scope an addition goes to: the chat's, or ``global`` for a harmless lasting fact about the owner, marked so, in private."""
    asked = (proposed.scope or "").strip().casefold() == GLOBAL
    about_owner = subject is None or is_same_person(subject, brief.owner_name)
    lasting = kind in {Kind.SEMANTIC, Kind.PROCEDURAL}
    harmless = asked and not looks_sensitive(proposed.text or "", brief.owner_name)
    return GLOBAL if brief.private and asked and about_owner and lasting and harmless else brief.scope


def looks_sensitive(text: str, owner_name: str | None) -> bool:
    """Say whether ``text`` touches health, money, credentials, whereabouts or other people; in doubt, yes."""
    text = _ZONE_NAME.sub("", text)  # "Europe" is neither money nor a person
    parts = take_apart(text)
    tokens = {w.folded for w in parts.words}
    if (
        find_secrets(text)
        or any(sign in text for sign in SENSITIVE_WITHOUT_BLANKS)
        or any(map(_is_sensitive_word, tokens))
    ):
        return True
    if tokens & GLOBAL_CUES:
        return False
    own = {w.folded for w in words(owner_name or "")}
    return any(name.folded not in own for name in parts.names)


def _is_sensitive_word(word: str) -> bool:
    if word in SENSITIVE:
        return True
    return any(word.startswith(start) for start in SENSITIVE - SENSITIVE_WHOLE if len(start) >= _PREFIX_CHARS)


def is_same_person(name: str | None, other: str | None) -> bool:
    """Say whether two display names are the same, or one is the first name of the other; stand-ins like "user" are nobody."""
    mine, its = [w.folded for w in words(name or "")], [w.folded for w in words(other or "")]
    if not mine or not its or STAND_INS.issuperset(mine):
        return False
    return mine == its or (1 in {len(mine), len(its)} and mine[0] == its[0])


def with_authority(brief: Brief, target: Memory, voices: Iterable[Voice]) -> tuple[Voice, ...]:
    """Give the voices that may change ``target``: the owner, whom it is about, and who said it.

    In the owner's private chat that is everybody who speaks there. A memory of nobody in particular may be changed by anybody.
    """
    return tuple(v for v in voices if brief.private or may_change(target, v))


def may_change(target: Memory, voice: Voice | NewMemory) -> bool:
    """Say whether this person may correct or take back ``target``. Accounts decide; a name decides only where no account is known."""
    if voice.trust is Trust.OWNER or (target.subject is None and target.speaker_id is None and target.speaker is None):
        return True
    if target.speaker_id is not None and voice.speaker_id is not None and target.speaker_id == voice.speaker_id:
        return True
    if is_same_person(target.subject, voice.speaker):
        return not (_said_of_oneself(target) and target.speaker_id is not None and voice.speaker_id is not None)
    return target.speaker_id is None and is_same_person(target.speaker, voice.speaker)


def _said_of_oneself(target: Memory) -> bool:
    """A namesake is not the person: who spoke of themselves is known by account."""
    return fold(target.subject or "") == fold(target.speaker or "")
