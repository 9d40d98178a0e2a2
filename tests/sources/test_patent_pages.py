"""Patents of the former full-text search: kinds put right, claims in force, pages without a text left out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import DocumentDate, Section
from engine.sources import patent_pages

FILLING = "The line of a kite is wound. " * 40
RECORD: dict[str, Any] = {
    "title": "KITE LINE REEL",
    "publication_number": "9876543",
    "publication_date": "2018-01-23",
    "filing_date": "2015-03-10",
    "kind_code": "B2",
    "abstract": "A reel\n\nfor a kite.",
    "description": f"BACKGROUND\n\n[0002] Lines tangle.\n\nSUMMARY\n\n{FILLING}",
    "claims": "What is claimed is:\n\n1. A reel comprising:\n\na drum.\n\n2. The reel of claim 1.",
    "cpc_classes": [{"class": "A63H 27/08", "version": "20130101"}, {"class": "A63H 27/08", "version": "20200101"}],
    "inventors": [{"first_name": "Ada", "last_name": "Gale", "city": "Windham"}],
    "assignees": [{"name": "Kites Inc."}, {"name": "Kites Inc."}],
    "family_id": "77",
}


def page(**values: Any) -> bytes:  # noqa: ANN401  JSON is any value
    return json.dumps(RECORD | values).encode()


def test_a_page_is_a_patent() -> None:
    (patent,) = patent_pages.parse([page()])
    assert (patent.id, patent.kind, patent.year, patent.family) == ("US9876543B2", "patent", 2018, "77")
    assert (patent.title, patent.abstract) == ("Kite line reel", "A reel for a kite.")
    assert patent.sections == (Section("Background", "Lines tangle."), Section("Summary", FILLING.strip()))
    assert patent.claims == ("A reel comprising: a drum.", "The reel of claim 1.")
    assert patent.categories == ("A63H 27/08",)
    assert (patent.inventors, patent.authors, patent.assignees) == (("Ada Gale",), ("Ada Gale",), ("Kites Inc.",))
    assert patent.dates == (DocumentDate("filed", "2015-03-10"), DocumentDate("granted", "2018-01-23"))
    assert patent.url == "https://patents.google.com/patent/US9876543B2/en"


@pytest.mark.parametrize(
    ("number", "published", "kind", "identifier"),
    [
        ("5439055", "1995-08-08", "B1", "US5439055A"),
        ("6460631", "2002-10-08", "B1", "US6460631B1"),
        ("RE43633", "2012-09-04", "B1", "USRE43633E1"),
        ("RE35000", "1995-07-18", "B1", "USRE35000E"),
        ("20200000001\n\n    ", "2020-01-02", "A1", "US20200000001A1"),
    ],
)
def test_kinds_are_those_of_the_office(number: str, published: str, kind: str, identifier: str) -> None:
    (patent,) = patent_pages.parse([page(publication_number=number, publication_date=published, kind_code=kind)])
    assert patent.id == identifier


def test_an_application_is_published_and_has_no_inventors_on_its_page() -> None:
    record = {name: value for name, value in RECORD.items() if name not in {"inventors", "assignees"}}
    (patent,) = patent_pages.parse([json.dumps(record | {"kind_code": "A1"}).encode()])
    assert patent.dates[-1].kind == "published"
    assert (patent.inventors, patent.assignees) == ((), ())


def test_a_reissues_claims_keep_their_numbers() -> None:
    claims = "We claim:\n\n.[.1. A reel with a\n\nhandle..].\n\n.Iadd.2. A reel.\n\n3. The reel of claim 2..Iaddend."
    (patent,) = patent_pages.parse([page(publication_number="RE43633", claims=claims)])
    assert patent.claims == ("", "A reel.", "The reel of claim 2.")


@pytest.mark.parametrize("description", ["", None, "FIG. 1 is a view of a kite."])
def test_a_page_of_pictures_is_left_out(description: str | None) -> None:
    assert list(patent_pages.parse([page(description=description)])) == []


@pytest.mark.parametrize("data", [b"", b"[1]", b'{"description": 5}', page(publication_date=None), page(claims=None)])
def test_not_such_a_page(data: bytes) -> None:
    with pytest.raises(MalformedFileError, match="Expected a patent's page as patent-client's JSON"):
        list(patent_pages.parse([data]))
