"""Whether somebody's words say what a statement says: every number, name, date and negation of it, and most of the rest."""

from dataclasses import dataclass
from typing import Final

import regex

from memory.dates import DateMention, Unit, find_dates
from memory.folding import fold, words
from memory.lexicon import CONDITIONALS, INFLECTING, LIGHT_VERBS, STAND_INS, function_words
from memory.numerals import forms
from memory.reflection.clauses import Clause, clauses
from memory.reflection.direction import is_turned
from memory.reflection.evidence import Voice
from memory.reflection.plans import is_only_planned
from memory.reflection.relations import is_made_up
from memory.reflection.reported import is_of_opinion
from memory.reflection.subjects import Stated, is_of_another
from memory.reflection.swaps import is_swapped, is_synonym
from memory.statements import Inflections, Statement, languages, stem, take_apart

_ENDING_MAX: Final = 3


@dataclass(frozen=True)
class Claim:
    """A statement to be judged: its dates resolved, the rest taken apart, and what is known of the matter already."""

    text: str
    dates: tuple[DateMention, ...]
    bare: Statement  # without the dates
    known: str = ""  # the text it replaces: counts as evidence for names and numbers
    known_dates: tuple[DateMention, ...] = ()
    others: frozenset[str] = frozenset()  # folded names of the other people in the conversation
    subject: str = ""  # whom it is said to be about, where the words leave that out


def claim(
    text: str, voice: Voice, *, known: str = "", others: frozenset[str] = frozenset(), subject: str | None = None
) -> Claim:
    """Give ``text`` as a claim that ``voice`` is to support, relative dates counted from when it spoke."""
    dates = find_dates(text, voice.moment)
    known_dates = find_dates(known, voice.moment) if known else ()
    held = tuple(d for d in dates if any(d.agrees(e) for e in (*voice.dates, *known_dates)) or d.unit is not Unit.YEAR)
    bare = take_apart(_without_speaker(_blanked(text, held), voice))
    return Claim(text, dates, bare, known, known_dates, others, subject or "")


def _without_speaker(text: str, voice: Voice) -> str:
    """Take out the speaker's own name where no blank parts it from the next word: else half the pairs beside it were never said."""
    unparted = voice.is_own and len(voice.speaker) > 1 and words(voice.speaker)[:1] and words(voice.speaker)[0].is_run
    return text.replace(voice.speaker, " ") if unparted else text


def _blanked(text: str, dates: tuple[DateMention, ...]) -> str:
    for mention in dates:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def objection(made: Claim, voice: Voice) -> str | None:
    """Give what is wrong with a claim in a few words, or None where ``voice`` says it."""
    asserted = _asserted(made, voice)
    rightly = [c for c in asserted if c.negated == made.bare.negated]
    checks = (
        _missing_date(made, voice),
        _missing_negation(made, rightly),
        _missing_number(made, asserted if made.bare.negated else rightly),
        _missing_name(made, voice, asserted if made.bare.negated else rightly),
        _another_person(made, voice, asserted),
        "the other way round" if is_turned(made.text, made.bare.language, asserted) else None,
        "another unit, relative or side" if is_swapped(made.text, made.bare, voice, asserted, made.known) else None,
        "a relation nobody named" if is_made_up(made.bare, voice, made.known) else None,
        "only planned" if is_only_planned(made.bare, voice, asserted) else None,
        "another's opinion" if is_of_opinion(made.bare, asserted) else None,
        _other_language(made, voice),
        _turned_round(made, voice, asserted, rightly),
        _too_little(made, voice, asserted, rightly),
    )
    return next((problem for problem in checks if problem), None)


def _asserted(made: Claim, voice: Voice) -> list[Clause]:
    supposing = any(w.folded in CONDITIONALS for w in made.bare.words)
    return [c for c in voice.clauses if c.asserted or (supposing and c.words & CONDITIONALS)]


def _missing_date(made: Claim, voice: Voice) -> str | None:
    said = (*(voice.dates if made.bare.negated else voice.dates_affirmed), *made.known_dates)
    wrong = [d for d in made.dates if d.unit is not Unit.YEAR and not any(d.agrees(e) for e in said)]
    return "a date that was not said" if wrong else None


def _missing_negation(made: Claim, rightly: list[Clause]) -> str | None:
    """A denial must have been denied; what was only denied cannot be affirmed."""
    if not made.bare.negated:
        return None if rightly else "nobody affirmed it"
    if made.known and take_apart(made.known).negated and not any(rightly):
        return None
    pool = Inflections((w for c in rightly for w in c.words), made.bare.language)
    content = [w for w in made.bare.content if not _is_number(w)]
    denied = any(pool.has(w) for w in content) or (bool(rightly) and not content)
    return None if denied or _shares_run(rightly, made) else "a negation that was not said"


def _shares_run(rightly: list[Clause], made: Claim) -> bool:
    return any(pair in c.text for c in rightly for pair in made.bare.content if not pair.isascii())


def _turned_round(made: Claim, voice: Voice, asserted: list[Clause], rightly: list[Clause]) -> str | None:
    """What was denied is not affirmed by something else that was; what was affirmed is not denied by something else that was not."""
    if made.bare.names or made.bare.numbers:
        return None  # these were looked up in clauses of the right sign
    right, wrong = _Words(voice, rightly), _Words(voice, [c for c in asserted if c.negated != made.bare.negated])
    content = _fresh(_others(made), made)
    met = [w for w in content if right.has(w)]
    against = [w for w in content if w not in met and wrong.has(w)]
    return "the opposite was said" if against and (not made.bare.negated or len(against) >= len(met)) else None


def _is_number(word: str) -> bool:
    return any(c.isdecimal() for c in word)


def _missing_number(made: Claim, chosen: list[Clause]) -> str | None:
    said = {form for c in chosen for form in c.numbers} | (forms(made.known) if made.known else set())
    said |= forms("".join(c.text for c in chosen)) if made.bare.numbers else set()
    return "a number that was not said" if any(not (number & said) for number in made.bare.numbers) else None


def _missing_name(made: Claim, voice: Voice, chosen: list[Clause]) -> str | None:
    said = {w for c in chosen for w in c.words} | voice.names | {w.folded for w in words(made.known)}
    tolerant = voice.language in INFLECTING and made.bare.language in {voice.language, None}
    names = {n.folded for n in made.bare.names}
    mentioned = names | {w.folded for w in made.bare.words if w.folded in made.others}
    mentioned |= {o for o in made.others if not o.isascii() and len(o) > 1 and o in made.bare.text}
    missing = [
        n
        for n in mentioned
        if not _is_said(n, said, tolerant=tolerant) and not any(n in c.text for c in chosen if not n.isascii())
    ]
    missing = [
        n for n in missing if not (n in names and n not in made.others and _is_common_noun(n, said, voice.language))
    ]
    return "a name that was not said" if missing else None


def _called(text: str) -> list[str]:
    """Give the names that scripts without capitals introduce by a word for being called."""
    return [n for found in _CALLED.finditer(text) for n in found.groups() if n]


_CALLED: Final = regex.compile(
    r"(?:叫做?|名叫|名字是|姓名是)\s?([\p{Han}]{2,4})|名前は\s?([\p{Han}\p{Katakana}ー]{1,8})|([\p{Han}\p{Katakana}ー]{1,8})(?:さん|ちゃん|くん|という名)|이름은\s([\p{Hangul}]{1,5}?)(?:이?[다야고]|예요|이에요|입니다)?(?=[\s.,]|$)"
)


def _is_said(name: str, said: set[str], *, tolerant: bool) -> bool:
    """Look a name up; possessives always count, other endings only in languages that inflect names."""
    if name in said or name.removesuffix("s") in said or f"{name}s" in said:
        return True
    return tolerant and any(_same_root(name, other) for other in said if other[:2] == name[:2])


def _same_root(name: str, other: str) -> bool:
    shared = next((i for i, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    return (
        shared >= 3 and shared >= min(len(name), len(other)) - 1 and max(len(name), len(other)) - shared <= _ENDING_MAX
    )


def _is_common_noun(name: str, said: set[str], language: str | None) -> bool:
    """Say whether a German noun is a compound or derivative of something that was said."""
    if language != "de":
        return False
    root = stem(name, "de")
    return any(
        len(w) >= 4 and (stem(w, "de")[:6] in name or root in w)
        for w in said
        if w not in function_words() and len(stem(w, "de")) >= 4
    )


def _another_person(made: Claim, voice: Voice, asserted: list[Clause]) -> str | None:
    """What was said of one's brother is no fact about oneself: the statement must name whom the clause is about."""
    named = frozenset(w.folded for text in (made.text, made.subject, made.known) for w in words(text))
    own = voice.names | ({voice.speaker.casefold()} if voice.is_own else frozenset())
    stated = Stated(f"{made.text}\n{made.subject}", named, made.bare.content, made.others, own)
    return "said of another person" if is_of_another(stated, asserted) else None


def _other_language(made: Claim, voice: Voice) -> str | None:
    """A needless translation is not what was said, however alike the names are."""
    mine, told = languages(made.text)
    its, tells = voice.languages
    known = languages(made.known)[0] if made.known else frozenset()
    only_kanji = mine == {"zh"} and "ja" in its  # they tell nothing
    if not told or tells < 2 or mine & its or mine & known or only_kanji:
        return None
    literally = {w for c in voice.clauses for w in c.words}
    others = _others(made)
    return None if others and literally.issuperset(others) else "another language"


def _others(made: Claim) -> list[str]:
    """Give the content that is neither name nor number nor a stand-in for the speaker."""
    names = {n.folded for n in made.bare.names}
    found = [w for w in dict.fromkeys(made.bare.content) if w not in names and w not in STAND_INS and not _is_number(w)]
    heavy = [w for w in found if w not in LIGHT_VERBS]
    return heavy if heavy or names or made.bare.numbers or made.dates else found


def _too_little(made: Claim, voice: Voice, asserted: list[Clause], rightly: list[Clause]) -> str | None:
    others = [w for w in _others(made) if w not in voice.names]
    anchored = bool(made.bare.names or made.bare.numbers) or made.bare.negated
    pool = _Words(voice, asserted if anchored else rightly)
    fresh = _fresh(others, made)
    told = fold("\n".join(c.text for c in asserted))
    said = [w for w in fresh if pool.has(w) or is_synonym(w, told)]
    if not _touches(made, voice, pool, fresh, others):
        return "nothing of it was said"
    asked = (
        Inflections((w for c in clauses(voice.question) for w in c.words), voice.language) if voice.question else None
    )
    answered = [w for w in fresh if w not in said and asked and asked.has(w)]
    score = 2 * (len(said) + len(answered)) - len(fresh)
    least = 1 if made.bare.language == "zh" and fresh else 0  # half the pairs of a Chinese name match by chance
    return "too little of it was said" if score < least else None


def _fresh(others: list[str], made: Claim) -> list[str]:
    """Give the content that the known text does not hold."""
    known = Inflections((w.folded for w in words(made.known)), made.bare.language)
    return [w for w in others if not known.has(w) and not (not w.isascii() and w in made.known)]


def _touches(made: Claim, voice: Voice, pool: "_Words", fresh: list[str], others: list[str]) -> bool:
    """Say whether the voice brings anything of the claim, and of what is new in it, if anything is."""
    known_words = {w.folded for w in words(made.known)}
    names = [n.folded for n in made.bare.names if n.folded not in known_words and n.folded not in voice.names]
    known_numbers = forms(made.known) if made.known else frozenset()
    numbers = [n for n in made.bare.numbers if not n & known_numbers]
    dates = [d for d in made.dates if not any(d.agrees(k) for k in made.known_dates)]
    if names or numbers or dates:
        return True  # each was looked up already
    if fresh:
        return any(pool.has(w) for w in fresh)
    return any(pool.has(w) for w in others) or (not others and bool(made.bare.names))


class _Words:
    """The words of some clauses, runs without blanks included."""

    def __init__(self, voice: Voice, chosen: list[Clause]) -> None:
        self._text = "\n".join(c.text for c in chosen)
        self._pool = voice.pool(chosen)

    def has(self, word: str) -> bool:
        return self._pool.has(word) or (not word.isascii() and word in self._text)


def coverage(text: str, voice: Voice) -> float:
    """Give the share (0–1) of the content of ``text`` that ``voice`` asserted, for what is held already and only said again."""
    whole = take_apart(text)
    rightly = [c for c in voice.clauses if c.asserted and c.negated == whole.negated]
    pool = _Words(voice, rightly)
    content = list(dict.fromkeys(w for w in whole.content if not _is_number(w)))
    return sum(pool.has(w) for w in content) / len(content) if content else 0.0


def contradicts_numbers(text: str, voice: Voice) -> bool:
    """Say whether ``text`` has numbers and ``voice`` names others instead."""
    mine = take_apart(text).numbers
    its = {form for c in voice.clauses if c.asserted for form in c.numbers}
    return bool(mine) and bool(its) and not any(n & its for n in mine)
