"""The small words that decide: function words, negations and cues in the languages people write to us in.

Every entry is folded as `memory.statements.fold` folds: lower case, without accents, ``ss`` for ``ß``. Tables are data, kept apart so
that the rules that read them stay readable. A language that is missing here still works: its words are then all content.
"""

from functools import lru_cache
from types import MappingProxyType
from typing import Final

from memory.folding import fold


def folded(words: str) -> frozenset[str]:
    """Give a table of blank-separated words, folded."""
    return frozenset(fold(words).split())


def listed(words: str, separator: str | None = None) -> tuple[str, ...]:
    """Give the words of a table as they are written, in their order; entries that hold blanks need a ``separator``."""
    return tuple(words.split(separator))


FUNCTION_WORDS: Final = MappingProxyType(
    {
        "en": "a an the this that these those i me my mine we us our ours you your yours he him his she her hers it its they them "
        "their theirs who which what whose where when how why am is are was were be been being do does did doing done have has had "
        "having will would shall should can could may might must of to in on at by for with from as into about and or so but if "
        "then there here also too very just please yes yeah oh ok okay um uh well s t m re ve ll d don doesn didn isn aren wasn "
        "weren won wouldn couldn shouldn haven hasn hadn ain still really by way called named name anyway actually quite now user",
        "de": "der die das den dem des ein eine einen einem einer eines ich mich mir mein meine meinen meinem meiner meines wir uns "
        "unser unsere unserem unseren unserer du dich dir dein deine er ihn ihm sein seine seinen seinem sie ihr ihre ihren ihrem es "
        "man ist bin bist sind seid war waren wird werden wurde habe hab hast hat haben hatte hatten und oder aber dass wenn als wie "
        "wo wer was von zu zum zur im in an am auf bei mit fur nach aus um so auch ja doch noch sehr schon bitte heisst heisse name "
        "namens da hier jetzt gerade mal also ubrigens kann muss soll sich ins",
        "fr": "le la les l un une des du de d je j me m moi mon ma mes nous notre nos tu te toi ton ta tes il elle on lui ils elles "
        "leur leurs vous votre vos se s son sa ses ce c cet cette ces ca qui que qu quoi ou quand comment est suis es sommes etes sont "
        "etait etre ai as a avons avez ont avait et mais si dans en au aux a par pour avec sur y oui bien tres aussi encore appelle "
        "appelles nom toujours voila alors",
        "es": "el la los las un una unos unas yo me mi mis nosotros nuestro nuestra nuestros tu te tus el ella ellos ellas le les lo "
        "su sus se este esta esto ese esa eso que quien como donde cuando cual es soy eres somos son era fue estoy esta estan ser estar "
        "he has ha hemos han tengo y e o u pero si de del a al en por para con sobre muy tambien ya llama llamo nombre aun todavia pues",
        "it": "il lo la i gli le l un uno una io mi me mio mia miei mie noi ci nostro nostra tu ti te tuo tua lui lei loro si suo sua "
        "suoi sue questo questa quello quella che chi cui come dove quando e sono sei siamo siete era essere ho hai ha abbiamo hanno ed o "
        "ma se di del della dello dei delle d da dal dalla in nel nella a al alla allo per con su sul sulla anche molto chiama chiamo "
        "nome ancora poi gia",
        "pt": "o a os as um uma eu me mim meu minha meus minhas nos nosso nossa tu te teu tua voce ele ela eles elas lhe seu sua seus "
        "suas se isto isso este esta esse essa que quem como onde quando e sou es somos sao era foi estou esta estao ser tenho tem temos "
        "ou mas de do da dos das em no na nos nas ao aos por para com sobre muito tambem ja chama chamo nome ainda pois",
        "nl": "de het een ik me mij mijn m'n wij we ons onze jij je jou jouw hij hem zijn zij ze haar hun u uw dit dat deze die er wie "
        "wat waar wanneer hoe ben bent is was waren word wordt heb hebt heeft hebben had en of maar als om te van in op aan bij met voor "
        "naar uit ook nog heel al heet naam ja dus wel",
        "sv": "en ett den det de jag mig min mitt mina vi oss var vart vara du dig din ditt dina han honom hans hon henne hennes dom "
        "dem deras sig sin sitt som vad vem nar hur ar var vara blir har hade och eller men om att i pa till for med av fran ocksa heter "
        "mycket redan ja namn",
        "da": "en et den det de jeg mig min mit mine vi os vores du dig din dit dine han ham hans hun hende hendes dem deres sig sin sit "
        "som hvad hvem hvor nar er var vaere bliver har havde og eller men om at i pa til for med af fra ogsa hedder meget ja navn",
        "nb": "en et ei den det de jeg meg min mitt mine vi oss var du deg din ditt dine han ham hans hun henne hennes dem deres seg "
        "sin sitt som hva hvem hvor er var vaere blir har hadde og eller men om at i pa til for med av fra ogsa heter veldig ja navn",
        "fi": "mina minun minua minulla minulle mulla mun me meidan meilla sina sinun han hanen se sen ne he heidan tama taman joka mika "
        "kuka olen olet on olemme ovat oli olla ja tai mutta jos etta kun kuin myos nimi nimeni viela",
        "pl": "ja mnie mi moj moja moje mojego mojej my nas nasz nasza ty ciebie twoj on jego jej ona ono oni ich to ten ta te tego tej "
        "ktory ktora kto co gdzie kiedy jak jestem jestes jest sa byl byla bylo byc mam masz ma mamy i a oraz lub ale ze jesli w we z ze "
        "na do od po o u za dla przy sie tez bardzo juz nazywa imie jeszcze",
        "cs": "ja me mi muj moje ma my nas nase ty te tvuj on jeho ona jeji oni jejich to ten ta ktery ktera kdo co kde kdy jak jsem jsi "
        "je jsou byl byla bylo byt mam mas mame a i nebo ale ze kdyz v ve z ze na do od po o u za pro pri se si taky take uz jmenuje jmeno "
        "jeste",
        "ru": "я меня мне мной мои моя мое моего моеи моих мы нас нам наш наша наши ты тебя тебе твои он его ему она ее еи они их им это "
        "этот эта эти тот та то которыи которая кто что где когда как есть был была было были быть и а или но если чтобы что в во с со на "
        "к ко у о об от до по за для из при же ли бы тоже очень уже зовут имя еще свои своя",
        "uk": "я мене мені мені мои моя моє ми нас нам наш наша ти тебе він иого вона її вони їх це цеи ця хто що де коли як є був була "
        "було бути і та и або але якщо щоб в у з із на до від по за для при теж дуже вже звати імя ще",
        "tr": "ben beni bana benim biz bizim sen senin o onu onun onlar bu su ve veya ama ile icin de da ki mi mu bir cok adi adim ismi "
        "var olan olarak gibi daha",
        "ro": "eu ma mie meu mea mei noi nostru tu te tau ta el ea lui ei lor se sa care ce cine unde cand cum sunt esti este e suntem "
        "era am ai are avem au si sau dar daca in la de din pe cu pentru un o foarte tot cheama numele inca",
        "hu": "a az egy en engem nekem mi te o ok ez vagyok vagy van vannak volt es de ha hogy mint is meg nagyon neve hivjak",
        "el": "ο η το οι τα του τησ των τον την ενασ μια ενα εγω με μου εμεισ μασ εσυ σου αυτοσ αυτη αυτο ειμαι εισαι ειναι ηταν εχω "
        "εχει και η αλλα αν να σε στο στη στην στον για απο που πωσ τι λενε ονομα επισησ",
        "ar": "انا نحن انت هو هي هم في من الى على عن مع هذا هذه ذلك التي الذي ان كان كانت و او لكن اذا اسمي اسم اسمه اسمها ايضا قد",
        "he": "אני אנחנו אתה את הוא היא הם שלי שלנו של על אל עם מן זה זאת יש היה היתה גם או אבל אם כי שם קוראים לי",
        "hi": "मैं मुझे मेरा मेरी मेरे हम हमारा तुम आप वह वे यह ये है हूँ हैं था थी थे और या लेकिन का की के को से में पर भी नाम एक",
        "id": "saya aku kami kita kamu anda dia mereka ini itu yang dan atau tetapi di ke dari untuk dengan pada adalah juga sudah nama",
        "vi": "toi minh chung ta ban anh chi no ho la co va hoac nhung o cua cho voi nay do cung rat ten",
    }
)

FUNCTION_CHARACTERS: Final = frozenset(
    "的了是我你他她它们在有和与也都就着过吗呢吧啊这那个很はがをにのでともやへねよかなだ私僕俺です은는이가을를의에도"
)

NEGATIONS: Final = MappingProxyType(
    {
        "en": "not no never none nor neither nothing nobody cannot dont doesnt didnt isnt wont cant n't",
        "de": "nicht nie niemals kein keine keinen keinem keiner keines nichts niemand weder nimmer",
        "fr": "ne n pas jamais aucun aucune rien ni ",
        "es": "no nunca jamas ningun ninguna ninguno nada nadie ni tampoco",
        "it": "non mai nessun nessuno nessuna niente nulla ",
        "pt": "nao nunca jamais nenhum nenhuma nada ninguem nem",
        "nl": "niet nooit geen niets niemand",
        "sv": "inte aldrig ingen inga inget ej icke",
        "da": "ikke aldrig ingen intet",
        "fi": "en et ei emme ette eivat koskaan",
        "pl": "nie nigdy zaden zadna zadnego nic nikt",
        "cs": "ne nikdy zadny zadna nic nikdo nejim nemam nejsem neni nemuzu nechci nerad nerada",
        "ru": "не нет никогда ни никакои никаких ничего никто нельзя",
        "uk": "не ні немає ніколи жоден жодних нічого ніхто",
        "tr": "degil yok hic asla degilim degiliz",
        "ro": "nu niciodata niciun nicio nimic nimeni",
        "hu": "nem soha nincs sem semmi senki ne",
        "el": "δεν μην μη ποτε κανενα κανεναν τιποτα οχι",
        "ar": "لا ليس ليست لست لم لن ابدا غير",
        "he": "לא אין אף מעולם בלי",
        "hi": "नहीं नही न मत ",
        "id": "tidak tak bukan jangan tanpa",
        "vi": "khong chua chang",
    }
)
"""Words that turn a whole clause round."""

WITHOUT: Final = folded(
    "without ohne sans sin senza sem zonder utan uden uten bez без ilman olmadan fara nelkul χωρισ بدون बिना tanpa"
)
"""Words that turn round only what follows them."""

AMBIGUOUS_NEGATIONS: Final = MappingProxyType(
    {
        "en": frozenset({"fi"}),
        "et": frozenset({"fi"}),
        "ei": frozenset({"fi"}),
        "ne": frozenset({"fr", "cs", "hu"}),
        "n": frozenset({"fr"}),
        "mai": frozenset({"it"}),
        "nu": frozenset({"ro"}),
        "sem": frozenset({"hu"}),
        "no": frozenset({"en", "es", "it", "fr", "de", "nl"}),
        "na": frozenset({"hi"}),
        "ni": frozenset({"es", "fr"}),
        "not": frozenset({"en"}),
    }
)
"""Negations that are ordinary words elsewhere: they count only in these languages."""

CESSATION: Final = folded(
    "stopped quit cancelled canceled anymore gekundigt abgesagt aufgehort arrete annule dejado cancelado cancelada smesso "
    "annullato deixei cancelei gestopt opgezegd slutat slutade lopettanut lopetin przestalem przestalam rzucilem prestal prestala "
    "бросил бросила перестал перестала отменил отменили отменен кинув кинула biraktim iptal renuntat abbahagytam σταματησα"
)
"""Words that say that something is over."""

CESSATION_PHRASES: Final = (
    "gave up", "given up", "used to", "no longer", "not any more", "nicht mehr", "ne plus", "ya no", "non piu", "ja nao", "niet meer",
    "больше не", "artik yok",
)  # fmt: skip

NEGATIONS_WITHOUT_BLANKS: Final = (
    "不", "没", "沒", "别再", "無い", "ない", "ません", "なかった", "ず、", "じゃない", "안 ", "않", "못", "없", "아니", "아닙",
)  # fmt: skip

NO_NEGATION_WITHIN: Final = listed("不错 不过 不但 不仅 不久 差不多 对不起 不好意思 没错 少ない 危ない 切ない")

STAND_INS: Final = folded(
    "user users owner speaker person human he she they you i me benutzer nutzer besitzer utilisateur utilisatrice usuario usuaria "
    "utente utilizador gebruiker anvandare bruger bruker uzytkownik uzivatel пользователь пользователя пользователю користувач "
    "kullanici utilizator felhasznalo χρηστησ المستخدم משתמש המשתמש उपयोगकर्ता pengguna 用户 用戶 使用者 ユーザー ユーザ 사용자 "
    "self none null unknown"
)
"""Words by which models mean the person who spoke."""

GENERIC_HEADS: Final = folded(
    "job age home house name wife husband partner son daughter child children kid kids mother father mom mum dad brother sister "
    "friend boss work office birthday address phone number hobby hobbies favourite favorite diet pet dog cat car flat apartment "
    "language timezone time food drink music colour color school town city country preference preferences plan plans goal project "
    "appointment meeting trip holiday vacation allergy native current new old lives works likes has family doctor dentist profession "
    "occupation interest interests company employer team colleague neighbour neighbor friends parents best"
)
"""Nouns that begin a statement without being anybody's name."""

FINITE_VERBS: Final = folded(
    "is was has had will can does did likes loves lives works wants needs hates prefers plays keeps owns goes drinks eats reads "
    "speaks moved said says thinks bakes drives sings studies got took made came bought sold plans should must isn wasn doesn didn "
    "ist war hat hatte wird kann mag liebt wohnt lebt arbeitet will spielt isst trinkt est etait aime habite travaille joue "
    "es era fue tiene vive trabaja prefiere gusta e ha abita lavora ama mora tem gosta woont werkt houdt heeft bor har jobbar arbejder "
    "jest ma mieszka lubi pracuje bydli pracuje живет работает любит имеет был была ест есть у"
)
"""What follows a name that is a subject."""

COMMON_CONJUNCTIONS: Final = folded(
    "but however although though whereas while aber doch sondern obwohl mais cependant pero sino aunque pero mas porem maar men mutta "
    "ale lecz но однако зато але ama αλλα لكن אבל लेकिन tetapi nhung because since weil denn parce porque perche omdat потому "
    "protoze cunku"
)
"""Words at which one assertion ends and the next begins."""

CONDITIONALS: Final = folded(
    "if unless suppose imagine whether would wouldn falls si se если якщо jesli gdyby eger daca αν اذا لو אם यदि अगर jika neu "
    "hvis jos wish"
)
"""Words that only suppose."""

DIRECTIONAL: Final = folded(
    "over than from to before after instead for by under als lieber von nach vor zu que a de avant apres antes despues da prima dopo depois "
    "van naar voor na fran till fore efter fra til for чем из в до после от к od do przed po z dan den once sonra"
)
"""Words that make the order of the others matter."""

INFLECTING: Final = frozenset({"pl", "cs", "ru", "uk", "fi", "hu", "tr", "ro", "el", "ar", "he", "hi"})
"""Languages in which a name changes its ending."""


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Give the function words of all languages together."""
    return folded(" ".join(FUNCTION_WORDS.values()))


@lru_cache(maxsize=1)
def words_by_language() -> dict[str, frozenset[str]]:
    """Give for each language the words that give it away: function words and negations."""
    return {name: folded(f"{words} {NEGATIONS.get(name, '')}") for name, words in FUNCTION_WORDS.items()}


@lru_cache(maxsize=1)
def negation_words() -> frozenset[str]:
    """Give the negations of all languages together; `AMBIGUOUS_NEGATIONS` says which of them need their language."""
    return folded(" ".join(NEGATIONS.values()))


LIGHT_VERBS: Final = folded(
    "want wants wanted come comes came keep keeps own owns get gets got ask asks asked mochte will kommt besitzt quiere viene tiene vuole "
    "veut vient possede quer vem wil komt хочет просит chce pochodzi "
    "years year old jahre alt ans anos anni jaar oud ar лет года год lat let"
)
"""Verbs that models put before a name or a noun and that say little themselves; and what they put behind somebody's age."""

IRREGULAR: Final = MappingProxyType(
    {
        form: forms.split()[0]
        for forms in (
            "sprech spricht spreche sprichst sprach",
            "ess isst esse ass gegessen",
            "les liest lese las gelesen",
            "nehm nimmt nehme nahm",
            "geb gibt gebe gab",
            "treff trifft treffe traf",
            "helf hilft helfe half",
            "seh sieht sehe sah",
            "wiss weiss wusste",
            "vergess vergisst vergesse",
            "empfehl empfiehlt empfehle",
            "go goes went gone going",
            "drive drives drove driven driving",
            "write writes wrote written writing",
            "speak speaks spoke spoken speaking",
            "sing sings sang sung singing",
            "eat eats ate eaten eating",
            "buy buys bought buying",
            "meet meets met meeting",
            "leave leaves left leaving",
            "teach teaches taught teaching",
            "take takes took taken taking",
            "give gives gave given giving",
            "make makes made making",
            "find finds found finding",
            "lose loses lost losing",
            "sell sells sold selling",
            "tell tells told telling",
            "think thinks thought thinking",
            "grow grows grew grown growing",
            "fly flies flew flown flying",
            "run runs ran running",
            "win wins won winning",
            "begin begins began begun",
            "swim swims swam swum swimming",
            "drink drinks drank drunk drinking",
            "sleep sleeps slept sleeping",
            "wear wears wore worn wearing",
            "break breaks broke broken breaking",
            "choose chooses chose chosen",
            "feel feels felt feeling",
            "hold holds held holding",
            "build builds built building",
            "spend spends spent",
            "pay pays paid paying",
            "send sends sent sending",
            "keep keeps kept keeping",
            "ride rides rode ridden riding",
            "study studies studied studying",
            "quit quits quitting",
            "wife wives",
            "child children kid kids",
            "tooth teeth",
            "foot feet",
            "person people",
            "knife knives",
            "hacer hago hace hizo hice",
            "decir digo dice",
            "venir vengo viene",
            "ir voy va vamos fui",
            "salir salgo sale",
            "conocer conozco conoce",
            "preferir prefiero prefiere",
            "jugar juego juega",
            "dormir duermo duerme",
            "andare vado va",
            "uscire esco esce",
            "bere bevo beve",
            "aller vais va vont",
            "boire bois boit",
            "venir viens vient",
            "prendre prends prend",
            "lire lis lit",
            "ecrire ecris ecrit",
            "dormir dors dort",
            "ест ем ешь едят",
            "пьет пью пьют",
            "ходит хожу ходят",
            "спит сплю",
            "сидит сижу",
            "видит вижу",
            "ездит езжу",
            "лечит лечу",
            "je jem jedza",
            "pije piju",
            "jist jim ji",
            "ler leio le",
            "dormir durmo dorme",
            "fazer faco faz",
            "asuu asun asut",
            "syo syon",
        )
        for form in forms.split()
    }
)
"""Forms that no stemmer brings together: each row is one word."""
