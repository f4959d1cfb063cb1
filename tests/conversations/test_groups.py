"""Groups and topics with the real process: who is answered, where, and what stays where."""

import pytest

from tests.conversations.world import World
from tests.telegram_server import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_nothing_crosses_between_a_private_chat_and_two_groups(shared: World) -> None:
    """Asserted on what the model was really sent, over a chat with its owner, a group, and a forum with topics."""
    shared.model.behave("keep_statements", kind="reflection")
    tobin = shared.telegram.add_person("Tobin")
    trip = shared.telegram.add_chat("Trip", members=[shared.owner, tobin])
    forum = shared.telegram.add_chat("Choir", kind="forum", members=[shared.owner, tobin])
    hall = shared.telegram.create_topic(forum, "Hall")
    me = f"@{shared.telegram.bot.username}"
    for chat in (trip, forum):
        shared.telegram.say(shared.owner, f"/allow{me}", chat=chat)
        await shared.replies(chat, 1)
    shared.telegram.say(shared.owner, "The jeweller is Quillfeather and Sons.")
    shared.telegram.say(tobin, f"{me} we meet at platform nine.", chat=trip)
    shared.telegram.say(tobin, f"{me} the gig pays four hundred.", chat=forum, topic=hall)
    await shared.settled()
    question = "What do you know: jeweller, platform, gig, pays, meet?"
    shared.telegram.say(shared.owner, question)
    shared.telegram.say(tobin, f"{me} {question}", chat=trip)
    shared.telegram.say(tobin, f"{me} {question}", chat=forum, topic=hall)
    await shared.settled()
    secrets = {"Quillfeather": 0, "platform nine": 0, "four hundred": 0}
    for prompt in shared.model.prompts:
        held = [secret for secret in secrets if secret in prompt]
        assert len(held) <= 1, held
        for secret in held:
            secrets[secret] += 1
    assert all(count >= 2 for count in secrets.values()), secrets


async def test_answers_stay_in_their_topic(shared: World) -> None:
    forum = shared.telegram.add_chat("Choir", kind="forum", members=[shared.owner])
    hall = shared.telegram.create_topic(forum, "Hall")
    me = f"@{shared.telegram.bot.username}"
    shared.telegram.say(shared.owner, f"/allow{me}", chat=forum)
    await shared.replies(forum, 1)
    shared.telegram.say(shared.owner, f"{me} sum this topic up", chat=forum, topic=hall)
    await shared.replies(forum, 2)
    assert len(shared.telegram.replies(forum, topic=hall)) == 1
    typing = [
        call
        for call in shared.telegram.calls("sendChatAction")
        if call.params.get("chat_id") in {forum.id, str(forum.id)}
    ]
    assert {str(call.params["message_thread_id"]) for call in typing} == {str(hall)}


async def test_in_a_group_only_those_who_call_it_are_answered(shared: World) -> None:
    tobin = shared.telegram.add_person("Tobin")
    trip = shared.telegram.add_chat("Trip", members=[shared.owner, tobin])
    me = f"@{shared.telegram.bot.username}"
    shared.telegram.say(shared.owner, f"/allow{me}", chat=trip)
    await shared.replies(trip, 1)
    shared.telegram.say(tobin, "just talk among us", chat=trip)
    shared.telegram.say(tobin, f"{me.upper()} and you?", chat=trip)
    answers = await shared.replies(trip, 2)
    assert "and you?" in answers[1]
    assert all("among us" not in prompt for prompt in shared.model.prompts)


async def test_a_group_that_was_not_allowed_gets_no_answer(shared: World, guest: Person) -> None:
    eve = shared.telegram.add_person("Eve")
    strange = shared.telegram.add_chat("Strange", members=[eve])
    shared.telegram.say(eve, f"@{shared.telegram.bot.username} hello", chat=strange)
    shared.telegram.say(eve, f"/allow@{shared.telegram.bot.username}", chat=strange)
    shared.telegram.say(guest, "hi")
    await shared.replies(guest, 1)
    await shared.settled()
    assert shared.telegram.replies(strange) == []
    assert len(shared.prompts_for("turn")) == 1


async def test_a_group_that_becomes_a_supergroup_keeps_its_memory(shared: World) -> None:
    shared.model.behave("keep_statements", kind="reflection")
    tobin = shared.telegram.add_person("Tobin")
    old = shared.telegram.add_chat("Mill", kind="group", members=[shared.owner, tobin])
    me = f"@{shared.telegram.bot.username}"
    shared.telegram.say(shared.owner, f"/allow{me}", chat=old)
    await shared.replies(old, 1)
    shared.telegram.say(tobin, f"{me} our table at the Mill is number seventeen.", chat=old)
    await shared.settled()
    new = shared.telegram.migrate(old)
    await shared.settled()
    shared.telegram.say(tobin, f"{me} Which table at the Mill is ours?", chat=new)
    await shared.replies(new, 1)
    assert "number seventeen" in shared.prompts_for("turn")[-1].split("<memories>\n")[1]
