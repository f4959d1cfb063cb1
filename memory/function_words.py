"""The small words of each language: they tell the language of a text, and they say nothing about its subject.

Lists are short on purpose: the words of questions and of simple statements. They stand folded, as `analysis` folds every
word (no accents, "ss" for "ß"), so that a text typed without accents is recognised as well.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LATIN: dict[str, frozenset[str]] = {
    language: _words(words)
    for language, words in {
        "english": """a an the this that these those and or but not no is are was were be been being am do does did done has
            have had having will would shall should can could may might must i me my mine we us our ours you your yours he
            him his she her hers it its they them their theirs who whom whose what which when where why how of to in on at
            for from with without by about into over under after before between than then there here as if so too very
            just also any some all each every again please tell say said says know let s t re ve ll d m don doesn didn isn
            aren wasn weren won wouldn couldn shouldn up down out off""",
        "german": """der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind
            war waren bin bist sein hat habe haben hatte hast wird werden wurde kann konnte soll sollte muss will mochte
            ich mich mir mein meine meinen meinem meiner wir uns unser unsere du dich dir dein deine deinen er ihn ihm sie
            ihr ihre ihren es man wer wen wem was wann wo wohin warum wieso wie welche welcher welches von vom zu zum zur
            in im ins an am auf aus bei beim mit ohne nach vor fur furs fuer uber ueber unter um durch gegen seit bis als
            wenn dann da hier so auch noch nur schon sehr mal bitte sich dass weiss""",
        "french": """le la les l un une des du de d et ou mais ne n pas est sont etait etaient etre suis es ai as a avons
            avez ont avait je j me m mon ma mes nous notre nos tu te t ton ta tes vous votre vos il elle ils elles lui leur
            leurs on ce c cet cette ces ca qui que qu quoi quand ou pourquoi comment quel quelle quels quelles combien dans
            en sur sous a au aux avec sans pour par chez vers apres avant entre si aussi tres plus y se s son sa ses dit""",
        "spanish": """el la los las un una unos unas de del y e o u pero no es son era eran ser soy eres esta estan estaba
            estar he has ha hemos han yo me mi mis nosotros nos nuestro nuestra tu te ti tus usted ustedes su sus ella
            ellos ellas le les lo se que quien quienes cuando donde por para porque como cual cuales cuanto cuantos en al
            con sin sobre hasta desde entre si tambien muy mas este esta estos estas ese esa eso hay tengo tiene tienen""",
        "italian": """il lo la i gli le l un uno una di del dello della dei degli delle e ed o ma non e sono era erano essere
            sei siamo ho hai ha abbiamo hanno io mi mio mia miei mie noi ci nostro nostra tu ti tuo tua tuoi voi vi lui lei
            loro suo sua suoi si che chi cosa quando dove perche come quale quali quanto in nel nella nei nelle a al allo
            alla ai alle da dal dalla con senza su sul sulla per tra fra anche molto piu questo questa c ce""",
        "portuguese": """o a os as um uma uns umas de do da dos das e ou mas nao e sao era eram ser sou es esta estao estava
            estar tenho tens tem temos eu me meu minha meus minhas nos nosso nossa tu te teu tua voce voces ele ela eles elas
            lhe seu sua seus suas se que quem quando onde porque como qual quais quanto em no na nos nas ao aos com sem
            sobre para por pelo pela ate desde entre tambem muito mais este esta isso ha""",
        "dutch": """de het een en of maar niet geen is zijn was waren ben bent heb hebt heeft hebben had hadden wordt worden
            kan kunnen moet moeten wil zal ik me mij mijn we wij ons onze je jij jou jouw u uw hij hem ze zij haar hun hen
            het er wie wat wanneer waar waarom hoe welke welk van voor naar met zonder bij op in aan uit om over onder na
            tot door tegen als dan daar hier ook nog maar al zeer dat dit die deze""",
        "swedish": """en ett den det de och eller men inte ar var vara har hade blir kan ska skulle maste vill jag mig min
            mitt mina vi oss var vart du dig din ditt dina ni er han honom hon henne sin sitt sina vem vad nar varfor
            hur vilken vilket vilka av till i pa at for fran med utan om over under efter fore mellan som da dar har
            ocksa an mycket""",
        "danish": """en et den det de og eller men ikke er var vaere har havde bliver kan skal skulle ma vil jeg mig min mit
            mine vi os vores du dig din dit dine i jer han ham hun hende sin sit sine hvem hvad hvornar hvor hvorfor
            hvordan hvilken af til pa ved for fra med uden om over under efter mellem som da der ogsa meget hedder""",
        "norwegian": """en ei et den det de og eller men ikke er var vaere har hadde blir kan skal skulle ma vil jeg meg min
            mitt mine vi oss var du deg din ditt dine dere han ham hun henne sin sitt sine hvem hva nar hvor hvorfor
            hvordan hvilken av til pa ved for fra med uten om over under etter mellom som da der ogsa mye heter""",
        "finnish": """ja tai mutta ei en et emme ole on ovat oli olivat olla olen olet mina minun minua minulla minulle sina
            sinun sinulla han hanen hanella me meidan te teidan he heidan se sen sita ne niiden tama taman kuka kenen
            mika mita milloin koska missa mihin mista miksi miten kuinka mikali jos niin kun kuin myos hyvin kanssa
            ilman""",
        "turkish": """bir ve veya ama fakat degil var yok ben beni benim bana bende sen seni senin sana biz bizim bize siz
            sizin o onu onun ona onlar bu su kim kimin ne nedir zaman nerede nereye nereden neden nicin nasil hangi kac
            mi mu icin ile gibi kadar gore sonra once cok da de ki her""",
        "polish": """i a albo lub ale nie jest sa byl byla bylo byc jestem jestes mam masz ma mamy maja ja mnie mi moj moja
            moje my nas nasz ty ciebie ci twoj twoja wy was on jego jemu ona jej ono oni ich ten ta to te kto kogo co czego
            kiedy gdzie dlaczego jak jaki jaka jakie ktory ktora ktore w we na do z ze od dla o u po przed przy pod nad
            bez czy tez bardzo sie""",
        "czech": """a nebo ale ne je jsou byl byla bylo byt jsem jsi mam mas ma mame maji ja mne me mi muj moje my nas nas
            ty tebe te ti tvuj tva vy vas on jeho jemu ona jeji oni jejich ten ta to ti kdo koho co ceho kdy kde proc jak
            jaky jaka jake ktery ktera ktere v ve na do z ze od pro o u po pred pri pod nad bez zda taky velmi se si""",
        "hungarian": """a az egy es vagy de nem van vannak volt voltak lesz vagyok vagy en engem nekem enyem te teged neked
            o ot neki mi minket ti ok ez azok ezek ki kinek mit mikor hol hova honnan miert hogyan milyen melyik mennyi
            hogy ha is nagyon csak mar meg""",
        "romanian": """un o unei unui si sau dar nu este e sunt era erau fi am ai are avem au eu ma mie meu mea mei mele noi
            ne nostru tu te tie tau ta voi va el ea ei ele lui lor se care cine ce cand unde de cum cat in la pe cu fara
            din pentru prin dupa inainte intre daca foarte mai acest aceasta""",
    }.items()
}
"""Function words of languages in Latin script, under the names Snowball gives them."""

OTHER = _words(
    """и а но или не ни да нет я меня мне мой моя мое моего моей моем мои мы нас нам наш наша ты тебя тебе твой твоя вы вас вам
    ваш он его ему она ее ей оно они их им это этот эта эти тот та те что чего чем кто кого кому когда где куда откуда почему
    зачем как какой какая какое какие который сколько чей есть был была было были быть будет в во на с со к ко у о об от до
    из за по под над при для без между через после перед же ли бы то так тоже еще уже очень все там тут здесь себя свой
    та й і або але не ні я мене мені мій моя ми нас ти тебе він його вона її вони їх це що хто коли де куди чому як який
    яка яке є був була було у в на з із зі до від для без про
    και η ο το οι τα των του της τον την ενα μια δεν ειναι ηταν εχω εχει μου σου του μας σας τους που ποιος ποια τι ποτε πως
    γιατι σε στο στη στην στον με απο για
    و في من على الى عن مع هذا هذه ذلك التي الذي ما ماذا من متي اين لماذا كيف كم هل هو هي هم انا انت نحن كان كانت لا لم لن
    او ثم ان كل
    و در از به با را که این ان است بود من تو او ما شما چه کی کجا چرا چگونه
    את של על עם אני אתה היא הוא אנחנו הם זה זאת מה מי מתי איפה למה איך לא כן או גם אם יש אין היה היתה כי
    का के की को में से पर और या नहीं है हैं था थी थे मैं मेरा मेरी मेरे हम तुम आप वह यह क्या कौन कब कहां क्यों कैसे कितना
    तो भी ही
    어디 어디에 어디서 어디야 뭐 뭐야 무엇 누구 누가 언제 왜 어떻게 어느 내 나의 제 저의 우리 그 이 저 것 좀 수 있다 있어 없다 없어 했다
    했지 하다 뒀지"""
)
"""Function words of the other scripts that write blanks between words."""

SEAMLESS = _words(
    """什么 哪里 哪儿 怎么 为什 多少 几点 谁的 我的 你的 他的 她的 的是 是谁 是什 么名 吗 呢 的 了 是 在 我 你 他 她 们 我们 你们 他们 不 有 和 也 都 就
    什麼 哪裡 怎麼 為什 這 那 这 个 個 何 何時 は の が を に へ と で も か や ね よ な です ます した ある いる って どこ なに だれ いつ なぜ どう こと
    もの ない ませ から まで った たか すか でし まし たい ので のは には とは では どれ それ これ あれ とき ましたか
    ที่ เป็น อยู่ ไหน อะไร ใคร เมื่อ ทำไม อย่าง ของ และ ไม่ มี ใน ได้"""
)
"""Function words and endings of scripts without blanks, as the single characters and pairs an analysis makes of them."""

KOREAN_PARTICLES: tuple[str, ...] = tuple(
    sorted(
        _words(
            """은 는 이 가 을 를 의 에 에서 에게 에게서 한테 한테서 께 께서 와 과 랑 이랑 하고 도 만 까지 부터 로 으로 로서 으로서 보다 처럼 마다 조차 밖에
        이나 나 라고 이라고 에는 에도 에서는 에서도 이는 으로는 로는 이다 입니다 이에요 예요 야 이야 네 님"""
        ),
        key=len,
        reverse=True,
    )
)
"""Endings that Korean glues to a noun, longest first."""

TELLING = _words(
    """no not nor never none without nothing i me my mine you your yours he him his she her hers we us our they them their
    nicht kein keine keinen nie ohne ich mich mir mein meine du dich dir dein deine er ihn ihm sein seine sie ihr ihre wir uns
    unser ne pas jamais sans je moi mon ma mes tu toi ton ta tes il elle lui son sa ses nous notre vous votre leur no nunca sin
    yo mi tu su el ella nosotros non mai senza io mio mia tuo tua suo sua lui lei noi nao nunca sem eu meu minha seu sua
    niet geen nooit zonder ik mijn jij jouw hij zijn zij haar inte aldrig utan jag min din hans hennes ikke aldri aldrig uten
    uden jeg mit dit ei en et emme ilman mina sina han degil yok ben sen onun nie bez ja moj twoj jego jej ne nikdy nem soha
    не ни нет без никогда я мой моя ты твой он его она ее мы наш вы ваш они их ні мій її не δεν μην لا لم لن ليس לא אין नहीं
    不 没 沒 無 别"""
)
"""Small words that turn a statement into another one: negations and persons. Other small words may differ."""
