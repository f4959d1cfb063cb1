"""A hint for the owner, once: which embedding model would know the languages that are spoken here."""

import json
from collections.abc import Sequence
from datetime import datetime

import regex
from sqlalchemy import select

from bot import delivery
from bot.storage import kv
from memory.domain import AgentSlug, Role
from memory.embedders.sight import MULTILINGUAL, SIXTEEN, SIXTEEN_LANGUAGES, languages_of, legible
from memory.statements import languages
from memory.tables import messages
from memory.unit_of_work import UnitOfWork

KEY = "hint:embedding"
LOOKED_AT = 200
"""Messages looked at: some days of talk, so a week abroad changes nothing and a move does."""
FEWEST = 10
"""Messages whose language is told. Fewer may be a song, a quotation or a test."""
LONGEST = 400
"""Characters of each that are looked at: three sentences tell."""
FIFTY_LANGUAGES = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
"""What to name to those whose languages are none of the sixteen; fastembed downloads it (220 MB)."""

HINT = (
    "Most of what is written to me is in languages that my model for meaning, {used!r}, does not know: I find memories by their "
    "words, and miss those that say it in other words. Another model would help. {line}, then start me again; I go through my "
    "memories anew by myself.{download} I say this only once."
)
_TELLING = tuple(
    (language, regex.compile(f"[{letters}]"))
    for language, letters in {
        "vi": "ăơưđạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ", "cs": "ěřů", "pl": "łąężśćź", "tr": "ığş", "hu": "őű", "ro": "șț",
        "pt": "ãõ", "es": "ñ¿¡", "de": "ß", "fa": "پچژگ", "uk": "іїєґ",
    }.items()
)  # fmt: skip
"""Letters that nearly only one of the languages told apart here writes: a short message has no small words that tell."""
_BEYOND_ASCII = regex.compile(r"[\p{Latin}--\p{ASCII}]", regex.VERSION1)
_LETTERS = regex.compile(r"\p{L}+")
_LATIN = regex.compile(r"\p{Latin}")


def hint_for(texts: Sequence[str], model: str) -> str | None:
    """Give what to tell the owner when most of ``texts`` are in languages the embedding ``model`` does not know."""
    better = better_model(texts, model)
    if better is None:
        return None
    download = "" if better == MULTILINGUAL else " It is downloaded once."
    return HINT.format(used=model, line=line(better), download=download)


def better_model(texts: Sequence[str], model: str) -> str | None:
    """Give the model that knows what most of ``texts`` are written in, where ``model`` does not; None where all is well.

    A model of which nobody knows what it reads is left alone, and so is the multilingual one.
    """
    known = languages_of(model)
    if known is None or model.strip().casefold() == MULTILINGUAL:
        return None
    told = [text for text in (text[:LONGEST] for text in texts[:LOOKED_AT]) if _is_told(text)]
    foreign = [text for text in told if not _is_known(text, known)]
    if len(told) < FEWEST or 2 * len(foreign) <= len(told):
        return None
    helped = sum(_is_known(text, SIXTEEN_LANGUAGES) for text in foreign)
    return MULTILINGUAL if 2 * helped > len(foreign) else FIFTY_LANGUAGES


def line(model: str) -> str:
    """Give the sentence that says which setting to change."""
    return f"Put model = {json.dumps(model, ensure_ascii=False)} under [embedding] in tidemark.toml"


def due(uow: UnitOfWork, agent: AgentSlug, model: str) -> str | None:
    """Give the hint when there is one that the owner has not had."""
    return None if kv.get(uow, KEY) is not None else hint_for(recent_texts(uow, agent), model)


def say(uow: UnitOfWork, bot_id: int, letter: delivery.Letter, now: datetime) -> None:
    """Put the hint into the outbox and note that it was given; one that was given already is not given again."""
    if kv.get(uow, KEY) is None:
        delivery.put(uow, bot_id, letter, now)
        kv.put(uow, KEY, now.isoformat(), now)


def recent_texts(uow: UnitOfWork, agent: AgentSlug) -> list[str]:
    """Give the last messages of people in any chat, newest first: for counting languages, not for showing."""
    people = (messages.c.agent_slug == agent, messages.c.role == Role.USER)
    query = select(messages.c.text).where(*people).order_by(messages.c.id.desc()).limit(LOOKED_AT)
    return list(uow.connection.scalars(query))


def _is_told(text: str) -> bool:
    """Say whether the text shows its language: by its script, or by small words of a language in Latin script."""
    letters = _letters(text)
    return bool(letters) and (not _is_latin(letters) or bool(_likely(text)))


def _is_known(text: str, known: frozenset[str]) -> bool:
    """Say whether the text is, or may well be, in one of the languages ``known``."""
    likely = _likely(text)
    if likely or known == {"en"}:
        return bool(likely & known)
    return known >= SIXTEEN_LANGUAGES and legible(_letters(text), SIXTEEN) > 0.5


def _likely(text: str) -> frozenset[str]:
    """Give the languages the text may be in: by letters that tell, else by small words; none when nothing tells."""
    small = text.lower()  # not by a pattern blind to case: there an English I is a Turkish ı
    for language, letters in _TELLING:
        if letters.search(small):
            return frozenset({language})
    likely, _ = languages(text)
    rest = likely - {"en"}
    return rest if rest and _BEYOND_ASCII.search(text) else likely  # "o", "a" and "do" are English as well


def _letters(text: str) -> str:
    return "".join(_LETTERS.findall(text))


def _is_latin(letters: str) -> bool:
    return 2 * len(_LATIN.findall(letters)) >= len(letters)
