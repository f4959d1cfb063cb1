"""The numbers a text states, so that 17, ``seventeen`` and ``١٧`` are one, and 214 and 241 are not."""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

from memory.digits import plain
from memory.folding import Word, fold, words
from memory.lexicon import folded

# Units 0-19 and tens 20-90, blank-separated, in the order of the numbers; "-" leaves one out.
_UNITS: Final = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "de": "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn",
    "fr": "zero - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit dixneuf",
    "es": "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve",
    "it": "zero - due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
    "pt": "zero - dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
    "nl": "nul - twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
    "sv": "noll - tva tre fyra fem sex sju atta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton",
    "pl": "zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec jedenascie dwanascie trzynascie czternascie pietnascie "
    "szesnascie siedemnascie osiemnascie dziewietnascie",
    "ru": "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать "
    "шестнадцать семнадцать восемнадцать девятнадцать",
    "uk": "нуль один два три чотири п'ять шість сім вісім дев'ять десять одинадцять дванадцять",
    "tr": "sifir bir iki uc dort bes alti yedi sekiz dokuz",
}
_TENS: Final = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante - quatrevingts -",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "sv": "tjugo trettio fyrtio femtio sextio sjuttio attio nittio",
    "pl": "dwadziescia trzydziesci czterdziesci piecdziesiat szescdziesiat siedemdziesiat osiemdziesiat dziewiecdziesiat",
    "ru": "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
}
_FORMS: Final = {
    1: "un une uno una um uma een first erste ersten premier primera primer primo eerste первыи",
    2: "двух две дві двое dwie dwoch zwo duas both beide second zweite deuxieme segundo segunda secondo второи",
    3: "трех трое trzech third dritte dritten troisieme tercero tercera tercer terzo terza terceiro terceira derde третии третьем третья",
    4: "четырех czterech fourth vierte vierten quatrieme cuarto cuarta quarto quarta vierde четвертыи четвертом",
    5: "пяти fifth funfte funften cinquieme quinto quinta vijfde пятыи пятом",
    6: "шести sixth sechste sechsten sixieme sexto sexta sesto шестои",
    7: "семи seventh siebte siebten septieme septimo septima settimo седьмои",
    8: "восьми eighth achte achten huitieme octavo ottavo восьмои",
    9: "девяти ninth neunte neunten neuvieme noveno nono девятыи",
    10: "десяти tenth zehnte zehnten dixieme decimo десятыи",
    11: "eleventh elfte elften",
    12: "dozen dutzend douzaine docena twelfth zwolfte zwolften",
}
_SCALES: Final = {
    100: "hundred hundert cent cents cien ciento cientos cento honderd hundra sto сто",
    1000: "thousand tausend mille mil mila duizend tusen tysiac tysiace tysiecy тысяча тысячи тысяч k",
    1_000_000: "million millions millionen millones milioni milhoes miljoen miljon milion миллион миллиона миллионов",
}
_PAIRS: Final = {("dix", "sept"): 17, ("dix", "huit"): 18, ("dix", "neuf"): 19, ("soixante", "dix"): 70, ("quatre", "vingt"): 80,
          ("quatre", "vingts"): 80}  # fmt: skip
_AND: Final = frozenset({"and", "und", "et", "y", "e", "en", "och", "i"})
_AMBIGUOUS_WORDS: Final = folded(
    "one un une uno una um uma ein eins een bir один jeden second sei both beide elf mil sto uc"
)
_CJK_DIGITS: Final = {c: i for i, c in enumerate("〇一二三四五六七八九")} | {
    "零": 0,
    "两": 2,
    "兩": 2,
    "壱": 1,
    "弐": 2,
}
_CJK_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000}
_CJK_NUMBER: Final = regex.compile("[〇零一二三四五六七八九十百千万萬两兩]+")
_CJK_IDIOMS: Final = regex.compile(
    "一起|一下|一些|一样|一直|一般|一定|第一|统一|唯一|十分|千万|万一|三明治|百度|一番|一緒|四川|九州|八月|一个"
)
_DIGITS: Final = regex.compile(r"\p{Nd}+(?:[.,:'’ \u00a0\u202f/()-]{1,2}\p{Nd}+)*(?:[kK]\b)?")
_CLOCK: Final = regex.compile(r"\p{Nd}{1,2}(?::\p{Nd}{2})?\s?(?:a\.?m|p\.?m)\b", regex.IGNORECASE)
_SPLIT: Final = regex.compile(r"\p{Nd}+")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it stands in a text. ``forms`` are its canonical spellings: two numbers are one when they share a form."""

    start: int
    end: int
    forms: frozenset[str]
    spelled: bool = False


def _ascii(text: str) -> str:
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


def _trim(digits: str) -> str:
    return digits.lstrip("0") or "0"


def _forms_of_digits(raw: str) -> frozenset[str]:
    """Give all ways to write the same digits: grouped, joined, as a decimal, as a time of day."""
    text = _ascii(raw)
    groups = _SPLIT.findall(text)
    if len(groups) == 1 and text.endswith(("k", "K")):
        return frozenset({_trim(groups[0] + "000")})
    if len(groups) == 1:
        return frozenset({_trim(text)} | ({text} if text != _trim(text) else set()))
    forms = {"".join(groups), "/".join(map(_trim, groups))}
    if len(groups) == 2 and regex.search(r"[.,]", text):
        forms |= _decimals(groups[0], groups[1])
    if len(groups) == 2 and ":" in text:
        forms |= _clock(int(groups[0]), int(groups[1]))
    return frozenset(forms)


def _decimals(whole: str, part: str) -> set[str]:
    shortened = part.rstrip("0")
    if len(part) == 3:
        return {_trim(whole + part)}  # a thousand with its separator
    return {f"{_trim(whole)}.{shortened}" if shortened else _trim(whole)}


def _clock(hour: int, minute: int) -> set[str]:
    times = {f"{hour}:{minute:02d}"}
    times |= {f"{hour - 12}:{minute:02d}"} if 12 < hour < 24 else set()
    return times | ({str(hour)} | ({str(hour - 12)} if 12 < hour < 24 else set()) if minute == 0 else set())


def _clock_forms(found: str) -> frozenset[str]:
    groups = [int(g) for g in _SPLIT.findall(_ascii(found))]
    hour, minute = groups[0], groups[1] if len(groups) > 1 else 0
    late = "p" in found.lower()
    forms = _clock(hour, minute) | _clock(hour + 12 if late and hour < 12 else hour % 12 if not late else hour, minute)
    return frozenset(forms)


@lru_cache(maxsize=1)
def _spelled() -> dict[str, int]:
    table: dict[str, int] = {}
    for names in _UNITS.values():
        table |= {fold(w): n for n, w in enumerate(names.split()) if w != "-"}
    for names in _TENS.values():
        table |= {fold(w): 10 * (n + 2) for n, w in enumerate(names.split()) if w != "-"}
    for number, forms in _FORMS.items():
        table |= {fold(w): number for w in forms.split()}
    return table | _joined()


def _joined() -> dict[str, int]:
    """Give the numbers written as one word, unit first or tens first."""
    table: dict[str, int] = {"dixsept": 17, "quatrevingtdix": 90, "soixantedix": 70}
    for language, link, unit_first in (("de", "und", True), ("nl", "en", True), ("it", "", False), ("sv", "", False)):
        units = _UNITS[language].split()[1:10]
        for tens, ten in enumerate(_TENS[language].split(), start=2):
            for unit, one in enumerate(units, start=1):
                one_ = "ein" if one == "eins" else one
                table[one_ + link + ten if unit_first else ten + one] = 10 * tens + unit
    return table


@lru_cache(maxsize=1)
def _scales() -> dict[str, int]:
    return {fold(w): scale for scale, names in _SCALES.items() for w in names.split()}


def _spelled_numbers(tokens: tuple[Word, ...]) -> list[Number]:
    """Give the numbers written in words; neighbours that belong together ("two hundred and ten") are one."""
    found: list[Number] = []
    at = 0
    while at < len(tokens):
        value, after = _read(tokens, at)
        if after > at:
            spelled = not any(c.isdecimal() for c in tokens[at].raw)
            found.append(Number(tokens[at].start, tokens[after - 1].end, frozenset({str(value)}), spelled))
        at = max(after, at + 1)
    return found


def _value(token: Word, *, first: bool) -> int | None:
    if first and token.raw.isdecimal() and len(token.raw) <= 6:
        return int(token.raw)
    return _spelled().get(token.folded)


def _read(tokens: tuple[Word, ...], at: int) -> tuple[int, int]:
    """Read one number that begins at ``at``; give its value and the position after it (``at`` itself when there is none)."""
    total, current, start = 0, 0, at
    last = 0  # the size of what was read last: units follow tens, never the other way round
    pair = _PAIRS.get((tokens[at].folded, tokens[at + 1].folded)) if at + 1 < len(tokens) else None
    if pair:
        return pair, at + 2
    while at < len(tokens):
        word = tokens[at].folded
        value, scale = _value(tokens[at], first=at == start), _scales().get(word)
        if scale and (at > start or word in {"hundred", "hundert", "thousand", "tausend", "cien", "cento", "mille"}):
            current, last = max(current, 1) * scale, scale
            total, current = (total + current, 0) if scale >= 1000 else (total, current)
        elif value is not None and (at == start or _continues(value, last)):
            digits = tokens[at].raw.isdecimal()  # "in 2026 four of us": only a scale goes on after digits ("3 million")
            current, last = current + value, 0 if digits else value
        elif not (word in _AND and at > start and at + 1 < len(tokens) and _joins(tokens[at + 1], last)):
            break
        at += 1
    only_digits = at == start + 1 and tokens[start].raw.isdecimal()
    return (0, start) if only_digits else (total + current, at)


def _continues(value: int, last: int) -> bool:
    return (last >= 100 and value < last) or (20 <= last < 100 and last % 10 == 0 and 0 < value < 10)


def _joins(following: Word, last: int) -> bool:
    value = _value(following, first=False)
    return value is not None and _continues(value, last)


def _cjk_numbers(text: str) -> list[Number]:
    masked = _CJK_IDIOMS.sub(lambda m: "□" * len(m[0]), text)
    return [
        Number(m.start(), m.end(), frozenset({str(_cjk_value(m[0]))}), spelled=True)
        for m in _CJK_NUMBER.finditer(masked)
        if m[0] not in {"一", "万", "千", "百"}
    ]


def _cjk_value(run: str) -> int:
    if not any(c in _CJK_SCALES for c in run):
        return int("".join(str(_CJK_DIGITS[c]) for c in run))
    total, digit = 0, 0
    for c in run:
        if c in _CJK_DIGITS:
            digit = _CJK_DIGITS[c]
        elif _CJK_SCALES[c] == 10_000:
            total, digit = (total + digit or 1) * 10_000, 0
        else:
            total, digit = total + (digit or 1) * _CJK_SCALES[c], 0
    return total + digit


def numbers(text: str) -> tuple[Number, ...]:
    """Give the numbers of ``text`` in order of kind: digits in any script, then words up to millions in common languages."""
    text = plain(text)
    clocks = [Number(m.start(), m.end(), _clock_forms(m[0])) for m in _CLOCK.finditer(text)]
    digits = [
        Number(m.start(), m.end(), _forms_of_digits(m[0]))
        for m in _DIGITS.finditer(text)
        if not any(c.start <= m.start() < c.end for c in clocks)
    ]
    return (*clocks, *digits, *_spelled_numbers(words(text)), *_cjk_numbers(text))


def forms(text: str) -> frozenset[str]:
    """Give every form of every number in ``text``: what a number of another text is looked up in."""
    found: set[str] = set()
    for number in numbers(text):
        found |= number.forms
        if not number.spelled:
            found |= {_trim(_ascii(group)) for group in _SPLIT.findall(text[number.start : number.end])}
    return frozenset(found)


def claims(text: str) -> tuple[Number, ...]:
    """Give the numbers that ``text`` asserts: without the words that are often no number ("one of us")."""
    return tuple(n for n in numbers(text) if not (n.spelled and fold(text[n.start : n.end]) in _AMBIGUOUS_WORDS))


@lru_cache(maxsize=1)
def small_numbers() -> dict[str, int]:
    """Give the folded words for 1 to 12 in all languages, for counting days and weeks."""
    return {word: number for word, number in _spelled().items() if 1 <= number <= 12}
