r"""Block rules of markdown-it for what a model writes and CommonMark would lose or misread."""

import regex
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import reference as commonmark_reference

DEEPEST_LEVEL = 50
"""Blocks nested deeper than this are shown as one paragraph; each list or quote takes one or two levels."""

_LONGEST_FORMULA_LINES = 40
_RULER = regex.compile(r"\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?+[ \t]*+")
_PIPE = regex.compile(r"(?<!\\)\|")
_CODE = regex.compile(r"(?<!`)(`++)(?!`).+?(?<!`)\1(?!`)")
_SPOILER = regex.compile(r"(?<!\|)\|\|(?=[^\s|])[^|]*+(?<!\s)\|\|(?!\|)")
_DEFINITION = regex.compile(r"\[(?!\^)[^\[\]]{1,300}\]:[ \t]*<?(?:https?|tg)://\S", regex.IGNORECASE)
_CLOSERS = {"$$": "$$", "\\[": "\\]"}


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table: every cell is kept, also where a row has more or fewer of them than the head."""
    if start + 1 >= end or not _is_table(state, start):
        return False
    if silent:
        return True
    rows = _table_rows(state, start, end)
    opening = state.push("table_open", "table", 1)
    opening.map = [start, rows[-1] + 1]
    columns = len(_cells(_line(state, start), None))
    for row in rows:
        _push_row(state, row, columns)
    state.push("table_close", "table", -1)
    state.line = max(rows[-1], start + 1) + 1
    return True


def display_formula(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Read a formula between ``$$`` or ``\[ \]`` on lines of its own, so that none of its lines becomes a list."""
    first = _line(state, start)
    closer = _CLOSERS.get(first[:2])
    if closer is None or closer in first[2:]:
        return False
    last = _closing_line(state, start, min(end, start + _LONGEST_FORMULA_LINES), closer)
    if last is None:
        return False
    if not silent:
        token = state.push("formula", "", 0)
        token.map = [start, last + 1]
        token.content = state.getLines(start, last + 1, state.blkIndent, False)
        state.line = last + 1
    return True


def reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read ``[label]: https://…``; footnotes and labels before anything but an address are text."""
    return bool(_DEFINITION.match(_line(state, start))) and commonmark_reference(state, start, end, silent)


def unmarked_line(state: StateBlock, _start: int, _end: int, silent: bool) -> bool:
    """End a quote at the first line without its mark: what follows is the assistant's own word again."""
    return silent and state.parentType == "blockquote"


def depth_limit(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Show what is nested too deeply as one paragraph: markdown-it would drop it."""
    if silent or state.level < DEEPEST_LEVEL:
        return False
    state.push("paragraph_open", "p", 1).map = [start, end]
    token = state.push("inline", "", 0)
    token.content = state.getLines(start, end, 0, False).strip()
    token.children = []
    state.push("paragraph_close", "p", -1)
    state.line = end
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _is_table(state: StateBlock, start: int) -> bool:
    if state.sCount[start + 1] < state.blkIndent or state.is_code_block(start) or state.is_code_block(start + 1):
        return False
    ruler = _line(state, start + 1)
    return "|" in ruler and "|" in _line(state, start) and _RULER.fullmatch(ruler) is not None


def _table_rows(state: StateBlock, start: int, end: int) -> list[int]:
    rows = [start]
    rules = state.md.block.ruler.getRules("blockquote")
    outer, state.parentType = state.parentType, "table"
    for line in range(start + 2, end):
        is_row = "|" in _line(state, line) and state.sCount[line] >= state.blkIndent and not state.is_code_block(line)
        if not is_row or any(rule(state, line, end, True) for rule in rules):
            break
        rows.append(line)
    state.parentType = outer
    return rows


def _push_row(state: StateBlock, line: int, columns: int) -> None:
    state.push("tr_open", "tr", 1).map = [line, line + 1]
    for cell in _cells(_line(state, line), columns):
        token = state.push("inline", "", 0)
        token.content = cell
        token.map = [line, line + 1]
        token.children = []
    state.push("tr_close", "tr", -1)


def _cells(line: str, columns: int | None) -> list[str]:
    """Split a row. Bars of code and of spoilers part cells only if the row has its right number of cells that way."""
    cells = _split(line)
    if columns in {None, len(cells)}:
        return cells
    kept = _SPOILER.sub(_escaped, _CODE.sub(_escaped, line))
    return cells if kept == line else _split(kept)


def _escaped(found: "regex.Match[str]") -> str:
    return regex.sub(r"(?<!\\)\|", r"\\|", found.group())


def _split(line: str) -> list[str]:
    parts = _PIPE.split(line.strip())
    first = 1 if not parts[0].strip() else 0
    last = len(parts) - 1 if len(parts) > 1 and not parts[-1].strip() else len(parts)
    return [part.replace("\\|", "|").strip() for part in parts[first:last]]


def _closing_line(state: StateBlock, start: int, end: int, closer: str) -> int | None:
    for line in range(start + 1, end):
        text = _line(state, line)
        if text and state.sCount[line] < state.blkIndent:
            return None
        if closer in text:
            return line if text.rstrip().endswith(closer) else None
    return None
