"""Words in a person's own message that are not that person's: quotations, texts to work on, what the assistant is told it said.

"Translate: I live in Rome" says nothing about where anybody lives.
"""

from functools import lru_cache
from typing import Final

import regex

from memory.cues import FIRST_PERSON
from memory.folding import fold, words
from memory.lexicon import folded

Span = tuple[int, int]

_QUOTED: Final = regex.compile(
    r"\"[^\"\n]+\"|“[^“”\n]+”|„[^“”„\n]+[“”]|«[^«»\n]+»|»[^«»\n]+«|「[^「」\n]+」|『[^『』\n]+』|《[^《》\n]+》"
)
_OTHER_PERSONS: Final = folded(
    "your yours dein deine tes votre tus tuo tua twoj твой твоя me my mein meine mi mon ma moi mio mia"
)
_PERSONS_WITHOUT_BLANKS: Final = ("我", "你", "您", "私", "僕", "俺", "あなた")
_ON_A_TEXT: Final = r"(?:grammar|spelling|typos?|text|sentence|wording|this|grammatik|rechtschreibung|satz|das hier|texte?|phrase|frase|testo|texto|tekst|zdanie|текст|предложение)"
_TASK: Final = regex.compile(
    r"(?:translate|proofread|paraphrase|rephrase|summari[sz]e|ubersetz\w*|traduis\w*|traduire|traduce\w*|traduci\w*|traduza|traduzir|vertaal|"
    r"oversatt\w*|przetlumacz\w*|переведи\w*|переклади|cevir\w*|翻译|翻譯|翻訳|訳して|번역)[^:：\n]{0,60}[:：\n]"
    r"|(?:fix|correct|rewrite|improve|shorten|check|korrigier\w*|verbesser\w*|corrige\w*|correggi|corrigir|popraw\w*|исправь\w*|润色|改写|修改)"
    rf"[^:：\n]{{0,30}}\b{_ON_A_TEXT}\b[^:：\n]{{0,30}}[:：\n]"
    r"|(?:润色|改写|修改|添削)[^:：\n]{0,30}[:：\n]"
)
_TRANSLATED: Final = regex.compile(
    r"\W*(?:(?:please|bitte|can you|kannst du)\s+)?(?:translate|ubersetz\w*|traduis\w*|traduce|traduci|переведи\w*|翻译|翻訳)\b"
)
_ASCRIBED: Final = regex.compile(
    r"\W*(?:(?:but|and|so|why did|aber|und|mais|pero|ma|но)\s+)?(?:you (?:just |also )?(?:said|say|told me|wrote|claimed|think|thought|assumed)|"
    r"du (?:hast gesagt|sagtest|sagst|meintest|behauptest|denkst)|sie sagten|tu (?:as dit|dis)|vous avez dit|dijiste|has dicho|hai detto|dicevi|"
    r"voce disse|disseste|je zei|du sa|powiedzial\w*|ты (?:же )?(?:сказал\w*|говоришь|думаешь)|вы сказали|你刚?才?说|您说|さっき言った)"
)


@lru_cache(maxsize=256)
def borrowed(text: str) -> tuple[Span, ...]:
    """Give the spans, in code points, of what is quoted or handed over to be worked on."""
    spans = [found.span() for found in _QUOTED.finditer(text) if _speaks(found[0])]
    task = _TASK.search(fold(text))
    if task is not None and len(fold(text)) == len(text):  # else the places differ, and nothing is cut wrongly
        spans.append((task.end(), len(text)))
    return tuple(spans)


def is_borrowed(text: str, start: int, end: int) -> bool:
    """Say whether the clause at ``start`` to ``end`` holds nothing but borrowed words, or tells the assistant what it said."""
    inside = words(text[start:end])
    if not inside:
        return False
    first, last = start + inside[0].start, start + inside[-1].end
    within = any(since <= first and last <= until for since, until in borrowed(text))
    piece = fold(text[start:end])
    return within or _ASCRIBED.match(piece) is not None or _TRANSLATED.match(piece) is not None


def only_ascribes(piece: str) -> bool:
    """Say whether a clause says no more than "you said", so that what follows is what was said."""
    found = _ASCRIBED.match(fold(piece))
    return found is not None and not words(fold(piece)[found.end() :])


def _speaks(quotation: str) -> bool:
    """Say whether a quotation is somebody speaking: a title or a name has nobody in it."""
    said = {word.folded for word in words(quotation)}
    return bool(said & (FIRST_PERSON | _OTHER_PERSONS)) or any(sign in quotation for sign in _PERSONS_WITHOUT_BLANKS)
