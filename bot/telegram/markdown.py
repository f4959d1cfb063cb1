"""The Markdown that models write: CommonMark with tables, strikes and spoilers, minus what would lose text."""

from markdown_it import MarkdownIt

from bot.telegram import block_rules, delimiters, inline_rules

_BEFORE_TEXT_BLOCKS = ["paragraph", "reference", "blockquote", "list"]


class ChatMarkdown(MarkdownIt):
    """Takes destinations as typed: the writer decides which of them Telegram would accept as a link."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        """Give ``url`` unchanged: encoded or in punycode nobody would recognise it."""
        return url

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        """Accept every destination."""
        return True


def build() -> MarkdownIt:
    """Give a parser. It keeps nothing between two texts and may be shared by threads."""
    # The limit on nesting is one of markdown-it's own recursion; `depth_limit` acts before it loses text.
    options = {"html": False, "tasklists": True, "inline_definitions": True, "store_labels": True, "maxNesting": 64}
    parser = ChatMarkdown("commonmark", options)
    _add_block_rules(parser)
    _add_inline_rules(parser)
    return parser


def _add_block_rules(parser: MarkdownIt) -> None:
    ruler = parser.block.ruler
    ruler.at("table", block_rules.table, {"alt": ["paragraph", "reference"]})
    ruler.before("table", "depth_limit", block_rules.depth_limit)
    ruler.before("fence", "display_formula", block_rules.display_formula, {"alt": _BEFORE_TEXT_BLOCKS})
    ruler.at("reference", block_rules.reference)
    ruler.after("lheading", "unmarked_line", block_rules.unmarked_line, {"alt": ["blockquote"]})
    parser.enable(["table", "depth_limit", "display_formula", "unmarked_line"])


def _add_inline_rules(parser: MarkdownIt) -> None:
    inline = parser.inline
    inline.add_terminator_char("|")
    inline.ruler.after("text", "verbatim", inline_rules.verbatim)
    inline.ruler.before("escape", "formula", inline_rules.formula)
    inline.ruler.at("emphasis", delimiters.delimiter)
    inline.ruler.at("link", inline_rules.bracketed)
    inline.ruler.at("image", inline_rules.pictured)
    inline.ruler.at("autolink", inline_rules.angled_address)
    inline.ruler2.after("strikethrough", "spoiler", delimiters.hide)
    parser.enable(["verbatim", "formula", "spoiler"])
    # Strikes are read by the common delimiter rule; of markdown-it's own, only the second pass is used.
    inline.ruler2.enable(["strikethrough"])
