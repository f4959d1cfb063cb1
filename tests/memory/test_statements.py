"""What makes two statements the same, and what keeps them apart."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.sameness import holds, same_statement
from memory.statements import (
    content_overlap,
    content_words,
    facts_missing,
    is_negated,
    language_of,
    normalise,
    stem,
    take_apart,
)

SAME = [
    ("Drives an old green van", "Drives the old green van"),
    ("Allergic to penicillin", "Is allergic to penicillin."),
    ("The cat is called Biscuit", "Cat's name is Biscuit"),
    ("Has seventeen cats", "Has 17 cats"),
    ("Dentist is Dr Alvarez", "My dentist is Dr Alvarez"),
    ("Живёт в Москве", "Живет в Москве."),
    ("住在上海", "我住在上海"),
    ("Isst kein Fleisch", "isst KEIN Fleisch!"),
    ("Mora no terceiro andar", "mora no terceiro andar"),
    ("Sings in a choir", "sings in the choir"),
]
DIFFERENT = [
    ("Works on Saturdays", "No longer works on Saturdays"),
    ("Likes tea", "Doesn't like tea"),
    ("吃肉", "不吃肉"),
    ("Isst Fleisch", "Isst kein Fleisch"),
    ("Ест мясо", "Не ест мясо"),
    ("Office is on floor 3", "Office is on floor 8"),
    ("Has two boats", "Has three boats"),
    ("养了三只猫", "养了四只猫"),
    ("Dog is called Rex", "Dog is called Max"),
    ("Sister lives in Ghent", "Sister Odile lives in Ghent"),
    ("Moved from Ghent to Milan", "Moved from Milan to Ghent"),
    ("Prefers tea over coffee", "Prefers coffee over tea"),
    ("Anna loves Bob", "Bob loves Anna"),
    ("Takes pills before meals", "Takes pills after meals"),
    ("Takes the pill in the morning with a lot of water", "Takes the pill in the evening with a lot of water"),
    ("Piano lesson on Monday", "Piano lesson on Tuesday"),
    ("Phone is 0170 1234567", "Phone is 0170 1234576"),
    ("Likes tea", "Likes green tea"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_wording_case_and_articles_do_not_make_another_statement(one: str, other: str) -> None:
    """Both ways round."""
    assert same_statement(one, other)
    assert same_statement(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_a_number_name_date_sign_or_direction_does(one: str, other: str) -> None:
    """However similar the rest."""
    assert not same_statement(one, other)
    assert not same_statement(other, one)


def test_a_fuller_statement_holds_a_shorter_one_but_not_the_reverse() -> None:
    """Saying less again is saying it again; saying more is news."""
    assert holds("Likes green tea", "Likes tea")
    assert not holds("Likes tea", "Likes green tea")
    assert not holds("Keeps two beehives, a goat, three hens and a donkey behind the garage", "Keeps a goat")


def test_a_town_written_with_a_function_character_is_another_town() -> None:
    """The 都 of 成都 is "all" elsewhere; what stands beside it still tells Chengdu from Kunming."""
    assert not holds("我的表哥赵玉兰住在昆明", "我的表哥赵玉兰住在成都")
    assert holds("我的表哥赵玉兰住在成都", "表哥赵玉兰住在成都")


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("I don't eat meat", True),
        ("I eat meat", False),
        ("Ich esse kein Fleisch", True),
        ("Je ne mange plus de viande", True),
        ("No como carne", True),
        ("Não como carne", True),
        ("Nie jem mięsa", True),
        ("Nejím maso", True),
        ("Et yemiyorum", True),
        ("En syö lihaa", True),
        ("肉は食べません", True),
        ("고기를 안 먹어요", True),
        ("我没有车", True),
        ("أنا لا آكل اللحم", True),
        ("אני לא אוכל בשר", True),
        ("Lives alone without a car", True),
        ("I used to smoke", True),
        ("I quit smoking", True),
        ("差不多了", False),
        ("Het is nu laat", False),
        ("Ik ben moe, en jij?", False),
        ("I play now", False),
        ("Nebo zítra", False),
    ],
)
def test_a_denial_is_seen_in_many_languages(text: str, denied: bool) -> None:
    """Particles, prefixes, suffixes, and words that say that something is over."""
    assert is_negated(text) is denied


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I am allergic to walnuts", "en"), ("Ich bin gegen Walnüsse allergisch", "de"), ("Je suis allergique aux noix", "fr"),
        ("Soy alérgico a las nueces", "es"), ("Eu não como carne", "pt"), ("Ik woon in Gent", "nl"), ("Я живу в Москве", "ru"),
        ("Я живу в Києві", "uk"), ("我住在上海", "zh"), ("京都に住んでいます", "ja"), ("서울에 살아요", "ko"), ("Μένω στην Αθήνα", "el"),
        ("أسكن في القاهرة", "ar"), ("אני גר בחיפה", "he"), ("मैं दिल्ली में रहता हूँ", "hi"), ("Biscuit", None), ("", None),
    ],
)  # fmt: skip
def test_script_and_small_words_tell_the_language(text: str, language: str | None) -> None:
    """Or nothing does."""
    assert language_of(text) == language


def test_names_are_capitals_inside_a_sentence_and_first_words_that_act() -> None:
    """A first word that only begins a sentence is none."""
    names = {text: [n.raw for n in take_apart(text).names] for text in (
        "Sister Odile moved to Ghent", "Petra is allergic", "Petra's cat is old", "Owns boat number 1", "Office is on floor 8",
        "User is vegan", "Wohnt in Hamburg und hat einen Hund", "LIVES IN GHENT", "Мария живёт в Москве",
    )}  # fmt: skip
    assert list(names.values()) == [
        ["Odile", "Ghent"],
        ["Petra"],
        ["Petra"],
        [],
        [],
        [],
        ["Hamburg"],
        [],
        ["Мария", "Москве"],
    ]


def test_forms_of_irregular_verbs_are_one_word() -> None:
    """No stemmer knows them."""
    assert len({stem(w, "en") for w in ("drives", "drove", "driven")}) == 1
    assert stem("spricht", "de") == stem("spreche", "de")


def test_normal_form_is_blind_to_case_accents_and_marks() -> None:
    """And to nothing else."""
    assert normalise("  Café—MÜLLER’s, “3”! ") == "cafe muller s 3"
    assert normalise("a\u200bb\u202e") == "ab"


def test_overlap_and_lost_facts_tell_a_refinement_from_a_loss() -> None:
    """Shares lie between 0 and 1."""
    assert content_overlap("Sings in the choir", "Sings in the choir of the old fire station") == 1.0
    assert content_overlap("Sings in the choir", "Keeps bees") == 0.0
    assert not facts_missing("Has 2 cats", "Has 2 cats and a dog")
    assert facts_missing("Has 2 cats", "Has cats")
    assert facts_missing("Sister lives in Ghent", "Sister lives nearby")
    assert facts_missing("Does not eat meat", "Eats meat")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_states_the_same_as_itself_and_the_relation_is_mutual(one: str, other: str) -> None:
    """And nothing raises."""
    assert same_statement(one, one)
    assert same_statement(one, other) == same_statement(other, one)
    assert normalise(normalise(one)) == normalise(one)
    assert all(content_words(one))
    assert 0.0 <= content_overlap(one, other) <= 1.0
