"""A Bot API server for tests: the bot polls it for real, a test plays the people.

``async with TelegramServer() as server`` listens on a free port of the loopback; point python-telegram-bot at
``server.url + "/bot"`` and ``server.url + "/file/bot"`` with ``server.token``. A test adds people and chats, lets them
speak (``server.say``), waits (``await server.wait_for``) and reads what the bot did (``server.messages``,
``server.calls``). ``python -m tests.telegram_server --port N`` is the same server as a process of its own; there
``POST /control/NAME`` with the keyword arguments as JSON stands for the method of that name.

Inside, in the order a request meets them:

    server    HTTP: the token, the parameters, faults, the answer
    faults    what goes wrong on purpose        flood   429 as Telegram gives it
    methods   the Bot API's methods by name; what is not here answers 404
    rules     may the bot write there: chat, topic, reply, keyboard
    texts     what Telegram does to a text and its entities        found   entities nobody wrote        markup   HTML
    posting   a message enters a chat           privacy whether the bot may see it
    updates   the queue, offsets, two pollers   state   people, chats, messages, calls
    people, talking, reading, trouble           the control methods

Error texts are Telegram's own. Known differences: a webhook is remembered, never called; Markdown is not parsed (404);
a change of privacy mode works at once; the second 409 in a row comes without Telegram's pause of three seconds.
"""

from tests.telegram_server.server import TelegramServer
from tests.telegram_server.state import BotAccount, Call, Chat, Person

__all__ = ["BotAccount", "Call", "Chat", "Person", "TelegramServer"]
