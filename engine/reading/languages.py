"""The language of a text, by its letters or by the small words that a language cannot do without.

An abstract that stands in several languages is cut by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from engine.documents.text import STOP_WORDS
from engine.reading.heading_names import languages_of

_HEAD_CHARACTERS = 4_000
_BODY_TEXTS = 50
_PARAGRAPH_CHARACTERS = 40
"""A shorter paragraph's own words do not tell its language."""
_WORD = re.compile(r"[^\W\d_]+(?:['’](?=[^\W\d_]))?")
_WORDS = {
    "en": "the of and in to is that for with we are this by as on from which be were was an our has it not can",
    "de": "der die das und ist wir dass mit den von ein eine einer nicht werden zur auf für sich im wird sind dem des "
    "zu bei als auch aus nach wie oder über welche welcher welches warum gegen durch kann können",
    "fr": "le la les des et est une que nous dans pour sur qui du avec sont par au aux ces cette un en il ne se l' d' "
    "qu' plus ont été entre quel quelle quels quelles comment pourquoi",
    "es": "el la los las de que y en una un por con para se del son como al más este esta lo su sus entre es no fue "
    "cómo qué cuál cuáles",
    "it": "il lo la gli le che di e un una per con sono della del nel dei delle è si non nella questo questa da al dal "
    "l' dell' nell' come più quale quali perché",
    "pt": "o a os as que de e um uma para com em do da dos das são no na nos nas por mais este esta como é se não foi "
    "ao qual quais",
    "nl": "het een van en de is dat niet met voor op zijn wij wordt worden deze uit naar ook bij aan in te "
    "hoe welke wat waarom",
    "pl": "w i na z jest że się do oraz nie przez dla są jak od po które który to ich został",
    "sv": "och att det som en är av för med den på vi inte till har ett från kan",
    "da": "og at det som en er af for med den på vi ikke til har et fra kan der",
    "cs": "a v na je se že pro jsou s z do k byl byla jako které který této ve",
    "hu": "a az és hogy egy nem is van ez meg csak vagy mint volt",
    "ro": "și în de la cu pe care este un o din sunt pentru nu se au",
    "tr": "ve bir bu için ile olarak olan da de çok gibi daha",
    "ca": "el la els les de que i en una un per amb del són com és aquest aquesta",
    "fi": "ja on ei se että oli ovat myös kuin joka tai",
}
LANGUAGE_NAMES = {
    **{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese"},
    **{"nl": "Dutch", "pl": "Polish", "sv": "Swedish", "da": "Danish", "cs": "Czech", "hu": "Hungarian"},
    **{"ro": "Romanian", "tr": "Turkish", "ca": "Catalan", "fi": "Finnish", "ja": "Japanese", "ko": "Korean"},
    **{"zh": "Chinese", "uk": "Ukrainian", "ru": "Russian", "el": "Greek", "ar": "Arabic", "he": "Hebrew"},
}
"""What each language that is told is called."""
_OF_WORDS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_LETTERS = (
    ("ja", re.compile("[\u3041-\u30fa]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("uk", re.compile("[іїєґІЇЄҐ]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
)
_LEAST_LETTERS = 0.02
"""A language is told by letters of its own from this share of them on; by the script that it shares, from a half on."""
_SCRIPT = 0.4
_MORE_WORDS = {
    "de": "war allen aller alles anhand außerdem beim bereits bis dabei dadurch dafür daher damit danach dann "
    "daran darauf daraus darin darüber dazu denen deren derer dessen diese diesem diesen dieser dieses doch "
    "ebenfalls einem einen eines einige er etwa ferner habe haben hat hatte hierbei hierfür hierzu ihm ihr "
    "ihre ihren ihrer innerhalb insbesondere jede jeden jeder jedes jedoch jeweils kein keine mehr mehrere "
    "mittels muss müssen nachdem noch nur ohne schon sehr sein seine seinen seiner seit so sofern solche soll "
    "sollen sondern sowie sowohl um unter vom vor während wegen weil weitere weiteren wenn werde wenigstens "
    "wieder wobei wodurch worden worin wurde wurden würde zum zwar zwischen gemäß bezüglich",
    "fr": "afin ainsi alors après aucun aucune aussi autre autres avant avoir ayant car ceci cela celle celles "
    "celui cependant certains cet ceux chaque chez contre depuis deux devant doit donc dont durant elle elles "
    "encore ensuite être fait font ici ils laquelle lequel lesquels lesquelles leur leurs lors lorsque mais "
    "même mêmes moins notamment notre non ou où outre parmi pas pendant peu peut peuvent pouvant puis puisque "
    "quand sans selon sera seront ses seulement soit sous souvent tandis tel telle telles tels tous tout "
    "toute toutes très vers vous était étaient",
    "es": "algunas algunos ambos ante antes aquellos así aún aunque bajo bien cada casi cual cuales cualquier "
    "cuando cuya cuyo debe deben desde después donde dos durante ella ellas ellos embargo entonces era eran "
    "ese esos están estar estas estos fueron haber había hace hacia han hasta hay incluso junto les mediante "
    "menos mientras mismo misma muy ningún nos nosotros nuestra nuestro otra otras otro otros pero poco "
    "porque puede pueden pues quien sea según ser será sido siendo sin sino sobre solo sólo tal también tanto "
    "tiene tienen toda todas todo todos tras unas unos varios",
    "it": "affinché agli alcune alcuni alla alle allo altra altre altri altro anche ancora attraverso ciascun "
    "ciascuno ciò cioè cui dagli dai dall dalla dalle dallo degli deve devono dopo dove durante entro era "
    "erano esse essere essi esso fino fra già hanno infatti inoltre invece loro mediante meno mentre molto "
    "negli nei nell nelle nello ogni oltre oppure però poi poiché possono può presso prima proprio qualsiasi "
    "quando quanto quelle quelli quello queste questi quindi sarà secondo sempre senza sia siano solo sopra "
    "sotto stata stati stato sugli sui sul sull sulla sulle sullo suo sua suoi tale tali tra tramite tutte "
    "tutti tutto uno verso",
    "pt": "ainda além alguma algumas alguns ambos antes após aquele assim até através bem cada cujo cuja dela dele "
    "deles depois desde dessa desse desta deste deve devem devido dois durante ela elas ele eles enquanto "
    "então entre era eram essa esse esses estas estes foram havia isso isto mas meio menos mesmo mesma muito "
    "muitos nem nessa nesse nesta neste nós num numa onde outra outras outro outros pela pelas pelo pelos "
    "pode podem pois porém porque portanto qualquer quando quanto seja sejam sem sendo ser será seu seus sob "
    "sobre sua suas também tanto têm tem ter toda todas todo todos uns vários",
    "nl": "alle als andere beide binnen boven daar daarbij daardoor daarin daarom dan die dit door dus echter elk "
    "elke enkele geen gedurende hebben heeft hem hun ieder iedere indien kan kunnen maar meer moet moeten "
    "naast nog omdat onder ons onze over reeds sinds sommige steeds tegen ten ter terwijl toch tot tussen "
    "veel vanaf vanuit verder via volgens vooral waar waarbij waardoor waarin waarop wanneer want waren was "
    "werd werden wil zal zeer zelf zich zij zoals zonder zou zullen",
    "pl": "aby albo ale bardzo bez będą będzie był były być czy dlatego gdy gdyż gdzie ile inne innych jednak jego "
    "jej jeszcze jeśli każdy kiedy kilka której których którym lub mają może można między nad nich niż nim "
    "obok ponad poprzez pod przed przy ponieważ sobie swój także tam tego tej ten też tych tylko tym według "
    "wobec więc wszystkich wśród zaś żeby zostały została",
    "sv": "alla allt andra bara blev blir båda både dem denna deras dess dessa detta där efter eller enligt flera "
    "genom hade han här hur icke ingen inom kunde medan mellan men mer mest mot mycket måste något några när "
    "också olika oss samma samt sedan sig sina sitt ska skall sådan under upp utan var vara varit varje vid "
    "vilka vilken vilket våra även över",
    "da": "alle andre bare blev blive bliver denne deres derfor dette disse dog efter eller end endnu enten flere "
    "fordi før gennem havde have hver hvilke hvilken hvis hvor hvordan ind ingen kun kunne mange meget mellem "
    "men mens mere mod måtte noget nogle når også over samt selv sig sin sine skal skulle således uden under "
    "var ved været ville ble blir dei dere ikkje mellom noen noe slik vært",
    "cs": "aby ale ani bez bude budou byli být další díky jak jeho její jejich jen ještě již jsem kde kdy když "
    "která kterého kterou kterých kteří mezi může mohou musí nad nebo není ovšem pod podle pokud pouze "
    "protože před přes při proto své svých tak také tato tedy ten tento tohoto tom tuto tyto více však vše "
    "alebo ako ktoré ktorá pre pri",
    "hu": "ahol amely amelyek annak által azok azon azonban bár ebben ehhez ennek erre ezek ezen ezért fel hanem "
    "illetve ilyen ill kell két lehet lett más mely melyek mert miatt míg mind minden mivel nagyon nélkül "
    "olyan össze pedig például része során szerint több tehát továbbá után úgy valamint vele volna voltak",
    "ro": "acest acesta aceste acestor acestui această aceasta ale alte are astfel asupra atât către cât ca cea cei "
    "cel cele cum dacă dar decât deoarece dintre după eu fără fie fiind fost iar împreună într intre între "
    "își lor mai mult nici numai ori peste poate pot prin privind sau spre sub toate toți unde unei unele "
    "unor unui vor",
    "tr": "ama ancak ayrıca aynı bazı böyle bunun bunlar bütün çünkü diğer en eğer göre hem her hiç içinde iken ise "  # noqa: RUF001
    "kadar karşı kendi nasıl neden olduğu oldu olup onun rağmen sonra şekilde tarafından tüm üzere üzerinde "  # noqa: RUF001
    "veya ya yani",
    "ca": "això altra altres aquell aquestes aquests cada contra dels des durant ells entre era eren estan ha han "
    "més molt nosaltres però quan què sense ser seu seva sobre també tan tot tots unes uns",
    "fi": "eivät eli hän jonka jos jossa jota jotka jotta kaikki kanssa kautta koska kun kuten mikä mukaan mutta "
    "niiden näiden niin olevan olisi ollut sekä sen siitä sitä tämä tämän tässä tätä vaan vain voi voidaan "
    "välillä",
    "ru": "без более был была были было быть вам все всех где для его еще если есть или них как какой когда котором "  # noqa: RUF001
    "которая которого которое которой которые которых который между может можно над нас нет она они оно очень "
    "под после потому при про путем раз также так такая такие такой там тем того тоже только том уже чем что "
    "чтобы эта эти этих это этого этой этом является являются або але був були від він вона вони його їх коли "  # noqa: RUF001
    "між може та тим тих цей що щоб яка яке який яких які",
    "el": "από αλλά αυτά αυτή αυτό αυτές για δεν διότι εάν είναι ενώ επί επίσης έχει έχουν ήταν και κάθε κατά μας "  # noqa: RUF001
    "μετά μια μία μέσω μεταξύ οποία οποίο όμως όπως όταν ότι που πολύ προς στα στη στην στις στο στον στους "
    "την της τις τον του τους των χωρίς ώστε",
    "id": "ada adalah akan antara atau bagi bahwa beberapa berbagai dalam dan dapat dari dengan digunakan hanya "
    "harus hingga ini itu juga karena kepada lebih maka masih mereka merupakan oleh pada sangat sebagai "
    "sebuah sehingga serta setelah setiap suatu sudah tanpa telah terhadap tersebut tetapi tidak untuk yaitu "
    "yang",
    "hr": "ako ali bez bila bili bilo biti god ili između jedan jer još kada kako kao koja koje kojem koji kojih "
    "koju kroz mogu može nad nakon neki nije nisu odnosno ono ova ovaj ove ovog pod pre preko prema pri prije "
    "samo sve svi svih također tako što uz vrlo zbog",
    "vi": "các cho cũng đang đây để đến được không khi là một này những nhưng như rằng sau sẽ tại theo thì trên "
    "trong từ và vào về với của có",
    "ar": "إلى أن أو إن التي الذي الذين بعد بين ثم حتى حيث خلال ذلك على عن عند غير في قد كان كانت كل كما لا لم له "
    "لها ما مع من هذا هذه هو هي وقد",
}
"""Function words beyond those by which a language is told, written down for labels: none of another's list."""
_ALSO_ENGLISH = frozenset(
    "ada akan ale ali alla allen als are bare bis care ces com come comment con cum dai dan dar dari dat dela dem "
    "den des det die dog door dos dove ella end era esse est fel fie for fra genom god han har hat have hem her ile "
    "ind jen las les lett leur lor los mas masih med meg men mens mer mere met mind mint mit mod mot nad nas non "
    "num numa ons oss ova over par para pas per plus pod pot pour pre pri pro proto sans sau sea sem sense ser ses "
    "sin sine ska solo som son sous sub sul sur sus tal tale tam tan tel tem ten ter till toda tom tot tra under "
    "upp van var via volt want war was".split()
)
"""Those that English texts use, too: they are function words in a text of their language alone."""
_EVERY = {
    language: _OF_WORDS.get(language, frozenset()).union(words.split()) for language, words in _MORE_WORDS.items()
}
FUNCTION_WORDS = frozenset[str]().union(*_EVERY.values()) - _ALSO_ENGLISH
"""Small words of many languages that are none of English: "und", "avec", "которые"."""
_OF_ENGLISH = "en"
_SURE_WORDS, _SURE_SMALL_WORDS, _SURE_SHARE = 5, 3, 0.12
_FEWEST_WORDS = 2
_CLEARLY = 1.2
"""How many times as many small words as the next language has, a language has that a text is in."""


def language_of(text: str) -> str:
    """Return the code of a text's language, by its first few thousand characters; empty where they do not tell."""
    head = text[:_HEAD_CHARACTERS]
    letters = sum(map(str.isalpha, head))
    if not letters:
        return ""
    shares = {language: len(pattern.findall(head)) / letters for language, pattern in _LETTERS}
    if shares["zh"] + shares["ja"] >= _SCRIPT:
        return "ja" if shares["ja"] >= _LEAST_LETTERS else "zh"
    if shares["ru"] >= _SCRIPT:
        return "uk" if shares["uk"] >= _LEAST_LETTERS else "ru"
    own = next((language for language, _ in _LETTERS if shares[language] >= _SCRIPT), "")
    return own or _by_words([word.lower().replace("’", "'") for word in _WORD.findall(head)])


def small_words(tokens: Sequence[str]) -> frozenset[str]:
    """Return the function words of the language that some tokens are in, by how many of them are; none of English."""
    counts = {language: sum(map(words.__contains__, tokens)) for language, words in _EVERY.items()}
    language = max(counts, key=counts.__getitem__)
    english = sum(map(STOP_WORDS.__contains__, tokens))
    return _EVERY[language] if counts[language] >= _FEWEST_WORDS and counts[language] > english else frozenset()


def sure_language(text: str) -> str:
    """Return the code of a text's language where a reader would see it at once; empty for a few words, and in doubt.

    A text of five words or more has at least three small words of its language, and twice as many as of English.
    """
    language = language_of(text)
    if language not in _OF_WORDS:
        return language
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text[:_HEAD_CHARACTERS])]
    own, english = (
        sum(len(word) > 1 and word in _OF_WORDS[which] for word in words) for which in (language, _OF_ENGLISH)
    )
    few = len(words) < _SURE_WORDS or own < _SURE_SMALL_WORDS or own < _SURE_SHARE * len(words)
    return "" if few or (language != _OF_ENGLISH and own < 2 * english) else language


def abstracts_by_language(told: Sequence[tuple[str, str]], body: Iterable[str]) -> tuple[str, dict[str, str]]:
    """Return the document's language, empty unless its abstract stands in several, and its abstract in each of these.

    `told` are the paragraphs of the abstract, each with the heading above it, and `body` the texts of the sections. The
    document has the language of its sections, else of its first abstract. A paragraph whose language is not told
    belongs to the abstract before it.
    """
    found = [(_of_paragraph(text, heading), text) for heading, text in told]
    known = list(dict.fromkeys(language for language, _ in found if language))
    if len(known) < 2:
        return "", {"": "\n\n".join(text for _, text in found)}
    abstracts: dict[str, list[str]] = {}
    last = found[0][0] or known[0]
    for language, text in found:
        last = language or last
        abstracts.setdefault(last, []).append(text)
    own = language_of("\n".join(islice(body, _BODY_TEXTS)))
    return own if own in abstracts else known[0], {one: "\n\n".join(texts) for one, texts in abstracts.items()}


def _of_paragraph(text: str, heading: str) -> str:
    """Tell the language of an abstract's paragraph by its words, else by a heading that one language alone has."""
    named = languages_of(heading) if heading != "Abstract" else frozenset()
    only = next(iter(named)) if len(named) == 1 else ""
    return (language_of(text) if len(text) >= _PARAGRAPH_CHARACTERS else "") or only


def _by_words(words: Sequence[str]) -> str:
    counts = sorted(
        ((sum(word in own for word in words), language) for language, own in _OF_WORDS.items()), reverse=True
    )
    (most, language), (second, _) = counts[:2]
    return language if most >= _FEWEST_WORDS and most >= _CLEARLY * second else ""
