"""The values of reflection: what was shown to the model, what it proposed, what became of it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memory.domain import Kind, Memory, Message, Scope, Trust


class OpName(StrEnum):
    """What a model may propose."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    DELETE = "DELETE"
    REINFORCE = "REINFORCE"
    NOOP = "NOOP"


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory under the alias that the model sees; ``revision`` is inside ``memory``.

    ``recalled`` tells the memories that stood in the prompt of the turn from those that were only fetched as neighbours.
    """

    alias: str
    memory: Memory
    recalled: bool = True


@dataclass(frozen=True, slots=True)
class BriefMessage:
    """A message under the number that the model sees."""

    n: int
    message: Message
    trust: Trust
    is_new: bool = True  # not yet reflected on; older ones are context


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything the model is asked about, and everything its answer is judged by."""

    scope: Scope
    private: bool  # the owner's private chat
    owner_name: str | None
    timezone: str  # IANA; relative dates are resolved in it
    now: datetime  # aware UTC
    messages: tuple[BriefMessage, ...]
    memories: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """One operation as the model wrote it, types checked, nothing else."""

    op: OpName
    id: str | None = None
    text: str | None = None
    importance: object = None  # as written: number, word or nothing
    kind: str | None = None
    subject: str | None = None
    scope: str | None = None
    evidence: tuple[int, ...] | None = None  # None: the model named none
    expires_at: str | None = None
    triggers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()  # names of tools a lesson stands before
    verbatim: bool = False  # a person's own wish, word for word: nothing that could be unsupported


@dataclass(frozen=True, slots=True)
class Malformed:
    """An entry of the list that is no operation."""

    op: str | None  # as far as one could be read
    problem: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A readable reply."""

    entries: tuple[Proposed | Malformed, ...]
    used: tuple[str, ...] = ()  # aliases the reply relied on


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply without a readable list of operations; ``problem`` is shown to the model once."""

    problem: str


class Outcome(StrEnum):
    """What becomes of an operation."""

    ACCEPT = "accept"
    REJECT = "reject"
    QUARANTINE = "quarantine"
    REINFORCE = "reinforce"


class Reason(StrEnum):
    """Why, the first that fits."""

    MALFORMED = "malformed"
    TOO_MANY = "too_many"
    UNKNOWN_ID = "unknown_id"
    OUT_OF_SCOPE = "out_of_scope"
    STALE = "stale"
    TOO_LONG = "too_long"
    SECRET = "secret"  # noqa: S105 - a reason, not a secret
    INSTRUCTION = "instruction"
    ECHO = "echo"
    NO_HUMAN_EVIDENCE = "no_human_evidence"
    DUPLICATE = "duplicate"
    UNSUPPORTED = "unsupported"
    BAD_IMPORTANCE = "bad_importance"
    OK = "ok"
    TOMBSTONE = "tombstone"


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A statement ready to be stored; everything is resolved."""

    scope: Scope
    text: str
    kind: Kind
    importance: int
    subject: str | None
    speaker: str | None
    speaker_id: int | None
    trust: Trust
    expires_at: datetime | None = None
    triggers: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    explicit: bool = False  # the person asked to remember it: starts in working
    sources: tuple[tuple[int, int, int], ...] = ()  # (message id, start, end) in code points
    rated: int | None = None  # the importance as rated, before the inflation guard


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on one entry. ``target`` is the memory it acts on; ``new`` what is to be stored.

    For ADD (accepted or quarantined) and UPDATE ``new`` is set; for UPDATE, DELETE, REINFORCE and duplicates ``target``.
    ``within`` is the index of the earlier entry that this one repeats, where that is the duplicate; ``successor`` that of the
    addition that takes the place of what a DELETE ends.
    """

    op: str | None
    outcome: Outcome
    reason: Reason
    detail: str = ""  # a few words for the journal; never holds a secret
    target: Memory | None = None
    new: NewMemory | None = None
    within: int | None = None
    successor: int | None = None
    actor_id: int | None = None  # the person whose words these are


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdicts in the order of the entries, and the memories the answer really used."""

    verdicts: tuple[Verdict, ...]
    used: tuple[Memory, ...] = field(default=())
