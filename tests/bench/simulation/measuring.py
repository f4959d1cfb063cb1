"""What the store makes of it all, looked at without touching it."""

from collections import Counter
from dataclasses import asdict, dataclass
from itertools import combinations

from memory import store
from memory.domain import Layer, Memory, Status
from memory.hygiene import clusters
from memory.recall.values import Recall
from memory.reflection.operations import OpName, Outcome
from memory.statements import normalise
from memory.unit_of_work import UnitOfWork
from tests.bench.simulation.diary import Fact, Sort
from tests.bench.simulation.world import AGENT, GROUP, HERE, World

WEIGHTY = 7
TOP = 10
SAMPLE = 3
"""A week's measure asks for every third important fact, the last one for all."""


@dataclass(frozen=True, slots=True)
class Week:
    """The figures at the end of a week. Shares are 0-1; those of facts are None while there are none."""

    day: int
    active: int
    archived: int
    buffer: int
    working: int
    core: int
    important_found: float | None
    current_first: float | None
    stale_alone: int
    junk_settled: float
    junk_injected: float
    near_duplicates: float
    phantoms_active: int
    procedures_lost: int
    resurrected: int
    resurrected_wrongly: int
    lost_by_merging: int
    echoes_counted: int
    holiday_archived: int
    second_pass: int

    def as_json(self) -> dict[str, object]:
        """Give it as plain JSON."""
        return asdict(self)


def measure(world: World, day: int, *, everything: bool = False) -> Week:
    """Measure the present state; recall is asked on a snapshot, so that nothing is used or resurrected by it."""
    with world.database.read() as uow:
        held = [
            m for where in (HERE, GROUP) for m in store.visible(uow, AGENT, where.scope, tuple(Status), limit=10**6)
        ]
        active = [memory for memory in held if memory.status is Status.ACTIVE]
        layers = Counter(memory.layer for memory in active)
        settled = [memory for memory in active if memory.layer is not Layer.BUFFER]
        found = _asked(world, uow, everything=everything)
        return Week(
            day=day,
            active=len(active),
            archived=sum(memory.status is Status.ARCHIVED for memory in held),
            buffer=layers[Layer.BUFFER],
            working=layers[Layer.WORKING],
            core=layers[Layer.CORE],
            important_found=found[0],
            current_first=found[1],
            stale_alone=found[2],
            junk_settled=_share(sum(map(world.truth.is_junk, settled)), len(settled)),
            junk_injected=_share(world.counts["injected_junk"], world.counts["injected"]),
            near_duplicates=_share(_duplicates(world, uow), len(active)),
            phantoms_active=sum(_is_phantom(world, memory) for memory in active),
            procedures_lost=_lost(world, held),
            resurrected=world.counts["resurrected"],
            resurrected_wrongly=world.counts["resurrected_wrongly"],
            lost_by_merging=_lost_by_merging(world, held),
            echoes_counted=world.counts[f"{Sort.ECHO}: {OpName.REINFORCE} {Outcome.REINFORCE}"],
            holiday_archived=world.counts["holiday_archived"],
            second_pass=world.counts["second_pass"],
        )


def _asked(world: World, uow: UnitOfWork, *, everything: bool) -> tuple[float | None, float | None, int]:
    """Ask for the facts that matter and for those that changed: found in the top ten, current value first, stale without it."""
    facts = [fact for fact in world.diary.facts if fact.importance >= WEIGHTY]
    changed = [fact for fact in world.diary.facts if len(fact.values) > 1]
    if not everything:
        facts = facts[::SAMPLE]
    asked = {id(fact): fact for fact in (*facts, *changed)}
    standings = {key: _standing(world, fact, _ask(world, uow, fact)) for key, fact in asked.items()}
    met, states = [standings[id(fact)] for fact in facts], [standings[id(fact)] for fact in changed]
    return (
        _share(sum(found for found, _, _ in met), len(met)) if met else None,
        _share(sum(first for _, first, _ in states), len(states)) if states else None,
        sum(alone for _, _, alone in standings.values()),
    )


def _ask(world: World, uow: UnitOfWork, fact: Fact) -> Recall:
    return world.ask(uow, GROUP if fact.group else HERE, fact.question, limit=TOP)


def _standing(world: World, fact: Fact, found: Recall) -> tuple[bool, bool, bool]:
    """Say whether the present state came up, whether before any former one, and whether a former one came alone."""
    told = [
        state
        for one in found.chosen
        if (known := world.truth.fact(one.memory)) and known[0] is fact
        for state in (known[1],)
    ]
    present = len(fact.values) - 1
    return present in told, bool(told) and told[0] == present, bool(told) and present not in told


def _duplicates(world: World, uow: UnitOfWork) -> int:
    """Count active near pairs that tell the same state of the same fact."""
    pairs = 0
    for group in clusters.groups(uow, world.engine):
        rows = store.visible(uow, AGENT, group.scope, limit=10**6)
        same = Counter(_key(world, memory) for memory in rows if (memory.subject or "").casefold() == group.subject)
        pairs += sum(len(list(combinations(range(n), 2))) for key, n in same.items() if key is not None)
    return pairs


def _key(world: World, memory: Memory) -> object:
    told = world.truth.fact(memory)
    return None if told is None else (id(told[0]), told[1])


def _is_phantom(world: World, memory: Memory) -> bool:
    sort = world.truth.sorts.get(normalise(memory.text))
    return world.truth.fact(memory) is None and sort in {Sort.INVENTION, Sort.HEARSAY, Sort.ECHO}


def _lost(world: World, held: list[Memory]) -> int:
    alive = {id(told[0]) for m in held if m.status is Status.ACTIVE and (told := world.truth.fact(m)) is not None}
    return sum(id(procedure) not in alive for procedure in world.diary.procedures)


def _lost_by_merging(world: World, held: list[Memory]) -> int:
    """Count the facts that stand behind something else, and that nothing active or archived tells any more."""
    told = [(memory, id(known[0])) for memory in held if (known := world.truth.fact(memory)) is not None]
    alive = {fact for memory, fact in told if memory.status in {Status.ACTIVE, Status.ARCHIVED}}
    behind = {fact for memory, fact in told if memory.superseded_by is not None}
    return len(behind - alive)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
