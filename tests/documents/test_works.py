"""A work's numbers, dates and versions, and the fields that all patent offices print."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine.documents import Document, DocumentDate, Identifier, Placed, Section, Translation, works
from engine.documents.dates import DATED, MONTH, dates, day, year_in
from engine.documents.identifiers import (
    arxiv_number,
    arxiv_url,
    asked_number,
    doi_number,
    doi_url,
    patent_number,
    pmc_number,
    pmc_url,
    pubmed_identifiers,
    pubmed_number,
    pubmed_url,
    spoken,
)
from engine.documents.patents import cancelled, claims, first_of_each, patent_id, published, symbol, unnumbered
from engine.documents.works import completed, fold, same_family, same_paper, same_work

PAPER = Document("a", title="Graph networks for crystal energies", year=2020, abstract="We predict energies. " * 9)
PATENT = Document("US1", kind="patent", title="Slide valve for large steam engines", year=1890, family="f1")


def test_preprint_and_published_are_one_work() -> None:
    assert same_work(PAPER, Document("b", title="Graph Networks for Crystal Energies.", year=2021))
    assert same_work(PAPER, Document("b", title="graph networks for crystal energies"))
    assert not same_work(PAPER, Document("b", title="Graph networks for crystal energies", year=1999))
    assert not same_work(PAPER, Document("b", title="Graph networks for crystal forces", year=2020))


def test_a_short_title_says_too_little() -> None:
    assert not same_work(Document("a", title="Book review"), Document("b", title="Book review"))


def test_patents_are_one_by_family_or_text_not_by_title() -> None:
    assert same_work(PATENT, Document("US2", kind="patent", title="Improved valve", family="f1"))
    assert not same_work(PATENT, replace(PATENT, id="US2", family="f2"))
    assert not same_work(PATENT, replace(PATENT, id="US2", family=""))


def test_the_same_abstract_is_the_same_work() -> None:
    assert same_work(PAPER, Document("b", title="Another title altogether", abstract=f" {PAPER.abstract}\n"))
    assert not same_work(Document("a", abstract="Short."), Document("b", abstract="Short."))


def test_folding_keeps_the_order_of_the_best() -> None:
    other = Document("x", title="Something else entirely, long enough", year=2020)
    folds = fold([PAPER, other, replace(PAPER, id="b"), PATENT, replace(PATENT, id="US2"), replace(PAPER, id="c")])
    assert [(one.document.id, one.others) for one in folds] == [("a", ["b", "c"]), ("x", []), ("US1", ["US2"])]


def test_a_fold_is_cited_as_it_was_published() -> None:
    preprint = replace(PAPER, id="arXiv:2001.00001", venue="arXiv", url="https://arxiv.org/abs/2001.00001")
    article = replace(
        PAPER, id="doi:10.1234/x", year=2021, venue="Journal of Crystals", url="https://doi.org/10.1234/x"
    )
    for ranked in ([preprint, article], [article, preprint]):
        (one,) = fold(ranked)
        assert (one.document, one.record.id) == (ranked[0], ranked[0].id)
        assert (one.record.venue, one.record.year, one.record.url) == ("Journal of Crystals", 2021, article.url)
        cited = works.cited_as(one.record)
        assert (cited["doi"], cited["arxiv"], cited["preprint"]) == ("10.1234/x", "2001.00001", "arXiv:2001.00001")
    patents = [PATENT, replace(PATENT, id="US2B1", assignees=("Kettle Works",))]
    assert fold(patents)[0].record == PATENT


def test_import_is_stricter_than_folding() -> None:
    later = replace(PAPER, id="b", year=2022, abstract="Another.")
    assert same_work(PAPER, later)
    assert not same_paper(PAPER, later)
    assert same_paper(PAPER, replace(later, year=2020))


def test_a_document_without_a_family_has_none_in_common() -> None:
    assert same_family("f1", "f1")
    assert not same_family("f1", "f2")
    assert not same_family("", "")


def test_members_of_a_family_in_several_languages_fold() -> None:
    members = [
        Document("EP2400812A1", kind="patent", title="Bluetooth-Vernetzung", language="de", family="43088294"),
        Document("US9648662B2", kind="patent", title="Bluetooth networking", language="en", family="43088294"),
        Document("US9648663B2", kind="patent", title="Bluetooth networking", language="en", family="43088295"),
    ]
    assert [(one.document.id, one.others) for one in fold(members)] == [
        ("EP2400812A1", ["US9648662B2"]),
        ("US9648663B2", []),
    ]


def test_claims_and_description_that_came_apart_complete_each_other() -> None:
    claims = Document("EP2400812A1", kind="patent", claims=("A net.",))
    text = Document("EP2400812A1", kind="patent", sections=(Section("Field", "Nets."),), language="en")
    record = Document(
        "EP2400812A1",
        kind="patent",
        title="Network",
        dates=(DocumentDate("filed", "2010-06-24"),),
        translations=(Translation("fr", "R\N{LATIN SMALL LETTER E WITH ACUTE}seau"),),
        inventors=("Ada Lovelace",),
        assignees=("Nets Oy",),
    )
    for first, second in ((claims, text), (text, claims)):
        whole = completed(completed(first, second), record)
        assert (whole.title, whole.claims, whole.sections) == ("Network", claims.claims, text.sections)
        assert (whole.dates, whole.translations, whole.language) == (record.dates, record.translations, "en")
        assert (whole.inventors, whole.assignees) == (record.inventors, record.assignees)
        assert completed(whole, replace(claims, claims=("Another net.",))) == whole


def test_text_that_completes_a_record_comes_with_the_file_whose_lines_it_names() -> None:
    record = Document("doi:1", title="Tidal turbines", year=2020)
    abstract = Placed("Abstract", 13)
    paper = Document("doi:1", sections=(Section("Gears", "Seals."),), file="ab", placed=(abstract,))
    assert (completed(record, paper).file, completed(record, paper).placed) == ("ab", (abstract,))
    assert completed(paper, record).file == "ab"


@pytest.mark.parametrize(
    ("scheme", "value", "key"),
    [
        ("doi", "https://doi.org/10.1000/ABC", "known:doi:10.1000/abc"),
        ("doi", "10.1000/abc", "known:doi:10.1000/abc"),
        ("doi", "http://www.doi.org/10.1000/abc", "known:doi:10.1000/abc"),
        ("arxiv", "arXiv:0704.0001v2", "known:arxiv:0704.0001"),
        ("arxiv", "hep-th/9901001", "known:arxiv:hep-th/9901001"),
        ("pmc", "PMC0123", "known:pmc:123"),
        ("pmid", "123", "known:pmid:123"),
        ("patent", "US 8930553 B2", "known:patent:us8930553"),
        ("patent", "US8930553", "known:patent:us8930553"),
        ("doi", "10.48550/arXiv.2101.00001v2", "known:arxiv:2101.00001"),
        ("doi", "https://doi.org/10.48550/ARXIV.hep-th/9901001", "known:arxiv:hep-th/9901001"),
        ("doi", "none", ""),
        ("patent", "US 5,123,456 A", "known:patent:us5123456"),
        ("patent", "US-2004/0123456-A1", "known:patent:us20040123456"),
        ("patent", "EP.1129692.B1", "known:patent:ep1129692"),
        ("isbn", "0-387-98957-0", ""),
    ],
)
def test_a_number_has_one_key_however_it_is_spelt(scheme: str, value: str, key: str) -> None:
    assert works.number_key(Identifier(scheme, value)) == key


def test_a_document_is_known_by_its_id_its_address_and_its_numbers() -> None:
    paper = Document("PMC12", url="https://doi.org/10.1000/X", identifiers=(Identifier("pmid", "7"),))
    assert set(works.known_as(paper)) == {"known:pmc:12", "known:doi:10.1000/x", "known:pmid:7"}
    assert works.known_as(Document("text:1", url="http://dx.doi.org/10.1000/X")) == ["known:doi:10.1000/x"]
    assert works.known_as(Document("arXiv:hep-th/9901001")) == ["known:arxiv:hep-th/9901001"]
    assert works.known_as(Document("US1234567A", "patent")) == ["known:patent:us1234567"]
    assert works.known_as(Document("file:1")) == []


@pytest.mark.parametrize(
    ("number", "early"),
    [
        ("10.1101/2021.02.03.429999v2", True),
        ("10.1101/429999", True),
        ("10.1101/gr.123456.120", False),
        ("10.21203/rs.3.rs-1/v1", True),
        ("10.31234/osf.io/abc", True),
        ("10.48550/arXiv.2101.00001", True),
        ("10.1038/s41586-020-1", False),
    ],
)
def test_a_preprint_is_told_by_its_doi(number: str, early: bool) -> None:
    assert works.is_preprint(Identifier("doi", number)) == early


def test_a_title_under_one_number_may_lack_its_end_or_set_a_formula_apart() -> None:
    whole = Document("a", title="Splitting H_2O over thin films of rust: a trial in two parts")
    assert works.same_numbered(whole, Document("b", title="Splitting H2O over thin films of rust"))
    assert not works.same_numbered(whole, Document("b", title="Splitting H2O over thin films of rust in winter"))
    assert not works.same_numbered(Document("a", title="Kites: a review"), Document("b", title="Kites"))
    assert not works.same_numbered(whole, replace(whole, kind="patent"))


def test_a_number_alone_makes_no_copy() -> None:
    paper = Document("PMC12", identifiers=(Identifier("doi", "10.1/volume"),))
    assert not works.is_query("known:doi:10.1/volume", "paper", None, paper)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("10.1145/3292500.3330983", "doi:10.1145/3292500.3330983"),
        (" https://doi.org/10.1145/3292500.3330983. ", "doi:10.1145/3292500.3330983"),
        ("https://dx.doi.org/10.1002/%28SICI%291097", "doi:10.1002/(sici)1097"),
        ("DOI: 10.1000/XYZ(1)", "doi:10.1000/xyz(1)"),
        ("arXiv:2101.12345v2", "arxiv:2101.12345"),
        ("2101.12345", "arxiv:2101.12345"),
        ("https://arxiv.org/pdf/2101.12345v3.pdf", "arxiv:2101.12345"),
        ("http://www.arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
        ("PMID: 0123456", "pmid:123456"),
        ("https://pubmed.ncbi.nlm.nih.gov/123456/", "pmid:123456"),
        ("PMC7599108", "pmc:7599108"),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7599108/#S2", "pmc:7599108"),
        ("US 8,930,553 B2", "patent:us8930553"),
        ("us8930553b2", "patent:us8930553"),
        ("8,930,553", "patent:us8930553"),
        ("U.S. Pat. No. 8,930,553", "patent:us8930553"),
        ("10,123,456", "patent:us10123456"),
        ("US 10,123,456", "patent:us10123456"),
        ("10123456", "patent:us10123456"),
        ("10123456 B2", "patent:us10123456"),
        ("10,123,456B2", "patent:us10123456"),
        ("US10123456B2", "patent:us10123456"),
        ("8930553", "patent:us8930553"),
        ("Patent No. 10,123,456", "patent:us10123456"),
        ("United States Patent 10,123,456", "patent:us10123456"),
        ("223,898", "patent:us223898"),
        ("223898A", "patent:us223898"),
        ("2015/0123456", "patent:us20150123456"),
        ("20150123456 A1", "patent:us20150123456"),
        ("D345,678", "patent:usd345678"),
        ("RE38,119 E1", "patent:usre38119"),
        ("US 223,898", "patent:us223898"),
        ("EP 1 234 567 A1", "patent:ep1234567"),
        ("WO 95/10353", "patent:wo1995010353"),
        ("US 2015/0123456 A1", "patent:us20150123456"),
        ("USRE38119", "patent:usre38119"),
        ("https://patents.google.com/patent/US8930553B2/en?oq=x", "patent:us8930553"),
    ],
)
def test_a_number_is_known(text: str, key: str) -> None:
    found = asked_number(text)
    assert found is not None
    assert works.number_key(found) == f"known:{key}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "graph convolution",
        "in 2015",
        "IN 2015",
        "123456",
        "5 apples",
        "20201231",
        "99999999",
        "2,000",
        "10,123,456 pumps",
        "1,234,567,890",
        "no 5",
        "2101.12345 and more",
        "10.1/x",
        "See US 8,930,553 B2",
        "10.1145/3292500.3330983\n10.1145/1",
        "https://example.org/2101.12345",
        "10.1145/" + "x" * 400,
    ],
)
def test_another_text_is_not(text: str) -> None:
    assert asked_number(text) is None


@pytest.mark.parametrize(
    ("scheme", "said"),
    [("doi", "DOI 1"), ("arxiv", "arXiv number 1"), ("pmc", "PubMed Central number 1"), ("patent", "patent number 1")],
)
def test_a_number_is_said_with_what_it_is(scheme: str, said: str) -> None:
    assert spoken(Identifier(scheme, "1")) == said


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10.1000/Ab(1).", "10.1000/Ab(1)"),
        ("doi: 10.1000/182", "10.1000/182"),
        ("doi:https://www.doi.org/10.1000/182", "10.1000/182"),
        ("dx.doi.org/10.1000/182", "10.1000/182"),
        ("10.1000/182 and more", "10.1000/182"),
        ("see 10.1000/182", ""),
    ],
)
def test_a_doi_is_read_without_what_leads_to_it(text: str, number: str) -> None:
    assert doi_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("arXiv: 2101.12345v2 [cs.CL]", "2101.12345"),
        ("https://www.arxiv.org/pdf/2101.12345v2.pdf", "2101.12345"),
        ("https://ar5iv.labs.arxiv.org/html/math.AG/0101001", "math.AG/0101001"),
        ("2101.12345 and more", ""),
    ],
)
def test_a_preprint_is_read_without_version_and_subject(text: str, number: str) -> None:
    assert arxiv_number(text) == number


def test_numbers_of_pubmed_are_read_as_they_name_works() -> None:
    page = "https://www.ncbi.nlm.nih.gov/pubmed/123456"
    assert [pubmed_number(text) for text in ("123456", "PMID: 123456", page, "PMC12", "1.5")] == ["123456"] * 3 + [
        ""
    ] * 2
    assert pubmed_identifiers("7") == (Identifier("pmid", "7"),)
    assert pubmed_identifiers("none") == ()
    assert [pmc_number(text) for text in ("pmc12.1", "12", pmc_url("PMC12"), "none")] == ["PMC12"] * 3 + [""]


def test_a_patents_number_is_read_without_blanks_and_marks() -> None:
    assert [patent_number(text) for text in ("us 8,930,553 B2", "8930553")] == ["US8930553B2", ""]


def test_a_page_is_read_back_as_its_number() -> None:
    assert doi_number(doi_url("10.1000/182")) == "10.1000/182"
    assert arxiv_number(arxiv_url("hep-th/9901001")) == "hep-th/9901001"
    assert pubmed_number(pubmed_url("7")) == "7"
    assert doi_url("") == arxiv_url("") == pubmed_url("") == pmc_url("") == ""


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("2015", 2015),
        ("20150901", 2015),
        ("201509", 2015),
        ("19831100", 1983),
        ("2015-09-01T10:00:00Z", 2015),
        ("2015/9", 2015),
        ("1 September 2015", 2015),
        ("Sep-Oct 2015; 12", 2015),
        ("Mon, 2 Apr 2007 19:18:42 GMT", 2007),
        ("2008a", 2008),
        ("c1998", 1998),
        ("1455", 1455),
        ("1999-2001", 1999),
        ("unknown", None),
        ("00010101", None),
        ("20159", None),
        ("12015", None),
        ("2115", None),
        ("98", None),
        ("", None),
    ],
)
def test_the_year_in_a_date_of_any_form(date: str, year: int | None) -> None:
    assert year_in(date) == year


@pytest.mark.parametrize(
    ("date", "iso"),
    [
        ("20040602", "2004-06-02"),
        ("2004-06-02", "2004-06-02"),
        (" 2004/06/02", "2004-06-02"),
        ("2004-6-2", "2004-06-02"),
        ("2004-11-5", "2004-11-05"),
        ("2004-06-02T10:00", "2004-06-02"),
        ("2004/6", "2004-06"),
        ("19831100", "1983-11"),
        ("18930000", "1893"),
        ("2004-00-00", "2004"),
        ("2004", "2004"),
        ("20041399", "2004"),
        ("20041302", "2004"),
        ("00000000", ""),
        ("next year", ""),
        ("2 June 2004", ""),
        ("9" * 5000, ""),
    ],
)
def test_a_day_as_exactly_as_it_is_given(date: str, iso: str) -> None:
    assert day(date) == iso


def test_dates_stand_in_the_order_of_a_life_each_once() -> None:
    found = dates(("granted", "20040602"), ("priority", "20000302"), ("priority", "20000302"), ("filed", "none"))
    assert found == (DocumentDate("priority", "2000-03-02"), DocumentDate("granted", "2004-06-02"))


@pytest.mark.parametrize(
    "entry", ["Lind, A. (1859a)", "Ek, B. In press.", "arXiv:2001.00001", "doi:10.1/x", "1543, Basel"]
)
def test_an_entry_is_dated(entry: str) -> None:
    assert DATED.search(entry)


@pytest.mark.parametrize("entry", ["Lind, A. Lids", "pp. 12345", "1499", "Lids 2150"])
def test_an_entry_is_not_dated(entry: str) -> None:
    assert not DATED.search(entry)


def test_a_month_by_its_name() -> None:
    assert re.fullmatch(MONTH, "September", re.IGNORECASE)
    assert not re.fullmatch(MONTH, "Sept", re.IGNORECASE)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1.-20. (canceled)", range(1, 21)),
        ("1-20. (canceled)", range(1, 21)),
        ("1 . - 20 . (canceled)", range(1, 21)),
        ("1–20 [CANCELLED]", range(1, 21)),
        ("1 through 3. (previously canceled)", range(1, 4)),
        ("Claims 4 and 5 (canceled)", range(4, 6)),
        ("7. Canceled.", range(7, 8)),
        ("(canceled without prejudice)", range(1)),
        ("1-99999. (canceled)", range(0)),
        ("1-9999. (canceled)", range(1, 2)),
        ("9-2. (canceled)", range(9, 10)),
        ("1. A canceled cheque.", range(0)),
        (f"1{' ' * 100_000}", range(0)),
    ],
)
def test_ways_to_say_that_claims_are_cancelled(text: str, numbers: range) -> None:
    assert cancelled(text) == numbers


def test_cancelled_claims_take_the_places_that_their_numbers_say() -> None:
    assert list(claims(["1. A lid.", "3-4. (canceled)", "5. A pot."])) == ["A lid.", "", "", "", "A pot."]
    assert list(claims(["(canceled)", "(canceled)", "3. A pot."])) == ["", "", "A pot."]
    assert len(list(claims([*["1-999. (canceled)"] * 1000, "A pot."]))) == 1000 + 999


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("G06F015/00", "G06F 15/00"),
        ("G06F 15/16", "G06F 15/16"),
        ("B60R  900", "B60R 9/00"),
        ("A61K 31415", "A61K 31/415"),
        ("A47J 2721", "A47J 27/21"),
        ("G10K  50", "G10K 5/00"),
        ("D2301", "D2301"),
        ("", ""),
    ],
)
def test_classification_codes_are_spelled_as_printed(given: str, printed: str) -> None:
    assert symbol(given) == printed


@pytest.mark.parametrize(
    ("number", "kind", "identifier"),
    [
        ("08930553", "B2", "US8930553B2"),
        ("D0612345", "S1", "USD612345S1"),
        ("RE028321", "E", "USRE28321E"),
        ("20050004437", "A1", "US20050004437A1"),
        ("2007/0140112", "A1", "US20070140112A1"),
    ],
)
def test_patent_ids(number: str, kind: str, identifier: str) -> None:
    assert patent_id("US", number, kind) == identifier


def test_only_a_number_at_the_start_is_taken_from_a_claim() -> None:
    assert unnumbered("12 . A device of claim 1.") == "A device of claim 1."
    assert unnumbered("A device. 2. Not a number.") == "A device. 2. Not a number."


@pytest.mark.parametrize(
    ("country", "number", "kind", "identifier"),
    [
        ("EP", "0488701", "A1", "EP0488701A1"),
        ("EP", "488701", "A1", "EP0488701A1"),
        ("EP", "EP 2400812", "B1", "EP2400812B1"),
        ("WO", "95/10353", "A1", "WO1995010353A1"),
        ("WO", "1995010353", "A1", "WO1995010353A1"),
        ("WO", "02054790", "A2", "WO2002054790A2"),
        ("WO", "WO 2005/080928", "A1", "WO2005080928A1"),
        ("US", "2012057518", "A1", "US20120057518A1"),
        ("US", "20030004557", "A1", "US20030004557A1"),
        ("US", "D. 271298", "S", "USD271298S"),
        ("DE", "199 00 001", "A1", "DE19900001A1"),
        ("", "2400812", "", "2400812"),
    ],
)
def test_offices_spell_a_number_in_several_ways(country: str, number: str, kind: str, identifier: str) -> None:
    assert patent_id(country, number, kind) == identifier


@pytest.mark.parametrize(
    ("country", "kind", "said"),
    [
        ("US", "A1", "published"),
        ("US", "P1", "published"),
        ("US", "A", "granted"),
        ("US", "E1", "granted"),
        ("EP", "A2", "published"),
        ("EP", "B1", "granted"),
        ("DE", "C2", "granted"),
    ],
)
def test_the_kind_says_whether_a_publication_is_a_grant(country: str, kind: str, said: str) -> None:
    assert published(country, kind) == said


def test_names_once_whatever_their_capitals() -> None:
    assert first_of_each(["KETTLE WORKS, INC.", "Spouts AG", "", "Kettle Works Inc"]) == (
        "Kettle Works Inc",
        "Spouts AG",
    )
