"""Euros told as dollars, the mother as the father, left as right: one word in the place of its like."""

import pytest

from tests.memory.reflection.samples import add

SWAPPED = [
    ("The cleaner gets 15 euros an hour.", "The cleaner gets 15 euros a day"),
    ("Die Putzhilfe bekommt 15 Euro pro Stunde.", "Die Putzhilfe bekommt 15 Euro pro Tag"),
    ("Le loyer est de 900 euros par mois.", "Le loyer est de 900 euros par semaine"),
    ("The recipe takes 200 g of butter.", "The recipe takes 200 kg of butter"),
    ("Das Rezept braucht 200g Butter.", "Das Rezept braucht 200 kg Butter"),
    ("The rent is 900 euros.", "The rent is 900 dollars"),
    ("The rent is 900€.", "The rent is $900"),
    ("My commute takes 40 minutes.", "Commute takes 40 hours"),
    ("I run 10 miles on Sundays.", "Runs 10 km on Sundays"),
    ("El alquiler cuesta 900 euros.", "El alquiler cuesta 900 dólares"),
    ("Аренда стоит 900 евро.", "Аренда стоит 900 долларов"),
    ("The train leaves at 7 pm.", "The train leaves at 7 am"),
    ("The train leaves at 7 pm.", "The train leaves at 07:00"),
    ("The train leaves at 19:00.", "The train leaves at 7 am"),
    ("My mother lives in Piran.", "Father lives in Piran"),
    ("My sister Odile lives in Ghent.", "Brother Odile lives in Ghent"),
    ("Моя сестра переехала в Гент.", "Брат переехал в Гент"),
    ("Mein Bruder wohnt in Graz.", "Schwester wohnt in Graz"),
    ("Ma mère habite à Gand.", "Son père habite à Gand"),
    ("Mi hermano vive en Lugo.", "Su hermana vive en Lugo"),
    ("Mia sorella vive a Pirano.", "Il fratello vive a Pirano"),
    ("Mijn broer woont in Gent.", "Zus woont in Gent"),
    ("Moja siostra mieszka w Gdyni.", "Brat mieszka w Gdyni"),
    ("O meu irmão mora em Braga.", "A irmã mora em Braga"),
    ("My left knee hurts.", "The right knee hurts"),
    ("Mein linkes Knie schmerzt.", "Rechtes Knie schmerzt"),
    ("Take the pill before breakfast.", "Takes the pill after breakfast"),
    ("I dislike olives.", "Likes olives"),
    ("I hate olives.", "Loves olives"),
    ("Ich hasse Oliven.", "Liebt Oliven"),
    ("I earn less than 3000 euros.", "Earns more than 3000 euros"),
    ("Ich verdiene weniger als 3000 Euro.", "Verdient mehr als 3000 Euro"),
    ("The shop is open on Sundays.", "The shop is closed on Sundays"),
    ("Le magasin est ouvert le dimanche.", "Le magasin est fermé le dimanche"),
]

THE_SAME = [
    ("My mum lives in Piran.", "Mother lives in Piran"),
    ("I charge 90€/h.", "Charges 90 euros an hour"),
    ("The rent is 900 € a month.", "Monthly rent is 900 euros"),
    ("The rent is $900 monthly.", "The rent is 900 dollars per month"),
    ("The train leaves at 7 pm.", "The train leaves at 19:00"),
    ("The train leaves at 19:00.", "The train leaves at 7 pm"),
    ("The train leaves at 7 in the evening.", "The train leaves at 7 pm"),
    ("Der Zug fährt um 19 Uhr.", "Der Zug fährt abends um 19 Uhr"),
    ("Morgen um 19 Uhr kommt der Klempner.", "Der Klempner kommt um 19 Uhr"),
    ("I get up at 6 am and the shop closes at 8 pm.", "The shop closes at 8 pm"),
    ("The lamp is to the left of the door.", "The door is to the right of the lamp"),
    ("Tobin arrived before Odile.", "Odile arrived after Tobin"),
    ("My daughter's husband Tobin is a baker.", "Son-in-law Tobin is a baker"),
    ("The museum is closed except on Mondays.", "The museum is open on Mondays"),
    ("I dislike mornings. My favourite fruit is the fig.", "Likes figs"),
    ("Before moving to Berlin I lived in Rome.", "Moved to Berlin after living in Rome"),
    ("Mes frères et sœurs habitent à Gand.", "Ses frères et sœurs habitent à Gand"),
    ("Mis hermanos Ana y Luis viven en Lugo.", "Su hermana Ana vive en Lugo"),
    ("I take 20 mg every 24 hours.", "Takes 20 mg daily"),
    ("I run 5 km in 25 minutes.", "Runs 5 km in 25 minutes"),
    ("I'm 34 years old and earn 3000 a month.", "Earns 3000 monthly"),
    ("My brother and my sister live in Piran.", "Sister lives in Piran"),
    ("My father is a baker, my mother a nurse.", "Mother is a nurse"),
    ("I work 8 hours a day, 5 days a week.", "Works 8 hours daily, 5 days weekly"),
    ("I like my coffee black.", "Likes coffee black"),
    ("My son turned 3 months today.", "Son is 3 months old"),
    ("Ich bin gegen Nüsse allergisch.", "Ist gegen Nüsse allergisch"),
    ("I like feeling the cold.", "Likes the cold"),
    ("My dog weighs 12 kg and is 3 years old.", "Dog weighs 12 kilos"),
    ("Ich nehme vor dem Essen 2 Tabletten.", "Nimmt 2 Tabletten vor dem Essen"),
    ("Mon fils Luc a 7 ans.", "Son fils Luc a 7 ans"),
    ("Mi mujer se llama Ana.", "Su esposa se llama Ana"),
    ("Mój mąż ma na imię Tomek.", "Mąż ma na imię Tomek"),
    ("The pharmacy is open till 8 pm, closed on Sundays.", "Pharmacy is closed on Sundays"),
    ("I live upstairs from my parents.", "Lives upstairs from the parents"),
    ("I like summer more than winter.", "Likes summer better than winter"),
    ("I'm older than my brother.", "Brother is younger"),
    ("My brother is younger than me.", "Is older than the brother"),
    ("My salary is 3000 euros, paid monthly.", "Earns 3000 euros a month"),
    ("It's 30 degrees Celsius in my flat.", "Flat is at 30 °C"),
    ("My bike cost 400 quid.", "Bike cost 400 pounds"),
    ("My bike cost 400 quid.", "Bike cost £400"),
    ("I swim 2 km every morning.", "Swims 2 kilometres every morning"),
    ("Choir is on Tuesday evening at 7.", "Choir on Tuesday at 7 pm"),
    ("Choir is at 19:30.", "Choir at 7:30 pm"),
    ("Good evening! My shift starts at 6.", "Shift starts at 6"),
    ("My mother's brother Rosario lives in Bari.", "Uncle Rosario lives in Bari"),
    ("My parents live in Bari, mum is a nurse.", "Mother is a nurse and lives in Bari"),
    ("My husband's mother Rosa lives in Bari.", "Mother-in-law Rosa lives in Bari"),
    ("Anna is my brother Tobin's daughter.", "Niece Anna is Tobin's daughter"),
    ("I drank coffee after the surgery, tea earlier.", "Drank tea before the surgery"),
    ("The gym is less busy before noon.", "The gym is more busy after noon"),
    ("Odile's husband Tobin lives in Ghent with her.", "Tobin's wife Odile lives in Ghent"),
    ("My mum's husband bakes rye bread in Ghent.", "Step-father bakes rye bread in Ghent"),
    ("I hate olives, I never eat olives.", "Does not love olives"),
    ("I sleep 6 hours a night.", "Sleeps 6 hours a day"),
]


@pytest.mark.parametrize(("words", "text"), SWAPPED)
def test_one_word_in_the_place_of_its_like_is_refused(words: str, text: str) -> None:
    """All else was said."""
    assert add(text, words) == "reject unsupported"


@pytest.mark.parametrize(("words", "text"), THE_SAME)
def test_the_same_in_other_words_is_accepted(words: str, text: str) -> None:
    """Another spelling, a converse, or a word that stands elsewhere in what was said."""
    assert add(text, words) == "accept ok"
