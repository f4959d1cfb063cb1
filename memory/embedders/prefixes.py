"""What some models want to read before a question or a statement: they were trained with it and find less without."""

from typing import Final, NamedTuple

import regex


class Prefixes(NamedTuple):
    """Put before what is embedded."""

    query: str = ""
    passage: str = ""


_RETRIEVE = "Represent this sentence for searching relevant passages: "
_INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"

_BY_NAME: Final = tuple(
    (regex.compile(pattern), Prefixes(*texts))
    for pattern, *texts in (
        (r"(?:^|-)e5-.*instruct", f"{_INSTRUCT} "),
        (r"(?:^|-)e5-", "query: ", "passage: "),
        (r"bge-.*-zh(?:-|$)", "为这个句子生成表示以用于检索相关文章："),
        (r"bge-.*-en(?:-|$)", _RETRIEVE),
        (r"mxbai-embed", _RETRIEVE),
        (r"arctic-embed.*v2", "query: "),
        (r"arctic-embed", _RETRIEVE),
        (r"nomic-embed-text", "search_query: ", "search_document: "),
        (r"embedding-?gemma", "task: search result | query: ", "title: none | text: "),
        (r"qwen3-embedding", _INSTRUCT),
    )
)
"""Each from its model's own page; the first that fits counts. bge-m3, gte, jina, potion and every MiniLM want none."""


def prefixes_of(model: str) -> Prefixes:
    """Give what the model of this name, or in a folder of this name, wants before its texts; nothing for most."""
    name = model.casefold().rstrip("/\\").replace("\\", "/").rpartition("/")[2]
    return next((prefixes for pattern, prefixes in _BY_NAME if pattern.search(name)), Prefixes())
