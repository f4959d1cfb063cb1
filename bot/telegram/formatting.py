"""A model's Markdown as Telegram shows it: plain text with entities, never Telegram's own markup languages."""

import regex

from bot.telegram.markdown import build
from bot.telegram.styled import Entity, Styled, assemble, clean
from bot.telegram.writer import write

__all__ = ["Entity", "Styled", "plain", "render"]

_REASONING = regex.compile(r"[\s\ufeff\u200b]*+<think>.*?</think>", regex.DOTALL | regex.IGNORECASE)
_PARSER = build()


def render(markdown: str) -> Styled:
    """Give the text and styles that ``markdown`` means; text of any length and kind, ``Styled("")`` if nothing shows.

    A complete block of hidden reasoning at the very start is left out. Nothing else is: marks that style nothing,
    HTML, formulas and footnotes appear as typed.
    """
    source = clean(markdown)
    if reasoning := _REASONING.match(source):
        source = source[reasoning.end() :]
    env: dict[str, object] = {}
    tokens = _PARSER.parse(source, env)
    return write(tokens, env, source.split("\n"))


def plain(text: str) -> Styled:
    """Give ``text`` as it stands, without styles, cleaned of what Telegram would refuse."""
    return assemble(clean(text), ())
