"""The words that name secrets, in some thirty languages: patterns for `memory.secrets`."""

from typing import Final

from memory.lexicon import listed

# A word of these may be part of a compound ("WLAN-Passwort", "Mailpasswort"), so they need no boundary before them.
PASSWORDS: Final = (
    r"pass ?words?\b(?! (?:manager|reset|hint|policy|protect|field|prompt))|passwd\b|\bpw\b|\bpwd\b|pass ?phrase\b|pass ?code\b|pass ?w(?:ort|örter|orts|orte)\b|passwörter\b|kenn ?wort\b|mots? de passe|\bmdp\b|"
    r"contrase[ñn]as?\b|\bclave (?:secreta|de acceso|del wifi|wifi|del correo)|parola (?:d'ordine|chiave|mea|de)|\bparola\b|\bsenhas?\b|palavra-passe|"
    r"wachtwoord(?:en)?\b|lösenord(?:et)?\b|adgangskoden?\b|kodeord(?:et)?\b|passord(?:et)?\b|salasana(?:ni|nsa)?\b(?: on\b)?|\bhas[łl](?:o|em|a)\b(?: do \p{L}+)?(?: to\b)?|\bhesl[oa]\b|"
    r"\bпарол(?:ь|я|ем|и)\b|\bşifre(?:m|si|miz|niz|n|)\b|\bparolam\b|\bparol[ăa]\b|jelsz(?:ó|avam|ava)\b|κωδικ(?:ός|ό|ού)(?: πρόσβασης)?|συνθηματικό|"
    r"كلمة (?:المرور|السر|سر|مرور)|كلمه السر|סיסמ(?:ה|א|ת|תי)|הסיסמה|पासवर्ड|कूटशब्द|kata sandi|sandi\b|mật khẩu|รหัสผ่าน|"
    r"密码|密碼|口令|パスワード|暗証|비밀번호|비번|암호|wachtzin|\bparool\b|\blozinka\b|\bгасло\b|парола"
)
PINS: Final = (
    r"\bPINs?\b(?:[- ]?(?:code|nummer|number|kod|koden))?|\bPIN-?(?:Code|Nummer)\b|geheimzahl|code pin|codice pin|\bпин(?:-?код)?\b|ПИН|"
    r"c[óo]digo pin|暗証番号|핀 ?번호|رقم سري|الرقم السري|\bTAN\b|\bCVV2?\b|\bCVC2?\b|security code|sicherheitscode|code de s[ée]curit[ée]|"
    r"one[- ]time (?:code|password)|\bOTP\b|2FA(?:[- ]code)?|verification code|bestätigungscode|einmalcode|código de verificación|код подтверждения|验证码|驗證碼|認証コード|인증번호"
)
ACCESS_CODES: Final = (
    r"(?:door|gate|alarm|safe|lock|locker|unlock|entry|access|garage|phone|screen|sim|puk|backup|bike lock|key ?box)[- ]?(?:code|combination|combo)\b|"
    r"\b(?:combination|code) (?:of|to|for) (?:the|my|our) (?:\p{L}+ )?(?:door|gate|alarm|safe|lock|locker|garage|entrance|house|flat|building|phone)\b|\bPUK\b|(?:tür|alarm|tor|zahlen|zugangs|entsperr|schloss|safe|tresor)-?code\b|"
    r"code (?:de la porte|d'entr[ée]e|de l'alarme|d'acc[èe]s|du coffre|du portail)|c[óo]digo (?:de la puerta|de acceso|de la alarma)|"
    r"codice (?:della porta|di accesso|dell'allarme|del cancello)|código (?:da porta|de acesso|do alarme)|deurcode|toegangscode|portkod(?:en)?|"
    r"код (?:от двери|домофона|от сейфа|доступа|от подъезда)|kod do (?:drzwi|bramy|sejfu|domofonu)|门禁密码|开门密码"
)
KEYS: Final = (
    r"\b(?:api|access|secret|private|encryption|licen[cs]e|ssh|app|wifi|wi-fi|wlan|network|master|recovery|bot)[- ]?(?:key|token|secret)s?\b|\btokens?\b|"
    r"api-?schlüssel|zugriffstoken|(?:netzwerk|wlan|lizenz)-?schlüssel|cl[ée] (?:api|priv[ée]e|secr[èe]te|d'acc[èe]s|wifi)|clave (?:api|privada)|"
    r"chiave (?:api|privata|segreta)|chave (?:api|privada|secreta)|api-?sleutel|klucz api|(?:api|апи)[- ]?ключ|ключ (?:api|апи|доступа)|токен|"
    r"(?:api|API) ?(?:密钥|金鑰|キー|키)|密钥|秘密鍵|アクセスキー|client secret|bearer"
)
PHRASES: Final = (
    r"seed[- ]?(?:phrase|words?)|recovery (?:phrase|words?|seed)|backup phrase|mnemonic(?: phrase)?|secret phrase|wallet (?:phrase|words|seed)|"
    r"wiederherstellungs(?:phrase|wörter)|phrase (?:de r[ée]cup[ée]ration|mn[ée]monique|secr[èe]te)|frase (?:semilla|de recuperaci[óo]n|di recupero|de recuperação|seed)|"
    r"сид[- ]?фраза|фраза восстановления|мнемоническая фраза|herstelzin|fraza odzyskiwania|助记词|助記詞|復元フレーズ|복구 ?(?:문구|구문)"
)
DOCUMENTS: Final = (
    r"passport(?:[- ]?(?:number|no\.?|nr\.?|#))?|(?:reise)?pass(?:nummer|-nr\.?)|ausweis(?:nummer|-nr\.?)|personalausweis(?:nummer)?|identity card(?: number)?|"
    r"\bID[- ]?card(?: number| no\.?)?|\bID[- ]?number|national id(?: number)?|driv(?:er'?s?|ing) licen[cs]e(?: number| no\.?)?|führerschein(?:nummer)?|"
    r"social security(?: number| no\.?)?|\bSSN\b|national insurance(?: number)?|\bNINO?\b number|tax (?:id|number|file number)|steuer(?:-?id|nummer|-identifikationsnummer)|"
    r"sozialversicherungsnummer|versicherungsnummer|num[ée]ro de (?:passeport|s[ée]curit[ée] sociale|carte d'identit[ée])|passeport(?: num[ée]ro| n°)?|"
    r"carte d'identit[ée]|(?:n[úu]mero de(?:l)? )?pasaporte|\bDNI\b|\bNIE\b|\bNIF\b|codice fiscale|(?:numero (?:di|del) )?passaporto|carta d'identit[àa]|"
    r"\bCPF\b|\bRG\b|passaporte|cart[ãa]o de cidad[ãa]o|\bBSN\b|burgerservicenummer|paspoort(?:nummer)?|personnummer(?:et)?|\bCPR(?:-nummer)?\b|fødselsnummer|"
    r"henkil[öo]tunnus|\bPESEL\b|dow[óo]d osobisty|numer (?:paszportu|dowodu)|paszport|rodn[ée] [čc][íi]slo|номер паспорта|паспорт\p{L}*(?: номер| №)?|СНИЛС|ИНН|"
    r"(?:kimlik|pasaport) (?:no|numaram|numarası)|\bTC kimlik\b|\bCNP\b|رقم (?:جواز السفر|الهوية)|תעודת זהות|מספר דרכון|आधार(?: नंबर| संख्या)?|aadhaar(?: number)?|"
    r"护照(?:号码|号)?|護照(?:號碼)?|身份证(?:号码|号)?|身分證(?:字號)?|パスポート番号|旅券番号|マイナンバー|여권 ?번호|주민등록번호|"
    r"(?:bank )?account (?:number|no\.?)|kontonummer|num[ée]ro de compte|n[úu]mero de cuenta|(?:credit|debit|bank|payment) ?card(?: number| no\.?)?|kreditkarten?(?:nummer)?|"
    r"num[ée]ro de carte|n[úu]mero de (?:la )?tarjeta|номер карты|银行卡号|信用卡号|卡号|カード番号|카드 ?번호"
)

CONNECTIVES: Final = (
    r"(?:(?<=\s)(?:is|was|are|be|reads|ist|war|lautet|heißt|heisst|est|es|era|è|é|er|är|jest|je|este|είναι|это|теперь|будет|هو|هي|הוא|היא|है|adalah|là|คือ)"
    r"(?=\s|[:：\"“„«])|[:：=]|(?<=\s)[-–—→]+(?=\s)|是|为|為|は|が|은|는|이|가)"
    r"(?:\s+(?:now|still|currently|just|set to|jetzt|nun|also|maintenant|ahora|ora|agora|nu|теперь|obecnie|called)(?=\s))?\s*[:：]?\s*"
)

OF_WHAT: Final = (
    r"(?:\s+(?:for|of|to|on|at|für|fürs|zu|zum|vom|von|pour|du|de|des|del|della|di|per|para|da|do|от|для|к|на|voor|van|till|til)"
    r"(?:\s+(?:the|my|our|das|dem|den|mein|meine|le|la|les|mon|ma|el|mi|il|mio|o|a|meu|de|het|mijn))?\s+\p{L}+|\s+\p{Cyrillic}+){1,2}"
    r"\b\s*[:：]?\s+"
)
"""What stands between the name of a secret and the secret where no "is" does: "the password for Netflix Gurke12"."""

DIGIT_WORDS: Final = (
    "zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun|zéro|un|deux|trois|quatre|"
    "cinq|sept|huit|neuf|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|ноль|один|два|три|четыре|пять|шесть|семь|восемь|девять"
)
"""Digits as they are dictated."""

HARMLESS_VALUES: Final = frozenset(
    listed(
        "strong weak long short secret safe secure insecure wrong right correct incorrect expired unknown new old different same "
        "changed lost missing stolen hidden easy hard complicated complex simple important private public random here there gone "
        "empty required needed invalid valid blank forgotten stored saved written unique known protected encrypted leaked "
        "compromised reset terrible great good fine okay ready everywhere annoying set now it that this what not "
        "abgelaufen falsch richtig sicher unsicher neu alt lang kurz schwach stark geheim weg verloren vergessen geändert anders "
        "gleich kompliziert einfach unbekannt gespeichert hier nötig wichtig leer ungültig "
        "expiré faux nouveau nouvelle ancien court faible fort perdu oublié changé sûr "
        "caducada vencida incorrecta correcta nueva vieja larga corta débil fuerte secreta segura olvidada perdida diferente misma "
        "scaduta sbagliata corretta nuova vecchia lunga debole forte segreta sicura dimenticata "
        "expirada errada correta nova velha longa curta fraca "
        "verlopen verkeerd nieuw oud kort zwak sterk veilig vergeten "
        "устарел неверный новый старый длинный короткий слабый сильный простой сложный секретный забыт изменён изменен утерян важен "
        "это нет есть был"
    )
)
"""What a password may be said to be without being told."""

PLAIN_WORDS: Final = frozenset(
    listed(
        "the and is was for with from have has had are were my our his her their not but its been too which who them these those "
        "went got did does doing could would should "
        "der die das und ist mit von für den dem nicht auch les des est avec pour dans pas que "
        "los las con por para una del gli che per non het een van met voor com uma não"
    )
)
"""Words of sentences, which recovery phrases are not made of."""
