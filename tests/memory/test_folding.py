"""One form for comparison, and the words of a text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.folding import fold, is_blank, words


@pytest.mark.parametrize(("text", "expected"), [("Café", "cafe"), ("STRASSE", "strasse"), ("Straße", "strasse"), ("İSTANBUL", "istanbul"), ("ısı", "isi"), ("Ёлка", "елка"), ("łódź", "lodz"), ("ﬁn", "fin"), ("Leif’s", "leif's"), ("ＡＢＣ", "abc"), ("a\u200db", "ab"), ("हिन्दी", "हिन्दी"), ("한국", "한국")])  # fmt: skip
def test_case_accents_and_compatibility_forms_go(text: str, expected: str) -> None:
    """Vowel signs and syllables of other scripts stay."""
    assert fold(text) == expected


def test_words_know_where_they_stand() -> None:
    """An apostrophe ends a word; scripts without blanks make runs."""
    text = "Leif’s café: 我住在上海 seit 2019"
    assert [(w.folded, w.is_run) for w in words(text)] == [
        ("leif", False),
        ("s", False),
        ("cafe", False),
        ("我住在上海", True),
        ("seit", False),
        ("2019", False),
    ]
    assert all(text[w.start : w.end] == w.raw for w in words(text))


@pytest.mark.parametrize(
    ("text", "blank"), [("", True), (" \n\u200b…", True), ("🙂!", True), ("a", False), ("字", False), ("7", False)]
)
def test_without_letter_and_digit_a_text_is_blank(text: str, blank: bool) -> None:
    """Pictures and punctuation state nothing."""
    assert is_blank(text) is blank


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_folding_twice_changes_nothing_more(text: str) -> None:
    """So folded tables can be folded again."""
    assert fold(fold(text)) == fold(text)
