"""Where did I live before: the chain behind what stands, whatever made it."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from memory import store
from memory.domain import Memory, Status
from memory.recall import recall
from memory.recall.past import keeps, untold
from memory.recall.values import Former, Recalled
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CAUSE, ELSEWHERE, HERE, NOW, keep

DAY = timedelta(days=1)
OTHERS = ("The boat needs paint", "Tea is in the left drawer", "Prefers window seats", "Choir is on Tuesdays")


def ask(uow: UnitOfWork, query: str, now: datetime = NOW + 99 * DAY) -> tuple[Recalled, ...]:
    return recall(
        uow.connection, None, query, None, agent=AGENT, scope=HERE, now=now, limit=5, count_tokens=lambda t: len(t) // 4
    ).chosen


def become(uow: UnitOfWork, memory: Memory, text: str, day: int) -> Memory:
    """Update a memory as reflection does."""
    at = NOW + day * DAY
    return store.change(uow, memory, now=at, cause=CAUSE, text=text, valid_from=at).memory


def gone_into(uow: UnitOfWork, memory: Memory, into: Memory, day: int | None) -> None:
    """Supersede a memory; with ``day`` as replaced on it, without as merely merged."""
    end = None if day is None else NOW + day * DAY
    fields: dict[str, Any] = {"status": Status.SUPERSEDED, "superseded_by": into.id, "valid_to": end}
    store.change(uow, memory, now=NOW + (day or 50) * DAY, cause=CAUSE, **fields)


def around(uow: UnitOfWork) -> None:
    for text in OTHERS:
        keep(uow, text)


LANGUAGES = [
    ("Anna lives in {}", "Where did Anna live before?"),
    ("Anna wohnt in {}", "Wo wohnte Anna früher?"),
    ("Anna habite à {}", "Où habitait Anna avant ?"),
    ("Anna vive en {}", "¿Dónde vivía Anna antes?"),
    ("Anna abita a {}", "Dove abitava Anna prima?"),
    ("Anna mieszka w {}", "Gdzie wcześniej mieszkała Anna?"),
    ("Анна живёт в {}", "Где раньше жила Анна?"),
    ("Annaは{}に住んでいる", "Annaは以前どこに住んでいましたか"),
    ("Anna住在{}", "Anna以前住在哪里"),
]


@pytest.mark.parametrize(("form", "query"), LANGUAGES)
def test_three_moves_in_a_row_are_told_with_their_days(uow: UnitOfWork, form: str, query: str) -> None:
    """Ghent, Milan, Berlin: by updates of one row."""
    around(uow)
    row = keep(uow, form.format("Ghent"))
    row = become(uow, become(uow, row, form.format("Milan"), 10), form.format("Berlin"), 20)
    (first, *_) = ask(uow, query)
    assert first.memory.text == form.format("Berlin")
    assert first.former == (
        Former(form.format("Ghent"), NOW, NOW + 10 * DAY),
        Former(form.format("Milan"), NOW + 10 * DAY, NOW + 20 * DAY),
    )


@pytest.mark.parametrize(("form", "query"), LANGUAGES)
def test_a_chain_of_rows_and_versions_is_one_chain(uow: UnitOfWork, form: str, query: str) -> None:
    """A deletion with a successor, an update of that, and a merge that named it as replaced."""
    around(uow)
    ghent, milan = keep(uow, form.format("Ghent")), keep(uow, form.format("Milan"), now=NOW + 10 * DAY)
    gone_into(uow, ghent, milan, 10)
    rome = become(uow, milan, form.format("Rome"), 20)
    berlin = keep(uow, form.format("Berlin"), now=NOW + 30 * DAY)
    gone_into(uow, rome, berlin, 30)
    (first, *_) = ask(uow, query)
    assert first.memory.id == berlin.id
    assert [one.text for one in first.former] == [form.format(city) for city in ("Ghent", "Milan", "Rome")]
    assert [one.valid_to for one in first.former] == [NOW + n * DAY for n in (10, 20, 30)]


def test_what_was_merged_and_not_replaced_is_no_former_statement(uow: UnitOfWork) -> None:
    """Its facts stand in the result; what it had replaced itself is still told."""
    around(uow)
    one = become(uow, keep(uow, "Anna lives in Milan"), "Anna lives in Berlin", 10)
    merged = keep(uow, "Anna lives in Berlin, in Kreuzberg", now=NOW + 20 * DAY)
    gone_into(uow, one, merged, None)
    (first, *_) = ask(uow, "Where did Anna live before?")
    assert [former.text for former in first.former] == ["Anna lives in Milan"]


def test_a_statement_made_more_precise_was_true_from_its_first_day() -> None:
    """And the wording in between is not told as another fact."""
    first = Former("Anna lives in Milan", NOW, NOW + DAY)
    finer = Former("Anna lives in Milan near the canal", NOW + DAY, NOW + 2 * DAY)
    assert untold([first, finer], "Anna lives in Berlin") == (Former(finer.text, NOW, NOW + 2 * DAY),)
    assert untold([first], "Anna lives in Milan near the canal") == ()
    assert untold([], "Anna lives in Berlin") == ()


def test_who_came_back_is_told_where_they_were_meanwhile(uow: UnitOfWork) -> None:
    around(uow)
    row = become(uow, become(uow, keep(uow, "Anna lives in Milan"), "Anna lives in Rome", 1), "Anna lives in Milan", 2)
    (first, *_) = ask(uow, "Where did Anna live before?")
    assert first.memory.id == row.id
    assert [former.text for former in first.former] == ["Anna lives in Rome"]


@pytest.mark.parametrize(
    ("later", "earlier", "kept"),
    [("Anna lives in Berlin near the zoo", "Anna lives in Berlin", True), ("Anna lives in Rome", "Anna lives in Berlin", False),
     ("Anna works on 3 days", "Anna works on 4 days", False), ("Anna no longer smokes", "Anna smokes", False),
     ("Anna works as a teacher", "Anna works as a nurse", False), ("安娜住在柏林", "安娜住在米兰", False)],
)  # fmt: skip
def test_a_later_statement_keeps_all_or_not(later: str, earlier: str, kept: bool) -> None:
    """Numbers, names, negations, content."""
    assert keeps(later, earlier) is kept


def test_another_chats_past_stays_there(uow: UnitOfWork) -> None:
    """Even where a row points into this one."""
    around(uow)
    berlin = keep(uow, "Anna lives in Berlin")
    gone_into(uow, keep(uow, "Anna lives in Milan", scope=ELSEWHERE), berlin, 1)
    assert ask(uow, "Where did Anna live before?")[0].former == ()


def test_a_replaced_statement_brings_its_successor_from_the_archive(uow: UnitOfWork) -> None:
    """It sleeps, and still it is what stands."""
    around(uow)
    berlin = keep(uow, "Anna lives in Berlin", status=Status.ARCHIVED)
    gone_into(uow, keep(uow, "Anna rents a room in Milan near the canal"), berlin, 1)
    assert [(one.memory.id, one.revived) for one in ask(uow, "the room in Milan near the canal")] == [(berlin.id, True)]
