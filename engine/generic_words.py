"""Words that papers and patents use about anything: they name the kind of text, not its topic."""

from __future__ import annotations

_ABOUT_ITSELF = """
abstract accordance according acknowledge affix aforesaid albert annexed appended appertain appertains appl applicant
application applied april art article assignee assignor august beit benefit california charles citizen claim claimed
claims comprise comprised comprises comprising connecticut consisting copyright county day december declare declared
denote denoted denotes denoting depicted describe described describes describing designate designated desire desired
detached detail detailed details disclosed disclosure discuss discussed drawing drawings eds edward embodied
embodiment embodiments embody embodying enables end england exact example examples february fig figs figure figures
filed foregoing forth frank george germany henry hereby herein hereinafter hereinbefore heretofore hereunto illinois
illustrate illustrated illustrates illustration improvement improvements include included includes including indiana
indicated indicates indicating instance introduction invent invented invention inventor iowa james january jersey john
joseph july june kansas known latter letter lettered letters literature lithographer march marked maryland
massachusetts mentioned michigan minnesota missouri model namely notary november object objects october office ohio
ordinary paper papers paragraph patent patented patents pending pennsylvania peter photo preferable preferably
preferred present presented presents prior propose proposed proposes provide provided provides providing public recent
recently reference references referred referring reside residing respective respectively robert said say scribed sec
section sectional september serial series set sheet sheets show showing shown shows signature signed specification
specified specify state stated states studied studies study subscribed substantially suitable suitably table testimony
thereby therefrom therein thereof thereon thereto therewith thomas title understood united view views virginia
washington wherefore whereof whereupon william wisconsin witness witnesses year years york
"""

_ABOUT_ANYTHING = """
able accessed accomplish accomplished account accurate accurately achieve achieved achieves achieving across act
acting action actual actually adapted added addition additional additionally adequate advantage advantageous
advantages aim aimed aims allow allowed allowing allows alone alternative amount amounts analyse analysed analyze
analyzed apart appear appears applicable applications apply applying approach approaches appropriate arbitrarily
arbitrary area areas arise arises arising arranged arrangement aspect aspects assigning assigns associated assume
assumed assuming assumption attain attained attempt author authors available average avoid avoided aware away
background base based basic basis bear become becomes best better beyond big block body bring broad brought build
building built calculate calculated calculating calculation calculations call called capable care carried carry
carrying case cases cause caused causes causing certain change changed changes changing characteristic characteristics
chief choice choose chosen clear clearly close closely combination combine combined combines combining come common
commonly communicably communicatively compare compared comparing comparison complete completely concern concerning
conclude conclusion condition conditions configure configured configuring confirm connected connecting connection
consequence consequently consider considerable considerably considered considering consist consistent consists
constitute constituting construct constructed construction contain contained containing contains contemplated context
contrary contrast contribution convenient conveniently correspond corresponding corresponds cost couple coupled course
create created creates creating crucial current data date deal decrease define defined defines defining definition
degree demonstrate demonstrated demonstrates denominated depend dependent depending depends derive derived deriving
design designed desirable determine determined determines determining develop developed developing development device
devices diagram differ difference differences different differently difficult difficulty direct direction directly
discover discovered distinct divided effect effective effectively effects efficient efficiently effort eight element
elements emphasis employ employed employing employs enable enabled enabling enclosed ends engage ensure entire
entirely equal equally especially essential essentially establish established estimate evaluate evaluated event
evidence evident exactly examine examined exceed except execute executed executes executing execution exemplary
exhibit exhibits exist existence existing exists expect expected experiment experimental experimentally experiments
explain explained explicit explicitly exploit explore explored express expressed extend extended extending extends
extension extensive extent extreme extremely face facilitate fact factor fail fairly false far feature features field
finally find finding findings finds fine first fit fitted five fixed flowchart focus follow followed following follows
form formation formed former forming forms formulation forward found four framework free freely frequently fulfil full
fully function functionalities functionality functions fundamental furnish furnished furthermore future gain general
generalise generalization generalize generalized generally generate generated generates generating give given gives
giving good great greater greatest greatly group hand handle hard held help hence high higher highest highly hold
holding hundred idea identical identified identify illustrative imaginable impact implement implementation implemented
implies imply importance important impossible improve improved improves improving incorporate incorporated increase
increased increases increasing indicate indicative individual infer influence information initial inner inputted
inside insight instead intended interacts interest interesting introduce introduced introduces introducing investigate
investigated investigation involve involved involves involving issue issues keep key kind kinds lack large largely
larger largest lastly lead leading leads leave led left length let level levels lie lies like likely limit limited
limits line little locate located location long longer low lower main maintain maintained major make making manner
mark material materials matter maximum mean meaning means measure measured measures mechanism member mere merely
method methods middle million mind minimum minor mode moderate modest modification modified modify motivated move
moved movement moving multiple natural nature near necessary necessitate necessity need needed needs never new newly
next nine normal normally notable notably note noted noting notion novel number numbers numerous observation
observations observe observed obtain obtained obtaining obvious obviously occasion occur occurring occurs offer
offering opened operable operate operated operating operation operations opposed opposite optional optionally order
ordering orders origin original outer outline outperform outside overall overcome pair pairs parallel parameter
parameters part partial partially particular particularly partly parts pass passed passes passing pay people perfectly
perform performance performed performing performs permit permits permitted person perspective place placed places
placing play plurality point pointed points portion portions pose position positioned positions positive possess
possesses possibility possible possibly potential potentially practicable practical practically practice precise
precisely predefined predetermined preferentially presence prevent prevented preventing prevents previous previously
primary principal principally principle principles problem problems procedure proceed process processes produce
produced produces producing product project proper properly properties property proportion proposal prove proved
proven proves purpose purposes put quality quantity question questions quick quickly quite raise raised range ranges
ranging rapid rapidly rate rates reach reached readily real realise realize reason reasonable receive received
receives receiving reduce reduced reduces reducing reduction regard regarding region regions relate related relates
relating relation relations relative relatively relevant reliable remain remaining remains remarkable remarkably
remove removed render rendered report reported reports represent represented representing represents require required
requirement requires requiring research respect respond responding responsive rest result resulted resulting results
retain retained reveal revealed reveals review rise role roles run satisfy scale schematic schematically second secure
secured securely securing selectively sent separate separated serve serves serving setting settings seven shape shaped
share shed short side sides significance significant significantly similar similarly simple simpler simplest
simplicity simplify simply simulate single situated situation six size sizes skilled slight slightly small smaller
solid solution solutions solve solved solving sought source space special specific specifically spite standard start
starting step steps store stored stores storing straight strong stronger strongly structure structures sub subject
subsequent subsequently substantial succeed success successful successfully sufficient sufficiently suggest suggested
suggests suit suited sum summarise summarize supply support supported supporting suppose surface surprising
surprisingly system systems tackle take taken takes taking target task tasks technique techniques ten tend term terms
test tested theoretical theoretically thing things think third thought thousand three throughout throw time times
today took tool tools total traditional treat treated true turn turned turning turns twenty two type types typical
typically unable underlying understand understanding undertake unit unless useful user usual usually utilise utilize
utilized valuable value values variety vary varying version vertical vicinity vital want way ways well whilst wide
widely wider work worked working works world worth
"""

GENRE_WORDS = frozenset((_ABOUT_ITSELF + _ABOUT_ANYTHING).split())
"""What shared terms leave out, besides function words."""
