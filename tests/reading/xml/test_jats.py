from __future__ import annotations

import re
from pathlib import Path

from engine.documents import DocumentDate, Identifier, Reference, Section, Translation
from engine.reading.dispatch import iter_documents, read_bytes
from tests.reading.texts import JATS


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
