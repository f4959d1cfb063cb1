"""What people ask for in so many words: to forget something; and orders to the assistant in words that were only passed on."""

from typing import Final

import regex

from memory.cues import (
    ASSISTANT_NAMES,
    ASSISTANTS_WITHOUT_BLANKS,
    COMMAND_STARTS,
    COMMANDS_WITHOUT_BLANKS,
    FIRST_PERSON,
    FORGET,
    NOT_FORGET,
    OBLIGATIONS,
)
from memory.domain import Kind
from memory.folding import fold, words
from memory.lexicon import folded, function_words
from memory.reflection.clauses import Clause, clauses
from memory.reflection.evidence import Voice
from memory.reflection.operations import Proposed
from memory.statements import Inflections, content_words, take_apart

_PATTERNS: Final = tuple(fold(p) for p in FORGET)
_SPACED: Final = tuple(p for p in _PATTERNS if not regex.search(r"[\p{Han}\p{Hangul}\p{Hiragana}]", p))
_FORGET: Final = regex.compile(
    rf"(?<![\p{{L}}\p{{M}}])(?:{'|'.join(_SPACED)})(?![\p{{L}}\p{{M}}])|(?:{'|'.join(p for p in _PATTERNS if p not in _SPACED)})"
)
_NOT_FORGET: Final = regex.compile(fold(NOT_FORGET))
_ASKS_TO: Final = frozenset(
    {"want", "wants", "like", "ask", "asked", "need", "mochte", "will", "quiero", "voudrais", "vorrei", "quero", "хочу"}
)
_YOU: Final = frozenset({"you", "du", "tu", "sie", "vous", "usted", "ty", "ты", "вы", "jij", "je"})
_SENTENCES: Final = regex.compile(r"[^.!?。！？…\n]+[.!?。！？…\n]*")
_SIGH: Final = regex.compile(
    r"(?<!\p{L})(?:forget (?:about )?it|vergiss (?:es|'?s)|oublie(?:z)?[ -](?:ca|le)|olvidalo|dimenticalo|lascia perdere|esquece(?: isso)?|"
    r"vergeet het|zapomnij(?: o tym)?|забудь(?:те)?(?: об этом)?)\s*(?:[,;–—]|-\s)"
)
_MEANT: Final = regex.compile(
    r"\s*(?:(?:please|bitte|that|what|dass|was|que|ce que|che|quello|dat|wat|ze|co|что|то|про)(?!\p{L})"
    r"|(?:\w+ )?(?:thing|stuff|fact|note|memory|part|bit|sache|chose|cosa|coisa))"
)
REQUEST_WORDS: Final = folded(
    "everything something thing things fact memory memories note notes told said saying mentioned wrote about "
    "information please ever again alles etwas bitte"
)
"""What a request to forget is put in, beside what it names."""


def asks_to_forget(voice: Voice, text: str) -> bool:
    """Say whether somebody asks to forget what ``text`` says: a request in the same sentence as its content."""
    return any(_request_covers(sentence[0], text) for sentence in _SENTENCES.finditer(voice.text))


def _request_covers(sentence: str, text: str) -> bool:
    folded = _NOT_FORGET.sub(" ", fold(sentence))
    cue = _FORGET.search(folded)
    if cue is None or _is_told(folded[: cue.start()]):
        return False
    asked = _without(cue[0], _without_remark(folded))
    pool = Inflections(content_words(text), take_apart(text).language)
    meant = [w for w in asked if pool.has(w) or (not w.isascii() and w in text)]
    return bool(meant) and 2 * len(meant) >= len(asked)


def _without_remark(sentence: str) -> str:
    """Leave out what follows "forget it,": a sigh, unless it goes on with what is meant ("… the thing about the choir")."""
    sigh = _SIGH.search(sentence)
    if sigh is None or _MEANT.match(sentence, sigh.end()):
        return sentence
    return sentence[: sigh.end()]


def _is_told(before: str) -> bool:
    """Say whether "forget" is told of a person ("I always forget my card") and not asked of the assistant."""
    near = [w.folded for w in words(before)][-3:]
    return any(w in FIRST_PERSON and w not in _YOU for w in near) and not _ASKS_TO.intersection(near)


def _without(cue: str, sentence: str) -> list[str]:
    skipped = {w.folded for w in words(cue)} | REQUEST_WORDS | function_words()
    return [w for w in dict.fromkeys(content_words(sentence.replace(cue, " "))) if w not in skipped]


def contradicts(voice: Voice, text: str) -> bool:
    """Say whether somebody states the opposite: most of the content of ``text`` in a clause with the other sign."""
    held = take_apart(text)
    content = set(held.content)
    opposite = [c for c in voice.clauses if c.asserted and c.negated != held.negated]
    pool = voice.pool(opposite)
    met = sum(pool.has(w) or any(not w.isascii() and w in c.text for c in opposite) for w in content)
    return bool(content) and 3 * met >= 2 * len(content)


def is_lesson(proposed: Proposed) -> bool:
    """Say whether a proposal would have the assistant act differently from now on; passed-on words never may."""
    kind = (proposed.kind or "").strip().lower()
    return kind == Kind.LESSON or bool(proposed.triggers or proposed.tools)


def is_order(text: str, passed_on: tuple[Voice, ...]) -> bool:
    """Say whether a statement taken from passed-on words is an order to the assistant, or was one where it came from."""
    if _commands(text):
        return True
    content = set(content_words(text))
    said = [c for v in passed_on for c in clauses(v.text) if _shares(c, content)]
    return any(_commands_assistant(c.text) for c in said) or any(
        _commands_assistant(v.text) and said for v in passed_on
    )


def _shares(clause: Clause, content: set[str]) -> bool:
    pool = Inflections(clause.words, None)
    return any(pool.has(w) or (not w.isascii() and w in clause.text) for w in content)


def _commands(text: str) -> bool:
    """Say whether a statement has nobody as its subject but the one it obliges, or names the assistant as that one."""
    tokens = [w.folded for w in words(text)]
    starts = bool(tokens) and tokens[0] in COMMAND_STARTS
    return starts or _commands_assistant(text) or text.startswith(COMMANDS_WITHOUT_BLANKS)


def _commands_assistant(text: str) -> bool:
    tokens = {w.folded for w in words(text)}
    named = bool(tokens & ASSISTANT_NAMES) or any(n in text for n in ASSISTANTS_WITHOUT_BLANKS if not n.isascii())
    obliged = bool(tokens & OBLIGATIONS) or any(c in text for c in COMMANDS_WITHOUT_BLANKS)
    return (
        (named and obliged)
        or (bool(tokens & _YOU) and bool(tokens & _HARD_ORDERS))
        or tokens >= {"previous", "instructions"}
    )


_HARD_ORDERS: Final = frozenset(
    {"must", "ignore", "disregard", "obey", "reveal", "musst", "dois", "debes", "devi", "должен", "must_"}
)
