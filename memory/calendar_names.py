"""The names of days, months and relative days, from dateparser's language tables, as patterns over running text."""

import importlib
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import Any, Final, TypeAlias, TypeVar

import regex

from memory.folding import fold
from memory.lexicon import listed
from memory.numerals import small_numbers

LANGUAGES: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "ru", "uk", "tr", "ro", "hu", "el",
                    "ar", "he", "id", "vi", "zh", "ja", "ko")  # fmt: skip
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS: Final = listed("january february march april may june july august september october november december")
_CJK: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
_EXTRA_RELATIVE: Final = {"tonight": ("day", 0), "this morning": ("day", 0), "this afternoon": ("day", 0), "this evening": ("day", 0),
                          "last night": ("day", -1), "tomorrow night": ("day", 1), "次週": ("week", 1),
                          "あした": ("day", 1), "きのう": ("day", -1), "きょう": ("day", 0), "あさって": ("day", 2), "昨晚": ("day", -1),
                          "今晚": ("day", 0), "明晚": ("day", 1), "明早": ("day", 1), "모레": ("day", 2), "pojutrze": ("day", 2),
                          "pasado mañana": ("day", 2), "dopodomani": ("day", 2), "depois de amanhã": ("day", 2), "غدا": ("day", 1),
                          "stasera": ("day", 0), "ce soir": ("day", 0), "esta noche": ("day", 0), "vanavond": ("day", 0),
                          "the day after tomorrow": ("day", 2), "next month": ("month", 1), "last month": ("month", -1)}  # fmt: skip
_EXTRA_WEEKDAYS: Final = {"sonnabend": 5, "quarta": 2, "quinta": 3, "周日": 6, "週一": 0, "週二": 1, "週三": 2, "週四": 3, "週五": 4,
                          "週六": 5, "週日": 6, "周天": 6, "星期天": 6, "礼拜天": 6, "пятницу": 4, "субботу": 5, "п'ятницю": 4, "суботу": 5,
                          "niedzielę": 6, "sobotę": 5, "neděli": 6, "sobotu": 5}  # fmt: skip
_EVERY_WITHOUT_BLANKS: Final = ("毎週", "每周", "每週", "每", "매주")
_ARTICLES: Final = frozenset({"a", "an", "einem", "einer"})
_ROMANCE_DI: Final = frozenset({"le", "il", "les"})
_EVENINGS: Final = frozenset({"tonight", "this evening", "last night", "tomorrow night"})
_NEXT: Final = frozenset(["next", "nachsten", "nachste", "nachster", "nachstem", "prochain", "prochaine", "proximo", "proxima", "prossimo", "prossima", "volgende", "nasta", "neste", "naeste", "nastepny", "nastepna", "przyszly", "przyszla", "pristi", "следующии", "следующую", "следующее", "gelecek", "onumuzdeki"])  # fmt: skip
_LAST: Final = frozenset(["last", "letzten", "letzte", "letzter", "vergangenen", "vergangene", "vorigen", "dernier", "derniere", "pasado", "pasada", "scorso", "scorsa", "passado", "passada", "vorige", "afgelopen", "forra", "sidste", "forrige", "zeszly", "zeszla", "minuly", "minula", "прошлыи", "прошлую", "прошлое", "минулии", "gecen"])  # fmt: skip
_MORNINGS: Final = frozenset(
    ["am", "guten", "jeden", "diesen", "heute", "ubermorgen", "la", "una", "esta", "cada", "por", "goede"]
)
_FUTURE: Final = regex.compile(
    r"\b(?:will|shall|going to|gonna|must|have to|has to|need|needs|plan|plans|werde|wird|muss|vais|va|voy|vado|devo|vou|buda|bede|буду|будет)\b|'ll\b"
)
_PAST: Final = regex.compile(
    r"\b(?:was|were|went|had|did|saw|met|came|got|took|bought|made|ate|left|lost|won|ran|broke|fell|drove|flew|gave|found|felt|"
    r"(?!need|bed|red|wed|shed|used|speed|feed)\w{3,}ed|war|waren|hatte|hatten|wurde|ge\w{2,}t|etait|avons|ai|suis alle\w*|fue|fui|tuve|estuve|"
    r"ho|abbiamo|sono andat\w|foi|estive|tive|byla?|bylem|bylam|\w+lem|\w+lam|\w{2,}(?:л|ла|ли))\b|ました|でした|だった|[었았했]"
)

_ARRANGED: Final = regex.compile(
    r"\b(?:(?:is|was|has been|got|been)? ?(?:moved|postponed|rescheduled|shifted|pushed|brought forward) (?:to|till|until)|booked|scheduled|planned|"
    r"arranged|invited|agreed|decided|promised|verschoben|verlegt|gebucht|vereinbart|ausgemacht|reporte|repousse|aplazad\w|reservad\w|spostat\w|"
    r"adiad\w|verzet|перенес\w*|записал\w*|договорил\w*)\b"
)
"""A past tense that tells of a coming day."""


@lru_cache(maxsize=1)
def _tables() -> tuple[tuple[str, dict[str, Any]], ...]:
    base = "dateparser.data.date_translation_data"
    return tuple((name, importlib.import_module(f"{base}.{name}").info) for name in LANGUAGES)


def _spellings(name: str) -> Iterator[str]:
    """Give a name as tables write it, with and without accents."""
    yield name.lower()
    yield fold(name)


def _is_whole(name: str, least: int) -> bool:
    return len(name) >= (2 if _CJK.search(name) else least) and regex.search(r"\d", name) is None


def _collect(keys: Iterable[str], least: int) -> dict[str, int]:
    """Map every spelling of the names under ``keys`` to the position of its key; where two languages differ, the first one wins."""
    table: dict[str, int] = {}
    for _, info in _tables():
        for position, key in enumerate(keys):
            for name in info.get(key, ()):
                if _is_whole(name, least):
                    for spelling in _spellings(name):
                        table.setdefault(spelling, position)
    return table


@lru_cache(maxsize=1)
def _weekday_table() -> dict[str, int]:
    table = _collect(_WEEKDAYS, 4) | {s: day for name, day in _EXTRA_WEEKDAYS.items() for s in _spellings(name)}
    for ambiguous in ("mars", "terca", "sexta", "segunda", "lune", "mart", "third", "vier"):
        table.pop(ambiguous, None)
    return table


@lru_cache(maxsize=1)
def _month_table() -> dict[str, int]:
    table = _collect(_MONTHS, 3)
    return {name: month + 1 for name, month in table.items() if not _CJK.search(name)}


@lru_cache(maxsize=1)
def _relative_table() -> dict[str, tuple[str, int]]:
    table: dict[str, tuple[str, int]] = {}
    for _, info in _tables():
        for key, phrases in info.get("relative-type", {}).items():
            found = regex.fullmatch(r"(in )?(\d+) (day|week|month|year)( ago)?", key)
            if found is None or not (found[1] or found[4]):
                continue
            for phrase in phrases:
                if _is_whole(phrase, 3):
                    offset = (found[3], int(found[2]) * (1 if found[1] else -1))
                    for spelling in _spellings(phrase):
                        table.setdefault(spelling, offset)
    table |= {s: offset for name, offset in _EXTRA_RELATIVE.items() for s in _spellings(name)}
    return {name: offset for name, offset in table.items() if name not in {"ara", "azi ", "now", "dag", "ieri "}}


def _any_of(spellings: Iterable[str]) -> str:
    """Give a pattern for any of ``spellings``, longest first; scripts with blanks need whole words."""
    ordered = sorted(set(spellings), key=len, reverse=True)
    spaced = "|".join(regex.escape(s) for s in ordered if not _CJK.search(s))
    joined = "|".join(regex.escape(s) for s in ordered if _CJK.search(s))
    return (
        rf"(?:(?<![\p{{L}}\p{{M}}\p{{N}}])(?:{spaced})(?![\p{{L}}\p{{M}}\p{{N}}])"
        + (rf"|(?:{joined})" if joined else "")
        + ")"
    )


_Pattern: TypeAlias = "regex.Pattern[str]"


@lru_cache(maxsize=1)
def weekdays() -> _Pattern:
    """Give the pattern of a weekday; group ``name`` is the bare name, ``week`` a Chinese, Japanese or Korean "this/next/last week"."""
    names = {*_weekday_table(), *(f"{name}s" for name in _weekday_table() if not _CJK.search(name))}
    week = r"(?P<week>下下?(?:个|個)?|上(?:个|個)?|这(?:个|個)?|這(?:个|個)?|本|来週の?|先週の?|今週の?|다음\s?주\s?|지난\s?주\s?|이번\s?주\s?)?"
    return regex.compile(rf"{week}(?P<name>{_any_of(names)})", regex.IGNORECASE)


@lru_cache(maxsize=1)
def relative_words() -> _Pattern:
    """Give the pattern of "tomorrow", "next week" and their like."""
    return regex.compile(_any_of(_relative_table()), regex.IGNORECASE)


@lru_cache(maxsize=1)
def day_and_month() -> _Pattern:
    """Give the pattern of a day with a month's name, in either order, with or without a year."""
    month = rf"(?P<month>{_any_of(_month_table())})\.?"
    day = r"(?<![\d.,:])(?P<day{}>[0-3]?\d)(?:st|nd|rd|th|er|º|ª|°|\.)?(?![\d:])"
    year = r"(?:,?\s*(?:de |del |of )?(?P<year>\d{4})(?!\d))?"
    link = r"\s*(?:of |de |di |d'|den )?"
    return regex.compile(
        rf"(?:{day.format(1)}{link}{month}|{month}\s*(?:the )?{day.format(2)}){year}", regex.IGNORECASE
    )


@lru_cache(maxsize=1)
def month_alone() -> _Pattern:
    """Give the pattern of a month without a day; short and everyday words ("may", "mars") need a year or a capital and a preposition."""
    whole = [m for m in _month_table() if len(m) >= 4 and m not in {"mars", "mart", "marco", "juli", "march", "sept"}]
    risky = r"(?<=\b(?:in|since|until|till|last|next|this|early|late|mid|im|seit|bis|en|em) )(?:May|Mai|Mars|March|Mart|Mei|Maj|Juli)\b"
    year = r"(?:,?\s*(?:de |del |of )?(?P<year>(?:19|20)\d\d)(?!\d))"
    short = "|".join(sorted(set(_month_table()), key=len, reverse=True))
    return regex.compile(
        rf"(?:(?P<month>(?i:{_any_of(whole)})|{risky}){year}?|(?<![\p{{L}}])(?P<month>(?i:{short}))\.?{year})"
    )


def weekday_of(name: str) -> int:
    """Give the weekday of a name, Monday is 0."""
    return _lookup(_weekday_table(), name[:-1] if weekday_is_plural(name.lower()) else name)


def month_of(name: str) -> int:
    """Give the number of the month ``name``."""
    return _lookup(_month_table(), name)


def offset_of(phrase: str) -> tuple[str, int]:
    """Give unit and count of a relative word."""
    return _lookup(_relative_table(), phrase)


T = TypeVar("T")


def _lookup(table: dict[str, T], name: str) -> T:
    return table[name.lower()] if name.lower() in table else table[fold(name)]


@lru_cache(maxsize=1)
def counted() -> tuple[tuple[_Pattern, str, int], ...]:
    """Give the patterns of "in two weeks" and "3 days ago" with their unit and sign, to be tried around a number."""
    alternatives: dict[tuple[str, int], list[str]] = {}
    for _, info in _tables():
        for key, patterns in info.get("relative-type-regex", {}).items():
            found = regex.fullmatch(r"(in )?\\1 (day|week|month|year)( ago)?", key)
            if found:
                alternatives.setdefault((found[2], 1 if found[1] else -1), []).extend(patterns)
    return tuple(_counted_pattern(unit, sign, patterns) for (unit, sign), patterns in alternatives.items())


def _counted_pattern(unit: str, sign: int, patterns: Iterable[str]) -> tuple[_Pattern, str, int]:
    count = r"(?P<count>\d{1,3}|[\p{L}]{1,12})"
    whole = sorted({p.replace(r"(\d++[.,]?\d*+)", count) for p in patterns if r"\d++" in p}, key=len, reverse=True)
    body = "|".join(
        regex.sub(r"(?<!\\s\*) ", r"\\s+", p)
        for p in whole
        if not regex.search(r"\)\s?(?:\\s\*)?.$", p) or _CJK.search(p)
    )
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{body})(?![\p{{L}}\p{{N}}])", regex.IGNORECASE), unit, sign


@lru_cache(maxsize=4096)
def count_of(word: str) -> int | None:
    """Give the number that a word or a run of digits is, up to 999; "a" and "an" are one."""
    if word.isdecimal():
        return int(word)
    folded = fold(word)
    return 1 if folded in _ARTICLES else small_numbers().get(folded)


def is_morning(text: str, start: int, end: int) -> bool:
    """Say whether a word for tomorrow means the morning here ("am Morgen", "por la mañana")."""
    word = fold(text[start:end])
    if word not in {"morgen", "manana"}:
        return False
    before = fold(text[max(0, start - 16) : start]).split()
    return bool(before and before[-1] in _MORNINGS) or (text[start].isupper() and start > 0 and word == "morgen")


def is_habit(found: str, before: list[str], habitual: frozenset[str]) -> bool:
    """Say whether a weekday is a habit: a plural, or "every" before it."""
    name = found.lower()
    if name.endswith("s") and weekday_is_plural(name):
        return True
    if before[-1:] and before[-1].endswith(_EVERY_WITHOUT_BLANKS):
        return True
    near = before[-1:] + (before[-2:-1] if before[-1:] and before[-1] in {"single", "other", "second"} else [])
    return any(word in habitual or word in _articles_of_habit(fold(name)) for word in near)


def _articles_of_habit(name: str) -> frozenset[str]:
    """Give the articles that make a weekday a habit: "le jeudi", "il giovedì", "la domenica", "los jueves"."""
    return (
        _ROMANCE_DI if name.endswith("di") else frozenset({"la"}) if name == "domenica" else frozenset({"los", "las"})
    )


def weekday_is_plural(name: str) -> bool:
    """Say whether ``name`` is a weekday with a plural s, or a German adverb like "donnerstags"."""
    return name[:-1] in _weekday_table() and name not in _weekday_table()


def week_shift(found: "regex.Match[str]", before: list[str]) -> str:
    """Give ``next`` or ``last`` where the words around a weekday say so, ``next week`` or ``last week`` for a named week, else nothing."""
    week = found["week"] or ""
    if week:
        return "next week" if week[0] in "下来다" else "last week" if week[0] in "上先지" else "this week"
    after = fold(found.string[found.end() : found.end() + 16]).replace(",", " ").split()[:1]
    if (before[-1:] and before[-1] in _NEXT) or (after and after[0] in _NEXT):
        return "next"
    return "last" if (before[-1:] and before[-1] in _LAST) or (after and after[0] in _LAST) else ""


def tells_of_the_past(text: str) -> bool:
    """Say whether ``text`` reads like a story: a past tense, and nothing that points ahead."""
    folded = fold(text)
    return _PAST.search(folded) is not None and _FUTURE.search(folded) is None and _ARRANGED.search(folded) is None


@lru_cache(maxsize=1)
def _english() -> frozenset[str]:
    _, info = _tables()[0]
    relative = (phrase for phrases in info["relative-type"].values() for phrase in phrases)
    return frozenset({*_WEEKDAYS, *relative, *_EVENINGS})


def is_english(word: str) -> bool:
    """Say whether a word for a date is English."""
    return word.lower() in _english() or word.lower().split()[-1] in _WEEKDAYS


_WRITERS: Final[dict[str, Callable[[date], str]]] = {
    "zh": lambda d: f"{d.year}年{d.month}月{d.day}日",
    "ja": lambda d: f"{d.year}年{d.month}月{d.day}日",
    "ko": lambda d: f"{d.year}년 {d.month}월 {d.day}일",
}
_ENGLISH_MONTHS: Final = tuple(m.capitalize() for m in _MONTHS)
_ENGLISH_DAYS: Final = tuple(d.capitalize() for d in _WEEKDAYS)


def written(word: str, day: date, unit: str, language: str | None) -> str:
    """Give the date in place of ``word``: in English "Thursday 3 Dec 2026", elsewhere ISO beside the weekday that was said."""
    if unit == "year":
        return f"in {day.year}" if language == "en" else str(day.year)
    if unit == "month":
        return f"in {_ENGLISH_MONTHS[day.month - 1]} {day.year}" if language == "en" else f"{day:%Y-%m}"
    if language == "en":
        return _in_english(word, day, unit)
    plain = _WRITERS.get(language or "", date.isoformat)(day)
    if unit == "week":
        return f"{word} ({plain})"
    return f"{word} {plain}" if weekdays().fullmatch(word) and not _CJK.search(word) else plain


def _in_english(word: str, day: date, unit: str) -> str:
    plain = f"{day.day} {_ENGLISH_MONTHS[day.month - 1][:3]} {day.year}"
    if unit == "week":
        return f"in the week of {plain}"
    whole = f"{_ENGLISH_DAYS[day.weekday()]} {plain}"
    if weekdays().fullmatch(word.rsplit(maxsplit=1)[-1]):
        return whole
    return f"on {whole} in the evening" if word.lower() in _EVENINGS else f"on {whole}"
