"""The built-in model that is none: fixed rules, no network, the same answer every time.

It reads what a prompt was rendered from (`ModelRequest.material`) and never the prose. It says what it is, keeps what
it is told, quotes what it knows, and otherwise says what it cannot do.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from bot.model import Known, ModelReply, ModelRequest, Question
from bot.offline_reading import MOST_STATEMENTS, Part, Wish, read
from bot.offline_reflection import names_nothing, propose, quote, refusals
from bot.tokens import estimate_tokens
from memory.analysis import tokens
from memory.policy import CONTENT_WEIGHT
from memory.reflection.operations import Brief, Reason

NAME = "offline"

INTRODUCTION = (
    "I am Tidemark's built-in offline model: a set of fixed rules, not a language model. "
    "I remember what you ask me to (“Remember that …”) and plain statements about yourself, and I answer questions by "
    "quoting what you told me. I cannot chat, reason, translate or look anything up. "
    "For a real language model, set TIDEMARK_MODEL and restart me: for example TIDEMARK_MODEL=openai/gpt-4o-mini with "
    "OPENAI_API_KEY, or TIDEMARK_MODEL=ollama_chat/llama3.1 with TIDEMARK_MODEL_API_BASE=http://127.0.0.1:11434."
)
CANNOT = (
    "I cannot do that: I am the built-in offline model and only remember statements and quote them. "
    "Try “Remember that …”, or ask about something you told me. TIDEMARK_MODEL sets a real language model."
)
NOT_TOLD = "You have not told me anything about that, as far as I can see. “Remember that …” makes me keep something."
UNSURE = "Nothing I was told clearly answers that. Closest comes this:"
NO_SECRETS = "I do not keep passwords, keys, PINs or card numbers, so I will not remember that part."
NOT_CLEAR = "I cannot keep all of that: please say the rest again as a plain statement of its own."
NOT_YOURS = "Those are somebody else's words, so I do not take them for yours. Tell me in your own words what I should remember."
NOTHING_TO_FORGET = "I know nothing that fits that, so there is nothing to forget. /memories lists what I know."
FORGET_ALL = "/memories lists what I know, and /forget removes one of them for good."
HELLO = "Hello. Tell me something to remember, or ask about something you told me."

_READY = "The offline model is ready."
_NO_RELATION = '{"relation": "distinct"}'  # two notes stand side by side: rules cannot tell more
_MOST_QUOTES = 5


class OfflineModel:
    """A `ModelClient` without a model behind it; what it costs is nothing."""

    @property
    def name(self) -> str:
        """Always "offline"."""
        return NAME

    def count_tokens(self, text: str) -> int:
        """Estimate like the other clients, so that budgets mean the same."""
        return estimate_tokens(text)

    async def complete(self, request: ModelRequest, on_text: Callable[[str], None] | None = None) -> ModelReply:
        """Answer by rules; never raises."""
        text = respond(request)
        if on_text is not None:
            on_text(text)
        return ModelReply(text, NAME, prompt_tokens=0, completion_tokens=0, cost_micro_usd=0)


def respond(request: ModelRequest) -> str:
    """Give the answer to a request: by its material, or a sign of life where there is none."""
    match request.material:
        case Question() as question:
            return answer(question)
        case Brief() as brief:
            return propose(brief)
        case None:
            return _NO_RELATION if request.json_reply else _READY


def answer(question: Question) -> str:
    """Give the answer to a message, paragraph by paragraph."""
    paragraphs = [INTRODUCTION] if question.first_answer else []
    paragraphs += dict.fromkeys([NOT_YOURS] if question.passed_on else _paragraphs(question))
    return "\n\n".join(paragraphs or [CANNOT])


def _paragraphs(question: Question) -> Iterator[str]:
    parts = read(question.text, question.speaker)
    kept = [part for part in parts if part.keeps]
    refused = refusals(question.text, question.speaker) if kept else {}
    yield from _noted([part for part in kept if part.text not in refused])
    if refused:
        yield NO_SECRETS if Reason.SECRET in refused.values() else NOT_CLEAR
    for part in parts:
        match part.wish:
            case Wish.QUESTION:
                yield from _quoted(part.text, question)
            case Wish.FORGET:
                yield _forgetting(part.text, question)
            case Wish.GREETING if not question.first_answer:
                yield HELLO
            case Wish.OTHER if not kept and not question.first_answer:
                yield CANNOT
    if not parts and not question.first_answer:
        yield CANNOT


def _noted(kept: Sequence[Part]) -> Iterator[str]:
    if not kept:
        return
    quotes = [quote(part.text) for part in kept[:MOST_STATEMENTS]]
    if len(quotes) == 1:
        yield f"Noted. I will remember: {quotes[0]}"
    else:
        yield "Noted. I will remember:\n" + "\n".join(f"- {quote}" for quote in quotes)


def _quoted(text: str, question: Question) -> Iterator[str]:
    fitting, sure = _fitting(text, question.known)
    if not fitting:
        yield NOT_TOLD
    elif sure:
        yield "\n".join(_told(one, question.speaker) for one in fitting)
    else:
        yield f"{UNSURE} {_told(fitting[0], question.speaker)}"


def _fitting(text: str, known: Sequence[Known]) -> tuple[list[Known], bool]:
    """Give the notes that share most with a question, best first, and whether they share anything."""
    asked = _telling(text)
    if not asked:  # "What do you know about me?"
        return list(known[:_MOST_QUOTES]), bool(known)
    shared = [(sum(not forms.isdisjoint(_all_forms(one.text)) for forms in asked), one) for one in known]
    most = max((count for count, _ in shared), default=0)
    return [one for count, one in shared if count == most][:_MOST_QUOTES], most > 0


def _telling(text: str) -> list[frozenset[str]]:
    """Give the forms of each word of a question that says something about a subject."""
    return [frozenset((*t.exact, *t.loose)) for t in tokens(text) if t.weight >= CONTENT_WEIGHT and not t.extra]


def _all_forms(text: str) -> frozenset[str]:
    return frozenset(form for token in tokens(text) for form in (*token.exact, *token.loose))


def _told(one: Known, speaker: str) -> str:
    if one.said_by is None:
        return f"I noted on {one.said_on}: {quote(one.text)}"
    who = "You" if one.said_by == speaker else one.said_by
    return f"{who} told me on {one.said_on}: {quote(one.text)}"


def _forgetting(about: str, question: Question) -> str:
    wanted = _telling(about)
    if not wanted or names_nothing(about):
        return FORGET_ALL
    found = [one for one in question.known if _covers(one.text, wanted)]
    if not found:
        return NOTHING_TO_FORGET
    quotes = ", ".join(quote(one.text) for one in found)
    return f"I will no longer use what I noted: {quotes}. /forget would remove it for good."


def _covers(text: str, wanted: Iterable[frozenset[str]]) -> bool:
    held = _all_forms(text)
    return all(not forms.isdisjoint(held) for forms in wanted)
