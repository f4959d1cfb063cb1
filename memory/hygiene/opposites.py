"""Words that turn a statement round without a "not": opposites, and hedges that leave it open."""

from typing import Final

from memory.lexicon import folded

_PAIRS: Final = (
    "love hate", "loves hates", "like dislike", "likes dislikes", "left right", "am pm", "lent owes", "lent borrowed", "lends borrows",
    "brother sister", "mother father", "son daughter", "uncle aunt", "husband wife", "grandmother grandfather", "niece nephew",
    "before after", "more less", "bought sold", "buys sells", "big small", "large small", "old young", "old new", "early late", "first last",
    "upstairs downstairs", "morning evening", "day night", "north south", "east west", "open closed", "hot cold", "summer winter", "gave got",
    "left got", "arrives leaves", "single married", "hermano hermana", "madre padre", "hijo hija", "izquierda derecha", "ama odia",
    "bruder schwester", "mutter vater", "sohn tochter", "links rechts", "liebt hasst", "vor nach", "gross klein", "frere soeur", "mere pere",
    "fils fille", "gauche droite", "aime deteste", "fratello sorella", "padre madre", "sinistra destra", "брат сестра", "мать отец",
    "левая правая", "любит ненавидит",
)  # fmt: skip
_OPPOSED: Final = frozenset(frozenset(folded(pair)) for pair in _PAIRS)
_HEDGES: Final = folded(
    "almost nearly might maybe perhaps hardly barely probably possibly sometimes rarely seldom fast beinahe vielleicht kaum wahrscheinlich "
    "manchmal selten casi quizas apenas tal presque peut peine rarement parfois quasi forse appena raramente почти может едва возможно редко "
    "иногда "
    "want wants wanted must should would could ex used former formerly wish wishes hope hopes plan plans will mochte will wollte muss soll "
    "sollte wurde fruher veut voudrait doit devrait ancien quiere quisiera debe antes vuole vorrebbe deve ex хочет хотел должен раньше бывший"
)


def opposed(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether one set of folded words has a word whose opposite stands in the other, and not in both."""
    mine, its = one - other, other - one
    return any(pair & mine and pair & its for pair in _OPPOSED)


def hedges(said: frozenset[str]) -> frozenset[str]:
    """Give the words that leave a statement open."""
    return said & _HEDGES
