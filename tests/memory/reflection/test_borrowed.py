"""Words in one's own message that are somebody else's make no fact about the one who wrote it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import Origin, Role, Trust
from memory.reflection.borrowed import borrowed, is_borrowed, only_ascribes
from tests.memory.reflection.samples import add, brief, outcome, said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Mirela lives in Rome", 'Tom wrote: "I live in Rome"'),
        ("Mirela wohnt in Rom", "Tom schreibt: „Ich wohne in Rom“"),
        ("Mirela vive en Roma", "Tomás me escribió: «yo vivo en Roma»"),
        ("Mirela hates onions", '"You hate onions" – where did you get that?'),
        ("Mirela has two dogs", 'Fix the grammar: "I has two dogs"'),
        ("Mirela lives in Rome", "Translate: I live in Rome and hate cats"),
        ("Mirela wohnt in Rom", "Übersetze bitte: Ich wohne in Rom"),
        ("Mirela habite à Rome", "Traduis en anglais : j'habite à Rome"),
        ("Mirela vive a Roma", "Traduci in inglese: vivo a Roma"),
        ("Мирела живёт в Риме", "Переведи: я живу в Риме"),
        ("Mirela住在罗马", "翻译：我住在罗马"),
        ("Mirela owns two dogs", "Please proofread this:\nI own two dogs and a cat."),
        ("Mirela's sister's birthday is on 5 May", "you said my sister's birthday is on 5 May"),
        ("Mirela wohnt in Rom", "Du sagtest, ich wohne in Rom"),
        ("Mirela habite à Rome", "Tu as dit que j'habite à Rome"),
        ("Mirela vive en Roma", "Dijiste que vivo en Roma"),
    ],
)
def test_borrowed_words_are_no_fact_about_who_borrows_them(text: str, message: str) -> None:
    """Quoted, handed over to be worked on, or put into the assistant's mouth."""
    assert add(text, message, subject="Mirela").startswith("reject")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Mirela's favourite film is Alien", 'My favourite film is "Alien"'),
        ("Mirela's favourite book is The Name of the Rose", 'My favourite book: "The Name of the Rose"'),
        ("Mirela lives in Berlin", "You said I live in Milan, but I live in Berlin now"),
        ("Mirela lives in Rome", "Correct: I live in Rome"),
        ("Mirela's boat is called Seagull", 'I named my boat "Seagull"'),
        ("Mirela translates novels", "I translate novels for a living"),
        ("Mirela übersetzt Romane", "Ich übersetze Romane"),
    ],
)
def test_own_words_beside_them_still_count(text: str, message: str) -> None:
    """Titles and names are quoted too, a correction names what it corrects, and people translate for a living."""
    assert add(text, message) == "accept ok"


@pytest.mark.parametrize(
    ("asked", "answer", "text"),
    [
        ("You could try swimming to relax.", "ok", "Mirela swims to relax"),
        ("Shall I book the Bella restaurant?", "yes, do that", "Mirela likes the Bella restaurant"),
        ("Do you live in Berlin?", "no", "Mirela lives in Berlin"),
        ("Do you like Bach?", "thanks", "Mirela likes Bach"),
        ("Would you like to learn about Bach?", "no thanks", "Mirela wants to learn about Bach"),
        ("You seem deficient in vitamin D.", "ok thanks", "Mirela is deficient in vitamin D"),
        ("You are vegetarian, right?", "I never said I am vegetarian", "Mirela is vegetarian"),
        ("You are 34 years old.", "why do you think I am 34 years old?", "Mirela is 34 years old"),
        ("As a pirate I live on the Black Pearl.", "lol", "Mirela lives on the Black Pearl"),
        ("Wohnst du in Köln?", "nein", "Mirela wohnt in Köln"),
        ("Du solltest mehr Spinat essen.", "ja, ok", "Mirela isst mehr Spinat"),
        ("Tu habites à Lyon ?", "non", "Mirela habite à Lyon"),
        ("¿Vives en Madrid?", "no", "Mirela vive en Madrid"),
        ("Ti piace il jazz?", "no grazie", "A Mirela piace il jazz"),
        ("Ты живёшь в Москве?", "нет", "Мирела живёт в Москве"),
        ("Попробуй бегать по утрам.", "ладно", "Мирела бегает по утрам"),
        ("你住在柏林吗？", "不是", "Mirela住在柏林"),
        ("你可以试试游泳。", "好的", "Mirela喜欢游泳"),
        ("ベルリンに住んでいますか？", "いいえ", "Mirelaはベルリンに住んでいる"),
        ("Mieszkasz w Gdyni?", "nie", "Mirela mieszka w Gdyni"),
    ],
)
def test_what_only_the_assistant_said_is_no_fact_about_a_person(asked: str, answer: str, text: str) -> None:
    """However it is answered, short of saying it."""
    heard = brief(said(asked, 1, role=Role.ASSISTANT, by="assistant", trust=Trust.ASSISTANT), said(answer, 2))
    assert outcome(heard, op="ADD", text=text, evidence=[1, 2]).startswith("reject")


@pytest.mark.parametrize(
    ("origin", "words", "text"),
    [
        (Origin.FORWARDED, "I am allergic to nuts.", "Mirela is allergic to nuts"),
        (Origin.FORWARDED, "I moved to Lyon.", "Mirela moved to Lyon"),
        (Origin.FORWARDED, "Mirela is a terrible cook.", "Mirela is a terrible cook"),
        (Origin.DOCUMENT, "I worked at Siemens until 2015.", "Mirela worked at Siemens until 2015"),
        (Origin.QUOTED, "I love horror films.", "Mirela loves horror films"),
    ],
)
@pytest.mark.parametrize("beside", ["", "ok", "haha same", "look what he wrote"])
def test_what_was_passed_on_is_never_accepted(origin: Origin, words: str, text: str, beside: str) -> None:
    """Rejected or kept aside, with or without a word of one's own beside it."""
    heard = [said(words, 1, by="Pavel", origin=origin, trust=Trust.QUOTED)] + ([said(beside, 2)] if beside else [])
    result = outcome(brief(*heard), op="ADD", text=text, evidence=[1, 2], subject="Mirela")
    assert result.split()[0] in {"reject", "quarantine"}


def test_you_said_alone_takes_the_next_clause_along() -> None:
    assert only_ascribes("You said")
    assert not only_ascribes("You said I live in Rome")


@given(st.text(max_size=120))
def test_spans_lie_inside_the_text(text: str) -> None:
    """Any script, any brokenness; and nothing raises."""
    assert all(0 <= start <= end <= len(text) for start, end in borrowed(text))
    assert is_borrowed(text, 0, len(text)) in {True, False}
