"""Papers in JATS and in TEI into documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.documents import DocumentDate, Identifier, Reference, Section, Translation
from engine.reading.dispatch import iter_documents, read_bytes
from tests.reading.texts import JATS, TEI


def test_article_gives_its_front_matter() -> None:
    reading = read_bytes(JATS.encode(), "article.xml")
    document = reading.document
    assert reading.format == "jats"
    assert reading.warnings == ("Left out of the text of article.xml: 1 table. Captions are read.",)
    assert (document.kind, document.id, document.year) == ("paper", "PMC123456", 2020)
    assert document.authors == ("Lise Meitner", "The Kettle Group")
    assert document.venue == "Journal of Kettles"
    assert document.categories == ("Physics",)
    assert document.keywords == ("water", "heat")
    assert document.url == "https://doi.org/10.1234/kettle.5"


def test_markup_in_a_title_goes_and_a_script_stays_text() -> None:
    title = read_bytes(JATS.encode(), "article.xml").document.title
    assert title == "Boiling of H2O <script>alert(1)</script>: A slow study"


def test_structured_abstract_keeps_its_headings_and_the_graphical_one_is_not_taken() -> None:
    assert read_bytes(JATS.encode(), "a.xml").document.abstract == "Aims: To boil.\n\nResults: Boiled.\n\nTwice."


def test_sections_in_reading_order() -> None:
    assert read_bytes(JATS.encode(), "article.xml").document.sections == (
        Section("Text", "A text under no heading."),
        Section("Methods", ""),
        Section("Kettle", "We used one [1].\n\nsteel\n\nglass\n\nFig. 1 Kettle. From the side."),
        Section("Heat", "With q watts.\n\nTable 1 Powers"),
        Section("Results", "It boiled."),
        Section("Acknowledgements", "We thank the cook."),
        Section("Terms", "K: kettle"),
        Section("Literature", "J Joule. On heat. Phil Mag. 1850\nWatt, Steam, 1769.", "references"),
    )


def test_identity_falls_back_from_pmc_to_doi_to_pmid_to_content() -> None:
    pmc = '<article-id pub-id-type="pmc">123456</article-id>'
    doi = '<article-id pub-id-type="doi">10.1234/kettle.5</article-id>'
    without_pmc = JATS.replace(pmc, "")
    assert read_bytes(without_pmc.encode(), "a.xml").document.id == "doi:10.1234/kettle.5"
    with_pmid = without_pmc.replace(doi, '<article-id pub-id-type="pmid">777</article-id>')
    assert read_bytes(with_pmid.encode(), "a.xml").document.id == "pmid:777"
    assert read_bytes(without_pmc.replace(doi, "").encode(), "a.xml").document.id.startswith("file:")


def test_a_set_of_articles_gives_each(tmp_path: Path) -> None:
    article = JATS[JATS.index("<article ") :]
    second = article.replace("123456", "654321")
    path = tmp_path / "set.xml"
    path.write_text(f"<?xml version='1.0'?><pmc-articleset>{article}{second}</pmc-articleset>")
    assert [one.id for one in iter_documents(path)] == ["PMC123456", "PMC654321"]


def test_missing_title_and_abstract_are_said() -> None:
    reading = read_bytes(b"<article><body><p>Only a text.</p></body></article>", "article.xml")
    assert reading.warnings == ("No title was found in the file.", "No abstract was found in the file.")
    assert reading.document.sections == (Section("Text", "Only a text."),)


FORMULA = (
    "<inline-formula><alternatives><tex-math>\\documentclass{minimal}$$q$$</tex-math>"
    "<mml:math><mml:mi>q</mml:mi></mml:math></alternatives></inline-formula>"
)


def test_a_formulas_source_is_read_nowhere() -> None:
    text = JATS
    for place in ("Boiling of ", "<title>Results", "<p>Powers", "<term>K", "<kwd>water", "On heat"):
        assert place in text
        text = text.replace(place, f"{place} {FORMULA} ")
    document = read_bytes(text.replace("Watt, ", f"Watt, {FORMULA} ").encode(), "a.xml").document
    assert document.title.startswith("Boiling of q H2O")
    assert (document.abstract.count(" q"), document.keywords[0]) == (1, "water q")
    titles = [section.title for section in document.sections]
    texts = " ".join(section.text for section in document.sections)
    assert "Results q" in titles
    assert [one for one in ("Table 1 Powers q", "K q: kettle", "On heat q", "Watt, q Steam") if one not in texts] == []
    assert "documentclass" not in str(document)


def test_names_as_one_string_and_collaborations_with_their_members() -> None:
    meitner = "<name><surname>Meitner</surname><given-names>Lise</given-names></name>"
    group = "<collab>The Kettle Group</collab>"
    text = JATS.replace(
        meitner, "<string-name><given-names>Lise</given-names> <surname>Meitner</surname></string-name>"
    ).replace(
        group,
        f"<collab>The Kettle Group<xref>2</xref><contrib-group><contrib>{meitner}</contrib></contrib-group></collab>"
        "</contrib><contrib><string-name>Otto van Hahn</string-name></contrib>"
        f"<contrib><name-alternatives>{meitner.replace('Lise', 'Elise')}<name><surname>M</surname></name>"
        "</name-alternatives></contrib><contrib><collab-alternatives><collab>Lid Lab</collab></collab-alternatives>"
        "</contrib><contrib><anonymous/>",
    )
    document = read_bytes(text.encode(), "a.xml").document
    assert document.authors == ("Lise Meitner", "The Kettle Group", "Otto van Hahn", "Elise Meitner", "Lid Lab")


def test_lists_of_references_within_a_list_are_read_once() -> None:
    old = '<ref id="r2"><mixed-citation>Watt, <italic>Steam</italic>, 1769.</mixed-citation></ref></ref-list>'
    assert old in JATS
    inner = "<ref-list><title>Engines</title><ref><mixed-citation>Watt, Steam, 1769.</mixed-citation></ref></ref-list>"
    document = read_bytes(JATS.replace(old, f"{inner}</ref-list>").encode(), "a.xml").document
    assert [section for section in document.sections if section.role == "references"] == [
        Section("Literature", "J Joule. On heat. Phil Mag. 1850", "references"),
        Section("Engines", "Watt, Steam, 1769.", "references"),
    ]


def test_highlights_are_not_taken_for_the_abstract_and_floating_captions_are_read() -> None:
    highlights = "<abstract abstract-type='author-highlights'><p>One highlight.</p></abstract>"
    floats = "<floats-group><fig><label>Fig. 9</label><caption><p>A lid apart.</p></caption></fig></floats-group>"
    article = JATS.replace("<abstract", f"{highlights}<abstract", 1).replace("</article>", f"{floats}</article>")
    found = read_bytes(article.encode(), "a.xml").document
    assert found.abstract == "Aims: To boil.\n\nResults: Boiled.\n\nTwice."
    assert Section("Figures and tables", "Fig. 9 A lid apart.") in found.sections


def test_the_year_of_publication_goes_before_that_of_the_collection() -> None:
    dates = '<pub-date pub-type="collection"><year>2021</year></pub-date><pub-date pub-type="pub"><year>2020</year>'
    article = re.sub("<pub-date.*</pub-date>", f"{dates}</pub-date>", JATS, count=1, flags=re.DOTALL)
    assert read_bytes(article.encode(), "a.xml").document.year == 2020


def test_a_heading_keeps_what_it_names_and_loses_marks_of_notes() -> None:
    titles = [
        'What <xref ref-type="table" rid="t1">Table 1</xref> shows',
        'Kettles<xref ref-type="bibr" rid="r2">2</xref>',
        'Pots, see <xref ref-type="fig" rid="f1">Figure 1</xref><xref ref-type="fn" rid="n1">*</xref>',
    ]
    body = "".join(f"<sec><title>{title}</title><p>We boil water.</p></sec>" for title in titles)
    article = f"<article><front><article-meta/></front><body>{body}</body></article>"
    found = [section.title for section in read_bytes(article.encode(), "a.xml").document.sections]
    assert found == ["What Table 1 shows", "Kettles", "Pots, see Figure 1"]


def test_titles_and_abstracts_in_other_languages() -> None:
    meta = (
        "<title-group><article-title>Ollas</article-title><subtitle>Un estudio</subtitle>"
        '<trans-title-group xml:lang="en"><trans-title>Pots<xref>1</xref></trans-title><trans-subtitle>A study'
        "</trans-subtitle></trans-title-group></title-group>"
        '<abstract xml:lang="en"><p>We boil.</p></abstract><abstract xml:lang="es"><p>Hervimos.</p></abstract>'
        '<trans-abstract xml:lang="fr"><title>R\N{LATIN SMALL LETTER E WITH ACUTE}sultats</title><p>Bouilli.</p>'
        '</trans-abstract><trans-abstract abstract-type="graphical" xml:lang="de"><p>Bild.</p></trans-abstract>'
    )
    stub = (
        '<sub-article article-type="translation" xml:lang="pt"><front-stub><title-group><article-title>Panelas'
        "</article-title></title-group><abstract><p>Fervemos.</p></abstract></front-stub></sub-article>"
        '<sub-article article-type="reply" xml:lang="it"><front-stub/></sub-article>'
    )
    article = f'<article xml:lang="es"><front><article-meta>{meta}</article-meta></front>{stub}</article>'
    document = read_bytes(article.encode(), "a.xml").document
    assert (document.title, document.abstract, document.language) == ("Ollas: Un estudio", "Hervimos.", "es")
    assert document.translations == (
        Translation("en", "Pots: A study", "We boil."),
        Translation("pt", "Panelas", "Fervemos."),
        Translation("fr", "", "R\N{LATIN SMALL LETTER E WITH ACUTE}sultats: Bouilli."),
    )


def test_dates_and_numbers() -> None:
    dated = JATS.replace("<year>2020</year>", "<day>3</day><month>11</month><year>2020</year>")
    document = read_bytes(dated.encode(), "a.xml").document
    assert document.dates == (DocumentDate("published", "2020-11-03"),)
    assert document.identifiers == (Identifier("pmc", "123456"), Identifier("doi", "10.1234/kettle.5"))
    dated = JATS.replace("<year>2020</year>", "<month>Nov</month><year>2020</year>")
    assert read_bytes(dated.encode(), "a.xml").document.dates == (DocumentDate("published", "2020"),)


def test_references_are_parsed() -> None:
    numbered = JATS.replace("<year>1850</year>", '<year>1850</year><pub-id pub-id-type="doi">10.1/heat</pub-id>')
    assert read_bytes(numbered.encode(), "a.xml").document.references == (
        Reference(
            "J Joule. On heat. Phil Mag. 1850",
            "On heat",
            ("J Joule",),
            1850,
            "Phil Mag",
            (Identifier("doi", "10.1/heat"),),
        ),
        Reference("Watt, Steam, 1769."),
    )


def test_one_damaged_article_of_a_set_is_left_out(tmp_path: Path) -> None:
    articles = [JATS[JATS.index("<article ") :].replace("123456", str(number)) for number in range(1, 4)]
    articles[1] = articles[1].replace("</body>", "")
    (tmp_path / "set.xml").write_text(f"<pmc-articleset>{''.join(articles)}</pmc-articleset>")
    warnings: list[str] = []
    assert [one.id for one in iter_documents(tmp_path / "set.xml", warn=warnings.append)] == ["PMC1", "PMC3"]
    assert len(warnings) == 2
    assert warnings[0].startswith("An entry was left out. Expected well-formed XML in set.xml; line ")
    assert warnings[1] == "Left out of the text of set.xml: 2 tables. Captions are read."


def test_articles_of_a_repository(tmp_path: Path) -> None:
    record = f"<record><header/><metadata>{JATS[JATS.index('<article ') :]}</metadata></record>"
    (tmp_path / "oai.xml").write_text(f"<OAI-PMH><ListRecords>{record * 2}</ListRecords></OAI-PMH>")
    assert [one.id for one in iter_documents(tmp_path / "oai.xml", warn=print)] == ["PMC123456"] * 2


def test_notes_are_a_section_and_those_of_a_table_stand_with_its_caption() -> None:
    note = "<fn id='f%s'><label>%s</label><p>This note says more about kettles than the text of %s does.</p></fn>"
    foot = f"<table-wrap-foot>{note % (9, 9, 'tables')}</table-wrap-foot>"
    table = f"<table-wrap><label>Table 9</label><caption><p>Lids.</p></caption>{foot}</table-wrap>"
    body = f"<body><sec><title>Tea</title><p>Hot.{note % (1, 1, 'tea')}</p>{table}</sec></body>"
    back = (
        f"<back><fn-group>{note % (2, 2, 'lids')}<fn><p>Equal.</p></fn><fn><p>Publisher’s Note: the firm of lids takes "
        "no side in any question of borders.</p></fn></fn-group>"
        "<ref-list><ref><mixed-citation>Ek, 1999.</mixed-citation></ref></ref-list></back>"
    )
    head = f"<front><article-meta><author-notes>{note % (3, 3, 'authors')}</author-notes></article-meta></front>"
    found = read_bytes(f"<article>{head}{body}{back}</article>".encode(), "a.xml").document
    assert [(one.title, one.text) for one in found.sections] == [
        ("Tea", "Hot.\n\nTable 9 Lids.\n\n9 This note says more about kettles than the text of tables does."),
        (
            "Notes",
            "This note says more about kettles than the text of tea does.\n\n"
            "This note says more about kettles than the text of lids does.",
        ),
        ("References", "Ek, 1999."),
    ]


def test_captions_of_supplements_are_read() -> None:
    supplement = "<supplementary-material><label>S%d</label><caption><p>%s</p></caption></supplementary-material>"
    captions = supplement % (1, "All kettles.") + supplement % (2, "Click here for additional data file.")
    body = f"<article><body><sec><title>Supplements</title>{captions}</sec></body></article>"
    assert read_bytes(body.encode(), "a.xml").document.sections[0].text == "S1 All kettles."


def test_articles_within_an_article_are_left_out_and_told() -> None:
    inner = "<sub-article article-type='reply'><body><p>We thank the reviewers.</p></body></sub-article>"
    reading = read_bytes(f"<article><body><p>Tea.</p></body>{inner}<response/></article>".encode(), "a.xml")
    assert [one.text for one in reading.document.sections] == ["Tea."]
    assert "Left out of the text of a.xml: 2 enclosed articles." in reading.warnings


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


def test_references_of_tei_are_parsed() -> None:
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
