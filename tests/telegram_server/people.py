"""Control: who there is, which chats, and what the bot is in them."""

from collections.abc import Iterable

from tests.telegram_server.chat_methods import bot_member
from tests.telegram_server.posting import post
from tests.telegram_server.privacy import deliver
from tests.telegram_server.refusal import Json
from tests.telegram_server.state import Chat, ChatType, Message, Person, Standing, Topic, World

KINDS = {
    "group": ChatType.GROUP,
    "supergroup": ChatType.SUPERGROUP,
    "forum": ChatType.SUPERGROUP,
    "channel": ChatType.CHANNEL,
}


def number_of(who: Person | Chat | int) -> int:
    """Give the id of what is meant, an object or its id."""
    return who if isinstance(who, int) else who.id


class People:
    """Adds people and chats, and changes what the bot may do there. Who and where may be given as object or id."""

    world: World

    def add_person(
        self,
        first_name: str,
        *,
        id: int | None = None,  # noqa: A002 - Telegram's word
        last_name: str | None = None,
        username: str | None = None,
        language_code: str | None = None,
        is_bot: bool = False,
    ) -> Person:
        """Add an account. Its private chat opens when it first writes to the bot."""
        number = 1_000_000 + self.world.next_id() if id is None else id
        person = Person(number, first_name, last_name, username, language_code, is_bot)
        self.world.people[number] = person
        self.world.chats[number] = Chat(number, ChatType.PRIVATE, person=person, username=username, bot=Standing.NEVER)
        return person

    def add_chat(
        self,
        title: str,
        *,
        kind: str = "supergroup",
        members: Iterable[Person | int] = (),
        id: int | None = None,  # noqa: A002 - Telegram's word
        username: str | None = None,
        bot: str = "member",
    ) -> Chat:
        """Add a group, supergroup, forum or channel. The first member created it; ``bot`` is the bot's standing."""
        forum, type_ = kind == "forum", KINDS[kind]
        number = id if id is not None else self._group_id(type_)
        chat = Chat(number, type_, title, username, is_forum=forum, bot=Standing(bot))
        chat.last_message_id = 1  # the notice that the chat was made; in a forum 1 is General's number
        ranks = {number_of(member): "member" for member in members}
        chat.members = ranks | {next(iter(ranks)): "creator"} if ranks else ranks
        self.world.chats[number] = chat
        return chat

    def _group_id(self, type_: ChatType) -> int:
        number = 5_500_000 + self.world.next_id()
        return -number if type_ is ChatType.GROUP else -1_000_000_000_000 - number

    def chat(self, where: Person | Chat | int) -> Chat:
        """Give a chat; a person stands for the private chat with them. KeyError if there is none."""
        return self.world.chats[number_of(where)]

    def set_privacy(self, *, on: bool) -> None:
        """Switch privacy mode; at once, where Telegram wants the bot removed and added again."""
        self.world.privacy = on

    def set_bot(self, where: Chat | Person | int, standing: str, *, by: Person | int | None = None) -> None:
        """Make the bot member, administrator, restricted, left or kicked; the bot gets ``my_chat_member``."""
        chat = self.chat(where)
        before = bot_member(self.world, chat)
        chat.bot = Standing(standing)
        actor = self._actor(chat, by)
        change = {"old_chat_member": before, "new_chat_member": bot_member(self.world, chat)}
        self.world.notify("my_chat_member", {"chat": chat.json(), "from": actor, "date": self.world.seconds()} | change)

    def _actor(self, chat: Chat, by: Person | int | None) -> Json:
        number = number_of(by) if by is not None else next(iter(chat.members), chat.id)
        return self.world.people[number].json()

    def block(self, person: Person | int) -> None:
        """Let a person block the bot."""
        self.set_bot(person, "kicked", by=person)

    def unblock(self, person: Person | int) -> None:
        """Let a person unblock the bot."""
        self.set_bot(person, "member", by=person)

    def kick(self, where: Chat | int, *, by: Person | int | None = None) -> None:
        """Throw the bot out of a group or channel."""
        self.set_bot(where, "kicked", by=by)

    def deactivate(self, person: Person | int) -> None:
        """Delete a person's account."""
        self.world.people[number_of(person)].deactivated = True

    def join(self, where: Chat | int, person: Person | int, status: str = "member") -> None:
        """Make a person a member (or administrator, left, kicked …) without a notice; see ``service`` for one."""
        self.chat(where).members[number_of(person)] = status

    def migrate(self, where: Chat | int) -> Chat:
        """Turn a group into a supergroup: a new chat, a notice in each, and the old id answers with the new one."""
        old = self.chat(where)
        new = self.add_chat(old.title or "", members=list(old.members), bot=old.bot.value)
        actor = {"from": self._actor(old, None)}
        deliver(self.world, old, post(self.world, old, actor, {"migrate_to_chat_id": new.id}))
        old.migrated_to = new.id
        deliver(self.world, new, post(self.world, new, actor, {"migrate_from_chat_id": old.id}))
        return new

    def delete_chat(self, where: Chat | int) -> None:
        """Delete a group."""
        self.chat(where).deleted = True

    def create_topic(
        self, where: Chat | int, name: str, *, by: Person | int | None = None, by_bot: bool = False
    ) -> int:
        """Open a topic and give its id, which is the thread id of its messages."""
        chat = self.chat(where)
        if not chat.is_forum:
            raise ValueError(f"{chat.title} has no topics")
        sender = self.world.bot.json() if by_bot else self._actor(chat, by)
        notice = post(
            self.world, chat, {"from": sender}, {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        )
        notice.json |= {"message_thread_id": notice.id, "is_topic_message": True}
        chat.topics[notice.id] = Topic(notice.id, name)
        deliver(self.world, chat, notice)
        return notice.id

    def close_topic(self, where: Chat | int, topic: int, *, closed: bool = True) -> Message:
        """Close a topic, or open it again; gives the notice."""
        chat = self.chat(where)
        chat.topics[topic].closed = closed
        content: Json = {"forum_topic_closed" if closed else "forum_topic_reopened": {}}
        notice = post(self.world, chat, {"from": self._actor(chat, None)}, content, topic=chat.topics[topic])
        deliver(self.world, chat, notice)
        return notice

    def delete_topic(self, where: Chat | int, topic: int) -> None:
        """Delete a topic and all its messages; the bot is told nothing, as with Telegram."""
        chat = self.chat(where)
        del chat.topics[topic]
        chat.messages = {number: one for number, one in chat.messages.items() if one.topic != topic}
