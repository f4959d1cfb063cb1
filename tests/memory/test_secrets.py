"""Secrets in what people say, and what only sounds like one. All of them are invented or published examples."""

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.secrets import REDACTED, Span, find_secrets, kinds, redact

SECRETS = [
    "Mail password is Quartz!Lamp77",
    "Remember my mail password, it is Quartz!Lamp77. I change it every spring.",
    "My PIN is 4711",
    "meine PIN ist 4711",
    "PIN: 0815",
    "API key of the Topolino map service is mk_demo_51f0c2a97be34d18b6",
    "The API key is mk_demo_51f0c2a97be34d18b6.",
    "Paid the hotel with card 4111 1111 1111 1111",
    "card 4111111111111111",
    "5500-0000-0000-0004",
    "password: hunter2",
    "my password is swordfish",
    "мой пароль qwerty99",
    "Мой пароль: зайчик",
    "пароль от почты — Zx9!k",
    "my passport number is C01X00T47",
    "Passport C01X00T47",
    "Mein WLAN-Passwort lautet Sommer2024!",
    "Le mot de passe du wifi est Croissant42",
    "La contraseña es gatito123",
    "A senha é batata77",
    "het wachtwoord is Fiets!99",
    "密码是abc12345",
    "パスワードは sakura77 です",
    "비밀번호는 qwer1234",
    "كلمة السر هي Nakhla99",
    "şifrem aslan1905",
    "mitt lösenord är Kanel77",
    "salasana on Kissa99",
    "hasło to Kot123",
    "door code is 4471",
    "Der Türcode ist 4471",
    "The alarm code 9912",
    "seed phrase: abandon ability able about above absent absorb abstract absurd abuse access accident",
    "abandon ability able legal winner thank year wave sausage worth useful zoo",
    "IBAN DE89 3704 0044 0532 0130 00",
    "SSN 078-05-1120",
    "my social security number is 078051120",
    "github token ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "bot token 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx",
    "postgres://mirela:geheim@db.example/x",
    "身份证号 11010519491231002X",
    "護照號碼 A12345678",
    "my wifi key is KX8D92LM",
    "4711 is my PIN",
    "The password for the router is correct horse battery staple",
    "CVV 123",
    "The password for Netflix Gurke12",
    "Passwort für Netflix Gurke12",
    "mot de passe du wifi baleine42",
    "пароль от почты qwerty123",
    "Hasło do banku to Kotek7",
    "my password, Quartz!Lamp77, expires in May",
    "PIN for the phone 9031",
    "пин-код карты 4821",
    "My pin: four eight two one",
    "card 4111.1111.1111.1111",
    "card 4111/1111/1111/1111",
    "card number ４１１１ １１１１ １１１１ １１１１",
    "Personalausweis L01X00T47",
    "номер паспорта 4510 123456",
    "passcode: 271828",
    "code for the safe is... safe code 33-12-9",
    "sk-proj-abcdEFGH1234567890abcd",
    "Hasło do wifi: kotek",
    "the code to the gate is 5521",
]

HARMLESS = [
    "I keep my password in 1Password",
    "I need a password for my iPhone",
    "I changed the password on the router in 2019",
    "The pin of my Zephyr 300 broke",
    "The token for the tram costs 250 forints",
    "password for bank.example expires",
    "Changes the mail password every spring",
    "Hotel booking number is 70045518",
    "I forgot my password",
    "My password is too long",
    "My password is strong",
    "Mein Passwort ist abgelaufen",
    "Password manager is Bitwarden",
    "I keep my passwords in Bitwarden",
    "phone +49 170 1234567",
    "Order 4711-0815-2024 arrived",
    "The API key expired yesterday",
    "Uses the Topolino map service",
    "Gym membership number is 5512",
    "The locker number at the pool is 214",
    "I lost my passport in 2019",
    "My passport expires on 3 December 2026",
    "Has a PIN for the door",
    "We need a safe word",
    "Our office moved up to floor 8",
    "I was born in 1992",
    "My card runs out in April",
    "discount code SPRING10",
    "zip code 90210",
    "Room 1204, gate B12",
    "Tracking 1Z999AA10123456784",
    "https://example.com/a/b?c=deadbeefdeadbeef123",
    "uuid 123e4567-e89b-12d3-a456-426614174000",
    "milk, eggs, bread, butter, flour, sugar, salt, rice, beans, apples, pears, plums",
    "The password is in the drawer",
    "I changed the password today",
    "Reset your password at work on Monday",
    "我忘记密码了",
    "PIN is short for personal identification number",
    "He has a token of love",
    "Der Pass ist im Schrank",
    "I pass 12345 cars",
    "The key is under the mat",
    "A token costs 5 euros",
    "my parola means word",
    "flight LH1234 on 3 Dec",
    "Mi pasaporte caduca en 2027",
    "the recovery phrase is on paper at home in a safe",
    "Visa ends with 1111",
    "My ID card was lost",
    "Paid by credit card 20 euros",
    "The gate code changes on Mondays",
    "Her dress code is black",
    "password should have 12 characters",
    "The wifi password is on the fridge",
    "el de la clave es Juan",
    "SSN is a US thing",
    "Steuernummer beantragen",
    "My bank account number changed last year",
]


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_is_found_and_redaction_leaves_none(text: str) -> None:
    """Whatever the language of the words around it."""
    assert find_secrets(text)
    assert REDACTED in redact(text)
    assert find_secrets(redact(text)) == ()


@pytest.mark.parametrize("text", HARMLESS)
def test_what_opens_nothing_is_left_alone(text: str) -> None:
    """Bookings, telephones, dates, and that a secret exists, changed or was lost."""
    assert find_secrets(text) == ()
    assert redact(text) == text


def test_only_the_secret_is_taken_out() -> None:
    """The words around it stay as they were said."""
    text = "Remember my mail password, it is Quartz!Lamp77. I change it every spring."
    assert redact(text) == "Remember my mail password, it is [redacted]. I change it every spring."
    (span,) = find_secrets(text)
    assert span == Span(33, 46, "password")
    assert text[span.start : span.end] == "Quartz!Lamp77"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("My PIN is 4711", "pin"),
        ("paid with card 4111 1111 1111 1111", "card"),
        ("IBAN DE89 3704 0044 0532 0130 00", "account"),
        ("my passport number is C01X00T47", "document"),
        ("The API key is mk_demo_51f0c2a97be34d18b6", "key"),
        ("abandon ability able legal winner thank year wave sausage worth useful zoo", "recovery phrase"),
    ],
)
def test_it_says_what_sort_of_secret_it_is(text: str, kind: str) -> None:
    """So that the person can be told."""
    assert kinds(find_secrets(text)) == (kind,)


@pytest.mark.parametrize("digits", ["4111 1111 1111 1112", "70045518", "1234 5678 9012 3456", "0000 0000 0000 0000"])
def test_digits_without_the_check_digit_are_no_card(digits: str) -> None:
    """Order and tracking numbers are as long."""
    assert find_secrets(f"Order {digits} has arrived") == ()


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=120)
    | st.lists(
        st.sampled_from(["password", "is", ":", "пароль", "密码", "4711", "x!9Z", ".", " ", "PIN", "my", "\ud800"]),
        max_size=20,
    ).map(" ".join)
)
def test_spans_are_ordered_apart_and_inside_whatever_is_said(text: str) -> None:
    """And redaction changes nothing else."""
    spans = find_secrets(text)
    assert all(0 <= s.start < s.end <= len(text) for s in spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))
    kept = [
        text[a:b] for a, b in zip([0, *(s.end for s in spans)], [*(s.start for s in spans), len(text)], strict=True)
    ]
    assert redact(text) == REDACTED.join(kept)


@pytest.mark.parametrize(
    "text", ["password " * 6000, "the password is " * 4000, "a" * 60_000, "1 " * 30_000, "x:" * 30_000, "abc " * 15_000]
)
def test_a_long_paste_is_searched_in_reasonable_time(text: str) -> None:
    """Linear in its length."""
    start = time.perf_counter()
    find_secrets(text)
    assert time.perf_counter() - start < 10
