"""A store with a bit of everything, strewn by chance: ages around every retention, states of every kind, and some damage."""

from datetime import datetime, timedelta
from random import Random

from sqlalchemy import update

from bot.storage import inbox, outbox, recalls, reflections
from bot.storage.reflections import Job
from memory import lived, maintenance, transcript
from memory.domain import Conversation, Kind, Layer, Memory, Origin, Role, Status
from memory.recall.values import Recall
from memory.tables import memories
from memory.unit_of_work import UnitOfWork
from tests.bot.assistant import BOT_ID, NOW, OWNER
from tests.bot.upkeep.prepared import SCOPE
from tests.fakes import HashingEmbedder
from tests.memory.samples import AGENT, keep

TALK = Conversation(OWNER)
THINGS = ("skis", "jars", "maps", "lamps", "ropes", "seeds", "paints", "tiles", "candles", "letters")
EMBEDDER = HashingEmbedder()


def strew(uow: UnitOfWork, rng: Random) -> None:
    """Fill a new file; what happened lies 0 to 60 days before ``NOW``."""
    for day in range(90):
        lived.mark(uow, AGENT, SCOPE, (NOW - timedelta(days=day)).date())
    kept = [_memory(uow, rng, n) for n in range(rng.randint(15, 45))]
    for n in range(rng.randint(0, 2)):
        _copies(uow, rng, f"Twice {THINGS[n]} stood there")
    _vectors(uow, rng, kept)
    for n in range(rng.randint(0, 40)):
        turn(uow, rng, n)


def ago(rng: Random) -> timedelta:
    """Give an age."""
    return timedelta(days=rng.uniform(0, 60))


def _memory(uow: UnitOfWork, rng: Random, n: int) -> Memory:
    lesson = rng.random() < 0.2
    return keep(
        uow,
        f"Box {n} holds {rng.choice(THINGS)} number {rng.randint(100, 999)}",
        SCOPE,
        now=NOW - ago(rng),
        subject=None,
        importance=rng.randint(1, 9),
        kind=Kind.LESSON if lesson else Kind.SEMANTIC,
        layer=rng.choice(list(Layer)),
        status=rng.choices([Status.ACTIVE, Status.ARCHIVED, Status.QUARANTINED], [8, 1, 1])[0],
        expires_at=NOW + timedelta(days=rng.uniform(-9, 9)) if rng.random() < 0.2 else None,
        triggers=tuple(rng.sample(THINGS, 2)) if lesson else (),
    )


def _copies(uow: UnitOfWork, rng: Random, text: str) -> None:
    """Store the same two to four times, lessons or not."""
    lesson = rng.random() < 0.5
    for _ in range(rng.randint(2, 4)):
        cues = tuple(rng.sample(THINGS, 2)) if lesson else ()
        kind = Kind.LESSON if lesson else Kind.SEMANTIC
        keep(uow, text, SCOPE, now=NOW - ago(rng), subject=None, kind=kind, triggers=cues, importance=rng.randint(1, 9))


def _vectors(uow: UnitOfWork, rng: Random, kept: list[Memory]) -> None:
    """Give some a vector, and damage some of these; for some stores the words are analysed up to somewhere."""

    class Engine:
        agent, digest, index = AGENT, EMBEDDER.digest, None

    lucky = [memory for memory in kept if rng.random() < 0.6]
    maintenance.store_vectors(uow, Engine(), [((m, m.text), EMBEDDER.embed_query(m.text)) for m in lucky])
    for memory in lucky:
        if rng.random() < 0.1:
            uow.connection.execute(update(memories).where(memories.c.id == memory.id).values(embedding=b"\0" * 12))
    for _ in range(rng.choice([0, 1, 99])):
        maintenance.reanalyse(uow, Engine(), limit=10)


def said(uow: UnitOfWork, text: str, key: str, at: datetime) -> None:
    """Store what a person said."""
    transcript.add(
        uow, agent=AGENT, turn_key=key, conversation=TALK, role=Role.USER, speaker="Nadia", speaker_id=OWNER,
        origin=Origin.OWN, text=text, sent_at=at,
    )  # fmt: skip


def turn(uow: UnitOfWork, rng: Random, n: int) -> None:
    """Store what a turn leaves behind, each part as old as chance has it and in some state."""
    key, text = f"turn {n}", rng.choice(["Good morning", "Where are the skis", "The jars are full"])
    said(uow, text, key, NOW - ago(rng))
    recalls.save(uow, key, TALK, Recall(), NOW - ago(rng))
    _inbox_row(uow, rng, n)
    _outbox_row(uow, rng, n, key)
    reflections.enqueue(uow, key, Conversation(OWNER, n), n, NOW - timedelta(days=60))
    _settle_reflection(uow, rng, Job(Conversation(OWNER, n), n, (key,), 0))


def _inbox_row(uow: UnitOfWork, rng: Random, n: int) -> None:
    raw = {"update_id": 100 + n}
    (row,) = inbox.accept(uow, BOT_ID, [raw], lambda _: (OWNER, 0), NOW)
    match rng.choice(["new", "done", "parked"]):
        case "done":
            inbox.finish(uow, row.id, NOW - ago(rng) / 10)
        case "parked":
            inbox.park(uow, row.id, "KeyError", NOW - ago(rng) / 5)


def _outbox_row(uow: UnitOfWork, rng: Random, n: int, key: str) -> None:
    outbox.add(uow, BOT_ID, key, OWNER + n, 0, [("Yes.", ())], None, NOW - ago(rng) / 5)
    (row,) = (row for row in outbox.next_due(uow, BOT_ID, NOW) if row.turn_key == key)
    match rng.choice(["pending", "sent", "failed"]):
        case "sent":
            outbox.mark_sent(uow, row.id, 1, NOW)
        case "failed":
            outbox.mark_failed(uow, row.id, "gone")


def _settle_reflection(uow: UnitOfWork, rng: Random, job: Job) -> None:
    match rng.choice(["pending", "done", "failed", "given up"]):
        case "done":
            reflections.done(uow, job, job.up_to, NOW - ago(rng))
        case "failed":
            reflections.failed(uow, job, "down", NOW - ago(rng) / 20)
        case "given up":
            for _ in range(reflections.GIVE_UP_AFTER - 1):
                reflections.retry(uow, job, NOW, "down")
            reflections.failed(uow, job, "down", NOW - ago(rng))
