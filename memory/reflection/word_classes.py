"""Words of which one replaces another so easily: units, currencies, halves of the day, relatives, opposites.

A row holds the senses of one class in one language, or in all where the words do not clash, parted by `` / ``. Entries are patterns over
folded text; what stands for a unit only behind a number (``g``, ``h``, ``m``) is written ``#g``.
"""

from typing import Final

import regex

from memory.folding import fold
from memory.lexicon import folded

Row = tuple["regex.Pattern[str]", ...]


def _sense(words: str) -> "regex.Pattern[str]":
    """Give what finds any of some blank-separated words in a folded text; ``_`` stands for a blank."""
    found = [fold(word).replace("_", " ") for word in words.split()]
    bare = [word for word in found if not word.startswith("#")]
    counted = [word[1:] for word in found if word.startswith("#")]
    behind = rf"|(?<=[\p{{Nd}}/]\s?)(?:{'|'.join(counted)})(?!\p{{L}})" if counted else ""
    return regex.compile(rf"(?<!\p{{L}})(?:{'|'.join(bare)})(?!\p{{L}}){behind}")


def _rows(*rows: str) -> tuple[Row, ...]:
    return tuple(tuple(map(_sense, row.split(" / "))) for row in rows)


MEASURES: Final = _rows(
    "minutes? min minuten? minutos? minut[oi] минут[аыу]? минут minut[ay]?"
    " / hours? hourly #h hrs? stunden? stundlich heures? horas? (?:all|l)'ora ore uur uren час(?:а|ов|ы|у)? godzin[aye]?"
    " / days? daily tage?n? taglich jours? dias? diari[oa] giorn[oi] dag dagen день дня днеи дни dzien dnia dni"
    " / weeks? weekly wochen? wochentlich semaines? semanas? settiman[ae] weken недел[яиюь] недель tydzien tygodni[ea]?"
    " / months? monthly monate?n? monatlich mois (?:al|por)_mes meses mese mesi maand maanden месяц(?:а|ев|ы)? miesiac(?:a|e)? miesiecy"
    " / years? yearly annually annual jahre?n? jahrlich ans annees? anos? ann[oi] jaar jaren год года лет rok roku lata lat",
    "milligrams? milligramme? #mg / grams? gramme?s? gramm grammi gramos? gramas? #g #gr грамм(?:а|ов)?"
    " / kilos? kilograms? kilogramm kilogrammes? kilogram[oi]s? #kg кг килограмм(?:а|ов)? / tonnes? tonnen? toneladas? тонн[аы]?"
    " / lbs? pounds / ounces? oz",
    "millimet(?:er|re)s? #mm / centimet(?:er|re|ro)s? zentimeter #cm см / met(?:er|re|ro|ri|ros)s? #m метр(?:а|ов)?"
    " / kilomet(?:er|re|ro)s? kilometern chilometr[io] #km км километр(?:а|ов)? / miles? meilen? mil[hl]as? миль / feet ft / inch(?:es)?",
    "millilit(?:er|re|ro)s? #ml / centilit(?:er|re)s? #cl / lit(?:er|re|ro|ri|ros)s? #l литр(?:а|ов)? / gallons?",
    "#mb megabytes? / #gb gigabytes? / #tb terabytes?",
    "celsius °c / fahrenheit °f",
    "euros? eur € евро / dollars? usd bucks \\$ dolar(?:es)? dollari доллар(?:а|ов)? / pounds? gbp £ quid pfund"
    " / chf franken? francs? franchi / yen jpy ¥ / yuan rmb cny / roubles? rubles? rubel ₽ руб(?:л[ьяеи]и?)? рублеи / zlot(?:y|ych|e) pln"
    " / kron(?:a|or|e|er|en) sek nok dkk / cents centavos pence ct",
)  # fmt: skip
"""What a number counts."""

HALF_DAYS: Final = _rows(
    "#a\\.?m(?!\\s+(?:\\p{L}+tag|mittwoch|sonnabend|abend|morgen|\\p{Nd})) in_the_morning this_morning every_morning mornings?"
    " 0[1-9]:[0-5]\\p{Nd} morgens fruhmorgens vormittags? du_matin le_matin matin (?:de|por)_la_manana di_mattina mattina da_manha"
    " pela_manha ochtends ochtend утра утром rano"
    " / #p\\.?m 1[3-9]:[0-5]\\p{Nd} 2[0-3]:[0-5]\\p{Nd} (?:1[3-9]|2[0-3])\\s?(?:uhr|h|uur) afternoons? evenings? tonight nachmittags?"
    " abends? apres-midi soir (?:de|por)_la_(?:tarde|noche) (?:di|la|alla|ogni)_sera stasera pomeriggio (?:da|a)_(?:tarde|noite) avonds? middags?"
    " вечера вечером дня днем wieczorem po_poludniu"
)  # fmt: skip

KIN: Final = _rows(
    "fathers? dads? daddy papa / mothers? mums? moms? mummy mama", "brothers? / sisters?", "sons? / daughters?", "husbands? hubby / wife wives",
    "uncles? / aunts? aunt(?:y|ie)s?", "grandfathers? grandpas? grandad / grandmothers? grandmas? granny", "nephews? / nieces?",
    "boyfriends? / girlfriends?", "grandsons? / granddaughters?",
    "vaters? papa / mutter mama", "bruders? brudern? / schwestern?", "sohne?s? / tochtern?", "(?:ehe)?mann(?:es)? / (?:ehe)?frau", "onkels? / tanten?",
    "opas? grossvaters? / omas? grossmutter", "neffen? / nichten?",
    "pere papa / mere maman", "freres? / soeurs?", "fils / filles?", "mari / femme", "oncles? / tantes?",
    "padre papa / madre mama", "hermano / hermanas?", "hijo / hijas?", "marido esposo / mujer esposa", "tio / tias?", "abuelo / abuelas?",
    "padre papa babbo / madre mamma", "fratello / sorell[ae]", "figlio / figli[ae]", "marito / moglie", "zio / zi[ae]", "nonno / nonn[ae]",
    "pai / mae", "irmao / irmas?", "filho / filhas?", "marido / esposa mulher",
    "vader papa / moeder mama", "broers? / zus zussen zusters?", "zoon / dochters?", "man / vrouw", "oom / tantes?", "opa / oma",
    "от(?:ец|ца|цу|цом) пап[аыуеои]+ / мать матери матерью мам[аыуеои]+", "брат(?:а|у|ом|е)? / сестр(?:а|ы|е|у|ои)", "сын(?:а|у|ом|е)? / дочь дочери дочерью",
    "муж(?:а|у|ем|е)? / жен(?:а|ы|е|у|ои)", "дяд[яиюе]и? / тет[яиюе]и?", "дедушк[аиеу] / бабушк[аиеу]",
    "ojciec ojca tat[ay] / matka matki mam[ay]", "brat(?:a|u|em)? / siostr[aye]", "syn(?:a|em)? / cork[aie]", "maz mezem? / zon[aye]",
)  # fmt: skip
"""Relatives of the one and of the other sex. Plurals that mean both (hermanos) are left out."""

OPPOSITES: Final = _rows(
    "(?<=(?:i|we|they|really|also|always)\\s)like likes liked loves? loved enjoys? adores? / dislikes? disliked hates? hated detests? loathes?",
    "mag liebt? liebe / hass(?:e|t|te) verabscheu(?:e|t)", "aimer? adore / deteste hait hais", "amo ama encanta gusta / odi[oa] detest[oa]",
    "amo ama ador[oa] piace / odi[oa] detest[oa]", "ador[oa] amo ama gost[oa] / odei[oa] detest[oa]", "hou houdt / haat haten",
    "люблю любит нравится обожа(?:ю|ет) / ненавижу ненавидит", "lubie? kocham? uwielbiam? / nienawidz[ei]",
    "opens? opened opening / closed closes? closing shut", "offen geoffnet / geschlossen", "ouverte?s? / fermee?s?", "abiert[oa]s? / cerrad[oa]s?",
    "apert[oaie] / chius[oaie]", "abert[oa]s? / fechad[oa]s?", "open / gesloten dicht", "открыт[аоы]? / закрыт[аоы]?", "otwart[yae] / zamkniet[yae]",
    "upstairs / downstairs", "summers? / winters?", "cheap / expensive", "hot / cold",
)  # fmt: skip
"""What cannot both be true of one thing, whoever tells it."""

SIDES: Final = _rows(
    "left / right", "links linke[nrms]? / rechts rechte[nrms]?", "gauche / droite?", "izquierd[oa] / derech[oa]", "sinistr[oa] / destr[oa]",
    "esquerd[oa] / direit[oa]", "linkse?r? / rechtse?r?", "лев(?:ыи|ая|ое|ои|ую|ом|ого) / прав(?:ыи|ая|ое|ои|ую|ом|ого)", "lew[yae] / praw[yae]",
    "more over above / less fewer under below", "mehr / weniger", "plus / moins", "mas / menos", "piu / meno", "mais / menos", "meer / minder",
    "больше более / меньше менее", "wiecej / mniej", "older / younger", "taller / shorter", "bigger larger / smaller",
    "north northern / south southern / east eastern / west western",
)  # fmt: skip
"""Opposites that say the same where the two things change places: what follows the word must be the same to speak against it."""

ORDERS: Final = _rows(
    "before / after",
    "vor / nach",
    "avant / apres",
    "antes / despues",
    "prima / dopo",
    "antes / depois",
    "voor / na",
    "до / после",
    "przed / po",
)
"""The same of time: here nothing else may differ either."""


def _phrases(text: str) -> "regex.Pattern[str]":
    """Give what finds any of some phrases, parted by commas, among folded words with one blank between."""
    return regex.compile(rf"(?<!\p{{L}})(?:{'|'.join(fold(phrase.strip()) for phrase in text.split(','))})(?!\p{{L}})")


PLANNED: Final = {
    "en": _phrases(
        "might, want to, wants to, wanted to, wants me to, wanna, like to, love to, hope to, hoping to, plan to, plans to, planning to, "
        "intend to, going to, gonna, will, ll, think of, thinking of, thinking about, consider, considering, maybe, perhaps, dream of"
    ),
    "de": _phrases("will, wollen, mochte, mochten, wurde gern, plane, uberlege, vielleicht, hoffe, habe vor, werde"),
    "fr": _phrases("veux, voudrais, aimerais, compte, pense, vais, peut etre, espere, envisage de"),
    "es": _phrases("quiero, quisiera, me gustaria, pienso, voy a, quizas?, tal vez, espero, planeo"),
    "it": _phrases("voglio, vorrei, penso di, forse, spero di, intendo"),
    "pt": _phrases("quero, queria, gostaria de, penso em, vou, talvez, pretendo, espero"),
    "nl": _phrases("wil, zou graag, misschien, ga, hoop, overweeg, van plan"),
    "pl": _phrases("chce, chcialbym, chcialabym, moze, planuje, zamierzam, mysle"),
    "ru": _phrases("хочу, хотел бы, хотела бы, может быть, возможно, планирую, собираюсь, думаю, буду, намерен, намерена"),
}  # fmt: skip
"""What comes before a verb that is not done yet, by language."""

SUPPOSED: Final = _phrases(
    "might, maybe, perhaps, possibly, vielleicht, womoglich, eventuell, peut etre, quizas?, tal vez, forse, talvez, misschien, moze, "
    "возможно, может быть, наверное"
)
"""What leaves open whether the next verb is true."""

WILLING: Final = folded(
    "planning planned intends intend intention considering considers thinking thinks hoping aims aim dreams wishes prefers decided decides "
    "going soon goal interested looking seeking needs need idea ideas wishlist possible possibility perhaps may unsure undecided "
    "plant plane geplant uberlegt erwagt vor wunscht hofft denkt ziel sucht prevoit envisage souhaite compte pense va projet espere cherche "
    "planea piensa va desea considera espera busca intenta pensa intende spera progetta cerca quer planeja pretende vai procura "
    "wil overweegt gaat hoopt zoekt chce planuje zamierza mysli szuka хочет планирует собирается думает намерен намерена может ищет надеется"
)
"""What a statement says of plans with, beside the hedges."""
