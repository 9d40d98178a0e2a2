"""Patents and works as the Lens answers with them."""

from __future__ import annotations

import io
import json
from typing import Any

from engine.documents import Document, DocumentDate, Identifier, Reference, Section
from engine.reading.dispatch import read_bytes
from engine.reading.limits import LIMITS
from engine.reading.patents.lens import is_lens_patent, read_lens_patent
from engine.reading.tables.jsonl import read_jsonl

PATENT: dict[str, Any] = {
    "lens_id": "031-156-664-516-153",
    "jurisdiction": "EP",
    "doc_number": "2471949",
    "kind": "A1",
    "date_published": "2012-07-04",
    "doc_key": "EP_2471949_A1_20120704",
    "lang": "en",
    "biblio": {
        "publication_reference": {"jurisdiction": "EP", "doc_number": "2471949", "kind": "A1", "date": "2012-07-04"},
        "application_reference": {"jurisdiction": "EP", "doc_number": "10197481", "kind": "A", "date": "2010-12-31"},
        "priority_claims": {
            "claims": [{"jurisdiction": "SE", "doc_number": "1", "kind": "A", "date": "2010-01-31", "sequence": 1}],
            "earliest_claim": {"date": "2010-01-31"},
        },
        "invention_title": [{"text": "Kessel mit Deckel", "lang": "de"}, {"text": "KETTLE WITH A LID", "lang": "en"}],
        "parties": {
            "applicants": [{"residence": "SE", "extracted_name": {"value": "KETTLES AB"}}],
            "inventors": [
                {"residence": "SE", "sequence": 1, "extracted_name": {"value": "LIND ADA"}},
                {"sequence": 2, "extracted_name": {"value": "Ek, Bo"}},
            ],
            "owners_all": [{"extracted_name": {"value": "LATER AB"}}],
        },
        "classifications_cpc": {"classifications": [{"symbol": "A47J27/21"}, {"symbol": "A47J27/21"}]},
        "classifications_ipcr": {"classifications": [{"symbol": "A47J36/06", "classification_value": "I"}]},
        "references_cited": {
            "citations": [
                {"patcit": {"document_id": {"jurisdiction": "WO", "doc_number": "2006075254", "kind": "A2"}}},
                {"nplcit": {"text": "Lind A: Lids, 2009"}},
            ]
        },
    },
    "families": {"simple_family": {"size": 2, "members": [{"lens_id": "2"}, {"lens_id": "1"}]}},
    "abstract": [{"text": "A kettle with a lid.", "lang": "en"}, {"text": "Ein Kessel.", "lang": "de"}],
    "claims": [
        {"claims": [{"claim_text": ["1. A kettle."]}, {"claim_text": ["The kettle of claim 1,", "red."]}], "lang": "en"}
    ],
    "description": {"text": "FIELD OF THE INVENTION\nThis is on kettles.\nBACKGROUND\nTea is old.", "lang": "en"},
}
WORK: dict[str, Any] = {
    "lens_id": "086-713-276-176-892",
    "title": "Slow lids",
    "abstract": "We map lids.",
    "authors": [
        {"collective_name": None, "first_name": "Ada B.", "last_name": "Lind", "initials": "AB", "affiliations": []},
        {"collective_name": "The Lid Group", "first_name": None, "last_name": None},
    ],
    "external_ids": [{"type": "pmid", "value": "123"}, {"type": "doi", "value": "10.1000/lids"}],
    "source": {"type": "Journal", "title": "Journal of Lids", "publisher": "Pots"},
    "year_published": 2019,
    "publication_type": "journal article",
    "fields_of_study": ["Ceramics", "Tea"],
    "mesh_terms": [{"mesh_id": "D1", "mesh_heading": "Lids", "qualifier_name": None}],
    "references": [{"lens_id": "003-415-704-045-340"}],
    "references_count": 1,
    "source_urls": [{"type": "html", "url": "https://lids.example.org/1"}],
}


def read(value: object) -> list[Document]:
    return list(read_jsonl(io.BytesIO(json.dumps(value).encode()), "lens.json", LIMITS, print))


def test_a_patent() -> None:
    (found,) = read({"total": 1, "max_score": 1.5, "data": [PATENT]})
    assert (found.id, found.kind, found.title, found.year) == ("EP2471949A1", "patent", "Kettle with a lid", 2012)
    assert (found.abstract, found.language) == ("A kettle with a lid.", "en")
    assert found.sections == (
        Section("FIELD OF THE INVENTION", "This is on kettles."),
        Section("BACKGROUND", "Tea is old."),
    )
    assert found.claims == ("A kettle.", "The kettle of claim 1, red.")
    assert [(one.language, one.title, one.abstract) for one in found.translations] == [
        ("de", "Kessel mit Deckel", "Ein Kessel.")
    ]
    assert found.inventors == found.authors == ("Ada Lind", "Bo Ek")
    assert (found.assignees, found.venue) == (("KETTLES AB",), "KETTLES AB")
    assert found.categories == ("A47J 27/21", "A47J 36/06")
    assert found.dates == (
        DocumentDate("priority", "2010-01-31"),
        DocumentDate("filed", "2010-12-31"),
        DocumentDate("published", "2012-07-04"),
    )
    assert found.references == (
        Reference("WO 2006075254 A2", identifiers=(Identifier("patent", "WO2006075254A2"),)),
        Reference("Lind A: Lids, 2009"),
    )
    assert (found.family, found.url) == ("lens-1", "https://patents.google.com/patent/EP2471949A1/en")


def test_patents_line_by_line_and_alone() -> None:
    lines = "\n".join(json.dumps({**PATENT, "doc_number": number, "biblio": {}}) for number in ("1234567", "1234568"))
    found = list(read_jsonl(io.BytesIO(lines.encode()), "lens.jsonl", LIMITS, print))
    assert [one.id for one in found] == ["EP1234567A1", "EP1234568A1"]
    assert read_bytes(json.dumps(PATENT).encode(), "lens.json").document == read(PATENT)[0]


def test_a_patent_of_which_a_part_was_asked_for() -> None:
    found = read_lens_patent({"lens_id": "1-2", "biblio": {"invention_title": [{"text": "Lids"}], "parties": []}})
    assert (found.id, found.title, found.url) == ("lens:1-2", "Lids", "https://lens.org/1-2")
    assert is_lens_patent({"lens_id": "1", "jurisdiction": "US", "doc_number": "7"})
    assert not is_lens_patent(WORK)


def test_claims_in_one_text_are_cut() -> None:
    text = "What is claimed is: 1. A kettle. 2. The kettle of claim 1. 3. Tea."
    (found,) = read({**PATENT, "claims": [{"lang": "EN", "claims": [{"claim_text": [text]}]}]})
    assert found.claims == ("A kettle.", "The kettle of claim 1.", "Tea.")


def test_a_patent_whose_parts_have_wrong_types_is_read() -> None:
    (found,) = read(
        {**PATENT, "claims": "none", "abstract": 7, "description": [], "families": [], "biblio": {"parties": 1}}
    )
    assert (found.id, found.title, found.claims, found.sections) == ("EP2471949A1", "", (), ())


def test_works() -> None:
    (found,) = read({"total": 1, "data": [WORK]})
    assert (found.id, found.title, found.abstract) == ("doi:10.1000/lids", "Slow lids", "We map lids.")
    assert found.authors == ("Ada B. Lind", "The Lid Group")
    assert (found.venue, found.year, found.kind) == ("Journal of Lids", 2019, "paper")
    assert (found.categories, found.keywords) == (("Ceramics", "Tea"), ("Lids",))
    assert found.url == "https://lids.example.org/1"


def test_works_of_the_bulk_files_name_their_ids_by_scheme() -> None:
    (found,) = read({**WORK, "external_ids": {"doi": ["10.1000/lids"], "pmid": []}, "source_urls": None})
    assert (found.id, found.url) == ("doi:10.1000/lids", "https://doi.org/10.1000/lids")
