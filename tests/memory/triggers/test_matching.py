"""Whether a phrase was said."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.analysis import tokens
from memory.triggers.matching import by_term, length, met_by


def says(phrase: str, message: str) -> bool:
    return bool(met_by(phrase, by_term(tokens(message))))


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("when deploying", "I want to deploy the shop tonight"),
        ("send invoices", "the invoice is ready, please send it"),
        ("Rechnungen schreiben", "ich schreibe heute die Rechnung"),
        ("envoyer une facture", "la facture, je vais l'envoyer demain"),
        ("reservar un vuelo", "quiero un vuelo, ¿lo puedes reservar?"),
        ("firmare il contratto", "il contratto è da firmare oggi"),
        ("comprar bilhetes", "o bilhete, quero comprar hoje"),
        ("счета", "выстави счёт клиенту"),
        ("部署", "我们今晚要部署新版本"),
        ("デプロイ", "今からデプロイします"),
        ("배포", "오늘 배포를 할게요"),
        ("السفر", "غدا السفر الى روما"),
        ("C++", "a bug in my C++ code"),
        ("e-mail", "write an email"),
    ],
)
def test_any_form_and_order_says_it(phrase: str, message: str) -> None:
    """Ten languages and more; the small words of the phrase need not be said."""
    assert says(phrase, message)


@pytest.mark.parametrize(
    ("phrase", "message"),
    [("tax return", "in return for that"), ("when deploying", "when will it rain"), ("C++", "vitamin C"), ("部署", "部长"),
     ("deploy", ""), ("book a flight", "a good book")],
)  # fmt: skip
def test_half_a_phrase_or_its_small_words_do_not_say_it(phrase: str, message: str) -> None:
    assert not says(phrase, message)


def test_a_phrase_that_asks_for_more_words_is_longer() -> None:
    assert length("when deploying the shop") == 2
    assert length("deploying") == 1


@settings(max_examples=60)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_raises(phrase: str, message: str) -> None:
    says(phrase, message)
