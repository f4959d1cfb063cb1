r"""Inline rules for the marks around styled text: ``*``, ``_``, ``~~`` and ``||``.

CommonMark reads ``2*3*4`` as italics, ``__init__.py`` as bold, and leaves ``**Total:**42`` alone. Here a mark is
text where its outer side touches a word, a path or a suffix; bold may end in punctuation before a letter; and double
marks stand freely beside scripts that put no blanks between words.
"""

import unicodedata
from dataclasses import dataclass

import regex
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

_WORD = regex.compile(r"[\p{L}\p{N}\p{M}]")
# Scripts without blanks between words, or (Hangul) with endings written onto the word.
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}ー]"
)
_EMOJI_STYLE = "\ufe0f"
_PHRASE_ENDS = frozenset({"Po", "Pe", "Pf", "Pd", "Sk", "So", "Sc", "Sm"})  # categories: punctuation and symbols
_TWINS = frozenset({"><", "“”", "‘’", "«»", "„“", "()", "[]", "{}"})
_NOT_AFTER_OPENING = frozenset(",;)]}")
_NOT_BEFORE_CLOSING = frozenset("([{^")  # ``A^*`` is starred, not the end of italics
_LONGEST_RUN = 6  # longer runs are rulers, blanks to fill in, or an attack
# Names that would read as bold words; in other places their marks touch a path, a suffix or a bracket anyway.
_DUNDERS = regex.compile(
    r"__(?:init|main|name|file|doc|all|pycache|post_init|init_subclass|new|del|repr|str|len|iter|aiter|next|anext|call"
    r"|eq|ne|lt|le|gt|ge|hash|getitem|setitem|delitem|contains|getattr|getattribute|setattr|delattr|enter|exit|aenter"
    r"|aexit|dict|slots|bool|mro|bases|class|annotations|builtins|future|debug|version|author|path|proto|tests|mocks"
    r"|fixtures|snapshots|FILE|LINE|DATE|TIME|func|dirname|filename)__"
)


@dataclass(frozen=True, slots=True)
class Run:
    """A row of equal marks with what stands around it; outside of the text there are blanks."""

    mark: str
    length: int
    outer_before: str
    before: str
    after: str
    outer_after: str

    @property
    def is_double(self) -> bool:
        """Say whether the run can be bold, struck or hidden."""
        return self.length > 1


def delimiter(state: StateInline, silent: bool) -> bool:
    """Read a run of ``*``, ``_``, ``~`` or ``|``: an inline rule of markdown-it."""
    mark = state.src[state.pos]
    if silent or mark not in "*_~|":
        return False
    if mark == "_" and (dunder := _DUNDERS.match(state.src, state.pos, state.posMax)):
        return _text(state, dunder.end() - state.pos)
    run = _run_at(state, mark)
    if run.length > _LONGEST_RUN or not (mark in "*_" or run.length == 2):
        return _text(state, run.length)
    _push(state, run)
    return True


def hide(state: StateInline) -> None:
    """Turn matched pairs of ``||`` into spoiler tokens: a second-pass rule of markdown-it."""
    _hide(state, state.delimiters)
    for meta in state.tokens_meta:
        if meta and "delimiters" in meta:
            _hide(state, meta["delimiters"])


def _hide(state: StateInline, delimiters: list[Delimiter]) -> None:
    for opener in delimiters:
        if opener.marker != ord("|") or opener.end == -1:
            continue
        for index, name, nesting in (
            (opener.token, "spoiler_open", 1),
            (delimiters[opener.end].token, "spoiler_close", -1),
        ):
            token = state.tokens[index]
            token.type, token.tag, token.content = name, "tg-spoiler", ""
            token.nesting = 1 if nesting > 0 else -1


def _run_at(state: StateInline, mark: str) -> Run:
    start = end = state.pos
    while end < state.posMax and state.src[end] == mark:
        end += 1

    def char(index: int) -> str:
        return state.src[index] if 0 <= index < state.posMax else " "

    return Run(mark, end - start, char(start - 2), char(start - 1), char(end), char(end + 1))


def _push(state: StateInline, run: Run) -> None:
    can_open, can_close = opens(run), closes(run)
    size = 1 if run.mark in "*_" else 2
    for _ in range(run.length // size):
        state.push("text", "", 0).content = run.mark * size
        length = run.length if size == 1 else 0  # 0 switches the "rule of three" of emphasis off
        state.delimiters.append(Delimiter(ord(run.mark), length, len(state.tokens) - 1, -1, can_open, can_close))
    state.pos += run.length


def _text(state: StateInline, length: int) -> bool:
    state.append_pending(state.src[state.pos : state.pos + length])
    state.pos += length
    return True


def opens(run: Run) -> bool:
    """Say whether a style can begin here."""
    if run.after.isspace() or run.after in _NOT_AFTER_OPENING or _is_face(run) or _is_index(run):
        return False
    if run.mark == "~":
        return True
    if run.mark == "*" and _is_pattern(run):
        return False
    return not (_touches_word(run, run.before) or _ends_term(run) or _ends_path(run))


def closes(run: Run) -> bool:
    """Say whether a style can end here."""
    if run.before.isspace() or run.before in _NOT_BEFORE_CLOSING or _is_face(run) or _is_index(run):
        return False
    if run.mark == "~":
        return True
    if run.after in "/." and _continues(run.outer_after, run.mark):
        return False
    return not _touches_word(run, run.after) or (run.is_double and _ends_phrase(run))


def _touches_word(run: Run, neighbour: str) -> bool:
    if run.mark == "_" and neighbour in "@#":
        return True  # a handle or a tag
    return bool(_WORD.match(neighbour)) and not (run.is_double and run.mark != "_" and _UNSPACED.match(neighbour))


def _continues(char: str, mark: str) -> bool:
    return bool(_WORD.match(char)) or (mark == "_" and char == "_")


def _ends_phrase(run: Run) -> bool:
    """``**Total:**42``; but not ``a.__name``."""
    char = run.before
    if run.mark == "_" and char == ".":
        return False
    return char == _EMOJI_STYLE or (unicodedata.category(char) in _PHRASE_ENDS and char not in "/\\@#*_~|")


def _ends_term(run: Run) -> bool:
    """``(a)*(b)`` is a product, ``f(x)**2`` a power, ``(a)||(b)`` a condition."""
    starts_unspaced = run.is_double and _UNSPACED.match(run.after)
    return run.mark in "*|" and run.before in ")]}" and not starts_unspaced


def _is_index(run: Run) -> bool:
    """``x_{i}`` and ``x_{i}_j`` are formulas, also where no dollar says so."""
    return run.mark == "_" and run.length == 1 and (run.before == "}" or run.after == "{")


def _ends_path(run: Run) -> bool:
    """``src/_x``, ``a.__dict__``, ``.*`` and ``src/*``: the mark belongs to a name or a pattern."""
    if run.mark == "_" or not run.is_double:
        return run.before in "/.\\" and (run.before, run.outer_before) != (".", ".")
    return run.before == "/" and run.after == "/"


def _is_pattern(run: Run) -> bool:
    """``*.py`` and ``**/*`` begin a file pattern, ``*/`` ends a comment."""
    if run.is_double:
        return run.after == "/" and run.outer_after == "*"
    if run.after == "/":
        return not _WORD.match(run.outer_after)
    return run.after == "." and run.outer_after != "."


def _is_face(run: Run) -> bool:
    """``^_^``, ``"*"``, ``*_*``: between twins a mark is a face or is being named."""
    if run.length == 1 and run.after in "*_" and run.outer_after == run.mark:
        return True
    if _WORD.match(run.before) or run.before.isspace():
        return False
    return run.before == run.after or run.before + run.after in _TWINS
