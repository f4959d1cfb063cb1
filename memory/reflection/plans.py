"""What is only planned or supposed: "I might sell the boat" is no sale, and "maybe I will move" no move."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import regex

from memory.folding import Word, words
from memory.hygiene.opposites import hedges
from memory.lexicon import IRREGULAR, folded, function_words
from memory.reflection.clauses import Clause
from memory.reflection.evidence import Voice
from memory.reflection.word_classes import PLANNED, SUPPOSED, WILLING
from memory.statements import Inflections, Statement, normalise

_NEAR: Final = 4
"""Within how many words of "want to" or "might" its verb stands, where the verb does not go to the end."""
_AUXILIARIES: Final = folded(
    "has have had was were is been got hat habe ist wurde a est ha e heeft is werd etait fue foi stato stata"
)
_SAME_IN_THE_PAST: Final = frozenset({"quit", "cut", "put", "let", "set", "shut", "split"})
_BEFORE_A_VERB: Final = frozenset({"to", "might", "may", "will", "ll", "could", "would"})
_SKIPPED: Final = folded(
    "i we will ll may might be have also to a an the am m going just even really ich wir werde je nous me yo io eu ik ga zal я мы"
)
_PAST: Final = regex.compile(r"\p{Latin}{2,}(?:ed|i?o|[oei]u|l[ai]?)|\p{Cyrillic}{2,}(?:л|ла|ли|лся|лась)")
_PARTICIPLE: Final = regex.compile(r"\p{Latin}{3,}(?:t|d|en|e|i|u|is|[ts][oaie])")
_INFINITIVE: Final = regex.compile(r"\p{Latin}+(?:e?n|er|ir|re|ar|are|ere|ire|c)|\p{Cyrillic}+(?:ть|ться|ти|чь)")


def is_only_planned(made: Statement, voice: Voice, asserted: Sequence[Clause]) -> bool:
    """Say whether a statement tells as done what people said they want or may do, or leaves out the "maybe" they put before it."""
    tokens = [word.folded for word in made.words]
    if hedges(frozenset(tokens)) or not WILLING.isdisjoint(tokens):
        return False
    told = {word for clause in asserted for word in clause.words}
    done = [word for word in _done(tokens) if word not in told or word in _SAME_IN_THE_PAST]
    return any(_is_planned(word, voice, asserted) for word in done) or any(
        _is_supposed(word, voice.language, asserted) for word in made.content
    )


def _done(tokens: Sequence[str]) -> Iterator[str]:
    """Give the words of a statement that tell something past: in front, behind a subject, or behind "has"."""
    for at, word in enumerate(tokens):
        helped = not _AUXILIARIES.isdisjoint(tokens[:at])
        past = _PAST.fullmatch(word) or _is_irregular_past(word) or (helped and _PARTICIPLE.fullmatch(word))
        if (helped or at <= 1) and past and word not in function_words():
            yield word


def _is_irregular_past(word: str) -> bool:
    return word in _SAME_IN_THE_PAST or (IRREGULAR.get(word, word) != word and not word.endswith(("s", "ing")))


def _is_planned(word: str, voice: Voice, asserted: Iterable[Clause]) -> bool:
    return any(_plans(word, voice, words(clause.text)) for clause in asserted)


def _plans(word: str, voice: Voice, tokens: tuple[Word, ...]) -> bool:
    """Say whether a clause has another form of a past word behind "want to", "might" or the like."""
    for at in _wanted(tokens, voice.languages[0]):
        verb = tokens[at].folded
        if verb != word and Inflections({verb}, voice.language).has(word.removeprefix("ge")):
            return True
        if verb == word in _SAME_IN_THE_PAST and tokens[at - 1].folded in _BEFORE_A_VERB:
            return True
    return False


def _wanted(tokens: tuple[Word, ...], languages: frozenset[str]) -> Iterator[int]:
    """Give where the verb of a plan may stand: close behind in English, any infinitive behind elsewhere."""
    text = " ".join(word.folded for word in tokens)
    for language in PLANNED.keys() & languages or PLANNED.keys():
        for found in PLANNED[language].finditer(text):
            behind = range(len(text[: found.end()].split()), len(tokens))
            if language == "en":
                yield from behind[:_NEAR]
            else:
                yield from (at for at in behind if _INFINITIVE.fullmatch(tokens[at].folded))


def _is_supposed(word: str, language: str | None, asserted: Sequence[Clause]) -> bool:
    """Say whether all clauses that have a word put "maybe" right before it."""
    if not any(SUPPOSED.search(normalise(clause.text)) for clause in asserted):
        return False
    holding = [clause for clause in asserted if word in clause.words or Inflections(clause.words, language).has(word)]
    return bool(holding) and all(_supposes(word, language, words(clause.text)) for clause in holding)


def _supposes(word: str, language: str | None, tokens: tuple[Word, ...]) -> bool:
    text = " ".join(token.folded for token in tokens)
    for found in SUPPOSED.finditer(text):
        behind = tokens[len(text[: found.end()].split()) :]
        verb = next((token for token in behind if token.folded not in _SKIPPED), None)
        if verb is not None and verb.raw[:1].islower() and Inflections({verb.folded}, language).has(word):
            return True
    return False
