"""Reflection by rules: what the offline model proposes to remember, in the form that any model answers in.

It reads the brief and not the prompt rendered from it. The words stay the person's own, so what it proposes is what
the evidence says; validation judges it like any other model's proposal.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import regex

from bot.offline_reading import MOST_STATEMENTS, Part, Wish, read
from memory.domain import GLOBAL, Conversation, Kind, Memory, Message, Origin, Role, Trust
from memory.folding import fold
from memory.lexicon import folded
from memory.reflection.operations import Brief, BriefMessage, OpName, Outcome, Proposed, Reason, Reply, Shown
from memory.reflection.requests import REQUEST_WORDS
from memory.reflection.validation import validate
from memory.sameness import same_statement
from memory.secrets import find_secrets
from memory.statements import Inflections, content_words, language_of

EXPLICIT, LESSON, PLAIN = 8, 7, 5
"""Importance of what was asked to be remembered, of what shall not happen again, and of what was only said."""

_VALUE = regex.compile(
    r"(?:(?:my|our|the|mein\w*|unser\w*|mon|ma|mes|notre|nos|mis?|nuestr[oa]s?|(?:il|la|i|le) (?:mi[oa]|miei|mie|nostr\w)|"
    r"(?:o|a|os|as) (?:meus?|minhas?|noss[oa]s?)|meus?|minhas?|mijn|onze?|moj[ae]?|mój|nasz\w*|мо[йяеёи]|наш\w*|min|mitt|mina|mit|mine)\s+)?"
    r"(?P<what>[^,.;:—–]{2,60}?)\s*"
    r"(?:\b(?:is now|are now|is called|are called|has become|has changed to|is|are|was|ist jetzt|ist|sind|heisst|heißt|lautet|"
    r"est|sont|s['’]appelle|es|son|se llama|está|è|e['’]|sono|si chiama|é|são|chama-se|zijn|heet|to|nazywa się|är|er|heter|hedder)\b|"
    r"(?<=\w)['’]s(?: name is| called)?\b| [—–-] )\s*(?P<value>.+)",
    regex.IGNORECASE | regex.DOTALL,
)
_SEAMLESS_VALUE = regex.compile(
    r"(?:我们?的?|私の|僕の|俺の|わたしの)?(?P<what>\p{L}{1,10}?)(?:现在是|改成|换成|是|叫|は)(?P<value>.+)",
    regex.DOTALL,
)
_HOME = regex.compile(
    r"(?:i|we) (?:now |currently |have |'ve )*(?:live|moved|moved house)\b.*?\b(?:in|to)\b(?P<value>.+)|ich (?:wohne|lebe)\b.*?\bin\b(?P<value>.+)|"
    r"(?:j['’]habite|je vis) (?P<value>.+)|(?:ahora )?vivo en (?P<value>.+)|(?:ora )?(?:vivo|abito) (?:a|in) (?P<value>.+)|"
    r"(?:eu )?(?:agora )?moro em (?P<value>.+)|ik woon (?:nu )?in (?P<value>.+)|(?:teraz )?mieszkam w (?P<value>.+)|"
    r"(?:я )?(?:теперь )?живу в (?P<value>.+)|我(?:现在)?住在(?P<value>.+)",
    regex.IGNORECASE | regex.DOTALL,
)
_ARTICLE = regex.compile(
    r"(?:an?|the|ein\w*|de[rmns]|die|das|une?|l[eao]s?|uma?|het|een|very|not|nicht|pas|no|non|não|nie|не)\b",
    regex.IGNORECASE,
)
_OPEN_REQUESTS = folded(
    "it that this everything all me us alles es das mich tout ca moi todo eso tutto tudo isso dat wszystko "
    "все это меня 全部 一切 全て 모두"
) | {"all of it", "about it", "about that", "what i said", "everything about me", "what i told you"}


@dataclass(frozen=True, slots=True)
class Matter:
    """What a statement gives a value to: "my dentist is Dr Alvarez" gives one to the dentist."""

    key: frozenset[str]
    value: str

    def is_changed_by(self, other: "Matter") -> bool:
        """Say whether ``other`` is another value of the same sort for the same thing, and not one more thing said of it."""
        return self.key == other.key and _sort(self.value) == _sort(other.value)


def matter_of(text: str) -> Matter | None:
    """Read "my X is Y" in the languages the tables above know."""
    home = _HOME.match(text)
    if home:
        value = next(filter(None, home.capturesdict()["value"]), "")
        return Matter(frozenset({"home"}), value)
    found = _VALUE.match(text) or _SEAMLESS_VALUE.match(text)
    if found is None or not found["value"].strip():
        return None
    key = frozenset(content_words(found["what"]))
    return Matter(key, found["value"].strip()) if key else None


def _sort(value: str) -> str:
    if regex.search(r"\p{N}", value):
        return "number"
    return "description" if _ARTICLE.match(value.strip()) else "name"


@dataclass(slots=True)
class _Proposal:
    """The operations so far; a later statement of the same brief replaces an earlier one about the same matter."""

    brief: Brief
    operations: list[dict[str, Any]] = field(default_factory=list)
    _matters: dict[int, Matter] = field(default_factory=dict)
    _touched: set[str] = field(default_factory=set)

    def keep(self, part: Part, heard: BriefMessage) -> None:
        """Add a statement, or change or confirm the memory that it is about."""
        explicit = part.wish is Wish.REMEMBER
        operation: dict[str, Any] = {
            "text": part.text,
            "importance": EXPLICIT if explicit else LESSON if part.cue else PLAIN,
            "evidence": [heard.n],
        }
        if not self.brief.private:
            operation["subject"] = heard.message.speaker
        known = list(self._about(heard.message))
        same = next((shown for shown in known if same_statement(shown.memory.text, part.text)), None)
        if same is not None:
            self._put({"op": OpName.REINFORCE, "id": same.alias, "evidence": [heard.n]}, same)
            return
        if part.cue:
            self.operations.append({"op": OpName.ADD} | operation | {"kind": Kind.LESSON, "triggers": [part.cue]})
            return
        matter = matter_of(part.text)
        former = next((shown for shown in known if matter and _changes(matter, shown.memory)), None)
        if former is not None:
            self._put({"op": OpName.UPDATE, "id": former.alias} | operation, former)
            return
        self._replace_earlier(matter)
        if matter:
            self._matters[len(self.operations)] = matter
        self.operations.append({"op": OpName.ADD} | operation)

    def drop(self, part: Part, heard: BriefMessage) -> None:
        """Propose to set aside the memories that a request to forget means."""
        for shown in meant(part.text, self._about(heard.message)):
            self._put({"op": OpName.DELETE, "id": shown.alias, "evidence": [heard.n]}, shown)

    def _put(self, operation: dict[str, Any], shown: Shown) -> None:
        if shown.alias not in self._touched:
            self._touched.add(shown.alias)
            self.operations.append(operation)

    def _about(self, message: Message) -> Iterator[Shown]:
        """Give the memories that this person may change from here."""
        for shown in self.brief.memories:
            memory = shown.memory
            own = self.brief.private or memory.speaker_id in {None, message.speaker_id}
            here = memory.scope == self.brief.scope or (self.brief.private and memory.scope == GLOBAL)
            if own and here:
                yield shown

    def _replace_earlier(self, matter: Matter | None) -> None:
        for at, earlier in list(self._matters.items()):
            if matter and earlier.is_changed_by(matter):
                self.operations[at] = {"op": OpName.NOOP}
                del self._matters[at]


def propose(brief: Brief) -> str:
    """Give the reply of a model that follows rules: JSON with operations, and the aliases that the answer quoted."""
    proposal = _Proposal(brief)
    for heard in brief.messages:
        if heard.is_new and heard.message.role is Role.USER and heard.message.origin.is_own:
            _take(proposal, heard)
    operations = [operation for operation in proposal.operations if operation["op"] is not OpName.NOOP]
    reply = {"operations": operations[:MOST_STATEMENTS] or [{"op": OpName.NOOP}], "used": list(_used(brief))}
    return json.dumps(reply, ensure_ascii=False)


def refusals(question_text: str, speaker: str) -> dict[str, Reason]:
    """Give the parts of a message that validation would not let through if they were proposed, with the reason.

    Lets an answer promise only what will be kept. Time plays no part in it, so any instant serves.
    """
    message = Message(
        1, Conversation(0), Role.USER, speaker, None, Origin.OWN, question_text, datetime(2000, 1, 1, tzinfo=UTC)
    )
    heard = BriefMessage(1, message, Trust.MEMBER)
    brief = Brief(Conversation(0).scope, True, speaker, "UTC", message.sent_at, (heard,), ())
    parts = [part.text for part in read(question_text, speaker) if part.keeps]
    entries = tuple(Proposed(OpName.ADD, text=text, importance=PLAIN, evidence=(1,)) for text in parts)
    verdicts = validate(brief, Reply(entries)).verdicts
    refused = {Outcome.REJECT, Outcome.QUARANTINE}
    return {text: verdict.reason for text, verdict in zip(parts, verdicts, strict=True) if verdict.outcome in refused}


def _take(proposal: _Proposal, heard: BriefMessage) -> None:
    for part in read(heard.message.text, heard.message.speaker):
        if part.keeps and not find_secrets(part.text):
            proposal.keep(part, heard)
        elif part.wish is Wish.FORGET:
            proposal.drop(part, heard)


def _changes(matter: Matter, memory: Memory) -> bool:
    former = matter_of(memory.text)
    return former is not None and former.is_changed_by(matter)


def meant(about: str, shown: Iterable[Shown]) -> tuple[Shown, ...]:
    """Give the memories that hold every telling word of ``about``; none where it names nothing."""
    wanted = [word for word in content_words(about) if word not in REQUEST_WORDS]  # "what I said about olives"
    if not wanted or names_nothing(about):
        return ()
    return tuple(one for one in shown if _holds_all(one.memory.text, wanted))


def names_nothing(about: str) -> bool:
    """Say whether a request to forget leaves open what: too little to take anything away by rule."""
    return fold(about.strip()) in _OPEN_REQUESTS


def quote(text: str) -> str:
    """Give a memory as the offline answer quotes it, and as reflection finds it again there."""
    return f"“{text}”"


def _holds_all(text: str, wanted: Iterable[str]) -> bool:
    language = language_of(text)
    held = Inflections(content_words(text), language)
    return all(held.has(word, language) for word in wanted)


def _used(brief: Brief) -> Iterator[str]:
    """Give the aliases of memories that an answer of this brief quotes word for word."""
    answers = [heard.message.text for heard in brief.messages if heard.is_new and heard.message.role is Role.ASSISTANT]
    return (shown.alias for shown in brief.memories if any(quote(shown.memory.text) in answer for answer in answers))
