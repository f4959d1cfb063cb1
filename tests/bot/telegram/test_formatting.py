import time
from typing import Any
from urllib.parse import unquote

import pytest
import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from bot.telegram.formatting import Entity, Styled, plain, render
from bot.telegram.splitting import split
from tests.bot.telegram.reading import blanks_as_one, cases, check_message, check_nesting, cut, joined, merged

MARKS = [
    "*",
    "**",
    "***",
    "_",
    "__",
    "~~",
    "||",
    "`",
    "```",
    "[",
    "](",
    ")",
    "<",
    ">",
    "\\",
    "$",
    "$$",
    "|",
    "!",
    "&",
    "\n",
]
WORDS = [
    "a",
    "Bz",
    "7",
    "中文",
    "한국",
    "ה",
    "é",
    "👩‍🚀",
    "e\u0301",
    " ",
    "\n\n",
    "- ",
    "1. ",
    "# ",
    "> ",
    "---",
    "|-|",
    ": ",
    ".",
    "/",
]
markdown = st.lists(st.sampled_from(MARKS + WORDS) | st.text(max_size=3), max_size=40).map("".join)


def shown(text: str) -> list[tuple[str, str]]:
    """Give type and text of every entity."""
    styled = render(text)
    return [(entity.type, cut(styled.text, entity.offset, entity.length)) for entity in styled.entities]


def matches(wanted: dict[str, Any], entity: Entity, text: str) -> bool:
    if entity.type != wanted["type"] or wanted.get("language", entity.language) != entity.language:
        return False
    if "url" in wanted and unquote(wanted["url"]) != unquote(entity.url or ""):
        return False
    covered = blanks_as_one(text, entity.type)
    if "contains" in wanted:
        return blanks_as_one(wanted["contains"], entity.type) in covered
    return "text" not in wanted or covered == blanks_as_one(wanted["text"], entity.type)


def check_lines(text: str, fragments: list[str]) -> None:
    lines = text.split("\n")
    place = -1
    for fragment in fragments:
        place = next(number for number in range(place + 1, len(lines)) if fragment in lines[number])


@pytest.mark.parametrize("case", cases("formatting.jsonl"), ids=lambda case: case["id"])
def test_a_case_is_shown_as_it_asks(case: dict[str, Any]) -> None:
    """Text, styles and what must be absent are those of the case, over all messages."""
    expect = case["expect"]
    whole = joined(split(render(case["markdown"])))
    found = merged(whole)
    assert (not whole.text) == expect.get("blank", False)
    assert all(fragment in whole.text for fragment in expect.get("visible", ()))
    assert not any(fragment in whole.text for fragment in expect.get("forbidden", ()))
    for wanted in expect.get("entities", ()):
        assert any(matches(wanted, entity, text) for entity, text in found), wanted
    for unwanted in expect.get("absent", ()):
        assert not any(entity.type == unwanted["type"] and unwanted.get("text", "") in text for entity, text in found)
    check_lines(whole.text, expect.get("separate_lines", []))


@pytest.mark.parametrize(
    "text",
    [
        "a*b*c, f(x)*g(x)*h(x), (a)*(b)*(c), 2**3 + 4**5, m²*s*",
        "f(x)**2 + g(x)**3 = (a+b)**2, 2**(n+1) + 3**(m)",
        "*_test.go and *_mock.go, test_*_suite.py, A^* and B^*",
        "true||false is true",
        "_build_/html, _site_.zip, *a*.txt and **b**/c",
        "__base and obj.__title or obj.__state",
        "un*believ*able foo_bar_baz pre**fix**ed",
        "src/_private_/x ./_a_/b __tests__/__init__.py self.__dict__.items() obj.__name__ the __init__ method",
        "src/**/*.py and tests/**/*.py, *.py and *.txt, **/*.js **/*.ts",
        "面积=长*宽*高",
        "^_^ and ^_^, *_* and *_*, @_@ and @_@",
        'the "*" or the "**" and (**) or (**) and “*” or “*”',
        "^.*foo.*$ and .* or .+",
        "/*a*/ x /*b*/ and /* c */ /*d*/",
        "int *p, *q; f(*args, **kwargs)",
        "p || q || r, a||b||c, (a)||(b)||(c), if (a||b||c), x=||, y=||",
        "||||x||||",
        "Name: ________ Date: ________",
        "_name_@x.example and first_last_x@x.example, @_max_power_",
        "www.x.example/_a_ docs.x.example/_a_/*b* https://x.example/a*b*c&copy;=~~1",
        "C:\\Users\\_foo_\\_bar_ \\\\server\\_a_\\b ¯\\_(ツ)_/¯",
        "List<std::string>, Map<K, *>, <a:b>, <br>, <!-- x -->, </think>",
        "$a_1*b_1$, $$\\sum_{i} a_i*b_i*c$$, \\(x^2 \\_ y\\), \\[ m_1*c^2*2 \\], \\(n\\)",
        "$ \\{a_1\\} *b* \\, c $ and $||x||$ and $A^*B^*$, but $ 5 and $ 6",
        "$5*2 and $7*3, US$5, 5$ or 6$",
        "salt[^1] and [^note]\n\n[^1]: https://x.example\n[^note]: Approximately.",
        "[Note]: important",
        "a_{1}_b, x_{i}*y_{j} and v_{x}_{y}",
        "\\begin{matrix} a_1 & *b* \\\\ c & d \\end{matrix}",
        "**unclosed and *more, ~~too, ||and, `code, [link](",
        "** spaced ** and * spaced *",
    ],
)
def test_marks_that_style_nothing_are_text(text: str) -> None:
    """Products, names, paths, patterns, faces, conditions, formulas and open marks lose no character."""
    assert render(text) == Styled(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("请**务必**带伞，**“引用”**中文", [("bold", "务必"), ("bold", "“引用”")]),
        ("**서울**은 **東京**は", [("bold", "서울"), ("bold", "東京")]),
        (
            "**Ende.**Weiter **50%**off **C++**code **Ja ⚠️**nein",
            [("bold", "Ende."), ("bold", "50%"), ("bold", "C++"), ("bold", "Ja ⚠️")],
        ),
        ("项目(A)**重点**，true||false and ||this||", [("bold", "重点"), ("spoiler", "this")]),
        ("**خلاصة:**نص", [("bold", "خلاصة:")]),
        ("~~旧价：~~新价 ||答案：||后文", [("strikethrough", "旧价："), ("spoiler", "答案：")]),
        ("**A**/**B**, (*c*), _d_!", [("bold", "A"), ("bold", "B"), ("italic", "c"), ("italic", "d")]),
        (
            "**https://x.example/a_b_** *see https://x.example*, ok",
            [("bold", "https://x.example/a_b_"), ("italic", "see https://x.example")],
        ),
        ("**Run `make all` now**", [("bold", "Run"), ("code", "make all"), ("bold", "now")]),
        ("## The `x` flag", [("bold", "The"), ("code", "x"), ("bold", "flag")]),
        ("||hidden `code`||", [("spoiler", "hidden code")]),
        ("**a __b__ *c***", [("bold", "a b c"), ("italic", "c")]),
        ("`` a`b `` and ``` x ```", [("code", "a`b"), ("code", "x")]),
        ("`$a` costs $5 and `b$`", [("code", "$a"), ("code", "b$")]),
    ],
)
def test_styles_stand_where_a_reader_expects_them(text: str, expected: list[tuple[str, str]]) -> None:
    """Styles begin and end beside any script, and give way to code."""
    assert shown(text) == expected


def test_a_link_that_telegram_would_drop_shows_its_target() -> None:
    """Relative paths, other schemes and hosts without a dot become text; anchors say nothing and go."""
    text = "[a](docs/x.md) [b](javascript:alert) [c](#sec) [d](mailto:d@x.example) [e](http://localhost:80/) [](x.md) [x.md](x.md)"
    assert render(text) == Styled(
        "a (docs/x.md) b (javascript:alert) c d (d@x.example) e (http://localhost:80/) x.md x.md"
    )


def test_links_images_and_citations_keep_label_and_target() -> None:
    """A label may be styled, an image stands by its description, a number in brackets keeps them."""
    text = (
        "![a *b*](https://i.example/p) [![c](https://i.example/q)](https://l.example) [1]\n\n[1]: https://s.example 'T'"
    )
    assert render(text) == Styled(
        "a b c [1]",
        (
            Entity("text_link", 0, 3, "https://i.example/p"),
            Entity("text_link", 4, 1, "https://l.example"),
            Entity("text_link", 6, 3, "https://s.example"),
        ),
    )


def test_a_definition_that_no_link_uses_is_text() -> None:
    """Nobody could see it otherwise."""
    assert render('x\n\n[u]: https://u.example "T"').text == 'x\n\n[u]: https://u.example "T"'


def test_every_cell_of_a_table_is_kept() -> None:
    """Rows shorter and longer than the head, bars in code and escaped bars lose nothing."""
    text = "| a | b |\n|--|:-:|\n| `x||y` | 1 |\n| only |\n| | 2 | 3 |\n| b\\|c | [l](https://x.example) |\nafter"
    assert render(text).text == "a · b\nx||y · 1\nonly\n– · 2 · 3\nb|c · l\nafter"


def test_a_spoiler_in_a_table_stays_hidden() -> None:
    """Its bars part no cells, unless the row has its right number of cells that way: then they are an empty cell."""
    text = "| who | answer |\n|--|--|\n| A | ||Bob|| |"
    assert render(text).text.split("\n")[:2] == ["who · answer", "A · Bob"]
    assert ("spoiler", "Bob") in shown(text)
    assert render("| a | b | c |\n|-|-|-|\n| 1 || 3 |").text == "a · b · c\n1 · – · 3"


def test_list_items_keep_their_numbers() -> None:
    """Numbers stay as typed; a list of ones only is counted, as Markdown means it."""
    assert render("3) a\n5) b").text == "3. a\n5. b"
    assert render("1. a\n1. b\n1. c").text == "1. a\n2. b\n3. c"
    assert render("- [ ] a\n- [x] b\n-\n- c").text == "☐ a\n☑ b\n•\n• c".replace("•\n", "• \n")


def test_spacing_follows_the_source() -> None:
    """One line end stays one, an empty line stays one, also in lists and quotes."""
    assert render("# A\ntext\n\n\n\n- b\n\n  c\n- d\n\n> e\n>\n> f").text == "A\ntext\n\n• b\n\n  c\n• d\n\ne\n\nf"


def test_a_quote_ends_with_its_marks_and_is_one_quote() -> None:
    """Nested quotes do not exist in Telegram; a line without the mark is not quoted."""
    assert shown("> a\n> > b\n> - c\nmine") == [("blockquote", "a\nb\n• c")]


def test_display_formulas_are_no_lists_and_no_headings() -> None:
    """Lines of a formula begin with signs that mean something else at the start of a line."""
    text = "$$\nx = a\n- b\n= c\n$$\n\n\\[\n+ d \\\\\n# e\n\\]"
    assert render(text) == Styled(text)


@pytest.mark.parametrize(
    ("text", "shown_text"),
    [
        ("<think>a</think>", ""),
        (" \n<think>\na\n\nb</think>c", "c"),
        ("\ufeff\u200b<think>a</think>b", "b"),
        ("<think>a</think><think>b</think>", "<think>b</think>"),
        ("<think>never closed", "<think>never closed"),
        ("x <think>y</think>", "x <think>y</think>"),
    ],
)
def test_only_one_complete_block_of_reasoning_at_the_start_is_left_out(text: str, shown_text: str) -> None:
    """Anywhere else, and unfinished, the tag is text."""
    assert render(text).text == shown_text


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\u200b\u2060", "&nbsp;", "\x00\x01", "\u202e", "```\n\n```", "\u3164", "[]()", "#"]
)
def test_what_shows_nothing_is_not_sent(text: str) -> None:
    """Telegram refuses a message without a visible character."""
    assert render(text) == Styled("")


def test_code_keeps_its_first_indentation_and_its_language() -> None:
    """Telegram strips a message's head only up to its first entity."""
    assert render("~~~c++ x=1\n  a\n\tb\n\n~~~") == Styled("  a\n\tb", (Entity("pre", 0, 6, language="c++"),))


def test_broken_text_is_mended() -> None:
    """Pairs are joined, lone surrogates become a visible sign, NUL goes, line ends become one kind."""
    assert render("a\x00b\ud83dc\ud83d\ude00d\r\ne\rf").text == "ab\ufffdc😀d\ne\nf"


def test_plain_text_has_no_styles() -> None:
    """Marks stay, the edges go, blank text is nothing."""
    assert plain(" **a** \ud800\n") == Styled("**a** \ufffd")
    assert plain(" \u200b\n") == Styled("")


@given(st.text(max_size=80) | markdown)
@example("**a *b***_c_")
@example("> **`a` b**\n> `c`")
@settings(max_examples=400, deadline=None)
def test_any_text_gives_a_message_that_telegram_takes(text: str) -> None:
    """Entities are inside, ordered, nested, trimmed; code stands alone; no broken character is left."""
    styled = render(text)
    check_message(styled)
    check_nesting(styled)


# Without what hides letters by design: fences (language), destinations, character references, escapes.
prose = st.lists(
    st.sampled_from([mark for mark in MARKS if mark not in {"```", "&", "\\", "]("}] + WORDS), max_size=40
).map("".join)


@given(prose)
@settings(max_examples=400, deadline=None)
def test_every_character_that_is_no_mark_appears(text: str) -> None:
    """Letters come out in their order, whatever marks stand between them."""
    assume("~~~" not in text and "```" not in text)
    assert regex.sub(r"[^\p{L}]", "", render(text).text) == regex.sub(r"[^\p{L}]", "", text)


HOSTILE = {
    "stars": "*" * 50_000, "open stars": "*a **b " * 8_000, "brackets": "[" * 120_000, "images": "![" * 30_000,
    "half links": "[a](b" * 10_000, "quotes": ">" * 50_000, "quote lines": (">" * 70 + " x\n") * 500, "bullets": "- " * 20_000,
    "nested list": "\n".join("  " * depth + "- x" for depth in range(150)), "ticks": "`a ``b " * 8_000,
    "angles": "<https://" * 6_000, "dollars": "$a $$b " * 8_000, "formulas": "\\[ a\n" * 10_000, "bars": "||a " * 15_000,
    "word": "a" * 100_000, "addresses": "a@a.a://" * 10_000, "columns": "|a" * 20_000 + "\n" + "|-" * 20_000,
    "definitions": "[a\n" * 15_000, "lines": "x\n\n" * 20_000, "joiners": "\u200d" * 50_000, "matched": "[" * 9_000 + "]" * 9_000,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_no_more_than_moments(name: str) -> None:
    """No text of this size hangs or crashes, and none of its letters is lost."""
    text = HOSTILE[name]
    began = time.process_time()
    pieces = split(render(text))
    assert time.process_time() - began < 5
    letters = sum(char.isalpha() for piece in pieces for char in piece.text)
    assert letters == sum(char.isalpha() for char in text)


def test_a_long_ordinary_reply_is_shown_at_once() -> None:
    """100 kB of prose, lists and code are rendered and split well under two seconds."""
    part = (
        "The **quick** brown `fox` [jumps](https://x.example/a_b) over *dogs*.\n\n- one\n- two\n\n```py\nx = 1\n```\n\n"
    )
    began = time.process_time()
    pieces = split(render(part * (100_000 // len(part))))
    assert time.process_time() - began < 2
    assert len(pieces) > 10
