"""Papers of the ACL Anthology: free ones only, with what their number tells and without names that GROBID mixes up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.core.errors import MalformedFileError
from engine.documents import Section
from engine.sources import acl_papers

FOLDER = "kites-1.0/papers"
PAPER: dict[str, Any] = {
    "paper_id": "2021",
    "title": "Parsing the Wind *",
    "authors": [{"first": "Facebook", "middle": [], "last": "Research", "suffix": ""}],
    "year": "",
    "venue": None,
    "abstract": "We parse the wind.",
    "pdf_parse": {
        "paper_id": "2021",
        "abstract": [{"text": "We parse the wind.", "section": "Abstract"}],
        "body_text": [
            {"text": "The wind is read.", "section": "Introduction"},
            {"text": "It is read twice.", "section": "Introduction"},
            {"text": "It blew.", "section": "Results"},
            {"text": "https://kites.example", "section": ""},
            {"text": "Of Monday.", "section": ""},
        ],
        "back_matter": [],
        "bib_entries": {
            "BIBREF0": {
                "title": "Kites",
                "authors": [],
                "raw_text": "Ada Gale. 2004. A the- ory of kites. Proc. of Air.",
            },
            "BIBREF1": {"title": "Sails", "authors": [], "raw_text": "Bo Breeze. 2005. Sails. Proc. of Sea."},
        },
    },
}


def file(number: str = "2021.acl-long.67", **values: Any) -> dict[str, bytes]:  # noqa: ANN401  JSON is any value
    return {f"{FOLDER}/{number}.json": json.dumps(PAPER | values).encode()}


def test_a_paper_has_what_its_number_tells() -> None:
    (paper,) = acl_papers.parse(file())
    assert (paper.id, paper.year, paper.venue) == ("ACL:2021.acl-long.67", 2021, "ACL")
    assert paper.url == "https://aclanthology.org/2021.acl-long.67/"
    assert (paper.title, paper.abstract) == ("Parsing the Wind", "We parse the wind.")


def test_footnotes_and_the_reference_list_follow_the_text() -> None:
    (paper,) = acl_papers.parse(file())
    assert paper.sections == (
        Section("Introduction", "The wind is read.\n\nIt is read twice."),
        Section("Results", "It blew."),
        Section("Notes", "https://kites.example\n\nOf Monday."),
        Section(
            "References",
            "Ada Gale. 2004. A theory of kites. Proc. of Air.\n\nBo Breeze. 2005. Sails. Proc. of Sea.",
            "references",
        ),
    )


def test_names_that_may_be_wrong_are_left_out() -> None:
    (paper,) = acl_papers.parse(file())
    assert (paper.authors, paper.references) == ((), ())


@pytest.mark.parametrize(
    ("number", "year", "venue"),
    [("P16-1031", 2016, "ACL"), ("D19-1098", 2019, "EMNLP"), ("2022.naacl-main.46", 2022, "NAACL")],
)
def test_numbers_of_free_papers(number: str, year: int, venue: str) -> None:
    (paper,) = acl_papers.parse(file(number))
    assert (paper.id, paper.year, paper.venue) == (f"ACL:{number}", year, venue)


@pytest.mark.parametrize("number", ["P15-1001", "E99-1023", "W96-0213"])
def test_older_papers_are_left_out(number: str) -> None:
    assert list(acl_papers.parse(file(number))) == []


@pytest.mark.parametrize(
    "files",
    [file("kites"), {"P18-1001.json": b"{"}, {"P18-1001.json": b"[]"}, file("P18-1001", pdf_parse={"body_text": []})],
)
def test_not_such_a_paper(files: dict[str, bytes]) -> None:
    with pytest.raises(MalformedFileError, match="Expected a paper of the ACL Anthology in S2ORC's JSON"):
        list(acl_papers.parse(files))
