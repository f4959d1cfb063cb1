"""What a model can read."""

import pytest

from memory.embedders.sight import SIXTEEN, SIXTEEN_LANGUAGES, fluency, languages_of, legible


@pytest.mark.parametrize(
    ("text", "share"),
    [("key", 1.0), ("", 0.0), ("?!", 0.0), ("ключ", 0.0), ("a鍵", 0.5), ("🎂", 0.0), ("Größe 42", 1.0)],
)
def test_the_readable_share_is_that_of_latin_letters_and_digits(text: str, share: float) -> None:
    """Blanks and punctuation do not count."""
    assert legible(text) == share


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("key", 1.0), ("ключ", 1.0), ("钥匙在哪里？", 1.0), ("コーヒー", 1.0), ("열쇠", 1.0), ("أين المفتاح؟", 1.0), ("กุญแจ", 1.0),
        ("٤٢", 1.0), ("κλειδί", 0.0), ("מפתח", 0.0), ("चाबी", 0.0), ("சாவி", 0.0), ("გასაღები", 0.0), ("🎂", 0.0), ("", 0.0),
        ("key מפתח", 3 / 7),
    ],
)  # fmt: skip
def test_the_multilingual_model_reads_the_scripts_of_its_languages(text: str, share: float) -> None:
    """In others its cosines are chance."""
    assert legible(text, SIXTEEN) == pytest.approx(share)


@pytest.mark.parametrize(
    ("model", "known"),
    [
        ("english", {"en"}),
        ("multilingual", SIXTEEN_LANGUAGES),
        ("BAAI/bge-small-en-v1.5", {"en"}),
        ("BAAI/bge-small-zh-v1.5", {"en", "zh"}),
        ("jinaai/jina-embeddings-v2-base-de", {"en", "de"}),
        ("sentence-transformers/all-MiniLM-L6-v2", {"en"}),
        ("snowflake/snowflake-arctic-embed-m-long", {"en"}),
        ("thenlper/gte-base", {"en"}),
        ("nomic-ai/nomic-embed-text-v1.5-Q", {"en"}),
        ("sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", None),
        ("intfloat/multilingual-e5-large", None),
        ("jinaai/jina-embeddings-v3", None),
        ("google/embeddinggemma-300m", None),
        ("/srv/models/ours", None),
        ("", None),
    ],
)
def test_a_name_tells_the_languages_or_nothing(model: str, known: frozenset[str] | None) -> None:
    """Where it does not tell, nobody is told to change it."""
    assert languages_of(model) == known


@pytest.mark.parametrize(("text", "share"), [
    ("Where does Nela live?", 1.0), ("Dans quelle ville puis-je rendre visite à Nela ?", 0.5), ("In welcher Stadt wohnt Hanno?", 0.5),
    ("Nela Zadar", 1.0), ("", 1.0), ("😀", 1.0),
])  # fmt: skip
def test_a_model_of_english_reads_half_of_another_language(text: str, share: float) -> None:
    """Where nothing tells the language it is trusted."""
    assert fluency(text) == share
