"""Words and phrases by which people ask, order, and touch what is delicate, in the languages people write to us in."""

from typing import Final

from memory.lexicon import folded, listed

REMEMBER: Final = (
    (
        r"remember|don'?t (?:you )?(?:ever )?forget|do not forget|never forget|keep in mind|bear in mind|make a note|take note|"
        r"note (?:that|down|this)|write (?:this |that |it )?down|memori[sz]e|save (?:this|that|it)|for the record"
    ),
    (
        r"merk(?:e|en sie)? (?:dir|euch|bitte|sich)|vergiss (?:bitte )?nicht|vergesst nicht|notier|denk (?:bitte )?dran|denk daran|behalte|"
        r"erinnere dich|schreib (?:dir )?auf"
    ),
    r"souviens toi|souviens-toi|souvenez|rappelle-toi|rappelle toi|retiens|retenez|n'oublie pas|note (?:que|bien)|memorise",
    r"recuerda|recuerde|acuerdate|no (?:te )?olvides|no olvide|apunta|anota|ten en cuenta|memoriza",
    r"ricorda(?:ti)?|ricordati|non dimenticare|tieni a mente|annota|prendi nota|memorizza",
    r"lembra-te|lembre(?:-se)?|lembra|nao (?:te )?esquecas|nao (?:se )?esqueca|anote|anota|guarda isto|guarde",
    r"onthoud|vergeet niet|noteer|hou in gedachten",
    r"kom ihag|glom inte|husk|glem ikke|notera|noter|muista|ala unohda",
    r"zapamietaj|pamietaj|nie zapomnij|zanotuj|zapamatuj si|pamatuj|nezapomen|poznamenej",
    r"запомни|запомните|помни|не забудь|не забудьте|не забывай|запиши|имеи в виду|запам'ятаи|запамятаи|пам'ятаи|не забудь",
    r"hatirla|unutma|aklinda tut|not al|tine minte|nu uita|retine|jegyezd meg|ne felejtsd|θυμησου|μην ξεχασεισ|σημειωσε",
    r"تذكر|لا تنس|احفظ|سجل|זכור|תזכור|זכרי|אל תשכח|याद रख|मत भूल|ingat|jangan lupa|catat|hay nho|dung quen|ghi nho",
    r"记住|記住|记得|記得|别忘|別忘|不要忘|记下|覚えて|覚えと|忘れない|メモし|기억해|기억하|잊지|메모해",
)
"""Patterns by which a person asks to remember."""

FORGET: Final = (
    r"forget|delete|remove|erase|drop|scratch|unlearn|get rid of|stop remembering|don'?t remember|no longer remember|wipe",
    r"vergiss|vergesst|vergessen sie|losch(?:e|en sie|t)?|entfern(?:e|en sie)?|streich(?:e|en sie)?|vergessen",
    r"oublie[zr]?|supprime[zr]?|efface[zr]?|enleve[zr]?",
    r"olvida(?:te)?|olvide|borra(?:r|lo|la)?|borre|elimina(?:r|lo|la)?|quita",
    r"dimentica(?:re|ti)?|cancella(?:re|lo|la)?|elimina(?:re)?|rimuovi|scorda(?:ti)?",
    r"esquece(?:r)?|esqueca|esquece-te|apaga(?:r)?|apague|remove(?:r)?|remova|elimina",
    r"vergeet|verwijder|wis|glom|radera|ta bort|glem|slet|slett|fjern|unohda|poista",
    r"zapomnij|usun|skasuj|wymaz|zapomen|smaz|vymaz|odstran",
    r"забудь(?:те)?|удали(?:те)?|сотри(?:те)?|убери(?:те)?|видали|зітри|прибери",
    r"unut|sil|kaldir|uita|sterge|felejtsd el|torold|ξεχασε|διεγραψε|σβησε",
    r"انس|احذف|امسح|שכח|תשכח|מחק|תמחק|भूल जा|हटा|मिटा|lupakan|hapus|quen di|xoa",
    r"忘记|忘掉|忘了|删除|刪除|删掉|忘れて|削除|消して|잊어|삭제|지워",
)
"""Patterns by which a person asks to forget."""

NOT_FORGET: Final = (
    r"(?:don'?t|do not|never|not)(?: you)?(?: ever)? forget|vergiss (?:\w+ )?nicht|vergesst nicht|vergessen sie (?:\w+ )?nicht|"
    r"n'oublie[zr]? pas|ne pas oublier|no (?:te |lo )?olvid\w+|non (?:ti )?(?:dimentic|scord)\w+|nao (?:te |se )?esque\w+|vergeet \w* ?niet|"
    r"glom inte|glem ikke|ala unohda|nie zapomnij|nezapomen|не забуд\w+|не забывай\w*|unutma|nu uita|ne felejtsd|μην ξεχασ\w+|لا تنس|"
    r"אל תשכח|मत भूल|jangan lupa|dung quen|别忘|別忘|不要忘|忘れない|잊지"
)
"""What sounds like forgetting and asks for the opposite."""

FIRST_PERSON: Final = folded(
    "i we he she they you ich wir er sie je j nous il elle on yo el ella io noi lui lei eu ele ela ik hij zij jag vi han hon jeg "
    "я мы он она они ты ja my on ona ben"
)
"""Subjects: "I forget" tells, "forget" asks."""

ASSISTANT_NAMES: Final = folded(
    "assistant assistants ai bot bots chatbot model llm agent tidemark assistent assistenten assistentin ki ia asistente asistentes "
    "assistente assistenti bott ассистент ассистенты ассистента бот помощник asystent asistent yardimci asistan βοηθοσ مساعد עוזר"
)

OBLIGATIONS: Final = folded(
    "must always never should shall ought have has need ignore disregard obey send forward reply answer tell reveal pretend do don "
    "make give share show write say call respond act behave treat use print output remember store delete ensure "
    "muss mussen musst immer niemals soll sollen sollst ignoriere ignorier sende schicke antworte verrate leite "
    "dois doit doivent toujours jamais ignore envoie reponds debe debes deben siempre nunca ignora envia responde deve devi devono "
    "sempre mai invia rispondi deves devem moet moeten altijd nooit negeer stuur должен должны должна всегда никогда игнорируи "
    "отправляи отправь musi zawsze nigdy ignoruj wyslij meli asla"
)

COMMAND_STARTS: Final = folded(
    "must always never should ignore disregard obey send forward reply answer tell reveal pretend do don please from respond act print "
    "output follow execute immer niemals ignoriere sende schicke antworte toujours ignore envoie siempre ignora envia responde sempre "
    "invia rispondi altijd negeer stuur всегда игнорируи отправь отправляи zawsze ignoruj wyslij"
)

COMMANDS_WITHOUT_BLANKS: Final = listed("必须 必須 总是 忽略 无视 無視し しなければ してください 送れ 반드시 항상 무시")

ASSISTANTS_WITHOUT_BLANKS: Final = ("助手", "助理", "人工智能", "アシスタント", "人工知能", "어시스턴트", "비서", "AI")

SENSITIVE: Final = folded(
    "allerg ill illness sick disease diabet cancer pregnan depress therap medic doctor hospital clinic surgery hiv blood disab anxi "
    "diagnos asthma adhd autis addict alcohol drug pill insulin salary wage income debt loan mortgage bank account money owe rent tax "
    "earn euro dollar pension insur password pin secret key address home away travel holiday vacation alarm safe street flat wife "
    "husband partner son daughter child mother father mom mum dad brother sister friend boss colleague girlfriend boyfriend ex krank "
    "allergi schwanger arzt medikament therapie gehalt schuld kredit konto geld miete steuer passwort adresse urlaub frau mann sohn "
    "tochter kind mutter vater bruder schwester freund malad enceinte medecin salaire dette argent loyer adresse vacances femme mari "
    "fils fille mere pere frere soeur enferm alergi embaraz salario deuda dinero alquiler vacaciones esposa marido hijo hija madre padre "
    "hermano hermana malatt stipendio debito soldi moglie marito figlio figlia doenc divida dinheiro esposa filho filha mae pai ziek "
    "live living wohn habite vive mora woon жив street vrouw zoon dochter moeder vader болен болезн аллерг беремен врач зарплат долг деньг счет пароль адрес отпуск жена муж сын "
    "дочь мать отец брат сестра choro uczulen pensj dlug pieniadz zona maz syn corka matka ojciec political vote religio sex gay"
)
"""Beginnings of words about health, money, credentials, whereabouts and other people."""

SENSITIVE_WITHOUT_BLANKS: Final = (
    "病", "过敏", "怀孕", "药", "工资", "债", "钱", "银行", "密码", "地址", "妻", "丈夫", "儿子", "女儿", "母", "父", "薬", "給料", "借金",
    "住所", "夫", "息子", "娘", "알레르기", "월급", "빚", "주소", "아내", "남편", "아들", "딸",
)  # fmt: skip

HABITUAL: Final = folded(
    "every each usually always most jeden jede jedes immer chaque tous toutes cada todos todas los las ogni tutti elke iedere varje hver "
    "joka kazdy kazda kazdej kazde каждыи каждую каждое каждые по кожен кожну her fiecare minden καθε كل כל हर setiap moi"
)
"""Words before a weekday that make it a habit."""

OPEN_ENDED: Final = folded(
    "since from starting started ab seit von depuis desde dal sinds vanaf sedan siden od с со от з birthday born geburtstag anniversaire "
    "cumpleanos compleanno"
)
"""Words that say that a matter does not end with its date."""

POSSESSIVES: Final = folded(
    "my our mein meine meinen meinem meiner unser unsere unseren mon ma mes notre nos mi mis nuestro nuestra mio mia miei mie nostro nostra "
    "meu minha meus minhas nosso nossa mijn onze ons min mitt mina var vart mit mine vores мой моя мое мои моего моей моих наш наша мій моя "
    "moj moja moje moi muj ma benim bizim"
)

KIN: Final = folded(
    "wife husband partner girlfriend boyfriend son daughter child kid mother father mom mum dad brother sister uncle aunt cousin niece "
    "nephew grandmother grandfather grandma grandpa friend boss colleague neighbour neighbor roommate flatmate frau mann sohn tochter kind "
    "mutter vater mama papa bruder schwester onkel tante oma opa freund freundin chef chefin kollege kollegin nachbar nachbarin femme mari "
    "fils fille mere pere frere soeur oncle ami amie copain copine voisin collegue esposa marido mujer hijo hija madre padre hermano hermana "
    "tio tia amigo amiga jefe novio novia moglie marito figlio figlia fratello sorella zio zia amico amica filho filha mae pai irmao irma "
    "vrouw man zoon dochter moeder vader broer zus vriend vriendin жена муж сын дочь мать мама отец папа брат сестра друг подруга сосед "
    "zona maz syn corka matka ojciec brat siostra kolega"
)

FOLK: Final = folded(
    "landlord landlady tenant lodger stepfather stepmother grandson granddaughter dog cat puppy kitten horse pet vermieter vermieterin "
    "mitbewohner mitbewohnerin hund katze pferd proprietaire chien chat perro gato casero cane gatto cao hond kat собака кошка кот пес "
    "хозяин соседка внук внучка pies kot"
)
"""Who else has a life of their own that is not the speaker's: one's landlord, one's animals."""

TELLING_QUESTIONS: Final = (
    "did i tell you|did i mention|have i told you|did you know|you know what|guess what|weisst du schon|hab ich (?:dir )?(?:schon )?(?:erzahlt|gesagt)|"
    "wusstest du|tu savais|je t'ai dit|sabias que|te dije|ti ho detto|sabia que|знаешь|я говорил"
)
"""Questions by which one tells something."""

GLOBAL_CUES: Final = folded(
    "zone timezone language languages speaks speak native called call name nickname addressed units metric celsius format sprache spricht "
    "zeitzone heisst langue parle fuseau idioma habla lingua parla fala taal spreekt язык говорит зовут jezyk mowi"
)
"""Words of facts that all chats may know: time zone, name, language, how to be addressed."""

SENSITIVE_WHOLE: Final = folded(
    "ex sex gay tax pin pill hiv owe mae pai fils address key flat kind child bank love mom mum dad son man mora vive safe home away"
)
"""Those of `SENSITIVE` that begin harmless words as well, and so must stand alone."""
