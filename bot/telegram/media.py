"""What Tidemark cannot read yet, said honestly: to the person when there is nothing else, to the model when there is."""

from telegram import Message

KINDS: dict[str, str] = {
    # the first that is there names the message; an animation also carries a document, a venue a location
    "animation": "animations",
    "live_photo": "live photos",
    "photo": "pictures",
    "video_note": "video messages",
    "video": "videos",
    "voice": "voice messages",
    "audio": "audio files",
    "sticker": "stickers",
    "paid_media": "paid media",
    "document": "files",
    "venue": "places on a map",
    "location": "locations",
    "contact": "contact cards",
    "poll": "polls",
    "dice": "dice",
    "game": "games",
    "story": "stories",
    "giveaway": "giveaways",
    "invoice": "invoices",
    "checklist": "checklists",
}
"""The field of a message that holds something other than text, and its name for people, in the plural."""


def kind_of(message: Message) -> str | None:
    """Give the name of what a message holds besides text, or None for plain text. Unknown kinds have a name too."""
    for field, name in KINDS.items():
        if getattr(message, field):
            return name
    return None if message.text is not None or message.caption is not None else "messages of this kind"


def notice(message: Message) -> str | None:
    """Give the words for a person who sent only something that cannot be read; None where there is text to answer."""
    kind = kind_of(message)
    if kind is None or message.text or message.caption:
        return None
    return f"I can't read {kind} yet. Please tell me in words what it is about."


def model_notice(message: Message) -> str | None:
    """Give the line that tells the model of something that came along with the text and that it cannot see."""
    kind = kind_of(message)
    if kind is None or not (message.text or message.caption):
        return None
    return f"The message came with something you cannot see ({kind}). Say so if it matters, and do not guess what it shows."
