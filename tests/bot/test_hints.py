"""The hint that another embedding model would know the languages spoken here."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot import hints
from bot.hints import FEWEST, FIFTY_LANGUAGES, better_model, hint_for
from bot.reflection_run import ReflectionRunner
from bot.storage import kv
from bot.storage.tables import outbox
from tests.bot.assistant import Assistant
from tests.bot.telegram import payloads

SAID = {
    "en": ["What time is the meeting tomorrow?", "I like my coffee black", "Can you remind me to call Anna?", "ok"],
    "de": ["Wann ist das Treffen morgen?", "Ich mag meinen Kaffee schwarz", "Bis später im Park", "ok"],
    "es": ["¿A qué hora es la reunión mañana?", "Me gusta el café solo", "vale", "El tren llegó tarde otra vez"],
    "fr": ["À quelle heure est la réunion ?", "J'aime mon café noir", "Tu peux me rappeler d'appeler Anne ?"],
    "it": ["A che ora è la riunione?", "Mi piace il caffè nero", "Puoi ricordarmi di chiamare Anna?"],
    "pt": ["A que horas é a reunião?", "Eu gosto do café preto", "Não sei onde está a chave"],
    "nl": ["Hoe laat is de vergadering morgen?", "Ik hou van zwarte koffie", "Kun je me eraan herinneren?"],
    "pl": ["O której jest jutro spotkanie?", "Lubię czarną kawę", "Czy możesz mi przypomnieć?"],
    "tr": ["Toplantı yarın saat kaçta?", "Kahvemi sade severim, ama sütü de alırım", "bu çok güzel bir gün"],
    "ru": ["Во сколько завтра встреча?", "Люблю чёрный кофе", "Напомни мне позвонить Анне"],
    "zh": ["明天几点开会？", "我喜欢黑咖啡", "好"],
    "ja": ["明日の会議は何時ですか", "コーヒーはブラックが好き", "了解"],
    "ko": ["내일 회의는 몇 시야?", "블랙 커피를 좋아해", "알았어"],
    "ar": ["متى الاجتماع غدا؟", "أحب القهوة السوداء"],
    "th": ["พรุ่งนี้ประชุมกี่โมง", "ฉันชอบกาแฟดำ"],
}
FOREIGN_TO_ALL = {
    "el": ["Τι ώρα είναι η συνάντηση;", "Μου αρέσει ο καφές"],
    "he": ["מתי הפגישה מחר?", "אני אוהב קפה שחור"],
    "hi": ["कल बैठक कितने बजे है?", "मुझे काली कॉफी पसंद है"],
    "ka": ["როდის არის შეხვედრა?", "მე მიყვარს ყავა"],
    "ta": ["நாளை கூட்டம் எப்போது?", "எனக்கு காபி பிடிக்கும்"],
    "sv": ["När är mötet imorgon?", "Jag gillar mitt kaffe svart"],
    "cs": ["V kolik hodin je zítra schůzka?", "Mám řadu věcí, které ještě musím udělat"],
    "vi": ["Cuộc họp ngày mai lúc mấy giờ?", "Tôi thích cà phê đen"],
}


def many(texts: list[str], count: int = 40) -> list[str]:
    return (texts * count)[:count]


@pytest.mark.parametrize("language", sorted(SAID))
def test_those_who_speak_one_of_the_sixteen_languages_are_told_of_the_multilingual_model(language: str) -> None:
    """English is known already."""
    expected = None if language == "en" else "multilingual"
    assert better_model(many(SAID[language]), "english") == expected


@pytest.mark.parametrize("language", sorted(FOREIGN_TO_ALL))
def test_those_whose_language_it_does_not_know_are_told_of_one_that_does(language: str) -> None:
    """A promise the multilingual model cannot keep is not made."""
    assert better_model(many(FOREIGN_TO_ALL[language]), "english") == FIFTY_LANGUAGES


@pytest.mark.parametrize("language", sorted(SAID | FOREIGN_TO_ALL))
@pytest.mark.parametrize("model", ["multilingual", "intfloat/multilingual-e5-large", "/srv/models/ours"])
def test_nobody_is_told_to_leave_the_multilingual_model_or_one_nobody_knows(model: str, language: str) -> None:
    assert hint_for(many((SAID | FOREIGN_TO_ALL)[language]), model) is None


@pytest.mark.parametrize(
    ("model", "language", "told"),
    [
        ("BAAI/bge-small-zh-v1.5", "zh", False),
        ("BAAI/bge-small-zh-v1.5", "ru", True),
        ("jinaai/jina-embeddings-v2-base-de", "de", False),
        ("BAAI/bge-small-en-v1.5", "de", True),
    ],
)
def test_a_model_for_one_more_language_knows_that_one(model: str, language: str, told: bool) -> None:
    assert (better_model(many(SAID[language]), model) is not None) is told


def test_most_means_more_than_half_of_those_that_show_their_language() -> None:
    """Emoji, numbers, addresses and "ok" are no vote."""
    known, foreign, silent = (
        many(SAID["en"][:3], 20),
        many(SAID["ru"], 20),
        ["🎂", "42", "https://example.org", "…"] * 20,
    )
    assert better_model([*silent, *known, *foreign], "english") is None
    assert better_model([*silent, *known, *foreign, *foreign[:1]], "english") == "multilingual"


@pytest.mark.parametrize(
    "text", ["I like my coffee black", "THE CAR IS OUTSIDE", "We sat in the café of the Bœuf", "I AM IN"]
)
def test_english_stays_english_in_capitals_and_with_a_borrowed_word(text: str) -> None:
    """An I is no dotless ı."""
    assert better_model(many([text]), "english") is None


def test_few_messages_tell_nothing() -> None:
    assert better_model(many(SAID["ru"], FEWEST - 1), "english") is None
    assert better_model(many(SAID["ru"], FEWEST), "english") == "multilingual"


def test_only_the_last_two_hundred_count() -> None:
    """Newest first: whoever moved on is not told."""
    assert better_model([*many(SAID["en"], 200), *many(SAID["ru"], 1000)], "english") is None


def test_the_hint_says_which_line_to_put_where() -> None:
    hint = hint_for(many(SAID["ru"]), "english")
    assert hint is not None
    assert 'model = "multilingual"' in hint
    assert "[embedding]" in hint
    assert "tidemark.toml" in hint
    assert "downloaded" not in hint
    assert "downloaded once" in str(hint_for(many(FOREIGN_TO_ALL["el"]), "english"))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(codec=None), max_size=30), max_size=30), st.text(max_size=20))
def test_no_text_breaks_it(texts: list[str], model: str) -> None:
    hint_for(texts, model)


# --- how it reaches the owner


async def hints_given(here: Assistant) -> list[str]:
    return [row.text for row in await here.rows(select(outbox.c.text).where(outbox.c.turn_key == hints.KEY))]


def speaking(here: Assistant, model: str = "english") -> ReflectionRunner:
    here.runner = ReflectionRunner(replace(here.reflection, embedding_model=model))
    return here.runner


async def says_all(here: Assistant, texts: list[str], **more: object) -> None:
    for text in texts:
        await here.says(text, **more)
        await here.settle()


async def test_the_owner_is_told_once_in_private_after_an_answer(here: Assistant) -> None:
    speaking(here)
    await says_all(here, many(SAID["de"][:3], FEWEST - 1))
    assert await hints_given(here) == []
    await says_all(here, many(SAID["de"][:3], 4))
    (hint,) = await hints_given(here)
    assert "multilingual" in hint
    assert await here.read(lambda uow: kv.get(uow, hints.KEY)) is not None


async def test_with_the_multilingual_model_nothing_is_said(here: Assistant) -> None:
    speaking(here, "multilingual")
    await says_all(here, many(SAID["de"][:3], FEWEST + 2))
    assert await hints_given(here) == []


async def test_a_group_is_never_told(here: Assistant) -> None:
    """What others write counts, but only the owner can change it."""
    speaking(here)
    await here.allow_group(int(payloads.GROUP["id"]), "all")
    await says_all(here, many(SAID["de"][:3], FEWEST + 2), chat=payloads.GROUP)
    assert await hints_given(here) == []
    await says_all(here, ["Wo ist der Schlüssel?"])
    assert len(await hints_given(here)) == 1
