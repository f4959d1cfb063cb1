"""Forgotten words and secrets leave the channel's own tables as well."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import insert, select

from bot.storage import scrub
from bot.storage.tables import inbox, outbox, recalls
from memory import secrets, transcript
from memory.domain import AgentSlug, Conversation, Role
from memory.erasure import of_statement, of_words
from memory.forgetting import Purged
from memory.tables import messages
from memory.unit_of_work import UnitOfWork

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
AGENT = AgentSlug("a")
EX = "My ex is called Leontine Dray."
PURGED = Purged((), 1, of_words("Leontine Dray") | of_statement(EX))


def received(uow: UnitOfWork, number: int, text: str, state: str = "done", chat_id: int = 7) -> None:
    sender = {"id": 7, "first_name": "Dray"}
    message = {"text": text, "from": sender, "chat": {"id": chat_id, "title": "Dray"}, "entities": [{"type": "bold"}]}
    payload = {"update_id": number, "message": message | {"reply_to_message": {"caption": text, "date": 1}}}
    values = {
        "bot_id": 1,
        "update_id": number,
        "chat_id": chat_id,
        "payload": payload,
        "state": state,
        "received_at": NOW,
    }
    uow.connection.execute(insert(inbox).values(values))


def answered(uow: UnitOfWork, number: int, text: str, chat_id: int = 7) -> None:
    values = {"bot_id": 1, "turn_key": f"k{number}", "seq": 0, "chat_id": chat_id, "text": text, "state": "sent"}
    entities = [{"type": "bold", "offset": 0, "length": 2}]
    uow.connection.execute(insert(outbox).values(values | {"entities": entities, "created_at": NOW}))


def say(uow: UnitOfWork, text: str, key: str, role: Role = Role.USER, **fields: Any) -> Any:
    given: dict[str, Any] = {"conversation": Conversation(7), "speaker": "Anna", "sent_at": NOW, "agent": AGENT}
    return transcript.add(uow, turn_key=key, role=role, text=text, **(given | fields))


def payloads(uow: UnitOfWork) -> list[Any]:
    return list(uow.connection.scalars(select(inbox.c.payload).order_by(inbox.c.update_id)))


def answers(uow: UnitOfWork) -> list[tuple[str, Any]]:
    return [
        tuple(row) for row in uow.connection.execute(select(outbox.c.text, outbox.c.entities).order_by(outbox.c.id))
    ]


def test_forgotten_words_leave_updates_and_answers_of_the_chat(unit: UnitOfWork) -> None:
    received(unit, 1, EX)
    received(unit, 2, "/forget Leontine Dray", state="working")
    answered(unit, 1, "Noted: Leontine. Anything else?")
    answered(unit, 2, "Biscuit is a cat.")
    scrub.scrub(unit, 7, PURGED)
    first, second = payloads(unit)
    assert first["message"]["text"] == "[forgotten]"
    assert first["message"]["reply_to_message"]["caption"] == "[forgotten]"
    assert first["message"]["from"]["first_name"] == "Dray"
    assert second["message"]["text"] == "[forgotten]"
    assert answers(unit)[0] == ("[forgotten] Anything else?", [])
    assert answers(unit)[1] == ("Biscuit is a cat.", [{"type": "bold", "offset": 0, "length": 2}])


def test_what_is_still_unread_was_said_after_the_wish_and_stays(unit: UnitOfWork) -> None:
    received(unit, 1, "Leontine rang today", state="new")
    scrub.scrub(unit, 7, PURGED)
    assert payloads(unit)[0]["message"]["text"] == "Leontine rang today"


def test_other_chats_are_left_alone(unit: UnitOfWork) -> None:
    received(unit, 1, EX, chat_id=8)
    answered(unit, 1, EX, chat_id=8)
    scrub.scrub(unit, 7, PURGED)
    assert payloads(unit)[0]["message"]["text"] == EX
    assert answers(unit)[0][0] == EX


def test_recalls_that_hold_the_words_go(unit: UnitOfWork) -> None:
    for key, term in (("k1", "leontine"), ("k2", "biscuit")):
        parts = {"chosen": [{"id": "m1", "terms": [term]}], "left_out": []}
        unit.connection.execute(insert(recalls).values(turn_key=key, chat_id=7, parts=parts, at=NOW))
    scrub.scrub(unit, 7, PURGED)
    assert list(unit.connection.scalars(select(recalls.c.turn_key))) == ["k2"]


@pytest.mark.parametrize(
    ("text", "secret"), [("My PIN is 4711, keep it.", "4711"), ("Mail password is Quartz!Lamp77", "Quartz!Lamp77")]
)
def test_a_secret_leaves_transcript_inbox_and_outbox_and_the_rest_stays(
    unit: UnitOfWork, text: str, secret: str
) -> None:
    message = say(unit, text, "k1", reply_text=f"well, {text}")
    say(unit, f"I noted {secret}.", "k1", Role.ASSISTANT)
    received(unit, 1, text)
    answered(unit, 1, f"I noted {secret}.")
    assert scrub.redact_message(unit, message, NOW)
    kept = [tuple(row) for row in unit.connection.execute(select(messages.c["text", "reply_text"]))]
    assert secret not in f"{kept} {payloads(unit)} {answers(unit)}"
    assert kept[0][0] == text.replace(secret, secrets.REDACTED)
    again = transcript.get(unit, AGENT, message.id)
    assert again is not None
    assert not scrub.redact_message(unit, again, NOW)


def test_a_secret_is_not_looked_for_inside_other_words(unit: UnitOfWork) -> None:
    say(unit, "Flight LH4711 leaves at ten.", "k0")
    scrub.redact_message(unit, say(unit, "My PIN is 4711.", "k1"), NOW)
    kept = list(unit.connection.scalars(select(messages.c.text).order_by(messages.c.id)))
    assert kept == ["Flight LH4711 leaves at ten.", f"My PIN is {secrets.REDACTED}."]


def test_a_message_without_a_secret_is_left_as_it_is(unit: UnitOfWork) -> None:
    message = say(unit, "My flight is LH4711 on 3 Dec.", "k1")
    assert not scrub.redact_message(unit, message, NOW)
    assert transcript.get(unit, AGENT, message.id) == message
