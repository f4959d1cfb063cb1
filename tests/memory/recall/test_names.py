import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import Scope
from memory.recall.names import names_in_question, subjects, without_names
from tests.memory.recall.stores import AGENT, HERE, StoreMaker


@pytest.mark.parametrize(
    ("query", "known", "left"),
    [
        ("What does Anna eat?", ["Anna"], "What does eat?"),
        ("what is anna's shoe size", ["Anna"], "what is shoe size"),
        ("When is Jörg Müller's birthday?", ["Joerg Mueller", "Jörg Müller"], "When is birthday?"),
        ("Что любит Анна?", ["Анна"], "Что любит ?"),
        ("小明的生日是什么时候", ["小明"], "的生日是什么时候"),
        ("Did Will call May?", ["Will", "May"], "Did call ?"),
        ("will it rain in may?", ["Will", "May"], ""),
        ("Will it rain?", ["Will"], ""),
        ("When is the car inspected?", ["the car"], ""),
        ("Anna?", ["Anna"], ""),
        ("Where does Annabel live?", ["Anna"], ""),
        ("where is it", [], ""),
    ],
)
def test_a_question_loses_the_names_it_holds_and_nothing_else(query: str, known: list[str], left: str) -> None:
    """Ordinary words are no names, parts of words neither; without names, or with nothing else, there is nothing to ask."""
    assert without_names(query, known) == left


@given(st.text(max_size=80), st.lists(st.text(max_size=12), max_size=4))
def test_no_text_raises_and_nothing_is_added(query: str, known: list[str]) -> None:
    """Whatever people are called."""
    assert len(without_names(query, known)) <= len(query)


def test_subjects_are_those_of_what_is_visible(make_store: StoreMaker) -> None:
    """Names known elsewhere are words here."""
    store = make_store(
        {"text": "a", "subject": "Anna"},
        {"text": "b", "subject": "Anna"},
        {"text": "c", "subject": None},
        {"text": "d", "subject": "Bob", "scope": "global"},
        {"text": "e", "subject": "Carla", "scope": "chat:2"},
        {"text": "f", "subject": "Dora", "agent_slug": "other"},
    )
    with store.database.read() as uow:
        assert set(subjects(uow.connection, AGENT, HERE)) == {"Anna", "Bob"}
        assert subjects(uow.connection, AGENT, Scope("chat:404")) == ("Bob",)
        asked = names_in_question(uow.connection, AGENT, HERE, "Do Anna, Bob and Carla sing?")
        assert asked == "Do , and Carla sing?"
        assert names_in_question(uow.connection, AGENT, HERE, "Anna sings " * 1_000) == ""
