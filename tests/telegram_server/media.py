"""What messages that are no text hold."""

from tests.telegram_server.refusal import Json
from tests.telegram_server.state import StoredFile, World

FILES: dict[str, Json] = {
    "photo": {"width": 640, "height": 480},
    "voice": {"duration": 3, "mime_type": "audio/ogg"},
    "audio": {"duration": 60, "mime_type": "audio/mpeg", "title": "A song", "file_name": "song.mp3"},
    "video": {"width": 640, "height": 480, "duration": 5, "mime_type": "video/mp4"},
    "video_note": {"length": 240, "duration": 5},
    "animation": {"width": 320, "height": 240, "duration": 2, "mime_type": "video/mp4", "file_name": "a.mp4"},
    "document": {"file_name": "notes.txt", "mime_type": "text/plain"},
    "sticker": {
        "type": "regular", "width": 512, "height": 512, "is_animated": False, "is_video": False, "emoji": "🙂",
    },
}  # fmt: skip
OTHERS: dict[str, Json] = {
    "location": {"latitude": 52.5, "longitude": 13.4},
    "contact": {"phone_number": "+10000000000", "first_name": "Somebody"},
    "dice": {"emoji": "🎲", "value": 4},
    "venue": {"location": {"latitude": 52.5, "longitude": 13.4}, "title": "A place", "address": "A street 1"},
    "poll": {
        "id": "1", "question": "Which?", "allows_revoting": True, "members_only": False,
        "options": [{"text": text, "voter_count": 0, "persistent_id": text} for text in ("this", "that")],
        "total_voter_count": 0, "is_closed": False, "is_anonymous": True, "type": "regular",
        "allows_multiple_answers": False,
    },
}  # fmt: skip


def content_of(world: World, kind: str, content: bytes, size: int | None, fields: Json) -> Json:
    """Give the part of a message that holds this kind; a file is stored for download. KeyError for other kinds."""
    if kind in OTHERS:
        details = OTHERS[kind] | fields
        return {kind: details} | ({"location": details["location"]} if kind == "venue" else {})
    file = store(world, kind, content, size)
    names = {"file_id": file.id, "file_unique_id": file.unique_id, "file_size": file.size}
    details = FILES[kind] | names | fields
    if kind == "photo":  # Telegram offers several sizes, the largest last
        small = details | {
            "file_id": f"{file.id}-small",
            "file_unique_id": f"{file.unique_id}s",
            "width": 90,
            "height": 67,
        }
        return {kind: [small, details]}
    return {kind: details} | ({"document": details} if kind == "animation" else {})


def store(world: World, kind: str, content: bytes, size: int | None) -> StoredFile:
    """Keep a file and give what names it."""
    number = world.next_id()
    real_size = len(content) if size is None else size
    file = StoredFile(f"file-{kind}-{number}", f"unique-{number}", f"{kind}s/file_{number}.bin", content, real_size)
    world.files[file.id] = file
    return file
