import threading

import pytest

from memory.stems import ALL, detect, is_function_word, italian_noun, languages_of, skeleton, stem


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where is the key", "english"), ("wo ist der schlussel", "german"), ("ou est la cle", "french"),
        ("donde estan las llaves", "spanish"), ("dove sono gli occhiali", "italian"), ("waar is de fiets", "dutch"),
        ("onde esta o gato", "portuguese"), ("var ar min cykel", "swedish"), ("missa on minun avain", "finnish"),
        ("gdzie jest moj klucz", "polish"), ("kedim nerede ve neden", "turkish"), ("hol van a kulcs", "hungarian"),
    ],
)  # fmt: skip
def test_small_words_tell_the_language(text: str, language: str) -> None:
    """The likeliest language comes first."""
    assert detect(text.split())[0] == language


def test_without_small_words_every_language_is_possible() -> None:
    """Two nouns tell nothing."""
    assert detect(["balkon", "tomate"]) == ALL


def test_a_mixed_text_keeps_both_languages() -> None:
    """A question in English about German words may inflect both."""
    assert {"english", "german"} <= set(detect(["where", "is", "the", "ordner", "mit", "der", "rechnung"]))


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [("keys", "key", "english"), ("katzen", "katze", "german"), ("сестре", "сестра", None), ("κλειδιά", "κλειδί", None),
     ("السيارات", "سيارة", None), ("किताबें", "किताब", None), ("הבית", "בית", "hebrew"), ("kedilerim", "kedim", "turkish")],
)  # fmt: skip
def test_forms_of_a_word_share_a_stem(one: str, other: str, language: str | None) -> None:
    """The script tells the stemmer where no language is named."""
    assert stem(one, language) == stem(other, language)


@pytest.mark.parametrize(
    ("one", "other"), [("كتاب", "الكتب"), ("مفتاح", "مفاتيح"), ("طفل", "اطفال"), ("مدرسه", "مدارس")]
)
def test_a_broken_plural_keeps_the_consonants(one: str, other: str) -> None:
    """Arabic changes the vowels inside the word."""
    assert skeleton(one) == skeleton(other) != ""


@pytest.mark.parametrize("word", ["باب", "ما", "кот", "house", "", "ا"])
def test_a_skeleton_needs_three_consonants_and_arabic_letters(word: str) -> None:
    """Two consonants are left of too many words."""
    assert skeleton(word) == ""


def test_an_italian_plural_is_not_taken_for_a_verb_alone() -> None:
    """The stemmer makes "chi" of "chiavi"; a real verb keeps its stem as well."""
    assert italian_noun("chiavi") == stem("chiave", "italian") == "chiav"
    assert italian_noun("gatti") == ""


def test_scripts_without_a_stemmer_stay_whole() -> None:
    """A Georgian or a Chinese word is its own stem."""
    assert stem("სახლები") == "სახლები"
    assert stem("房租") == "房租"
    assert languages_of("房租", ALL) == ()


def test_a_small_word_is_one_in_its_language_only() -> None:
    """An article in German, "die" is a verb in English."""
    assert is_function_word("die", ("german",))
    assert not is_function_word("die", ("english",))
    assert is_function_word("что", ("english",))


def test_threads_do_not_share_a_stemmer() -> None:
    """Reader and writer stem at the same time and get the same answers."""
    words = [f"wandering{number}s" for number in range(300)]
    expected = [stem.__wrapped__(word, "english") for word in words]
    results: list[list[str]] = []
    work = [
        threading.Thread(target=lambda: results.append([stem.__wrapped__(word, "english") for word in words]))
        for _ in range(4)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert results == [expected] * 4
