"""Errors of the Telegram channel that end the process, each with its sentence to the owner.

TidemarkError
├── TokenRefused    Telegram does not know the token, or nothing there speaks the Bot API
└── PollConflict    somebody else keeps polling with the same token
"""

from bot.errors import TidemarkError


class TokenRefused(TidemarkError):
    """Telegram does not know the token, or nothing at the address speaks the Bot API."""

    sentence = (
        "Telegram does not accept the bot token. Check TELEGRAM_BOT_TOKEN against what BotFather shows "
        "(and TELEGRAM_API_URL, if you set one)."
    )


class PollConflict(TidemarkError):
    """Somebody else keeps polling with the same token."""

    sentence = (
        "Another program keeps fetching this bot's messages with the same token, so I stop. "
        "End the other one, or give it a bot of its own."
    )
