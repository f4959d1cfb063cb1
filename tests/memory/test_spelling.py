import pytest

from memory.spelling import fold, normalise, spellings


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Straße", "strasse"), ("ＡＢＣ１２", "abc12"), ("ﬁne", "fine"), ("İstanbul", "istanbul"), ("ΣΟΦΌΣ", "σοφοσ"),
        ("Ёлка", "елка"), ("мой", "мой"), ("Łódź", "lodz"), ("Søren", "soren"), ("أحمد", "احمد"), ("שָׁלוֹם", "שלום"),
        ("ガス", "がす"), ("ｶﾞｽ", "がす"), ("हिन्दी", "हिन्दी"), ("naïve", "naive"), ("nai\u0308ve", "naive"), ("Å", "a"),
        ("ISPARTA", "isparta"), ("ısparta", "isparta"), ("٢٠٢٧", "2027"), ("೧೨", "12"), ("a\u0eb4b", "ab"),
    ],
)  # fmt: skip
def test_letters_a_reader_takes_for_the_same_fold_to_the_same(written: str, read: str) -> None:
    """Case, width, accents and ligatures go; vowel signs and voiced marks that make another letter stay."""
    assert fold(normalise(written)) == read


def test_invisible_signs_vanish_and_broken_ones_part_words() -> None:
    """Direction marks and joiners are inside words; NUL and lone surrogates are no letters."""
    assert normalise("so\u00adft\u200b \u202edir\u202c") == "soft dir"
    assert normalise("a\x00b\ud800c") == "a b c"
    assert normalise("👍🏽 ❤️") == "👍 ❤"


def test_an_umlaut_is_also_written_out() -> None:
    """Both habits of typing without umlauts find the word."""
    assert spellings("schlüssel") == ("schlussel", "schluessel")
    assert spellings("århus") == ("arhus", "aarhus")
    assert spellings("key") == ("key",)
