"""What an accepted proposal becomes: everything filled in."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory.domain import Kind
from memory.reflection.operations import NewMemory
from tests.memory.reflection.samples import brief, judge, memory, said


def drafted(words: str, text: str, *, zone: str = "Europe/Berlin", **fields: Any) -> NewMemory:
    new = judge(brief(said(words), zone=zone), {"op": "ADD", "text": text, **fields}).verdicts[0].new
    assert new is not None
    return new


def test_the_memory_keeps_the_date_and_not_the_word() -> None:
    """And ends with its day, local time."""
    new = drafted("The dentist is on Thursday", "Dentist on Thursday")
    assert new.text == "Dentist on Thursday 3 Dec 2026"
    assert (new.kind, new.expires_at) == (Kind.EPISODIC, datetime(2026, 12, 3, 22, 59, 59, tzinfo=UTC))
    assert drafted("明天看牙医", "明天看牙医").text == "2026年11月30日看牙医"
    assert drafted("Der Zahnarzt ist morgen um 9", "Zahnarzt morgen um 9").text == "Zahnarzt 2026-11-30 um 9"


def test_a_date_counts_from_its_message_and_not_from_now() -> None:
    """Reflection may come late."""
    earlier = said("Dentist tomorrow", at=datetime(2026, 11, 20, 9, 0, tzinfo=UTC))
    new = judge(brief(earlier), {"op": "ADD", "text": "Dentist tomorrow"}).verdicts[0].new
    assert new is not None
    assert new.text == "Dentist on Saturday 21 Nov 2026"
    assert new.expires_at is None


@pytest.mark.parametrize(
    ("words", "text", "fields", "expires"),
    [
        (
            "My passport runs out on 3 March 2027",
            "Passport runs out on 3 March 2027",
            {"kind": "semantic", "expires_at": "2027-03-03"},
            "2027-03-03",
        ),
        ("My passport runs out on 3 March 2027", "Passport runs out on 3 March 2027", {"kind": "semantic"}, None),
        ("My dentist is Dr Alvarez", "Dentist is Dr Alvarez", {"expires_at": "2026-12-31"}, None),
        ("I work on Saturdays", "Works on Saturdays", {"kind": "episodic"}, None),
        ("I moved in on Friday", "Moved in on Friday", {"kind": "episodic"}, None),
        ("From Monday I work at Acme", "Works at Acme from Monday", {}, None),
        ("The trip starts on Friday", "Trip starts on Friday", {"expires_at": "2026-12-08"}, "2026-12-08"),
        ("The trip starts on Friday", "Trip starts on Friday", {"expires_at": "2031-12-08"}, "2026-12-04"),
        ("The trip starts on Friday", "Trip starts on Friday", {"expires_at": "soon"}, "2026-12-04"),
        ("The trip starts on Friday", "Trip starts on Friday", {"expires_at": "2020-01-01"}, "2026-12-04"),
        ("My birthday is on 3 December", "Birthday is on 3 December", {}, None),
    ],
)
def test_only_a_coming_dated_matter_ends(words: str, text: str, fields: dict[str, Any], expires: str | None) -> None:
    """A model's date counts where what was said bears it out."""
    end = drafted(words, text, **fields).expires_at
    assert (end and f"{end:%Y-%m-%d}") == expires


@pytest.mark.parametrize(
    ("words", "explicit"),
    [
        ("Remember that I sing in the choir", True),
        ("Please remember: I sing in the choir", True),
        ("I sing in the choir. Don't forget it!", True),
        ("I sing in the choir, remember that", True),
        ("I sing in the choir", False),
        ("Do you remember that I sing in the choir?", False),
        ("I remember that I sing in the choir", False),
    ],
)
def test_asking_to_remember_is_noticed(words: str, explicit: bool) -> None:
    """Telling of a memory is not asking for one."""
    verdict = judge(brief(said(words)), {"op": "ADD", "text": "Sings in the choir"}).verdicts[0]
    assert verdict.new is None if "?" in words else verdict.new is not None and verdict.new.explicit is explicit


@pytest.mark.parametrize("words", ["Merk dir, dass ich Vegetarier bin", "Vergiss nicht, dass ich Vegetarier bin"])
def test_asking_to_remember_is_noticed_in_german(words: str) -> None:
    """Forgetting negated included."""
    assert drafted(words, "Ist Vegetarier").explicit


@pytest.mark.parametrize("words", ["Запомни, что я не ем мясо", "Не забудь, что я не ем мясо"])
def test_asking_to_remember_is_noticed_in_russian(words: str) -> None:
    """And its "not" is no denial of the rest."""
    assert drafted(words, "Не ест мясо").explicit


def test_sources_name_the_message_and_the_span_that_says_it() -> None:
    """In code points."""
    words = "Good morning 🙂! I keep two beehives. Bye."
    ((message, start, end),) = drafted(words, "Keeps two beehives").sources
    assert message == 1001
    assert words[start:end].strip() == "I keep two beehives."


def test_kind_subject_triggers_and_tools_are_cleaned() -> None:
    """Synonyms are mapped, subjects must be named, triggers were said, tell something and hold no secret."""
    new = drafted(
        "My sister Odile sings",
        "Sister Odile sings",
        kind="fact",
        subject="Odile",
        triggers=["sister singing", "choir", "PIN is 4711", "my"],
        tools=["sing_along", "reminders"],
    )
    assert (new.kind, new.subject, new.triggers, new.tools) == (
        Kind.SEMANTIC,
        "Odile",
        ("sister singing",),
        ("sing_along",),
    )
    assert drafted("I sing", "Sings", subject="user").subject == "Mirela"
    assert drafted("I sing", "Sings", subject="hobbies").subject == "Mirela"
    assert drafted("I sing", "Sings", kind="nonsense").kind is Kind.SEMANTIC


def test_an_update_keeps_what_it_does_not_change() -> None:
    """Kind, subject, scope and importance of the memory it corrects."""
    held = memory("The office is on floor 3", kind=Kind.PROCEDURAL, importance=8, subject="Acme")
    asked = brief(said("The office is on floor 8 now"), memories=(held,))
    new = judge(asked, {"op": "UPDATE", "id": "m1", "text": "The office is on floor 8"}).verdicts[0].new
    assert new is not None
    assert (new.kind, new.importance, new.subject, new.scope) == (Kind.PROCEDURAL, 8, "Acme", held.scope)


def test_a_text_that_its_dates_would_make_too_long_keeps_its_words() -> None:
    """Six hundred characters are the limit, whatever is written out."""
    words = "Dentist on Thursday " + "and the quay needs repair " * 22
    assert drafted(words, words.strip()[:598]).text.startswith("Dentist on Thursday and")
