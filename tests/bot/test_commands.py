"""The commands about memory and conversation, as a person sends them."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from bot.commands import COMMANDS, MENU
from bot.listings import LISTINGS
from bot.storage.tables import inbox, outbox
from memory import forgetting, lived, store
from memory.domain import Status, chat_scope
from memory.policy import UNDO_DAYS
from memory.tables import memories, messages, operations
from memory.unit_of_work import UnitOfWork
from tests.bot.assistant import NOW, OWNER, Assistant
from tests.bot.telegram import payloads
from tests.memory.samples import CAUSE, keep

GROUP = payloads.GROUP
TOBIN = payloads.person(41, "Tobin")
BOT = payloads.BOT["username"]


async def everything_kept(here: Assistant) -> str:
    rows = [await here.rows(select(table)) for table in (messages, inbox, outbox, memories, operations)]
    return str([tuple(row) for found in rows for row in found])


async def in_group(here: Assistant, text: str, sender: dict[str, Any] = TOBIN) -> str:
    await here.says(text, sender, GROUP)
    return await here.last(GROUP["id"])


# --- help


async def test_help_lists_every_command_of_the_menu(here: Assistant) -> None:
    await here.says("/help")
    text = await here.last()
    assert all(f"/{name}" in text for name, _ in MENU)
    assert "/allow" in text


async def test_only_the_owner_is_told_of_the_owners_commands(here: Assistant) -> None:
    await here.allow(41)
    await here.says("/help", TOBIN)
    assert "/allow" not in await here.last(41)


async def test_start_greets_by_name_and_says_what_can_be_done(here: Assistant) -> None:
    await here.says("/start")
    assert (await here.last()).startswith("Hello Nadia!")
    assert "/remember" in await here.last()


async def test_a_command_that_does_not_exist_is_named_as_such(here: Assistant) -> None:
    await here.says("/dance")
    assert "don't know that command" in await here.last()
    assert here.model.requests == []


@pytest.mark.parametrize("name", sorted(COMMANDS))
async def test_every_command_answers_whatever_stands_behind_it(here: Assistant, name: str) -> None:
    """Nothing, noise, a foreign script, a number without end: there is an answer and the row is done."""
    for argument in ("", "  ", "\ud800\x00", "猫" * 700, "9" * 4000, "²", "-1", '" OR 1=1 --', "#", "a\nb"):
        row = await here.says(f"/{name} {argument}")
        assert await here.state(row) == "done"
    assert len(await here.said()) >= 10


# --- remember


async def test_what_shall_be_remembered_is_held_at_once(here: Assistant) -> None:
    await here.says("/remember My dentist is Dr Alvarez.")
    assert await here.last() == "I will remember: My dentist is Dr Alvarez."
    (memory,) = await here.memories()
    assert (memory.layer, memory.importance, memory.speaker_id) == ("working", 8, OWNER)


async def test_the_same_again_is_held_more_firmly_not_twice(here: Assistant) -> None:
    await here.says("/remember My dentist is Dr Alvarez.")
    (first,) = await here.memories()
    here.later(days=1)
    await here.says("/remember My dentist is Dr Alvarez")
    assert "knew that already" in await here.last()
    (memory,) = await here.memories()
    assert memory.mentions > first.mentions


@pytest.mark.parametrize(
    ("text", "answer"),
    [("", "For example"), ("x" * 601, "601 of at most 600"), ("   \n ", "For example")],
)
async def test_what_is_no_memory_is_refused_with_the_reason(here: Assistant, text: str, answer: str) -> None:
    await here.says(f"/remember {text}")
    assert answer in await here.last()
    assert await here.held() == []


@pytest.mark.parametrize("secret", ["My mail password is Quartz!Lamp77", "The card is 4111 1111 1111 1111"])
async def test_a_secret_is_refused_and_leaves_no_trace(here: Assistant, secret: str) -> None:
    await here.says(f"/remember {secret}")
    assert "do not keep those" in await here.last()
    kept = await everything_kept(here)
    assert secret.rsplit(maxsplit=1)[-1] not in kept


async def test_the_day_of_a_wish_is_a_lived_day(here: Assistant) -> None:
    await here.says("/remember My dentist is Dr Alvarez.")
    scope = chat_scope(OWNER)
    assert await here.read(lambda uow: lived.days_lived(uow, here.engine.agent, scope)) == (NOW.date(),)


async def test_reflection_does_not_learn_a_wish_twice(here: Assistant) -> None:
    """The command stands in the transcript; the next reflection sees it and finds it held."""
    await here.says("/remember My dentist is Dr Alvarez.")
    await here.says("Thanks")
    await here.settle()
    assert [text for text in await here.held() if "Alvarez" in text] == ["My dentist is Dr Alvarez."]


# --- memories


async def test_memories_are_listed_newest_first_with_mark_and_day(here: Assistant) -> None:
    await here.says("/remember I eat no shellfish.")
    here.later(days=1)
    await here.says("/remember My dentist is Dr Alvarez.")
    await here.says("/memories")
    lines = [line for line in (await here.last()).splitlines() if " · " in line]
    newest, oldest = await here.memories()
    assert lines == [
        f"{newest.id[-6:].lower()} · My dentist is Dr Alvarez. (2026-11-30)",
        f"{oldest.id[-6:].lower()} · I eat no shellfish. (2026-11-29)",
    ]


async def test_many_memories_come_page_by_page(here: Assistant) -> None:
    for n in range(23):
        await here.says(f"/remember Box {n} holds the {'abcdefghijklmnopqrstuvwxyz'[n] * 4} tools.")
    for first in ("", " 0", " 1"):
        await here.says(f"/memories{first}")
        assert "More: /memories 2" in await here.last()
    await here.says("/memories 2")
    assert (await here.last()).count(" · ") == 3
    await here.says("/memories 3")
    assert await here.last() == "There is no such page."


@pytest.mark.parametrize(
    "argument",
    [
        "foo",
        "archive 2 x",
        "archived 2 x",
        "unsure zwei",
        "archived zwei",
        "2 archived",
        "1 2",
        "-1",
        "²",
        "archived -1",
    ],
)
async def test_a_word_that_is_no_list_is_answered_with_the_lists_there_are(here: Assistant, argument: str) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says(f"/memories {argument}")
    answer = await here.last()
    assert answer.startswith("I have no such list.")
    assert all(f"/memories {word}".strip() in answer for word in LISTINGS)
    assert "shellfish" not in answer


@pytest.mark.parametrize(
    ("argument", "answer"),
    [
        ("1", "shellfish"),
        ("0", "shellfish"),
        ("001", "shellfish"),
        (" 2 ", "no such page"),
        ("9" * 400, "no such page"),
    ],
)
async def test_a_number_alone_is_a_page(here: Assistant, argument: str, answer: str) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says(f"/memories {argument}")
    assert answer in await here.last()


async def test_a_group_sees_its_own_memories_only(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await here.says("/remember I eat no shellfish.")
    assert "nothing in this chat yet" in await in_group(here, f"/memories@{BOT}")


# --- forget


async def test_what_is_forgotten_is_nowhere(here: Assistant) -> None:
    """Neither memory nor transcript, inbox, outbox or journal keeps a word of it."""
    await here.says("My ex is called Leontine Dray.")
    await here.says("My cat is called Biscuit.")
    await here.settle()
    await here.says("/memories")
    await here.says("/forget Leontine Dray")
    assert "Forgotten" in await here.last()
    kept = await everything_kept(here)
    assert "Leontine" not in kept
    assert "Dray" not in kept
    assert await here.held() == ["My cat is called Biscuit."]


async def test_what_was_forgotten_is_not_learnt_again(here: Assistant) -> None:
    await here.says("/remember My ex is called Leontine Dray.")
    await here.says("/forget Leontine Dray")
    await here.says("My ex is called Leontine Dray.")
    await here.settle()
    assert await here.held() == []


async def test_words_that_were_no_memory_yet_go_too(here: Assistant) -> None:
    await here.says("Between us: Leontine Dray called.")
    await here.says("/forget Leontine Dray")
    assert "no memory yet" in await here.last()
    assert "Leontine" not in await everything_kept(here)


async def test_a_mark_means_exactly_one(here: Assistant) -> None:
    await here.says("/remember The blue box holds skis.")
    await here.says("/remember The red box holds jars.")
    await here.says("/forget box things")
    assert "Which one?" in await here.last()
    (wanted,) = [memory for memory in await here.memories() if "skis" in memory.text]
    await here.says(f"/forget {wanted.id[-6:].lower()}")
    assert await here.held() == ["The red box holds jars."]


@pytest.mark.parametrize("about", ["", "the lighthouse of Alexandria"])
async def test_nothing_fitting_is_said_to_be_so(here: Assistant, about: str) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says(f"/forget {about}")
    assert "Forgotten" not in await here.last()
    assert await here.held() == ["I eat no shellfish."]


async def test_in_a_group_nobody_erases_what_others_said_of_themselves(here: Assistant) -> None:
    await here.allow_group(GROUP["id"], "all")
    await in_group(here, f"/remember@{BOT} My flight is LH117.", payloads.person(42, "Mirela"))
    assert "Forgotten" not in await in_group(here, f"/forget@{BOT} flight LH117")
    assert await here.held(GROUP["id"]) == ["My flight is LH117."]
    assert "LH117" in str(await here.rows(select(messages.c.text)))


async def test_a_name_taken_on_opens_nothing(here: Assistant) -> None:
    """People are told apart by account: who renames themselves "Mirela" is not Mirela."""
    await here.allow_group(GROUP["id"], "all")
    await in_group(here, f"@{BOT} My flight is LH117.", payloads.person(42, "Mirela"))
    here.thinker.script(
        '{"operations": [{"op": "ADD", "text": "Mirela\'s flight is LH117", "subject": "Mirela", "evidence": [1]}]}'
    )
    await here.settle()
    assert await here.held(GROUP["id"]) == ["Mirela's flight is LH117"]
    assert "Forgotten" not in await in_group(here, f"/forget@{BOT} LH117", payloads.person(43, "Mirela"))
    assert await here.held(GROUP["id"]) == ["Mirela's flight is LH117"]
    assert "Forgotten" in await in_group(here, f"/forget@{BOT} LH117", payloads.person(42, "Mirela"))


async def test_whom_it_is_about_may_have_it_erased(here: Assistant) -> None:
    await here.allow_group(GROUP["id"], "all")
    await in_group(here, f"@{BOT} Bob owes Tobin forty.", TOBIN)
    here.thinker.script(
        '{"operations": [{"op": "ADD", "text": "Bob owes Tobin forty", "subject": "Bob", "evidence": [1]}]}'
    )
    await here.settle()
    assert "Forgotten" in await in_group(here, f"/forget@{BOT} owes forty", payloads.person(44, "Bob"))
    assert await here.held(GROUP["id"]) == []


async def test_the_owner_erases_anything_of_a_group(here: Assistant) -> None:
    await here.allow_group(GROUP["id"], "all")
    await in_group(here, f"/remember@{BOT} My flight is LH117.")
    assert "Forgotten" in await in_group(here, f"/forget@{BOT} LH117", payloads.person())
    assert "LH117" not in await everything_kept(here)


async def test_what_is_true_everywhere_is_erased_where_it_was_said(here: Assistant) -> None:
    """The owner forgets a global fact from within a group; its words go from the private chat as well."""
    await here.allow_group(GROUP["id"])
    await here.says("My timezone is Lisbon.")
    here.thinker.script(
        '{"operations": [{"op": "ADD", "text": "My timezone is Lisbon", "scope": "global", "evidence": [1]}]}'
    )
    await here.settle()
    assert "Forgotten" in await in_group(here, f"/forget@{BOT} Lisbon", payloads.person())
    assert "Lisbon" not in await everything_kept(here)


# --- undo, why, new


async def test_the_last_change_is_taken_back_and_then_the_one_before(here: Assistant) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says("/remember My dentist is Dr Alvarez.")
    await here.says("/undo")
    assert await here.held() == ["I eat no shellfish."]
    await here.says("/undo")
    assert await here.held() == []
    await here.says("/undo")
    assert "no change here" in await here.last()


async def test_in_a_group_one_takes_back_ones_own_words_only(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await in_group(here, f"/remember@{BOT} We meet at nine.", payloads.person(42, "Mirela"))
    assert "no change here" in await in_group(here, f"/undo@{BOT}")
    assert "Taken back" in await in_group(here, f"/undo@{BOT}", payloads.person(42, "Mirela"))
    assert await here.held(GROUP["id"]) == []


async def test_the_owner_takes_back_anybodys_words_in_a_group(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await in_group(here, f"/remember@{BOT} We meet at nine.")
    assert "Taken back" in await in_group(here, f"/undo@{BOT}", payloads.person())


async def test_who_writes_as_the_group_has_no_words_of_their_own(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await in_group(here, f"/remember@{BOT} We meet at nine.")
    anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    await here.says(f"/undo@{BOT}", anonymous, GROUP, sender_chat=GROUP)
    assert "anonymously" in await here.last(GROUP["id"])
    assert await here.held(GROUP["id"]) == ["We meet at nine."]


async def test_another_persons_private_chat_takes_back_nothing_of_the_owners(here: Assistant) -> None:
    await here.allow(41)
    await here.says("/remember I eat no shellfish.")
    await here.says("/undo", TOBIN)
    assert "no change here" in await here.last(41)
    assert await here.held() == ["I eat no shellfish."]


async def test_a_global_fact_is_taken_back_where_it_was_said(here: Assistant) -> None:
    """What the note under the answer promises."""
    await here.says("My timezone is Lisbon.")
    here.thinker.script(
        '{"operations": [{"op": "ADD", "text": "My timezone is Lisbon", "scope": "global", "evidence": [1]}]}'
    )
    await here.settle()
    assert "/undo" in await here.last()
    await here.says("/undo")
    assert await here.held(-1) == []


async def test_behind_a_forgetting_nothing_is_taken_back_unasked(here: Assistant) -> None:
    """It would be a change that the person does not think of; "older" says that they do."""
    await here.says("/remember I eat no shellfish.")
    await here.says("/remember My dentist is Dr Alvarez.")
    await here.says("/forget dentist Alvarez")
    for _ in range(2):
        await here.says("/undo")
        answer = await here.last()
        assert "gone for good" in answer
        assert "/undo older" in answer
        assert await here.held() == ["I eat no shellfish."]
    await here.says("/undo Older ")
    assert (await here.last()).startswith("Taken back")
    assert await here.held() == []


async def test_where_only_a_forgetting_is_left_nothing_older_is_promised(here: Assistant) -> None:
    await here.says("/remember My dentist is Dr Alvarez.")
    await here.says("/forget dentist Alvarez")
    await here.says("/undo")
    assert "gone for good" in await here.last()
    assert "/undo older" not in await here.last()
    await here.says("/undo older")
    assert "no change here" in await here.last()


async def test_what_changed_after_a_forgetting_is_taken_back_as_ever(here: Assistant) -> None:
    """And then the forgetting is the last change again."""
    await here.says("/remember I eat no shellfish.")
    await here.says("/remember My dentist is Dr Alvarez.")
    await here.says("/forget dentist Alvarez")
    await here.says("/remember The bins go out on Tuesday.")
    await here.says("/undo")
    assert (await here.last()).startswith("Taken back")
    assert await here.held() == ["I eat no shellfish."]
    await here.says("/undo")
    assert "gone for good" in await here.last()
    assert await here.held() == ["I eat no shellfish."]


async def test_older_where_nothing_was_forgotten_is_the_last_change(here: Assistant) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says("/undo older")
    assert await here.held() == []


async def test_words_that_were_no_memory_are_forgotten_for_good_as_well(here: Assistant) -> None:
    """Who sends /undo now means the forgetting, not what was said before it."""
    await here.says("/remember I eat no shellfish.")
    await here.says("Between us: Leontine Dray called.")
    await here.says("/forget Leontine Dray")
    assert "no memory yet" in await here.last()
    await here.says("/undo")
    assert "gone for good" in await here.last()
    assert await here.held() == ["I eat no shellfish."]
    await here.says("/undo older please")
    assert await here.held() == []


async def test_a_wish_to_forget_what_is_nowhere_stands_in_no_undos_way(here: Assistant) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says("/forget Leontine Dray")
    await here.says("/undo")
    assert await here.held() == []


async def test_what_was_forgotten_can_be_remembered_again_on_purpose(here: Assistant) -> None:
    """Only reflection must not learn it again."""
    for _ in range(2):
        await here.says("/remember I eat no shellfish.")
        assert await here.held() == ["I eat no shellfish."]
        await here.says("/forget shellfish")
        assert await here.held() == []


async def test_a_forgetting_of_long_ago_is_out_of_undos_reach(here: Assistant) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says("/forget shellfish")
    here.later(days=UNDO_DAYS + 1)
    await here.says("/undo")
    assert "no change here" in await here.last()


MIRELA = payloads.person(42, "Mirela")


async def test_in_a_group_only_ones_own_forgetting_stands_in_ones_way(here: Assistant) -> None:
    """For the owner, who takes back anybody's words there, anybody's does."""
    await here.allow_group(GROUP["id"])
    await in_group(here, f"/remember@{BOT} We meet at nine.", MIRELA)
    await in_group(here, f"/remember@{BOT} My flight is LH117.")
    assert "Forgotten" in await in_group(here, f"/forget@{BOT} flight LH117")
    assert "gone for good" in await in_group(here, f"/undo@{BOT}", payloads.person())
    assert "gone for good" in await in_group(here, f"/undo@{BOT}")
    assert await here.held(GROUP["id"]) == ["We meet at nine."]
    assert "Taken back" in await in_group(here, f"/undo@{BOT}", MIRELA)
    assert await here.held(GROUP["id"]) == []


async def test_what_the_owner_had_forgotten_stands_in_no_members_way(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await in_group(here, f"/remember@{BOT} We meet at nine.")
    await in_group(here, f"/remember@{BOT} My flight is LH117.")
    assert "Forgotten" in await in_group(here, f"/forget@{BOT} flight LH117", payloads.person())
    assert "Taken back" in await in_group(here, f"/undo@{BOT}")
    assert await here.held(GROUP["id"]) == []


async def test_a_forgetting_in_one_chat_stands_in_no_other_chats_way(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await here.says("/remember I eat no shellfish.")
    await in_group(here, f"/remember@{BOT} My flight is LH117.", payloads.person())
    await in_group(here, f"/forget@{BOT} flight LH117", payloads.person())
    await here.says("/undo")
    assert await here.held() == []


async def test_a_global_fact_that_was_forgotten_stands_in_the_way_where_it_was_said(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await here.says("/remember I eat no shellfish.")
    await in_group(here, f"/remember@{BOT} We meet at nine.", payloads.person())
    await here.says("My timezone is Lisbon.")
    here.thinker.script(
        '{"operations": [{"op": "ADD", "text": "My timezone is Lisbon", "scope": "global", "evidence": [1]}]}'
    )
    await here.settle()
    await here.says("/forget Lisbon")
    assert "Forgotten" in await here.last()
    await here.says("/undo")
    assert "gone for good" in await here.last()
    assert "Taken back" in await in_group(here, f"/undo@{BOT}", payloads.person())
    assert await here.held() == ["I eat no shellfish."]


async def test_why_names_the_memories_and_what_spoke_for_them(here: Assistant) -> None:
    await here.says("/why")
    assert "not answered anything" in await here.last()
    await here.says("/remember The spare key hangs behind the boiler.")
    await here.says("Where is the spare key?")
    await here.says("/why")
    assert "• The spare key hangs behind the boiler.\n  score" in await here.last()


async def test_why_does_not_bring_back_what_is_gone(here: Assistant) -> None:
    await here.says("/remember The spare key hangs behind the boiler.")
    await here.says("Where is the spare key?")
    await here.says("/undo")
    await here.says("/why")
    assert await here.last() == "The memories my last answer could use are gone by now."


async def test_a_new_conversation_keeps_what_is_remembered(here: Assistant) -> None:
    await here.says("/remember I eat no shellfish.")
    await here.says("/new")
    assert await here.held(OWNER, Status.ACTIVE) == ["I eat no shellfish."]


# --- what sleeps, and what nobody confirmed


async def keep_aside(here: Assistant, status: Status, *texts: str, chat: int = OWNER, speaker: int = 41) -> None:
    def write(uow: UnitOfWork) -> None:
        for text in texts:
            keep(uow, text, chat_scope(chat), status=status, subject="Pavel", speaker="Pavel", speaker_id=speaker)

    await here.write(write)


@pytest.mark.parametrize(
    ("word", "status", "hint"),
    [("archived", Status.ARCHIVED, "ask about it or say it again"), ("unsure", Status.QUARANTINED, "say it yourself")],
)
async def test_each_list_shows_its_own_page_by_page(here: Assistant, word: str, status: Status, hint: str) -> None:
    """With marks, the hint how one comes back, and the number of the next page."""
    await keep_aside(here, status, *(f"Thing number {n}" for n in range(23)))
    await here.says("/remember My dentist is Dr Alvarez.")
    await here.says(f"/memories {word}")
    text = await here.last()
    assert text.count("Thing number") == 20
    assert hint in text
    assert f"More: /memories {word} 2" in text
    assert "Alvarez" not in text
    await here.says(f"/memories {word.upper()} 2")
    assert (await here.last()).count("Thing number") == 3


async def test_the_first_list_tells_of_the_others(here: Assistant) -> None:
    """And is silent where there is nothing to tell."""
    await here.says("/memories")
    assert "archived" not in await here.last()
    await keep_aside(here, Status.ARCHIVED, "One sleeps", "Two sleep")
    await keep_aside(here, Status.QUARANTINED, "Pavel moved to Lyon")
    await here.says("/memories")
    text = await here.last()
    assert "2 asleep: /memories archived" in text
    assert "1 not confirmed: /memories unsure" in text
    assert "sleeps" not in text


@pytest.mark.parametrize("word", ["archived", "unsure"])
async def test_an_empty_list_and_a_page_beyond_say_so(here: Assistant, word: str) -> None:
    await here.says(f"/memories {word}")
    assert "othing" in await here.last()
    await here.says(f"/memories {word} 7")
    assert await here.last() == "There is no such page."


async def test_members_of_a_group_see_what_sleeps_there_and_nowhere_else(here: Assistant) -> None:
    await here.allow_group(GROUP["id"])
    await keep_aside(here, Status.ARCHIVED, "The owner's secret hobby")
    await keep_aside(here, Status.ARCHIVED, "The tent is in the cellar", chat=GROUP["id"])
    text = await in_group(here, f"/memories@{BOT} archived")
    assert "tent" in text
    assert "hobby" not in text


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.QUARANTINED])
async def test_what_is_not_active_is_erased_by_its_mark(here: Assistant, status: Status) -> None:
    await keep_aside(here, status, "Pavel moved to Lyon")
    (memory,) = await here.memories(OWNER, status)
    await here.says(f"/forget {forgetting.mark(memory)}")
    assert (await here.last()).startswith("Forgotten")
    assert await here.memories(OWNER, *Status) == ()


async def test_a_claim_is_confirmed_by_a_wish_to_remember_it(here: Assistant) -> None:
    """One memory, no longer unsure."""
    await keep_aside(here, Status.QUARANTINED, "Pavel moved to Lyon")
    await here.says("/remember Pavel moved to Lyon")
    (memory,) = await here.memories(OWNER, *Status)
    assert (memory.status, memory.subject, memory.speaker_id) == (Status.ACTIVE, "Pavel", OWNER)


async def test_a_claim_is_confirmed_by_saying_it(here: Assistant) -> None:
    """Through the answer and its reflection, and what is told again of it is no second row."""
    await keep_aside(here, Status.QUARANTINED, "Pavel moved to Lyon")
    await here.says("Pavel moved to Lyon")
    await here.settle()
    assert await here.held(OWNER, Status.QUARANTINED) == []
    assert (await here.held()).count("Pavel moved to Lyon") == 1


async def test_why_tells_what_made_a_memory_possibly_outdated(here: Assistant) -> None:
    """And the prompt held the mark, with the reason."""

    def write(uow: UnitOfWork) -> None:
        keep(uow, "Nadia takes the Milan metro to work", chat_scope(OWNER), subject="Nadia", now=NOW)
        home = keep(uow, "Nadia lives in Milan", chat_scope(OWNER), subject="Nadia", now=NOW)
        change = {"text": "Nadia lives in Berlin", "valid_from": NOW + timedelta(days=1)}
        store.change(uow, home, now=NOW + timedelta(days=1), cause=CAUSE, **change)

    await here.write(write)
    here.later(days=2)
    await here.says("Which metro does Nadia take to work?")
    assert 'possibly_outdated="yes"' in here.prompt()
    await here.says("/why")
    assert "possibly outdated" in await here.last()
    assert "since then: Nadia lives in Berlin" in await here.last()
