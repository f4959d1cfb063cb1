"""What a person wished forgotten is not learned again: keyed hashes of texts, which tell nobody what they were."""

import hashlib
import hmac
import secrets
from datetime import datetime

from sqlalchemy import ColumnElement, and_, delete, insert, select, update

from memory.domain import AgentSlug, Scope, visible_scopes
from memory.statements import normalise
from memory.tables import keys, tombstones
from memory.unit_of_work import UnitOfWork

KEY_NAME = "tombstones"
KEY_BYTES = 32
_KEY = select(keys.c.value).where(keys.c.name == KEY_NAME)


def set_up(uow: UnitOfWork, agent: AgentSlug, scope: Scope, text: str, now: datetime) -> None:
    """Remember that ``text`` was forgotten in ``scope``."""
    digest = _digest(_made_key(uow), text)
    if uow.connection.execute(select(tombstones.c.at).where(_at(agent, scope, digest))).first() is None:
        values = {"agent_slug": agent, "scope": scope, "digest": digest, "at": now}
        uow.connection.execute(insert(tombstones), values)


def stands(uow: UnitOfWork, agent: AgentSlug, scope: Scope, text: str) -> bool:
    """Say whether ``text`` was forgotten where ``scope`` can see. Works on a reader as well."""
    key = _key(uow)
    if key is None:
        return False
    t = tombstones.c
    here = and_(t.agent_slug == agent, t.scope.in_(visible_scopes(scope)), t.digest == _digest(key, text))
    return uow.connection.execute(select(t.at).where(here)).first() is not None


def lift(uow: UnitOfWork, agent: AgentSlug, scope: Scope, text: str) -> None:
    """Let ``text`` be remembered again in ``scope``: the person said it anew, on purpose."""
    key = _key(uow)
    if key is not None:
        for where in visible_scopes(scope):
            uow.connection.execute(delete(tombstones).where(_at(agent, where, _digest(key, text))))


def move_scope(uow: UnitOfWork, agent: AgentSlug, old: Scope, new: Scope) -> None:
    """Take the tombstones of a chat along to its new number."""
    t = tombstones.c
    held = select(t.digest).where(t.agent_slug == agent, t.scope == new)
    uow.connection.execute(delete(tombstones).where(t.agent_slug == agent, t.scope == old, t.digest.in_(held)))
    uow.connection.execute(update(tombstones).where(t.agent_slug == agent, t.scope == old).values(scope=new))


def _at(agent: AgentSlug, scope: Scope, digest: str) -> ColumnElement[bool]:
    t = tombstones.c
    return and_(t.agent_slug == agent, t.scope == scope, t.digest == digest)


def _digest(key: bytes, text: str) -> str:
    return hmac.new(key, normalise(text).encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def _key(uow: UnitOfWork) -> bytes | None:
    return uow.connection.scalar(_KEY)


def _made_key(uow: UnitOfWork) -> bytes:
    key = _key(uow)
    if key is None:
        key = secrets.token_bytes(KEY_BYTES)
        uow.connection.execute(insert(keys).values(name=KEY_NAME, value=key))
    return key
