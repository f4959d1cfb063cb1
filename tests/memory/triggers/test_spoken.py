"""A lesson as a person writes it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.triggers.spoken import bare, read


@pytest.mark.parametrize(
    ("written", "phrases", "tools"),
    [
        ("when deploying: test", ("deploying",), ()),
        ("deploying: test", ("deploying",), ()),
        ("before running tool_name: ask", (), ("tool_name",)),
        ("`git.push`: pull first", (), ("git.push",)),
        ("before using the tool reminders: ask", (), ("reminders",)),
        ("vor dem Tool send_mail: fragen", (), ("send_mail",)),
        ("before running deploy: ask", ("running deploy",), ("deploy",)),
        ("before running the tests: pull", ("running the tests",), ()),
        ("before calling mum: look at the clock", ("calling mum",), ()),
        ("cooking, baking or frying: apron", ("cooking", "baking", "frying"), ()),
        ("antes de volar o viajar: pasaporte", ("volar", "viajar"), ()),
        ("ao assinar o contrato: ler", ("assinar o contrato",), ()),
        ("wenn ich koche oder backe: Schürze", ("ich koche", "backe"), ()),
        ("avant d'envoyer une facture : vérifier", ("envoyer une facture",), ()),
        ("部署时：先跑测试", ("部署",), ()),
        ("デプロイする前に：テスト", ("デプロイ",), ()),
        ("배포하기 전에: 테스트", ("배포",), ()),
        ("قبل النشر: اختبر", ("النشر",), ()),
        ("meeting at 10:30: bring tea", ("meeting at 10:30",), ()),
        ("a: b: c", ("a",), ()),
    ],
)
def test_situation_and_advice_are_parted(written: str, phrases: tuple[str, ...], tools: tuple[str, ...]) -> None:
    found = read(written)
    assert found is not None
    assert (found.phrases, found.tools) == (phrases, tools)


@pytest.mark.parametrize("written", ["", ":", "x", "x:", ":x", " : ", "at 10:30 tea", "see https://a.b", ",: x"])
def test_without_situation_colon_or_advice_it_is_none(written: str) -> None:
    assert read(written) is None


def test_a_situation_of_one_leading_word_stays() -> None:
    """There is nothing else; whoever judges cues refuses it."""
    assert bare("when") == "when"


@settings(max_examples=80)
@given(st.text(max_size=80))
def test_no_text_raises(text: str) -> None:
    found = read(f"{text}: {text}")
    assert found is None or found.phrases or found.tools
