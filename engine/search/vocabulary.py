"""Which words can be evidence, and how much each weighs; tables of words that say nothing on a subject.

A vocabulary counts in how many documents of a library words stand, or of the abstracts that the shipped word vectors
were trained on.

Papers and patents use the words of the tables about anything: they name the kind of text, not its topic. One table
serves evidence and the labels of the map, and each leaves out a few words more than the other: a label is two or three
words long, so that "state" or "model" spoils it, and its words stand in phrases ("surface tension"), so that "surface"
has to stay. The tables, not the code, make it long.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Self, cast

import numpy as np

from engine import encoders
from engine.documents.text import STOP_WORDS, singular, stems
from engine.documents.words import UNSPACED, compounds, names_something, other_spellings, plain, stretches, words

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from engine.encoders import Word2vecMeanEncoder
    from engine.library import KeywordIndex

_NOWHERE = """
able abstract according achieve achieved acting adapted additional additionally advantage advantages allow allows
amount analyse analyze analyzed appear appended applicable application applications applied apply approach approaches
appropriate arbitrary arranged arrangement article aspect aspects assignor associated author authors available
background based basis become best better broad calculate calculated calculation calculations call called capable case
cases certain citizen claim claimed claims combination common commonly compare compared comparison complete comprise
comprised comprises comprising conclude conclusion condition conditions configured connected connection consider
considered consist consisting consists construct constructed construction contain contained containing contains context
contrast contribution convenient corresponding county current data day define defined demonstrate demonstrated denoted
depend dependent depends describe described describes desired detail detailed details determine determined determining
develop developed device devices different difficult direct directly disclosed disclosure discuss discussed drawing
drawings effect effective effects efficient eight embodiment embodiments employ employed enable enables end ends engage
essentially establish established evaluate evaluated evidence exact exactly examine example examples exemplary exhibit
existing experiment experimental experiments explain explicit explicitly extend extended extending extensive fact
feature features fig figs figure figures finally find finding findings finds first five fixed focus follow followed
following follows form formed former forms forth found four full fully function functions furthermore future general
generally generate generated generating give given gives giving good great greater hand hard hereby herein hereinafter
high higher highly identify illustrated illustrates implementation implemented important improve improved improvement
improvements improving include included includes including increase increased indicate indicated individual information
insight introduce introduced introduces invented invention investigate investigated involving issue issues key kind
kinds known lack large larger lastly latter lead leads left length let letter letters level levels like limited line
little located long low lower main major manner march means measure measured member method methods model modified near
necessary need needed new next nine novel number numbers numerous object objects observe observed obtain obtained
obtaining operation order ordinary original outer outperform overall paper papers part particular particularly parts
patent patented patents people perform performance performed person place placed plurality point points portion
portions position positioned possible potential practical precisely preferable preferably preferred present presented
presents previous previously principle prior problem problems procedure process processes produce produced product
properties property propose proposed proposes prove proved proven provide provided provides providing purpose purposes
question questions range real receive received receiving recent recently reduce reduced reference related relates
relative relatively relevant report reported represent represented require required requires research residing respect
respective respectively result resulting results reveal said schematic second section secured serial serve set seven
show showing shown shows side sides significant significantly similar simple simply single situated six size small
smaller solution solutions solve solved special specific specifically specification specified standard state states
step steps strong structure studied studies study subject subsequent substantially successfully sufficient suggest
suggested suitable sum support system systems take taken takes task tasks technique techniques term terms test tested
theoretical thereof thereto thing third three time times total two type types typical typically understand
understanding united useful user usually utilize utilized value values variety version vertical view views way ways
well wherefore wide widely witness witnesses work works world year years
"""
"""Neither evidence of a topic nor part of a label."""

_NO_EVIDENCE = """
accessed accomplish accomplished accordance account accurate accurately achieves achieving acknowledge across act
action actual actually added addition adequate advantageous affix aforesaid aim aimed aims albert allowed allowing
alone alternative amounts analysed annexed apart appears appertain appertains appl applicant applying april arbitrarily
area areas arise arises arising art assignee assigning assigns assume assumed assuming assumption attain attained
attempt august average avoid avoided aware away base basic bear becomes beit benefit beyond big block body bring
brought build building built calculating california care carried carry carrying cause caused causes causing change
changed changes changing characteristic characteristics charles chief choice choose chosen clear clearly close closely
combine combined combines combining come communicably communicatively comparing completely concern concerning configure
configuring confirm connecticut connecting consequence consequently considerable considerably considering consistent
constitute constituting contemplated contrary conveniently copyright correspond corresponds cost couple coupled course
create created creates creating crucial date deal december declare declared decrease defines defining definition degree
demonstrates denominated denote denotes denoting depending depicted derive derived deriving describing design designate
designated designed desirable desire detached determines developing development diagram differ difference differences
differently difficulty direction discover discovered distinct divided eds edward effectively efficiently effort element
elements embodied embody embodying emphasis employing employs enabled enabling enclosed england ensure entire entirely
equal equally especially essential estimate event evident examined exceed except execute executed executes executing
execution exhibits exist existence exists expect expected experimentally explained exploit explore explored express
expressed extends extension extent extreme extremely face facilitate factor fail fairly false far february field filed
fine fit fitted flowchart foregoing formation forming formulation forward framework frank free freely frequently fulfil
functionalities functionality fundamental furnish furnished gain generalise generalization generalize generalized
generates george germany greatest greatly group handle held help hence henry hereinbefore heretofore hereunto highest
hold holding hundred idea identical identified illinois illustrate illustration illustrative imaginable impact
implement implies imply importance impossible improves incorporate incorporated increases increasing indiana indicates
indicating indicative infer influence initial inner inputted inside instance instead intended interacts interest
interesting introducing introduction invent inventor investigation involve involved involves iowa james january jersey
john joseph july june kansas keep largely largest leading leave led lettered lie lies likely limit limits literature
lithographer locate location longer maintain maintained make making mark marked maryland massachusetts material
materials matter maximum mean meaning measures mechanism mentioned mere merely michigan middle million mind minimum
minnesota minor missouri mode moderate modest modification modify motivated move moved movement moving multiple namely
natural nature necessitate necessity needs never newly normal normally notable notably notary note noted noting notion
november observation observations obvious obviously occasion occur occurring occurs october offer offering office ohio
opened operable operate operated operating operations opposed opposite optional optionally ordering orders origin
outline outside overcome pair pairs paragraph parallel parameter parameters partial partially partly pass passed passes
passing pay pending pennsylvania perfectly performing performs permit permits permitted perspective peter photo places
placing play pointed pose positions positive possess possesses possibility possibly potentially practicable practically
practice precise predefined predetermined preferentially presence prevent prevented preventing prevents primary
principal principally principles proceed produces producing project proper properly proportion proposal proves public
put quality quantity quick quickly quite raise raised ranges ranging rapid rapidly rate rates reach reached readily
realise realize reason reasonable receives reduces reducing reduction references referred referring regard regarding
region regions relate relating relation relations reliable remain remaining remains remarkable remarkably remove
removed render rendered reports representing represents requirement requiring reside respond responding responsive rest
resulted retain retained revealed reveals review rise robert role roles run satisfy say scale schematically scribed sec
sectional secure securely securing selectively sent separate separated september series serves serving setting settings
shape shaped share shed sheet sheets short signature signed significance similarly simpler simplest simplicity simplify
simulate situation sizes skilled slight slightly solid solving sought source space specify spite start starting stated
store stored stores storing straight stronger strongly structures sub subscribed subsequently substantial succeed
success successful sufficiently suggests suit suitably suited summarise summarize supply supported supporting suppose
surface surprising surprisingly table tackle taking target ten tend testimony theoretically thereby therefrom therein
thereon therewith things think thomas thought thousand throughout throw title today took tool tools traditional treat
treated true turn turned turning turns twenty unable underlying understood undertake unit unless usual utilise valuable
vary varying vicinity virginia vital want washington whereof whereupon whilst wider william wisconsin worked working
worth york
"""
"""Too common to be why two texts are near; a label may need one in a phrase."""

_NO_LABEL = """
ability accordingly address adjacent along analysis apparatus assign assigned begin behavior behaviour briefly calls
cdot characterized citizens class composed computed computer computing concept constant currently dated delta
description disposed either eleven engaging epsilon et final frac half id independent individuals infty insights
inventions item items last leq lines local log mathbb mathbf mathcal mathfrak mathrm models novelty numerical
numerically objective omega open outperforms overline overview pertains piece plan prefer provider published really
refer request right scheme schemes science secondly see seen selected sense sets several showed simulation simulations
sqrt studying subset textbf textit theory thirdly top unknown upper usable use users various verify whether widetilde
within zero
"""
"""Too general to name a group of documents, formulas' commands included; evidence may still show them."""

GENRE_WORDS = frozenset((_NOWHERE + _NO_EVIDENCE).split())
"""What shared terms and key words leave out, besides function words."""

GENERAL_WORDS = GENRE_WORDS | frozenset(_NO_LABEL.split())
"""Words that name nothing alone: "analysis", "models"."""

_IN_NAMES = """
abstract act action alternative application applications approach average aware background base based big block body
building care case change changing combination comparison condition conditions connection construction context cost
coupled course data degree dependent design development device devices diagram direct direction effect effects element
elements end event execution experiment experimental experiments explicit extension face factor false feature features
field fine fit fixed formation formulation forward framework free function functions gain general generalization
generalized generated group high impact implementation influence information instance large length level levels line
location long low lower material materials maximum mean meaning measure measures mechanism method methods minimum mode
model modification movement moving multiple natural near normal number object objects observation observed office
operating operation order ordering orders pair parallel parameter partial passing performance person photo place play
point points pose position positive practice presence primary principal principle principles prior problem problems
procedure process processes product project properties property public quality question range rapid rate real reduction
reference region regions relation relations relative research rest review role roles scale secure series set shape short
side signature single situation size small solving source space start state states store stores structure structures
study sub subject sum supply support supported surface system systems table target task technique techniques term test
theoretical time tool tools type understanding unit user value values version vertical view views work working world
"""
"""Words of the genre that still stand in names of things: "random effects", "language model", "time series"."""

_NO_NAMES = """
ability abundant accelerate accept acceptable accepted accessing accommodate accordingly accumulated acquire acquiring
actively adapt adapting adaptively adapts adding address addressed addresses addressing adds adequately adjust adjusting
adopt adopted adopting adopts advance advances advent advertisers affected affecting affects aforementioned afterwards
aiming al align alleviate almost along alongside already alter altered altering amongst analysing analyzes analyzing
answered anyway anywhere appealing appeared applicability applies appropriately approx approximately approximating
arguably argue argues around aside ask asked assess assessed assessing assign assigned assist associate assumes attached
attempted attempts attendees attract attracted attractive augment authorized automate automatically avoiding avoids
backgrounds became becoming begin beginning behalf behind believe belong beneficial benefits besides billions boldsymbol
boost bp brief briefly bringing brings broader broadly builds capabilities captured captures careful carefully carries
categorized cdot cf challenges challenging characterize characterized characterizing choices choosing circumstances
cited classic classified clicked closer collaborate collaboratively collect collectively collects combinations comes
coming communicate compares compatible compelling complement completed completing complexities complicated composed
comprehensive computationally compute computes concerned concerns concludes conclusions conduct conducted confirmed
confirms conjunction connects consequences consideration considers consistently constantly constitutes constructing
consume consumed consuming continue continues continuously contribute contributed contributes contributing contributions
controlling convert convey cope correct correctly correlate costly counts covered crawled critically currently days
dealing decade decades decide deciding decreased decreases decreasing deeper deeply deliver delivered delivering demands
demo demonstrating depicts deploy deployed deploying designing designs despite detect detecting detects developers
developments develops devise devised devoted differentiate differs difficulties directions discusses discussing
displayed displaying disposed distinctive distinguish distinguishing diverse documented downstream dramatically draw
drawbacks drawn draws dynamically earlier easier easily easy efforts eg elaborate eliminate elucidate elucidated
embodies emerge emerged emphasize empirically empower encodes encompass encompasses encompassing encountered encourage
encourages encouraging engages engaging enhance enhances enjoy enjoyable enormous enough enrich enriching ensures
ensuring enter eqnarray equipped erected establishing estimated estimates evaluates eventually evolve evolved examines
examining excellent exclusively exert exerts exhibited exhibiting expand expanded expensive experienced experiencing
explains exploited exploiting exploits explores exploring expose exposed expressing extensively extra extract extracted
extracts faced facilitates facilitating facing failed fails fastened faster favor feasible feel felt fewer final firstly
fits focuses focusing forces formalize formally formulate formulated foster frac fulfill fundamentally gained gaining
gains gather gathered generalizes get gets getting goes going gradually grouped grow growing grown grows guarantees
happen happens harder heavily helped helpful helping helps henceforth highlighted hinged holds hope huge hundreds
hypothesize hypothesized ideas identifies identifying ie ignore ignored ignoring iii immediately implementing implements
implicate implicated implications implicitly importantly imposed inadequate inc incoming incorporates incorporating
incorrect increasingly incrementally indeed independently individually induce inefficient inexpensive inferred
influenced influencing inform infty inherently initially initiate innovative insights inspire insufficient integrate
integrates integrating interact interacted interacting interactively interested interestingly interviewed intuitively
investigates investigating issued items iteratively jointly journaled keeping know knowing lacking lacks last later
latest learn learns learnt leaving leq lets leverage leveraged leverages leveraging limitation limitations limiting
linearly look looking looks lost lot maintaining maintains makes manage manipulate manipulated manually mapped matched
mathbb mathbf mathcal mathfrak mathit mathrm maximizing meanings meanwhile meet meets merits met methodological millions
mined minimizing minute mitigate modeled modern modifying monitored month months moreover motivates mounted moves
mutually naturally navigate necessarily negatively nevertheless none notions nowadays observing obtains occurred offered
offers omit omitted ones ongoing opens operates opportunities optimally optimized options organized originally otherwise
outperformed outperforming outperforms overline overlooked participate participated past perceive performances period
periodicals pivoted played plays poor poorly popular poses positively possibilities poster powerful predict predicted
predicts prefer preliminary presenting preserve preserved preserves prevalent primarily problematic processed prominent
promise promising promote promotes prone proposing protect publicly published purely quantify quantifying quantitatively
raises randomly rarely rated raw realistic realized really reasons recognize recognized recognizes recognizing
recommended recommends recorded recover refer refers reflect reflected reflecting reflects regarded regardless regularly
released reliably relies rely relying remained remotely removing resolve resolving rests retaining retrieve retrieved
retrieving returned returns revealing reviewed richer rigorous rotatably roughly runs sampled satisfactory satisfied
satisfies satisfying seamlessly searched secondly seconds secures see seeing seek seeking seeks seems seen select
selected selecting selects semantically send separately sequentially served setup shortcomings shorter showcase showed
simultaneously situations slidably slower solely solves something sometimes soon sophisticated specifying spend spent
sqrt stand stands started starts statistically stay stimulate straightforward strengths struggle studying submitted
suboptimal suffer suffers suggesting summarizes superior superiority supports surrounding synthesize systematically
tedious tell tends tens termed textbf textit thanks themselves thence thorough thousands tightly timely tracked
traditionally train trained transferred transferring transformed transforming translating tremendous truly try trying
tuned ultimately unclear uncover undergo undergoes undergone undertaken underwent unexplored unfamiliar unfortunately
unique unlike unnecessary unprecedented updated uses utilizes utilizing validate validated validating varied varies vast
verified verify viewed viewpoints virtually visited visualize visualized viz vs wants weaknesses week weeks whatsoever
whenever widespread widetilde wiley willing wish witnessed worldwide worse wrong yielded yielding yields
"""
"""Verbs, adverbs and judgements beyond those of the genre: words that abstracts use often and authors' key words never.

Found in the abstracts and key words of acm-citation, without the part on which key words are measured.
"""

NO_NAMES = (GENRE_WORDS - frozenset(_IN_NAMES.split())) | frozenset(_NO_NAMES.split())
"""What no key word holds, besides function words."""

_HALVES = """
ally ance ation ations cal com con dis ence ent ible ing ings ist ity ive ling ment ments ness ous pre pro sion ter
tial ting tion tional tions tive ture tures
"""
"""What is left of a word that a line or a page broke."""

HALVES = frozenset(_HALVES.split()) | frozenset("ber der ered lar ters tus uous".split())
"""Halves of words that are never evidence."""

_NO_LABEL_HALVES = """
ably ances ant ants ated ating ble bly cally cation ences ents eral ers ess est ful ial ially ical ies ified int ion
ions ish ism ities ized izing less mental mon mul nal nary nite non ried ries sions sub sup ted tely tially tic tical
tics tively tor tors tween uct ure ures ving
"""
"""Halves that are sometimes whole words: "ants", "ions"."""

NO_LABELS = frozenset((_NOWHERE + _NO_LABEL + _HALVES + _NO_LABEL_HALVES).split())
"""What labels leave out, besides function words."""

BY_WORDS = "word2vec-sif"
"""What compares sentences, whatever encoder ranks: to read a library's sentences with a network costs a tenth of a
second and more a document, and finds the right one no more often (engine/research/reports/planted-sentences.md).
"""

_USUAL_TERMS = 8

_WORD = re.compile(r"[^\W\d_]{3,}|[^\W\d_]{2,}\d{1,2}[^\W\d_]*")
QUOTES = "'’‘`\u00b4"

_VOWEL = re.compile(r"[aeiouyàáâãäåèéêëìíîïòóôõöùúûü]")

_CONFUSIONS = (
    *(("li", "h"), ("b", "h"), ("c", "e"), ("o", "e"), ("e", "c"), ("u", "n"), ("n", "u"), ("rn", "m"), ("in", "m")),
    *(("ni", "m"), ("i", "l"), ("l", "i"), ("ii", "n"), ("ii", "u"), ("v", "y"), ("y", "v"), ("vv", "w"), ("tb", "th")),
)
"""(what a scanner reads, what was printed)."""

_REAL_WORDS = frozenset("arc bethe bold bow chock cnt omission oven trec vla".split())
"""Words of papers and patents that one confusion parts from a far more frequent one."""

_FUNCTION_WORD_RATIO = 5
_CONTENT_WORD_RATIO = 50
_COMMON_SHARE = 1 / 3
_COMMON_FROM_DOCUMENTS = 50


def subject_words(text: str) -> set[str]:
    """Return the words of a text that may say what it is about: neither function words nor those of its genre.

    A compound is there in one word, too: "nonlinear" of "non-linear".
    """
    found = [*words(text, ends=False), *(one.solid for one in compounds(text))]
    telling = {one for one in found if len(one) > 1 and one not in STOP_WORDS and names_something(one)}
    return telling - GENRE_WORDS


_MARKED = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def in_pieces(text: str, shared: Container[str]) -> Iterator[tuple[str, bool]]:
    """Yield a text in pieces, each with whether it is one of some words, such as `subject_words` gives."""
    spans = [(one.start, one.stop) for one in compounds(text) if one.solid in shared]
    spans += stretches(text, shared)
    for match in _MARKED.finditer(text):
        if any(one in shared and not UNSPACED.match(one) for one in words(match[0])):
            spans.append(match.span())
    at = 0
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= at:
            yield text[at:start], False
            yield text[start:stop], True
            at = stop
    yield text[at:], False


class _Keys(dict[str, str]):
    """Keys by token, each computed when first needed and then looked up."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self._make = make

    def __missing__(self, token: str) -> str:
        self[token] = self._make(token)
        return self[token]


class Vocabulary:
    """The document frequencies of a library, read as evidence.

    `keys` maps a token to the key under which its singular and plural meet, or to "" where it cannot be
    evidence: function words, words that papers and patents use about anything, numbers, words of more
    than a third of the library, and scanning errors.
    """

    def __init__(self, frequencies: Mapping[str, int], documents: int) -> None:
        """Take the number of documents that hold each token, and the number of documents."""
        self._frequencies = frequencies
        self._documents = documents
        self.keys: Mapping[str, str] = _Keys(self._key)
        self._idf: dict[str, float] = {}

    @classmethod
    def of(cls, keywords: KeywordIndex) -> Self:
        """Return the words of a library as it is now."""
        return cls(keywords.frequencies(), keywords.size)

    @staticmethod
    def shipped() -> Vocabulary:
        """Return how rare words are among the abstracts that the shipped word vectors were trained on; made once."""
        return _shipped()

    @property
    def documents(self) -> int:
        """How many documents the frequencies are of."""
        return self._documents

    def holds(self, word: str) -> bool:
        """Tell whether any document holds a word, in singular or plural, in British or American spelling."""
        if self.frequency(singular(word)) > 0 or self.frequency(word) > 0:
            return True
        return any(self.frequency(singular(one)) > 0 for one in other_spellings(word))

    def idf(self, key: str) -> float:
        """Return ln(1 + (n - df + 1/2) / (df + 1/2)), with the larger df of singular and plural.

        Robertson and Zaragoza 2009, The Probabilistic Relevance Framework, equation 3.15, plus 1
        inside the logarithm so that it is never negative.
        """
        if key not in self._idf:
            frequency = min(self.frequency(key), self._documents)
            self._idf[key] = math.log(1 + (self._documents - frequency + 0.5) / (frequency + 0.5))
        return self._idf[key]

    def rows(self, sentences: Iterable[tuple[frozenset[str], float]], columns: Mapping[str, int]) -> csr_array:
        """Return sentences, each by its keys and the sum of their squared idf, as rows of idf: (s, columns).

        Rows are divided by their length before keys without a column are dropped. Short sentences are divided as if
        they had eight usual words: otherwise a sentence of two words would match any other that holds them.
        """
        from scipy.sparse import csr_array  # who asks for lists of words alone need not wait for it

        data: list[float] = []
        indices: list[int] = []
        starts = [0]
        for keys, squares in sentences:
            length = max(squares, squares * _USUAL_TERMS / max(1, len(keys))) ** 0.5
            for key in keys & columns.keys():
                indices.append(columns[key])
                data.append(self.idf(key) / length)
            starts.append(len(data))
        return csr_array((np.asarray(data, np.float32), indices, starts), shape=(len(starts) - 1, len(columns)))

    def frequency(self, key: str) -> int:
        """Return in how many documents a word stands, or its plural if more."""
        get, key = self._frequencies.get, plain(key)
        plurals = (f"{key}s", f"{key}es", f"{key[:-1]}ies" if key.endswith("y") else key)
        return max(get(key, 0), *(get(plural, 0) for plural in plurals))

    def _key(self, token: str) -> str:
        if UNSPACED.fullmatch(token):
            held = self.frequency(token)
            return token if names_something(token) and not self._is_common(held) else ""
        token = plain(token.strip(QUOTES).removesuffix("'s").removesuffix("’s"))
        if not _WORD.fullmatch(token) or token in STOP_WORDS or token in GENRE_WORDS or token in HALVES:
            return ""
        key = singular(token)
        frequency = self.frequency(key)
        if not _VOWEL.search(token) and frequency < 3:
            return ""
        if self._is_common(frequency):
            return ""
        return "" if self._is_scanning_error(token) else key

    def _is_common(self, frequency: int) -> bool:
        return self._documents >= _COMMON_FROM_DOCUMENTS and frequency > self._documents * _COMMON_SHARE

    def _is_scanning_error(self, token: str) -> bool:
        """Tell whether undoing a usual confusion of letters gives a far more frequent word, or two words run together.

        The frequencies decide, so that a real word ("loss") is not taken for a scanned one ("less").
        """
        if token in _REAL_WORDS:
            return False
        if any(token.endswith(tail) and token.removesuffix(tail) in STOP_WORDS for tail in ("the", "of", "and")):
            return True
        own = max(self._frequencies.get(token, 0), 1)
        for meant in _undone(token):
            ratio = _FUNCTION_WORD_RATIO if meant in STOP_WORDS else _CONTENT_WORD_RATIO
            if self._frequencies.get(meant, 0) >= ratio * own:
                return True
        return False


_LEAST_OCCURRENCES, _LEAST_NEAR = 50, 0.35
"""Occurrences from which a word's vector says what it means, and the cosine of two forms of one word: "organization"
and "organ" have .31, "relation" and "relational" .47."""
_ENDING, _DOUBLED = re.compile(r"(?<=...)(?:e|ed|ing)$"), re.compile(r"([bcdfgkmnprtvz])\1$")


def partners(ours: Iterable[str], theirs: Iterable[str]) -> dict[str, set[str]]:
    """Return by each word of a text the words of another that are the same one in another form or spelling.

    A ranking goes by stems alone, which join "university" and "universe"; what is shown as shared does not.
    """
    by_stem: dict[str, set[str]] = {}
    for stem, word in zip(stems(list(map(plain, listed := list(theirs)))), listed, strict=True):
        by_stem.setdefault(stem, set()).add(word)
    found = {}
    for word in ours:
        spellings = {bare := plain(word), *other_spellings(bare)}
        near = {one for stem in stems(list(spellings)) for one in by_stem.get(stem, ())}
        if same := {one for one in near if any(_is_form(spelt, plain(one)) for spelt in spellings)}:
            found[word] = same
    return found


def shared_words(one: str, other: str) -> frozenset[str]:
    """Return the words that two texts both have, in any form or spelling of either, without those of their genre."""
    found = partners(subject_words(one), subject_words(other))
    return frozenset(word for own, forms in found.items() for word in (own, *forms))


@lru_cache(maxsize=65536)
def _is_form(word: str, other: str) -> bool:
    """Tell whether two words of one stem are forms of one word: by their endings, else by the company they keep.

    The vectors part what a stemmer joins (Xu and Croft 1998, Corpus-based stemming using cooccurrence of word
    variants); words too rare for one meet in singular and plural, past and participle alone.
    """
    if word == other or _inflection(word) == _inflection(other):
        return True
    if stems([word]) != stems([other]):
        return False
    vectors, places = sentence_words().vectors, _places()
    if not {word, other} <= places.keys():
        return False
    one, two = (vectors.vectors[places[each]].astype(np.float32) for each in (word, other))
    return bool(one @ two >= _LEAST_NEAR * np.linalg.norm(one) * np.linalg.norm(two))


def _inflection(word: str) -> str:
    """Return a word without an ending of number or tense, and without the consonant that it doubles."""
    one = singular(word.removesuffix("'s"))
    base = _ENDING.sub("", f"{one[:-3]}y" if one.endswith("ied") else one)
    return base[:-1] if base != one and _DOUBLED.search(base) else base


@lru_cache(maxsize=1)
def _places() -> Mapping[str, int]:
    """Return the rows of the words whose vectors say what they mean."""
    vectors = sentence_words().vectors
    told = zip(vectors.words, vectors.counts.tolist(), strict=True)
    return {word: row for row, (word, count) in enumerate(told) if count >= _LEAST_OCCURRENCES}


@lru_cache(maxsize=1)
def sentence_words() -> Word2vecMeanEncoder:
    """Return the encoder `BY_WORDS`, loaded once for all that ask."""
    return cast("Word2vecMeanEncoder", encoders.load(BY_WORDS))


@lru_cache(maxsize=1)
def _shipped() -> Vocabulary:
    """Make the vocabulary of the shipped word vectors, which count occurrences.

    A word that occurs n times in N documents is in about N (1 - exp(-n / N)) of them, if occurrences are spread at
    random (a Poisson distribution).
    """
    vectors = sentence_words().vectors
    documents = int(vectors.facts["documents"])
    held = -documents * np.expm1(-vectors.counts / documents)  # (V,)
    frequencies: dict[str, int] = {}
    for word, count in zip(map(plain, vectors.words), held.round().astype(int).tolist(), strict=True):
        frequencies[word] = min(documents, frequencies.get(word, 0) + count)
    return Vocabulary(frequencies, documents)


def _undone(token: str) -> Iterator[str]:
    """Yield every word that one confusion would turn into `token`."""
    for seen, meant in _CONFUSIONS:
        start = token.find(seen)
        while start >= 0:
            yield token[:start] + meant + token[start + len(seen) :]
            start = token.find(seen, start + 1)
