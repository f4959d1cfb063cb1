"""Writes the tokens of a parsed text onto a page: what Markdown means, in what Telegram can show."""

from collections.abc import Iterable, Sequence
from typing import Any

import regex
from markdown_it.token import Token

from bot.telegram.page import Page
from bot.telegram.styled import Styled

_CELL_GAP = " · "
_EMPTY_CELL = "–"
_RULE = "———"
_BOXES: dict[bool | None, str] = {True: "☑ ", False: "☐ "}
_INLINE_STYLES = {"strong": "bold", "em": "italic", "s": "strikethrough", "spoiler": "spoiler"}
# What Telegram takes as the target of a link; it drops the others without a word. A host needs a dot.
_LINKABLE = regex.compile(
    r"tg://\S|https?://(?:[^\s/?#]*@)?(?:\[[0-9a-f:.]+\]|[^\s/?#.]+\.[^\s/?#])|www\.[^\s.]|(?:[a-z0-9-]++\.)++[a-z]{2,24}+/",
    regex.IGNORECASE,
)
_UNSHOWN = regex.compile(r"#|data:", regex.IGNORECASE)  # destinations that tell a reader nothing
_UNTOLD_SCHEME = regex.compile(r"(?:mailto|tel):", regex.IGNORECASE)
_LANGUAGE = regex.compile(r"[\s{.]*([^\s{}.,:][^\s{},:]*)")


def write(tokens: Sequence[Token], env: dict[str, Any], lines: Sequence[str]) -> Styled:
    """Give the message for ``tokens``; ``env`` and ``lines`` are the parser's environment and its source."""
    writer = _Writer(tokens, env, lines)
    for token in tokens:
        writer.block(token)
    return writer.page.styled()


class _Writer:
    def __init__(self, tokens: Sequence[Token], env: dict[str, Any], lines: Sequence[str]) -> None:
        self.page = Page()
        self._lines = lines
        self._references: dict[str, dict[str, Any]] = env.get("references", {})
        self._used_labels = set(_labels(tokens))
        self._markers = _markers(tokens)
        self._depth = 0
        self._owed_line_ends = 1  # what was left out stood after this many
        self._cells: int | None = None  # cells written in this row of a table
        self._is_head = False
        self._destinations: list[str] = []

    def block(self, token: Token) -> None:
        match token.type:
            case "paragraph_open":
                self._gap(token)
            case "heading_open":
                self._gap(token)
                self.page.open(self._heading_style(token))
            case "blockquote_open":
                self._gap(token)
                self.page.open("blockquote")
            case "heading_close" | "blockquote_close":
                self.page.close()
            case "inline":
                self._inline_block(token)
            case "fence" | "code_block":
                self._code(token)
            case "hr" | "formula" | "definition":
                self._line(token)
            case _:
                self._list_or_table(token)

    def _list_or_table(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                self._depth += 1
            case "bullet_list_close" | "ordered_list_close":
                self._depth -= 1
                self.page.indent = "  " * self._depth
            case "list_item_open":
                self._begin_item(token)
            case "list_item_close":
                self.page.end_item()
            case "table_open":
                self._is_head = True
            case "tr_open":
                self._begin_row(token)
            case "tr_close":
                self._end_row()

    def _gap(self, token: Token) -> None:
        """Keep the writer's own spacing: an empty line where the source has one."""
        self.page.gap(max(self._line_ends_before(token), self._owed_line_ends))
        self._owed_line_ends = 1

    def _line_ends_before(self, token: Token) -> int:
        line = token.map[0] - 1 if token.map else -1
        return 2 if line >= 0 and not self._lines[line].strip(" \t>") else 1

    def _heading_style(self, token: Token) -> str:
        """Underlined paragraphs of several lines are paragraphs with a ruler below, not headings."""
        last_line = (token.map or [0, 1])[1] - 1
        is_paragraph = token.markup == "-" and token.map is not None and last_line - token.map[0] > 1
        return "" if is_paragraph else "bold"

    def _begin_item(self, token: Token) -> None:
        self.page.indent = "  " * (self._depth - 1)
        self._gap(token)
        self.page.mark_item(self._markers[id(token)])
        self.page.indent = "  " * self._depth

    def _begin_row(self, token: Token) -> None:
        self._gap(token)
        self._cells = 0
        self.page.open("bold" if self._is_head else "")
        self._is_head = False

    def _end_row(self) -> None:
        self.page.close()
        self._cells = None

    def _code(self, token: Token) -> None:
        text = token.content.rstrip()
        if text:
            found = _LANGUAGE.match(token.info)
            self._gap(token)
            self.page.block_of_code(text, found.group(1) if found else None)

    def _line(self, token: Token) -> None:
        if token.type == "definition" and self._is_used(token):
            self._owed_line_ends = max(self._owed_line_ends, self._line_ends_before(token))
            return
        self._gap(token)
        self.page.write(_RULE if token.type == "hr" else _definition(token) if token.meta else token.content.strip())

    def _is_used(self, definition: Token) -> bool:
        label = definition.meta["id"]
        return label in self._used_labels and self._references[label]["href"] == definition.meta["url"]

    def _inline_block(self, token: Token) -> None:
        if self._cells is not None:
            self.page.write(_CELL_GAP if self._cells else "")
            self._cells += 1
            if not token.content:
                self.page.write(_EMPTY_CELL)
        for child in token.children or ():
            self._inline(child)

    def _inline(self, token: Token) -> None:
        name, _, side = token.type.rpartition("_")
        if name in _INLINE_STYLES:
            self.page.open(_INLINE_STYLES[name]) if side == "open" else self.page.close()
            return
        match token.type:
            case "softbreak" | "hardbreak":
                self.page.write("\n")
            case "code_inline":
                self.page.code(token.content)
            case "link_open":
                self._begin_link(str(token.attrs["href"]))
            case "link_close":
                self._end_link()
            case "image":
                self._begin_link(str(token.attrs["src"]))
                self.page.write(_plain(token.children or ()))
                self._end_link()
            case _:
                self.page.write(token.content)

    def _begin_link(self, destination: str) -> None:
        self._destinations.append(destination)
        self.page.open("text_link" if _LINKABLE.match(destination) else "", regex.sub(r"\s", "%20", destination))

    def _end_link(self) -> None:
        """Close a link; where Telegram would drop the target, or nothing else shows, the target becomes text."""
        destination = self._destinations.pop()
        shown = _UNTOLD_SCHEME.sub("", destination, count=1)
        label = self.page.close()
        if not label.strip():
            self.page.write(shown)
        elif not (_LINKABLE.match(destination) or _UNSHOWN.match(destination) or shown in {"", label}):
            self.page.write(f" ({shown})")


def _plain(tokens: Iterable[Token]) -> str:
    return "".join("\n" if token.type == "softbreak" else token.content for token in tokens)


def _definition(token: Token) -> str:
    title = f' "{token.meta["title"]}"' if token.meta["title"] else ""
    return f"[{token.meta['label']}]: {token.meta['url']}{title}"


def _labels(tokens: Iterable[Token]) -> Iterable[str]:
    for token in tokens:
        for child in token.children or ():
            if "label" in child.meta:
                yield child.meta["label"]


def _markers(tokens: Iterable[Token]) -> dict[int, str]:
    """Give what stands before each list item, by the identity of its token."""
    markers: dict[int, str] = {}
    lists: list[list[Token]] = []
    for token in tokens:
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            lists.append([])
        elif token.type == "list_item_open":
            lists[-1].append(token)
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            markers.update(_markers_of(lists.pop()))
    return markers


def _markers_of(items: Sequence[Token]) -> Iterable[tuple[int, str]]:
    """Items keep their numbers as typed, except where all have the same: there Markdown counts."""
    counted = len(items) > 1 and len({item.info for item in items}) == 1
    for place, item in enumerate(items):
        number = str(int(item.info) + place) if counted and item.info else item.info
        box = _BOXES.get(item.meta.get("checked"), "")
        yield id(item), f"{number}. {box}" if number else box or "• "
