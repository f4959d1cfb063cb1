"""What a recall promises as a whole."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory import lexical
from memory.domain import AgentSlug, Scope
from memory.recall import recall
from memory.recall.pipeline import best_evidence
from memory.recall.question import understand
from memory.recall.values import Why
from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import AGENT, HERE, NOW, Aimed, Store, StoreMaker, write

HOSTILE = [
    "", "   ", "\n\t", "???", "\x00", "\ud800", "\udfff\ud800", "\u202e\u200f\u200b", "NEAR(", '"', "' OR 1=1 --", "a\x00b",
    "*", "AND", "OR NOT", "{a}", "scope:", "^", "🎂" * 4096, "word " * 10_000, "é" * 5_000, "猫" * 5_000, "\u0301" * 3_000,
    "a" * 100_000, "-" * 10_000, "a-" * 5_000, "1." * 5_000, "≈", "x≈", "\ufdfa" * 500, "".join(map(chr, range(0x3000))),
]  # fmt: skip


@pytest.mark.parametrize("query", HOSTILE, ids=[f"hostile{number}" for number in range(len(HOSTILE))])
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()], ids=["keywords", "both"])
def test_no_text_raises(query: str, embedder: HashingEmbedder | None, make_store: StoreMaker) -> None:
    """Whatever is typed, a recall gives a result."""
    make_store("The boat needs paint", "猫は寝る", embedder=embedder).ask(query)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=st.text(max_size=60), stored=st.text(min_size=1, max_size=200))
def test_no_pair_of_texts_raises(query: str, stored: str, make_store: StoreMaker) -> None:
    """Neither side of the analysis may break the other."""
    store = _reused(make_store)
    with store.database.write() as uow:  # never committed
        lexical.index(uow.connection, 1, AGENT, HERE, stored)
        recall(uow.connection, None, query, None, agent=AGENT, scope=HERE, now=NOW, count_tokens=len)


def _reused(make_store: StoreMaker) -> Store:
    """Give one store for all examples of a test."""
    if not hasattr(make_store, "reused"):
        make_store.reused = make_store("The boat needs paint")  # type: ignore[attr-defined]
    return make_store.reused  # type: ignore[attr-defined, no-any-return]


@pytest.mark.parametrize("query", ["", " ", "\n", "\x00", "?!", "\u200b"])
def test_a_question_without_words_gets_nothing(query: str, make_store: StoreMaker) -> None:
    """Blanks and punctuation ask for nothing, embedder or not."""
    assert make_store("The boat needs paint", embedder=HashingEmbedder()).ask(query).chosen == ()


def test_an_empty_store_gives_nothing(make_store: StoreMaker) -> None:
    """No memories, no scope of that name, no error."""
    store = make_store(embedder=HashingEmbedder())
    assert store.ask("boat").chosen == ()
    assert store.ask("boat", scope=Scope("chat:404")).chosen == ()


def test_other_assistants_and_other_chats_stay_out(make_store: StoreMaker) -> None:
    """Assistant and scope are filtered before anything is scored."""
    store = make_store(
        "The boat is blue",
        {"text": "The boat is red", "scope": "chat:2"},
        {"text": "The boat is shared", "scope": "global"},
        {"text": "The boat is theirs", "agent_slug": "other"},
        embedder=HashingEmbedder(),
    )
    assert set(store.texts("boat")) == {"The boat is blue", "The boat is shared"}
    assert store.texts("boat", scope=Scope("global")) == ["The boat is shared"]
    assert store.texts("boat", agent=AgentSlug("other")) == ["The boat is theirs"]
    left_out = {out.memory_id for out in store.ask("boat", limit=1).left_out}
    assert len(left_out) == 1  # the shared one; not even the reasons name what is not visible


@pytest.mark.parametrize("status", ["superseded", "quarantined", "archived"])
def test_only_active_memories_answer(status: str, make_store: StoreMaker) -> None:
    """What was replaced, is unconfirmed or asleep does not come up, not even by a cue."""
    hidden = {"text": "The boat is red", "status": status, "importance": 3, "triggers": ["boat"]}
    store = make_store("The boat is blue", hidden, embedder=HashingEmbedder())
    assert store.texts("boat") == ["The boat is blue"]


def test_a_cue_brings_its_lesson_whatever_the_score(make_store: StoreMaker) -> None:
    """A fired lesson has a slot although it shares no word and better ones would fill all."""
    rivals = [f"The bakery number {n} sells bread and writes offers" for n in range(8)]
    store = make_store({"text": "Check the VAT twice", "kind": "lesson", "triggers": ["send invoices"]}, *rivals)
    found = store.ask("the bakery wants an invoice sent")
    assert "Check the VAT twice" not in [one.memory.text for one in found.chosen]  # "sent" is no form of "send"
    found = store.ask("please send the invoice to the bakery", limit=2)
    lesson = next(one for one in found.chosen if one.memory.text == "Check the VAT twice")
    assert lesson.parts.fired == ("send invoices",)


@pytest.mark.parametrize(
    ("cue", "said"),
    [("发票", "请给我开发票"), ("Rechnungen", "schreib die Rechnung"), ("счёт", "выстави счета"), ("🧾", "where is the 🧾"),
     ("e-mail", "write an email"), ("AT&T", "call AT&T now"), ("인보이스", "인보이스를 보내 줘")],
)  # fmt: skip
def test_a_cue_is_heard_in_any_script_and_form(cue: str, said: str, make_store: StoreMaker) -> None:
    """Cues are matched as words are: without inflection, accents and case."""
    store = make_store({"text": "Zzz", "triggers": [cue]}, "Qqq")
    assert store.texts(said) == ["Zzz"]


def test_a_cue_needs_all_of_its_words(make_store: StoreMaker) -> None:
    """Half a phrase is no cue, and neither is a phrase without words."""
    store = make_store({"text": "Zzz", "triggers": ["tax return", "!!"]})
    assert store.texts("in return") == []
    assert store.texts("!!") == []
    assert store.texts("the return of the tax man") == ["Zzz"]


def test_a_memory_without_a_vector_is_found_by_its_words(make_store: StoreMaker) -> None:
    """While vectors are filled in, keywords serve; the missing half is not held against a memory."""
    embedder = HashingEmbedder()
    store = make_store("Plays the cello on Sundays", embedder=embedder)
    write(store.database, [{"text": "The kayak is at the lake"}], first_pk=10)
    found = store.ask("where is the kayak").chosen[0]
    assert (found.memory.text, found.parts.cosine) == ("The kayak is at the lake", None)


def test_two_models_never_meet(make_store: StoreMaker) -> None:
    """Vectors of another model are not compared, whatever their length."""
    store = make_store("Plays the cello", embedder=HashingEmbedder(digest="old"))
    asked = Store(store.database, HashingEmbedder(digest="new"))
    assert asked.ask("cello").chosen[0].parts.cosine is None


def test_idle_time_is_lived_time_where_it_is_known(make_store: StoreMaker) -> None:
    """The function given decides about age; without one plain time counts."""
    store = make_store({"text": "The boat is blue", "accessed_at": NOW - timedelta(weeks=1)})
    plain = store.ask("boat").chosen[0].parts.recency
    lived = store.ask("boat", lived_hours=lambda memory: 0.0).chosen[0].parts.recency
    assert plain == pytest.approx(0.3679, abs=1e-3)
    assert lived == 1.0


def test_a_written_change_is_seen_at_once(make_store: StoreMaker) -> None:
    """The next question finds what was stored a moment ago, although the vectors were loaded before."""
    store = make_store("The boat is blue", embedder=HashingEmbedder())
    store.ask("boat")
    write(store.database, [{"text": "A kayak hangs in the shed"}], store.embedder, first_pk=5)
    found = store.ask("kayak shed").chosen[0]
    assert found.memory.text == "A kayak hangs in the shed"
    assert found.parts.cosine is not None


def test_what_was_left_out_says_why(make_store: StoreMaker) -> None:
    """Each candidate that did not make it has a reason."""
    store = make_store("The boat is blue", "the Boat is blue!", "The boat has a sail", "The boat leaks at the bow")
    found = store.ask("blue boat", limit=2)
    assert sorted(out.why for out in found.left_out) == sorted([Why.SAME, Why.NO_SLOT])
    assert store.ask("boat", limit=0).chosen == ()


RIVALS = [f"The neighbour number {n} plays the trombone" for n in range(250)]


def test_a_statement_brings_up_what_clears_the_bar_and_not_what_shares_a_street(make_store: StoreMaker) -> None:
    """Two telling words in common answer a question; beside a statement they are chance."""
    store = make_store("The queue at the bakery was dull on Orchard Row", *RIVALS, embedder=HashingEmbedder())
    assert store.texts("What was it with Orchard Row?")
    told = (
        "I slept seven hours in Orchard Row, had pancakes, met Yusuf, ironed the shirts, cleaned all windows, queued, and watched "
        "a long film about owls."
    )
    assert store.texts(told) == []


SAID = "Ilka waters the balcony tomatoes"
TOLD = "I watered the balcony tomatoes of Ilka."


@pytest.mark.parametrize(("row", "comes"), [
    ({"importance": 5}, True), ({"importance": 4}, False), ({"importance": 5, "layer": "buffer"}, False),
    ({"importance": 5, "layer": "buffer", "mentions": 1}, True), ({"importance": 6, "layer": "buffer"}, False),
])  # fmt: skip
def test_nothing_light_or_passing_comes_up_beside_a_statement(
    row: dict[str, Any], comes: bool, make_store: StoreMaker
) -> None:
    """Nobody asked; asked for, all of them answer."""
    store = make_store({"text": SAID} | row, *RIVALS, embedder=HashingEmbedder())
    assert bool(store.texts(TOLD)) is comes
    assert SAID in store.texts("Who waters the balcony tomatoes?")


VASE = "I saw a nice vase in a shop window on Mill Lane"


@pytest.mark.parametrize(("said", "text", "cosine", "comes"), [
    ("Ha, nice.", VASE, 0.1, False), ("Ha, nice.", VASE, 0.5, True), ("A nice vase.", VASE, 0.1, True), ("Met Signe.", "Signe hums a nice tune", 0.1, True),
    ("Ha, nice one.", VASE, 0.1, False), ("Ha, nice. " * 20, VASE, 0.1, True),
], ids=["one word", "near in meaning", "two words", "a name", "one like a small word", "a paste"])  # fmt: skip
def test_one_common_word_brings_nothing_up_beside_a_statement(
    said: str, text: str, cosine: float, comes: bool, make_store: StoreMaker
) -> None:
    store = make_store(text, "Waters the fern", "Owns a kayak", embedder=Aimed({text: cosine}))
    assert (text in store.texts(said)) is comes
    assert (Why.CHANCE in {out.why for out in store.ask(said).left_out}) is not comes


@pytest.mark.parametrize(("row", "comes"), [
    ({"layer": "buffer", "importance": 3}, False), ({"layer": "buffer", "importance": 5}, True), ({"importance": 3}, True),
    ({"layer": "buffer", "importance": 3, "mentions": 1}, True),
], ids=["light and passing", "rated higher", "settled", "said again"])  # fmt: skip
def test_one_common_word_of_a_question_brings_no_passing_remark(
    row: dict[str, Any], comes: bool, make_store: StoreMaker
) -> None:
    """Unless the word is what the question is about."""
    store = make_store({"text": VASE} | row, "Waters the fern", "Owns a kayak", embedder=Aimed({VASE: 0.2}))
    assert (VASE in store.texts("Tell me something nice")) is comes
    assert VASE in store.texts("Which vase was it?")


# --- names, passing talk and what sleeps

SIGNE = "Signe is allergic to celery"
NEAREST = "The rota hangs in the hall"
ASKED, NOT_ASKED = "What could I serve Signe?", "I could serve Signe."
PASSING: dict[str, Any] = {"layer": "buffer", "importance": 3}


def around(make_store: StoreMaker, cosine: float, *others: str, **fields: Any) -> Store:
    """Give a store in which the memory about Signe stands out from nothing, and what lies nearest fails the floor."""
    embedder = Aimed({SIGNE: cosine, NEAREST: 0.2} | dict.fromkeys(others, cosine))
    return make_store({"text": SIGNE} | fields, NEAREST, *others, "Waters the fern", embedder=embedder)


def evidence(store: Store, query: str) -> float:
    """Give the best evidence for a question."""
    found = store.ask(query, limit=1)
    return max(one.parts.evidence for one in (*found.chosen, *found.left_out))


@pytest.mark.parametrize(("query", "fields", "comes"), [
    (ASKED, {}, True), (ASKED, PASSING, False), (ASKED, PASSING | {"mentions": 1}, True), (NOT_ASKED, {}, False),
], ids=["asked", "passing talk", "said again", "told"])  # fmt: skip
def test_a_name_asked_about_answers_from_seven_tenths_of_the_floor(
    query: str, fields: dict[str, Any], comes: bool, make_store: StoreMaker
) -> None:
    """Passing talk that drops a name is not about its bearer, and nobody asked who tells."""
    store = around(make_store, 0.1, **fields)
    assert 0.7 * 0.22 < evidence(store, query) < 0.22
    assert (SIGNE in store.texts(query)) is comes


@pytest.mark.parametrize(("bearers", "comes"), [(8, True), (9, False)])
def test_a_name_that_many_bear_opens_nothing(bearers: int, comes: bool, make_store: StoreMaker) -> None:
    store = around(make_store, 0.22, *(f"Signe hums tune number {n}" for n in range(bearers - 1)))
    assert 0.7 * 0.22 < evidence(store, ASKED) < 0.22
    assert (SIGNE in store.texts(ASKED, limit=20)) is comes


STUDY = "The study is painted white"


@pytest.mark.parametrize(("query", "text", "fields", "comes"), [
    ("Which shade has the study?", STUDY, {}, True), ("Which shade has the study?", STUDY, PASSING, False),
    ("I like the study.", STUDY, {}, False), ("Which shade has the study?", "Paints where the study is", {}, False),
], ids=["asked", "passing talk", "told", "about something else"])  # fmt: skip
def test_what_is_about_a_rare_thing_answers_from_below_the_floor(
    query: str, text: str, fields: dict[str, Any], comes: bool, make_store: StoreMaker
) -> None:
    embedder = Aimed({text: 0.15, NEAREST: 0.2})
    store = make_store({"text": text} | fields, NEAREST, "Waters the fern", embedder=embedder)
    assert 0.7 * 0.22 < evidence(store, query) < 0.22
    assert (text in store.texts(query)) is comes


@pytest.mark.parametrize(("text", "comes"), [
    ("The sewing machine is loud", True), ("Machine oil is in the shed", False), ("The sewing box is full", False),
])  # fmt: skip
def test_a_thing_is_asked_about_by_all_of_its_name(text: str, comes: bool, make_store: StoreMaker) -> None:
    store = make_store(text, NEAREST, "Waters the fern", embedder=Aimed({text: 0.2, NEAREST: 0.2}))
    asked = "Which noise does that good sewing or knitting machine make?"
    assert 0.7 * 0.22 < evidence(store, asked) < 0.22
    assert (text in store.texts(asked)) is comes


def test_a_rare_word_elsewhere_in_a_memory_does_not_make_it_about_what_everybody_tells_of(
    make_store: StoreMaker,
) -> None:
    """The study is in ten memories, the shade in one of them."""
    text = "The study is in the shade"
    others = [f"The study has lamp number {n}" for n in range(10)]
    store = make_store(text, *others, NEAREST, embedder=Aimed({text: 0.2, NEAREST: 0.2}))
    asked = "Which noise is there in the shade of this study, or is it quiet and dark everywhere?"
    assert 0.7 * 0.22 < evidence(store, asked) < 0.22
    assert store.texts(asked) == []


@pytest.mark.parametrize(("text", "fields"), [(STUDY, {}), (SIGNE, PASSING)], ids=["about a thing", "passing talk"])
def test_some_answer_for_nothing_but_themselves(text: str, fields: dict[str, Any], make_store: StoreMaker) -> None:
    """What lies at a quarter of the floor does not come along."""
    asked = "Which shade has the study?" if text == STUDY else "What must not be on the plate?"
    cosine = 0.15 if text == STUDY else 0.9
    store = make_store(
        {"text": text} | fields, NEAREST, "Waters the fern", embedder=Aimed({text: cosine, NEAREST: 0.2})
    )
    assert store.texts(asked) == [text]


def test_what_clears_the_floor_by_itself_opens_it_for_others_though_it_is_about_a_thing(make_store: StoreMaker) -> None:
    store = make_store(STUDY, NEAREST, "Waters the fern", embedder=Aimed({STUDY: 0.9, NEAREST: 0.2}))
    assert store.texts("Which shade has the study?") == [STUDY, NEAREST]


@pytest.mark.parametrize(("fields", "comes"), [({}, True), (PASSING, False)], ids=["settled", "passing talk"])
def test_passing_talk_does_not_come_along_with_what_clears_the_floor(
    fields: dict[str, Any], comes: bool, make_store: StoreMaker
) -> None:
    near = "Celery makes her itch"
    store = make_store({"text": NEAREST} | fields, near, "Waters the fern", embedder=Aimed({near: 0.9, NEAREST: 0.2}))
    assert store.texts("What should she leave out?") == ([near, NEAREST] if comes else [near])


@pytest.mark.parametrize(("fields", "come"), [
    (PASSING, {"Birds flew by", "Cakes smelt good"}), (PASSING | {"layer": "working"}, {*"ABCD"}), (PASSING | {"importance": 5}, {*"ABCD"}),
], ids=["passing talk", "settled", "rated higher"])  # fmt: skip
def test_of_light_passing_talk_the_nearest_two_come_up(
    fields: dict[str, Any], come: set[str], make_store: StoreMaker
) -> None:
    near = {"A bus was late": 0.8, "Birds flew by": 0.95, "Cakes smelt good": 0.9, "Dust lay around": 0.85}
    store = make_store(*({"text": text} | fields for text in near), "Waters the fern", embedder=Aimed(near))
    found = set(store.texts("What should she leave out?"))
    assert found == come or {text[0] for text in found} == come


def test_what_sleeps_is_no_evidence_of_what_a_store_knows(make_store: StoreMaker) -> None:
    """The floor is measured by it, and what sleeps has a bar of its own."""
    row = {"text": SIGNE, "status": "archived"}
    store = make_store(row, NEAREST, "Waters the fern", embedder=Aimed({SIGNE: 0.9, NEAREST: 0.3}))
    assert [one.revived for one in store.ask("What should she leave out?").chosen] == [True]
    assert store.embedder is not None
    vector = store.embedder.embed_query("")
    question = understand("What should she leave out?", vector, None, agent=AGENT, scope=HERE, now=NOW)
    with store.database.read() as uow:
        assert best_evidence(uow.connection, store.index, question) == pytest.approx(0.2)
