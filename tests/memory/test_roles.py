"""Who does it and to whom decides whether two statements are the same, in many languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.hygiene.loss import lost
from memory.roles import turned
from memory.sameness import same_statement
from memory.statements import take_apart

TURNED = [
    ("Owes Bob 20", "Bob owes me 20"), ("Owes Bob money", "Bob owes money"), ("User owes Bob 20", "Bob owes me 20"),
    ("Anna taught Ben", "Ben taught Anna"), ("Anna was taught by Ben", "Anna taught Ben"), ("anna taught tom", "tom taught anna"),
    ("Works for Anna", "Anna works for me"), ("The dog bit the cat", "The cat bit the dog"), ("Is the boss of Ben", "Ben is the boss"),
    ("Owes the bank money", "The bank owes money"), ("Beat Max at chess", "Max beat me at chess"), ("Loves Anna", "Anna loves"),
    ("Anna is Ben's boss", "Ben is Anna's boss"), ("Anna's dog bit Ben's cat", "Anna's cat bit Ben's dog"),
    ("Anna hit Ben and Carl hit Dora", "Anna hit Carl and Ben hit Dora"), ("Anna has a cat and Ben a dog", "Anna has a dog and Ben a cat"),
    ("Anna lives in Graz and works in Wien", "Anna works in Graz and lives in Wien"),
    ("Mag hilft Tom", "Tom hilft Mag"), ("Der Hund beißt die Katze", "Die Katze beißt den Hund"), ("Schuldet Bob Geld", "Bob schuldet Geld"),
    ("Bob schulde ich 20", "Bob schuldet mir 20"), ("Ben hat Anna geholfen", "Anna hat Ben geholfen"),
    ("Marie aide Paul", "Paul aide Marie"), ("Doit 20 euros à Paul", "Paul me doit 20 euros"), ("Debe dinero a Pedro", "Pedro debe dinero"),
    ("Pedro ayuda a Juan", "Juan ayuda a Pedro"), ("Aiuta Marco", "Marco aiuta"), ("Анна учит Бена", "Бен учит Анну"),
    ("小王是小李的老板", "小李是小王的老板"), ("健が美咲を教えた", "美咲が健を教えた"), ("健が美咲を教えた", "健を美咲が教えた"),
    ("민수가 지민을 도왔다", "지민이 민수를 도왔다"), ("민수가 지민을 도왔다", "민수를 지민이 도왔다"), ("أحمد علم سارة", "سارة علم أحمد"),
]  # fmt: skip
SOUND = [
    ("Anna lives in Graz", "In Graz lives Anna"), ("Ben and Anna are siblings", "Anna and Ben are siblings"),
    ("Anna, Ben and Carl are friends", "Carl, Anna and Ben are friends"), ("Knows Anna and Ben", "Knows Ben and Anna"),
    ("Favourite colour is blue", "Blue is her favourite colour"), ("Sister Ana lives in Graz", "Ana, the sister, lives in Graz"),
    ("Dentist is Dr Alvarez", "Dr Alvarez is the dentist"), ("Dog is called Rex", "Rex is the dog"), ("Owes Bob 20", "I owe Bob 20"),
    ("Plays tennis on Tuesdays with Tom", "On Tuesdays plays tennis with Tom"), ("Lives in Berlin with Tom", "Lives with Tom in Berlin"),
    ("Brother Tom lives in Berlin", "Tom is her brother and lives in Berlin"), ("Works at Siemens in Graz", "In Graz works at Siemens"),
    ("Anna is the boss of Ben", "The boss of Ben is Anna"), ("Anna's phone is 123", "The phone of Anna is 123"),
    ("Ben und Anna sind Geschwister", "Anna und Ben sind Geschwister"), ("Dienstags trainiert Anna", "Anna trainiert dienstags"),
    ("Gestern hat Anna angerufen", "Anna hat gestern angerufen"), ("Mutter heißt Eva", "Eva heißt die Mutter"),
    ("Das Auto steht in der Garage", "In der Garage steht das Auto"), ("Connaît Anne et Luc", "Connaît Luc et Anne"),
    ("Ana y Pedro son hermanos", "Pedro y Ana son hermanos"), ("Анна и Бен друзья", "Бен и Анна друзья"),
    ("小王和小李是朋友", "小李和小王是朋友"), ("健が美咲を教えた", "美咲を健が教えた"), ("住在上海", "我住在上海"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), TURNED)
def test_who_acts_in_one_and_is_acted_upon_in_the_other_keeps_them_apart(one: str, other: str) -> None:
    """Neither held already, nor merged into either."""
    assert not same_statement(one, other)
    assert not same_statement(other, one)
    assert lost([one, other], one)
    assert lost([one, other], other)


@pytest.mark.parametrize(("one", "other"), SOUND)
def test_another_order_of_the_same_roles_is_the_same(one: str, other: str) -> None:
    """What "and" joins, what keeps its small word, and the two sides of "is" may change places."""
    assert not turned(take_apart(one), take_apart(other))
    assert not turned(take_apart(other), take_apart(one))
    assert same_statement(one, other)


def test_the_speaker_is_somebody_whose_name_the_other_statement_may_give() -> None:
    said, held = take_apart("I owe Bob 20"), take_apart("Bob owes Anna 20")
    assert turned(held, said, frozenset({"anna"}))
    assert not turned(held, take_apart("Bob owes me 20"), frozenset({"anna"}))


WORDS = st.sampled_from(
    [
        "Anna",
        "Ben",
        "Will",
        "will",
        "has",
        "is",
        "owes",
        "The",
        "the",
        "dog",
        "and",
        "of",
        "by",
        "me",
        "I",
        "Me",
        "to",
        ",",
        "was",
        "bank",
    ]
)


@given(st.lists(WORDS, max_size=7).map(" ".join), st.lists(WORDS, max_size=7).map(" ".join), st.sets(WORDS, max_size=1))
def test_any_order_of_names_and_small_words_is_judged(one: str, other: str, speaker: set[str]) -> None:
    left, right, names = take_apart(one), take_apart(other), frozenset(name.casefold() for name in speaker)
    assert turned(left, right, names) is turned(right, left, names)
    assert not turned(left, left, names)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_compared_the_same_way_round_or_not(one: str, other: str) -> None:
    left, right = take_apart(one), take_apart(other)
    assert turned(left, right) is turned(right, left)
    assert not turned(left, left)
