"""Versions of one work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.documents import works
from engine.documents.document import Document, DocumentDate, Identifier, Placed, Section, Translation
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


def test_a_number_alone_makes_no_copy() -> None:
    paper = Document("PMC12", identifiers=(Identifier("doi", "10.1/volume"),))
    assert not works.is_query("known:doi:10.1/volume", "paper", None, paper)
