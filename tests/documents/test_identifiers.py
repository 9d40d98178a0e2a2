"""A work's number is read in any spelling and leads to its page; other text is refused."""

from __future__ import annotations

import pytest

from engine.documents import Identifier, works
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
