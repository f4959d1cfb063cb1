import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory.analysis import LONGEST_TERM, analyse, content_terms, tokens, words

ANY = st.text(st.characters(), max_size=80)


@settings(max_examples=300, deadline=None)
@given(ANY)
def test_terms_hold_no_blank_and_can_be_stored(text: str) -> None:
    """The index splits at blanks only, so a blank inside a term would make two; and everything is valid UTF-8."""
    for term in analyse(text):
        assert term
        assert not any(sign.isspace() or sign == "\x00" for sign in term)
        assert len(term) <= LONGEST_TERM
        term.encode()


@settings(max_examples=300, deadline=None)
@given(ANY)
def test_analysing_terms_again_gives_the_same_terms(text: str) -> None:
    """What is stored and what is asked can never drift apart by another round."""
    once = analyse(text)
    assert set(analyse(" ".join(once))) == set(once)


DIGITS = st.lists(
    st.sampled_from((*"0012379 ,.:/-+()'’@", "00", "012", "345678", "1'000", "a", "x9", "٣", "½", "\u0eb4", "猫")),
    max_size=24,
).map("".join)


@settings(max_examples=400, deadline=None)
@given(DIGITS)
@example("012, 345678")
@example("0@0.0")
@example("5,01 23 45 67")
@example("1'000'000")
@example("100++10")
def test_odd_groups_of_digits_analyse_to_themselves(text: str) -> None:
    """Two numbers side by side do not become a telephone number because a comma between them was lost."""
    once = analyse(text)
    assert set(analyse(" ".join(once))) == set(once)


@pytest.mark.parametrize(
    "text",
    ["Müller fährt nach Århus", "don't e-mail bruna.keller@ledgerpine.example", "https://www.a.example/b?c=1", "11kg 3,200 9th",
     "家里的猫叫芝麻", "自転車の鍵はどこ?", "자전거를 지하 창고에", "Сестра коллекционирует сов", "l'école d'été", "C++ and C# at AT&T",
     "+49 170 5550133", "2027-04-15 14:20", "👨‍👩‍👧 🇵🇹 🎂", "ที่จอดรถอยู่ชั้นสอง", "a4 b2b covid19"],
)  # fmt: skip
def test_everyday_texts_analyse_to_themselves(text: str) -> None:
    """The same for what people really write."""
    assert set(analyse(" ".join(analyse(text)))) == set(analyse(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Schlüssel", "Schluessel"), ("Straße", "STRASSE"), ("Café Félix", "cafe felix"), ("сестре", "сестра"), ("ゴミ", "ごみ"),
        ("e-mail", "email"), ("don’t", "dont"), ("O'Brien", "obrien"), ("3,200", "3200"), ("11 kg", "11kg"), ("٢٠٢٧", "2027"),
        ("05.04.", "5.4."), ("+49 170 5550133", "0170/5550133"), ("❤️", "❤"), ("👍🏽", "👍"), ("https://a.example/x", "a.example/x"),
        ("@night_owl", "night_owl"), ("bicycles", "bicycle"), ("집에서", "집은"), ("Fahrräder", "Fahrrad"), ("½ m²", "1⁄2 m2"),
        ("20270415", "2027-04-15"), ("Missä talossa hän asuu", "Talo on järven rannalla"), ("kissalle", "kissa"), ("autoilla", "auto"),
        ("kedilerim nerede", "Kedi bahçede"), ("evlerinde", "Evi denize yakın"), ("kitapları", "kitap"), ("ISPARTA", "ısparta"),
        ("İstanbul’a", "istanbul"), ("dove sono le chiavi", "La chiave è sotto il vaso"), ("أين المفاتيح", "مفتاح السيارة"),
        ("ключами", "ключ"), ("Häusern", "Haus"), ("Fuesse", "Füße"), ("👨‍👩‍👧", "👧"), ("👩🏽‍🚒", "👩‍🚒"), ("🇵🇹", "🇵🇹 flag"),
        ("1️⃣", "1"), ("https://www.ledgerpine.example/b?c=1", "ledgerpine"), ("@night_owl", "owl"), ("٠١٢ ٣٤٥٦٧٨", "012345678"),
    ],
)  # fmt: skip
def test_two_ways_to_write_one_thing_meet(one: str, other: str) -> None:
    """They share at least one term."""
    assert set(analyse(one)) & set(analyse(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("房租", "房间"), ("Schlüssel", "Schüssel"), ("2027-04-15", "2027-05-14"), ("猫", "狗"), ("🎂", "🎄"), ("Rene", "Renate"), ("17", "71")],
)  # fmt: skip
def test_two_things_are_not_one(one: str, other: str) -> None:
    """Each has a term the other lacks, and the first term of each differs."""
    assert tokens(one)[0].exact != tokens(other)[0].exact


def test_what_another_letter_would_change_is_literal() -> None:
    """Numbers, addresses, links and handles with their parts: no error is forgiven in them. Words are not, nor hyphens."""
    for text in (
        "bruna.keller@ledgerpine.example",
        "https://a.example/path",
        "night_owl",
        "2027",
        "+49 170 5550133",
    ):
        assert all(token.literal for token in tokens(text)), text
    assert not any(token.literal for token in tokens("The left-hand drawer, aujourd'hui 猫 🎂"))


def test_compounds_are_kept_whole_and_in_parts() -> None:
    """An address is found by all of it, by its host, and by each name in it."""
    assert {"bruna.keller@ledgerpine.example", "ledgerpine.example", "bruna", "keller", "ledgerpine"} <= set(
        analyse("bruna.keller@ledgerpine.example")
    )
    assert {"2027-04-15", "2027", "4", "15"} <= set(analyse("2027-04-15"))
    assert {"left", "hand", "lefthand"} <= set(analyse("left-hand"))


def test_scripts_without_blanks_become_pairs_and_singles() -> None:
    """One character finds its memory, and so does a word of two."""
    assert {"房租", "房", "租", "租每"} <= set(analyse("房租每月"))
    assert {"鍵は", "鍵", "どこ"} <= set(analyse("鍵はどこ"))


def test_small_words_weigh_little_and_names_much() -> None:
    """In small letters "will" holds a sentence together, written large inside a sentence it is a person."""
    weights = {token.exact[0]: token.weight for token in tokens("When does Will arrive")}
    assert weights["when"] < weights["arrive"] < weights["will"]
    assert {token.exact[0]: token.weight for token in tokens("he will arrive")}["will"] < 1
    weights = {token.exact[0]: token.weight for token in tokens("Куда ездит на службу Лаврентий?")}
    assert weights["службу"] < weights["лаврентий"]
    weights = {token.exact[0]: token.weight for token in tokens("Wo liegt der Schlüssel für den Keller?")}
    assert weights["liegt"] == weights["keller"], "German writes every noun large"


def test_words_come_in_order_and_in_parts() -> None:
    """Compounds fall apart, pictures count, nothing is stemmed."""
    assert words("The left-hand Tür, 🎂 2027-04-15!") == ("the", "left", "hand", "tur", "🎂", "2027", "04", "15")


def test_content_terms_are_stems_of_what_tells_something() -> None:
    """Small words are left out, forms of a word count once."""
    assert content_terms("Where are the keys, and which key is it?") == ("key",)
    assert content_terms("На столе ключи") == ("стол", "ключ")


@pytest.mark.parametrize(
    "text", ["a" * 100_000, "-" * 100_000, "1-" * 50_000, "é" * 50_000, "猫" * 25_000, "가" * 25_000, "+0" * 25_000]
)
def test_a_monster_takes_no_time(text: str) -> None:
    """No pattern backtracks itself to death (the suite's time-out is the judge), and terms stay few or short."""
    assert sum(map(len, analyse(text))) < 1_000_000
