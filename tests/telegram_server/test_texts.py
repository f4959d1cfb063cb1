"""What Telegram does to texts and entities."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.telegram_server.expecting import refused
from tests.telegram_server.found import find_entities, place, utf16
from tests.telegram_server.markup import parse
from tests.telegram_server.refusal import Json, Refusal
from tests.telegram_server.texts import MOST_ENTITIES, STYLES, checked_url, fix_text, refuse_unreadable, untangle


def entity(kind: str, offset: int, length: int, **more: str) -> Json:
    return {"type": kind, "offset": offset, "length": length, **more}


def spans(entities: list[Json]) -> list[tuple[str, int, int]]:
    return [(one["type"], one["offset"], one["length"]) for one in entities]


@pytest.mark.parametrize(
    ("text", "given_entity", "reason"),
    [
        ("hello", entity("bold", 100, 1), "entity begins after the end of the text at UTF-16 offset 100"),
        ("hello", entity("bold", 0, 100), "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 100"),
        ("👉 👉", entity("bold", 1, 1), "entity begins in a middle of a UTF-16 symbol at byte offset 4"),
        ("👉 👉", entity("bold", 0, 1), "entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4"),
        ("hello", entity("bold", -1, 1), "receive an entity with incorrect offset -1"),
        ("hello", entity("bold", 0, -1), "receive an entity with incorrect length -1"),
        ("hello", entity("marquee", 0, 1), "can't parse MessageEntity: Unsupported type specified"),
        ("hello", entity("text_link", 0, 1), "can't parse MessageEntity: Can't find field \"url\""),
        ("hello", entity("text_link", 0, 1, url=""), "entity URL '' is invalid: URL host is empty"),
        ("hello", entity("text_link", 0, 1, url="not-a-url"), "entity URL 'not-a-url' is invalid: Wrong HTTP URL"),
        ("hello", {"type": "bold", "offset": 0}, "can't parse MessageEntity: Can't find field \"length\""),
    ],
)  # fmt: skip
def test_entities_out_of_bounds_or_sense_are_refused(text: str, given_entity: Json, reason: str) -> None:
    with refused(Refusal, f"Bad Request: {reason}"):
        fix_text(text, [given_entity])


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://example.com", "http://example.com/"),
        ("example.com/a", "http://example.com/a"),
        ("https://u:p@example.com:8/x?y#z", "https://u:p@example.com:8/x?y#z"),
        ("tg://user?id=5", "tg://user?id=5"),
        ("http://[::1]/x", "http://[::1]/x"),
        ("http://localhost", None),
        ("http://localhost:8080/x", None),
        ("ftp://example.com", None),
        ("javascript:alert(1)", None),
        ("../a.md", "http://../a.md"),
        ("a.md", "http://a.md/"),
        ("#top", None),
    ],
)
def test_addresses_need_a_host_with_a_dot(url: str, kept: str | None) -> None:
    if kept is None:
        with refused(Refusal, "is invalid"):
            checked_url(url)
    else:
        assert checked_url(url) == kept


def test_blanks_at_both_ends_go_and_entities_shrink_with_them() -> None:
    text, entities = fix_text("  \n Hi 😀 bold  \n", [entity("bold", 3, 13), entity("italic", 0, 2)])
    assert (text, spans(entities)) == ("Hi 😀 bold", [("bold", 0, 10)])


def test_control_characters_become_blanks_and_marks_of_direction_vanish() -> None:
    text, entities = fix_text("a\r\n\tb\u202ec\x00d", [entity("bold", 3, 3)])
    assert (text, spans(entities)) == ("a\n bc d", [("bold", 3, 1)])


def test_entities_beyond_the_hundredth_are_ignored() -> None:
    _, entities = fix_text("a " * 150, [entity("bold", 2 * at, 1) for at in range(150)])
    assert len(entities) == MOST_ENTITIES


def test_telegram_adds_what_it_finds_but_not_inside_code_or_links() -> None:
    text = "@anna /help https://example.org @code @link"
    entities = [
        entity("code", text.index("@code"), 5),
        entity("text_link", text.index("@link"), 5, url="https://example.org/"),
        entity("bold", 0, 11),
    ]
    _, kept = fix_text(text, entities)
    assert spans(kept) == [
        ("bold", 0, 11), ("mention", 0, 5), ("bot_command", 6, 5), ("url", 12, 19), ("code", 32, 5), ("text_link", 38, 5),
    ]  # fmt: skip


def test_a_bots_own_entity_wins_over_a_found_one_around_it() -> None:
    _, kept = fix_text("https://example.org/", [entity("code", 8, 7)])
    assert spans(kept) == [("code", 8, 7)]


def test_styles_are_cut_where_they_cross_and_dropped_inside_code() -> None:
    crossing = [entity("bold", 0, 6), entity("italic", 3, 6), entity("pre", 10, 5), entity("spoiler", 8, 4)]
    assert spans(untangle(crossing)) == [
        ("bold", 0, 6), ("italic", 3, 3), ("italic", 6, 3), ("spoiler", 8, 1), ("spoiler", 9, 1), ("pre", 10, 5),
    ]  # fmt: skip


def test_of_two_links_that_overlap_the_first_stays() -> None:
    links = [entity("text_link", 0, 5, url="a.b"), entity("code", 3, 5), entity("blockquote", 0, 9)]
    assert spans(untangle(links)) == [("blockquote", 0, 9), ("text_link", 0, 5)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "message text is empty"),
        ("a\ud800", "strings must be encoded in UTF-8"),
        ("é" * 20_000, "text is too long"),
    ],
)
def test_what_is_no_text_is_refused(text: str, reason: str) -> None:
    with refused(Refusal, reason):
        refuse_unreadable(text)


ENTITY = st.builds(
    entity, st.sampled_from([*STYLES, "code", "pre", "blockquote"]), st.integers(0, 12), st.integers(0, 12)
)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab \n\r\t😀é\u202e@/#", max_size=12), st.lists(ENTITY, max_size=6))
def test_what_is_accepted_is_trimmed_whole_and_nested(text: str, entities: list[Json]) -> None:
    """Whatever goes in: refused, or entities that lie inside the text, on symbols, nested, nothing but words cut."""
    try:
        fixed, kept = fix_text(text, entities)
    except Refusal:
        return
    edges = {utf16(fixed[:at]) for at in range(len(fixed) + 1)}
    ends = [(one["offset"], one["offset"] + one["length"]) for one in kept]
    assert fixed[-1:] not in {" ", "\n"}
    assert all(start in edges and end in edges and start < end for start, end in ends)
    assert not any(one[0] < other[0] < one[1] < other[1] for one in ends for other in ends)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("team@pebblenotebot.example please", [("email", "team@pebblenotebot.example")]),
        ("@PebbleNoteBotFans, see", [("mention", "@PebbleNoteBotFans")]),
        ("mail@me @ab @abc", [("mention", "@abc")]),
        ("a/b /b/c </d> /e@f /help@TallyScoreBot", [("bot_command", "/help@TallyScoreBot")]),
        ("(https://example.org/a_(b)), www.example.com!", [("url", "https://example.org/a_(b"), ("url", "www.example.com")]),
        ("https://example.org/#tag", [("url", "https://example.org/#tag")]),
        ("#1 #one ##two", [("hashtag", "#one")]),
        ("привет@бот @бот é@bot", []),
    ],
)  # fmt: skip
def test_found_entities(text: str, found: list[tuple[str, str]]) -> None:
    units = text.encode("utf-16-le")
    cut = [
        (one["type"], units[2 * one["offset"] :][: 2 * one["length"]].decode("utf-16-le"))
        for one in find_entities(text)
    ]
    assert cut == found


def test_an_entity_that_names_its_text_needs_it_once() -> None:
    assert place("😀 Bob", {"type": "bold", "text": "Bob"}) == entity("bold", 3, 3)
    with pytest.raises(ValueError, match="must occur once"):
        place("Bob Bob", {"type": "bold", "text": "Bob"})


def test_html_becomes_text_and_entities() -> None:
    text, entities = parse(
        '<b>Bold <i>both</i></b> &lt;x&gt; <a href="https://example.org/?a=1&amp;b=2">link</a>'
        '<pre><code class="language-python">x</code></pre><span class="tg-spoiler">😀</span>',
        "HTML",
    )
    assert text == "Bold both <x> linkx😀"
    assert sorted(spans(entities), key=lambda one: one[1:]) == [
        ("bold", 0, 9), ("italic", 5, 4), ("text_link", 14, 4), ("pre", 18, 1), ("spoiler", 19, 2),
    ]  # fmt: skip
    assert [one["language"] for one in entities if one["type"] == "pre"] == ["python"]
    assert [one["url"] for one in entities if one["type"] == "text_link"] == ["https://example.org/?a=1&b=2"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<b>unclosed", 'Can\'t find end tag corresponding to start tag "b"'),
        ("é<invalid>", 'Unsupported start tag "invalid" at byte offset 2'),
        ("List<int> x", 'Unsupported start tag "int" at byte offset 4'),
        ("a < b", "Unclosed start tag at byte offset 2"),
        ("<b><i>test</b></i>", 'Unmatched end tag at byte offset 10, expected "</i>", found "</b>"'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    ],
)
def test_malformed_html_is_refused_with_the_place(text: str, reason: str) -> None:
    with refused(Refusal, f"Bad Request: can't parse entities: {reason}"):
        parse(text, "HTML")


def test_modes_that_are_not_known_are_refused() -> None:
    with refused(Refusal, "Bad Request: unsupported parse_mode"):
        parse("x", "BBCode")
    with refused(Refusal, "Not Found: this test server does not parse Markdown"):
        parse("x", "MarkdownV2")
