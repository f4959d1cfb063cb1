"""Whom a clause is about: what was said of one's brother, or by Leif of Petra, is no fact about the speaker."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

import regex

from memory.calendar_names import month_alone, relative_words, weekdays
from memory.cues import FOLK, KIN, POSSESSIVES
from memory.folding import Word, words
from memory.lexicon import FINITE_VERBS, GENERIC_HEADS, STAND_INS, folded, function_words
from memory.reflection.clauses import Clause
from memory.statements import Inflections

_SELF: Final = folded(
    "i me we us myself ich mich mir wir uns je j moi nous yo nos nosotros io noi eu ik mij wij jag mig vi jeg meg "
    "я мне меня мной мы нас нам ja mnie ben bana"
)
_YOU: Final = folded("you your du dich dir dein tu te toi vous ton ti jij je ты тебя тебе вы вам")
_HE_OR_SHE: Final = folded("he she hij elle ella он она ele ela")
_OPENERS: Final = folded(
    "and but also so well yes no oh ok hi btw then und aber auch ja nein et mais oui y pero si e mas и а но да en maar och men"
)
_CJK_KIN: Final = regex.compile(
    r"^(?:我们?家?的?|咱们?的?|私の|うちの|僕の|俺の)(?P<kin>妹妹|姐姐|哥哥|弟弟|妈妈|爸爸|母亲|父亲|老婆|老公|妻子|丈夫|太太|先生|儿子|女儿|朋友|同事|老板|爷爷|奶奶|"
    r"室友|邻居|妹|姉|兄|弟|母|父|妻|夫|娘|息子|友達|友人|同僚|上司|猫|狗|犬)"
    r"|^(?:제|내|우리|저희)\s(?P<kin>여동생|남동생|동생|누나|형|오빠|언니|엄마|아빠|어머니|아버지|아내|남편|아들|딸|친구|상사|동료|고양이|강아지)"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """What is to be judged: its folded words (those of the subject named with it, too), its text, and what it is made of."""

    text: str
    words: frozenset[str]
    content: tuple[str, ...]
    others: frozenset[str]  # folded names of the other people in the conversation
    own: frozenset[str]  # of the speaker


def is_of_another(made: Stated, asserted: Sequence[Clause]) -> bool:
    """Say whether all clauses that touch a statement are about somebody whom it does not name."""
    touching = [c for c in asserted if _touches(c, made)]
    return bool(touching) and (
        all(_is_elsewhere(c, made) for c in touching) or all(_is_about_speaker(c, made) for c in touching)
    )


def _touches(clause: Clause, made: Stated) -> bool:
    counted = (w for w in made.words if w.isdecimal())  # where a number is all there is: "is 71 years old"
    telling = {*made.content, *counted} - made.others - made.own
    return any(w in clause.words or (not w.isascii() and w in clause.text) for w in telling)


def _is_elsewhere(clause: Clause, made: Stated) -> bool:
    """Say whether a clause has a subject that the statement leaves out."""
    tokens = _without_openers(words(clause.text))
    if not tokens or _begins_with_any(clause.text, made.own):
        return False
    if tokens[0].folded in _HE_OR_SHE:
        return _adds_nobody(clause, made)
    pool = Inflections(made.words, None)
    subject = _kin(tokens)
    if subject:
        named = any(pool.has(name) for name in subject) or not made.words.isdisjoint(KIN | FOLK) or _has_subject(made)
    else:
        subject = _foreign(clause.text, made.others) or _named(tokens, made)
        named = any(pool.has(name) or (not name.isascii() and name in made.text) for name in subject)
    speaks_of_self = any(t.folded in _SELF for t in tokens)
    return bool(subject) and not named and not speaks_of_self


def _has_subject(made: Stated) -> bool:
    """Say whether a statement names a thing that it is about ("the rent was raised")."""
    first, *rest = words(made.text)
    return first.folded not in made.others | made.own and bool(rest) and rest[0].folded in FINITE_VERBS


def _without_openers(tokens: tuple[Word, ...]) -> tuple[Word, ...]:
    skipped = len(list(takewhile(lambda token: token.folded in _OPENERS, tokens)))
    return tokens[skipped:]


def _begins_with_any(text: str, names: frozenset[str]) -> bool:
    return any(text.strip().casefold().startswith(name) for name in names if name)


def _adds_nobody(clause: Clause, made: Stated) -> bool:
    """Say whether a statement repeats what was said of "him" without saying who that is."""
    if any(t in _SELF for t in clause.words) or made.words & _HE_OR_SHE:
        return False
    return all(w in clause.words or Inflections(clause.words, None).has(w) for w in made.words - made.own - _small())


def _small() -> frozenset[str]:
    return function_words() | STAND_INS


def _kin(tokens: tuple[Word, ...]) -> frozenset[str]:
    """Give the relative, friend or animal that a clause begins with ("my brother Ole is …"), with the name that follows."""
    for at in range(min(3, len(tokens) - 1)):
        who = tokens[at + 1].folded
        if tokens[at].folded in POSSESSIVES and (who in KIN or who in FOLK):
            named = takewhile(lambda token: token.raw[:1].isupper(), tokens[at + 2 :])
            return frozenset({who, *(token.folded for token in named)})
    return frozenset()


def _foreign(text: str, others: frozenset[str]) -> frozenset[str]:
    """Give what a clause without capitals begins with: one's relative, or another person of the conversation."""
    kin = _CJK_KIN.match(text.strip())
    if kin:
        return frozenset({kin["kin"]})
    return frozenset(name for name in others if not name.isascii() and text.strip().casefold().startswith(name))


def _named(tokens: tuple[Word, ...], made: Stated) -> frozenset[str]:
    """Give the name that a clause begins with: of somebody in the conversation, or before a verb; "mine" is about the speaker."""
    first, following = tokens[0], tokens[1].folded if len(tokens) > 1 else ""
    if len(tokens) < 2 or any(t.folded in POSSESSIVES for t in tokens) or not first.raw[:1].isupper():
        return frozenset()
    is_word = first.folded in function_words() or first.folded in STAND_INS or first.folded in GENERIC_HEADS
    is_person = first.folded in made.others
    if is_word or not (is_person or (following in FINITE_VERBS and not _is_of_calendar(first.folded))):
        return frozenset()
    return frozenset(t.folded for t in takewhile(lambda token: token.raw[:1].isupper(), tokens))


def _is_of_calendar(word: str) -> bool:
    return any(pattern.fullmatch(word) for pattern in (weekdays(), relative_words(), month_alone()))


def _is_about_speaker(clause: Clause, made: Stated) -> bool:
    """Say whether a statement gives to another person of the conversation what a clause says of the speaker."""
    subject = words(made.text)[:1]
    if not subject or subject[0].folded not in made.others or subject[0].folded in clause.words:
        return False
    begins = {t.folded for t in _without_openers(words(clause.text))[:2]}
    return bool(begins & (_SELF | POSSESSIVES)) and not clause.words & _YOU
