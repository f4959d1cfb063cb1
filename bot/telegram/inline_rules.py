r"""Inline rules of markdown-it for what is shown as typed: addresses, formulas, and brackets that are no links."""

from bisect import bisect_right

import regex
from markdown_it.rules_inline import StateInline, image, link

# Possessive quantifiers and a look-behind at the start keep these linear on any text.
_ADDRESS_END = r"\s<>\"`|\[\]\\，。；：！？、「」『』【】《》“”"
_ADDRESS = regex.compile(
    rf"""
      (?<![\w.+-]) (?: [a-z][a-z0-9+.-]{{1,15}}:// | www\. ) [^{_ADDRESS_END}]++
    | (?<![\w.%+-]) [\w.%+-]++ @ [\w-]++ (?:\.[\w-]++)++
    | (?<![\w.-]) (?:[a-z0-9-]++\.)++ [a-z]{{2,24}}+ / [^{_ADDRESS_END}]*+
    | (?<![\w]) [a-z]: \\ [^\s<>|"`*]++
    | (?<!\S) \\\\ [\w.-]++ \\ \w [^\s<>|"`*]*+
    | ¯\\_\(ツ\)_/¯
    """,
    regex.IGNORECASE | regex.VERBOSE,
)
_DOUBLE_MARK = regex.compile(r"\*\*|~~")
_ADDRESS_TAIL = "*_~.,:;!?'\")"

_MATHS = regex.compile(
    r"""
      \$\$ (?: [^$\\] | \\. ){1,2000}+ \$\$
    | \\begin\{ (?P<environment> [a-z]{1,20} \*? ) \} (?: [^\\] | \\(?!end\{) ){0,2000}+ \\end\{ (?P=environment) \}
    | (?<![\w$]) \$ (?![\s$]) (?: [^$`\\\n*] | \\. | \*(?!\*) ){1,400}+ (?<!\s) \$ (?![\w$])
    | (?<![\w$]) \$ \ [^$`\\\n]*+ \\ [A-Za-z{}] (?: [^$`\\\n] | \\. )*+ \$ (?![\w$])
    | \\\[ (?P<display> (?: [^\\] | \\[^\[\]] ){1,2000}+ ) \\\]
    | \\\( (?P<inline> (?: [^\\\n] | \\[^()\n] ){1,400}+ ) \\\)
    """,
    regex.VERBOSE | regex.DOTALL,
)
# What tells a formula from escaped brackets: a sign of mathematics, or for \\(n\\) a single symbol.
_SIGN = regex.compile(r"[\\^_=+<>{}*/-]")
_LONGEST_SYMBOL = 3
_ANGLED = regex.compile(r"<((?:https?|ftp|tg|mailto):[^\s<>]+|[\w.%+-]+@[\w-]+(?:\.[\w-]+)+)>", regex.IGNORECASE)
_CITATION = regex.compile(r"\[\d{1,4}\]")


def verbatim(state: StateInline, silent: bool) -> bool:
    """Take an address, or the rest of it, as it stands: nothing inside it is a mark."""
    starts, ends = _addresses(state)
    place = bisect_right(starts, state.pos) - 1
    if place < 0 or ends[place] <= state.pos:
        return False
    return _take(state, min(ends[place], state.posMax), silent)


def formula(state: StateInline, silent: bool) -> bool:
    r"""Take ``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]`` as they stand; prices and escaped brackets are no formulas."""
    if state.src[state.pos] not in "$\\":
        return False
    found = _MATHS.match(state.src, state.pos, state.posMax)
    return found is not None and _is_formula(found) and _take(state, found.end(), silent)


def angled_address(state: StateInline, silent: bool) -> bool:
    """Show ``<https://…>`` without its brackets; ``List<std::string>`` and tags keep theirs."""
    if state.src[state.pos] != "<" or not (found := _ANGLED.match(state.src, state.pos, state.posMax)):
        return False
    if not silent:
        state.append_pending(found.group(1))
    state.pos = found.end()
    return True


def bracketed(state: StateInline, silent: bool) -> bool:
    """Read a link; one made of a bare number, ``[1]``, keeps the brackets that tell a citation from a number."""
    start = state.pos
    if state.src[start] != "[" or not _may_be_link(state) or not link(state, silent):
        return False
    if not silent and _CITATION.fullmatch(state.src, start, state.pos):
        state.tokens[-2].content = state.src[start : state.pos]
    return True


def pictured(state: StateInline, silent: bool) -> bool:
    """Read an image."""
    return state.src[state.pos] == "!" and _may_be_link(state) and image(state, silent)


def _may_be_link(state: StateInline) -> bool:
    """Say no fast where no label can end any more; to look for one takes long in a text full of brackets."""
    last: dict[str, int] = state.env.setdefault("last_labels", {})
    if state.src not in last:
        last[state.src] = state.src.rfind("]" if "references" in state.env else "](")
    return state.pos < last[state.src]


def _is_formula(found: regex.Match[str]) -> bool:
    inline, display = found.group("inline"), found.group("display")
    if inline is not None and len(inline) <= _LONGEST_SYMBOL:
        return True
    return _SIGN.search(inline or display or "=") is not None


def _take(state: StateInline, end: int, silent: bool) -> bool:
    if not silent:
        state.append_pending(state.src[state.pos : end])
    state.pos = end
    return True


def _addresses(state: StateInline) -> tuple[list[int], list[int]]:
    """Find the addresses of a paragraph once; the parser's environment lives as long as one text."""
    known: dict[str, tuple[list[int], list[int]]] = state.env.setdefault("addresses", {})
    if state.src not in known:
        spans = [_address_span(match) for match in _ADDRESS.finditer(state.src)]
        known[state.src] = ([start for start, _ in spans], [end for _, end in spans])
    return known[state.src]


def _address_span(match: regex.Match[str]) -> tuple[int, int]:
    address = _DOUBLE_MARK.split(match.group(), maxsplit=1)[0]
    shrug = address.startswith("¯")
    return match.start(), match.start() + len(address if shrug else address.rstrip(_ADDRESS_TAIL))
