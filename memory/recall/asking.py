"""Whether a message asks for something. What is only told brings up less: nobody wanted to hear of it."""

from functools import lru_cache

import regex

from memory.calendar_names import tells_of_the_past
from memory.cues import FIRST_PERSON
from memory.domain import Layer, Memory
from memory.folding import words
from memory.lexicon import FINITE_VERBS, folded
from memory.lifecycle.decay import LASTING

_MARKS = regex.compile(
    r"[?？؟;]\s*(?:$|\s)|[？?]|吗|嗎|呢[。！]?\s*$|か[。！]?\s*$|까[.요!]?\s*$|나요|什么|什麼|谁|誰|哪|几|幾|多少|怎么|怎麼|为何|何|いつ|どこ|なぜ|どう|だれ|뭐|무엇|누구|언제|어디|왜|어떻게|몇|อะไร|ใคร|เมื่อไ|ที่ไหน|ทำไม|อย่างไร"
)
_SENTENCE = regex.compile(r"[.!?…。！？\n]+")
_FIRST_WORDS = 3
"""A question word stands at the beginning, behind a preposition or a greeting at most."""
_QUESTION_WORDS = folded(
    "what whats who whos whom whose when where wheres why how which name "
    "wer wen wem wessen wann wo wohin woher warum wieso weshalb wie wieviel welche welcher welches welchen welchem "
    "qui que quoi quel quelle quels quelles quand ou pourquoi comment combien "
    "quien quienes cual cuales cuando donde como cuanto cuantos cuanta cuantas "
    "che chi quale quali dove perche come quanto quanti quem qual quais onde porque "
    "wat wanneer waar waarom hoe welk welke "
    "vad vem nar var varfor hur vilken vilket hvad hva hvem hvornar hvor hvorfor hvordan hvilken "
    "mika kuka milloin missa miksi miten "
    "co kto kiedy gdzie dlaczego jak ktory ktora ile kdo kdy kde proc kolik "
    "ki mi mikor hol miert hogyan ne kim nerede neden nasil hangi kac cine ce cand unde cum cat "
    "apa siapa kapan dimana mana kenapa bagaimana berapa "
    "что кто когда где почему зачем как какои какая какое какие сколько чеи кого кому "
    "що хто коли де чому якии яка скільки τι ποιοσ ποια ποτε που γιατι πωσ "
    "ما من متى اين أين لماذا كيف كم هل מה מי מתי איפה למה איך האם क्या कौन कब कहाँ क्यों कैसे"
)
"""Words that ask within the first words of a sentence."""
_OPENING_WORDS = folded(
    "is are do does did can could will would should have has was were am "
    "tell remind show list give find explain summarise summarize recall "
    "ist sind hat haben hast habe kann kannst konntest weisst erinnere zeig zeige nenn nenne sag sage erzahl erzahle "
    "est dis rappelle montre donne dime recuerdame muestra cuenta dimmi ricordami mostra diz lembra vertel "
    "напомни скажи покажи"
)
"""Words that ask only where a sentence begins with them: "is Ana here", and not "Ana is here"."""
_PHRASE_WORDS = 8
_STATED = (".", "!", "。", "！", "।", "…")


def asks(query: str) -> bool:
    """Say whether a message asks, in any of some thirty languages: by its marks, by a word that asks, or as a bare phrase."""
    return asks_outright(query) or _is_bare(query)


@lru_cache(maxsize=256)
def asks_outright(query: str) -> bool:
    """Say whether a message is plainly a question or a request: a bare phrase may be a greeting as well."""
    if _MARKS.search(query[:2_000]) is not None:
        return True
    for sentence in _SENTENCE.split(query[:2_000]):
        first = [word.folded for word in words(sentence)[:_FIRST_WORDS]]
        if not _QUESTION_WORDS.isdisjoint(first) or not _OPENING_WORDS.isdisjoint(first[:1]):
            return True
    return False


def _is_bare(query: str) -> bool:
    """Say whether a message is a few words without a verb: "the locksmith in Porto" asks for what is known of it."""
    if query.rstrip().endswith(_STATED) or len(query.split()) > _PHRASE_WORDS:
        return False
    said = {word.folded for word in words(query)}
    return not (said & FINITE_VERBS or said & FIRST_PERSON or tells_of_the_past(query))


def is_unsettled(memory: Memory) -> bool:
    """Say whether a memory has not proved itself: passing talk, as far as anybody knows yet.

    Whatever it was rated: what matters settles within a day, and until then the conversation still holds it. Such a one
    answers who asks for it, and is not volunteered.
    """
    return memory.layer is Layer.BUFFER and memory.mentions == 0 and memory.kind not in LASTING
