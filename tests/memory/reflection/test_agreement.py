"""Only agreement reinforces: what is near and says something else never does, whatever the model calls it."""

from datetime import timedelta

import pytest

from memory import journal, store, transcript
from memory.attachments import sources_of
from memory.clock import ManualClock
from memory.domain import GLOBAL, Actor, Conversation, Layer, Memory, Role
from memory.engine import MemoryEngine, Vectors
from memory.reflection.operations import OpName, Outcome, Proposed, Reply
from memory.unit_of_work import UnitOfWork
from tests.fakes import HashingEmbedder
from tests.memory.lifecycle.lives import fresh, live
from tests.memory.reflection.samples import judge, memory
from tests.memory.reflection.test_application import verdict, write
from tests.memory.reflection.test_validation import private
from tests.memory.samples import AGENT, CHAT, HERE, NOW, keep, new

DIFFERENT = [
    ("Lives in Milan", "I moved to Berlin."),
    ("Phone number is 555 0134", "My phone number is 555 0143."),
    ("Yoga is on Tuesday", "Yoga is on Thursday."),
    ("Eats meat", "I do not eat meat."),
    ("Bob's birthday is in May", "Carl's birthday is in May."),
    ("Brother is called Will", "My brother is called Ben."),
    ("Owes Dan 20 euros", "Dan owes me 20 euros."),
    ("Sister is called Mia", "My sister is called May."),
    ("Wohnt in Mailand", "Ich wohne jetzt in Berlin."),
    ("Isst Fleisch", "Ich esse kein Fleisch."),
    ("Vive en Milán", "Ahora vivo en Berlín."),
    ("Come carne", "No como carne."),
    ("Habite à Milan", "J'habite à Berlin maintenant."),
    ("Mange de la viande", "Je ne mange pas de viande."),
    ("Живёт в Милане", "Я живу в Берлине."),
    ("Ест мясо", "Я не ем мясо."),
    ("住在米兰", "我住在柏林。"),
    ("吃肉", "我不吃肉。"),
    ("Abita a Milano", "Adesso abito a Berlino."),
    ("Mora em Milão", "Agora moro em Berlim."),
    ("Telefonnummer ist 0151 2345678", "Meine Telefonnummer ist 0151 2345687."),
    ("Numéro de téléphone : 06 12 34 56 78", "Mon numéro de téléphone est le 06 12 34 56 87."),
    ("电话号码是 13800138000", "我的电话号码是 13800138001。"),
    ("Yoga ist am Dienstag", "Yoga ist am Donnerstag."),
    ("Le yoga est le mardi", "Le yoga est le jeudi."),
    ("El yoga es los martes", "El yoga es los jueves."),
    ("Йога по вторникам", "Йога по четвергам."),
    ("瑜伽课在星期二", "瑜伽课在星期四。"),
    ("Lo yoga è il martedì", "Lo yoga è il giovedì."),
    ("Bobs Geburtstag ist im Mai", "Carls Geburtstag ist im Mai."),
    ("L'anniversaire de Bob est en mai", "L'anniversaire de Carl est en mai."),
    ("День рождения Боба в мае", "День рождения Карла в мае."),
    ("El cumpleaños de Bob es en mayo", "El cumpleaños de Carl es en mayo."),
    ("鲍勃的生日在五月", "卡尔的生日在五月。"),
    ("Drives a car", "I never drive a car."),
    ("Trinkt Kaffee", "Ich trinke keinen Kaffee mehr."),
    ("コーヒーを飲む", "コーヒーを飲まない。"),
    ("커피를 마신다", "커피를 마시지 않는다."),
    ("Lubi kawę", "Nie lubię kawy."),
    ("生日是5月3日", "我的生日是5月8日。"),
    ("誕生日は5月3日です", "誕生日は5月8日です。"),
    ("생일은 5월 3일이다", "내 생일은 5월 8일이다."),
    ("妹は東京に住んでいる", "妹は大阪に住んでいる。"),
    ("Birthday is on 3 May", "My birthday is on 8 May."),
    ("Meets Bob at 14:20", "I meet Bob at 12:40."),
    ("Email is anna@a.org", "My email is anna@b.org."),
    ("Is vegetarian", "My brother is vegetarian."),
    ("Likes jazz", "My wife likes jazz."),
    ("Mag Jazz", "Meine Frau mag Jazz."),
    ("Prefers tea over coffee", "I prefer coffee over tea."),
    ("Owes Bob 20 euros", "Bob owes me 20 euros."),
    ("Bob owes Mirela 20 euros", "I owe Bob 20 euros."),
    ("Anna taught Ben", "Ben taught Anna."),
    ("Helps her brother with homework", "My brother helps me with homework."),
    ("Mag hilft Tom", "Tom hilft Mag."),
    ("Schuldet Bob Geld", "Bob schuldet mir Geld."),
    ("Ayuda a Pedro", "Pedro me ayuda."),
    ("Помогает брату", "Брат помогает мне."),
]


@pytest.mark.parametrize(("held", "words"), DIFFERENT)
def test_another_value_never_reinforces(held: str, words: str) -> None:
    """Neither as the model's REINFORCE nor as an addition taken for a duplicate."""
    asked = private(words, memory(held, subject="Mirela", speaker="Mirela"))
    for operation in ({"op": "REINFORCE", "id": "m1"}, {"op": "ADD", "text": words}):
        (judged,) = judge(asked, operation).verdicts
        assert judged.outcome is not Outcome.REINFORCE, operation


SAME = [
    ("Lives in Milan", "I live in Milan, as you know."), ("Eats no meat", "I don't eat meat."), ("Wohnt in Mailand", "Ich wohne ja in Mailand."),
    ("Habite à Milan", "J'habite à Milan."), ("Vive en Milán", "Vivo en Milán."), ("Живёт в Милане", "Я живу в Милане."),
    ("住在米兰", "我住在米兰。"), ("吃肉", "我吃肉。"), ("コーヒーを飲む", "私はコーヒーを飲む。"), ("커피를 마신다", "나는 커피를 마신다."),
    ("Phone number is 555 0134", "My phone number is 555 0134."), ("Lubi kawę", "Lubię kawę."), ("Mora em Lisboa", "Eu moro em Lisboa."),
    ("Owes Bob 20 euros", "I owe Bob 20 euros."), ("Bob owes Mirela 20 euros", "Bob owes me 20 euros."), ("Anna lives in Graz", "In Graz lives Anna."),
    ("Anna and Ben are siblings", "Ben and Anna are siblings."), ("Schuldet Bob Geld", "Ich schulde Bob Geld."), ("Ayuda a Pedro", "Ayudo a Pedro."),
    ("Plays chess with Tom on Mondays", "On Mondays I play chess with Tom."), ("Helps her brother with homework", "I help my brother with homework."),
]  # fmt: skip


@pytest.mark.parametrize(("held", "words"), SAME)
def test_agreement_reinforces_in_any_language(held: str, words: str) -> None:
    asked = private(words, memory(held, subject="Mirela", speaker="Mirela"))
    (judged,) = judge(asked, {"op": "REINFORCE", "id": "m1"}).verdicts
    assert judged.outcome is Outcome.REINFORCE


def test_saying_it_again_counts_once_a_day_with_its_source_and_its_person(uow: UnitOfWork) -> None:
    held = keep(uow, "Anna sings.")
    for hour in range(5):
        again = verdict(
            "REINFORCE", Outcome.REINFORCE, target=fresh(uow, held), new=new("Anna sings.", sources=((9, 0, 5),))
        )
        write(uow, again, key=f"k{hour}", now=NOW + timedelta(hours=hour))
    assert fresh(uow, held).mentions == 1
    assert [source.message_id for source in sources_of(uow, held.id)] == [9]
    counted = [
        e for e in journal.of_memory(uow, AGENT, HERE, held.id) if e.operation == "REINFORCE" and e.before != e.after
    ]
    assert [entry.actor_id for entry in counted] == [CHAT]


# --- what a model's rating is worth


def rated(uow: UnitOfWork, *ratings: int, **fields: object) -> list[Memory]:
    made = [
        write(uow, verdict("ADD", new=new(f"Matter {n} {r}", importance=r, **fields)), key=f"k{n}")
        for n, r in enumerate(ratings)
    ]
    return [applied.added[0] for applied in made]


def test_a_model_that_calls_everything_important_is_read_relative_to_itself(uow: UnitOfWork) -> None:
    made = rated(uow, *[9] * 40)
    assert [memory.rated for memory in made] == [9] * 40
    assert made[0].importance == 9
    assert {(memory.importance, memory.layer) for memory in made[25:]} == {(5, Layer.BUFFER)}


@pytest.mark.parametrize(("explicit", "actor"), [(True, Actor.REFLECTION), (False, Actor.PERSON)])
def test_what_a_person_asked_to_keep_weighs_as_it_is(uow: UnitOfWork, explicit: bool, actor: Actor) -> None:
    rated(uow, *[9] * 40)
    asked = verdict("ADD", new=new("Never call before nine", importance=9, explicit=explicit))
    assert write(uow, asked, key="asked", actor=actor).added[0].importance == 9


def test_each_scope_is_measured_by_itself(uow: UnitOfWork) -> None:
    """What is inflated in one chat takes nothing from another, nor from what all share."""
    rated(uow, *[9] * 40)
    shared = verdict("ADD", new=new("Is called Anna", GLOBAL, importance=9))
    assert write(uow, shared, key="shared").added[0].importance == 9


def test_an_update_cannot_climb_past_the_guard(uow: UnitOfWork) -> None:
    held = keep(uow, "Lives in Milan", importance=3)
    rated(uow, *[9] * 40)
    changed = write(uow, verdict("UPDATE", target=held, new=new("Lives in Berlin", importance=9)), key="up").updated[0]
    assert changed.importance == 5


@pytest.mark.parametrize(
    ("text", "layer"), [("Lives in Berlin", Layer.WORKING), ("Lives in Milan with Ana", Layer.CORE)]
)
def test_what_replaces_a_core_statement_has_the_core_to_earn_anew(uow: UnitOfWork, text: str, layer: Layer) -> None:
    """What says the same and more has not been contradicted."""
    held = keep(uow, "Lives in Milan", layer=Layer.CORE)
    assert write(uow, verdict("UPDATE", target=held, new=new(text))).updated[0].layer is layer


@pytest.mark.parametrize(("days", "layer"), [(0, Layer.BUFFER), (1, Layer.WORKING)])
def test_a_matter_of_the_buffer_that_changes_on_a_second_day_settles(uow: UnitOfWork, days: int, layer: Layer) -> None:
    """That it changed is an occasion like any other."""
    held = keep(uow, "Lives in Milan")
    changed = verdict("UPDATE", target=held, new=new("Lives in Berlin"))
    assert write(uow, changed, now=NOW + timedelta(days=days)).updated[0].layer is layer


# --- used is not shown


def test_a_memory_that_is_shown_a_hundred_times_ages_like_one_that_is_not(uow: UnitOfWork) -> None:
    """Display moves nothing; a reply that relied on it does, once a day."""
    clock = ManualClock(NOW)
    made = MemoryEngine(AGENT, clock, HashingEmbedder)
    here = Conversation(CHAT)
    shown, other = keep(uow, "The locksmith is called Anacleto"), keep(uow, "The tailor lives in Porto")
    live(uow, 3)
    for n in range(100):
        clock.set(clock.now() + timedelta(minutes=20))
        question = transcript.add(uow, agent=AGENT, turn_key=f"q{n}", conversation=here, role=Role.USER, speaker="Anna",
                                  speaker_id=CHAT, text="What is the locksmith called?", sent_at=clock.now())  # fmt: skip
        found = made.recall(uow, HERE, question.text, Vectors(), limit=5, token_budget=500, count_tokens=len)
        assert [one.memory.id for one in found.chosen] == [shown.id]
        asked = made.brief(uow, here, question.id, owner_id=CHAT, timezone="UTC", recalled=[shown.id], vector=None)
        assert asked is not None
        judged = made.judge(uow, asked, Reply((Proposed(OpName.NOOP),), used=()))
        made.apply(uow, judged, asked, turn_key=f"q{n}", vectors={})
        made.move_cursor(uow, here, question.id)
    left, right = fresh(uow, shown), fresh(uow, other)
    assert (left.accessed_at, left.uses, left.revision) == (right.accessed_at, 0, right.revision)


def test_a_use_counts_once_a_day_and_makes_it_fresh(uow: UnitOfWork) -> None:
    held = keep(uow, "The locksmith is called Anacleto")
    for hour in (1, 2, 30):
        write(uow, verdict("NOOP"), used=(fresh(uow, held),), key=f"u{hour}", now=NOW + timedelta(hours=hour))
    used = store.get(uow, AGENT, HERE, held.id)
    assert used is not None
    assert (used.uses, used.accessed_at) == (2, NOW + timedelta(hours=30))
