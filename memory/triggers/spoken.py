"""A lesson as a person writes it: the situation, a colon, what to do then."""

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from memory.folding import fold
from memory.statements import language_of

_COLON = regex.compile(r"(?<!\d)[:：﹕︓](?!//)|[:：﹕︓](?!\d|//)")
_START = regex.compile(
    r"(?:(?:every time|each time|any time|whenever|when|while|before|after|if|on|for|in case of|once|"
    r"immer wenn|jedes mal wenn|wenn|falls|sobald|bevor|beim|bei|vor dem|vor der|vor|nach|im fall von|"
    r"chaque fois que|lorsque|quand|avant de|avant d'|avant|apres|pendant|en cas de|si|"
    r"cada vez que|siempre que|cuando|antes de|despues de|al|en caso de|"
    r"ogni volta che|quando|prima di|dopo|in caso di|se|"
    r"sempre que|cada vez que|antes de|depois de|ao|em caso de|"
    r"telkens als|wanneer|voordat|als|voor|bij|na|nar|innan|fore|for|kun|ennen|"
    r"kiedy|gdy|zanim|przed|kdyz|pred|когда|если|перед|прежде чем|при|коли|якщо|перед тим як|"
    r"عندما|قبل|إذا|כאשר|כש|לפני|जब|οταν|πριν)(?:$|(?<=')|[ ,]\s*))+"
)
_END = regex.compile(
    r"(?:的时候|的時候|之前|以前|之后|之後|以后|以後|时|時|前|する前に|するとき|する時|の前に|のとき|の時|の際|とき|前に|"
    r"할 ?때|하기 ?전에|전에|할 ?때는|때)$"
)
_EARLY = regex.compile(r"^(?:当|當|在|每次|如果)")
_OR = regex.compile(
    r"\s*[,،、，;；؛|]\s*(?:(?:or|oder|ou|oppure|или|або|lub|nebo|eller|tai|veya|أو|או|या)\s+)?|"
    r"\s+(?:or|oder|ou|oppure|или|або|lub|nebo|eller|tai|veya|أو|או|या)\s+|或者|或|または|又は",
    regex.IGNORECASE,
)
_OR_OF = {
    "es": regex.compile(r"\s+[ou]\s+", regex.IGNORECASE),
    "it": regex.compile(r"\s+o\s+", regex.IGNORECASE),
    "nl": regex.compile(r"\s+of\s+", regex.IGNORECASE),
}
"""Words for "or" that mean something else in other languages."""

_CALLS = (
    r"run|running|use|using|call|calling|invoke|invoking|aufruf(?:en)?|ausfuhren|benutzen|lancer|utiliser|appeler|"
    r"ejecutar|usar|llamar|eseguire|usare|chiamare|executar|chamar"
)
_TOOL = regex.compile(
    rf"(?:(?:{_CALLS})\s+)?(?:(?:the|das|dem|den|le|la|l'|el|il|lo|o|a)\s*)?(?:tool|werkzeug|outil|herramienta|strumento|ferramenta)\s+"
    r"[`\"'“„«]?(?<named>[^\s`\"'”“»]+)[`\"'”“»]?|"
    rf"(?:{_CALLS})\s+`?(?<called>[^\s`]*[_./][^\s`]+)`?|(?:run|running|invoking)\s+(?<plain>[^\s`]+)|"
    r"`(?<bare>[^`\s]+)`|(?<joined>\p{L}[\p{L}\p{N}]*(?:(?:_|\.|__)[\p{L}\p{N}]+)+)"
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A lesson in its parts. ``text`` is all of it, so that it says by itself what it is for."""

    text: str
    phrases: tuple[str, ...]
    tools: tuple[str, ...]


def read(written: str) -> Spoken | None:
    """Give the lesson that ``written`` holds; None without a situation, a colon, and something to do.

    A colon within a time or an address parts nothing.
    """
    found = _COLON.search(written)
    if found is None:
        return None
    situation, advice = written[: found.start()].strip(), written[found.end() :].strip()
    if not situation or not advice:
        return None
    cues = [_cue(part) for part in _parts(situation)]
    phrases = tuple(phrase for phrase, _ in cues if phrase)
    tools = tuple(tool for _, tool in cues if tool)
    return Spoken(f"{situation}: {advice}", phrases, tools) if phrases or tools else None


def bare(situation: str) -> str:
    """Give the situation without the word that leads to it ("when", "before", 时)."""
    folded = fold(situation)
    start = _START.match(folded)
    same_length = len(folded) == len(situation)  # else the places differ, and the small words do no harm
    rest = situation[start.end() :] if start is not None and same_length else situation
    rest = _EARLY.sub("", rest.strip())
    shorter = _END.sub("", rest).strip()
    return shorter or rest or situation


def _parts(situation: str) -> Iterator[str]:
    also = _OR_OF.get(language_of(situation) or "")
    for part in _OR.split(situation):
        for piece in also.split(part) if also else [part]:
            if piece.strip():
                yield piece.strip()


def _cue(part: str) -> tuple[str, str]:
    """Give the phrase and the tool that one part names; either may be empty."""
    phrase = bare(part)
    found = _TOOL.fullmatch(phrase) or _TOOL.fullmatch(fold(phrase))
    if found is None:
        return phrase, ""
    name = next(value for value in found.groupdict().values() if value)
    return phrase if found["plain"] else "", name  # "running deploy" may be a tool, and may be just that
