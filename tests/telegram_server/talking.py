"""Control: what people write, send, press and change."""

from typing import Any

from tests.telegram_server.found import place, utf16
from tests.telegram_server.media import content_of
from tests.telegram_server.people import number_of
from tests.telegram_server.posting import post, replace
from tests.telegram_server.privacy import SHUT_OUT, deliver
from tests.telegram_server.refusal import Json
from tests.telegram_server.state import Chat, Message, Person, Standing, World
from tests.telegram_server.texts import LONGEST_TEXT, with_found

ANONYMOUS_ADMIN = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL_BOT = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
TELEGRAM = {"id": 777000, "is_bot": False, "first_name": "Telegram"}


class Talking:
    """Messages into chats. All give the message as Telegram's JSON, whether or not the bot gets to see it."""

    world: World

    def say(
        self,
        person: Person | int,
        text: str,
        *,
        chat: Chat | int | None = None,
        entities: list[Json] | None = None,
        **about: Any,
    ) -> Json:
        """Let a person write. Without ``chat`` it goes to the bot in private.

        Entities Telegram finds by itself are added; ``entities`` are the person's own, each with offset and length or
        with its ``text``. ``about``: see ``_send``. ValueError for a text no Telegram app would send in one message.
        """
        if not text.strip(" \n"):
            raise ValueError("Telegram's apps send no blank text")
        text = text.strip(" \n")
        return self._send(person, self._text(text, entities, "text"), chat=chat, **about)

    def send(
        self,
        person: Person | int,
        kind: str,
        *,
        chat: Chat | int | None = None,
        caption: str = "",
        entities: list[Json] | None = None,
        content: bytes = b"content",
        size: int | None = None,
        fields: Json | None = None,
        **about: Any,
    ) -> Json:
        """Let a person send a photo, voice, sticker, document, location and so on.

        ``content`` are the bytes the bot can download, ``size`` what they claim to be, ``fields`` overrides details of
        the kind (for example ``{"file_name": "a.pdf"}``). ``about``: see ``_send``.
        """
        body = content_of(self.world, kind, content, size, fields or {})
        body |= self._text(caption, entities, "caption") if caption else {}
        return self._send(person, body, chat=chat, **about)

    def _text(self, text: str, entities: list[Json] | None, name: str) -> Json:
        if utf16(text) > (LONGEST_TEXT if name == "text" else LONGEST_TEXT // 4):
            raise ValueError(f"Telegram's apps send a longer {name} in several messages")
        every = with_found(text, [place(text, entity) for entity in entities or []])
        key = "entities" if name == "text" else "caption_entities"
        return {name: text} | ({key: every} if every else {})

    def _send(
        self,
        person: Person | int,
        content: Json,
        *,
        chat: Chat | int | None = None,
        reply_to: int | None = None,
        topic: int | None = None,
        quote: str | None = None,
        forwarded_from: Person | Chat | int | str | None = None,
        anonymous: bool = False,
        extra: Json | None = None,
    ) -> Json:
        """Post and deliver.

        ``reply_to`` is a message's number, ``quote`` a passage of it, ``topic`` a thread id; ``forwarded_from`` a person,
        a channel, or the name of somebody hidden; ``anonymous`` posts as the group; ``extra`` is added to the JSON as is.
        """
        number = number_of(person)
        place_ = self.world.chats[number if chat is None else number_of(chat)]
        self._open_private(place_)
        sender = {"from": self.world.people[number].json()}
        if anonymous:
            sender = {"from": ANONYMOUS_ADMIN, "sender_chat": place_.json()}
        body = content | self._origin(forwarded_from) | (extra or {})
        return self._post(place_, sender, body, reply_to, topic, quote).json

    def _post(
        self, chat: Chat, sender: Json, body: Json, reply_to: int | None, topic: int | None, quote: str | None
    ) -> Message:
        target = chat.messages[reply_to] if reply_to is not None else None
        thread = topic if topic is not None else (target.topic if target else None)
        where = chat.topics[thread] if thread is not None else None
        message = post(self.world, chat, sender, body, topic=where, reply_to=target, quote=quote)
        deliver(self.world, chat, message)
        return message

    def _open_private(self, chat: Chat) -> None:
        if chat.person is None:
            return
        if chat.bot is Standing.KICKED:
            raise ValueError("who has blocked the bot cannot write to it: unblock first")
        chat.bot = Standing.MEMBER

    def _origin(self, whose: Person | Chat | int | str | None) -> Json:
        if whose is None:
            return {}
        origin: Json = {"type": "hidden_user", "sender_user_name": whose, "date": self.world.seconds()}
        if not isinstance(whose, str):
            number = number_of(whose)
            origin = {"type": "user", "date": self.world.seconds()}
            if number in self.world.people:
                origin["sender_user"] = self.world.people[number].json()
            elif number == self.world.bot.id:
                origin["sender_user"] = self.world.bot.json()
            else:
                origin |= {"type": "channel", "chat": self.world.chats[number].json(), "message_id": 1}
        return {"forward_origin": origin}

    def post_in_channel(self, channel: Chat | int, text: str, *, linked_group: Chat | int | None = None) -> Json:
        """Publish in a channel; the automatic copy appears in the linked group."""
        place_ = self.world.chats[number_of(channel)]
        body = self._text(text, None, "text")
        sender: Json = {"sender_chat": place_.json()}
        message = self._post(place_, sender, body, None, None, None)
        if linked_group is not None:
            copy_ = {"is_automatic_forward": True} | self._origin(place_) | body
            group = self.world.chats[number_of(linked_group)]
            self._post(group, sender | {"from": TELEGRAM}, copy_, None, None, None)
        return message.json

    def say_as_channel(self, channel: Chat | int, chat: Chat | int, text: str) -> Json:
        """Let somebody write in a group under the name of a channel."""
        sender = {"from": CHANNEL_BOT, "sender_chat": self.world.chats[number_of(channel)].json()}
        return self._post(
            self.world.chats[number_of(chat)], sender, self._text(text, None, "text"), None, None, None
        ).json

    def service(
        self, chat: Chat | int, kind: str, value: Any = True, *, by: Person | int, topic: int | None = None
    ) -> Json:
        """Put a notice into a chat, for example ``service(chat, "new_chat_members", [bob.json()], by=ann)``."""
        sender = {"from": self.world.people[number_of(by)].json()}
        return self._post(self.world.chats[number_of(chat)], sender, {kind: value}, None, topic, None).json

    def edit(
        self, chat: Person | Chat | int, message_id: int, text: str, *, entities: list[Json] | None = None
    ) -> Json:
        """Let the author change a text or caption; the bot gets ``edited_message``."""
        place_ = self.world.chats[number_of(chat)]
        message = place_.messages[message_id]
        name = "text" if "text" in message.json else "caption"
        blank: Json = {"entities": None, "caption_entities": None}
        replace(self.world, message, blank | self._text(text, entities, name))
        deliver(self.world, place_, message, edited=True)
        return message.json

    def touch(self, chat: Person | Chat | int, message_id: int) -> Json:
        """Send ``edited_message`` though nothing visible changed, as Telegram does for metadata."""
        place_ = self.world.chats[number_of(chat)]
        replace(self.world, place_.messages[message_id], {})
        deliver(self.world, place_, place_.messages[message_id], edited=True)
        return place_.messages[message_id].json

    def press(self, person: Person | int, chat: Person | Chat | int, message_id: int, data: str) -> str:
        """Press a button under a message of the bot and give the query's id; ValueError if there is no such button."""
        message = self.world.chats[number_of(chat)].messages[message_id]
        rows = message.json.get("reply_markup", {}).get("inline_keyboard", [])
        if data not in [button.get("callback_data") for row in rows for button in row]:
            raise ValueError(f"no button with the data {data!r}")
        query = str(9_000_000 + self.world.next_id())
        self.world.callbacks[query] = False
        who = self.world.people[number_of(person)].json()
        about = {"message": message.json, "chat_instance": str(number_of(chat)), "data": data}
        self.world.notify("callback_query", {"id": query, "from": who} | about)
        return query

    def react(self, person: Person | int, chat: Person | Chat | int, message_id: int, emoji: str | None) -> None:
        """Put an emoji under a message, or take it away (None); the bot hears of it only if it asked for reactions."""
        place_ = self.world.chats[number_of(chat)]
        if place_.bot in SHUT_OUT:
            return
        new = [{"type": "emoji", "emoji": emoji}] if emoji else []
        about = {"user": self.world.people[number_of(person)].json(), "date": self.world.seconds()}
        change = {"old_reaction": [], "new_reaction": new}
        self.world.notify("message_reaction", {"chat": place_.json(), "message_id": message_id} | about | change)
