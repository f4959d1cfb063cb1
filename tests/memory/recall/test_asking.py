"""What asks, and what only tells; and what is not volunteered to those who tell."""

import pytest

from memory.domain import Kind, Layer, Memory
from memory.recall.asking import asks, is_unsettled
from tests.memory.recall.memories import memory

ASKING = [
    "Who is my dentist?", "who is my dentist", "Remind me of the dentist", "the locksmith in Porto", "dentist address", "Is Anna here",
    "Wo wohne ich", "In welcher Stadt arbeitet Petra", "Sag mir, wie sie heißt", "Où habite Jean ?", "¿Dónde vive Ana?", "donde vive ana",
    "Dove abita Luca", "Onde mora o Rui", "Где живёт Анна", "напомни про врача", "Gdzie mieszka Ola", "我住在哪里", "谁是我的牙医", "猫叫什么",
    "どこに住んでいますか。", "누구예요", "أين أسكن", "איפה אני גר", "Where do I live", "So, when is the concert",
]  # fmt: skip
TELLING = [
    "My phone was windy all afternoon.", "I had noodles for lunch.", "Someone told me a joke about soap.", "The bus was 12 minutes late.",
    "Anna is here.", "Ich wohne in Wien.", "Heute war das Essen gut.", "J'ai mangé une pomme.", "He comido pasta.", "Я сегодня устал.",
    "我今天吃了面条。", "I moved to Berlin", "Thanks, that helps.", "Good night!", "I read an article about taxes.", "今日は疲れました。",
]  # fmt: skip


@pytest.mark.parametrize("said", ASKING)
def test_questions_requests_and_bare_phrases_ask(said: str) -> None:
    assert asks(said)


@pytest.mark.parametrize("said", TELLING)
def test_statements_tell(said: str) -> None:
    assert not asks(said)


@pytest.mark.parametrize("said", ["", " ", "\x00", "\ud800", "?" * 5000, "a" * 10_000, "؟", ";"])
def test_any_text_is_read(said: str) -> None:
    assert asks(said) in {True, False}


@pytest.mark.parametrize(("held", "unsettled"), [
    (memory(layer=Layer.BUFFER, importance=3), True), (memory(layer=Layer.BUFFER, importance=9), True),
    (memory(layer=Layer.WORKING, importance=3), False), (memory(layer=Layer.BUFFER, importance=3, mentions=1), False),
    (memory(layer=Layer.BUFFER, importance=3, kind=Kind.PROCEDURAL), False),
])  # fmt: skip
def test_what_was_not_repeated_and_stays_in_the_buffer_is_unsettled(held: Memory, unsettled: bool) -> None:
    assert is_unsettled(held) is unsettled
