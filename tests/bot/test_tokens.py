"""The estimate of tokens against a real vocabulary (the one that litellm's package carries)."""

import time
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bot.model_client import _load
from bot.tokens import estimate_tokens

TEXTS = {
    "en": "By the way, my sister Odile moved to Ghent in May. We plan a visit at the end of the summer, by train.",
    "de": "Übrigens ist meine Schwester im Mai nach Gent gezogen, und wir überlegen, ob wir mit dem Zug fahren.",
    "fi": "Muistatko, että hammaslääkärini nimi on tohtori Virtanen ja vastaanotto on torstaina kello yhdeksän?",
    "pl": "Przy okazji, moja siostra przeprowadziła się w maju do Gandawy. Planujemy wizytę pod koniec lata.",
    "ru": "Кстати, моя сестра переехала в Гент в мае. Мы планируем поездку в конце лета на поезде.",
    "el": "Παρεμπιπτόντως, η αδερφή μου μετακόμισε στη Γάνδη τον Μάιο. Σχεδιάζουμε μια επίσκεψη.",
    "he": "דרך אגב, אחותי עברה לגנט במאי. אנחנו מתכננים ביקור בסוף הקיץ, כנראה ברכבת.",
    "ar": "بالمناسبة، انتقلت أختي إلى غنت في مايو. نخطط لزيارة في نهاية الصيف، ربما بالقطار.",
    "hi": "वैसे, मेरी बहन मई में गेंट चली गई। हम गर्मियों के अंत में यात्रा की योजना बना रहे हैं।",
    "zh": "顺便说一下，我妹妹五月搬到了根特。我们打算夏末去看她，大概坐火车，因为机票太贵了。",
    "ja": "ところで、妹が五月にゲントへ引っ越しました。夏の終わりごろに電車で訪ねる予定です。",
    "ko": "그런데 제 여동생이 5월에 겐트로 이사했어요. 여름 끝 무렵에 기차로 방문할 계획입니다.",
    "json": '{"operations": [{"op": "ADD", "text": "Sister Odile moved to Ghent", "importance": 6, "evidence": [1]}]}',
    "emoji": "👩‍👩‍👧‍👦😀🎉🇩🇪❤️‍🔥👍🏽",
}


@pytest.mark.parametrize("language", TEXTS)
def test_the_estimate_is_on_the_high_side_but_not_absurd(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between what GPT-4 counts and twice that."""
    vocabulary = Path(_load().__file__).parent / "litellm_core_utils" / "tokenizers"
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(vocabulary))
    counted = len(tiktoken.get_encoding("cl100k_base").encode(TEXTS[language]))
    assert counted <= estimate_tokens(TEXTS[language]) <= 2 * counted


@given(st.text(st.characters()), st.text(st.characters()))
def test_more_text_is_never_fewer_tokens(a: str, b: str) -> None:
    """Budgets rely on it; any text has an estimate."""
    assert estimate_tokens(a) <= estimate_tokens(a + b) <= estimate_tokens(a) + estimate_tokens(b)
    assert (estimate_tokens(a) == 0) == (not a)


def test_ten_kilobytes_take_less_than_a_millisecond() -> None:
    """It is called for every message of the history of every turn."""
    text = ("".join(TEXTS.values()) * 20)[:10_000]
    best = min(_seconds(text) for _ in range(20))
    assert best < 0.001


def _seconds(text: str) -> float:
    start = time.perf_counter()
    estimate_tokens(text)
    return time.perf_counter() - start
