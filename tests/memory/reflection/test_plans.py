"""What people may or want to do is not done."""

import pytest

from tests.memory.reflection.samples import add

ONLY_PLANNED = [
    ("I might sell the boat next year.", "Sold the boat"),
    ("I might sell the boat next year.", "Selling the boat next year"),
    ("I'm thinking of selling the boat.", "Sold the boat"),
    ("I want to quit the choir.", "Quit the choir"),
    ("Maybe I will move to Ghent.", "Moved to Ghent"),
    ("Maybe I will move to Ghent.", "Moves to Ghent"),
    ("I'm planning to adopt a cat.", "Adopted a cat"),
    ("Vielleicht verkaufe ich das Boot.", "Hat das Boot verkauft"),
    ("Ich will das Boot verkaufen.", "Hat das Boot verkauft"),
    ("Je veux vendre le bateau.", "A vendu le bateau"),
    ("Quiero vender el barco.", "Vendió el barco"),
    ("Quero vender o barco.", "Vendeu o barco"),
    ("Ik wil de boot verkopen.", "Heeft de boot verkocht"),
    ("Chcę sprzedać łódź.", "Sprzedał łódź"),
    ("Я хочу продать лодку.", "Продал лодку"),
    ("Ich will das Haus kaufen.", "Hat das Haus gekauft"),
]

SOUND = [
    ("I'm planning to move to Berlin.", "Plans to move to Berlin"),
    ("I want to quit the choir.", "Wants to quit the choir"),
    ("I might sell the boat.", "Might sell the boat"),
    ("I might sell the boat.", "Is considering selling the boat"),
    ("Maybe I will move to Ghent.", "May move to Ghent"),
    ("I will move to Ghent in May.", "Moves to Ghent in May"),
    ("I want you to know that I sold the boat.", "Sold the boat"),
    ("I want to tell you that I quit the choir.", "Quit the choir"),
    ("Perhaps you could note that I'm vegan.", "Is vegan"),
    ("Maybe you remember that my sister lives in Ghent.", "Sister lives in Ghent"),
    ("It might rain, so I take the car to work.", "Takes the car to work"),
    ("I wanted to sell the boat, and I sold it.", "Sold the boat"),
    ("I want to move because I sold the house.", "Sold the house"),
    ("Ich habe das Boot verkauft und will ein Haus kaufen.", "Hat das Boot verkauft"),
    ("Je voudrais vendre le bateau.", "Voudrait vendre le bateau"),
    ("Я хочу продать лодку.", "Хочет продать лодку"),
    ("Ich möchte nach Linz ziehen.", "Möchte nach Linz ziehen"),
    ("I sold the boat because I want to travel.", "Sold the boat"),
    ("My son will start school in September.", "Son starts school in September"),
    ("I'm going to retire in 2031.", "Retires in 2031"),
    ("I was thinking of Ghent when I named the boat Odile.", "Named the boat Odile"),
    ("I could move my arm again after the surgery.", "Moved the arm again after the surgery"),
    ("I will have to take insulin.", "Takes insulin"),
    ("I'm thinking of the house I rented in Ghent.", "Rented a house in Ghent"),
    ("I'll be vegan from now on.", "Is vegan"),
    ("I'm moving to Ghent because my husband might find work there.", "Moves to Ghent"),
    ("I might as well mention that I'm allergic to nuts.", "Allergic to nuts"),
    ("I may have told you I keep bees.", "Keeps bees"),
    ("I could have sworn I locked the door.", "Locked the door"),
    ("I want to change the reminder: my meeting moved to 3 pm.", "Meeting moved to 3 pm"),
    ("Ich will dir sagen, dass ich nach Linz gezogen bin.", "Ist nach Linz gezogen"),
    ("Ich will in Linz arbeiten und habe ein Haus gekauft.", "Hat ein Haus gekauft"),
    ("Vielleicht weißt du, dass ich Bienen halte.", "Hält Bienen"),
    ("Je vais à Gand, j'ai vendu mon appartement.", "A vendu son appartement"),
    ("Voy a empezar un curso en mayo.", "Empieza un curso en mayo"),
    ("Ik ga naar Gent verhuizen.", "Verhuist naar Gent"),
    ("Я думаю, что продал лодку зря.", "Продал лодку"),
    ("I want to say that we did finally sell the boat.", "Sold the boat"),
    ("I want to say I quit the choir.", "Quit the choir"),
    ("Quiero contarte que vendí el barco.", "Vendió el barco"),
    ("Maybe Odile told you that she lives in Ghent.", "Odile lives in Ghent"),
    ("Maybe I will sell the boat. I sell boats for a living.", "Sells boats for a living"),
    ("I want to visit the castle.", "Castle to be visited"),
    ("I will say that in the end we did open the shop.", "Opened the shop"),
]


@pytest.mark.parametrize(("words", "text"), ONLY_PLANNED)
def test_a_plan_is_not_told_as_done(words: str, text: str) -> None:
    """Neither as past, nor without what left it open."""
    assert add(text, words) == "reject unsupported"


@pytest.mark.parametrize(("words", "text"), SOUND)
def test_a_plan_told_as_a_plan_and_what_stands_beside_one_are_accepted(words: str, text: str) -> None:
    """The plan keeps its word; what was done was said in that form."""
    assert add(text, words) == "accept ok"
