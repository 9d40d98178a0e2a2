"""A text that is only a number of a work is known however it is spelt; other texts are not."""

from __future__ import annotations

import pytest

from engine.documents import Identifier, works
from engine.documents.identifiers import asked_number, spoken


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
