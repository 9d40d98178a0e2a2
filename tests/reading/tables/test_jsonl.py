"""JSON and JSON Lines into documents, whatever services wrap around records; OpenAlex's works, arXiv's records."""

from __future__ import annotations

import io
import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from engine.core.errors import (
    InputTooLargeError,
    MalformedFileError,
    ManyDocumentsError,
    TruncatedFileError,
    UnsupportedFormatError,
)
from engine.documents import Document
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.limits import Limits
from engine.reading.tables.delimited import read_csv
from engine.reading.tables.jsonl import other_object, read_jsonl, rows
from tests.reading.tables.rows import DOCUMENT, ROW, jsonl, of_jsonl, parquet
from tests.sources.test_papers import RECORD

PAPER = {"title": "Quiet lids", "abstract": "Of lids.", "authors": [{"name": "Ada Lind"}], "year": 2021}


@pytest.mark.parametrize(
    "value",
    [
        [PAPER, PAPER],
        {"total": 2, "offset": 0, "data": [PAPER, PAPER]},
        {"status": "ok", "message": {"total-results": 2, "items": [PAPER, PAPER]}},
        {"hits": {"hits": [{"_id": "1", "_source": PAPER}, {"_id": "2", "_source": PAPER}]}},
        {"resultList": {"result": [PAPER, PAPER]}},
        {"title": "My collection", "papers": [PAPER, PAPER]},
        {"W1": PAPER, "W2": PAPER},
        {name: {"0": part, "1": part} for name, part in PAPER.items()},
        [{"citedPaper": PAPER}, {"paper": PAPER}],
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_two_papers(value: object, indent: int | None) -> None:
    found = of_jsonl(json.dumps(value, indent=indent).encode())
    assert [(one.title, one.authors, one.year) for one in found] == [("Quiet lids", ("Ada Lind",), 2021)] * 2


def test_a_work_with_references_is_one_work() -> None:
    work = {**PAPER, "references": [{"title": "Another"}], "citations": [PAPER]}
    assert [one.title for one in of_jsonl(jsonl(work))] == ["Quiet lids"]


def test_citations_of_csl_and_crossref() -> None:
    csl = {
        "id": "lind2021",
        "type": "article-journal",
        "title": "Quiet <i>lids</i> &amp; pots",
        "author": [{"family": "Lind", "given": "Ada"}, {"literal": "Lid Team"}],
        "issued": {"date-parts": [["2021", 3]]},
        "container-title": "Journal of Lids",
        "DOI": "10.1234/lid.7",
    }
    crossref = {"message": csl | {"title": [csl["title"]], "container-title": ["Journal of Lids", "J"], "id": None}}
    for value in ([csl], crossref):
        (found,) = of_jsonl(json.dumps(value).encode())
        assert (found.id, found.title, found.year) == ("doi:10.1234/lid.7", "Quiet lids & pots", 2021)
        assert (found.authors, found.venue) == (("Ada Lind", "Lid Team"), "Journal of Lids")
    (tagged,) = of_jsonl(jsonl({"title": "A", "abstract": "<jats:p>Of lids.</jats:p>"}))
    assert tagged.abstract == "Of lids."


def test_semantic_scholar_and_s2orc() -> None:
    (found,) = of_jsonl(jsonl({**PAPER, "externalIds": {"ArXiv": "2101.00001"}, "fieldsOfStudy": ["Physics"]}))
    assert (found.id, found.categories, found.url) == (
        "arXiv:2101.00001",
        ("Physics",),
        "https://arxiv.org/abs/2101.00001",
    )
    body = [{"text": "P1", "section": "Aim"}, {"text": "P2", "section": "Aim"}, {"text": "P3", "section": "End"}]
    s2orc = {"paper_id": "1", **PAPER, "abstract": "", "pdf_parse": {"abstract": [{"text": "We."}], "body_text": body}}
    cord = {"paper_id": "1", "metadata": PAPER, "abstract": [{"text": "We."}], "body_text": body}
    for value in (s2orc, cord):
        (found,) = of_jsonl(jsonl(value))
        assert (found.title, found.abstract, found.authors) == ("Quiet lids", "We.", ("Ada Lind",))
        assert [(one.title, one.text) for one in found.sections] == [("Aim", "P1\n\nP2"), ("End", "P3")]


def test_words_with_their_places_outside_of_openalex() -> None:
    (found,) = of_jsonl(jsonl({"title": "A", "abstract_inverted_index": {"We": [0], "lids": [2], "lift": [1]}}))
    assert found.abstract == "We lift lids"


def test_zoteros_items() -> None:
    item = {"key": "K", "version": 1, "data": {"itemType": "patent", "title": "Lid", "tags": [{"tag": "pots"}]}}
    (found,) = of_jsonl(json.dumps([item]).encode())
    assert (found.title, found.kind, found.keywords) == ("Lid", "patent", ("pots",))


@pytest.mark.parametrize("depth", [3, 14])
def test_hostile_nesting_costs_no_more_than_its_size(depth: int) -> None:
    value: object = {"x": [1, 2, 3]}
    for _ in range(depth):
        value = {"a": value, "b": value} if depth < 10 else {"a": value, "b": [value]}
    begun = time.process_time()
    list(rows({str(n): value for n in range(50)}, "row 1 of a"))
    assert time.process_time() - begun < 5


def test_a_record_of_more_keys_than_a_document_has_is_refused_and_records_by_their_ids_are_not() -> None:
    keys = {"title": "A", **{f"key{number}": 1 for number in range(10_000)}}
    with pytest.raises(InputTooLargeError, match=r"at most 10,000 keys in row 1, found 10,001\. Keep"):
        list(rows(keys, "row 1"))
    by_id = {str(number): {"title": f"A {number}"} for number in range(1_500)}
    assert len(list(rows(by_id, "row 1"))) == 1_500


SERVICES = {
    "europe pmc": {
        "resultList": {
            "result": [
                {
                    "source": "MED",
                    "doi": "10.1234/rn.5",
                    "title": "Drift",
                    "authorList": {"author": [{"fullName": "Osei M", "firstName": "Mara", "lastName": "Osei"}]},
                    "journalInfo": {"issue": "1", "journal": {"title": "Reef Notes"}},
                    "pubYear": "2021",
                    "abstractText": "We swam.",
                    "keywordList": {"keyword": ["reef", "drift"]},
                }
            ]
        }
    },
    "zenodo": {
        "hits": {
            "hits": [
                {
                    "doi": "10.1234/rn.5",
                    "metadata": {
                        "title": "Drift",
                        "publication_date": "2021-03-02",
                        "description": "<p>We swam.</p>",
                        "creators": [{"name": "Mara Osei"}],
                        "keywords": ["reef", "drift"],
                        "journal": {"title": "Reef Notes"},
                    },
                }
            ]
        }
    },
    "inspire": {
        "hits": {
            "hits": [
                {
                    "metadata": {
                        "titles": [{"title": "Drift"}],
                        "abstracts": [{"value": "We swam.", "source": "arXiv"}],
                        "authors": [{"full_name": "Mara Osei"}],
                        "dois": [{"value": "10.1234/rn.5"}],
                        "earliest_date": "2021-03-02",
                        "publication_info": [{"journal_title": "Reef Notes", "year": 2021}],
                        "keywords": [{"value": "reef"}, {"value": "drift"}],
                    }
                }
            ]
        }
    },
    "dblp": {
        "result": {
            "hits": {
                "hit": [
                    {
                        "info": {
                            "authors": {"author": [{"@pid": "1", "text": "Mara Osei 0001"}]},
                            "title": "Drift",
                            "venue": "Reef Notes",
                            "year": "2021",
                            "doi": "10.1234/rn.5",
                            "abstract": "We swam.",
                            "keywords": "reef, drift",
                        }
                    }
                ]
            }
        }
    },
    "ads": {
        "response": {
            "docs": [
                {
                    "title": ["Drift"],
                    "abstract": "We swam.",
                    "author": ["Mara Osei"],
                    "year": "2021",
                    "pub": "Reef Notes",
                    "doi": ["10.1234/rn.5"],
                    "keyword": ["reef", "drift"],
                }
            ]
        }
    },
    "openreview": {
        "notes": [
            {
                "doi": "10.1234/rn.5",
                "year": 2021,
                "content": {
                    "title": {"value": "Drift"},
                    "authors": {"value": ["Mara Osei"]},
                    "abstract": {"value": "We swam."},
                    "keywords": {"value": ["reef", "drift"]},
                    "venue": {"value": "Reef Notes"},
                },
            }
        ]
    },
    "datacite": {
        "data": [
            {
                "attributes": {
                    "doi": "10.1234/rn.5",
                    "creators": [{"givenName": "Mara", "familyName": "Osei"}],
                    "titles": [{"title": "Drift"}],
                    "publicationYear": 2021,
                    "descriptions": [{"description": "We swam.", "descriptionType": "Abstract"}],
                    "journal": "Reef Notes",
                    "keywords": ["reef", "drift"],
                }
            }
        ]
    },
}


@pytest.mark.parametrize("service", SERVICES)
def test_answers_of_more_services(service: str) -> None:
    found = read_bytes(json.dumps(SERVICES[service]).encode(), "a.json").document
    assert (found.id, found.title, found.abstract) == ("doi:10.1234/rn.5", "Drift", "We swam.")
    assert (found.authors, found.year, found.venue) == (("Mara Osei",), 2021, "Reef Notes")
    assert found.keywords == ("reef", "drift")


DATACITE = {
    "id": "https://doi.org/10.1234/rn.5",
    "doi": "10.1234/rn.5",
    "types": {"resourceTypeGeneral": "Text"},
    "creators": [{"name": "Osei, Mara", "givenName": "Mara", "familyName": "Osei"}, {"creatorName": "Reef Group"}],
    "titles": [{"title": "Deriva", "titleType": "TranslatedTitle"}, {"title": "Drift"}],
    "publisher": {"name": "Reef Press"},
    "container": {"type": "Journal", "title": "Reef Notes"},
    "publicationYear": 2021,
    "subjects": [{"subject": "reef"}],
    "descriptions": [
        {"description": "Reef Notes 12 (2021)", "descriptionType": "SeriesInformation"},
        {"description": "<p>We swam.</p>", "descriptionType": "Abstract", "lang": "en"},
        {"description": "Nadamos.", "descriptionType": "Abstract", "lang": "pt"},
        {"description": "Distributed under CC BY 4.0.", "descriptionType": "Other"},
        {"description": '{"blocks": []}', "descriptionType": "TechnicalInfo"},
    ],
}


@pytest.mark.parametrize(
    "value",
    [
        DATACITE,
        [DATACITE],
        {"data": {"id": "10.1234/rn.5", "type": "dois", "attributes": DATACITE}},
        {"data": [{"id": "10.1234/rn.5", "type": "dois", "attributes": DATACITE}], "meta": {"total": 1}},
    ],
)
def test_datacite(value: object) -> None:
    found = read_bytes(json.dumps(value).encode(), "a.json").document
    assert (found.id, found.title, found.abstract) == ("doi:10.1234/rn.5", "Drift", "We swam.")
    assert (found.authors, found.year, found.venue) == (("Mara Osei", "Reef Group"), 2021, "Reef Notes")


def test_datacite_without_an_abstract_and_with_a_subtitle() -> None:
    titles = [{"title": "Drift:"}, {"title": "a trial", "titleType": "Subtitle"}]
    told = [one for one in DATACITE["descriptions"] if one["descriptionType"] != "Abstract"]  # type: ignore[attr-defined]
    value = DATACITE | {"titles": titles, "descriptions": told, "container": {}, "creators": []}
    found = read_bytes(json.dumps(value).encode(), "a.json").document
    assert (found.title, found.abstract, found.venue) == ("Drift: a trial", "", "Reef Press")
    value = DATACITE | {"descriptions": [{"description": "We swam."}], "container": None, "publisher": "Press"}
    found = read_bytes(json.dumps(value).encode(), "a.json").document
    assert (found.abstract, found.venue) == ("We swam.", "Press")


def test_a_summary_of_pubmed() -> None:
    ids = [{"idtype": "pubmed", "value": "33000001"}, {"idtype": "doi", "value": "10.1234/rn.5"}]
    work = {
        "title": "Drift",
        "pubdate": "2021 Mar",
        "fulljournalname": "Reef Notes",
        "source": "Reef N",
        "articleids": ids,
    }
    found = read_bytes(json.dumps({"result": {"uids": ["33000001"], "33000001": work}}).encode(), "a.json").document
    assert (found.id, found.title, found.year, found.venue) == ("doi:10.1234/rn.5", "Drift", 2021, "Reef Notes")


def test_patents_of_more_services() -> None:
    patentsview = {
        "patents": [
            {
                "patent_id": "1234567",
                "patent_title": "Meter",
                "patent_date": "2020-03-04",
                "inventors": [{"inventor_name_first": "Mara", "inventor_name_last": "Osei"}],
                "assignees": [{"assignee_organization": "Reef Tools"}],
                "cpc_current": [{"cpc_subgroup_id": "G01C13/00"}],
            }
        ]
    }
    found = read_bytes(json.dumps(patentsview).encode(), "a.json").document
    assert (found.id, found.kind, found.authors, found.venue) == ("US1234567", "patent", ("Mara Osei",), "Reef Tools")
    assert found.categories == ("G01C13/00",)
    bigquery = {
        "publication_number": "US-1234567-B2",
        "title_localized": [{"text": "Meter", "language": "en"}],
        "abstract_localized": [{"text": "It swims.", "language": "en"}],
        "claims_localized": [{"text": "1. A meter. 2. The meter of claim 1.", "language": "en"}],
        "publication_date": "20200304",
        "inventor_harmonized": [{"name": "OSEI MARA"}],
        "assignee_harmonized": [{"name": "REEF TOOLS"}],
        "cpc": [{"code": "G01C13/00"}],
    }
    found = read_bytes(json.dumps(bigquery).encode(), "a.jsonl").document
    assert (found.id, found.title, found.abstract, found.year) == ("US1234567B2", "Meter", "It swims.", 2020)
    assert found.claims == ("A meter.", "The meter of claim 1.")
    assert (found.authors, found.venue, found.categories) == (("OSEI MARA",), "REEF TOOLS", ("G01C13/00",))


def test_a_list_with_nothing_in_a_place_keeps_the_rest() -> None:
    value = {"results": [None, {"title": "Drift"}], "meta": {}}
    assert read_bytes(json.dumps(value).encode(), "a.json").document.title == "Drift"


def test_jsonl_has_every_column() -> None:
    assert of_jsonl(jsonl(ROW)) == [DOCUMENT]


@pytest.mark.parametrize("column", ["title", "abstract", "text"])
def test_one_column_of_text_is_enough(column: str) -> None:
    document = of_jsonl(jsonl({column: "Words."}))[0]
    assert document.text == "Words."
    assert document.kind == "paper"
    assert document.id.startswith("text:")


@pytest.mark.parametrize("indent", [None, 2])
def test_json_in_one_value(indent: int | None) -> None:
    assert of_jsonl(json.dumps(ROW, indent=indent).encode()) == [DOCUMENT]
    assert of_jsonl(json.dumps([ROW, ROW], indent=indent).encode()) == [DOCUMENT, DOCUMENT]


def test_utf16_tables() -> None:
    data = json.dumps({"title": "Thé"}, ensure_ascii=False).encode("utf-16")
    assert of_jsonl(data)[0].title == "Thé"
    assert read_bytes("title,abstract\nThé,B\n".encode("utf-16"), "a.csv").document.title == "Thé"


@pytest.mark.parametrize(
    ("data", "row"), [(b'{"title": "A"}\n{"title": "B', 2), (b'{"title": "A"', 1), (b'{"title": "A"}\n{"title":', 2)]
)
def test_truncated_json(data: bytes, row: int) -> None:
    told: list[str] = []
    said = rf"Expected whole JSON in row {row} of a.jsonl; it stops in the middle"
    if row == 1:
        with pytest.raises(TruncatedFileError, match=said):
            of_jsonl(data)
        return
    assert len(of_jsonl(data, said=told)) == 1
    assert re.search(said, told[0])


@pytest.mark.parametrize("data", [b'{"title": "A"}\n{title: "B"}\n', b'{"title": "A"}\n{"title": "B"} x\n'])
def test_malformed_json(data: bytes) -> None:
    told: list[str] = []
    assert [one.title for one in of_jsonl(data + b'{"title": "C"}\n', said=told)] == ["A", "C"]
    assert re.search(r"Expected JSON in row 2 of a\.jsonl: .* at character", told[0])
    with pytest.raises(MalformedFileError, match=r"Expected JSON in row 1 of a\.jsonl: .*Write one JSON object"):
        of_jsonl(b'{title: "B"}\n')


def test_a_broken_object_in_a_list_refuses_no_other() -> None:
    told: list[str] = []
    text = '[\n{"title": "A"},\n{"title": B},\n{"title": "C"},\n{"titl'
    assert [one.title for one in of_jsonl(text.encode(), said=told)] == ["A", "C"]
    assert ["row 2" in told[0], "at line 3, character" in told[0], "stops in the middle" in told[1]] == [
        True,
        True,
        True,
    ]
    assert [one.title for one in of_jsonl(b'{title: "A"}\n{"title": "B"}\n', said=told)] == ["B"]


@pytest.mark.parametrize("line", ["[1]", "5", '"text"', "null"])
def test_json_that_is_no_object(line: str) -> None:
    told: list[str] = []
    assert len(of_jsonl(b'{"title": "A"}\n' + line.encode(), said=told)) == 1
    assert re.search(r"Expected a JSON object in (?:result 1 in )?row 2 of a\.jsonl, found \w+", told[0])


def test_an_arxiv_record_with_an_author_without_a_name_is_read() -> None:
    record = {"id": "0704.0001", "title": "Kites", "abstract": "Fly.", "categories": "cs.RO", "versions": []}
    (found,) = of_jsonl(jsonl({**record, "authors_parsed": [["Berners", "Ada", ""], []]}))
    assert found.authors[0] == "Ada Berners"
    with pytest.raises(MalformedFileError, match="Expected a whole record of arXiv's"):
        of_jsonl(jsonl({**record, "authors_parsed": [3]}))


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv"])
def test_lines_are_bounded(name: str) -> None:
    read = read_jsonl if name.endswith("jsonl") else read_csv
    data = jsonl({"title": "A"}, {"title": "B" * 200}) if name.endswith("jsonl") else b"title\nA\n" + b"B" * 200
    told: list[str] = []
    found = read(io.BytesIO(data), name, Limits(max_record_bytes=100), warn=told.append)
    assert [one.title for one in found] == ["A"]
    line = 2 if name.endswith("jsonl") else 3
    assert told[0].startswith(f"An entry was left out. Expected at most 0 MiB in line {line} of {name}; it is larger.")


def test_json_of_another_layout_is_bounded() -> None:
    with pytest.raises(InputTooLargeError, match=r"Expected one JSON object a line in a\.jsonl, or at most 0 MiB"):
        of_jsonl(json.dumps([{"title": "A"}] * 9, indent=1).encode(), Limits(max_record_bytes=60))


def test_bytes_that_are_not_utf8_far_into_a_table(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl(ROW) * 300 + b'{"title": "caf\xe9"}\n')
    told: list[str] = []
    assert [one.title for one in iter_documents(tmp_path / "a.jsonl", warn=told.append)][-1] == "café"
    assert told == [
        "a.jsonl is not in UTF-8 and names no encoding. It was read as Windows-1252 (Western European); "
        "if letters look wrong, save it as UTF-8."
    ]


@pytest.mark.parametrize("data", [jsonl(ROW, ROW), parquet([ROW, ROW]), b"title,abstract\nA,B\nC,D\n"])
def test_a_table_of_several_rows_is_for_import(data: bytes) -> None:
    with pytest.raises(ManyDocumentsError, match=r"Expected one document in rows, found several. Import it instead"):
        read_bytes(data, "rows")


def test_a_table_of_one_row_is_a_document() -> None:
    assert read_bytes(jsonl(ROW), "one.jsonl").document == DOCUMENT


def test_tables_are_streamed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(jsonl({"title": "A"}) * 3 + b"{broken\n")
    told: list[str] = []
    documents = iter_documents(tmp_path / "a.jsonl", warn=told.append)
    assert [next(documents).title for _ in range(3)] == ["A"] * 3
    assert (list(documents), len(told)) == ([], 1)


def test_a_list_of_broken_entries_is_not_read_to_its_end() -> None:
    told: list[str] = []
    text = "[" + ",\n".join(['{"title": "A"}', *['{"title" "B"}'] * 1_200, '{"title": "C"}']) + "]"
    assert [one.title for one in of_jsonl(text.encode(), said=told)] == ["A"]
    assert told[-1] == (
        "An entry was left out. Expected JSON in a.jsonl; more than 1,000 of its entries are broken, and those after "
        "row 1,002 were not looked at. Write one JSON object a line."
    )


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"documentBag": [{"documentCode": "CLM"}]}, "the list of files in an application's wrapper at the USPTO"),
        ([{"documentCode": "CLM", "documentIdentifier": "X"}], "the list of files in an application's wrapper"),
        (
            {"patentFileWrapperDataBag": [{"applicationNumberText": "1", "eventDataBag": []}]},
            "a part of an application's record at the USPTO, without its metadata",
        ),
        ([{"itemType": "book", "localized": "Book"}], "Zotero's list of kinds of items"),
        ([{"field": "title", "localized": "Title"}], "Zotero's list of fields"),
        ([{"tag": "kettle", "links": {}, "meta": {"type": 0}}], "a tag of Zotero's"),
        (
            [{"key": "A", "version": 1, "data": {"name": "Kettles", "parentCollection": False}}],
            "a collection of Zotero's",
        ),
        (
            {"key": "A", "version": 1, "data": {"itemType": "attachment", "title": "Full text"}},
            "an attachment of Zotero's",
        ),
        ({"key": "A", "version": 1, "data": {"itemType": "note", "note": "Ask Ada."}}, "a note of Zotero's"),
        ({"message-type": "member-list", "message": {"items": [{"title": "A"}]}}, "what Crossref calls a member-list"),
        ({"id": "https://openalex.org/A5023888391", "display_name": "Ada Lind"}, "OpenAlex's record of an author"),
        (
            {"meta": {}, "results": [{"id": "https://openalex.org/S137773608", "display_name": "Nature"}]},
            "OpenAlex's record of a source",
        ),
        ({"id": "https://openalex.org/fields/17", "display_name": "Physics"}, "OpenAlex's record of an entity"),
    ],
)
def test_what_services_answer_beside_works(value: object, name: str) -> None:
    with pytest.raises(UnsupportedFormatError) as caught:
        read_bytes(json.dumps(value).encode(), "a.json")
    assert f"found {name}" in str(caught.value)
    assert str(caught.value).startswith("Expected papers or patents in ")


@pytest.mark.parametrize(
    "value",
    [
        {"id": "https://openalex.org/W1", "display_name": "Kettles"},
        {"message-type": "work", "message": {"title": ["Kettles"]}},
        {"key": "A", "version": 1, "data": {"itemType": "book", "title": "Kettles"}},
        {"title": "Kettles", "tag": "x"},
        {"title": "Kettles", "version": 2, "data": {"rows": 3}},
    ],
)
def test_works_stay_works(value: dict[str, Any]) -> None:
    assert other_object(value) is None
    assert read_bytes(json.dumps(value).encode(), "a.json").document.title == "Kettles"


WORK: dict[str, Any] = {
    "id": "https://openalex.org/W42",
    "doi": "https://doi.org/10.1000/Kites.7",
    "title": "Kites in <i>gusts</i> &amp; gales",
    "display_name": "Kites in gusts",
    "publication_year": 2019,
    "primary_location": {"source": {"display_name": "Journal of Wind"}},
    "authorships": [
        {"author": {"display_name": "Ada Gale"}},
        {"author": {}, "raw_author_name": "B. Breeze"},
    ],
    "keywords": [{"id": "https://openalex.org/keywords/kite", "display_name": "Kite", "score": 0.6}],
    "topics": [
        {"display_name": "Wind energy", "subfield": {"display_name": "Aerospace Engineering"}},
        {"display_name": "Airborne wind", "subfield": {"display_name": "Aerospace Engineering"}},
        {"display_name": "Control", "subfield": {"display_name": "Control and Systems"}},
    ],
    "abstract_inverted_index": {"<jats:p>We": [0], "fly": [1, 4], "kites": [2], "and": [3], "again.</jats:p>": [5]},
}


def read(tmp_path: Path, *values: object, name: str = "works.jsonl") -> list[Document]:
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(value) for value in values))
    return list(iter_documents(path))


def test_a_work_is_a_paper_with_its_abstract_in_order(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, WORK)
    assert (paper.id, paper.kind, paper.year) == ("doi:10.1000/Kites.7", "paper", 2019)
    assert paper.abstract == "We fly kites and fly again."
    assert paper.title == "Kites in gusts & gales"
    assert (paper.venue, paper.url) == ("Journal of Wind", "https://doi.org/10.1000/Kites.7")
    assert paper.authors == ("Ada Gale", "B. Breeze")
    assert paper.categories == ("Aerospace Engineering", "Control and Systems")
    assert paper.keywords == ("Kite",)


@pytest.mark.parametrize("name", ["answer.json", "answer.jsonl"])
@pytest.mark.parametrize("indent", [None, 2])
def test_an_answer_of_the_api_is_a_list_of_works(tmp_path: Path, name: str, indent: int | None) -> None:
    path = tmp_path / name
    answer = {"meta": {"count": 2}, "results": [WORK, {**WORK, "doi": None}], "group_by": []}
    path.write_text(json.dumps(answer, indent=indent))
    assert [one.id for one in iter_documents(path)] == ["doi:10.1000/Kites.7", "OpenAlex:W42"]


def test_what_a_work_lacks_is_left_out(tmp_path: Path) -> None:
    bare = {"id": "https://openalex.org/W7", "display_name": "Kites", "authorships": None, "primary_location": None}
    (paper,) = read(tmp_path, bare)
    assert paper == Document("OpenAlex:W7", title="Kites", url="https://openalex.org/W7")


def test_a_preprint_is_known_by_its_number(tmp_path: Path) -> None:
    preprint = {**WORK, "doi": "https://doi.org/10.48550/arxiv.1501.00001"}
    (paper,) = read(tmp_path, preprint)
    assert paper.id == "arXiv:1501.00001"


def test_older_works_have_concepts_and_programs_write_the_abstract_out(tmp_path: Path) -> None:
    concepts = [{"display_name": "Physics", "level": 0}, {"display_name": "Kite", "level": 3}]
    older = {name: part for name, part in WORK.items() if name not in ("topics", "abstract_inverted_index")}
    (paper,) = read(tmp_path, older | {"concepts": concepts, "abstract": "We fly.", "host_venue": None})
    assert (paper.categories, paper.abstract) == (("Physics",), "We fly.")


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"abstract_inverted_index": ["We"]}, "words with their places in the column 'abstract_inverted_index'"),
        ({"abstract_inverted_index": {"We": ["0"]}}, "words with their places"),
        ({"authorships": "Ada"}, "a list of objects in the column 'authorships' of row 2 of works.jsonl"),
        ({"topics": ["Wind"]}, "a list of objects in the column 'topics'"),
        ({"doi": 7}, "text in the column 'doi'"),
    ],
)
def test_a_damaged_work_names_its_row_and_part(tmp_path: Path, part: dict[str, Any], said: str) -> None:
    with pytest.raises(MalformedFileError, match=said.replace("row 2", "row 1")):
        read(tmp_path, WORK | part)


def test_a_table_with_links_to_openalex_is_a_table(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, {"id": "https://openalex.org/W42", "title": "Kites", "text": "We fly kites."})
    assert (paper.id, paper.sections[0].text) == ("https://openalex.org/W42", "We fly kites.")


def test_a_record_of_arxiv_is_read_as_the_sample_library_reads_it(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, RECORD, name="arxiv-metadata.json")
    assert (paper.id, paper.year, paper.categories) == ("arXiv:1501.00001", 2015, ("cs.RO", "physics.flu-dyn"))
    assert paper.abstract == "We study kites in the wind.\n\nA second paragraph."
    assert (paper.authors[1], paper.venue) == ("Bo Breeze Jr", "J. Wind")


@pytest.mark.parametrize(("number", "year"), [("0704.0001", 2007), ("hep-th/9901001", 1999), ("math.GT/0309136", 2003)])
def test_a_copy_of_the_records_without_versions(tmp_path: Path, number: str, year: int) -> None:
    kept = {name: part for name, part in RECORD.items() if name not in ("versions", "authors_parsed")}
    authors = {"authors": "Ada Gale (1), Bo\n  Breeze and C. Calm ((1) Wind Lab)"}
    (paper,) = read(tmp_path, kept | authors | {"id": number, "update_date": "2020-01-01"})
    assert (paper.id, paper.year) == (f"arXiv:{number}", year)
    assert paper.authors == ("Ada Gale", "Bo Breeze", "C. Calm")


@pytest.mark.parametrize("part", [{"title": None}, {"versions": [{}]}, {"authors_parsed": [None]}])
def test_a_damaged_record_of_arxiv_names_its_row(tmp_path: Path, part: dict[str, Any]) -> None:
    with pytest.raises(MalformedFileError, match="a whole record of arXiv's in row 1 of works"):
        read(tmp_path, RECORD | part)


def test_a_table_with_arxiv_numbers_is_a_table(tmp_path: Path) -> None:
    (paper,) = read(tmp_path, {"id": "1501.00001", "title": "Kites", "categories": "kites; wind"})
    assert (paper.id, paper.categories) == ("1501.00001", ("kites", "wind"))
