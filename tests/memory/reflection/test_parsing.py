"""Models' replies: lenient in form, strict in substance."""

import json
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory.reflection.operations import Malformed, OpName, Proposed, Reply, Unreadable
from memory.reflection.parsing import MAX_CHARS, parse

OP = '{"op": "ADD", "text": "Keeps bees", "evidence": [1]}'
WHOLE = f'{{"operations": [{OP}]}}'

READABLE = [
    (WHOLE, 1),
    (f"```json\n{WHOLE}\n```", 1),
    (f"Looking at {{the chat}} I would keep: {WHOLE} Tell me if {{anything}} else!", 1),
    (f"[{OP},]", 1),
    (OP, 1),
    (f"{OP}\n{OP}", 2),
    (f'<think>{{"operations": []}} or not?</think>\n{WHOLE}', 1),
    (f'maybe {{"operations": []}} </think>\n[{OP}]', 1),
    (f'<reasoning>hm {{a: "b"}}</reasoning>{WHOLE}', 1),
    (f'{{"operations": [{OP}]', 1),
    (f'{{"result": {WHOLE}}}', 1),
    (f"{{operations: [{OP}]}}", 1),
    ("{'operations': [{'op': 'add', 'text': 'Anna\\'s van', 'evidence': [1]}]}", 1),
    ('{"Operations": [{"OP": "Add", "TEXT": "x y", "evidence": "1"}]}', 1),
    ('{"operations": {"op": "ADD", "text": "x y", "evidence": [1]}}', 1),
    ('{"operations": [{"op": "ADD", "text": "The "old" van", "evidence": [1]}]}', 1),
    ('{"operations": [{"op": "ADD", "text": "two\nlines", "evidence": [1]}]}', 1),
    ('{"operations": [{"op": "ADD", "text": "see {this} [that]", "evidence": [1]}]}', 1),
    (f"{WHOLE} // done", 1),
    ('{"operations": [{"op": "NOOP"}]}', 1),
    ("[]", 0),
    ("{}", 0),
    ("```json\n[]\n```", 0),
    ('{"operations": []}', 0),
]

UNREADABLE = [
    '{"operations": [{"op": "ADD", "text": "Works the early shift instead of the night shift',
    f'{{"operations": [{OP}, {{"op": "ADD", "text": "Wor',
    f'{{"operations": [{OP},',
    f'{{"operations": [{OP}',
    '{"operations": [{"op": "ADD", "text": "x", "evidence": [1]',
    '{"operations": [{"op": "ADD", "text": "x", "evidence": [1',
    '[{"op": "ADD", "text": "Works the early',
    '{"op": "ADD", "text": "Works the early"',
    '{"operations": [{"op": "ADD", "text": "cut\\',
    f"```json\n[{OP}, {{",
    f"<think>it never ends {WHOLE}",
    "",
    "   \n",
    "NOOP",
    "Nothing worth keeping, see [1] and {2}.",
    '{"answer": "none"}',
    "x" * (MAX_CHARS + 1),
]


@pytest.mark.parametrize(("raw", "count"), READABLE)
def test_a_complete_reply_is_read_whatever_stands_around_it(raw: str, count: int) -> None:
    """Fences, prose, reasoning, quotes of another kind, a missing last bracket."""
    reply = parse(raw)
    assert isinstance(reply, Reply)
    assert len(reply.entries) == count
    assert all(isinstance(entry, Proposed) for entry in reply.entries)


@pytest.mark.parametrize("raw", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_reply_cut_off_or_without_operations_is_unreadable_as_a_whole(raw: str) -> None:
    """Not even its complete operations are taken: it will be asked for again. The problem is a sentence."""
    reply = parse(raw)
    assert isinstance(reply, Unreadable)
    assert reply.problem.endswith(".")


@given(st.integers(1, len(WHOLE) - 3))
def test_no_place_to_cut_a_reply_lets_half_of_it_through(at: int) -> None:
    """Whatever the cut leaves."""
    assert isinstance(parse(WHOLE[:at]), Unreadable)


MALFORMED = [
    '"remember the tea"',
    "null",
    "5",
    "[]",
    '{"op": "FROB", "text": "x"}',
    '{"op": null, "text": "x"}',
    '{"text": "no op"}',
    '{"op": "ADD"}',
    '{"op": "ADD", "text": ""}',
    '{"op": "ADD", "text": " \\n\\u200b… "}',
    '{"op": "ADD", "text": 5}',
    '{"op": "ADD", "text": ["a"]}',
    '{"op": "UPDATE", "text": "x"}',
    '{"op": "UPDATE", "id": "m1"}',
    '{"op": "UPDATE", "id": {}, "text": "x"}',
    '{"op": "DELETE", "id": ""}',
    '{"op": "REINFORCE"}',
    '{"op": "ADD", "text": "x", "evidence": "the first"}',
    '{"op": "ADD", "text": "x", "evidence": [true]}',
    '{"op": "ADD", "text": "x", "evidence": {"n": 1}}',
]


@pytest.mark.parametrize("entry", MALFORMED)
def test_one_unusable_entry_does_not_take_the_sound_one_down(entry: str) -> None:
    """It keeps its place in the list."""
    reply = parse(f'{{"operations": [{entry}, {OP}]}}')
    assert isinstance(reply, Reply)
    assert isinstance(reply.entries[0], Malformed)
    assert isinstance(reply.entries[1], Proposed)


def test_optional_fields_of_odd_types_are_read_or_left_out() -> None:
    """Numbers as words of text, ids as numbers, single strings for lists."""
    entry = {
        "op": " update ",
        "id": 2,
        "text": " x y ",
        "evidence": ["#3", 4.0, "n 5"],
        "subject": ["a"],
        "kind": 3,
        "scope": "",
        "triggers": "sea",
    }
    reply = parse(json.dumps({"operations": [entry], "used": "m1"}))
    assert isinstance(reply, Reply)
    read = reply.entries[0]
    assert isinstance(read, Proposed)
    assert (read.op, read.id, read.text, read.evidence) == (OpName.UPDATE, "m2", "x y", (3, 4, 5))
    assert (read.subject, read.kind, read.scope, read.triggers, reply.used) == (None, None, None, ("sea",), ("m1",))


def test_what_cannot_be_stored_is_replaced() -> None:
    """NUL and lone surrogates."""
    reply = parse('{"operations": [{"op": "ADD", "text": "\\ud800x\\u0000y", "evidence": [1]}]}')
    assert isinstance(reply, Reply)
    assert reply.entries[0] == Proposed(OpName.ADD, text="\ufffdx\ufffdy", evidence=(1,))


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from([*list("{}[]\",:\\'` \n"), "op", '"op"', "ADD", "operations", "text", "1"]), max_size=40
    ).map("".join)
)
@example('{"operations": [{"op": "ADD", "text": 1e999}]}')
def test_no_text_makes_it_raise(raw: str) -> None:
    """Whatever a model writes."""
    assert isinstance(parse(raw), Reply | Unreadable)


@pytest.mark.parametrize(
    "raw", ["[" * 100_000, '{"a":' * 30_000, '{"operations": ' * 10_000, '[{"op":' * 20_000, "{" * 199_999]
)
def test_deep_nesting_is_no_way_to_hang_it(raw: str) -> None:
    """Read in linear time, refused."""
    start = time.perf_counter()
    assert isinstance(parse(raw), Unreadable)
    assert time.perf_counter() - start < 5


def test_a_draft_before_the_final_list_is_not_executed() -> None:
    """Of several lists the last one that holds anything counts."""
    draft = WHOLE.replace("bees", "wasps")
    reply = parse(f'First try: {draft}\nBetter: {WHOLE}\nOr {{"operations": []}}?')
    assert isinstance(reply, Reply)
    assert [e.text for e in reply.entries if isinstance(e, Proposed)] == ["Keeps bees"]
