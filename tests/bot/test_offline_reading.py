"""What the offline model hears in a message."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.offline_reading import MOST_STATEMENTS, Wish, read
from memory.domain import MAX_TEXT_CHARS


def heard(text: str, speaker: str = "Mirela") -> list[tuple[str, str]]:
    return [(part.wish.value, part.text) for part in read(text, speaker)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Remember that my dentist is Dr Alvarez.", "my dentist is Dr Alvarez"),
        ("please remember: my flight is LH 1234 on 3 May", "my flight is LH 1234 on 3 May"),
        ("REMEMBER MY LOCKER IS 214!", "MY LOCKER IS 214"),
        ("Hey, could you please remember that I parked on level 3?", "I parked on level 3"),
        ("Don’t forget my mother's birthday is 4 June", "my mother's birthday is 4 June"),
        ("Note: the plumber is called Olga", "the plumber is called Olga"),
        ("Remember to call mum on Friday.", "call mum on Friday"),
        ("Remember “the cellar key hangs behind the clock”", "the cellar key hangs behind the clock"),
        ("Merk dir bitte, dass meine Zahnärztin Dr. Alvarez heißt.", "meine Zahnärztin Dr. Alvarez heißt"),
        ("Merke dir, dass das Auto kaputt ist.", "das Auto kaputt ist"),
        ("Merk dir das: Das Auto ist kaputt.", "Das Auto ist kaputt"),
        ("Kannst du dir merken, dass ich am 3. Dezember Geburtstag habe?", "ich am 3. Dezember Geburtstag habe"),
        ("Vergiss nicht, dass ich keine Nüsse esse!", "ich keine Nüsse esse"),
        ("Souviens-toi que mon dentiste s'appelle Dr Alvarez.", "mon dentiste s'appelle Dr Alvarez"),
        ("Rappelle-toi qu’on part le 5 mai", "on part le 5 mai"),
        ("Recuerda que mi dentista es la doctora Álvarez.", "mi dentista es la doctora Álvarez"),
        ("¡No olvides que soy celíaca!", "soy celíaca"),
        ("Ricorda che il mio dentista è il dottor Alvarez.", "il mio dentista è il dottor Alvarez"),
        ("Lembra-te que o meu dentista é o Dr. Alvarez.", "o meu dentista é o Dr. Alvarez"),
        ("Onthoud dat mijn tandarts Dr. Alvarez is.", "mijn tandarts Dr. Alvarez is"),
        ("Zapamiętaj, że moja dentystka to dr Alvarez.", "moja dentystka to dr Alvarez"),
        ("Запомни, что мой стоматолог — доктор Альварес.", "мой стоматолог — доктор Альварес"),
        ("Запам'ятай, що мій стоматолог — Альварес", "мій стоматолог — Альварес"),
        ("Kom ihåg att min tandläkare heter Alvarez", "min tandläkare heter Alvarez"),
        ("请记住我的牙医是王医生。", "我的牙医是王医生"),
        ("记住：我的牙医是王医生", "我的牙医是王医生"),
        ("私の歯医者は田中先生だと覚えておいて。", "私の歯医者は田中先生だ"),
        ("تذكر أن طبيب أسناني هو الدكتور ألفاريز", "طبيب أسناني هو الدكتور ألفاريز"),
        ("याद रखना कि मेरे दंत चिकित्सक डॉ. अल्वारेज़ हैं।", "मेरे दंत चिकित्सक डॉ. अल्वारेज़ हैं"),
    ],
)
def test_a_request_to_remember_is_understood_in_many_tongues(text: str, kept: str) -> None:
    """The matter stays in the person's own words; only the request around it goes."""
    assert heard(text) == [("remember", kept)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I'm allergic to walnuts.", "I'm allergic to walnuts"),
        ("By the way, my sister Odile moved to Ghent in May.", "my sister Odile moved to Ghent in May"),
        ("I no longer work on Saturdays", "I no longer work on Saturdays"),
        ("No me gusta el vino.", "No me gusta el vino"),
        ("In 2019 I moved to Berlin.", "In 2019 I moved to Berlin"),
        ("We meet at Dr. Hall's on St. Mary Street.", "We meet at Dr. Hall's on St. Mary Street"),
        ("Ich wohne in Köln.", "Ich wohne in Köln"),
        ("Seit Mai wohne ich in Gent.", "Seit Mai wohne ich in Gent"),
        ("J'habite à Lyon depuis 2019.", "J'habite à Lyon depuis 2019"),
        ("Vivo en Sevilla y tengo dos gatos.", "Vivo en Sevilla y tengo dos gatos"),
        ("Mi chiamo Piero.", "Mi chiamo Piero"),
        ("Moro em Braga.", "Moro em Braga"),
        ("Ik woon in Gent.", "Ik woon in Gent"),
        ("Mieszkam w Łodzi.", "Mieszkam w Łodzi"),
        ("Меня зовут Олег.", "Меня зовут Олег"),
        ("我住在上海。", "我住在上海"),
        ("Mirela: my train leaves at 9", "my train leaves at 9"),
    ],
)
def test_a_plain_statement_about_oneself_is_heard(text: str, kept: str) -> None:
    """What a person says of themselves, without being asked."""
    assert heard(text) == [("statement", kept)]


@pytest.mark.parametrize(
    "text",
    [
        "Who is my dentist?", "who is my dentist", "Do you remember my dentist?", "Can you remember my birthday?",
        "What is my name", "Tell me about my cat", "¿Quién es mi dentista?", "Wer ist meine Zahnärztin?",
        "Wie heißt meine Katze", "Où est-ce que j'habite ?", "Кто мой стоматолог?", "我的牙医是谁？", "我的牙医是谁", "私の歯医者は誰ですか",
    ],
)  # fmt: skip
def test_a_question_is_never_kept(text: str) -> None:
    """Whatever it speaks of."""
    assert [part.wish for part in read(text)] == [Wish.QUESTION]


@pytest.mark.parametrize(
    "text",
    [
        "Write me a poem about my cat", "Book a table for us", "Remember when we went to Rome", "Remember!", "I think it will rain",
        "I want you to sing", "I have a question", "I'm back!", "My god", "Ich weiß nicht", "Я думаю, что будет дождь", "我不知道",
        "The gig pays four hundred.", "Ja, das stimmt.", "Good night!", "Thanks a lot!", "😀", "/weather Berlin", "", "???", "\ud83d",
    ],
)  # fmt: skip
def test_what_is_no_fact_about_the_person_is_not_kept(text: str) -> None:
    """Commands, opinions, greetings and noise."""
    assert not any(part.keeps for part in read(text))


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Please forget my gym membership number.", "my gym membership number"),
        ("Vergiss meine Adresse", "meine Adresse"),
        ("Oublie mon adresse", "mon adresse"),
        ("Забудь мой адрес.", "мой адрес"),
        ("忘记我的地址", "我的地址"),
        ("私の住所を忘れて", "私の住所"),
    ],
)
def test_a_request_to_forget_names_its_matter(text: str, about: str) -> None:
    """The opposite of "don't forget"."""
    assert heard(text) == [("forget", about)]


def test_a_message_may_hold_several_things() -> None:
    """Each sentence is judged by itself, in order."""
    assert heard("I like tea. Where do I live? My cat is called Biscuit!") == [
        ("statement", "I like tea"),
        ("question", "Where do I live?"),
        ("statement", "My cat is called Biscuit"),
    ]


def test_what_speaks_on_stays_with_what_it_speaks_of() -> None:
    """In a memory of its own, "her" would be nobody."""
    assert heard("Remember that my dentist is Dr Alvarez. Her phone is 555 1234.") == [
        ("remember", "my dentist is Dr Alvarez. Her phone is 555 1234"),
    ]


def test_a_list_after_a_colon_is_remembered_line_by_line() -> None:
    """As people write lists."""
    assert heard("Remember:\n- the milk is at Aldi\n* shoe size 42\n\nWho am I?") == [
        ("remember", "the milk is at Aldi"),
        ("remember", "shoe size 42"),
        ("question", "Who am I?"),
    ]


def test_an_essay_and_a_flood_are_not_kept() -> None:
    """A memory is short, and eight changes are the most of one reflection."""
    assert not any(part.keeps for part in read("I like " + "very " * 200 + "much tea."))
    assert sum(part.keeps for part in read(" ".join(f"I own boat number {n}." for n in range(30)))) == MOST_STATEMENTS


@settings(max_examples=150)
@given(st.text(st.characters(), max_size=300))
def test_any_text_is_read(text: str) -> None:
    """Nothing raises; what is kept was said, in one piece or joined by stops, and fits."""
    for part in read(f"Remember that {text}"):
        assert len(part.text) <= MAX_TEXT_CHARS
        for piece in part.text.split(". ") if part.keeps else []:
            assert piece.strip() in f"Remember that {text}"


@pytest.mark.parametrize(
    "unit", ["a ", "please ", "remember ", "\n", "I like tea. ", "1.", "记住", "忘", "и ", "since ", "('“"]
)
def test_a_long_message_is_read_quickly(unit: str) -> None:
    """No text makes the rules run away."""
    start = time.perf_counter()
    read((unit * 20_000)[:20_000])
    assert time.perf_counter() - start < 3
