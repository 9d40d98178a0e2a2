"""The language of a text, by its letters or by the small words that a language cannot do without.

An abstract that stands in several languages is cut by them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

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
    "de": "aber alle allem allen aller alles allein anhand anstatt außer außerdem beide beiden beim bereits bis bzw da dabei "
    "dadurch dafür daher damit danach dann daran darauf daraus darin darüber dazu dein deren derer desse dessen deshalb dies "
    "diese diesem diesen dieser dieses doch dort eben ebenfalls ebenso einem einen eines einige einigen er erst es etwa etwas "
    "ferner hab habe haben hatte hatten hierbei hierfür hierzu hinter ihm ihn ihnen ihr ihre ihrem ihren ihrer indem infolge "
    "innerhalb insbesondere ja je jede jedem jeden jeder jedes jedoch jene jenen kein keine keinen können konnte könnte mehr "
    "mehrere mein mittels muss müssen nachdem neben noch nur ob oben obwohl ohne schon sehr sein seine seinem seinen seiner "
    "seit sich sie sind so sobald sofern solche solchen soll sollen sollte sondern sonst sowie sowohl statt um unter vom vor "
    "während wegen weil weiter weitere weiteren wenn wenig wer werde wieder will wo wobei wodurch wollen worden worin wurde "
    "wurden würde zum zwar zwischen zwecks gemäß bzgl jeweils jeweiligen bezüglich dasselbe derselben dieselbe",
    "fr": "afin ai ainsi alors après aucun aucune auquel aussi autre autres avait avant avoir ayant bien car ceci cela celle "
    "celles celui cependant certains cet ceux chaque chez comme contre dernière depuis dès desquels deux devant doit donc dont "
    "durant elle elles encore enfin ensuite entièrement être eu fait faire fois font fut ici ils jusqu laquelle lequel lesquels "
    "lesquelles leur leurs lors lorsque mais même mêmes moins notamment notre non nos on où ou outre par parmi partir pas "
    "pendant peu peut peuvent pouvant puis puisque quand quelques quoi sans selon sera seront ses seulement si soit sont sous "
    "souvent sur tandis tant tel telle telles tels tous tout toute toutes très trop vers voici vous était étaient étant leurs",
    "es": "ahora algo algún alguna algunas algunos allí ambos ante antes aquel aquella aquellos aquí así aún aunque bajo bien "
    "cabe cada casi cual cuales cualquier cuando cuanto cuyo cuya debe deben debido dentro desde después donde dos durante ella "
    "ellas ello ellos embargo entonces era eran ese esa eso esos esas estaba están estar estas esto estos fueron ha haber había "
    "hace hacia han hasta hay incluso junto le les luego mas mediante menos mi mientras mismo misma muy nada ni ningún ninguna "
    "nos nosotros nuestra nuestro nunca otra otras otro otros pero poco porque primero puede pueden pues quien sea según ser "
    "será si sido siendo sin sino sobre solo sólo son tal también tan tanto tiene tienen toda todas todo todos tras unas unos "
    "varios ya través",
    "it": "affinché agli ai alcune alcuni all alla alle allo allora altra altre altri altro anche ancora anzi attraverso avere "
    "aveva bensì ciascun ciascuno ciò cioè coi col cosa così cui dagli dai dall dalla dalle dallo degli deve devono dopo dove "
    "dunque durante egli entro era erano esse essere essi esso fino fra già gli ha hanno i in infatti inoltre invece lei loro lui "
    "ma medesimo mediante meno mentre molto né negli nei nell nelle nello nessun nostro ogni ognuno oltre oppure ora ossia "
    "ottenere perciò però piuttosto poi poiché possono può presso prima proprio puo qualche qualsiasi quando quanto quasi quella "
    "quelle quelli quello quest queste questi quindi sarà se secondo sei sempre senza sia siano solo sono sopra sotto stata stati "
    "stato su sugli sui sul sull sulla sulle sullo suo sua suoi tale tali tanto tra tramite troppo tutta tutte tutti tutto uno "
    "verso via",
    "pt": "ainda além algum alguma algumas alguns ante antes após aquele aquela aqui às até através bem cada cujo cuja daquele "
    "dela dele deles depois desde dessa desse desta deste deve devem devido disso dois durante ela elas ele eles enquanto então "
    "era eram essa esse essas esses esta está estão estas este estes eu foram foi havia há isso isto já lhe mais mas meio menos "
    "mesmo mesma muito muita muitos nem nenhum nesse nessa nesta neste nós nosso nossa num numa onde ora ou outra outras outro "
    "outros pela pelas pelo pelos pode podem pois porém porque portanto pouco qualquer quando quanto quem seja sejam sem sendo "
    "ser será seu seus sob sobre sua suas também tanto tão tem têm ter toda todas todo todos tudo umas uns vários à é",
    "nl": "al alle allen alleen als andere ander beide bij binnen boven buiten daar daarbij daardoor daarin daarna daarom daarop "
    "dan die dit doch doen door dus echter eerst elk elke en enkele er erg ge geen gedurende gewoon had hadden hebben heeft hem "
    "hen hier hij hun iets ieder iedere ik indien is ja kan kunnen kon langs maar mag me meer meest men met mijn moet moeten na "
    "naast nabij neven nog nu of om omdat onder ons onze ook over per reeds samen slechts sinds sommige steeds tegen ten ter "
    "terwijl thans toch toe tot totdat tussen uw vaak veel vanaf vanuit verder via volgens vooral waar waarbij waardoor waarin "
    "waarop wanneer want was waren weer weinig wel werd werden wie wil zal ze zeer zelf zich zij zijn zo zoals zonder zou zullen",
    "pl": "aby albo ale ani aż bardzo bez będzie będą bo był były być byłby całej ci co czy czyli dlaczego dlatego dwa dzięki "
    "gdy gdyż gdzie ich ile inne innych ja jednak jego jej jeszcze jeśli każdy każdej kiedy kilka kto która które których którym "
    "którymi lecz lub ma mają może można mu między nad nadto nas nawet nich nim niż niej o oba obok obu oraz pomiędzy ponad "
    "poprzez pod przed przede przy ponieważ są się sobie swój swoje swoich ta tak takie także tam te tej ten też tego tych tylko "
    "tym u w według we więc wszystkich wszystkie wśród z za zaś ze że żeby został zostały została",
    "sv": "alla allt andra att av bara blev bli blir båda både dem den denna deras dess dessa detta dig din du där då efter "
    "eller emellan enligt ett flera från för genom ha hade han hans har hon hos hur här i icke in ingen innan inom inte jag kan "
    "kunde man med medan mellan men mer mest mot mycket måste ned nu när något några och också om oss på samma samt sedan sig "
    "sin sina sitt skall ska som så sådan till under upp ut utan vad var vara varit varje vid vilka vilken vilket våra är åt över",
    "da": "alle andre at blev blive bliver da de dem den denne der deres derfor det dette dig din disse dog du efter ej eller "
    "en end endnu er et flere for fordi fra få før gennem ham han hans har havde have hen her hos hun hvad hvilke hvilken hvis "
    "hvor hvordan hvorfor ikke ind indtil ingen jeg jo kan kun kunne mange man med meget mellem men mens mere mod må ned noget "
    "nogle nu når og også om op os over på samt selv sig sin sine skal skulle som så således til ud uden under var ved vi vil "
    "ville være været etter eller både bare ble blir deg denne disse dei dere ein eit ikkje hvem hver mellom noen noe når oss "
    "seg slik som sånn uten være vært",
    "cs": "aby ale ani až bez bude budou byla byli být co další dále díky do ho i in jak jako je jeho její jejich jen ještě jeho "
    "již jsem jsou k kde kdy když ke ktorý která kteří kterého kterých kterou mezi mi může mohou musí na nad nebo nebyl než není "
    "něj o od ovšem po pod podle pokud pouze protože před přes při pro proto s se si své svého svých ta tak také tato tedy ten "
    "této tento ti to tohoto toho tom tuto tyto u už v ve více však vše z za ze zda že alebo ako aj ktoré ktorá pre pri sa sú",
    "hu": "ahol ahogy ami amely amelyek annak arra által át azok azon azonban azt be bár benne bizonyos csak de e egyik egyéb "
    "ehhez el elég ennek erre és ezek ezen ezért ezt fel felé hanem hiszen hogyan illetve ilyen ki kell keresztül két lehet "
    "lesz le lett más már mely melyek mert miatt míg mind mindig minden mivel nagyon ne nekem néha nélkül olyan ő ott össze "
    "pedig például rá részére s saját sem sok során szerint több tehát természetesen továbbá után úgy utána van vagyis való vele "
    "viszont volna voltak",
    "ro": "acest această acestea acestei aceste acestor acestui aceasta acel aceea al ale alte altul am ar are astfel asupra atât "
    "au avea avem ca când cât câte către ce cea cei cel cele cum dacă dar datorită deci decât deja deoarece dintre dintr doar "
    "după ei el ele era este eu există fără fi fie fiind fost iar îi îl îmi împreună înainte încă între într întru își la lor "
    "lui mai mult multe nici noi nostru numai or ori pe peste poate pot prin printr privind prea sau să se spre sub sunt te toate "
    "toți tot totuși un unde unei unele unor unui va vor",
    "tr": "ama ancak arasında aynı ayrıca az bana bazı belki ben beri birçok biri birkaç bize böyle bunlar bunun bütün çünkü daha "
    "dahi değil diğer diye dolayı eğer en göre hangi hem hep her hiç hiçbir için içinde iken ise işte kadar karşı kendi ki kim mi "
    "mı mu nasıl ne neden nerede o olarak olması olan olduğu oldu olup onlar onun ortaya oysa öyle rağmen sadece şey şu şöyle "
    "tarafından tüm üzere üzerinde var veya ya yani yapılan yer yok zaman",
    "ca": "això altra altres amb aquell aquestes aquests cada com contra dels des dins doncs durant ells entre era es eren està "
    "estan fins ha han ho la les més molt no nosaltres on pel pels perquè però quan que què sense ser seu seva si sobre també tan "
    "tot tots una unes uns",
    "fi": "että ei eivät eli ennen hän ja jo joissa joka jolla jonka jos jossa jota jotka kaikki kanssa kautta koska kuin kun "
    "kuten mikä mitä mukaan mutta myös ne niiden niin nämä näiden näin ole olevan olisi olla ollut on ovat sekä se sen siitä "
    "sille sillä siinä sitä tai tämä tämän tässä tätä vaan vain voi voidaan välillä yli",
    "ru": "без более был была были было быть вам вас весь во вот все всего всех вы где для до его ее если есть еще же за здесь "
    "из или им их как какой когда которая которое которой которого котором которые который которых кто либо между мы на над не "
    "нет ни но об однако он она они оно от очень по под после потому при про путем раз с с также так такая также такие такой там "
    "те тем то того тоже той только том тот у уже чем что чтобы эта эти этих это этого этой этом этот является являются або але "
    "але бути був були від він вона вони все для його її їх його коли між може не про при та також та тим тих у цей це ця чи що "
    "щоб як яка яке який яких які якщо из-за",
    "el": "από αλλά αν αυτά αυτή αυτό αυτές για δεν διότι εάν είναι ενώ επί επίσης έχει έχουν ή ήταν θα και κάθε κατά μας με μετά "
    "μια μία μέσω μεταξύ να ο οι όμως όπως όταν ότι που πολύ προς πως σε στα στη στην στις στο στον στους στου τα τη την της τις "
    "το τον του τους των χωρίς ως ώστε",
    "id": "ada adalah akan agar antara apa atau bagi bahwa banyak beberapa belum berbagai bisa dalam dan dapat dari daripada "
    "dengan di dilakukan digunakan hanya harus hingga ini itu juga kami karena kepada ketika lain lebih maka masih mereka "
    "merupakan oleh pada para sangat satu saat sebagai sebuah sehingga sejak sekitar selain selama seluruh semua seperti serta "
    "sesuai setelah setiap suatu sudah tanpa telah tentang terhadap tersebut tetapi tidak untuk yang yaitu",
    "hr": "ako ali bez bi bila bili bilo biti da dok do ga gde gdje god i ih ili iz između ja jedan jednu jer još kada kako kao "
    "koja koje kojem koji kojih koju kroz mogu može mu na nad nakon ne neki nije nisu od odnosno ono ova ovaj ove ovog ovom po "
    "pod pre preko prema pri prije radi sa samo se što su sve svi svih ta taj tako također te tim to toga u uz vrlo za zbog "
    "bodo bilo ker kjer kot ki pri tudi zato če",
    "vi": "các cho có của cũng đã đang đây để đến được không khi là làm lại một này nên nếu như những nhưng ở ra rằng rất sau sẽ "
    "sự tại theo thì trên trong trước từ và vào về vì với",
    "ar": "إلى أن أو إن التي الذي الذين بعد بين ثم حتى حيث خلال ذلك على عن عند غير في قد كان كانت كل كما لا لم لها له ما مع من "
    "منها هذا هذه هو هي وقد ومن وهو يمكن",
    "he": "אבל או אך אל את אם אשר בין גם היא הוא זה זו יותר כי כל לא לפי מן עד על עם רק של",
    "la": "ab ac ad aut atque autem cum de ea ejus enim esse est et etiam ex hac haec hoc in inter ipse nec neque non nos ob per "
    "post pro qua quae quam qui quia quibus quid quod quo quoque sed seu si sic sine sive sub sunt tamen ut vel vero",
}
"""Function words beyond those by which a language is told, written down for labels: none of another's list."""
_ALSO_ENGLISH = frozenset(
    "die war was hat also man men art son sur pour per par plus con come due van over under will more want sole sei era case "
    "fur den des dove mine nun bald arm ton tot car font fit six dans pas est sans lors leur ore ora ser mas para mais para ten "
    "ter sub in on an am as at so no me he do to die sin sine sic all alla here hen had mag wall over upp ska dem dig din bare "
    "var vil mens mere far men for far her him fin sig nor not non nos pro post inter quo data mode bin pre via hoc est ex ad "
    "bis era san tan tal cum mit ante fra bid kim one ben bar aim ale ani ile oba pod tam ten via nad sou ou if of or and that "
    "the has have been be is it its into than then there them their they this those we were when which who with would you your "
    "under even ever end eve led let mid old our out own put said saw say set she too top try two use way why yet som ens tim "
    "god ova ali dok kit poi contra sous nova rays mai lei lui mod lor sau fie fit fim dela dele ella este ese esa eso ita dan "
    "dari para lain masih satu sang data".split()
)
"""Those that English texts use, too: they are function words in a text of their language alone."""
_EVERY = {language: frozenset(words.split()) for language, words in _MORE_WORDS.items()}
_EVERY = {language: _EVERY.get(language, frozenset()) | _OF_WORDS.get(language, frozenset()) for language in _MORE_WORDS}
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
