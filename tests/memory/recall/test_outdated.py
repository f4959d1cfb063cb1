"""What leans on a replaced statement is marked as possibly outdated, and nothing else is."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import journal, store
from memory.domain import Kind, Memory, MemoryId, Status
from memory.recall import recall
from memory.recall.outdated import confirmed_since, names_what_is_gone, overtaken
from memory.unit_of_work import UnitOfWork
from tests.memory.samples import AGENT, CAUSE, ELSEWHERE, HERE, NOW, keep

DAY = timedelta(days=1)
LATER = NOW + 10 * DAY


def become(uow: UnitOfWork, memory: Memory, text: str) -> store.Written:
    return store.change(uow, memory, now=LATER, cause=CAUSE, text=text, valid_from=LATER)


def moved(uow: UnitOfWork, **fields: Any) -> Memory:
    return become(uow, keep(uow, "Anna lives in Milan", **fields), "Anna lives in Berlin").memory


def because(uow: UnitOfWork, *memories: Memory) -> dict[MemoryId, str]:
    return {memory_id: by.text for memory_id, by in overtaken(uow.connection, AGENT, memories).items()}


def test_what_names_the_former_place_is_marked_with_what_changed(uow: UnitOfWork) -> None:
    metro = keep(uow, "Anna commutes by Milan metro")
    berlin = moved(uow)
    (by,) = overtaken(uow.connection, AGENT, [metro, berlin]).values()
    assert (by.id, by.text, by.since) == (berlin.id, "Anna lives in Berlin", LATER)


@pytest.mark.parametrize(
    "fields",
    [{"text": "Anna likes tea"}, {"subject": "Pavel"}, {"scope": ELSEWHERE}, {"now": LATER + DAY}, {"now": LATER},
     {"kind": Kind.EPISODIC}, {"text": "Anna used to row in Milan"}, {"text": "Anna likes the Berlin metro"}],
)  # fmt: skip
def test_what_does_not_lean_on_it_is_not(uow: UnitOfWork, fields: dict[str, Any]) -> None:
    """Another subject or chat, stated since, an event of the past, or nothing of it named."""
    fields = {"text": "Anna commutes by Milan metro"} | fields
    memory = keep(uow, fields.pop("text"), **fields)
    moved(uow)
    assert because(uow, memory) == {}


def test_a_coming_matter_can_be_outdated(uow: UnitOfWork) -> None:
    visit = keep(uow, "Anna sees the dentist in Milan", kind=Kind.EPISODIC, expires_at=LATER + 9 * DAY)
    moved(uow)
    assert visit.id in because(uow, visit)


def test_what_a_person_said_again_since_stands_by_itself(uow: UnitOfWork) -> None:
    """Having been used in an answer is no such thing."""
    metro = keep(uow, "Anna commutes by Milan metro")
    moved(uow)
    used = store.use(uow, metro, now=LATER + DAY, cause=CAUSE)
    assert used is not None
    assert metro.id in because(uow, used.memory)
    said = store.change(uow, used.memory, now=LATER + DAY, cause=CAUSE, mentioned=True, accessed_at=LATER + DAY).memory
    assert because(uow, said) == {}


@pytest.mark.parametrize(
    ("day", "accessed", "confirmed"),
    [(None, 9, False), (-1, 9, False), (0, -1, False), (0, 1, True), (1, -1, True)],
)
def test_on_the_day_itself_the_last_access_tells(
    uow: UnitOfWork, day: int | None, accessed: int, confirmed: bool
) -> None:
    memory = keep(uow, "x", now=LATER + timedelta(minutes=accessed))
    on: date | None = None if day is None else (LATER + day * DAY).date()
    assert confirmed_since(memory, on, LATER) is confirmed


def test_a_mere_rewording_or_merge_marks_nothing(uow: UnitOfWork) -> None:
    """All facts are kept."""
    metro = keep(uow, "Anna commutes by Milan metro")
    row = keep(uow, "Anna lives in Milan")
    finer = become(uow, row, "Anna lives in Milan near the canal").memory
    assert because(uow, metro) == {}
    merged = keep(uow, "Anna lives near the canal in Milan", now=LATER)
    store.change(uow, finer, now=LATER, cause=CAUSE, status=Status.SUPERSEDED, superseded_by=merged.id)
    assert because(uow, metro) == {}


def test_a_replaced_row_marks_as_a_replaced_text_does(uow: UnitOfWork) -> None:
    """What stands at the end of the chain is the reason."""
    metro = keep(uow, "Anna commutes by Milan metro")
    milan, rome = keep(uow, "Anna lives in Milan"), keep(uow, "Anna lives in Rome", now=LATER)
    store.change(uow, milan, now=LATER, cause=CAUSE, status=Status.SUPERSEDED, superseded_by=rome.id, valid_to=LATER)
    store.change(uow, rome, now=LATER + DAY, cause=CAUSE, text="Anna lives in Berlin")
    assert because(uow, metro) == {metro.id: "Anna lives in Berlin"}


def test_who_came_back_makes_it_current_again(uow: UnitOfWork) -> None:
    metro = keep(uow, "Anna commutes by Milan metro")
    store.change(uow, moved(uow), now=LATER + DAY, cause=CAUSE, text="Anna lives in Milan")
    assert because(uow, metro) == {}


def test_who_came_back_by_rows_does_so_too(uow: UnitOfWork) -> None:
    """What counts is what stands at the end, not the next in the chain."""
    metro = keep(uow, "Anna commutes by Milan metro")
    milan, rome, again = (
        keep(uow, "Anna lives in Milan"),
        keep(uow, "Anna lives in Rome"),
        keep(uow, "Anna lives in Milan"),
    )
    for old, new in ((milan, rome), (rome, again)):
        store.change(uow, old, now=LATER, cause=CAUSE, status=Status.SUPERSEDED, superseded_by=new.id, valid_to=LATER)
    assert because(uow, metro) == {}


def test_without_anything_standing_in_its_place_nothing_is_said(uow: UnitOfWork) -> None:
    """Deleted, or its successor kept aside."""
    metro = keep(uow, "Anna commutes by Milan metro")
    berlin = moved(uow)
    for status in (Status.SUPERSEDED, Status.QUARANTINED):
        berlin = store.change(uow, berlin, now=LATER, cause=CAUSE, status=status).memory
        assert because(uow, metro) == {}


def test_what_rests_on_the_same_words_is_marked_without_a_name(uow: UnitOfWork) -> None:
    """The span decides: the other end of the message is another matter."""
    nurse = keep(uow, "Anna works as a nurse", sources=((3, 0, 40),))
    nights, cat = keep(uow, "Anna works nights", sources=((3, 20, 60),)), keep(uow, "Has a cat", sources=((3, 40, 60),))
    become(uow, nurse, "Anna works as a teacher")
    assert because(uow, nights, cat) == {nights.id: "Anna works as a teacher"}


def test_an_undo_takes_the_mark_away(uow: UnitOfWork) -> None:
    metro = keep(uow, "Anna commutes by Milan metro")
    written = become(uow, keep(uow, "Anna lives in Milan"), "Anna lives in Berlin")
    assert because(uow, metro)
    journal.undo(uow, written.operation_id, now=LATER, by=7)
    assert because(uow, metro) == {}


def test_recall_carries_the_mark_and_its_reason(uow: UnitOfWork) -> None:
    metro = keep(uow, "Anna commutes by Milan metro")
    berlin = moved(uow)
    for text in ("The boat needs paint", "Tea is in the drawer", "Choir is on Tuesdays"):
        keep(uow, text)
    found = recall(
        uow.connection,
        None,
        "how does Anna commute, by metro?",
        None,
        agent=AGENT,
        scope=HERE,
        now=LATER,
        count_tokens=len,
    ).chosen
    (one,) = [one for one in found if one.memory.id == metro.id]
    assert one.overtaken is not None
    assert (one.overtaken.id, one.parts.overtaken_by) == (berlin.id, berlin.id)
    assert "possibly outdated" in one.parts.explain()
    assert all(other.overtaken is None for other in found if other.memory.id != metro.id)


@pytest.mark.parametrize(
    ("text", "old", "now", "leans"),
    [
        ("Pays 800 by standing order", "Rent is 800 euros", "Rent is 950 euros", True),
        ("Pays 950 by standing order", "Rent is 800 euros", "Rent is 950 euros", False),
        ("Has 2 bikes", "Has 2 cats", "Has 3 cats", False),
        ("The 2 cats eat fish", "Has 2 cats", "Has 3 cats", True),
        ("Ring the doctor at 0171 5557788", "Mum's number is 01715557788", "Mum's number is 0171 9998877", True),
        ("Pendelt mit der Mailänder Metro, fährt nach Mailand", "Wohnt in Mailand", "Wohnt in Berlin", True),
        ("Ездит на метро по Милану", "Живёт в Милане", "Живёт в Берлине", True),
        ("坐米兰地铁上班", "住在米兰", "住在柏林", True),
        ("在柏林上班", "住在米兰", "住在柏林", False),
        ("ミラノの地下鉄で通う", "ミラノに住んでいる", "ベルリンに住んでいる", True),
        ("밀라노 지하철로 출근한다", "밀라노에 산다", "베를린에 산다", True),
        ("Likes living rooms", "Lives in Milan", "Lives in Berlin", False),
        ("", "Lives in Milan", "Lives in Berlin", False),
    ],
)
def test_names_and_numbers_of_any_script_tell(text: str, old: str, now: str, leans: bool) -> None:
    """In any inflection; a small number only with company."""
    assert names_what_is_gone(text, old, now) is leans


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_no_text_raises_and_what_stands_still_is_never_gone(text: str, old: str, now: str) -> None:
    names_what_is_gone(text, old, now)
    assert not names_what_is_gone(text, old, old)
