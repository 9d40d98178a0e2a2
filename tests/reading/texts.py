"""Small documents that we wrote ourselves, one in each format, and an abstract in several languages."""

from __future__ import annotations

ENGLISH = "We map forty reefs over two seasons and compare the maps with those of the last century. All of them drift."
GERMAN = (
    "Wir kartieren vierzig Riffe und vergleichen die Karten mit denen des letzten Jahrhunderts. Alle Riffe driften."
)
SPANISH = (
    "Cartografiamos cuarenta arrecifes y comparamos los mapas con los del siglo pasado. Todos los arrecifes derivan."
)
FRENCH = (
    "Nous cartographions quarante récifs et nous comparons les cartes avec celles du siècle dernier. Tous dérivent."
)
PORTUGUESE = "Mapeamos quarenta recifes em dois anos e comparamos os mapas com os do século passado. Todos derivam."

ENGLISH_BODY = "Reefs are thought to be still. We ask whether they are, and how the maps of the past can be read."
GERMAN_BODY = "Riffe gelten als unbeweglich. Wir fragen, ob sie es sind und wie die Karten zu lesen sind."
SPANISH_BODY = "Los arrecifes se consideran inmóviles. Preguntamos si lo son y cómo se leen los mapas."
FRENCH_BODY = "Les récifs sont réputés immobiles. Nous demandons si c'est vrai et comment lire les cartes."
PORTUGUESE_BODY = "Os recifes são considerados imóveis. Perguntamos se são e como os mapas podem ser lidos."


GRANT = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>
<us-patent-grant lang="EN" country="US">
<us-bibliographic-data-grant>
<publication-reference><document-id><country>US</country><doc-number>09123456</doc-number><kind>B2</kind>
<date>20150901</date></document-id></publication-reference>
<application-reference appl-type="utility"><document-id><country>US</country><doc-number>14000001</doc-number>
<date>20130102</date></document-id></application-reference>
<classifications-ipcr><classification-ipcr><section>G</section><class>06</class><subclass>F</subclass>
<main-group>17</main-group><subgroup>30</subgroup></classification-ipcr></classifications-ipcr>
<classifications-cpc><main-cpc><classification-cpc><section>G</section><class>06</class><subclass>F</subclass>
<main-group>16</main-group><subgroup>93</subgroup></classification-cpc></main-cpc></classifications-cpc>
<invention-title id="t">Kettle with a <i>quiet</i> lid</invention-title>
<us-parties><us-applicants><us-applicant app-type="applicant"><addressbook><orgname>Kettle Works</orgname>
</addressbook></us-applicant></us-applicants>
<inventors><inventor><addressbook><last-name>Lovelace</last-name><first-name>Ada</first-name></addressbook>
</inventor></inventors></us-parties>
<assignees><assignee><addressbook><orgname>Kettle Works</orgname></addressbook></assignee></assignees>
</us-bibliographic-data-grant>
<abstract id="abstract"><p id="p-1">A lid that does not whistle.</p></abstract>
<description id="description">
<p>This application claims nothing earlier.</p>
<?BRFSUM description="Brief Summary" end="lead"?>
<heading id="h-1" level="1">BACKGROUND</heading>
<p>Kettles whistle at 100&#xb0; C, see <figref>FIG. <b>1</b></figref>.</p>
<p>Some find it loud:<ul><li>cats</li><li>dogs</li></ul></p>
<heading id="h-2" level="1">SUMMARY</heading>
<heading id="h-3" level="2">The lid</heading>
<p>It is quiet.<tables><row><entry>12</entry></row></tables></p>
<description-of-drawings><heading>DRAWINGS</heading><p>FIG. 1 is a lid.</p></description-of-drawings>
</description>
<us-claim-statement>What is claimed is:</us-claim-statement>
<claims id="claims">
<claim id="CLM-1"><claim-text>1. A lid comprising:<claim-text>a rim; and</claim-text><claim-text>a seal.</claim-text>
</claim-text></claim>
<claim id="CLM-2"><claim-text><b>2</b>. The lid of <claim-ref>claim 1</claim-ref>, of steel.</claim-text></claim>
<claim id="CLM-3"><claim-text>3-5. (canceled)</claim-text></claim>
</claims>
</us-patent-grant>
"""

APPLICATION = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE us-patent-application SYSTEM "us-patent-application-v40-2004-12-02.dtd" [ ]>
<us-patent-application lang="EN" country="US">
<us-bibliographic-data-application>
<publication-reference><document-id><country>US</country><doc-number>20050000001</doc-number><kind>A1</kind>
<date>20050106</date></document-id></publication-reference>
<classification-ipc><edition>07</edition><main-classification>A47J027/21</main-classification>
<further-classification>A47J036/06</further-classification></classification-ipc>
<invention-title>Spout</invention-title>
<parties><applicants><applicant app-type="applicant-inventor"><addressbook><last-name>Curie</last-name>
<first-name>Marie</first-name></addressbook></applicant></applicants></parties>
<assignees><assignee><orgname>Spouts Inc.</orgname></assignee></assignees>
</us-bibliographic-data-application>
<abstract><p>A spout.</p></abstract>
<description><heading>FIELD</heading><p>Spouts.</p></description>
<claims><claim id="c1"><claim-text><b>1</b>. A spout.</claim-text></claim></claims>
</us-patent-application>
"""

APPLICATION_2001 = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE patent-application-publication SYSTEM "pap-v15-2001-01-31.dtd" [
<!ENTITY US20010000001A1-20010315-D00001.TIF SYSTEM "US20010000001A1-20010315-D00001.TIF" NDATA TIF>
<!NOTATION TIF SYSTEM "TIF">
]>
<patent-application-publication>
<subdoc-bibliographic-information>
<document-id><doc-number>20010000001</doc-number><kind-code>A1</kind-code><document-date>20010315</document-date>
</document-id>
<domestic-filing-data><application-number><doc-number>09725737</doc-number></application-number></domestic-filing-data>
<technical-information>
<classification-ipc><classification-ipc-primary><ipc>A61F002/06</ipc></classification-ipc-primary></classification-ipc>
<title-of-invention> Handle
 for a kettle </title-of-invention>
</technical-information>
<inventors><first-named-inventor><name><given-name>Grace</given-name><family-name>Hopper</family-name></name>
</first-named-inventor><inventor><name><given-name>Alan</given-name><middle-name>M</middle-name>
<family-name>Turing</family-name></name></inventor></inventors>
<assignee><organization-name>Handles Ltd</organization-name></assignee>
</subdoc-bibliographic-information>
<subdoc-abstract><heading>Abstract of Disclosure</heading><paragraph>A handle &mdash; cool to the touch.</paragraph>
</subdoc-abstract>
<subdoc-description>
<background-of-invention><heading lvl="0">Background</heading>
<paragraph><number>1.</number> Handles get hot.</paragraph>
<section><heading>Prior handles</heading><paragraph>See <cross-reference>FIG. 1</cross-reference>as drawn.</paragraph>
</section></background-of-invention>
</subdoc-description>
<subdoc-claims><heading>Claims</heading>
<claim id="c1"><claim-text><highlight><bold>1.</bold></highlight>A handle comprising:</claim-text>
<claim-text>a grip.</claim-text></claim>
</subdoc-claims>
</patent-application-publication>
"""

GREENBOOK = """PATN
WKU  039999991
SRC  5
APN  1234567
APT  1
TTL  Whistle for a kettle that
      can be heard
ISD  19761228
INVT
NAM  Franklin; Rosalind E.
INVT
NAM  Noether; Emmy
ASSG
NAM  Whistle Company
CLAS
ICL  G10K  502
ICL  A47J 2721
UREF
PNO  1234567
NAM  Somebody
ABST
PAL  A whistle with two
      notes.
BSUM
PAR  Text before a heading.
PAC  BACKGROUND OF THE
      INVENTION
PAR  Whistles have one note.
PA1  Some have none.
DETD
PAR  The whistle has two chambers.
TBL  12 34
CLMS
STM  I claim:
NUM  1.
PAR  1. A whistle comprising:
PA1  a first chamber; and
PA1  a second chamber.
NUM  2.
PAR  2. The whistle of claim 1, of
      brass.
"""

JATS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2 20190208//EN" "JATS-archivearticle1.dtd">
<article xmlns:mml="http://www.w3.org/1998/Math/MathML" article-type="research-article">
<front><journal-meta><journal-title-group><journal-title>Journal of Kettles</journal-title></journal-title-group>
</journal-meta>
<article-meta>
<article-id pub-id-type="pmc">123456</article-id><article-id pub-id-type="doi">10.1234/kettle.5</article-id>
<article-categories><subj-group><subject>Physics</subject></subj-group></article-categories>
<title-group><article-title>Boiling of <italic>H</italic><sub>2</sub>O &lt;script&gt;alert(1)&lt;/script&gt;
<xref>1</xref></article-title><subtitle>A slow study</subtitle></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Meitner</surname><given-names>Lise</given-names></name>
</contrib><contrib contrib-type="editor"><name><surname>Editor</surname><given-names>An</given-names></name></contrib>
<contrib contrib-type="author"><collab>The Kettle Group</collab></contrib></contrib-group>
<pub-date pub-type="collection"><year>2021</year></pub-date><pub-date pub-type="epub"><year>2020</year></pub-date>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
<abstract><title>Abstract</title><sec><title>Aims</title><p>To boil.</p></sec><sec><title>Results:</title><p>Boiled.</p>
<p>Twice.</p></sec></abstract>
<kwd-group><kwd>water</kwd><kwd>heat</kwd></kwd-group>
</article-meta></front>
<body>
<p>A text under no heading.</p>
<sec><label>1.</label><title>Methods</title>
<sec><title>Kettle</title><p>We used one <xref>[1]</xref>.<list><list-item><p>steel</p></list-item>
<list-item><p>glass</p></list-item></list></p>
<fig id="f"><label>Fig. 1</label><caption><title>Kettle.</title><p>From the side.</p></caption><graphic href="a"/></fig>
</sec>
<sec><title>Heat</title><p>With <inline-formula><alternatives><tex-math>\\documentclass{x}</tex-math>
<mml:math><mml:mi>q</mml:mi></mml:math></alternatives></inline-formula> watts.</p>
<table-wrap><label>Table 1</label><caption><p>Powers</p></caption><table><tr><td>99</td></tr></table></table-wrap></sec>
</sec>
<sec><title>Results</title><p>It boiled.</p></sec>
</body>
<back><ack><p>We thank the cook.</p></ack>
<sec sec-type="supplementary-material"><title>Supplement</title>
<supplementary-material><media/></supplementary-material></sec>
<glossary><title>Terms</title><def-list><def-item><term>K</term><def><p>kettle</p></def></def-item></def-list></glossary>
<ref-list><title>Literature</title>
<ref id="r1"><label>1</label><element-citation><person-group><name><surname>Joule</surname><given-names>J</given-names>
</name></person-group>
<article-title>On heat</article-title><source>Phil Mag</source><year>1850</year></element-citation></ref>
<ref id="r2"><mixed-citation>Watt, <italic>Steam</italic>, 1769.</mixed-citation></ref></ref-list></back>
</article>
"""

TEI = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0">
<teiHeader xml:lang="en"><fileDesc>
<titleStmt><title level="a" type="main">Boiling in three steps</title></titleStmt>
<publicationStmt><publisher/><date type="published" when="2019-05-01">May 2019</date></publicationStmt>
<sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Chien</forename><surname>Wu</surname></persName></author>
<title level="a" type="main">Boiling in three steps</title><idno type="DOI">10.1234/steps</idno></analytic>
<monogr><title level="j">Annals of Tea</title><imprint><date type="published" when="2018-04"/></imprint></monogr>
</biblStruct></sourceDesc></fileDesc>
<profileDesc><textClass><keywords><term>tea</term><term>steps</term></keywords></textClass>
<abstract><div xmlns="http://www.tei-c.org/ns/1.0"><p>Three steps boil water.</p></div></abstract></profileDesc>
</teiHeader>
<text xml:lang="en"><body>
<div><head n="1">Introduction</head><p>Water <ref type="bibr">[1]</ref> is cold.</p><p>Fire is hot.</p></div>
<div><p>This goes on.</p></div>
<div><head n="2">Steps</head><p>Fill.</p><formula>a = b</formula></div>
<figure><head>Figure 1 .</head><label>1</label><figDesc>A cup.</figDesc></figure>
</body><back>
<div type="acknowledgement"><div><p>Thanks.</p></div></div>
<div type="references"><listBibl>
<biblStruct><analytic><title level="a">On tea</title>
<author><persName><forename>A</forename><surname>Lu</surname></persName>
</author></analytic><monogr><title level="m">Tea</title><imprint><date when="0760"/></imprint></monogr></biblStruct>
<biblStruct><note type="raw_reference">Okakura, The Book of Tea, 1906.</note></biblStruct>
</listBibl></div></back></text></TEI>
"""

PASTED = """Deep Hashing of Long Documents for
Constant-Time Retrieval

Jane Doe, John Q. Smith and Ana de la Cruz
Department of Computing, University of Somewhere
jane@example.org

Abstract
We present a method that hashes docu-
ments. It is a well-known problem.

Keywords: hashing, long documents; retrieval

1 Introduction
Finding documents is hard. We try to
do it well.

A second paragraph stands here.

2. Method
2.1. Encoding
We encode with a network:
1. This is an item of a list.
2. This is another.
2.2 Hashing
Table 1 A caption and no heading
We hash.

III. RESULTS
It is fast.

Our Conclusion

It works.

References
[1] A. Author. A title. 2001.
2. B. Author. Something Else. 2002.

Appendix A
More stands here.
"""

PATENT_TEXT = """BUMPER FOR A BOAT

ABSTRACT OF THE DISCLOSURE
A bumper for the bow of a boat.

BACKGROUND OF THE INVENTION
Boats bump into piers.

BRIEF DESCRIPTION OF THE DRAWINGS
FIG. 1 is a view from above.

What is claimed is:
1. A bumper comprising:
   a) a strap; and
   b) a pad of at least
2. 5 inches.
2. The bumper of claim 1, wherein the pad is
rubber.
3. The bumper of claim 2.
"""
