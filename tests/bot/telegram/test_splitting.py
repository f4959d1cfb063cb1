import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.telegram.formatting import Entity, Styled, render
from bot.telegram.splitting import split
from bot.telegram.styled import is_blank
from tests.bot.telegram.reading import cases, check_message, check_nesting, cut, grapheme_starts, places, styles, units
from tests.bot.telegram.test_formatting import markdown

LIMIT = 4096
Pieces = tuple[Styled, ...]


def build(recipe: dict[str, Any]) -> str:
    return recipe["joiner"].join(_build_part(part) for part in recipe["parts"])


def _build_part(part: dict[str, Any]) -> str:
    numbers = range(1, part.get("count", 0) + 1)
    match part["kind"]:
        case "text":
            return part["text"]
        case "repeat":
            return part["unit"] * part["times"]
        case "lines":
            return "\n".join(part["line"].replace("{n}", str(n)) for n in numbers)
        case "items":
            return part["sep"].join(part["item"].replace("{n}", str(n)) for n in numbers)
        case "wrap":
            return part["open"] + (part["unit"] * part["times"]).strip() + part["close"]
        case "fence":
            return (
                f"```{part['lang']}\n"
                + "\n".join(line for block in part["blocks"] for line in _code_lines(block))
                + "\n```"
            )
    raise AssertionError(part["kind"])


def _code_lines(block: dict[str, Any]) -> list[str]:
    filler = block.get("unit", "") * block.get("times", 0)
    return [block["line"].replace("{n}", str(n)).replace("{r}", filler) for n in range(1, block["count"] + 1)]


def within_limit(whole: Styled, pieces: Pieces) -> bool:
    return all(units(piece.text) <= LIMIT for piece in pieces)


def no_blank(whole: Styled, pieces: Pieces) -> bool:
    return all(piece.text.strip() for piece in pieces)


def lossless(whole: Styled, pieces: Pieces) -> bool:
    return "".join("".join(piece.text.split()) for piece in pieces) == "".join(whole.text.split())


def entities_inside(whole: Styled, pieces: Pieces) -> bool:
    return all(
        e.length > 0 and e.offset >= 0 and e.offset + e.length <= units(p.text) for p in pieces for e in p.entities
    )


def no_cut_surrogate(whole: Styled, pieces: Pieces) -> bool:
    return all(cut(piece.text, e.offset, e.length) for piece in pieces for e in piece.entities)


def no_cut_grapheme(whole: Styled, pieces: Pieces) -> bool:
    starts = grapheme_starts(whole.text)
    return all(start in starts for start, _ in places(whole.text, pieces))


def styles_kept(whole: Styled, pieces: Pieces) -> bool:
    return [mark for piece in pieces for mark in styles(piece)] == styles(whole)


def cut_at_line_ends(whole: Styled, pieces: Pieces) -> bool:
    spots = list(places(whole.text, pieces))
    return all("\n" in whole.text[a[1] : b[0]] for a, b in pairwise(spots))


def entity_cap(whole: Styled, pieces: Pieces) -> bool:
    return all(len(piece.entities) <= 100 for piece in pieces)


def links_whole(whole: Styled, pieces: Pieces) -> bool:
    def links(styled: Styled) -> list[tuple[str, str | None]]:
        return [(cut(styled.text, e.offset, e.length), e.url) for e in styled.entities if e.type == "text_link"]

    return [link for piece in pieces for link in links(piece)] == links(whole)


INVARIANTS: dict[str, Callable[[Styled, Pieces], bool]] = {
    "within_limit": within_limit,
    "no_blank": no_blank,
    "lossless": lossless,
    "entities_inside": entities_inside,
    "no_cut_surrogate": no_cut_surrogate,
    "no_cut_grapheme": no_cut_grapheme,
    "pre_keeps_language": styles_kept,
    "cut_at_line_ends": cut_at_line_ends,
    "entity_cap": entity_cap,
    "style_continues": styles_kept,
    "links_whole": links_whole,
}


def _more_cases() -> list[dict[str, Any]]:
    """Give cases of the same kinds with other contents."""
    common = [
        "within_limit",
        "no_blank",
        "lossless",
        "entities_inside",
        "no_cut_surrogate",
        "no_cut_grapheme",
        "progress",
    ]

    def case(
        name: str, pieces: list[int], parts: list[dict[str, Any]], *more: str, joiner: str = "\n\n"
    ) -> dict[str, Any]:
        return {
            "id": name,
            "gen": {"joiner": joiner, "parts": parts},
            "expect": {"pieces": pieces, "invariants": [*common, *more]},
        }

    code = {"kind": "fence", "lang": "go", "blocks": [{"line": "\tuse({n}) // {n}", "count": 200}]}
    return [
        case("quotes", [2, 4], [{"kind": "lines", "line": "> quoted line {n} of a long letter", "count": 300}], "style_continues", "cut_at_line_ends"),
        case("headings", [3, 5], [{"kind": "lines", "line": "## Heading number {n}", "count": 200}], "style_continues", "cut_at_line_ends"),
        case("links", [2, 12], [{"kind": "items", "item": "[page {n} of the guide](https://x.example/{n})", "count": 260, "sep": ", "}], "links_whole", "entity_cap"),
        case("long labels", [3, 5], [{"kind": "items", "item": "[" + "a long label " * 70 + "{n}](https://x.example/{n})", "count": 12, "sep": " "}], "links_whole"),
        case("code blocks", [3, 6], [{"kind": "text", "text": "First:"}, code, {"kind": "text", "text": "Then:"}, code, code], "pre_keeps_language", "cut_at_line_ends"),
        case("two tongues", [4, 9], [code, {"kind": "fence", "lang": "sql", "blocks": [{"line": "SELECT {n};", "count": 1200}]}], "pre_keeps_language", "cut_at_line_ends"),
        case("families", [4, 5], [{"kind": "repeat", "unit": "👨‍👩‍👧‍👦", "times": 1500}]),
        case("flags", [2, 3], [{"kind": "repeat", "unit": "🇳🇴", "times": 2000}], joiner=""),
        case("combined letters", [2, 3], [{"kind": "repeat", "unit": "e\u0301\u0323", "times": 2000}]),
        case("one letter too many", [2, 2], [{"kind": "repeat", "unit": "b", "times": 4097}]),
        case("wide at the edge", [2, 2], [{"kind": "repeat", "unit": "a", "times": 4095}, {"kind": "text", "text": "🎉z"}], joiner=""),
        case("hidden", [2, 4], [{"kind": "wrap", "open": "||", "close": "||", "unit": "the butler did it ", "times": 400}], "style_continues"),
        case("italics without blanks", [2, 3], [{"kind": "wrap", "open": "*", "close": "*", "unit": "長い話", "times": 2000}], "style_continues"),
        case("sentences", [3, 4], [{"kind": "repeat", "unit": "The tide came in. ", "times": 600}]),
        case("address", [2, 3], [{"kind": "repeat", "unit": "word ", "times": 780}, {"kind": "text", "text": "https://x.example/" + "p" * 900}]),
        case("empty lines", [2, 2], [{"kind": "text", "text": "a"}, {"kind": "fence", "lang": "", "blocks": [{"line": "top", "count": 1}, {"line": " ", "count": 6000}, {"line": "  end", "count": 1}]}]),
        case("bold code lines", [3, 8], [{"kind": "lines", "line": "- **item {n}** runs `step {n}`", "count": 220}], "style_continues", "entity_cap", "cut_at_line_ends"),
    ]  # fmt: skip


@pytest.mark.parametrize("case", [*cases("splitting.jsonl"), *_more_cases()], ids=lambda case: case["id"])
def test_a_case_is_cut_as_it_asks(case: dict[str, Any]) -> None:
    """The number of messages, the code's languages and all invariants are those of the case."""
    began = time.process_time()
    whole = render(build(case["gen"]))
    pieces = split(whole)
    assert time.process_time() - began < 2
    least, most = case["expect"]["pieces"]
    assert least <= len(pieces) <= most
    for name in case["expect"]["invariants"]:
        assert name == "progress" or INVARIANTS[name](whole, pieces), name
    languages = [e.language for piece in pieces for e in piece.entities if e.type == "pre"]
    assert list(dict.fromkeys(languages)) == case["expect"].get("languages", list(dict.fromkeys(languages)))
    assert styles_kept(whole, pieces)


def texts(pieces: Pieces) -> list[str]:
    return [piece.text for piece in pieces]


def test_a_paragraph_that_fits_is_not_cut() -> None:
    """The cut falls between paragraphs although more would fit into the first message."""
    assert texts(split(Styled("one two\n\nthree\nfour five"), 20)) == ["one two\n\nthree", "four five"]
    assert texts(split(Styled("one two three\n\nfour\nfive six"), 20)) == ["one two three", "four\nfive six"]


def test_a_line_that_fits_is_not_cut() -> None:
    """A short line goes alone when the next one needs a message of its own."""
    assert texts(split(Styled("a\nbb cc. dd ee ff gg"), 20)) == ["a\nbb cc. dd ee ff gg"]
    assert texts(split(Styled("a b\nbb cc. dd ee ff gg"), 20)) == ["a b", "bb cc. dd ee ff gg"]


def test_a_long_line_is_cut_after_a_sentence() -> None:
    """Then at a blank, then between two characters."""
    assert texts(split(Styled("It rained a lot. We stayed in"), 20)) == ["It rained a lot.", "We stayed in"]
    assert texts(split(Styled("the quick brown foxes jump"), 20)) == ["the quick brown", "foxes jump"]
    assert texts(split(Styled("雨下得很大。我们留在家里没有出门。今天"), 12)) == [
        "雨下得很大。",
        "我们留在家里没有出门。",
        "今天",
    ]
    assert texts(split(Styled("x" * 25), 10)) == ["x" * 10, "x" * 10, "x" * 5]


def test_code_that_fits_stays_whole() -> None:
    """The text before it goes first, if it is not too little to stand alone."""
    code = "a = 1\nb = 2\nc = 3"
    assert texts(split(render(f"Some words\n\n```py\n{code}\n```"), 24)) == ["Some words", code]
    assert texts(split(render(f"Some\n\n```py\n{code}\n```"), 22)) == ["Some\n\na = 1\nb = 2", "c = 3"]


def test_a_mark_on_a_blank_is_not_parted_from_it() -> None:
    """A message must not begin with half a character."""
    assert texts(split(Styled("aaaa bb \u0301cc"), 9)) == ["aaaa", "bb \u0301cc"]


def test_the_next_message_keeps_the_indentation_of_code() -> None:
    """Blanks at a cut go, but not those that begin a line of code."""
    pieces = split(render("```py\nif a:\n    b = 1\n    c = 2\n    d = 3\n```"), 22)
    assert pieces == (
        Styled("if a:\n    b = 1", (Entity("pre", 0, 15, language="py"),)),
        Styled("    c = 2\n    d = 3", (Entity("pre", 0, 19, language="py"),)),
    )


def test_a_link_longer_than_a_message_is_a_link_in_each() -> None:
    """It cannot stay whole; it must not hang either."""
    pieces = split(render(f"see [{'word ' * 9}](https://x.example) now"), 20)
    assert [cut(p.text, e.offset, e.length) for p in pieces for e in p.entities if e.url] == [
        "word word word",
        "word word word word",
        "word word",
    ]


def test_blank_text_gives_no_message() -> None:
    """So does text of invisible characters."""
    assert split(Styled("")) == split(Styled(" \n\u200b")) == ()


@pytest.mark.parametrize(("limit", "cap"), [(1, 90), (4096, 0)])
def test_a_message_without_room_is_refused(limit: int, cap: int) -> None:
    """Such a limit could never be kept."""
    with pytest.raises(ValueError, match="no message fits"):
        split(Styled("x"), limit, cap)


def visible(text: str) -> str:
    return "".join(char for char in text if not is_blank(char))


def entities() -> st.SearchStrategy[Entity]:
    kinds = st.sampled_from(["bold", "italic", "spoiler", "text_link", "code", "pre", "blockquote"])
    return st.builds(
        Entity, kinds, st.integers(-2, 60), st.integers(-1, 60), st.sampled_from([None, "https://x.example"])
    )


loose = st.text(st.sampled_from("ab .。，\n\t👩\u200d🚀e\u0301🇳🇴각\u1100\u0600"), max_size=60) | st.text(max_size=40)
arbitrary = st.builds(Styled, loose, st.lists(entities(), max_size=12).map(tuple))


@given(arbitrary, st.integers(2, 40), st.integers(1, 5))
@example(Styled("\n 0"), 2, 1)
@settings(max_examples=300, deadline=None)
def test_any_styled_text_is_cut_into_messages_that_telegram_takes(whole: Styled, limit: int, cap: int) -> None:
    """Also with entities out of place: nothing visible is lost, nothing exceeds the limits."""
    pieces = split(whole, limit, cap)
    for piece in pieces:
        assert units(piece.text) <= limit
        assert len(piece.entities) <= cap
        check_message(piece)
    assert visible("".join(texts(pieces))) == visible(regex.sub(r"[\x00\uD800-\uDFFF]", "\ufffd", whole.text))


@given(markdown, st.integers(12, 40))
@settings(max_examples=400, deadline=None)
def test_rendered_text_keeps_every_character_and_every_style(text: str, limit: int) -> None:
    """Cut anywhere, each character has the styles it had, and messages begin with whole characters that fit."""
    whole = render(text)
    pieces = split(whole, limit)
    for piece in pieces:
        check_message(piece)
        check_nesting(piece)
    assert [m for piece in pieces for m in styles(piece) if visible(m[0])] == [
        m for m in styles(whole) if visible(m[0])
    ]
