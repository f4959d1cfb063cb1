"""What sleeps and what was replaced: the cold comes back for the question that names it, the past beside what stands now."""

from datetime import timedelta
from typing import Any

import pytest

from memory.domain import Status
from memory.recall.past import asks_about_the_past
from memory.tables import memory_versions
from tests.fakes import HashingEmbedder
from tests.memory.recall.stores import NOW, Aimed, Store, StoreMaker

LOCKSMITH = {
    "text": "The locksmith in Porto is called Anacleto, his shop is behind the fish market",
    "status": "archived",
}
OTHERS = (
    "The boat needs paint", "Tea is in the left drawer", "Prefers window seats", "The neighbour plays the trombone",
    "Learning to bake bread", "Owns a sewing machine", "Choir is on Tuesdays",
)  # fmt: skip


@pytest.fixture(params=[None, HashingEmbedder()], ids=["keywords", "both"])
def embedder(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.mark.parametrize(
    "query", ["who is the locksmith in Porto?", "Anacleto the locksmith", "what is behind the fish market in Porto"]
)
def test_an_archived_memory_comes_back_for_the_question_that_names_it(
    query: str, embedder: Any, make_store: StoreMaker
) -> None:
    """Marked as revived, and still archived in the file: recall writes nothing."""
    found = make_store(LOCKSMITH, *OTHERS, embedder=embedder).ask(query).chosen
    revived = [one for one in found if one.revived]
    assert [one.memory.text for one in revived] == [LOCKSMITH["text"]]
    assert revived[0].memory.status is Status.ARCHIVED
    assert "archived" in revived[0].parts.explain()


@pytest.mark.parametrize(
    "query", ["what is in the drawer", "who is called the boat king", "market", "is the shop open on Tuesdays", ""]
)
def test_it_stays_asleep_for_any_other(query: str, embedder: Any, make_store: StoreMaker) -> None:
    """One shared word is chance."""
    found = make_store(LOCKSMITH, *OTHERS, embedder=embedder).ask(query)
    assert not [one for one in found.chosen if one.revived]


def test_an_archived_number_is_found_by_itself(make_store: StoreMaker) -> None:
    """A code is as specific as two words."""
    found = (
        make_store({"text": "Boiler filter is AX-4471-B", "status": "archived"}, *OTHERS).ask("part AX-4471-B?").chosen
    )
    assert [one.revived for one in found] == [True]


class Synonyms(HashingEmbedder):
    """Knows that two ways of putting it mean the same, though they share no word."""

    def embed_query(self, text: str) -> Any:
        for phrase in ("What must not be on the plate", "Which plate rules", "Plate rules"):
            text = text.replace(phrase, "allergic to celery")
        return super().embed_query(text)


MEANT = "What must not be on the plate?"
ALLERGIC = {"text": "Signe is allergic to celery", "status": "archived", "layer": "working"}


def woken(make_store: StoreMaker, query: str, *rows: Any, embedder: Any = None) -> list[str]:
    found = make_store(*rows, *OTHERS, embedder=embedder or Synonyms()).ask(query)
    return [one.memory.text for one in found.chosen if one.revived]


@pytest.mark.parametrize("importance", [4, 5])
def test_what_had_settled_comes_back_for_a_question_that_means_it(importance: int, make_store: StoreMaker) -> None:
    assert woken(make_store, MEANT, ALLERGIC | {"importance": importance}) == [ALLERGIC["text"]]


@pytest.mark.parametrize(("rated", "comes"), [(None, True), (5, True), (8, False)])
def test_what_weighed_something_comes_back_from_the_buffer_too(
    rated: int | None, comes: bool, make_store: StoreMaker
) -> None:
    """Unless it is what the guard against inflation made of a higher rating: that tells nothing."""
    said = ALLERGIC | {"layer": "buffer", "importance": 5, "rated": rated}
    assert bool(woken(make_store, MEANT, said)) is comes


@pytest.mark.parametrize("change", [
    {"layer": "buffer", "importance": 4}, {"expires_at": NOW - timedelta(days=2)}, {"status": "superseded"}, {"scope": "chat:2"}, {"importance": 3},
], ids=["passing talk", "over", "replaced", "elsewhere", "a trifle"])  # fmt: skip
def test_nothing_else_comes_back_by_meaning(change: dict[str, Any], make_store: StoreMaker) -> None:
    assert woken(make_store, MEANT, ALLERGIC | change) == []


@pytest.mark.parametrize("said", ["I have put it on the plate: What must not be on the plate, was.", "Plate rules"])
def test_neither_a_statement_nor_a_bare_phrase_wakes_by_meaning(said: str, make_store: StoreMaker) -> None:
    """A phrase may be a greeting."""
    assert woken(make_store, said, ALLERGIC) == []
    assert woken(make_store, said.replace("Plate rules", "Which plate rules?"), ALLERGIC) == (
        [ALLERGIC["text"]] if said == "Plate rules" else []
    )


def test_a_statement_does_not_even_look_at_what_sleeps(make_store: StoreMaker) -> None:
    said = "I have put it on the plate: What must not be on the plate, was."
    store = make_store(ALLERGIC, *OTHERS, embedder=Aimed({ALLERGIC["text"]: 0.95}))
    found = store.ask(said)
    assert not [one for one in (*found.chosen, *found.left_out) if one.parts.revived], "nobody even looked"
    assert [one.revived for one in store.ask(MEANT).chosen] == [True]


def test_a_statement_that_names_what_sleeps_outright_lets_it_sleep(embedder: Any, make_store: StoreMaker) -> None:
    said = "I met Anacleto, the locksmith in Porto, near the fish market."
    assert woken(make_store, said, LOCKSMITH, embedder=embedder or Aimed({})) == []


def test_what_answers_as_well_awake_lets_it_sleep(make_store: StoreMaker) -> None:
    awake = ALLERGIC | {"status": "active"}
    assert woken(make_store, MEANT, ALLERGIC, awake) == []


@pytest.mark.parametrize(("cosine", "wakes"), [(0.84, False), (0.86, False), (0.89, True)])
def test_what_sleeps_must_be_clearly_better_than_what_is_awake(
    cosine: float, wakes: bool, make_store: StoreMaker
) -> None:
    """A cosine of 0.075 more is evidence of 0.05 more."""
    embedder = Aimed({"Gets a rash from celery": cosine, "Cooks stews": 0.8})
    rows = (ALLERGIC | {"text": "Gets a rash from celery"}, "Cooks stews")
    assert bool(woken(make_store, MEANT, *rows, embedder=embedder)) is wakes


@pytest.mark.parametrize(("asleep", "bearers", "wakes"), [
    ("Signe gets a rash from celery", 0, True), ("Signe gets a rash from celery", 7, True),
    ("Signe gets a rash from celery", 8, False), ("She gets a rash from celery", 0, False),
])  # fmt: skip
def test_a_rare_name_wakes_what_bears_it_beside_anything_awake(
    asleep: str, bearers: int, wakes: bool, make_store: StoreMaker
) -> None:
    """What else is known of somebody is no answer; of one whom many memories name, the nearest is."""
    known = [f"Signe hums tune number {n}" for n in range(bearers)]
    embedder = Aimed({asleep: 0.75, "Cooks stews": 0.98})
    rows = (ALLERGIC | {"text": asleep}, "Cooks stews", *known)
    assert bool(woken(make_store, "What must Signe leave?", *rows, embedder=embedder)) is wakes


@pytest.mark.parametrize(("cosine", "wakes"), [(0.3, True), (0.15, False)])
def test_a_rare_name_wakes_from_seven_tenths_of_the_bar(cosine: float, wakes: bool, make_store: StoreMaker) -> None:
    asleep = ALLERGIC | {"text": "Signe gets a rash from celery"}
    store = make_store(asleep, *OTHERS, embedder=Aimed({asleep["text"]: cosine}))
    found = store.ask("What must Signe leave?").chosen
    assert bool(found) is wakes
    assert all(cosine / 1.5 < 0.7 * 0.41 < one.parts.evidence < 0.41 for one in found)


def test_without_sight_only_words_wake(make_store: StoreMaker) -> None:
    found = make_store(ALLERGIC, *OTHERS).ask(MEANT)
    assert not found.chosen


SEXTANT = {"text": "The brass sextant is lost", "status": "archived", "layer": "working"}
LONG = "Which brass sextant could we lend cousin Ottokar before winter storms hit harbour walls again?"


@pytest.mark.parametrize(("query", "row", "wakes"), [
    ("What must Signe leave?", ALLERGIC, True), ("What must celery cost?", ALLERGIC, False),
    (LONG, SEXTANT, True), (LONG.replace("brass ", ""), SEXTANT, False),
], ids=["a name", "a word", "two words", "one of two"])  # fmt: skip
def test_a_name_or_two_words_that_only_it_has_wake_without_sight(
    query: str, row: dict[str, Any], wakes: bool, make_store: StoreMaker
) -> None:
    """Though they are less than half of the question."""
    store = make_store(row, *OTHERS)
    assert bool([one for one in store.ask(query).chosen if one.revived]) is wakes


def test_passing_talk_comes_back_only_where_half_of_the_question_names_it(make_store: StoreMaker) -> None:
    store = make_store(SEXTANT | {"layer": "buffer", "importance": 4}, *OTHERS)
    assert store.ask(LONG).chosen == ()
    assert [one.revived for one in store.ask("Which brass sextant?").chosen] == [True]


def test_passing_talk_that_says_no_more_than_what_is_awake_sleeps_on(embedder: Any, make_store: StoreMaker) -> None:
    asleep, awake = (
        LOCKSMITH | {"layer": "buffer", "importance": 4},
        "The locksmith in Porto, behind the fish market, shut",
    )
    store = make_store(asleep, awake, *OTHERS, embedder=embedder)
    asked = "Who is the locksmith in Porto behind the fish market?"
    assert not [one for one in store.ask(asked).chosen if one.revived]
    assert [one for one in store.ask(f"{asked} Is he called Anacleto?").chosen if one.revived]


def test_two_come_back_at_most(make_store: StoreMaker) -> None:
    """Those that lie nearest."""
    near = {"Itches from nuts": 0.7, "Sneezes at cats": 0.95, "Swells from wasps": 0.8, "Coughs in smoke": 0.9}
    many = [ALLERGIC | {"text": text} for text in near]
    assert woken(make_store, MEANT, *many, embedder=Aimed(near)) == ["Sneezes at cats", "Coughs in smoke"]


def test_what_wakes_brings_nothing_else_up(make_store: StoreMaker) -> None:
    """It opens the floor for itself alone."""
    found = make_store(ALLERGIC, "Celery soup needs cream", *OTHERS, embedder=Synonyms()).ask(MEANT)
    assert [one.memory.text for one in found.chosen] == [ALLERGIC["text"]]


def moved(make_store: StoreMaker, embedder: Any) -> Store:
    """Anna moved twice: once a row was replaced, once a text was changed."""
    store = make_store(
        {"text": "Anna lives in Milan near the canal", "status": "superseded", "superseded_by": f"{2:026}",
         "valid_from": NOW - timedelta(days=900), "valid_to": NOW - timedelta(days=300)},
        {"text": "Anna lives in Berlin"}, *OTHERS, embedder=embedder,
    )  # fmt: skip
    with store.database.write() as uow:
        values = {"memory_id": f"{2:026}", "revision": 1, "text": "Anna lives in Potsdam",
                  "valid_from": NOW - timedelta(days=300), "valid_to": NOW - timedelta(days=30)}  # fmt: skip
        uow.connection.execute(memory_versions.insert().values(values))
        uow.commit()
    return store


def test_a_question_about_the_past_sees_the_chain_beside_its_successor(embedder: Any, make_store: StoreMaker) -> None:
    """Oldest first, with the time for which it was true."""
    found = moved(make_store, embedder).ask("where did Anna live before?").chosen[0]
    assert found.memory.text == "Anna lives in Berlin"
    assert [one.text for one in found.former] == ["Anna lives in Milan near the canal", "Anna lives in Potsdam"]
    assert found.former[0].valid_to == NOW - timedelta(days=300)


def test_a_question_about_the_present_does_not(embedder: Any, make_store: StoreMaker) -> None:
    """What was true is no answer to what is."""
    found = moved(make_store, embedder).ask("where does Anna live?").chosen
    assert found[0].memory.text == "Anna lives in Berlin"
    assert found[0].former == ()


def test_a_replaced_statement_that_is_named_brings_its_successor(embedder: Any, make_store: StoreMaker) -> None:
    """Never alone: who asks about Milan learns that it is Berlin now."""
    found = moved(make_store, embedder).ask("Milan canal").chosen
    assert [one.memory.text for one in found] == ["Anna lives in Berlin"]
    assert "Anna lives in Milan near the canal" in [one.text for one in found[0].former]


@pytest.mark.parametrize("successor", [None, f"{99:026}", f"{1:026}"])
def test_without_a_successor_in_sight_it_stays_away(successor: str | None, make_store: StoreMaker) -> None:
    """Deleted, gone, or going round in circles."""
    row = {"text": "Anna lives in Milan near the canal", "status": "superseded", "superseded_by": successor}
    assert make_store(row, *OTHERS).texts("Milan canal") == []


def test_a_successor_of_another_chat_is_none(make_store: StoreMaker) -> None:
    """What may not be seen does not stand in."""
    row = {"text": "Anna lives in Milan near the canal", "status": "superseded", "superseded_by": f"{2:026}"}
    store = make_store(row, {"text": "Anna lives in Berlin", "scope": "chat:2"}, *OTHERS)
    assert store.texts("Milan canal") == []


def test_the_past_is_paid_for(make_store: StoreMaker) -> None:
    """Former statements count into the token budget."""
    store = moved(make_store, None)
    assert store.texts("where did Anna live before", token_budget=10) == []
    assert store.texts("where does Anna live", token_budget=10) == ["Anna lives in Berlin"]


@pytest.mark.parametrize(
    "query",
    ["where did I live before?", "what did she use to drink — what she used to like", "my old address", "Wo wohnte ich früher?",
     "где я жил раньше", "où habitait-elle avant", "¿dónde vivía antes?", "以前住哪里", "前に住んでいた所は", "예전에 어디 살았지",
     "dove abitava prima", "waar woonde ik vroeger", "gdzie mieszkałem wcześniej", "eskiden nerede otururdum", "أين كنت أسكن سابقا"],
)  # fmt: skip
def test_questions_about_the_past_are_heard(query: str) -> None:
    """In many languages."""
    assert asks_about_the_past(query)


@pytest.mark.parametrize(
    "query", ["where does she live", "Wo wohne ich?", "где я живу", "住哪里", "", "\ud800", "beforehand notice"]
)
def test_other_questions_are_not(query: str) -> None:
    """A part of a word is no cue."""
    assert not asks_about_the_past(query)
