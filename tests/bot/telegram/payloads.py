"""Raw updates for tests, in Telegram's own shape."""

from typing import Any

BOT = {"id": 5550001, "is_bot": True, "first_name": "Pebble", "username": "PebbleNoteBot"}
GROUP = {"id": -1005500010, "type": "supergroup", "title": "Tents"}
DATE = 1_795_000_000


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def entity(text: str, kind: str, words: str, **more: Any) -> dict[str, Any]:
    """Give an entity over ``words``, which occur once in ``text``."""
    return {"type": kind, "offset": utf16(text[: text.index(words)]), "length": utf16(words), **more}


def private(person_id: int = 31, name: str = "Nadia") -> dict[str, Any]:
    return {"id": person_id, "type": "private", "first_name": name}


def person(person_id: int = 31, name: str = "Nadia", **more: Any) -> dict[str, Any]:
    return {"id": person_id, "is_bot": False, "first_name": name, **more}


def message(
    chat: dict[str, Any] | None = None, sender: dict[str, Any] | None = None, text: str | None = "hello", **more: Any
) -> dict[str, Any]:
    """Give a message; ``text=None`` leaves the text out."""
    sender = person() if sender is None else sender
    chat = private(sender["id"]) if chat is None else chat
    body = {"message_id": 7, "date": DATE, "chat": chat, "from": sender, **more}
    return body if text is None else body | {"text": text}


def update(body: dict[str, Any], kind: str = "message", update_id: int = 11) -> dict[str, Any]:
    return {"update_id": update_id, kind: body}
