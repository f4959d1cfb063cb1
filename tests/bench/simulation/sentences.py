"""What people say: sentences with slots, each with other wordings and a question that does not repeat it."""

from dataclasses import dataclass

from memory.lexicon import listed


@dataclass(frozen=True, slots=True)
class Sentence:
    """A kind of fact. ``says`` are wordings of one statement; ``value`` names the slot that may change, if any.

    What is ``foreign`` is said without English words around it.
    """

    says: tuple[str, ...]
    asks: str
    value: str | None = None
    foreign: bool = False


NAMES = listed(
    "Aiko Alma Anselm Antje Aylin Bastian Bela Bruna Carmel Cosima Dario Delia Dragan Edda Eleni Emre Fabia Farid "
    "Fergus Finja Gaspar Greta Hanno Hedda Ilka Imre Ines Ivo Jarek Joris Kaja Kamil Kian Lavinia Leif Levke Lucan "
    "Maelle Malin Marek Mateja Mirko Nadja Naveen Nela Odile Olaf Oona Orla Pavel Petra Quirin Radka Rafael Ragna "
    "Rikard Roswitha Sanna Selma Severin Signe Stellan Tamar Tibor Tilda Ulla Urs Valerie Vera Viggo Wanda Wim Xenia "
    "Yara Yusuf Zdenka Zora Ambrose Beatrix Cyprian Dorothea Eberhard Felicitas Gerlinde Hubert Isolde Jacinta Konrad "
    "Leocadia Melchior Notburga Ottilie Philippa Raimund Sieglinde"
)
SURNAMES = listed(
    "Alvarez Brandt Castellano Dombrowski Eriksen Fontaine Grunwald Halvorsen Ivanov Jansen Kowalska Lindqvist"
)
CITIES = listed(
    "Graz Porto Ghent Turku Brno Lyon Bergen Split Tartu Malmo Bilbao Trieste Leipzig Cork Gdansk Zadar Aarhus"
)
JOBS = listed(
    "nurse | carpenter | tax adviser | bus driver | beekeeper | midwife | roofer | librarian | surveyor | baker | "
    "tram driver | optician",
    separator=" | ",
)
FOODS = ("peanuts", "shellfish", "celery", "hazelnuts", "strawberries", "mustard", "soy", "lupin", "sesame", "kiwi")
INSTRUMENTS = ("oboe", "cello", "accordion", "bassoon", "banjo", "harp", "viola", "trombone", "clarinet", "zither")
RELATIONS = listed("sister brother cousin neighbour colleague uncle aunt niece nephew friend landlord godmother")
THINGS = listed(
    "spare key | drill | tent | passport folder | ladder | sewing machine | first aid kit | snow chains | fondue set | "
    "projector | air pump | tool box | camping stove | inflatable boat | sledge | wine rack | record player | "
    "hedge trimmer | violin case | fuse box key | garden hose | picnic rug | old camera | pressure washer | "
    "jump leads | chess set | hammock | paddle board | jigsaw | soldering iron",
    separator=" | ",
)
PLACES = listed(
    "cellar | attic | hall cupboard | garden shed | garage | desk drawer | wardrobe upstairs | box under the bed | "
    "kitchen dresser | car boot",
    separator=" | ",
)
CARS = ("Skoda estate", "Fiat van", "Volvo", "Peugeot", "Dacia", "Citroen", "Mazda", "Renault", "Toyota hybrid", "Opel")
COLOURS = ("red", "blue", "green", "white", "silver", "yellow", "grey", "orange")
ANIMALS = ("cat", "dog", "rabbit", "parrot", "tortoise", "hamster", "goat", "pony")
MONTHS = listed("January February March April June July August September October November December")
SHOPS = listed(
    "cobbler | clockmaker | bookbinder | tailor | bicycle workshop | piano tuner | locksmith | upholsterer | framer | "
    "glazier",
    separator=" | ",
)
STREETS = listed(
    "Mill Lane | Harbour Street | Linden Avenue | Castle Hill | Station Road | Weaver Street | Orchard Row | "
    "Bridge Street",
    separator=" | ",
)
CATEGORIES = listed(
    "cheese | novelist | composer | tree | board game | soup | museum | season | colour of ink | kind of bread | "
    "mountain | flower",
    separator=" | ",
)
ITEMS = listed(
    "the old one | a quiet one | the northern one | the small one | the wild one | the blue one | the sweet one | "
    "the dark one",
    separator=" | ",
)

FACTS = (
    Sentence(("My {relation} {name} lives in {city}", "{name}, my {relation}, is living in {city}"),
             "Which town would I travel to if I wanted to see {name}?", "city"),
    Sentence(("My {relation} {name} works as a {job}", "{name}, my {relation}, has a job as a {job}"),
             "How does {name} earn a living?", "job"),
    Sentence(("My {relation} {name} is allergic to {food}", "{name}, my {relation}, has an allergy to {food}"),
             "I am cooking for {name}, what must not be in it?"),
    Sentence(("My {relation} {name} plays the {instrument}", "{name}, my {relation}, is a player of the {instrument}"),
             "What kind of music does {name} make?"),
    Sentence(("My {relation} {name} drives a {colour} {car}", "The car of my {relation} {name} is a {colour} {car}"),
             "By which vehicle do I recognise {name}?", "car"),
    Sentence(("The birthday of my {relation} {name} is on {number} {month}", "My {relation} {name} has a birthday on {number} {month}"),
             "When do I have to congratulate {name}?"),
    Sentence(("The {thing} is in the {place}", "We keep the {thing} in the {place}"),
             "Where did I put the {thing}?", "place"),
    Sentence(("{name} has borrowed my {thing}", "My {thing} is with {name}, borrowed"),
             "Who still has my {thing}?"),
    Sentence(("My favourite {category} is {item} from {city}", "The {category} I like best is {item} from {city}"),
             "Of all kinds of {category}, which do I prefer?"),
    Sentence(("{name} has a {animal} called {pet}", "The {animal} of {name} is called {pet}"),
             "What is the name of the pet that {name} keeps?"),
    Sentence(("The {shop} on {street} is run by {name}", "{name} runs the {shop} on {street}"),
             "Who is the person behind the counter of the {shop} on {street}?"),
    Sentence(("Mein Nachbar {name} arbeitet in {city}", "{name}, mein Nachbar, hat Arbeit in {city}"),
             "In welcher Stadt hat {name} eine Stelle?", "city", True),
    Sentence(("Mi prima {name} vive en {city}", "{name}, mi prima, está viviendo en {city}"),
             "¿En qué ciudad visito a {name}?", "city", True),
)  # fmt: skip

PROCEDURES = (
    (
        "To reset the {device}, hold the {colour} button for {number} seconds",
        "How do I get the {device} to start afresh?",
    ),
    ("Before using the {device}, fill it with {number} litres of water", "What does the {device} need before it runs?"),
    ("To open the {device}, push the {colour} lever and turn it {number} times", "How does one get into the {device}?"),
)
DEVICES = listed(
    "boiler | coffee grinder | garage door | heat pump | dishwasher | projector screen | sauna stove | bread machine | "
    "well pump | ice maker | printer | awning | cider press | pizza oven | wood chipper | steam cleaner | "
    "greenhouse vent | car roof box | cellar hatch | rain barrel | yoghurt maker | tyre inflator | kiln | "
    "weather station | chimney flap | log splitter | water softener | gate motor",
    separator=" | ",
)

NOISE = (
    "I had {meal} for lunch", "The weather is {mood} today", "I am {mood} after {activity}", "I watched a film about {topic}",
    "The bus was {number} minutes late", "I just finished {activity}", "My coffee was {mood} this morning", "Someone told me a joke about {topic}",
    "I read an article about {topic}", "The queue at the bakery was {mood}", "I slept {number} hours", "There was {mood} music in the lift",
    "I saw a {animal} near the {place}", "My phone was {mood} all afternoon", "I ate too much {meal}", "The meeting about {topic} was {mood}",
    "I saw a nice {thing} in a shop window", "I looked for the {thing} for an hour", "{name} called while I was out",
    "The {shop} was full again", "I dreamt of {city} again", "{name} sent me a funny picture", "The {device} made a strange noise",
)  # fmt: skip
TAILS = (" before {activity}", " on {street}", " after some {meal}", " while reading about {topic}")
COMPANY = " with {name}"
"""How a passing remark goes on, so that hardly any is made twice."""
MEALS = listed(
    "lentil soup | noodles | cheese rolls | leftover curry | pancakes | salad | dumplings | burgers | risotto | "
    "fried rice | toast | ramen",
    separator=" | ",
)
MOODS = listed("grey awful lovely slow strange loud tired cold fine dull windy bright stuffy cheerful damp")
ACTIVITIES = listed(
    "swimming | the long walk | cleaning | shopping | the gym | ironing | gardening | the dentist's waiting room | "
    "cycling | packing",
    separator=" | ",
)
TOPICS = listed(
    "volcanoes owls trains taxes space chess bridges lighthouses soap penguins robots glaciers bees elections"
)
SMALL_TALK = (
    "Good morning!", "Thanks, that helps.", "Ha, nice one.", "OK.", "See you later.", "Hm, let me think.", "Great!", "Never mind.",
    "What a day.", "Tell me something funny.", "How are you?", "Sounds good.", "Good night!", "Can you say that shorter?", "Wow.",
)  # fmt: skip
REQUESTS = ("How do you say '{word}' in Portuguese?", "Write a short poem about {matter}.", "What is {number} times 17?",
            "Give me three facts about {matter}.", "Put this into better English: we discuss about {matter} yesterday.",
            "Explain {matter} to a child of six.", "Who discovered {matter}?", "Why is {matter} in the news?",
            "What is another word for '{word}'?", "Which good book is there on {matter}?", "Spell '{word}' for me.")  # fmt: skip
"""What any assistant is asked. Nothing of it is about the person or about what they told."""
MATTERS = listed(
    "photosynthesis, gravity, the French Revolution, black holes, inflation, sourdough, jazz, plate tectonics, the Silk Road, vaccines, "
    "origami, impressionism, Bayes' theorem, the Cold War, yeast, magnetism, haiku, compound interest, the moon landing, dinosaurs, "
    "rainbows, antibiotics, Gothic arches, tides, cryptography, opera buffa, fermentation, the Magna Carta, electric motors, dreams, "
    "the periodic table, stoicism, comets, printing, quicksand, Esperanto, the Black Death, sundials, aspirin, thermodynamics",
    separator=", ",
)
WORDS = listed(
    "thankful endeavour rhythm courtesy meanwhile threshold diligent forgive rehearse swift harvest ancient vivid solemn"
)
DATED = ("I am meeting {name} on {weekday} at {number}", "The {shop} comes on {weekday} at {number}",
         "There is a concert with {name} on {weekday}")  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
INVENTIONS = (
    ("Hm, interesting.", "Likes {topic} a lot"), ("Do you know anything about {topic}?", "Is fond of {topic}"),
    ("How far is it to {city}?", "Is planning a trip to {city}"), ("Is the {instrument} hard to learn?", "Wants to learn the {instrument}"),
    ("What does a {animal} eat?", "Has a {animal} at home"), ("OK, go on.", "Used to live in {city}"),
    ("What rhymes with {name}?", "{name} is a close friend"), ("What does a {job} earn?", "Works as a {job}"),
)  # fmt: skip
"""What a person says, and what the assistant makes up on it."""
HEARSAY = ("{name} has been promoted in {city}", "{name} is selling the {thing}", "{name} said that {topic} is nonsense",
           "{name} is going to move to {city}")  # fmt: skip
WRAPPERS = ("{}.", "By the way, {}.", "{}, just so you know.", "Oh, and {}.", "{}!")
SLOTS = {
    "name": NAMES, "surname": SURNAMES, "city": CITIES, "job": JOBS, "food": FOODS, "instrument": INSTRUMENTS, "relation": RELATIONS,
    "thing": THINGS, "place": PLACES, "car": CARS, "colour": COLOURS, "animal": ANIMALS, "month": MONTHS, "shop": SHOPS,
    "street": STREETS, "category": CATEGORIES, "item": ITEMS, "meal": MEALS, "mood": MOODS, "activity": ACTIVITIES, "topic": TOPICS,
    "matter": MATTERS, "word": WORDS, "weekday": WEEKDAYS, "device": DEVICES, "pet": tuple(n[:4] + e for n in NAMES[:40] for e in ("o", "i")),
    "number": tuple(str(n) for n in range(2, 28)),
}  # fmt: skip
