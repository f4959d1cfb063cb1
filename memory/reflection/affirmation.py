"""What somebody said by a plain "yes": the assistant's question, turned into that person's own words.

Only in a private chat, only a message that holds nothing but the yes, and only a question about "you" or "your" that says one
thing. A question that leaves a choice, lists, denies, asks for more than yes or no, or offers to do something is affirmed by no
yes. With others in the room nobody can tell who was asked.
"""

from collections.abc import Sequence
from typing import Final

import regex

from memory.domain import Role
from memory.folding import words
from memory.lexicon import folded
from memory.reflection.operations import BriefMessage
from memory.statements import is_negated

_YES: Final = folded(
    "yes yeah yep yup correct right exactly true indeed definitely absolutely precisely ja jawohl genau richtig stimmt korrekt oui si "
    "exact exactement tout juste exacto correcto claro cierto esatto giusto certo vero sim exato isso certo klopt precies juist jo jada "
    "precis stammer rigtigt riktig kylla joo tak dokladnie zgadza ano presne да верно точно ага так evet dogru da igen ναι ακριβωσ نعم "
    "اجل כן נכון हाँ हां जी ya benar betul vang dung 是 是的 对 對 对的 對的 没错 沒錯 嗯 はい ええ うん そう そうです その通りです 네 예 응 맞아 맞아요 맞습니다"
)
_POLITE: Final = folded(
    "please thanks thank you it is i do am that s bitte danke das ist so merci c est ca s il te vous plait gracias por favor grazie per favore "
    "obrigado obrigada e dank je dat tack takk tak dzieki prosze dziekuje dekuji prosim спасибо пожалуиста это tesekkurler lutfen "
    "multumesc koszonom ευχαριστω شكرا תודה धन्यवाद terima kasih 谢谢 謝謝 ありがとう ありがとうございます お願いします 감사합니다 고마워 고마워요"
)
_OPEN: Final = folded(
    "or what which who whom whose where when why how oder was welche welcher welches welchen wer wen wem wo wohin woher wann warum wie ou quoi "
    "quel quelle quels quelles qui quand pourquoi comment combien quien quienes cual cuales donde cuando por que cuanto chi cosa quale quali "
    "dove quando perche quanto oppure quem qual quais onde porque of wie welke wanneer waarom hoe eller vad vem vilken nar varfor hur hvad "
    "hvem hvor hvorfor czy lub albo vagy sau η atau او ام או या want wants ever pretend lie false wrong kto co gdzie kiedy jak nebo kdo kde kdy или либо кто что где когда почему сколько або veya ne nerede"
) - folded("que of")
_OPEN_WITHOUT_BLANKS: Final = regex.compile(
    r"还是|還是|什么|什麼|哪|谁|誰|怎|几|多少|それとも|または|何|どこ|いつ|だれ|どう|か.+か|이나|아니면|뭐|무엇|어디|언제|누구|왜"
)
_YOU: Final = folded(
    "you yourself du dich dir tu te toi vous usted ti lei voce jij jou dig deg ty ciebie tobie tebe ты тебя тебе тобои вы вас вам "
    "sen seni sana tine εσυ εσενα أنت انت אתה את तुम आप kamu anda ban"
)
_YOUR: Final = folded(
    "your yours dein deine deinen deinem deiner ton ta tes votre vos tus tuo tua tuoi tue teu tua jouw din ditt dina twoj twoja twoje "
    "tvuj tvoje твои твоя твое твоего твоеи ваш ваша ваше senin"
)
_YOU_WITHOUT_BLANKS: Final = {"你": "我", "您": "我", "あなた": "私", "당신": "나"}
_ASSISTANT: Final = folded(
    "i me my ich mir mich mein meine je j moi mon ma yo mi io mio eu meu ik mij jag mig jeg meg я мне меня мои ja mnie ben bana"
)
_ASSISTANT_WITHOUT_BLANKS: Final = ("我", "私", "僕", "제가", "내가")
_KEEPING: Final = regex.compile(
    r"\b(?:remember|note|save|keep in mind|write down|memori[sz]e|merken|notieren|speichern|behalten|retienne|retenir|noter|recuerde|recordar|"
    r"anote|anotar|apunte|ricordi|ricordare|annoti|lembre|lembrar|onthoud|onthouden|zapamietal\w*|zapamietac|запомнил\w*|запомнить)\b,?\s+"
    r"(?:(?:down|this)[:,]?\s+)?(?:that|dass|daß|que|che|dat|że|ze|что)\s",
    regex.IGNORECASE,
)
_BEGINNING: Final = 3
"""Words among which "you" stands in a question about you: "So do you live in Graz?"."""
_LISTS: Final = regex.compile(r"[,;/、،]|\bvs\b", regex.IGNORECASE)
_TAG: Final = regex.compile(r",\s*(?:right|correct|ja|stimmt|richtig|oui|vero|giusto|da|так|да)\s*$", regex.IGNORECASE)
_DOUBTS: Final = regex.compile(r"/|(?![👍👌✅🙂😊🙏])\p{So}")
_SENTENCES: Final = regex.compile(r"(?<=[.!?。！？؟…\n])\s*")
_ASKS: Final = regex.compile(r"(?:吗\s*[?？]?|[?？؟]|か。)[。]?\s*$")
_QUOTES: Final = regex.compile(r"[\"“”„«»「」『』]")


def affirmed(before: Sequence[BriefMessage], answer: BriefMessage, *, private: bool) -> str:
    """Give the question right before ``answer`` as words of who answers; nothing where it is no plain yes to it."""
    asked = before[-1].message if before else None
    if not private or asked is None or asked.role is not Role.ASSISTANT or not _is_yes(answer.message.text):
        return ""
    reply = answer.message.reply_text
    question = "" if reply and reply.strip() not in asked.text else _last_question(asked.text)
    return _as_said(question) if question else ""


def _is_yes(text: str) -> bool:
    said = [word.folded for word in words(text)]
    plain = _YES.union(_POLITE).issuperset(said) and not _DOUBTS.search(text)
    begins = said[:1] and (said[0] in _YES or text.strip().casefold().startswith("that's right"))
    return bool(begins) and plain and said != ["yeah", "right"] and not _ASKS.search(text)


def _last_question(text: str) -> str:
    """Give the last sentence where it can be answered by yes alone: without its mark, and without "shall I remember that"."""
    sentence = next((part for part in reversed(_SENTENCES.split(text)) if words(part)), "")
    if not _ASKS.search(sentence) or _QUOTES.search(sentence) or _OPEN_WITHOUT_BLANKS.search(sentence):
        return ""
    kept = _KEEPING.search(sentence)
    rest = _TAG.sub("", _ASKS.sub("", sentence[kept.end() :] if kept else sentence))
    said = {word.folded for word in words(rest)}
    offered = said & _ASSISTANT or any(sign in rest for sign in _ASSISTANT_WITHOUT_BLANKS)
    open_or_two = said & _OPEN or _LISTS.search(rest) or not _is_of_you(rest)
    return "" if offered or open_or_two or is_negated(sentence) else rest.strip()


def _is_of_you(question: str) -> bool:
    """Say whether it speaks of who is asked, from the beginning and once: "is it false that you…" does not, "Does Tom…" neither."""
    said = [word.folded for word in words(question)]
    yours = [at for at, word in enumerate(said) if word in _YOU | _YOUR]
    signs = sum(question.count(sign) for sign in _YOU_WITHOUT_BLANKS)
    return (len(yours) == 1 and yours[0] < _BEGINNING and not signs) or (not yours and signs == 1)


def _as_said(question: str) -> str:
    """Give the question with "you" and "your" as "I" and "my"."""
    parts, at = [], 0
    for word in words(question):
        said = "I" if word.folded in _YOU else "my" if word.folded in _YOUR else word.raw
        parts += [question[at : word.start], said]
        at = word.end
    turned = "".join(parts) + question[at:]
    for you, i in _YOU_WITHOUT_BLANKS.items():
        turned = turned.replace(you, i)
    return turned
