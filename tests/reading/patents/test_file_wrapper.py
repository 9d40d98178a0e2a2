"""Applications as the USPTO's Open Data Portal records them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.documents import DocumentDate, Identifier
from engine.reading.dispatch import iter_documents, read_bytes
from engine.reading.patents.file_wrapper import is_wrapper, read_wrapper

DATA: dict[str, Any] = {
    "inventionTitle": "KETTLE WITH A WHISTLE",
    "filingDate": "2019-03-02",
    "grantDate": "2021-05-04",
    "patentNumber": "10999999",
    "earliestPublicationNumber": "US20200210819A1",
    "earliestPublicationDate": "2020-07-09",
    "cpcClassificationBag": ["A47J  27/21", "A47J2027/006", 7],
    "inventorBag": [
        {"firstName": "Ada", "middleName": "B.", "lastName": "Lind", "inventorNameText": "LIND, Ada B."},
        {"inventorNameText": "Bo  Vik"},
        "nobody",
    ],
    "applicantBag": [{"applicantNameText": "Kettles Inc."}, {"applicantNameText": "Ada B. Lind"}],
}


def wrapper(**changed: object) -> dict[str, Any]:
    """A record whose metadata differ; None takes a value out."""
    data = {name: value for name, value in {**DATA, **changed}.items() if value is not None}
    return {
        "applicationNumberText": "16291234",
        "applicationMetaData": data,
        "foreignPriorityBag": [{"filingDate": "2018-03-05", "ipOfficeName": "SWEDEN"}],
        "eventDataBag": [{"eventCode": "X"}],
    }


def test_a_grant() -> None:
    found = read_wrapper(wrapper())
    assert (found.id, found.kind, found.title, found.year) == ("US10999999B2", "patent", "Kettle with a whistle", 2021)
    assert found.identifiers == (Identifier("patent", "US10999999B2"), Identifier("patent", "US20200210819A1"))
    assert found.dates == (
        DocumentDate("priority", "2018-03-05"),
        DocumentDate("filed", "2019-03-02"),
        DocumentDate("published", "2020-07-09"),
        DocumentDate("granted", "2021-05-04"),
    )
    assert found.inventors == found.authors == ("Ada B. Lind", "Bo Vik")
    assert (found.assignees, found.venue) == (("Kettles Inc.",), "Kettles Inc.")
    assert found.categories == ("A47J 27/21", "A47J 2027/006")
    assert (found.family, found.language) == ("US-application-16291234", "en")
    assert found.url == "https://patents.google.com/patent/US10999999B2/en"


@pytest.mark.parametrize(
    ("changed", "identifier", "year"),
    [
        ({"earliestPublicationNumber": None}, "US10999999B1", 2021),
        ({"earliestPublicationNumber": "US 2014-0167116 A1"}, "US10999999B2", 2021),
        ({"patentNumber": "D0912345", "earliestPublicationNumber": None}, "USD912345S1", 2021),
        ({"patentNumber": "RE45678", "earliestPublicationNumber": None}, "USRE45678E1", 2021),
        ({"patentNumber": "PP33333"}, "USPP33333P3", 2021),
        ({"grantDate": "1999-02-02", "patentNumber": "5867890", "earliestPublicationNumber": None}, "US5867890", 1999),
        ({"grantDate": None, "patentNumber": None}, "US20200210819A1", 2020),
        (
            {"grantDate": None, "patentNumber": None, "earliestPublicationNumber": None},
            "US-application-16291234",
            None,
        ),
        ({"grantDate": 7, "patentNumber": [1], "earliestPublicationNumber": "soon"}, "US-application-16291234", None),
    ],
)
def test_numbers(changed: dict[str, object], identifier: str, year: int | None) -> None:
    found = read_wrapper(wrapper(**changed))
    assert (found.id, found.year) == (identifier, year)
    assert bool(found.url) == ("application" not in identifier)


def test_owners_where_the_inventors_applied() -> None:
    given = wrapper(applicantBag=[{"applicantNameText": "Ada B. Lind"}])
    given["assignmentBag"] = [
        {"conveyanceText": "SECURITY INTEREST ASSIGNED", "assigneeBag": [{"assigneeNameText": "BANK"}]},
        {
            "conveyanceText": "ASSIGNMENT OF ASSIGNOR'S INTEREST",
            "assignmentRecordedDate": "2022-01-01",
            "assigneeBag": [{"assigneeNameText": "LATER OWNER"}],
        },
        {
            "conveyanceText": "ASSIGNMENT OF ASSIGNOR'S INTEREST",
            "assignmentRecordedDate": "2019-04-01",
            "assigneeBag": [{"assigneeNameText": "KETTLES AB"}],
        },
    ]
    assert read_wrapper(given).assignees == ("KETTLES AB",)


def test_what_is_a_record() -> None:
    assert is_wrapper(wrapper())
    assert not is_wrapper({"applicationNumberText": "1", "eventDataBag": []})
    assert not is_wrapper({"applicationMetaData": "none", "applicationNumberText": "1"})


def test_an_answer_of_the_portal(tmp_path: Path) -> None:
    answer = {"count": 2, "patentFileWrapperDataBag": [wrapper(), wrapper(patentNumber="10999998"), None]}
    (tmp_path / "a.json").write_text(json.dumps(answer, indent=1))
    told: list[str] = []
    found = [one.id for one in iter_documents(tmp_path / "a.json", warn=told.append)]
    assert found == ["US10999999B2", "US10999998B2"]
    assert told == [
        "An entry was left out. Expected a JSON object in result 3 in row 1 of a.json, found NoneType. "
        "Write one object a line.",
        "The USPTO gives 2 records in row 1 of a.json without abstract, claims and description. Download the XML that "
        "its portal names beside the record, and import that for the text.",
    ]


def test_one_record_is_a_document_that_lacks_its_text() -> None:
    reading = read_bytes(json.dumps(wrapper()).encode(), "a.json")
    assert reading.document.id == "US10999999B2"
    assert reading.warnings[0] == "No abstract was found in the file."
    assert reading.warnings[1].startswith("The USPTO gives 1 record in row 1 of a.json without abstract")
