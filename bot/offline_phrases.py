"""How people ask to remember and to forget, how they speak of themselves, and how they ask: the offline model's ear.

Patterns are matched against folded text (`memory.folding.fold`: lower case, no accents, full-width signs made plain) and
are folded themselves when they are compiled, so they may be written as they are spoken. One line a language; a language
that is missing is simply not understood, which the offline model says.
"""

OPENERS = (
    (
        "please|pls|kindly|hey|hi|hello|ok|okay|also|and|oh|so|now|just|yes|yeah|no|well|um|uh|by the way|btw|fyi|actually|anyway|"
        "listen|look|could you|can you|will you|would you|i(?: want|'d like| would like| need) you to|you should|always|tidemark"
    ),
    "bitte|hallo|ubrigens|ach|also|und|ja|nein|kannst du(?: dir)?|konntest du(?: dir)?|konnen sie(?: sich)?|du sollst(?: dir)?",
    "s'il (?:te|vous) plait|stp|svp|bonjour|salut|au fait|et|oui|peux-tu|pourrais-tu|tu peux|pouvez-vous|il faut",
    "por favor|hola|oye|por cierto|y|si|puedes|podrias|puede|quiero que",
    "per favore|per piacere|ciao|senti|a proposito|e|si|puoi|potresti|puo",
    "por favor|ola|olha|a proposito|alias|e|sim|podes|pode|podias|poderia",
    "alsjeblieft|alstublieft|hoi|trouwens|en|ja|nee|kun je|kan je|kunt u|wil je",
    "prosze|czesc|hej|a propos|tak|czy mozesz|mozesz",
    "пожалуиста|привет|слушаи|кстати|и|да|нет|можешь|ты можешь|будь ласка|до речи|прошу",
    "hej|forresten|forovrigt|kan du|snalla|venligst|vaer sa snill|kiitos|muuten|hei|voitko|prosim|mimochodem|ahoj|lutfen|bu arada",
)
"""What may stand before the matter itself."""
DENIALS = ("no|non|nein|nee|nej|nei|nie|нет|ні",)
"""Openers that may belong to what is said, and are never cut off it."""

REMEMBER = (
    ("remember|don'?t (?:you )?(?:ever )?forget|do not forget|never forget|keep in mind|bear in mind|for the record|memori[sz]e",
     "that|this|to|of|the fact that"),
    (("merke? (?:dir|euch)|merken sie sich|merken|vergiss nicht|vergesst nicht|vergessen sie nicht|denke? (?:daran|dran)|behalte|"
     "erinnere? dich(?: daran)?"), "dass|das(?= ?[:,]| dass)|daran|im kopf"),
    (("souviens[- ]toi|souvenez[- ]vous|rappelle[- ]toi|rappelez[- ]vous|te souvenir|te rappeler|retiens|retenir|retenez|"
     "n'oublie pas|n'oubliez pas|memorise[zr]?|garde (?:en tete|a l'esprit)"), "bien|que|qu'|de|ceci|cela|ca"),
    ("recuerda|recuerde|recordar|acuerdate|no (?:te )?olvides|no (?:se )?olvide|ten en cuenta|memoriza|memorice", "de|que|esto"),
    ("ricorda(?:ti|re)?|si ricordi|non dimenticare|tieni (?:a mente|presente)|memorizza", "di|che|questo"),
    ("lembra(?:-te|r)?|lembre(?:-se)?|nao (?:te )?esquecas|nao (?:se )?esqueca|tem em mente|tenha em mente|memoriza|memorize",
     "de|que|disto|disso"),
    ("onthoud|onthouden|vergeet niet|denk eraan|(?:hou|houd) in gedachten", "dat|dit|om"),
    ("zapamietaj(?:cie)?|pamietaj(?:cie)?|nie zapomnij|zapamietac", "sobie|ze|to"),
    ("запомни(?:те)?|запомнить|помни(?:те)?|не забудь(?:те)?|не забываи(?:те)?|имеи(?:те)? в виду|учти(?:те)?", "пожалуиста|что|это"),
    ("запам'ятаи(?:те)?|пам'ятаи(?:те)?|не забудь|маи на увазі", "будь ласка|що|це"),
    ("kom ihag|glom inte|husk|glem ikke|ikke glem|muista|ala unohda", "att|at|etta|pa at"),
    ("zapamatuj(?:te)? si|pamatuj(?:te)?(?: si)?|nezapomen(?:te)?", "ze|to"),
    ("jegyezd meg|ne felejtsd el|tine minte|aminteste-ti|nu uita|θυμησου|να θυμασαι|μην ξεχασεισ|unutma|aklinda tut", "hogy|ca|οτι|πωσ|ki"),
    ("تذكر(?:ي)?|لا تنسَ?ى?|זכור|זכרי|תזכור|תזכרי|אל תשכח(?:י)?|याद रखना|याद रखो|याद रखें|याद रखिए", "أن|ان|כי|कि"),
    ("hay nho|nho|ghi nho|dung quen|ingat(?:lah)?|jangan lupa|จำไว้|อย่าลืม", "rang|la|bahwa|ว่า"),
)  # fmt: skip
"""Verbs that ask for it by themselves, and the small words between them and the matter."""

REMEMBER_IF_TOLD_WHAT = (
    ("note(?: down)?|make a note|take (?:a )?note|write down|save|store|jot down", "that|this|of"),
    ("notiere?(?: dir)?|notieren|schreib(?: dir)?(?: bitte)? auf|speichere?", "dass"),
    ("note[zr]?|enregistre|prends note", "bien|que|qu'|de"),
    (
        "anota|apunta|anote|apunte|guarda|toma nota|annota|segna(?:ti)?|prendi nota|anotar|noteer|schrijf op",
        "de|que|che|di|dat",
    ),
    ("zanotuj|zapisz|запиши(?:те)?|отметь|занотуи|notera|noter|not al|catat(?:lah)?", "ze|что|що|att|at|ki|bahwa"),
)
"""Verbs that also mean other things: they count only before "that" or a colon."""

REMEMBER_SEAMLESS = (
    "(?:你|您|请|請|麻烦|麻煩|帮我|幫我|要|可以|能)*(?:记住|記住|记得|記得|记一下|記一下|记下|記下|别忘了|別忘了|不要忘记|不要忘記)(?:了|啊|哦|吧|一下|来)?[,:]?",
    "(?:覚えておいて|覚えて|忘れないで|メモして)(?:おいて)?(?:ください|下さい|ね)?[,:、]?",
    "(?:기억해|잊지 ?마|메모해)(?: ?(?:줘|둬|주세요|두세요|세요))?[,:]?",
)
"""The same in scripts that set no blanks, before the matter."""

REMEMBER_AFTER = (
    "(?:ということ|って|こと)?(?:を|と)?(?:覚えて|憶えて|おぼえて|忘れないで|メモして)(?:おいて)?(?:ください|下さい|ね|くれ)?",
    "(?:라고|라는 ?(?:걸|것을)|는 ?(?:걸|것을)|을|를)?,? ?(?:기억해|잊지 ?마|메모해)(?: ?(?:줘|둬|주세요|두세요|세요|라))?",
    ",? ?(?:diye|oldugunu) (?:hatirla|aklinda tut|not al)",
)
"""The same, after the matter."""

FORGET = (
    "forget|delete|remove|erase|unlearn|stop remembering|don'?t remember",
    "vergiss|vergessen sie|losche?|losch|streiche?|entferne",
    "oublie[zr]?|efface[zr]?|supprime[zr]?",
    "olvida(?:te)?|olvide|borra|borre|elimina|dimentica(?:ti)?|cancella|esquece|esqueca|apaga|apague|remove|remova",
    "vergeet|wis|verwijder|zapomnij|usun|skasuj|wymaz",
    "забудь(?:те)?|удали(?:те)?|сотри(?:те)?|видали|зітри",
    "glom|radera|ta bort|glem|slet|slett|unohda|poista|zapomen|smaz|felejtsd el|torold|uita|sterge|unut|sil|ξεχασε|σβησε",
    "انس|احذف|امسح|שכח|תשכח|מחק|भूल जाओ|हटाओ|lupakan|hapus|quen di|xoa",
)
FORGET_SEAMLESS = (
    "(?:请|請|麻烦|帮我|你)*(?:把)?(?<before>.*?)(?:忘记|忘掉|忘了|删除|刪除|删掉)(?<after>.*)",
    "(?<before>.*?)(?:を|のことを?|は)?(?:忘れて|削除して|消して)(?:ください|下さい|ね)?(?<after>)",
    "(?<before>.*?)(?:을|를|은|는)? ?(?:잊어|삭제해|지워)(?: ?(?:줘|주세요|버려))?(?<after>)",
)

CORRECTIONS = (
    "(?:never|don'?t|do not|please never)(?: ever)? (?<matter>.+?),? (?:ever )?again|never again,? (?<matter>.+)",
    "(?:the )?next time,? (?<matter>.+)",
    "(?:nie|niemals) (?:wieder|mehr),? (?<matter>.+)|(?<matter>\\w+(?: (?:mir|uns|bitte))*) (?:nie|niemals) (?:wieder|mehr)\\b(?<rest>.+)",
    "(?:das |beim |bei dem )?nachste[sn]? mal,? (?<matter>.+)",
    "(?:nunca mas|no vuelvas a|no vuelva a) (?<matter>.+)|(?:nunca|no) (?<matter>.+?),? (?:otra vez|de nuevo|nunca mas)",
    "(?:para )?la proxima(?: vez)?,? (?<matter>.+)",
    "(?:plus jamais)(?: de)? (?<matter>.+)|(?:ne |n')(?<matter>.+?) (?:plus jamais|jamais plus|plus)\\b(?<rest>.*)",
    "(?:pour )?la prochaine(?: fois)?,? (?<matter>.+)",
    "(?:mai piu)(?: di)? (?<matter>.+)|non (?<matter>.+?) (?:mai piu|piu)\\b(?<rest>.*)",
    "la prossima volta,? (?<matter>.+)",
    "(?:nunca mais|nao voltes a|nao volte a) (?<matter>.+)|nao (?<matter>.+?),? (?:nunca mais|de novo|outra vez)",
    "(?:da|na|para a) proxima(?: vez)?,? (?<matter>.+)",
)
"""How people say what is to be different from now on, in six languages."""
SITUATIONS = (
    "before|when|whenever|while|if",
    "bevor|wenn|falls|ehe",
    "avant (?:de|que)|avant d'|quand|lorsque|si",
    "antes de(?: que)?|cuando|prima di|quando|se",
)
"""What leads to the situation of a lesson."""

TIMES = (
    (
        "since|in|on|at|from|until|after|before|during|every|each|last|next|this|today|tomorrow|yesterday|recently|currently|nowadays|"
        "sometimes|usually|these days|once|for"
    ),
    "seit|im|am|ab|heute|morgen|gestern|jeden|jede|letzte\\w*|nachste\\w*|diese\\w*|zurzeit|manchmal",
    "depuis|en|le|demain|hier|aujourd'hui|desde|hoy|manana|ayer|da|dal|oggi|domani|ieri|hoje|amanha|ontem|sinds|vandaag|morgen",
    "od|dzis|jutro|wczoraj|с|сегодня|завтра|вчера|сеичас",
)

SELF = (
    "i|i'm|im|i've|i'd|i'll|my|mine|our|we|we're|we've|we'll",
    "ich|mein(?:e|er|en|em|es)?|wir|unser(?:e|er|en|em|es)?|mir gefallt|mir gefallen|mich",
    "je|j'\\w+|mon|ma|mes|nous|notre|nos|moi",
    (
        "yo|mi|mis|nosotr[oa]s|nuestr[oa]s?|soy|estoy|tengo|vivo|trabajo|me (?:llamo|gusta|gustan|encanta|encantan|mude|case|duele)|"
        "no me gustan?|odio|prefiero|naci|estudio|hablo|juego|toco|conduzco|como|bebo|no como|no bebo|somos|tenemos|vivimos"
    ),
    (
        "io|(?:il|la|i|le) (?:mi[oae]i?|miei|nostr[oaie])|mi[oa] (?!\\w+\\?)|mi chiamo|mi piac\\w+|sono|ho|abito|lavoro|preferisco|adoro|studio|"
        "parlo|suono|guido|mangio|bevo|non mangio|siamo|abbiamo"
    ),
    (
        "eu|(?:o |a |os |as )?(?:meus?|minhas?|noss[oa]s?)|nos|sou|estou|tenho|moro|trabalho|chamo-me|me chamo|gosto|nao gosto|odeio|prefiro|"
        "nasci|estudo|falo|toco|dirijo|bebo"
    ),
    "ik|mijn|we|wij|ons|onze",
    (
        "jestem|mam|mieszkam|pracuje|lubie|nie lubie|kocham|nazywam sie|moj|moja|moje|moi|nasz\\w*|urodzil\\w+ sie|wole|ucze sie|gram|jem|"
        "nie jem|pije|mowie|mamy|jestesmy|mieszkamy"
    ),
    "я|мои|моя|мое|моего|моеи|моих|у меня|меня зовут|мы|у нас|наш\\w*|мне|живу|работаю|люблю|не люблю",
    "моє|мої|у мене|мене звати|ми|мені|живу|працюю",
    "jag|min|mitt|mina|vi|var[at]? \\w+|jeg|mine|vores|vare?|mina olen|olen|asun|minulla|minun|mun|pidan|meilla",
    "jsem|bydlim|muj|moje|moji|jmenuji se|jmenuju se|nas[ei]?|mam rada?|a nevem|lakom|szeretem|az? \\w+m neve",
    "eu sunt|sunt|locuiesc|ma numesc|imi place|am un\\w*|ειμαι|εχω|μενω|εγω|μου αρεσει|με λενε|(?:ο|η|το|οι|τα) \\w+ μου|benim|biz|bizim|adim",
    "أنا|اسمي|عندي|لدي|أعيش|أسكن|أحب|أعمل|نحن|\\w+ي (?:هو|هي|اسمه|اسمها)|אני|שמי|יש לי|אנחנו|ה?\\w+ שלי",
    "मैं|मेरा|मेरी|मेरे|मुझे|हम|हमारा|हमारी|हमारे|toi|minh|chung toi|ten toi|saya|aku|kami|nama saya",
)
SELF_SEAMLESS = (
    "我|咱|俺|本人",
    "私|わたし|わたくし|僕|ぼく|俺|おれ|うちの|我が家",
    "나는|난 |저는|전 |내 |제 |우리|나의|저의|저희",
    "ผม|ฉัน|ดิฉัน|เรา",
)

NO_FACTS = (
    (
        "i(?:'m| am)? ?(?:just )?(?:think|guess|suppose|wonder|wondering|hope|mean|see|understand|agree|doubt|wish|bet|said|ask(?:ed|ing)?|was wondering|"
        "thank|appreciate|know|don'?t (?:know|think|understand|care|mind|believe|see|remember)|do not (?:know|understand)|forgot|"
        "want (?:you|to (?:know|ask|see))|need (?:you|help|to (?:ask|know))|would (?:like|love) (?:you|to (?:know|ask))|could|should|shall|"
        "sorry|back|here|fine|ok|okay|good|done|not sure|sure|afraid (?:not|so)|(?:love|like) (?:it|that|this|you)|"
        "can'?t (?:believe|remember|find|see|tell|wait|say|think)|cannot (?:believe|remember|find|see|tell|wait|say|think)|can see)\\b"
    ),
    "i(?:'d| would) (?:like|love) (?:you|to (?:know|ask))|i(?:'ll| will) (?:see|try|think|ask|check|let you|do (?:it|that))\\b",
    "i(?:'ve got| have) (?:a|another|one|no|some|two) (?:quick )?(?:questions?|ideas?|clue|requests?|favou?rs?)\\b",
    "my (?:god|bad|goodness|questions?|pleasure|point|apologies)\\b|we (?:should|could|can|need to|must|shall|'ll see|will see)\\b",
    "ich (?:glaube|denke|meine|frage mich|weiss nicht|verstehe|mochte wissen|will wissen|wollte fragen|hatte gern|brauche (?:deine )?hilfe|hoffe)\\b",
    "je (?:pense|crois|me demande|ne sais pas|voudrais (?:savoir|que)|veux savoir|comprends|suis desolee?)\\b|mon dieu\\b",
    "(?:yo )?(?:creo|pienso|no se|quiero (?:saber|que)|me pregunto|entiendo|lo siento)\\b|(?:io )?(?:penso|credo|non so|vorrei sapere|mi chiedo)\\b",
    (
        "(?:eu )?(?:acho|penso|nao sei|quero saber|gostaria de saber)\\b|ik (?:denk|weet niet|vraag me af|wil weten|snap)\\b|"
        "(?:mysle|nie wiem|chce wiedziec)\\b|sono d'accordo\\b"
    ),
    "я (?:думаю|не знаю|хочу (?:знать|узнать)|понимаю|надеюсь)\\b|мне (?:кажется|интересно|нужно знать)\\b",
    "我(?:想知道|不知道|想问|想問|觉得|覺得|认为|認為|希望你|要你|明白|懂了)|私は(?:わから|知りたい)|(?:나는|저는) (?:모르|궁금)",
)
"""Sentences about oneself that hold no lasting fact: opinions, thanks, wishes to the assistant."""

ASKING = (
    (
        "who|whom|whose|what|where|when|why|which|how|who's|what's|where's|when's|how's|do|does|did|is|are|am|was|were|has|have (?:i|you|we)|"
        "can (?:you|i|we)|could (?:you|i|we)|will (?:you|i|we)|would you|should i|tell me|any idea|list|show(?: me)?"
    ),
    "wer|was|wo|wann|warum|wieso|weshalb|wie|welche\\w*|wessen|wem|wen|wohin|woher|weisst du|kennst du|hast du|habe ich|sag mir|nenne?",
    "qui|que|quoi|qu'\\w+|ou|quand|pourquoi|comment|quels?|quelles?|combien|est-ce|sais-tu|dis-moi|as-tu",
    "quien(?:es)?|que|donde|cuando|por que|como (?:se|es|esta|te)|cual(?:es)?|cuant\\w+|sabes|dime",
    "chi|che (?:cosa|ora)|cosa|dove|quando|perche|come|qual[ei]?|quant\\w+|sai|dimmi|quem|o que|onde|qual|quais|quant\\w+|sabes|diz-me",
    "wie|wat|waar|wanneer|waarom|hoe|welke?|weet je|vertel|kto|co|gdzie|kiedy|dlaczego|jak|ktor\\w+|ile|czy|powiedz",
    "кто|что|где|когда|почему|зачем|как|как\\w+|сколько|куда|откуда|чеи|скажи|знаешь|хто|що|де|коли|чому|скільки",
    "vem|vad|nar|varfor|hur|vilken|hvem|hvad|hva|hvor|hvornar|hvorfor|kuka|mika|missa|milloin|miksi|miten|kdo|kde|kdy|proc|ki|mi az|hol|mikor",
    "cine|ce|unde|cand|ποιοσ|ποια|που|ποτε|γιατι|τι|kim|ne zaman|nerede|neden|nasil|من|ما|ماذا|اين|أين|متى|لماذا|كيف|מי|מה|איפה|מתי|למה|איך|कौन|क्या|कहाँ|कब",
)
ASKING_SEAMLESS = (
    (
        "吗$|嗎$|呢$|谁|誰|什么|什麼|甚麼|哪[里裡儿个個位]?|几点|幾點|多少|怎么|怎麼|为什么|為什麼|何時|いつ|どこ|なに|何|どう|なぜ|ですか$|ますか$|かな$|"
        "누구|무엇|뭐|어디|언제|왜|어떻게|(?:니|까|나요|가요)$|อะไร|ใคร|ที่ไหน|เมื่อไร|ไหม$"
    ),
)

FOLLOWING = (
    "she|he|it|they|her|his|hers|its|their|this|that|these|those|there",
    "sie|er|es|ihr\\w*|sein\\w*|dies\\w*|elle|il|elles|ils|son|sa|ses|ella|el|su|sus|lui|lei|suo|sua|ele|ela|seu|hij|zij|zijn|haar",
    "on|ona|ono|jego|jej|он|она|оно|они|его|ее|их|han|hun|hon|hans|hennes|han",
)
"""Beginnings that speak on of what was just said."""

SMALL_TALK = (
    "hi|hello|hey|good (?:morning|evening|night|afternoon)|thanks?(?: you)?(?: so much| a lot)?|thx|ok|okay|bye|goodbye|see you|"
    "hallo|guten (?:morgen|tag|abend)|gute nacht|danke(?: schon)?|tschuss|bonjour|bonsoir|salut|merci|au revoir|hola|buenos dias|"
    "buenas (?:tardes|noches)|gracias|adios|ciao|buongiorno|buonasera|grazie|ola|bom dia|boa (?:tarde|noite)|obrigad[oa]|hoi|dank je(?: wel)?|"
    "bedankt|czesc|dzien dobry|dziekuje|привет|здравствуите|спасибо|пока|доброе утро|你好|您好|谢谢|謝謝|再见|こんにちは|ありがとう(?:ございます)?|안녕하세요|감사합니다|"
    "hej|tack|tak|takk|kiitos|moi|ahoj|diky|dekuji|merhaba|tesekkurler|مرحبا|شكرا|שלום|תודה|नमस्ते|धन्यवाद"
)
