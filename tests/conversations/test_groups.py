"""Groups and topics with the real process: who is answered, where, and what stays where."""

from tests.conversations.world import World


async def test_nothing_crosses_between_a_private_chat_and_two_groups(here: World) -> None:
    """Asserted on what the model was really sent, over a chat with its owner, a group, and a forum with topics."""
    here.model.behave("keep_statements", kind="reflection")
    tobin = here.telegram.add_person("Tobin")
    trip = here.telegram.add_chat("Trip", members=[here.owner, tobin])
    forum = here.telegram.add_chat("Choir", kind="forum", members=[here.owner, tobin])
    hall = here.telegram.create_topic(forum, "Hall")
    await here.start()
    me = f"@{here.telegram.bot.username}"
    for chat in (trip, forum):
        here.telegram.say(here.owner, f"/allow{me}", chat=chat)
        await here.replies(chat, 1)
    here.telegram.say(here.owner, "The jeweller is Quillfeather and Sons.")
    here.telegram.say(tobin, f"{me} we meet at platform nine.", chat=trip)
    here.telegram.say(tobin, f"{me} the gig pays four hundred.", chat=forum, topic=hall)
    await here.settled()
    question = "What do you know: jeweller, platform, gig, pays, meet?"
    here.telegram.say(here.owner, question)
    here.telegram.say(tobin, f"{me} {question}", chat=trip)
    here.telegram.say(tobin, f"{me} {question}", chat=forum, topic=hall)
    await here.settled()
    secrets = {"Quillfeather": 0, "platform nine": 0, "four hundred": 0}
    for prompt in here.model.prompts:
        held = [secret for secret in secrets if secret in prompt]
        assert len(held) <= 1, held
        for secret in held:
            secrets[secret] += 1
    assert all(count >= 2 for count in secrets.values()), secrets


async def test_answers_stay_in_their_topic(here: World) -> None:
    forum = here.telegram.add_chat("Choir", kind="forum", members=[here.owner])
    hall = here.telegram.create_topic(forum, "Hall")
    me = f"@{here.telegram.bot.username}"
    await here.start()
    here.telegram.say(here.owner, f"/allow{me}", chat=forum)
    await here.replies(forum, 1)
    here.telegram.say(here.owner, f"{me} sum this topic up", chat=forum, topic=hall)
    await here.replies(forum, 2)
    assert len(here.telegram.replies(forum, topic=hall)) == 1
    typing = [
        call
        for call in here.telegram.calls("sendChatAction")
        if call.params.get("chat_id") in {forum.id, str(forum.id)}
    ]
    assert {str(call.params["message_thread_id"]) for call in typing} == {str(hall)}


async def test_in_a_group_only_those_who_call_it_are_answered(here: World) -> None:
    tobin = here.telegram.add_person("Tobin")
    trip = here.telegram.add_chat("Trip", members=[here.owner, tobin])
    me = f"@{here.telegram.bot.username}"
    await here.start()
    here.telegram.say(here.owner, f"/allow{me}", chat=trip)
    await here.replies(trip, 1)
    here.telegram.say(tobin, "just talk among us", chat=trip)
    here.telegram.say(tobin, f"{me.upper()} and you?", chat=trip)
    answers = await here.replies(trip, 2)
    assert "and you?" in answers[1]
    assert all("among us" not in prompt for prompt in here.model.prompts)


async def test_a_group_that_was_not_allowed_gets_no_answer(here: World) -> None:
    eve = here.telegram.add_person("Eve")
    strange = here.telegram.add_chat("Strange", members=[eve])
    await here.start()
    here.telegram.say(eve, f"@{here.telegram.bot.username} hello", chat=strange)
    here.telegram.say(eve, f"/allow@{here.telegram.bot.username}", chat=strange)
    here.telegram.say(here.owner, "hi")
    await here.replies(here.owner, 1)
    await here.settled()
    assert here.telegram.replies(strange) == []
    assert len(here.prompts_for("turn")) == 1


async def test_a_group_that_becomes_a_supergroup_keeps_its_memory(here: World) -> None:
    here.model.behave("keep_statements", kind="reflection")
    tobin = here.telegram.add_person("Tobin")
    old = here.telegram.add_chat("Mill", kind="group", members=[here.owner, tobin])
    me = f"@{here.telegram.bot.username}"
    await here.start()
    here.telegram.say(here.owner, f"/allow{me}", chat=old)
    await here.replies(old, 1)
    here.telegram.say(tobin, f"{me} our table at the Mill is number seventeen.", chat=old)
    await here.settled()
    new = here.telegram.migrate(old)
    await here.settled()
    here.telegram.say(tobin, f"{me} Which table at the Mill is ours?", chat=new)
    await here.replies(new, 1)
    assert "number seventeen" in here.prompts_for("turn")[-1].split("<memories>\n")[1]
