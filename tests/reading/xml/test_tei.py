from __future__ import annotations

from pathlib import Path

import pytest

from engine.documents import DocumentDate, Identifier, Reference, Section, Translation
from engine.reading.dispatch import iter_documents, read_bytes
from tests.reading.texts import TEI


def test_header() -> None:
    reading = read_bytes(TEI.encode(), "paper.tei.xml")
    document = reading.document
    assert reading.format == "tei"
    assert reading.warnings == ()
    assert (document.id, document.title, document.year) == ("doi:10.1234/steps", "Boiling in three steps", 2018)
    assert document.abstract == "Three steps boil water."
    assert document.authors == ("Chien Wu",)
    assert document.venue == "Annals of Tea"
    assert document.keywords == ("tea", "steps")
    assert document.url == "https://doi.org/10.1234/steps"


def test_divisions_without_a_head_go_on_with_the_section_before() -> None:
    assert read_bytes(TEI.encode(), "paper.tei.xml").document.sections == (
        Section("Introduction", "Water [1] is cold.\n\nFire is hot.\n\nThis goes on."),
        Section("Steps", "Fill.\n\na = b\n\nFigure 1 . A cup."),
        Section("Acknowledgements", "Thanks."),
        Section("References", "A Lu. On tea. Tea. 0760\nOkakura, The Book of Tea, 1906.", "references"),
    )


DOI = '<idno type="DOI">10.1234/steps</idno>'


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("arXiv:1805.01234v2 [cs.CL]", "1805.01234"),
        ("arXiv:1805.01234v5[cs.CL]", "1805.01234"),
        ("1805.01234", "1805.01234"),
        ("arXiv:hep-th/9901001v1 [hep-th]", "hep-th/9901001"),
    ],
)
def test_identity_of_a_preprint(written: str, number: str) -> None:
    preprint = TEI.replace(DOI, f'<idno type="arXiv">{written}</idno>')
    document = read_bytes(preprint.encode(), "a.xml").document
    assert (document.id, document.url) == (f"arXiv:{number}", f"https://arxiv.org/abs/{number}")


def test_identity_of_a_preprint_without_a_number_and_of_nothing() -> None:
    unknown = TEI.replace(DOI, '<idno type="arXiv">submitted</idno>')
    assert read_bytes(unknown.encode(), "a.xml").document.id.startswith("file:")
    assert read_bytes(TEI.replace(DOI, "").encode(), "a.xml").document.id.startswith("file:")


def test_sentences_are_kept_apart() -> None:
    marked = TEI.replace("Three steps boil water.", "<s>Three steps boil.</s><s>Water <hi>is</hi> hot.</s> <s>So.</s>")
    assert read_bytes(marked.encode(), "a.xml").document.abstract == "Three steps boil. Water is hot. So."


def test_a_structured_abstract() -> None:
    start, end = TEI.index("<abstract>"), TEI.index("</abstract>")
    parts = (
        "<div><head>Aims:</head><p><s>Boil.</s><s>Pour.</s></p><p>Wait.</p></div>"
        "<div><head>Results.</head><p>Tea.</p></div>"
    )
    marked = f"{TEI[:start]}<abstract><head>Abstract</head>{parts}{TEI[end:]}"
    assert read_bytes(marked.encode(), "a.xml").document.abstract == "Aims: Boil. Pour.\n\nWait.\n\nResults: Tea."


def test_references_are_parsed() -> None:
    document = read_bytes(TEI.encode(), "paper.tei.xml").document
    assert [one.text for one in document.references] == ["A Lu. On tea. Tea. 0760", "Okakura, The Book of Tea, 1906."]
    entry = (
        "<biblStruct><analytic><title>Slow fish</title><author><persName><forename>Mara</forename><surname>Osei"
        '</surname></persName></author><idno type="DOI">10.1/x</idno></analytic><monogr><title level="j">'
        'Reefs</title><imprint><date when="2001-05"/></imprint></monogr></biblStruct>'
    )
    document = read_bytes(TEI.replace("<listBibl>", f"<listBibl>{entry}", 1).encode(), "a.xml").document
    assert document.references[0] == Reference(
        "Mara Osei. Slow fish. Reefs. 2001-05",
        "Slow fish",
        ("Mara Osei",),
        2001,
        "Reefs",
        (Identifier("doi", "10.1/x"),),
    )


HAL = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0" xmlns:hal="http://hal.archives-ouvertes.fr/"><teiHeader><fileDesc><titleStmt>
<title>HAL TEI export of a search</title></titleStmt></fileDesc></teiHeader><text><body><listBibl>{}</listBibl></body>
</text></TEI>"""
RECORD = """<biblFull><titleStmt><title xml:lang="fr">Vieilles bouilloires</title>
<title xml:lang="en">Old kettles</title>
<title type="sub" xml:lang="fr">Une histoire</title>
<author role="aut"><persName><forename type="first">Ada</forename><surname>Lovelace</surname></persName></author>
<editor role="depositor"><persName><forename>Un</forename><surname>Dépositaire</surname></persName></editor></titleStmt>
<editionStmt><edition n="v1"><date type="whenSubmitted">2023-01-01</date></edition></editionStmt>
<publicationStmt><idno type="halId">hal-0123</idno>
<idno type="halUri">https://hal.science/hal-0123</idno></publicationStmt>
<sourceDesc><biblStruct><analytic><title xml:lang="fr">Vieilles bouilloires</title>
<author role="aut"><persName><forename type="first">Ada</forename><surname>Lovelace</surname></persName></author>
<author role="aut"><persName><forename type="first">Alan</forename><surname>Turing</surname></persName></author>
</analytic>
<monogr><idno type="issn">1234-5678</idno><title level="j">Le Thé</title><imprint><date type="datePub">2021-03</date>
</imprint></monogr></biblStruct></sourceDesc>
<profileDesc><langUsage><language ident="fr">French</language></langUsage><textClass><keywords scheme="author">
<term xml:lang="fr">thé</term><term xml:lang="en">tea</term></keywords><classCode scheme="halDomain" n="info">Computer
 Science</classCode><classCode scheme="halTypology" n="ART">Journal articles</classCode></textClass>
<abstract xml:lang="en"><p>They whistle.</p></abstract><abstract xml:lang="fr">Elles sifflent.</abstract></profileDesc>
</biblFull>"""


def test_a_record_of_hal() -> None:
    document = read_bytes(HAL.format(RECORD).encode(), "hal.xml").document
    assert (document.id, document.url) == ("hal:hal-0123", "https://hal.science/hal-0123")
    assert (document.title, document.abstract) == ("Vieilles bouilloires: Une histoire", "Elles sifflent.")
    assert document.translations == (Translation("en", "Old kettles", "They whistle."),)
    assert document.authors == ("Ada Lovelace", "Alan Turing")
    assert (document.language, document.year, document.venue) == ("fr", 2021, "Le Thé")
    assert document.dates == (DocumentDate("published", "2021-03"),)
    assert (document.keywords, document.categories) == (("thé", "tea"), ("Computer Science",))
    assert document.identifiers == (Identifier("hal", "hal-0123"),)


def test_several_records_of_hal(tmp_path: Path) -> None:
    plain = "<biblFull><titleStmt><title>{}</title></titleStmt></biblFull>"
    (tmp_path / "hal.xml").write_text(HAL.format(RECORD + plain.format("Pots") + plain.format("Lids")))
    found = list(iter_documents(tmp_path / "hal.xml"))
    assert [one.title for one in found] == ["Vieilles bouilloires: Une histoire", "Pots", "Lids"]
    assert len({one.id for one in found}) == 3


EDITION = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title type="main">The Kettle</title><title type="sub">A Romance</title><author>Jane Doe</author></titleStmt>
<publicationStmt><publisher>Archive</publisher><date>2015</date></publicationStmt>
<sourceDesc><bibl><title>The Kettle</title><date>London, 1823</date></bibl></sourceDesc></fileDesc></teiHeader>
<text xml:lang="en"><front><titlePage><docTitle>THE KETTLE</docTitle></titlePage>
<div type="preface"><head>Preface</head>
<p>To the rea<lb break="no"/>der<lb/>of <choice><sic>tee</sic><corr>tea</corr></choice>.</p></div></front>
<body><div type="volume"><head>Volume I</head><div type="chapter"><head>Chapter I</head><head>The Lid</head>
<fw type="header">THE KETTLE</fw><p>It was<pb n="3"/>hot<note place="foot">Very.</note>.</p>
<lg><l>O lid,</l><l>O spout!</l></lg></div>
<div type="chapter"><head>Chapter II</head><sp><speaker>Ada.</speaker><p>Tea?</p></sp></div></div></body>
<back><div type="bibliography"><head>Works</head><listBibl><bibl>Okakura, The Book of Tea.</bibl></listBibl></div>
</back>
</text></TEI>"""


def test_an_edition_of_a_book() -> None:
    document = read_bytes(EDITION.encode(), "kettle.tei").document
    assert (document.title, document.authors, document.year) == ("The Kettle: A Romance", ("Jane Doe",), 1823)
    assert document.language == "en"
    assert document.sections == (
        Section("Preface", "To the reader of tea."),
        Section("Volume I", ""),
        Section("Chapter I: The Lid", "It was hot.\n\nO lid,\n\nO spout!"),
        Section("Chapter II", "Ada.\n\nTea?"),
        Section("Works", "Okakura, The Book of Tea.", "references"),
    )


def test_a_corpus_of_texts(tmp_path: Path) -> None:
    corpus = f'<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>{EDITION}{EDITION}</teiCorpus>'
    (tmp_path / "corpus.xml").write_text(corpus)
    assert [one.title for one in iter_documents(tmp_path / "corpus.xml")] == ["The Kettle: A Romance"] * 2


def test_abstract_and_titles_in_other_languages() -> None:
    title = '<title type="alt" xml:lang="de">Kochen</title></titleStmt>'
    front = '<front><div type="abstract" xml:lang="de"><p>Drei Schritte.</p></div></front><body>'
    marked = (
        TEI.replace("</titleStmt>", title, 1).replace("<body>", front, 1).replace("<TEI ", '<TEI xml:lang="en" ', 1)
    )
    start, end = marked.index("<abstract>"), marked.index("</abstract>")
    document = read_bytes(f"{marked[:start]}<abstract>{marked[end:]}".encode(), "a.xml").document
    assert (document.title, document.language) == ("Boiling in three steps", "en")
    assert document.translations == (Translation("de", "Kochen", "Drei Schritte."),)
    assert all("Drei" not in section.text for section in document.sections)


@pytest.mark.parametrize("text", ["<TEI/>", "<TEI><teiHeader/><text><body><listBibl/></body></text></TEI>"])
def test_a_file_without_most_of_its_parts(text: str) -> None:
    document = read_bytes(text.encode(), "a.tei").document
    assert (document.title, document.sections, document.authors, document.year) == ("", (), (), None)


def test_notes_are_a_section_and_those_of_a_figure_stand_with_its_caption() -> None:
    note = '<note place="foot" n="%d">This note says more about kettles than the text of %s does.</note>'
    figure = f"<figure><head>Figure 1</head><figDesc>A lid.</figDesc><p>It is hot.</p>{note % (3, 'figures')}</figure>"
    body = f"<div><head>Tea</head><p>Hot{note % (1, 'tea')}.</p>{figure}</div>{note % (2, 'lids')}"
    found = read_bytes(f"<TEI><teiHeader/><text><body>{body}</body></text></TEI>".encode(), "a.tei.xml").document
    assert [(one.title, one.text) for one in found.sections] == [
        (
            "Tea",
            "Hot.\n\nFigure 1 A lid. It is hot.\n\nThis note says more about kettles than the text of figures does.",
        ),
        (
            "Notes",
            "This note says more about kettles than the text of tea does.\n\n"
            "This note says more about kettles than the text of lids does.",
        ),
    ]
